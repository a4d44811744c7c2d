package capture

import "strings"

// BaseAround returns the bytes around a place of a base string, masked as by [MaskedBase].
func BaseAround(text string, at int) string {
	const before, after = 24, 24
	start, end := max(0, at-before), min(len(text), at+after)
	if start >= end {
		return ""
	}
	shown := MaskedBase(text, at)[start:end]
	if start > 0 {
		shown = "…" + shown
	}
	if end < len(text) {
		shown += "…"
	}
	return shown
}

// MaskedBase returns a base string as it may be shown. Values of the body hold card numbers: there
// letters and digits are x, but for escapes and the byte at keep; -1 keeps none.
func MaskedBase(text string, keep int) string {
	hidden := hiddenIn(text)
	out := []byte(text)
	for i := range out {
		if !hidden[i] || i == keep || isEscape(text, i) {
			continue
		}
		if c := out[i] | 0x20; 'a' <= c && c <= 'z' || '0' <= out[i] && out[i] <= '9' {
			out[i] = 'x'
		}
	}
	return string(out)
}

// hiddenIn says which bytes of a base string are not shown: the values of all parameters but those
// of OAuth, and everything where the text has no form that is known.
func hiddenIn(text string) []bool {
	hidden := make([]bool, len(text))
	elements := strings.SplitN(text, "&", 3)
	if len(elements) < 3 {
		for i := range hidden {
			hidden[i] = true
		}
		return hidden
	}
	third := elements[2]
	separator, sign := "&", "="
	if strings.Contains(third, "%3D") { // as it should be
		separator, sign = "%26", "%3D"
	}
	at := len(text) - len(third)
	for segment := range strings.SplitSeq(third, separator) {
		name, _, found := strings.Cut(segment, sign)
		if !strings.HasPrefix(name, "oauth_") {
			value := at
			if found {
				value += len(name) + len(sign)
			}
			for i := value; i < at+len(segment); i++ {
				hidden[i] = true
			}
		}
		at += len(segment) + len(separator)
	}
	return hidden
}

// isEscape reports whether a byte is part of %XX or %25XX.
func isEscape(text string, at int) bool {
	start := max(0, at-len("%25X"))
	i := strings.LastIndexByte(text[start:at+1], '%')
	return i >= 0 && (at-start-i < 3 || strings.HasPrefix(text[start+i:], "%25"))
}
