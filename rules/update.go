package rules

import (
	"iter"
	"strconv"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
)

// UpdateOptions say how the values of an update are written.
type UpdateOptions struct {
	// ISO takes dates in the form 2026-03-05 too, as a field of a web form sends them.
	ISO bool
}

// ParseUpdate reads the columns that an update of a stored profile sets, by name and
// value as in the payload; an empty value removes the column's value. An unknown
// column, which is named by its place in the list, and one that an update cannot change (client-orderid, rp_card_type,
// currency, card data), are findings of severity error, with which the update cannot be used
// at all. Values are checked as those of a payload are, each alone: one that is an error is in
// [engine.Update.Unreadable] too, since such an update happens and is refused. Columns
// on which no charge depends are taken without effect. An update of nothing warns.
//
// The findings have no place; their subject is the column.
func ParseUpdate(set iter.Seq2[string, string], o UpdateOptions) (engine.Update, ledger.Findings) {
	var u engine.Update
	c := checker{layout: new(layout)}
	n := 0
	for name, value := range set {
		n++
		col, ok := ColumnOf(name)
		switch {
		case !ok:
			f := c.report(ColumnUnknown, 0, 0)
			f.Message, f.Help = "name "+strconv.Itoa(n)+" of the update is not a column", "use the names of the document exactly"
			if near, ok := nearestColumn(name); ok {
				f.Help = "did you mean " + near.String() + "? names must agree exactly"
			}
			continue
		case fixedColumns.has(col):
			c.report(ScriptColumn, col, wholeValue)
			continue
		}
		if d, err := calendar.Parse(value); o.ISO && columns[col].kind == valueDate && err == nil {
			value = dotted(d)
		}
		before := len(c.found)
		if value != "" {
			c.alone(col, value)
		}
		usable := true
		for _, f := range c.found[before:] {
			if f.Severity == ledger.SeverityError {
				u.Unreadable = append(u.Unreadable, f)
				usable = false
			}
		}
		if usable {
			c.change(&u, col, value)
		}
	}
	if n == 0 {
		c.report(ScriptEmpty, 0, 0)
	}
	return u, c.found
}

// alone checks a value as the only one of a row.
func (c *checker) alone(col Column, value string) {
	c.parsed = parsed{}
	c.values(value, isPlain(value), []cell{{to: int32(len(value))}}, []field{fieldOf(col)})
	c.parsed.blank.each(func(col Column) { c.spaces(&columns[col]) })
}

// change puts a parsed value into an update; an empty one removes the value of the column.
func (c *checker) change(to *engine.Update, col Column, value string) {
	read := &c.parsed
	switch col {
	case ColumnAmount:
		to.Amount = change(value, read.fixed)
	case ColumnAmountFrom:
		to.AmountFrom = change(value, read.from)
	case ColumnAmountTo:
		to.AmountTo = change(value, read.to)
	case ColumnAmountSequence:
		to.Sequence = change(value, sequenceOf(value).Elements())
	case ColumnPeriod:
		to.Unit = change(value, read.unit)
	case ColumnInterval:
		to.Interval = change(value, read.interval)
	case ColumnStartDate:
		to.Start = change(value, read.start)
	case ColumnFinishDate:
		to.Finish = change(value, read.finish)
	case ColumnMaxRepeatsNumber:
		to.MaxRepeats = change(value, read.maxRepeats)
	}
}

// change returns the change to a parsed value, or its removal if value is empty.
func change[T any](value string, typed T) engine.Change[T] {
	if value == "" {
		return engine.Remove[T]()
	}
	return engine.To(typed)
}

// dotted returns a date as DD.MM.YYYY.
func dotted(d calendar.Date) string {
	iso := d.String()
	return iso[8:] + "." + iso[5:7] + "." + iso[:4]
}
