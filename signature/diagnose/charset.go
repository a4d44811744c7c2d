package diagnose

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// latin1 writes UTF-8 text in Latin-1, with a question mark for what Latin-1 lacks. Text that is
// not UTF-8 stays as it is.
func latin1(text string) string {
	if !utf8.ValidString(text) {
		return text
	}
	out := make([]byte, 0, len(text))
	for _, r := range text {
		if r > 0xff {
			r = '?'
		}
		out = append(out, byte(r))
	}
	return string(out)
}

// toUTF16 writes text in UTF-16, the lower byte of each unit first or last.
func toUTF16(text string, littleEndian bool) string {
	var out []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		high, low := byte(unit>>8), byte(unit)
		if littleEndian {
			high, low = low, high
		}
		out = append(out, high, low)
	}
	return string(out)
}

// isASCII reports whether a text is ASCII, so that all ways to encode it agree.
func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// toIDN writes a host name with characters outside ASCII as software sends it: each such label in
// punycode behind xn-- (RFC 3492). fromIDN is the way back; a label that is not punycode stays as
// it is.
func toIDN(host string) string {
	labels := strings.Split(strings.ToLower(host), ".")
	for i, label := range labels {
		if !isASCII(label) {
			labels[i] = "xn--" + punycode([]rune(label))
		}
	}
	return strings.Join(labels, ".")
}

func fromIDN(host string) string {
	labels := strings.Split(host, ".")
	for i, label := range labels {
		if code, ok := strings.CutPrefix(label, "xn--"); ok {
			if decoded, ok := fromPunycode(code); ok {
				labels[i] = decoded
			}
		}
	}
	return strings.Join(labels, ".")
}

const punycodeDigits = "abcdefghijklmnopqrstuvwxyz0123456789"

// thresholdOf returns the threshold of digit number k/36 under a bias.
func thresholdOf(k, bias int) int { return min(max(k-bias, 1), 26) }

// adapt returns the next bias.
func adapt(delta, points int, first bool) int {
	if first {
		delta /= 700
	} else {
		delta /= 2
	}
	delta += delta / points
	k := 0
	for ; delta > 35*26/2; k += 36 {
		delta /= 35
	}
	return k + 36*delta/(delta+38)
}

func punycode(label []rune) string {
	var out []byte
	for _, r := range label {
		if r < utf8.RuneSelf {
			out = append(out, byte(r))
		}
	}
	basic := len(out)
	if basic > 0 {
		out = append(out, '-')
	}
	n, delta, bias := rune(utf8.RuneSelf), 0, 72
	for done := basic; done < len(label); n++ {
		next := rune(utf8.MaxRune)
		for _, r := range label {
			if r >= n && r < next {
				next = r
			}
		}
		delta += int(next-n) * (done + 1)
		n = next
		for _, r := range label {
			if r < n {
				delta++
			}
			if r != n {
				continue
			}
			q := delta
			for k := 36; ; k += 36 {
				t := thresholdOf(k, bias)
				if q < t {
					break
				}
				out = append(out, punycodeDigits[t+(q-t)%(36-t)])
				q = (q - t) / (36 - t)
			}
			out = append(out, punycodeDigits[q])
			bias, delta, done = adapt(delta, done+1, done == basic), 0, done+1
		}
		delta++
	}
	return string(out)
}

func fromPunycode(code string) (string, bool) {
	const mostLabel = 63 // bytes of a label
	if len(code) > mostLabel || !isASCII(code) {
		return "", false
	}
	cut := max(0, strings.LastIndexByte(code, '-'))
	out := []rune(code[:cut])
	digits := strings.TrimPrefix(code[cut:], "-")
	n, i, bias := utf8.RuneSelf, 0, 72
	for len(digits) > 0 {
		before, weight := i, 1
		for k := 36; ; k += 36 {
			if digits == "" {
				return "", false
			}
			digit := strings.IndexByte(punycodeDigits, digits[0]|0x20)
			if '0' <= digits[0] && digits[0] <= '9' {
				digit = strings.IndexByte(punycodeDigits, digits[0])
			}
			digits = digits[1:]
			if digit < 0 || i > 1<<26 || weight > 1<<26 {
				return "", false
			}
			i += digit * weight
			t := thresholdOf(k, bias)
			if digit < t {
				break
			}
			weight *= 36 - t
		}
		points := len(out) + 1
		bias = adapt(i-before, points, before == 0)
		n, i = n+i/points, i%points
		if n > utf8.MaxRune {
			return "", false
		}
		out = append(out[:i], append([]rune{rune(n)}, out[i:]...)...)
		i++
	}
	return string(out), true
}
