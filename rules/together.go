package rules

import (
	"errors"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// together checks the columns of the current row against each other; false if the row cannot be forecast.
func (r *reader) together() bool {
	r.checkRequired()
	if r.parsed.kind == engine.KindDestination {
		(r.parsed.filled & sourceOnly &^ pairColumns).each(func(c Column) { r.report(SrcOnlyOnDst, c, wholeValue) })
	}
	r.checkAmounts()
	r.checkPair()
	r.checkState()
	r.checkZip()
	if r.parsed.filled.has(ColumnNotifyURL) && r.parsed.filled.has(ColumnServerCallbackURL) {
		r.report(CallbacksBoth, ColumnNotifyURL, wholeValue)
	}
	r.checkOrderID()
	return r.checkTimes()
}

// checkRequired reports missing values (2.1, X5), and values of spaces only.
func (r *reader) checkRequired() {
	if r.opts.ScheduleOnly && !(r.parsed.filled | r.parsed.blank).has(ColumnCardType) {
		r.parsed.kind, r.parsed.unsendable = engine.KindSource, true
	}
	required := requiredAlways
	if r.parsed.kind == engine.KindSource {
		required = requiredOnSRC
	}
	(required &^ r.parsed.filled).each(func(c Column) {
		switch {
		case r.opts.ScheduleOnly && (c == ColumnCardType && r.parsed.kind != 0 || !scheduleColumns.has(c)):
			r.parsed.unsendable = true
		case r.present.has(c):
			f := r.refuse(MissingValue, c)
			if columns[c].SourceOnly { // the letter of the others is R without a condition
				cite(f, clause.X5)
			}
			if r.parsed.filled == 0 {
				f.Help = "fill it in, or remove the row: it has no value at all"
			}
		default:
			r.reportAbsent(c)
		}
	})
	(r.parsed.blank &^ required).each(func(c Column) { r.spaces(&columns[c]) })
}

// reportAbsent reports a column that SRC requires and the header lacks, once for the file.
func (r *reader) reportAbsent(col Column) {
	if !r.absent.has(col) {
		r.absent.add(col)
		f := aboutFile(r.report(ColumnMissing, col, wholeValue), r.head)
		if columns[col].SourceOnly {
			cite(f, clause.X5)
		}
	}
	rule := ledger.Finding{Code: ColumnMissing, Severity: ledger.SeverityError}
	r.parsed.lacks = r.opts.severityOf(&rule) == ledger.SeverityError
}

// checkPair checks period and interval (1, 2.2.3).
func (r *reader) checkPair() {
	given := r.parsed.filled & pairColumns
	switch {
	case given == 0:
	case r.parsed.kind == engine.KindDestination: // neither is allowed, so the pair rule does not apply
		given.each(func(c Column) { r.refuse(ScheduleOnDst, c) })
	case !given.has(ColumnPeriod):
		r.refuse(SchedulePair, ColumnPeriod)
	case !given.has(ColumnInterval):
		r.refuse(SchedulePair, ColumnInterval)
	}
}

// checkState checks state by the country (2.1, L50).
func (r *reader) checkState() {
	if r.parsed.kind == engine.KindDestination {
		return
	}
	country, state := r.parsed.country, r.parsed.state
	ours, characters := statesOf(country), len(state)
	if !r.sc.plain {
		characters = utf8.RuneCountInString(state)
	}
	switch {
	case !r.parsed.filled.has(ColumnState):
		if ours != nil {
			r.refuse(StateRequired, ColumnState)
		}
		return
	case characters > columns[ColumnState].Max || characters < columns[ColumnState].Min:
		return // its length is reported
	}
	supplied := r.states[country]
	listed := func(code string) bool {
		if r.states != nil {
			return supplied == nil || supplied[code]
		}
		return ours == nil || ours.has(code)
	}
	if !listed(state) {
		f := r.report(StateUnknown, ColumnState, wholeValue)
		if r.states != nil {
			f.Help = "use a code of the list that was supplied"
		}
		if code := asciiUpper(state); listed(code) {
			f.Help = wordHelp(code)
		}
	}
}

// checkTimes checks the dates of the row against each other and against as-of, and its forecast; false if the engine
// refuses the row.
func (r *reader) checkTimes() bool {
	read, policy := &r.parsed, &r.opts.Policy
	p := &r.profile
	p.Kind, p.Unit, p.Interval = read.kind, read.unit, read.interval
	p.Start, p.Finish, p.MaxRepeats = read.start, read.finish, read.maxRepeats
	stored := r.opts.State != nil && read.orderID != "" // the profile was created before
	if stored {
		r.state, stored = r.opts.State(read.orderID)
	}
	if p.Kind == 0 {
		read.unread.add(ColumnCardType) // reported already, or the header lacks it
	}
	if !p.Start.IsZero() && !p.Finish.IsZero() && p.Finish.Before(p.Start) {
		r.report(FinishBeforeStart, ColumnFinishDate, wholeValue)
	}
	if n, ok := p.MaxRepeats.Value(); ok && n == 0 {
		r.reportPolicy(MaxZero, ColumnMaxRepeatsNumber, policy.MaxZero == engine.MaxZeroReject)
	}
	automatic := p.Unit != calendar.UnitNone && p.Kind == engine.KindSource
	if automatic && !stored && !p.Start.IsZero() && p.Start.Before(r.opts.AsOf) {
		rejected := policy.StartPast == engine.StartPastReject
		if f := r.reportPolicy(StartPast, ColumnStartDate, rejected); rejected {
			cite(f, clause.L03)
		}
	}
	if automatic && !stored && !read.filled.has(ColumnStartDate) && policy.StartAbsent == engine.StartAbsentReject {
		r.reportPolicy(StartAbsent, ColumnStartDate, true)
	}
	card := monthOf(read.expireYear, read.expireMonth)
	yearZero := read.expireYear == 0 && read.expireMonth != 0 && read.filled.has(ColumnExpireYear) && !read.unread.has(ColumnExpireYear) // 0000
	if yearZero || card != 0 && card < r.asOfMonth {
		r.report(CardExpired, ColumnExpireYear, wholeValue)
		card = 0
	}
	switch {
	case read.unread&dateColumns != 0: // the dates of charges are not known
		return true
	case stored:
		r.checkStored(card)
		return true
	}
	return r.checkForecast(automatic, card)
}

// reportPolicy reports what the policy may refuse: an error then, a warning otherwise. If
// the options lower the severity the row stays usable: the policy is about the creation of a profile, which may have been
// created already.
func (r *reader) reportPolicy(c ledger.Code, col Column, refused bool) *ledger.Finding {
	f := r.report(c, col, wholeValue)
	if f.Severity = ledger.SeverityWarning; refused {
		f.Severity = ledger.SeverityError
	}
	return f
}

// A cardMonth is the last month in which a card is valid, counted from the first month of the year 0; zero: not known.
type cardMonth int

func monthOf(year, month int) cardMonth {
	if year == 0 || month == 0 {
		return 0
	}
	return cardMonth(12*year + month - 1)
}

// monthOfDay returns the month of a day; zero for none.
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

// checkForecast checks the forecast of a new profile; false if the engine refuses the profile for a reason that is not
// reported yet.
func (r *reader) checkForecast(automatic bool, card cardMonth) bool {
	p := &r.profile
	charged, stop, err := r.engine.Outline(p, r.opts.AsOf)
	if err != nil {
		code, _ := errors.AsType[ledger.Code](err)
		return r.found.Has(code)
	}
	if !automatic {
		return true
	}
	if !charged {
		r.report(NeverCharges, r.firstOf(ColumnFinishDate, ColumnMaxRepeatsNumber, ColumnPeriod), wholeValue)
	}
	r.checkStop(stop)
	if charged && (r.today || r.outlives(card)) && r.engine.Recompile(&r.plan, engine.Stored{Profile: *p}, r.opts.AsOf) == nil {
		r.checkCard(card)
		for c := range r.plan.Next(1) {
			if c.Date == r.opts.AsOf {
				r.report(FirstChargeToday, r.firstOf(ColumnStartDate, ColumnPeriod), wholeValue)
			}
		}
	}
	return true
}

// checkStored checks the forecast of a profile from its state. A state that contradicts itself or the row is reported by
// the program that forecasts it.
func (r *reader) checkStored(card cardMonth) {
	s := engine.Stored{Profile: r.profile, State: r.state}
	if r.engine.Recompile(&r.plan, s, r.opts.AsOf) != nil || r.plan.Count(calendar.Window{}) == 0 {
		return
	}
	r.checkStop(r.plan.Stop().Reasons)
	r.checkCard(card)
}

// checkStop reports the stop condition that never takes effect.
func (r *reader) checkStop(why engine.Reasons) {
	most, capped := r.parsed.maxRepeats.Value()
	if !capped || most == 0 || r.parsed.finish.IsZero() {
		return
	}
	switch {
	case why == engine.ReasonFinishDate:
		r.report(MaxRepeatsUnreachable, ColumnMaxRepeatsNumber, wholeValue)
	case why == engine.ReasonMaxRepeats && r.unreachable:
		r.report(FinishUnreachable, ColumnFinishDate, wholeValue)
	}
}

// outlives reports whether the horizon lies after the card's last day.
func (r *reader) outlives(card cardMonth) bool { return card != 0 && card < r.horizonMonth }

// checkCard reports the first charge after the card's last day, up to the horizon (L31).
func (r *reader) checkCard(card cardMonth) {
	if !r.outlives(card) {
		return
	}
	for c := range r.plan.Charges(calendar.Through(card.last().AddDays(1), r.opts.Horizon)) {
		n := strconv.FormatUint(c.Repeat, 10)
		r.report(CardExpiresBeforeCharge, ColumnExpireYear, wholeValue).Message =
			"the card expires before charge " + strconv.FormatUint(c.Repeat+1, 10) + " (repeat " + n + ") on " + c.Date.String()
		return
	}
}
