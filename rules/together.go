package rules

import (
	"errors"
	"math/bits"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// Sets of columns of one property.
var (
	requiredAlways = columnsWhere(func(s Spec) bool { return s.requiredFor(engine.KindDestination) })
	requiredOnSRC  = columnsWhere(func(s Spec) bool { return s.requiredFor(engine.KindSource) })
	sourceOnly     = columnsWhere(func(s Spec) bool { return s.SourceOnly })
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
	r.reportBlanks(r.blanks &^ required)
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

// timeColumns are the columns on which the dates of charges depend.
const timeColumns columnSet = 1<<ColumnCardType | 1<<ColumnPeriod | 1<<ColumnInterval | 1<<ColumnStartDate | 1<<ColumnFinishDate | 1<<ColumnMaxRepeatsNumber

// judgeTimes judges what depends on dates: of the row among themselves, against as-of,
// and through the engine.
func (r *Reader) judgeTimes() {
	rec, asOf := &r.rec, r.opts.AsOf
	var state engine.State
	stored := false // the profile was created before
	if r.opts.State != nil && rec.OrderID != "" {
		state, stored = r.opts.State(rec.OrderID)
	}
	if rec.Kind == 0 {
		r.unread.add(ColumnCardType) // reported already, or the header lacks it
	}
	if !rec.Start.IsZero() && !rec.Finish.IsZero() && rec.Finish.Before(rec.Start) {
		r.on(FinishBeforeStart, ColumnFinishDate)
	}
	if n, ok := rec.MaxRepeats.Value(); ok && n == 0 {
		r.policed(MaxZero, ColumnMaxRepeatsNumber, r.opts.Policy.MaxZero == engine.MaxZeroReject)
	}
	automatic := rec.Unit != calendar.UnitNone && rec.Kind == engine.KindSource
	if automatic && !stored && !asOf.IsZero() && !rec.Start.IsZero() && rec.Start.Before(asOf) {
		p := r.policed(StartPast, ColumnStartDate, r.opts.Policy.StartPast == engine.StartPastReject)
		if r.opts.Policy.StartPast == engine.StartPastReject {
			p.rests(clause.L03)
		}
	}
	if automatic && !stored && !r.filled.has(ColumnStartDate) && r.opts.Policy.StartAbsent == engine.StartAbsentReject {
		r.policed(StartAbsent, ColumnStartDate, true)
	}
	if asOf.IsZero() {
		return
	}
	card := monthOf(rec.ExpireYear, rec.ExpireMonth)
	yearZero := rec.ExpireYear == 0 && rec.ExpireMonth != 0 && r.filled.has(ColumnExpireYear) && !r.unread.has(ColumnExpireYear) // 0000
	if yearZero || card != 0 && card < r.asOfMonth {
		r.on(CardExpired, ColumnExpireYear)
		card = 0
	}
	switch {
	case (r.unread|r.misnamed)&timeColumns != 0: // what the row says of its days is not known
	case stored:
		r.judgeStored(state, card)
	default:
		r.judgeForecast(automatic, card)
	}
}

// policed reports what the policy may refuse: an error then, a warning otherwise. Where
// the options lower the severity the row stays usable: what the policy refuses is to
// create the profile, and a stored one exists already.
func (r *Reader) policed(c ledger.Code, col Column, refused bool) *finding {
	if !refused {
		return r.onAs(c, ledger.SeverityWarning, col)
	}
	if r.settle(c, ledger.SeverityError) == ledger.SeverityError {
		r.unread.add(col)
	}
	return r.onAs(c, ledger.SeverityError, col)
}

// A cardMonth is the month through which a card is good, counted from the first of the
// year 0; zero: not known.
type cardMonth int

func monthOf(year, month int) cardMonth {
	if year == 0 || month == 0 {
		return 0
	}
	return cardMonth(12*year + month - 1)
}

// monthOfDay is the month of a day; zero for none.
func monthOfDay(d calendar.Date) cardMonth {
	year, month, _ := d.Date()
	return monthOf(year, int(month))
}

// last is the month's last day.
func (m cardMonth) last() calendar.Date {
	year, month := int(m/12), time.Month(m%12+1)
	d, _ := calendar.New(year, month, calendar.DaysIn(year, month)) // a year has four digits and is not 0
	return d
}

// judgeForecast asks what the forecast of a new profile comes to, and reports what that shows.
func (r *Reader) judgeForecast(automatic bool, card cardMonth) {
	p := &r.forecast
	r.describe(p)
	charged, stop, err := r.engine.Outline(p, r.opts.AsOf)
	switch {
	case err != nil:
		r.refused(err)
		return
	case !automatic:
		return
	case !charged:
		r.on(NeverCharges, r.firstOf(ColumnFinishDate, ColumnMaxRepeatsNumber, ColumnPeriod))
	}
	r.judgeStop(stop)
	today := r.settle(FirstChargeToday, ledger.SeverityOff) != ledger.SeverityOff
	if charged && (today || r.outlives(card)) && r.engine.Recompile(&r.plan, engine.Stored{Profile: *p}, r.opts.AsOf) == nil {
		r.judgeCard(card)
		for c := range r.plan.Next(1) {
			if c.Date == r.opts.AsOf {
				r.onAs(FirstChargeToday, ledger.SeverityOff, r.firstOf(ColumnStartDate, ColumnPeriod))
			}
		}
	}
}

// judgeStored asks for the forecast of a profile that goes on from a state. A state that
// contradicts itself or the row is reported by the program that forecasts it.
func (r *Reader) judgeStored(state engine.State, card cardMonth) {
	r.describe(&r.forecast)
	if r.engine.Recompile(&r.plan, engine.Stored{Profile: r.forecast, State: state}, r.opts.AsOf) != nil || r.plan.Count(calendar.Window{}) == 0 {
		return
	}
	r.judgeStop(r.plan.Stop().Reasons)
	r.judgeCard(card)
}

// refused leaves out a row that the engine does not take: that of a rule whose severity was lowered stays, see policed,
// and what else it refuses here is AsOf or Policy.
func (r *Reader) refused(err error) {
	c, _ := errors.AsType[ledger.Code](err)
	if _, known := table.Lookup(c); !known || r.settle(c, ledger.SeverityError) == ledger.SeverityError {
		r.unread.add(ColumnCardType)
	}
}

// judgeStop names the stop condition that never comes to act (T13).
func (r *Reader) judgeStop(why engine.Reasons) {
	most, capped := r.rec.MaxRepeats.Value()
	if !capped || most == 0 || r.rec.Finish.IsZero() {
		return
	}
	switch why {
	case engine.ReasonFinishDate:
		r.on(MaxRepeatsUnreachable, ColumnMaxRepeatsNumber)
	case engine.ReasonMaxRepeats:
		r.onAs(FinishUnreachable, ledger.SeverityOff, ColumnFinishDate)
	}
}

// outlives reports whether a day that is looked at lies after the card's last one.
func (r *Reader) outlives(card cardMonth) bool { return card != 0 && card < r.horizonMonth }

// judgeCard reports the first charge after the card's last day, as far as is looked (L31).
func (r *Reader) judgeCard(card cardMonth) {
	if !r.outlives(card) {
		return
	}
	for c := range r.plan.Charges(calendar.Through(card.last().AddDays(1), r.opts.Horizon)) {
		r.on(CardExpiresBeforeCharge, ColumnExpireYear).
			say("the card expires before charge " + strconv.FormatUint(c.Repeat+1, 10) +
				" (repeat " + strconv.FormatUint(c.Repeat, 10) + ") on " + c.Date.String())
		return
	}
}
