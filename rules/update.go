package rules

import (
	"iter"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
)

// ParseUpdate reads the columns that an update of a stored profile sets, by name and
// value as in the payload; an empty value removes the column's value. An unknown
// column, and one that an update cannot change (client-orderid, rp_card_type, currency,
// card data), are findings of severity error, with which the update cannot be used
// at all. A value that cannot be read is a finding of the payload's code, and its
// finding is in [engine.Update.Unreadable] too: such an update happens and is refused. Columns
// on which no charge depends are taken without effect. An update of nothing warns.
//
// The findings have no place; their subject is the column.
func ParseUpdate(set iter.Seq2[string, string]) (engine.Update, ledger.Findings) {
	u := updater{reporter: reporter{}}
	empty := true
	for name, value := range set {
		empty = false
		u.column(name, value)
	}
	if empty {
		u.at(ScriptEmpty, ledger.SeverityWarning, 0, 0, 0)
	}
	for _, i := range u.refused {
		u.update.Unreadable = append(u.update.Unreadable, u.found[i])
	}
	return u.update, u.found
}

// An updater is an update while it is read.
type updater struct {
	reporter

	update  engine.Update
	refused []int // the findings about values that cannot be read
}

// say notes a finding about a column.
func (u *updater) say(c ledger.Code, col Column) *finding {
	return u.at(c, ruleOf(c).Severity, 0, 0, 0).in(col)
}

// refuse notes a value that cannot be read, and why the update will be refused.
func (u *updater) refuse(c ledger.Code, col Column) *finding {
	p := u.say(c, col)
	u.refused = append(u.refused, len(u.found)-1)
	return p
}

// column takes one column of the update.
func (u *updater) column(name, value string) {
	col, ok := ColumnOf(name)
	if !ok {
		p := u.say(ColumnUnknown, 0).say("the update names a column that does not exist")
		if near, ok := nearestColumn(name); ok {
			p.advise("perhaps " + near.String() + " is meant; names must agree exactly")
		}
		return
	}
	switch col {
	case ColumnCardType, ColumnOrderID, ColumnCardNumber, ColumnCVV2, ColumnCardPrintedName, ColumnExpireYear, ColumnExpireMonth, ColumnCurrency:
		u.say(ScriptColumn, col)
		return
	}
	if core := trimmed(value, false); core != value && !freeText.has(col) {
		u.refuse(SurroundingSpace, col)
		return
	}
	switch columns[col].kind {
	case valueAmount:
		u.amount(col, value)
	case valueAmounts:
		u.sequence(value)
	case valuePeriod:
		u.period(value)
	case valueInteger:
		u.integer(col, value)
	case valueDate:
		u.date(col, value)
	}
}

func (u *updater) date(col Column, value string) {
	change := engine.Remove[calendar.Date]()
	if value != "" {
		d, c := dateOf(value)
		if c != "" {
			u.refuse(c, col).adviseIf(dateHelp(c, value))
			return
		}
		change = engine.To(d)
	}
	switch col {
	case ColumnStartDate:
		u.update.Start = change
	case ColumnFinishDate:
		u.update.Finish = change
	}
}

func (u *updater) period(value string) {
	if value == "" {
		u.update.Unit = engine.Remove[calendar.Unit]()
		return
	}
	unit, err := calendar.ParseUnit(value)
	if err != nil {
		u.refuse(PeriodValue, ColumnPeriod)
		return
	}
	u.update.Unit = engine.To(unit)
}

func (u *updater) integer(col Column, value string) {
	interval, most := engine.Remove[int](), engine.Remove[engine.Limit]()
	if value != "" {
		n, padded, c := integerOf(col, value)
		if padded {
			u.say(LeadingZero, col)
		}
		if c != "" {
			u.refuse(c, col)
			return
		}
		interval, most = engine.To(intervalOf(n)), engine.To(engine.AtMost(n))
	}
	if col == ColumnInterval {
		u.update.Interval = interval
	} else {
		u.update.MaxRepeats = most
	}
}

func (u *updater) amount(col Column, value string) {
	change := engine.Remove[amount.Amount]()
	if value != "" {
		if help, ok := amountForm(value); !ok {
			u.refuse(AmountSyntax, col).adviseIf(help)
			return
		}
		if len(value) > columns[col].Max {
			u.refuse(TooLong, col).lengths(len(value), columns[col].Max)
			return
		}
		if isPadded(value) {
			u.say(LeadingZero, col)
		}
		a, _ := amountOf(value)
		if a.IsZero() {
			u.refuse(AmountZero, col)
			return
		}
		change = engine.To(a)
	}
	switch col {
	case ColumnAmountFrom:
		u.update.AmountFrom = change
	case ColumnAmountTo:
		u.update.AmountTo = change
	default:
		u.update.Amount = change
	}
}

func (u *updater) sequence(value string) {
	if value == "" {
		u.update.Sequence = engine.Remove[[]amount.Amount]()
		return
	}
	faults, _, ok := elementsOf(value, defaultMaxElements)
	if !ok {
		u.refuse(LimitElements, ColumnAmountSequence).number(defaultMaxElements, "element")
	}
	for i, f := range faults {
		switch c := elementCodes[i]; {
		case f.count == 0:
		case c == LeadingZero:
			f.report(u.say(c, ColumnAmountSequence), c)
		default:
			f.report(u.refuse(c, ColumnAmountSequence), c)
			ok = false
		}
	}
	if !ok {
		return
	}
	var elements []amount.Amount
	for element := range strings.SplitSeq(value, ",") {
		a, _ := amountOf(element)
		elements = append(elements, a)
	}
	u.update.Sequence = engine.To(elements)
}
