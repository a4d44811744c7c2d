package rules

// Mask returns a value of column c as it may be shown: a card number with at most its first
// 6 and last 4 digits (at most half of them, the last ones, when it has fewer than 13);
// cvv2, ssn, e-mail, phone, birthday and names not at all, not even their length; in any
// other column a run of 12 and more digits, with single spaces or dashes between them
// or not, like a card number. Masking twice is the same as once. The zero Column is
// for text of no known column, masked like free text.
func Mask(c Column, s string) string {
	switch c.Spec().privacy {
	case masked:
		if s == "" {
			return ""
		}
		return hidden
	case edges:
		return maskCard(s)
	}
	return maskRuns(s)
}

const (
	hidden = "***"
	cover  = '*'
)

// maskCard masks a whole value: anything but digits (and what an earlier masking left)
// hides it altogether.
func maskCard(s string) string {
	b := []byte(s)
	for i, d := range b {
		if !isDigit(d) && d != cover {
			return hidden
		}
		if !shown(i, len(b)) {
			b[i] = cover
		}
	}
	return string(b)
}

// shown reports whether digit i of a card number of n digits may be seen.
func shown(i, n int) bool {
	if n < 13 {
		return i >= n-min(4, n/2)
	}
	return i < 6 || i >= n-4
}

// maskRuns masks the digits of every long run in free text.
func maskRuns(s string) string {
	var b []byte
	for i := 0; i < len(s); {
		end, digits := runOf(s, i)
		if digits >= 12 {
			if b == nil {
				b = []byte(s)
			}
			coverRun(b[i:end], digits)
		}
		i = max(i+1, end)
	}
	if b == nil {
		return s
	}
	return string(b)
}

// runOf is the end of the run of digits that begins at i, and how many they are. Single
// spaces and dashes between digits belong to it.
func runOf(s string, i int) (end, digits int) {
	for end = i; end < len(s); end++ {
		switch c := s[end]; {
		case isDigit(c):
			digits++
		case digits > 0 && (c == ' ' || c == '-') && end+1 < len(s) && isDigit(s[end+1]):
		default:
			return end, digits
		}
	}
	return end, digits
}

// coverRun covers the digits of a run.
func coverRun(run []byte, digits int) {
	k := 0
	for i, c := range run {
		if isDigit(c) {
			if !shown(k, digits) {
				run[i] = cover
			}
			k++
		}
	}
}

func isDigit(c byte) bool { return c-'0' < 10 }
