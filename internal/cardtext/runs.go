// Package cardtext finds and masks what could be a card number in a text.
package cardtext

// Cover stands for a digit that is not shown.
const Cover = '*'

// Fewest is how many digits a card number has at least. A run of as many could be one.
const Fewest = 12

// Mask returns a text in which each run of 12 and more digits, with single spaces or dashes between
// them or not, shows at most its first 6 and last 4. Masking twice is the same as once.
func Mask(text string) string {
	var b []byte
	for i := 0; i+Fewest <= len(text); {
		if !isDigit(text[i]) {
			i++
			continue
		}
		end, digits := runOf(text, i)
		if digits >= Fewest {
			if b == nil {
				b = []byte(text)
			}
			coverRun(b[i:end], digits)
		}
		i = end
	}
	if b == nil {
		return text
	}
	return string(b)
}

// holds reports whether Mask changes a text.
func holds(text string) bool {
	for i := 0; i+Fewest <= len(text); {
		if !isDigit(text[i]) {
			i++
			continue
		}
		end, digits := runOf(text, i)
		if digits >= Fewest {
			return true
		}
		i = end
	}
	return false
}

// Shows reports whether digit i of a card number of n digits may be shown: of fewer than 13 the last
// ones alone, at most half of them.
func Shows(i, n int) bool {
	if n < 13 {
		return i >= n-min(4, n/2)
	}
	return i < 6 || i >= n-4
}

// runOf is the end of the run of digits that begins at i, and how many they are. Single spaces and
// dashes between digits belong to it.
func runOf(text string, i int) (end, digits int) {
	for end = i; end < len(text); end++ {
		switch c := text[end]; {
		case isDigit(c):
			digits++
		case digits > 0 && (c == ' ' || c == '-') && end+1 < len(text) && isDigit(text[end+1]):
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
			if !Shows(k, digits) {
				run[i] = Cover
			}
			k++
		}
	}
}

func isDigit(c byte) bool { return c-'0' < 10 }
