package exportmap

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/internal/exportform"
	"github.com/chargecast/chargecast/internal/termtext"
	"github.com/chargecast/chargecast/rules"
)

// A Question is something that an export leaves open, with the evidence for it.
type Question struct {
	Kind       string   `json:"kind"` // encoding, dates, century, decimal, empty-rows, column, value, set
	Column     string   `json:"column,omitempty"`
	Name       string   `json:"name,omitempty"` // of the column in the file, or the value
	Evidence   string   `json:"evidence"`
	Suggestion string   `json:"suggestion,omitempty"`
	Choices    []string `json:"choices,omitempty"`

	Sending bool `json:"-"` // matters only where the payload is sent, not where it is forecast
}

// A Draft is a map with all that is decided, and a line for each thing that is not.
type Draft struct {
	Text      []byte
	Questions []Question
}

// NewDraft returns the map of an export: what is decided, what was seen of the rest, with a guess
// of the encoding, and what is refused.
func NewDraft(d *Decisions, seen rules.Fixed, encoding string, sums Sums) *Draft {
	out := &Draft{}
	out.line("# A map for chargecast payload fix --map: put a decision in the place of each ?.")
	out.line("# column NAME = - removes a column.")
	out.settings(d, seen, encoding, sums)
	out.columns(d, seen)
	out.values(d, seen)
	out.sets(d, seen)
	return out
}

func (d *Draft) line(format string, args ...any) {
	d.Text = append(fmt.Appendf(d.Text, format, args...), '\n')
}

// ask adds a question under a key of the map, with ? where there is no suggestion.
func (d *Draft) ask(key string, q Question) {
	about := ""
	if q.Kind == "column" {
		about = `column "` + termtext.Visible(q.Name) + `": `
	}
	d.line("# %s%s", about, q.Evidence)
	d.line("%s = %s", key, cmp.Or(q.Suggestion, "?"))
	d.Questions = append(d.Questions, q)
}

// settings are the lines about the whole file.
func (d *Draft) settings(of *Decisions, seen rules.Fixed, encoding string, sums Sums) {
	switch {
	case of.Encoding != "":
		d.line("encoding = %s", of.Encoding)
	case seen.Encoding:
		d.ask("encoding", Question{
			Kind: "encoding", Evidence: "the text is not UTF-8; it was looked at as windows-1252", Suggestion: encoding,
			Choices: []string{"windows-1252", "iso-8859-2", "windows-1250", "utf-16le", "utf-16be", "shift_jis", "macintosh"},
		})
	}
	var dates, amounts rules.FixedColumn
	ofBirthday := false
	for _, c := range seen.Columns {
		switch column := columnSeen(c); column {
		case rules.ColumnStartDate, rules.ColumnFinishDate, rules.ColumnBirthday:
			dates.DayFirst += c.DayFirst
			dates.MonthFirst += c.MonthFirst
			dates.EitherOrder += c.EitherOrder
			dates.ShortYears += c.ShortYears
			dates.Undecided += c.Undecided
			ofBirthday = ofBirthday || column == rules.ColumnBirthday && c.ShortYears > 0
		case 0:
		default:
			amounts.Comma += c.Comma
			amounts.Point += c.Point
			amounts.EitherMark += c.EitherMark
			amounts.Undecided += c.Undecided
		}
	}
	switch {
	case of.Forms.Dates != 0:
		d.line("dates = %s", of.Forms.Dates)
	case dates.Undecided > 0 && dates.EitherOrder+dates.DayFirst+dates.MonthFirst > 0:
		d.ask("dates", Question{
			Kind: "dates", Choices: []string{"dmy", "mdy", "ymd"},
			Evidence:   fmt.Sprintf("%s can be read as mdy only, %d as dmy only, %d as both", counted(dates.MonthFirst, "date"), dates.DayFirst, dates.EitherOrder),
			Suggestion: onlyOf(dates.MonthFirst, exportform.MonthFirst, dates.DayFirst, exportform.DayFirst),
		})
	}
	switch {
	case of.Forms.Century != 0:
		d.line("century = %s", of.Forms.Century)
	case dates.ShortYears > 0:
		q := Question{Kind: "century", Evidence: counted(dates.ShortYears, "year") + " of two digits", Suggestion: "20", Choices: []string{"20", "19"}}
		if ofBirthday {
			q.Evidence, q.Suggestion = q.Evidence+", in birthday too", ""
		}
		d.ask("century", q)
	}
	switch {
	case of.Forms.Decimal != 0:
		d.line("decimal = %s", of.Forms.Decimal)
	case amounts.Undecided > 0:
		d.ask("decimal", Question{
			Kind: "decimal", Choices: []string{"comma", "point"},
			Evidence:   fmt.Sprintf("%s can be read with a decimal comma only, %d with a point only, %d with both", counted(amounts.Comma, "amount"), amounts.Point, amounts.EitherMark),
			Suggestion: onlyOf(amounts.Comma, exportform.Comma, amounts.Point, exportform.Point),
		})
	}
	if of.DropUnknown {
		d.line("unknown-columns = drop")
	}
	empty := slices.IndexFunc(sums, func(s *Sum) bool { return s.Code == "row-empty" && s.Refused })
	switch {
	case of.DropEmpty:
		d.line("empty-rows = drop")
	case empty >= 0:
		d.ask("empty-rows", Question{Kind: "empty-rows", Evidence: counted(sums[empty].Count, "row") + " without a value", Suggestion: "drop", Choices: []string{"drop"}})
	}
}

// onlyOf returns the one of two forms that values have, or nothing where some have the one and some
// the other.
func onlyOf(m int, a fmt.Stringer, n int, b fmt.Stringer) string {
	switch {
	case m > 0 && n == 0:
		return a.String()
	case n > 0 && m == 0:
		return b.String()
	}
	return ""
}

// columnSeen is the column as whose values those of a column were looked at.
func columnSeen(c rules.FixedColumn) rules.Column { return cmp.Or(c.Column, c.Near) }

// columns are the lines about names in the header.
func (d *Draft) columns(of *Decisions, seen rules.Fixed) {
	for _, c := range of.Columns {
		target := c.Column.String()
		if c.Column == 0 {
			target = "-"
		}
		if c.Expiry {
			target = BothExpiry
		}
		d.line("column %s = %s", word(c.Name), target)
	}
	var suggested []rules.Column
	for _, c := range seen.Columns {
		if !c.Refused {
			continue
		}
		what, target := "no near name", ""
		switch {
		case c.Code == "column-ambiguous":
			what = "one of several columns that can be the same"
		case c.Near != 0 && !slices.Contains(suggested, c.Near):
			what, target = "perhaps "+c.Near.String(), c.Near.String()
			suggested = append(suggested, c.Near)
		case c.Near != 0:
			what = "perhaps " + c.Near.String() + ", like another"
		case isTaken(seen, c):
			what = "its column is there already"
		}
		what += "; " + counted(c.Values, "value")
		switch {
		case c.Digits > 0 && c.Digits == c.Values && c.Least == c.Most:
			what += ", " + counted(c.Most, "digit")
		case c.Digits > 0 && c.Digits == c.Values:
			what += fmt.Sprintf(", %d to %d digits", c.Least, c.Most)
		}
		if c.Name == "" {
			d.line("# column %d, whose name may be a value and is not shown: %s; name it in the file", c.Number, what)
			continue
		}
		d.ask("column "+word(c.Name), Question{Kind: "column", Name: c.Name, Evidence: what, Suggestion: target})
	}
}

// isTaken reports whether the name of a column is an alias of a column that the header has.
func isTaken(seen rules.Fixed, c rules.FixedColumn) bool {
	for alias, column := range rules.Aliases() {
		if strings.EqualFold(alias, c.Name) && slices.ContainsFunc(seen.Columns, func(o rules.FixedColumn) bool { return o.Column == column }) {
			return true
		}
	}
	return false
}

// values are the lines about values.
func (d *Draft) values(of *Decisions, seen rules.Fixed) {
	for _, v := range of.Values {
		target := word(v.Value.Text)
		if v.Value.Times > 1 {
			target = v.Value.Text + "*" + strconv.Itoa(v.Value.Times)
		}
		d.line("value %s : %s = %s", v.Column, word(v.Source), target)
	}
	for _, c := range seen.Columns {
		column := columnSeen(c).String()
		for _, w := range c.Words {
			d.ask("value "+column+" : "+word(w.Text), Question{Kind: "value", Column: column, Name: w.Text, Evidence: counted(w.Rows, "row"), Suggestion: w.Likely})
		}
		if c.OtherWords > 0 {
			d.line("# %s: %s with other values, which are not shown", column, counted(c.OtherWords, "row"))
		}
	}
}

// sets are the lines about values of empty cells, and columns that are missing.
func (d *Draft) sets(of *Decisions, seen rules.Fixed) {
	for _, s := range of.Sets {
		d.line("set %s = %s", s.Column, word(s.Text))
	}
	for _, column := range seen.Missing {
		if slices.ContainsFunc(seen.Columns, func(c rules.FixedColumn) bool { return c.Near == column }) {
			continue // a line above suggests it
		}
		q := Question{Kind: "set", Column: column.String(), Evidence: "there is no column " + column.String(), Sending: OnlySent(column)}
		switch column {
		case rules.ColumnCardNumber:
			d.line("# %s: the rows can be forecast, not sent", q.Evidence)
			continue
		case rules.ColumnOrderID:
			d.line("# %s: name the one that has a key for each row above", q.Evidence)
			continue
		case rules.ColumnCardType:
			q.Evidence += ": SRC charges the sender's card, DST pays to the receiver's"
			q.Suggestion, q.Choices = "SRC", []string{"SRC", "DST"}
		case rules.ColumnInterval:
			q.Suggestion = "1"
		}
		if q.Sending {
			q.Evidence += "; only sending needs it: delete this line to forecast"
		}
		d.ask("set "+column.String(), q)
	}
	d.interval(seen)
}

// interval asks for the interval of rows that have a period alone, in a file that has the column.
func (d *Draft) interval(seen rules.Fixed) {
	if seen.NoInterval > 0 && !slices.Contains(seen.Missing, rules.ColumnInterval) {
		d.ask("set interval", Question{Kind: "set", Column: rules.ColumnInterval.String(), Evidence: counted(seen.NoInterval, "row") + " with a period and no interval", Suggestion: "1"})
	}
}

// OnlySent reports whether a column matters only where a payload is sent, not where it is forecast.
func OnlySent(c rules.Column) bool {
	switch c {
	case rules.ColumnCardType, rules.ColumnOrderID, rules.ColumnInterval, rules.ColumnAmount, rules.ColumnCurrency, rules.ColumnPeriod:
		return false
	}
	return true
}

func counted(n int, noun string) string { return termtext.Counted(strconv.Itoa(n), noun) }

// word is a name or a value as a map has it.
func word(s string) string {
	if s != "" && s != "?" && s != "-" && !strings.ContainsAny(s, "\"#=:*") && s == strings.TrimSpace(s) {
		return s
	}
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
}
