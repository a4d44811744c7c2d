package rules

import (
	"math/bits"
	"unicode/utf8"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// Sets of columns of one property.
var (
	requiredAlways = columnsWhere(func(s Spec) bool { return s.requiredFor(engine.KindDestination) })
	requiredOnSRC  = columnsWhere(func(s Spec) bool { return s.requiredFor(engine.KindSource) })
	sourceOnly     = columnsWhere(func(s Spec) bool { return s.SourceOnly })
	freeText       = columnsWhere(func(s Spec) bool { return s.kind.free() })
)

const (
	scheduleColumns columnSet = 1<<ColumnPeriod | 1<<ColumnInterval
	amountColumns   columnSet = 1<<ColumnAmount | 1<<ColumnAmountFrom | 1<<ColumnAmountTo | 1<<ColumnAmountSequence
)

// each calls do for every column of the set, in the document's order.
func (s columnSet) each(do func(Column)) {
	for ; s != 0; s &= s - 1 {
		do(Column(bits.TrailingZeros64(uint64(s))))
	}
}

// judgeTogether judges the columns of the current row against each other.
func (r *Reader) judgeTogether() {
	r.judgeRequired()
	if r.rec.Kind == engine.KindDestination {
		(r.filled & sourceOnly &^ scheduleColumns).each(func(c Column) { r.on(SrcOnlyOnDst, c) })
	}
	r.judgeAmounts()
	r.judgeSchedule()
	r.judgeState()
	if r.filled.has(ColumnNotifyURL) && r.filled.has(ColumnServerCallbackURL) {
		r.on(CallbacksBoth, ColumnNotifyURL)
	}
	if r.filled.has(ColumnOrderID) {
		r.judgeOrderID()
	}
	r.judgeTimes()
}

// judgeRequired reports missing values (2.1, X5), and values of spaces only.
func (r *Reader) judgeRequired() {
	required := requiredAlways
	if r.rec.Kind == engine.KindSource {
		required = requiredOnSRC
	}
	(required &^ r.filled).each(func(c Column) {
		switch {
		case r.present.has(c):
			p := r.refuse(MissingValue, c)
			if columns[c].SourceOnly { // the others' lines say "required" themselves
				p.rests(clause.X5)
			}
			if r.filled == 0 {
				p.advise("fill it in, or remove the row: it has no value at all")
			}
		case !requiredAlways.has(c):
			r.absent(c)
		}
	})
	(r.blanks &^ required).each(func(c Column) {
		base := ledger.SeverityError
		if freeText.has(c) {
			base = ledger.SeverityWarning
		}
		r.onAs(SurroundingSpace, base, c)
	})
}

// judgeSchedule judges period and interval (1, 2.2.3).
func (r *Reader) judgeSchedule() {
	given := r.filled & scheduleColumns
	if given == 0 {
		return
	}
	if r.rec.Kind == engine.KindDestination { // the pair has no say where neither may be
		given.each(func(c Column) { r.refuse(ScheduleOnDst, c) })
		return
	}
	if given != scheduleColumns {
		missing := ColumnPeriod
		if given.has(ColumnPeriod) {
			missing = ColumnInterval
		}
		r.lacks(SchedulePair, missing, scheduleColumns)
	}
}

// judgeState judges state by the country (2.1, L50).
func (r *Reader) judgeState() {
	if r.rec.Kind == engine.KindDestination {
		return
	}
	country, state := r.now(ColumnCountry), r.now(ColumnState)
	known, characters := needsState(country), len(state)
	if !r.sc.plain {
		characters = utf8.RuneCountInString(state)
	}
	switch {
	case !r.filled.has(ColumnState):
		if known {
			r.lacks(StateRequired, ColumnState, 1<<ColumnState)
		}
		return
	case characters > columns[ColumnState].Max || characters < columns[ColumnState].Min:
		return // its length is reported
	}
	if r.states == nil {
		if known && !isState(country, state) {
			ours := func(code string) bool { return isState(country, code) }
			r.on(StateUnknown, ColumnState).adviseIf(meantHelp(inCapitals(state, ours)))
		}
		return
	}
	if set, listed := r.states[country]; listed && !set[state] {
		supplied := func(code string) bool { return set[code] }
		r.on(StateUnknown, ColumnState).advise("use a code of the list that was supplied").adviseIf(meantHelp(inCapitals(state, supplied)))
	}
}
