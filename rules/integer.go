package rules

import (
	"strings"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
)

// integer judges and types interval and max-repeats-number (L56b).
func (r *Reader) integer(col Column, s string) {
	n, padded, c := integerOf(col, s)
	if padded {
		r.on(LeadingZero, col)
	}
	switch {
	case c != "":
		r.refuse(c, col).adviseIf(integerHelp(c, s))
	case col == ColumnMaxRepeatsNumber:
		r.rec.MaxRepeats = engine.AtMost(n)
	default:
		r.rec.Interval = intervalOf(n)
	}
}

// integerHelp is the remedy for a number with a mark in it; empty for others.
func integerHelp(c ledger.Code, s string) string {
	if c == IntegerSyntax && isDigit(s[0]) && strings.ContainsAny(s, ".,") {
		return "write a whole number: no decimals and no mark between thousands"
	}
	return ""
}

// integerOf reads a whole number for a column; the code is why it cannot be used, zero
// where it can. padded reports needless zeros before it.
func integerOf(col Column, s string) (n uint64, padded bool, c ledger.Code) {
	if n, ok := numberOf(s, 1, 9); ok && s[0] != '0' {
		return uint64(n), false, "" // nearly every one
	}
	digits, negative := strings.CutPrefix(s, "-")
	switch {
	case !digitsOnly(digits):
		return 0, false, IntegerSyntax
	case negative && col == ColumnInterval:
		return 0, false, IntervalValue
	case negative:
		return 0, false, MaxNegative
	}
	significant := strings.TrimLeft(digits, "0")
	padded = len(significant) < len(digits) && len(digits) > 1
	n, ok := naturalOf(significant)
	switch {
	case !ok:
		return 0, padded, IntegerRange
	case n == 0 && col == ColumnInterval:
		return 0, padded, IntervalValue
	}
	return n, padded, ""
}

// intervalOf is n as an interval. Any beyond the calendar means the same: one charge,
// then its end.
func intervalOf(n uint64) int { return int(min(n, uint64(^uint(0)>>1))) }

// naturalOf reads digits up to the largest signed 64-bit number; no digit is 0.
func naturalOf(digits string) (uint64, bool) {
	const largest = "9223372036854775807"
	if len(digits) > len(largest) || len(digits) == len(largest) && digits > largest {
		return 0, false
	}
	var n uint64
	for i := range len(digits) {
		n = 10*n + uint64(digits[i]-'0')
	}
	return n, true
}
