package calendar

// Schedule is the series of dates that begins with a start and repeats every interval units up to 9999-12-31 (2.2.1,
// 2.2.2). Dates are numbered from 0. The value is immutable, comparable with == (equal arguments, equal schedules) and
// safe to copy and share; only [NewSchedule] makes one. The zero Schedule has no date.
type Schedule struct {
	start    Date
	unit     Unit
	end      MonthEnd
	day      uint8 // UnitMonth: the day of the month that the start asks for
	slack    uint8 // UnitMonth: how many days past its month's end a date may lie
	interval int
	step     int32 // days between dates, or months between slots; capped at limit
	month    int32 // UnitMonth: index of the start's month
	count    int32 // the dates up to 9999-12-31
	gaps     gaps  // the slots without a date
}

// A slot is a month of the grid: start month + j·interval, j from 0. Every slot has one date, except under MonthEndSkip, where the
// dates are the slots that have the day. So "slot" counts months of the grid and "k" counts dates.

// limit is a step that leaves the calendar at once, in days as in months; a longer one does the same.
const limit = lastDay

// NewSchedule returns the schedule that begins on start and repeats every interval units. It fails, with a
// *[ScheduleError], for the zero start, for UnitNone, for an interval below 1 (ledger L56b) and for values outside the two
// enumerations, and only then; nothing fails afterwards (C32). An interval of any size is fine: one that leaves the
// calendar at once leaves the start as the only date.
func NewSchedule(start Date, unit Unit, interval int, end MonthEnd) (Schedule, error) {
	switch {
	case start.n == 0:
		return Schedule{}, &ScheduleError{Part: "start", Err: ErrStart}
	case unit < UnitDay || unit > UnitMonth:
		return Schedule{}, &ScheduleError{Part: "unit", Err: ErrUnit}
	case interval < 1:
		return Schedule{}, &ScheduleError{Part: "interval", Err: ErrInterval}
	case end > MonthEndOverflow:
		return Schedule{}, &ScheduleError{Part: "month-end", Err: ErrMonthEnd}
	}
	s := Schedule{start: start, unit: unit, interval: interval, end: end, step: int32(min(interval, limit))}
	switch unit {
	case UnitMonth:
		s.layMonths()
	case UnitWeek:
		s.layDays(7)
	default:
		s.layDays(1)
	}
	return s, nil
}

func (s *Schedule) layDays(daysPerUnit int32) {
	s.step = min(s.step*daysPerUnit, limit)
	s.count = (lastDay-s.start.n)/s.step + 1
}

func (s *Schedule) layMonths() {
	month, day := s.start.monthAndDay()
	s.month, s.day = int32(month), uint8(day)
	switch s.end {
	case MonthEndNextFirst:
		s.slack = 1
	case MonthEndOverflow:
		s.slack = 3
	}
	s.count = (lastMonth-s.month)/s.step + 1
	if s.end != MonthEndSkip || day <= 28 {
		return
	}
	s.gaps = newGaps(month, int(s.step), day)
	if s.gaps.period != 0 {
		s.count = int32(s.gaps.datesBefore(int(s.count)))
	}
}

// Start returns date 0; the zero Date for the zero Schedule.
func (s Schedule) Start() Date { return s.start }

// Unit returns the unit; UnitNone for the zero Schedule.
func (s Schedule) Unit() Unit { return s.unit }

// Interval returns how many units lie between two dates, 1 or more; 0 for the zero Schedule.
func (s Schedule) Interval() int { return s.interval }

// MonthEnd returns the month end that was asked for, which days and weeks carry without use.
func (s Schedule) MonthEnd() MonthEnd { return s.end }

// Len returns the number of dates up to 9999-12-31: 1 or more, 0 for the zero Schedule (C26).
func (s Schedule) Len() int { return int(s.count) }

// At returns date k, counted from 0, in constant time. It is false for a negative k and past 9999-12-31 (C07 to C13, ledger
// L32). Under MonthEndSkip k counts the dates that exist (C11).
func (s Schedule) At(k int) (Date, bool) {
	if k < 0 || k >= int(s.count) {
		return Date{}, false
	}
	place := s.place(k)
	if s.unit != UnitMonth {
		return Date{place}, true
	}
	return s.inMonth(place), true
}

// place returns where date k lies: its day, or under UnitMonth the month of its slot.
func (s *Schedule) place(k int) int32 {
	if s.unit != UnitMonth {
		return s.start.n + int32(k)*s.step
	}
	if s.gaps.period != 0 {
		k = s.gaps.slotOf(k)
	}
	return s.month + int32(k)*s.step
}

// inMonth returns the date of a slot, which must have one. Year and month are divided out once, for the first day and for
// the length alike: that is most of what a date costs.
func (s *Schedule) inMonth(month int32) Date {
	y, m := uint32(month)/12, uint32(month)%12
	day := int32(s.day)
	if day > 28 {
		day = min(day, lengthIn(y, m)+int32(s.slack))
	}
	return Date{firstOf(y, m) + day - 1}
}

// Index returns the number of the first date on or after d, and whether it is d itself, in constant time (C21). It is
// [Schedule.Len] and false after the last date, 0 and false for the zero Date.
func (s Schedule) Index(d Date) (k int, on bool) {
	switch {
	case s.count == 0 || d.n < s.start.n:
		return 0, false
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

// monthlyIndex is Index for a d on or after the start.
func (s *Schedule) monthlyIndex(d Date) (k int, on bool) {
	month, day := d.monthAndDay()
	slot := (int32(month) - s.month) / s.step
	if s.gaps.period != 0 {
		return s.indexAmongGaps(int(slot), month, day)
	}
	// No slot after this one begins by d, but the one before may reach over the end of its month, by slack days.
	if day <= int(s.slack) && slot > 0 {
		if before := s.inMonth(s.month + (slot-1)*s.step); before.n >= d.n {
			return int(slot) - 1, before == d
		}
	}
	date := s.inMonth(s.month + slot*s.step)
	if date.n < d.n {
		return int(slot) + 1, false
	}
	return int(slot), date == d
}

// indexAmongGaps counts the dates before a day of some month; slot is the last one that begins by then.
func (s *Schedule) indexAmongGaps(slot, month, day int) (k int, on bool) {
	if int(s.month)+slot*int(s.step) != month || day > int(s.day) {
		return s.gaps.datesBefore(slot + 1), false
	}
	return s.gaps.datesBefore(slot), day == int(s.day)
}

// Count returns the number of dates in the window, in constant time; 0 for an empty one (C23).
func (s Schedule) Count(w Window) int {
	end := int(s.count)
	if w.To.n != 0 {
		end, _ = s.Index(w.To)
	}
	begin, _ := s.Index(w.From)
	return max(end-begin, 0)
}
