// Package cardtext finds and masks what could be a card number in a text.
package cardtext

import (
	"strings"
	"unicode/utf8"
)

// Cover replaces a digit that is not shown.
const Cover = '*'

// fewest is the least number of digits of a card number.
const fewest = 12

// Mask returns a text in which each run of 12 and more digits, with single spaces or dashes between
// them or not, shows at most its first 6 and last 4. Masking twice is the same as once.
func Mask(text string) string {
	var b []byte
	for i := 0; i+fewest <= len(text); {
		if !isDigit(text[i]) {
			i++
			continue
		}
		end, digits := runOf(text, i)
		if digits >= fewest {
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
	for i := 0; i+fewest <= len(text); {
		if !isDigit(text[i]) {
			i++
			continue
		}
		end, digits := runOf(text, i)
		if digits >= fewest {
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

// separators are what may be between the digits of a card number, at most two of them: spaces and hyphens of several
// widths, tabs, and points, slashes and underscores, between groups of at most six digits and with one digit more in all,
// since addresses, dates and amounts have them too.
const (
	separators = " \t\u00a0\u2007\u2009\u202f-\u2010\u2011\u2012\u2013"
	rare       = "./_"
)

const (
	// longestGroup is how many digits are together in a card number that is written in groups.
	longestGroup = 6
	// longestOdd is the most digits of a run with rare separators, so that a long text is not read again from each of its
	// groups.
	longestOdd = 40
)

// runOf returns the end of the run of digits that begins at i, separators included, and the number of its digits.
func runOf(text string, i int) (end, digits int) {
	end, digits, longest, odd := run(text, i, separators+rare)
	if odd && (digits <= fewest || longest > longestGroup) {
		end, digits, _, _ = run(text, i, separators)
	}
	return end, digits
}

// run is runOf for given separators. longest is the length of the longest group, and odd reports a rare separator.
func run(text string, i int, separators string) (end, digits, longest int, odd bool) {
	group := 0
	for end = i; end < len(text); {
		if isDigit(text[end]) {
			end++
			digits++
			group++
			longest = max(longest, group)
			if odd && longest > longestGroup {
				return end, digits, longest, odd // runOf drops such a run
			}
			continue
		}
		if odd && digits >= longestOdd {
			break
		}
		next, isOdd := end, false
		for range 2 {
			r, size := utf8.DecodeRuneInString(text[next:])
			if size == 0 || !strings.ContainsRune(separators, r) {
				break
			}
			isOdd = isOdd || strings.ContainsRune(rare, r)
			next += size
		}
		if next == end || next == len(text) || !isDigit(text[next]) {
			break
		}
		end, group, odd = next, 0, odd || isOdd
	}
	return end, digits, longest, odd
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
