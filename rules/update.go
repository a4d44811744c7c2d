package rules

import (
	"iter"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
)

// ParseUpdate reads the columns that an update of a stored profile sets, by name and
// value as in the payload; an empty value removes the column's value. An unknown
// column, and one that an update cannot change (client-orderid, rp_card_type, currency,
// card data), are findings of severity error, with which the update cannot be used
// at all. Values are judged as those of a payload are, each alone: one that is an error is in
// [engine.Update.Unreadable] too, since such an update happens and is refused. Columns
// on which no charge depends are taken without effect. An update of nothing warns.
//
// The findings have no place; their subject is the column.
func ParseUpdate(set iter.Seq2[string, string]) (engine.Update, ledger.Findings) {
	u := updater{r: NewReader(nil, Options{})}
	u.r.sc = new(scanner)
	empty := true
	for name, value := range set {
		empty = false
		u.column(name, value)
	}
	if empty {
		u.r.add(ScriptEmpty, 0)
	}
	for i := range u.r.found {
		u.r.found[i].Place = ledger.Place{}
	}
	for _, i := range u.refused {
		u.update.Unreadable = append(u.update.Unreadable, u.r.found[i])
	}
	return u.update, u.r.found
}

// An updater is an update while it is read. Its Reader judges each value as the only one of a row.
type updater struct {
	r       *Reader
	update  engine.Update
	refused []int // the findings about values that cannot be read
}

// fixedColumns are those that an update cannot change.
const fixedColumns columnSet = 1<<ColumnCardType | 1<<ColumnOrderID | 1<<ColumnCardNumber | 1<<ColumnCVV2 | 1<<ColumnCardPrintedName |
	1<<ColumnExpireYear | 1<<ColumnExpireMonth | 1<<ColumnCurrency

// column takes one column of the update.
func (u *updater) column(name, value string) {
	col, ok := ColumnOf(name)
	switch {
	case !ok:
		f := u.r.add(ColumnUnknown, 0).say("the update names a column that does not exist")
		if near, ok := nearestColumn(name); ok {
			f.advise("perhaps " + near.String() + " is meant; names must agree exactly")
		}
		return
	case fixedColumns.has(col):
		u.r.add(ScriptColumn, 0).in(col)
		return
	}
	before := len(u.r.found)
	if value != "" {
		u.judge(col, value)
	}
	usable := true
	for i, f := range u.r.found[before:] {
		if f.Severity == ledger.SeverityError {
			u.refused = append(u.refused, before+i)
			usable = false
		}
	}
	if usable {
		u.take(col, value)
	}
}

// judge judges and types a value, which is not empty.
func (u *updater) judge(col Column, value string) {
	r := u.r
	if len(value) > r.opts.MaxCell {
		r.add(LimitCell, 0).in(col).number(int64(r.opts.MaxCell), "byte").advise("shorten it")
		return
	}
	r.sc.raw, r.sc.cells = []byte(value), []cell{{to: int32(len(value))}}
	r.startRow()
	r.rec.text, *r.layout = value, layout{}
	r.layout[col] = 1
	before := len(r.found)
	r.value(col, 0)
	r.reportBlanks(r.blanks)
	r.adviseMarks(r.found[before:])
}

// take puts what a value was typed to into the update; without one, the column's value is removed.
func (u *updater) take(col Column, value string) {
	row, amounts, to := &u.r.rec.Row, &u.r.amounts, &u.update
	switch col {
	case ColumnAmount:
		to.Amount = change(value, amounts.fixed)
	case ColumnAmountFrom:
		to.AmountFrom = change(value, amounts.from)
	case ColumnAmountTo:
		to.AmountTo = change(value, amounts.to)
	case ColumnAmountSequence:
		to.Sequence = change(value, sequenceOf(value).Elements())
	case ColumnPeriod:
		to.Unit = change(value, row.Unit)
	case ColumnInterval:
		to.Interval = change(value, row.Interval)
	case ColumnStartDate:
		to.Start = change(value, row.Start)
	case ColumnFinishDate:
		to.Finish = change(value, row.Finish)
	case ColumnMaxRepeatsNumber:
		to.MaxRepeats = change(value, row.MaxRepeats)
	}
}

// change sets what a value was typed to; without one, it removes.
func change[T any](value string, typed T) engine.Change[T] {
	if value == "" {
		return engine.Remove[T]()
	}
	return engine.To(typed)
}
