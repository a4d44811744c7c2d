package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/chargecast/chargecast/internal/exportform"
	"github.com/chargecast/chargecast/rules"
)

// usualLetters notes whether all letters beyond ASCII of a text are usual in German, French and Spanish.
type usualLetters struct {
	ok   bool
	rest []byte
}

func (u *usualLetters) of(r io.Reader) io.Reader { return io.TeeReader(r, u) }

// Write looks at a piece of a text.
func (u *usualLetters) Write(p []byte) (int, error) {
	text := append(u.rest, p...)
	for len(text) > 0 && utf8.FullRune(text) {
		r, size := utf8.DecodeRune(text)
		u.ok = u.ok && (r < utf8.RuneSelf || strings.ContainsRune("äöüÄÖÜß€éèêàáç§°–—’‘“”„…\u00a0", r))
		text = text[size:]
	}
	u.rest = append(u.rest[:0], text...)
	return len(p), nil
}

// onlySent reports whether a column matters only where a payload is sent, not where it is forecast.
func onlySent(c rules.Column) bool {
	switch c {
	case rules.ColumnCardType, rules.ColumnOrderID, rules.ColumnInterval, rules.ColumnAmount, rules.ColumnCurrency, rules.ColumnPeriod:
		return false
	}
	return true
}

// writeDraft writes a map with all that is decided, and a line for each thing that is not.
func (f *fix) writeDraft(seen rules.Fixed, encoding string) error {
	if err := os.WriteFile(f.draft, newDraft(f, seen, encoding).b, 0o600); err != nil {
		return internal("--draft: "+quoted(f.draft)+" cannot be written: "+reason(err), "give the name of another file")
	}
	return nil
}

// A draft is the text of a map.
type draft struct {
	b       []byte
	asked   bool // a line has something to decide
	decides bool // one of them decides what was refused
}

func (d *draft) line(format string, args ...any) {
	d.b = append(fmt.Appendf(d.b, format, args...), '\n')
}

// onlyOf returns the one of two forms that values have, or nothing where some have the one and some the other.
func onlyOf(m int, a fmt.Stringer, n int, b fmt.Stringer) string {
	switch {
	case m > 0 && n == 0:
		return a.String()
	case n > 0 && m == 0:
		return b.String()
	}
	return ""
}

// ask adds a line for the user to decide, with ? where there is no suggestion.
func (d *draft) ask(key, suggestion string) {
	if suggestion == "" {
		suggestion = "?"
	}
	d.line("%s = %s", key, suggestion)
	d.asked = true
}

// mapText is a name or a value as a map has it.
func mapText(s string) string {
	if s != "" && s != "?" && s != "-" && !strings.ContainsAny(s, "\"#=:*") && s == strings.TrimSpace(s) {
		return s
	}
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
}

func newDraft(f *fix, seen rules.Fixed, encoding string) *draft {
	d := &draft{}
	d.line("# A map for chargecast payload fix --map: put a decision in the place of each ?.")
	d.line("# column NAME = - removes a column.")
	d.settings(f, seen, encoding)
	d.columns(f, seen)
	d.values(f, seen)
	d.decides = d.asked || f.lacksCurrency(seen)
	d.sets(f, seen)
	return d
}

// settings are the lines about the whole file.
func (d *draft) settings(f *fix, seen rules.Fixed, encoding string) {
	given := &f.decisions
	switch {
	case given.encoding.name != "":
		d.line("encoding = %s", given.encoding.name)
	case seen.Encoding:
		d.line("# the text is not UTF-8; it was looked at as windows-1252")
		d.ask("encoding", encoding)
	}
	var dates, amounts rules.FixedColumn
	short := false
	for _, c := range seen.Columns {
		switch column := columnSeen(c); {
		case isDate(column):
			dates.DayFirst += c.DayFirst
			dates.MonthFirst += c.MonthFirst
			dates.EitherOrder += c.EitherOrder
			dates.ShortYears += c.ShortYears
			dates.Undecided += c.Undecided
			short = short || column == rules.ColumnBirthday && c.ShortYears > 0
		case column != 0:
			amounts.Comma += c.Comma
			amounts.Point += c.Point
			amounts.EitherMark += c.EitherMark
			amounts.Undecided += c.Undecided
		}
	}
	switch {
	case given.forms.Dates != 0:
		d.line("dates = %s", given.forms.Dates)
	case dates.Undecided > 0 && dates.EitherOrder+dates.DayFirst+dates.MonthFirst > 0:
		d.line("# %s can be read as mdy only, %d as dmy only, %d as both", counted(strconv.Itoa(dates.MonthFirst), "date"), dates.DayFirst, dates.EitherOrder)
		d.ask("dates", onlyOf(dates.MonthFirst, exportform.MonthFirst, dates.DayFirst, exportform.DayFirst))
	}
	switch {
	case given.forms.Century != 0:
		d.line("century = %s", given.forms.Century)
	case dates.ShortYears > 0 && short:
		d.line("# %s of two digits, in birthday too", counted(strconv.Itoa(dates.ShortYears), "year"))
		d.ask("century", "")
	case dates.ShortYears > 0:
		d.line("# %s of two digits", counted(strconv.Itoa(dates.ShortYears), "year"))
		d.ask("century", "20")
	}
	switch {
	case given.forms.Decimal != 0:
		d.line("decimal = %s", given.forms.Decimal)
	case amounts.Undecided > 0:
		d.line("# %s can be read with a decimal comma only, %d with a point only, %d with both", counted(strconv.Itoa(amounts.Comma), "amount"), amounts.Point, amounts.EitherMark)
		d.ask("decimal", onlyOf(amounts.Comma, exportform.Comma, amounts.Point, exportform.Point))
	}
	if given.dropUnknown {
		d.line("unknown-columns = drop")
	}
	empty := slices.IndexFunc(f.sums, func(s *changeSum) bool { return s.Code == "row-empty" && s.Refused })
	switch {
	case given.dropEmpty:
		d.line("empty-rows = drop")
	case empty >= 0:
		d.line("# %s without a value", counted(strconv.Itoa(f.sums[empty].n), "row"))
		d.ask("empty-rows", "drop")
	}
}

// columnSeen is the column as whose values those of a column were looked at.
func columnSeen(c rules.FixedColumn) rules.Column {
	if c.Column != 0 {
		return c.Column
	}
	return c.Near
}

func isDate(c rules.Column) bool {
	return c == rules.ColumnStartDate || c == rules.ColumnFinishDate || c == rules.ColumnBirthday
}

// columns are the lines about names in the header.
func (d *draft) columns(f *fix, seen rules.Fixed) {
	for _, c := range f.decisions.columns {
		target := c.column.String()
		if c.column == 0 {
			target = "-"
		}
		if c.expiry {
			target = bothExpiry
		}
		d.line("column %s = %s", mapText(c.name), target)
	}
	var suggested []rules.Column
	for _, c := range seen.Columns {
		if !c.Refused {
			continue
		}
		what := "no near name"
		target := ""
		switch {
		case c.Code == "column-ambiguous":
			what = "one of several columns that can be the same"
		case c.Near != 0 && !slices.Contains(suggested, c.Near):
			what, target = "perhaps "+c.Near.String(), c.Near.String()
			suggested = append(suggested, c.Near)
		case c.Near != 0:
			what = "perhaps " + c.Near.String() + ", like another"
		case takenBy(seen, c):
			what = "its column is there already"
		}
		numbers := counted(strconv.Itoa(c.Values), "value")
		switch {
		case c.Digits > 0 && c.Digits == c.Values && c.Least == c.Most:
			numbers += ", " + counted(strconv.Itoa(c.Most), "digit")
		case c.Digits > 0 && c.Digits == c.Values:
			numbers += fmt.Sprintf(", %d to %d digits", c.Least, c.Most)
		}
		if c.Name == "" {
			d.line("# column %d, whose name may be a value and is not shown: %s; %s; name it in the file", c.Number, what, numbers)
			continue
		}
		d.line("# column %s: %s; %s", quoted(c.Name), what, numbers)
		d.ask("column "+mapText(c.Name), target)
	}
}

// takenBy reports whether the name of a column is an alias of a column that the header has.
func takenBy(seen rules.Fixed, c rules.FixedColumn) bool {
	for alias, column := range rules.Aliases() {
		if strings.EqualFold(alias, c.Name) && slices.ContainsFunc(seen.Columns, func(o rules.FixedColumn) bool { return o.Column == column }) {
			return true
		}
	}
	return false
}

// values are the lines about values.
func (d *draft) values(f *fix, seen rules.Fixed) {
	for _, v := range f.decisions.values {
		target := mapText(v.value.Text)
		if v.value.Times > 1 {
			target = v.value.Text + "*" + strconv.Itoa(v.value.Times)
		}
		d.line("value %s : %s = %s", v.column, mapText(v.source), target)
	}
	for _, c := range seen.Columns {
		column := columnSeen(c)
		for _, w := range c.Words {
			d.line("# %s", counted(strconv.Itoa(w.Rows), "row"))
			d.ask("value "+column.String()+" : "+mapText(w.Text), w.Likely)
		}
		if c.OtherWords > 0 {
			d.line("# %s: %s with other values, which are not shown", column, counted(strconv.Itoa(c.OtherWords), "row"))
		}
	}
}

// sets are the lines about values of empty cells, and columns that are missing.
func (d *draft) sets(f *fix, seen rules.Fixed) {
	for _, s := range f.decisions.sets {
		d.line("set %s = %s", s.column, mapText(s.text))
	}
	for _, column := range seen.Missing {
		if slices.ContainsFunc(seen.Columns, func(c rules.FixedColumn) bool { return c.Near == column }) {
			continue // a line above suggests it
		}
		switch column {
		case rules.ColumnCardType:
			d.line("# there is no column %s: SRC charges the sender's card, DST pays to the receiver's", column)
			d.ask("set "+column.String(), "SRC")
		case rules.ColumnCardNumber:
			d.line("# there is no column %s: the rows can be forecast, not sent", column)
		case rules.ColumnOrderID:
			d.line("# there is no column %s: name the one that has a key for each row above", column)
		case rules.ColumnInterval:
			d.line("# there is no column %s", column)
			d.ask("set "+column.String(), "1")
		case rules.ColumnAmount, rules.ColumnCurrency, rules.ColumnPeriod:
			d.line("# there is no column %s", column)
			d.ask("set "+column.String(), "")
		default:
			d.line("# there is no column %s; only sending needs it: delete this line to forecast", column)
			d.ask("set "+column.String(), "")
		}
	}
}
