package rules

import (
	"strings"
	"unicode/utf8"
)

// cardMarks are what may be between groups of digits in a card number: spaces and hyphens of several
// widths.
const cardMarks = " \u00a0\u2007\u2009\u202f-\u2010\u2011\u2012\u2013"

// card removes the marks between groups of a card number if the digits end in their check digit, and
// refuses digits with such marks otherwise.
func (m *mending) card() {
	if cardHelp(m.text) != "" {
		m.refused = refuseCard
		return
	}
	if strings.Trim(m.text, "0123456789"+cardMarks) != "" || strings.Trim(m.text, "0123456789") == "" || strings.Trim(m.text, cardMarks) == "" {
		return // digits alone, or more than digits and marks
	}
	if digits := groupedCard(m.text); digits != "" {
		m.change(digits, fixCardGroups)
	} else {
		m.refused = fixCardGroups
	}
}

// groupedCard returns the digits of a card number in groups with one kind of mark between them; empty
// where they may be another number, or more than one.
func groupedCard(s string) string {
	at := strings.IndexAny(s, cardMarks)
	_, size := utf8.DecodeRuneInString(s[at:])
	groups := strings.Split(s, s[at:at+size])
	last := len(groups) - 1
	for i, g := range groups {
		const shortest, longest = 3, 6
		if !digitsOnly(g) || len(g) > longest || len(g) < shortest && i < last {
			return ""
		}
	}
	digits := strings.Join(groups, "")
	if !isWholeCard(digits, fewestDigits) || len(digits) > columns[ColumnCardNumber].Max || mayHaveCode(groups) {
		return ""
	}
	return digits
}

// fewestDigits is how many digits a card number has at least. In front of a last group that is not
// as long as most security codes it has two more: else one in ten numbers in groups of four, whose
// first twelve digits happen to end in their check digit, would be refused.
const fewestDigits, fewestBeforeGroup = 12, 14

// mayHaveCode reports whether the first or the last group may be a security code beside a card number
// that is whole without it.
func mayHaveCode(groups []string) bool {
	const code = 3 // digits
	last := len(groups) - 1
	before, after := strings.Join(groups[:last], ""), strings.Join(groups[1:], "")
	switch {
	case len(groups[0]) == code && isWholeCard(after, fewestDigits):
		return true
	case len(groups[last]) == code && isWholeCard(before, fewestDigits):
		return true
	}
	return isWholeCard(before, fewestBeforeGroup)
}

func isWholeCard(digits string, fewest int) bool { return len(digits) >= fewest && checkDigit(digits) }
