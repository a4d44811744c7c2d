package gen

import (
	"strings"

	"github.com/chargecast/chargecast/rules"
)

// PayloadTexts draws texts that are payloads, or nearly so.
func PayloadTexts(r Chooser) string { return r.literal(Chooser.payloadText) }

func (r Chooser) payloadText() string {
	text := string(payloadOf(r, 3, 1).Write().Text)
	for range Pick(r, 0, 1, 1, 2, 4) {
		text = r.torn(text)
	}
	return text
}

// torn is a text with something in it, or left out of it, that does not belong.
func (r Chooser) torn(s string) string {
	at := r.Below(len(s) + 1)
	cut := min(at+r.In(0, 3), len(s))
	bad := Pick(r, `"`, `""`, `";"`, ";", "\n", "\r\n", "\r", "\n\n", "\x00", "\xff", "\xef\xbb\xbf", ",", "\t", `\"`, " ", "#\n", "\x1a", "\u202e", "'", "=", "\n;\n", `"x"`)
	switch r.weigh(40, 20, 20, 5, 5, 5, 5) {
	case 0:
		return s[:at] + bad + s[at:]
	case 1:
		return s[:at] + s[cut:]
	case 2:
		return s[:at] + bad + s[cut:]
	case 3:
		return s[:at]
	case 4:
		return s[at:]
	case 5:
		return strings.ReplaceAll(s, Pick(r, ";", `"`, "\n", "SRC", "a"), bad)
	}
	return s + s[at:]
}

// RoughPayloads draws payloads whose free text holds whatever text can hold: line
// ends of both kinds, quotes, separators, spaces around it. It warns at most.
func RoughPayloads(r Chooser) PayloadCase {
	c := payloadOf(r, 3, 0)
	for i := range c.Rows {
		row := &c.Rows[i].Clean
		for _, column := range [...]rules.Column{rules.ColumnOrderID, rules.ColumnCardPrintedName, rules.ColumnCity, rules.ColumnAddress1, rules.ColumnFirstName, rules.ColumnLastName, rules.ColumnOrderDesc, rules.ColumnPurpose} {
			if row[column] != "" && r.Chance(60) {
				row[column] = "x" + r.rough() + "x" + r.rough()
			}
		}
	}
	return c
}

func (r Chooser) rough() string {
	var b strings.Builder
	for range r.times(0, 5) {
		b.WriteString(Pick(r, `"`, `""`, ";", "\r\n", "\n", "\r", "\r\r\n", "\t", " ", "\u00a0", "\ufeff", "\x7f", "\x1b[2J", "\u2028", "é", "\U0001f4a9", "\ufffd", "a", `";"`, "\n\"", "sep=;", "'"))
	}
	return b.String()
}
