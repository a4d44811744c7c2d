package calendar

import (
	"iter"

	"github.com/chargecast/chargecast/internal/fault"
)

// Schedule is the series of dates that begins with a start date and repeats every interval units up
// to 9999-12-31 (2.2.1, 2.2.2). Its dates are numbered from 0. A Schedule is immutable and safe to
// copy and share; two of them are == when they were made from equal arguments. [NewSchedule] makes
// one. The zero Schedule has no dates.
type Schedule struct {
	start    Date
	unit     Unit
	end      MonthEnd
	day      uint8 // months: the day of the month of the start
	slack    uint8 // months: how many days after the end of its month a date may lie
	interval int
	step     int32 // days between dates, or months between slots; at most maxStep
	month    int32 // months: the index of the start's month
	count    int32 // the number of dates up to 9999-12-31
	cycle    int32 // the slots after which those without a date come again; 0 if all have one
}

// A slot is a month of the grid: the start month + j·interval, with j from 0. Every slot has one
// date, except under MonthEndSkip, where only the slots whose month has the day do. So "slot"
// counts months of the grid, and "k" counts dates.

// maxStep is a step, in days or months, that no two days of the calendar are apart.
const maxStep = lastDay

// NewSchedule returns the schedule that begins on start and repeats every interval units. The error
// is an [*Error] that unwraps to [ErrStart] for a start that is not a day, [ErrUnit] for UnitNone and
// for a unit outside the list, [ErrInterval] for an interval below 1 (ledger L56b), and
// [ErrMonthEnd] for a month end outside the list. There is no upper limit for the interval: where
// the second date would lie past 9999-12-31, the start is the only date.
func NewSchedule(start Date, unit Unit, interval int, end MonthEnd) (Schedule, error) {
	switch {
	case !start.IsDay():
		return Schedule{}, fault.Refuse(ErrStart, "start")
	case unit < UnitDay || unit > UnitMonth:
		return Schedule{}, fault.Refuse(ErrUnit, "unit")
	case interval < 1:
		return Schedule{}, fault.Refuse(ErrInterval, "interval")
	case end > MonthEndOverflow:
		return Schedule{}, fault.Refuse(ErrMonthEnd, "month-end")
	}
	s := Schedule{start: start, unit: unit, interval: interval, end: end, step: int32(min(interval, maxStep))}
	switch unit {
	case UnitMonth:
		s.countMonths()
	case UnitWeek:
		s.countDays(7)
	default:
		s.countDays(1)
	}
	return s, nil
}

// countDays sets the step and the count of a schedule of days or weeks.
func (s *Schedule) countDays(daysPerUnit int32) {
	s.step = min(s.step*daysPerUnit, maxStep)
	s.count = (lastDay-s.start.n)/s.step + 1
}

// countMonths sets all that a monthly schedule keeps.
func (s *Schedule) countMonths() {
	month, day := s.start.monthAndDay()
	s.month, s.day = int32(month), uint8(day)
	switch s.end {
	case MonthEndNextFirst:
		s.slack = 1
	case MonthEndOverflow:
		s.slack = 3
	}
	slots := (lastMonth-s.month)/s.step + 1
	s.count = slots
	if s.end != MonthEndSkip || day <= 28 {
		return
	}
	// Whether a month has day 30 or 31 depends on its name, whether it has day 29 on its year, too.
	if s.cycle = 12; day == 29 {
		s.cycle = 12 * 400
	}
	if s.count = s.datesBefore(slots); s.count == slots {
		s.cycle = 0
	}
}

// Start returns date number 0, or the zero Date for the zero Schedule.
func (s Schedule) Start() Date { return s.start }

// Unit returns the unit, or UnitNone for the zero Schedule.
func (s Schedule) Unit() Unit { return s.unit }

// Interval returns the number of units between two dates, 1 or more, or 0 for the zero Schedule.
func (s Schedule) Interval() int { return s.interval }

// MonthEnd returns the month end given to [NewSchedule]. It has no effect on days and weeks.
func (s Schedule) MonthEnd() MonthEnd { return s.end }

// Equal reports whether s and t were made from equal arguments, as == does; it is for packages that
// look for such a method.
func (s Schedule) Equal(t Schedule) bool { return s == t }

// Len returns the number of dates up to 9999-12-31: 1 or more, or 0 for the zero Schedule.
func (s Schedule) Len() int { return int(s.count) }

// At returns date number k, counted from 0, and whether there is one: there is none for a negative k
// and past 9999-12-31 (ledger L32). Under MonthEndSkip a month without the day uses up no number.
func (s Schedule) At(k int) (Date, bool) {
	if k < 0 || k >= int(s.count) {
		return Date{}, false
	}
	place := s.place(int32(k))
	if s.unit != UnitMonth {
		return Date{place}, true
	}
	return s.inMonth(place), true
}

// place returns the day number of date k or, for months, the index of the month of its slot.
func (s *Schedule) place(k int32) int32 {
	if s.unit != UnitMonth {
		return s.start.n + k*s.step
	}
	if s.cycle != 0 {
		k = s.slotOf(k)
	}
	return s.month + k*s.step
}

// inMonth returns the date of a slot that has one. It divides the month into year and month once,
// for the first day and for the length: that division is most of what a date costs.
func (s *Schedule) inMonth(month int32) Date {
	y, m := uint32(month)/12, uint32(month)%12
	day := int32(s.day)
	if day > 28 {
		day = min(day, lengthIn(y, m)+int32(s.slack))
	}
	return Date{firstOf(y, m) + day - 1}
}

// slotOf returns the slot of date k where slots lack a date.
func (s *Schedule) slotOf(k int32) int32 {
	slot := k
	for {
		missing := k + 1 - s.datesBefore(slot+1)
		if missing == 0 {
			return slot
		}
		slot += missing // each of the missing dates needs one more slot, or several
	}
}

// datesBefore returns the number of dates among the first slots where slots lack a date. It walks
// through one cycle at most, and counts each date as often as its slot comes again.
func (s *Schedule) datesBefore(slots int32) int32 {
	n := int32(0)
	for slot := range min(slots, s.cycle) {
		if s.hasDay(s.month + slot*s.step) {
			n += (slots-slot-1)/s.cycle + 1
		}
	}
	return n
}

// hasDay reports whether a month has the day of the start.
func (s *Schedule) hasDay(month int32) bool { return lengthOf(int(month)) >= int(s.day) }

// From returns the dates from number k on, each with its number, to the end of the calendar. It
// yields nothing where [Schedule.At] has no date: for a negative k and past the last date. The
// sequence can be used any number of times.
func (s Schedule) From(k int) iter.Seq2[int, Date] {
	// The loop moves from slot to slot and takes the day from the start each time, so dates do not
	// drift. It calls yield in one place only, so that the compiler can inline the caller's loop
	// body here and keep its variables in registers: a second call of yield, or passing yield on,
	// makes a date twice as slow.
	return func(yield func(int, Date) bool) {
		if k < 0 || k >= int(s.count) {
			return
		}
		place := s.place(int32(k))
		for i := k; i < int(s.count); i++ {
			date := Date{place}
			if s.unit == UnitMonth {
				date = s.inMonth(place)
			}
			if !yield(i, date) {
				return
			}
			place += s.step
			if s.cycle != 0 {
				place = s.passGaps(place)
			}
		}
	}
}

// passGaps returns the month of the first slot with a date from the given one on. Fewer than 16
// slots in a row have none.
func (s *Schedule) passGaps(month int32) int32 {
	for !s.hasDay(month) {
		month += s.step
	}
	return month
}

// Index returns the number of the first date on or after d, and whether d is that date. After the
// last date it returns [Schedule.Len] and false, for the zero Date 0 and false.
func (s Schedule) Index(d Date) (k int, on bool) {
	switch {
	case s.count == 0 || d.n < s.start.n:
		return 0, false
	case d.n > lastDay:
		return int(s.count), false
	case s.unit == UnitMonth:
		return s.monthlyIndex(d)
	}
	days := d.n - s.start.n
	k = int(days / s.step)
	if days%s.step != 0 {
		return k + 1, false
	}
	return k, true
}

// monthlyIndex is Index for months and for a day on or after the start.
func (s *Schedule) monthlyIndex(d Date) (k int, on bool) {
	month, day := d.monthAndDay()
	slot := (int32(month) - s.month) / s.step
	if s.cycle != 0 {
		return s.indexAmongGaps(slot, int32(month), day)
	}
	// The next slot begins after d, but the date of the month before, where that is a slot, may lie
	// after the end of that month, by at most slack days.
	if s.step == 1 && day <= int(s.slack) {
		if before := s.inMonth(s.month + slot - 1); before.n >= d.n {
			return int(slot) - 1, before == d
		}
	}
	date := s.inMonth(s.month + slot*s.step)
	if date.n < d.n {
		return int(slot) + 1, false
	}
	return int(slot), date == d
}

// indexAmongGaps is monthlyIndex where slots lack a date. The slot is the last one that does not
// begin after the month.
func (s *Schedule) indexAmongGaps(slot, month int32, day int) (k int, on bool) {
	if s.month+slot*s.step != month || day > int(s.day) {
		return int(s.datesBefore(slot + 1)), false
	}
	return int(s.datesBefore(slot)), day == int(s.day)
}

// Count returns the number of dates in the window.
func (s Schedule) Count(w Window) int {
	end := int(s.count)
	if w.To.n != 0 {
		end, _ = s.Index(w.To)
	}
	begin, _ := s.Index(w.From)
	return max(end-begin, 0)
}
