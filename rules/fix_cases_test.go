package rules_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/rules"
)

// A FixCase is a payload without fault, and damages that a fixer knows, as the text that they
// leave.
type FixCase struct {
	Clean gen.PayloadCase
	Names []string    // the header as damaged
	Rows  []gen.Cells // the values as damaged
	Sep   byte
	Hint  bool // a line sep= before the header
	Mark  bool // a byte-order mark
	Code  fixCode
	Marks fixMarks
}

// fixCode is the encoding of a damaged text.
type fixCode uint8

// The encodings.
const (
	fixUTF8 fixCode = iota
	fixUTF16LE
	fixUTF16BE
)

// fixMarks are the quotes around the values of a damaged text, where a value allows them.
type fixMarks uint8

// The quotes.
const (
	fixStraight fixMarks = iota
	fixBare
	fixCurly
	fixCareless // none around amounts, whatever is in them
)

// FixCases draws payloads with damages, and some without any.
func FixCases(r gen.Chooser) FixCase {
	c := FixCase{Clean: gen.PayloadOf(r, 4, 0), Sep: ';'}
	c.Clean.Mark, c.Clean.Bare = false, false
	c.Names = c.Clean.Names()
	for i := range c.Clean.Rows {
		row := &c.Clean.Rows[i].Clean
		for column, value := range row {
			if value != "" {
				row[column] = withoutMargins(value)
			}
		}
		c.Rows = append(c.Rows, *row)
	}
	if !r.Chance(85) {
		return c
	}
	c.Sep = gen.Pick(r, byte(';'), ';', ',', '\t')
	c.Hint, c.Mark = r.Chance(10), r.Chance(20)
	c.Marks = gen.Pick(r, fixStraight, fixStraight, fixBare, fixCurly, fixCareless)
	c.Code = gen.Pick(r, fixUTF8, fixUTF8, fixUTF8, fixUTF16LE, fixUTF16BE)
	c.Mark = c.Mark || c.Code != fixUTF8 // without it UTF-16 is not known
	for f := range c.Names {
		if r.Chance(25) {
			c.Names[f] = damagedName(r, c.Names[f])
		}
	}
	for i := range c.Rows {
		for column := rules.ColumnCardType; column <= rules.ColumnServerCallbackURL; column++ {
			if c.Rows[i][column] != "" && r.Chance(25) {
				c.Rows[i][column] = damagedValue(r, column, c.Rows[i][column], c.Rows[i][rules.ColumnCountry])
			}
		}
	}
	return c
}

// withoutMargins is a text without what a spreadsheet puts around it: white space, characters that cannot be seen and
// an apostrophe.
func withoutMargins(s string) string {
	unseen := func(r rune) bool { return unicode.IsSpace(r) || unicode.In(r, unicode.Cc, unicode.Cf) }
	for before := ""; before != s; {
		before = s
		s = strings.TrimLeft(strings.TrimFunc(s, unseen), "'")
	}
	return cmp.Or(s, "a")
}

// damagedName is a column's name as an export may write it.
func damagedName(r gen.Chooser, name string) string {
	for range r.Times(1, 2) {
		switch r.Below(5) {
		case 0:
			name = strings.ToUpper(name)
		case 1:
			name = strings.NewReplacer("-", "_", "_", " ").Replace(name)
		case 2:
			name = strings.NewReplacer("-", "", "_", "").Replace(name)
		case 3:
			name = " " + name
		default:
			at := r.Below(len(name))
			return name[:at] + gen.Pick(r, "", name[at:at+1]+"x", "x") + name[at+1:]
		}
	}
	return name
}

// damagedValue is a value as an export may write it.
func damagedValue(r gen.Chooser, column rules.Column, s, country string) string {
	switch column {
	case rules.ColumnCardType, rules.ColumnCurrency, rules.ColumnCountry:
		s = gen.Pick(r, strings.ToLower(s), s[:1]+strings.ToLower(s[1:]))
	case rules.ColumnPeriod:
		s = gen.Pick(r, strings.ToUpper(s), unitWords[s][0], unitWords[s][1])
	case rules.ColumnInterval, rules.ColumnMaxRepeatsNumber:
		s = gen.Pick(r, s+".0", s+",00", "'"+s)
	case rules.ColumnState:
		if slices.Contains([]string{"us", "ca", "au"}, strings.ToLower(country)) { // their codes are known
			s = strings.ToLower(s)
		}
	case rules.ColumnCardNumber:
		s = gen.Pick(r, "'"+s, " "+s, `="`+s+`"`, inGroups(s, " "), inGroups(s, "-"), inGroups(s, "."))
	case rules.ColumnExpireMonth:
		s = strings.TrimPrefix(s, "0")
	case rules.ColumnExpireYear:
		s = strings.TrimPrefix(s, "20")
	case rules.ColumnAmountSequence:
		s = strings.ReplaceAll(s, ".", ",")
	case rules.ColumnAmount, rules.ColumnAmountFrom, rules.ColumnAmountTo:
		s = gen.Pick(r, strings.ReplaceAll(s, ".", ","), grouped(s, ",", "."), grouped(s, ".", ","))
	case rules.ColumnStartDate, rules.ColumnFinishDate, rules.ColumnBirthday:
		day, month, year := s[:2], s[3:5], s[6:]
		short := strings.TrimPrefix(day, "0") + "." + strings.TrimPrefix(month, "0") + "." + year
		s = gen.Pick(r, year+"-"+month+"-"+day, year+"/"+month+"/"+day, short, day+"/"+month+"/"+year, month+"/"+day+"/"+year, strings.ReplaceAll(short, ".", "-"))
		if r.Chance(20) {
			s += gen.Pick(r, " 00:00:00", " 0:00", " 12:00:00 AM")
		}
	}
	if r.Chance(30) {
		s = gen.Pick(r, " "+s, s+" ", "  "+s+"\u00a0", "\u200b"+s, s+"\t", "\ufeff"+s+"\u200e", `="`+strings.ReplaceAll(s, `"`, `""`)+`"`)
	}
	return s
}

// unitWords are words for the periods in English and German.
var unitWords = map[string][2]string{"day": {"Daily", "täglich"}, "week": {"Weekly", "wöchentlich"}, "month": {"monthly", "Monat"}}

// inGroups is a card number with a mark behind each four digits. One with a wrong check digit stays as it is: which of its
// digits belong to it is not certain.
func inGroups(s, mark string) string {
	var groups []string
	for group := range slices.Chunk([]byte(s), 4) {
		groups = append(groups, string(group))
	}
	return strings.Join(groups, mark)
}

// grouped is an amount with one mark between its thousands and another before its decimals. Without
// decimals it stays as it is: 1.234 would be another amount.
func grouped(s, thousands, decimals string) string {
	whole, part, ok := strings.Cut(s, ".")
	if !ok {
		return s
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + thousands + whole[i:]
	}
	return whole + decimals + part
}

// InUTF16 is a text in UTF-16.
func InUTF16(s string, big bool) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		if big {
			b = append(b, byte(u>>8), byte(u))
		} else {
			b = append(b, byte(u), byte(u>>8))
		}
	}
	return b
}

// line is a row as it is written.
func (c FixCase) line(values []string, columns []rules.Column) string {
	var cells []string
	for i, v := range values {
		amounts := columns != nil && rules.ColumnAmount <= columns[i] && columns[i] <= rules.ColumnAmountSequence
		plain := !strings.ContainsAny(v, "\";\r\n\t,“”")
		switch {
		case c.Marks == fixBare && plain, c.Marks == fixCareless && amounts && !strings.ContainsAny(v, "\"\t"):
		case c.Marks == fixCurly && plain && v != "":
			v = "“" + v + "”"
		default:
			v = `"` + strings.ReplaceAll(v, `"`, `""`) + `"`
		}
		cells = append(cells, v)
	}
	return strings.Join(cells, string(rune(c.Sep)))
}

// text is the damaged payload before it is encoded.
func (c FixCase) text() string {
	var b strings.Builder
	if c.Mark {
		b.WriteString("\ufeff")
	}
	if c.Hint {
		b.WriteString("sep=" + string(rune(c.Sep)) + "\n")
	}
	b.WriteString(c.line(c.Names, nil))
	for i, row := range c.Rows {
		b.WriteString(c.Clean.End(i) + c.line(c.Clean.Values(row), c.Clean.Columns))
	}
	if !c.Clean.Open {
		b.WriteString(c.Clean.End(len(c.Rows)))
	}
	return b.String()
}

// Bytes are the damaged payload.
func (c FixCase) Bytes() []byte {
	switch c.Code {
	case fixUTF16LE:
		return InUTF16(c.text(), false)
	case fixUTF16BE:
		return InUTF16(c.text(), true)
	}
	return []byte(c.text())
}

// String is the case as the text that it is.
func (c FixCase) String() string {
	return fmt.Sprintf("%q\ndamaged: %q, code %d, quotes %d", c.Clean.Write().Text, c.text(), c.Code, c.Marks)
}
