package rules

import (
	"unicode/utf8"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// together checks the columns of the current row against each other. The result is false where the row cannot be
// forecast.
func (r *reader) together() bool {
	r.checkRequired()
	if r.read.kind == engine.KindDestination {
		(r.read.filled & sourceOnly &^ pairColumns).each(func(c Column) { r.report(SrcOnlyOnDst, c, wholeValue) })
	}
	r.checkAmounts()
	r.checkPair()
	r.checkState()
	r.checkZip()
	if r.read.filled.has(ColumnNotifyURL) && r.read.filled.has(ColumnServerCallbackURL) {
		r.report(CallbacksBoth, ColumnNotifyURL, wholeValue)
	}
	r.checkOrderID()
	return r.checkTimes()
}

// checkRequired reports missing values (2.1, X5), and values of spaces only.
func (r *reader) checkRequired() {
	if r.opts.ScheduleOnly && !(r.read.filled | r.read.blank).has(ColumnCardType) {
		r.read.kind, r.read.unsendable = engine.KindSource, true
	}
	required := requiredAlways
	if r.read.kind == engine.KindSource {
		required = requiredOnSRC
	}
	(required &^ r.read.filled).each(func(c Column) {
		switch {
		case r.opts.ScheduleOnly && (c == ColumnCardType && r.read.kind != 0 || !scheduleColumns.has(c)):
			r.read.unsendable = true
		case r.present.has(c):
			f := r.refuse(MissingValue, c)
			if columns[c].SourceOnly { // the others' lines say "required" themselves
				restOn(f, clause.X5)
			}
			if r.read.filled == 0 {
				f.Help = "fill it in, or remove the row: it has no value at all"
			}
		default:
			r.reportAbsent(c)
		}
	})
	(r.read.blank &^ required).each(func(c Column) { r.spaces(&columns[c]) })
}

// reportAbsent reports a column that SRC requires and the header lacks, once for the file.
func (r *reader) reportAbsent(col Column) {
	if !r.absent.has(col) {
		r.absent.add(col)
		f := aboutFile(r.report(ColumnMissing, col, wholeValue), r.head)
		if columns[col].SourceOnly {
			restOn(f, clause.X5)
		}
	}
	rule := ledger.Finding{Code: ColumnMissing, Severity: ledger.SeverityError}
	r.read.lacks = r.opts.severityOf(&rule) == ledger.SeverityError
}

// checkPair checks period and interval (1, 2.2.3).
func (r *reader) checkPair() {
	given := r.read.filled & pairColumns
	switch {
	case given == 0:
	case r.read.kind == engine.KindDestination: // neither is allowed, so the pair rule does not apply
		given.each(func(c Column) { r.refuse(ScheduleOnDst, c) })
	case !given.has(ColumnPeriod):
		r.refuse(SchedulePair, ColumnPeriod)
	case !given.has(ColumnInterval):
		r.refuse(SchedulePair, ColumnInterval)
	}
}

// checkState checks state by the country (2.1, L50).
func (r *reader) checkState() {
	if r.read.kind == engine.KindDestination {
		return
	}
	country, state := r.read.country, r.read.state
	known, characters := needsState(country), len(state)
	if !r.sc.plain {
		characters = utf8.RuneCountInString(state)
	}
	switch {
	case !r.read.filled.has(ColumnState):
		if known {
			r.refuse(StateRequired, ColumnState)
		}
		return
	case characters > columns[ColumnState].Max || characters < columns[ColumnState].Min:
		return // its length is reported
	}
	if r.states == nil {
		if known && !isState(country, state) {
			ours := func(code string) bool { return isState(country, code) }
			advise(r.report(StateUnknown, ColumnState, wholeValue), meantHelp(inCapitals(state, ours)))
		}
		return
	}
	if set, listed := r.states[country]; listed && !set[state] {
		supplied := func(code string) bool { return set[code] }
		f := r.report(StateUnknown, ColumnState, wholeValue)
		f.Help = "use a code of the list that was supplied"
		advise(f, meantHelp(inCapitals(state, supplied)))
	}
}
