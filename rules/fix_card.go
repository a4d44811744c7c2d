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
// where they may be another number, or more than one. A security code behind the card number could
// be taken for its last group.
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
	const fewest, fewestBeforeCode = 12, 14
	digits, before := strings.Join(groups, ""), strings.Join(groups[:last], "")
	switch {
	case len(digits) < fewest || len(digits) > columns[ColumnCardNumber].Max || !checkDigit(digits):
		return ""
	case len(before) >= fewestBeforeCode && checkDigit(before):
		return ""
	}
	return digits
}
