package calendar

import "strconv"

// Schedule is the series of dates that begins with a start date and repeats every interval units up
// to 9999-12-31 (2.2.1, 2.2.2). Its dates are numbered from 0. A Schedule is immutable and safe to
// copy and share; two of them are == when they were made from equal arguments. [NewSchedule] makes
// one, and so does [Schedule.UnmarshalJSON]. The zero Schedule has no dates.
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
	gaps     gaps  // the slots without a date
}

// A slot is a month of the grid: the start month + j·interval, with j from 0. Every slot has one
// date, except under MonthEndSkip, where only the slots whose month has the day do. So "slot"
// counts months of the grid, and "k" counts dates.

// maxStep is a step, in days or months, that no two days of the calendar are apart.
const maxStep = lastDay

// NewSchedule returns the schedule that begins on start and repeats every interval units. The error
// is an [*Error] that unwraps to [ErrStart] for the zero start, [ErrUnit] for UnitNone and for a
// unit outside the list, [ErrInterval] for an interval below 1 (ledger L56b), and [ErrMonthEnd] for
// a month end outside the list. There is no upper limit for the interval: where the second date
// would lie past 9999-12-31, the start is the only date.
func NewSchedule(start Date, unit Unit, interval int, end MonthEnd) (Schedule, error) {
	switch {
	case start.n == 0:
		return Schedule{}, refuse(ErrStart, "start")
	case unit < UnitDay || unit > UnitMonth:
		return Schedule{}, refuse(ErrUnit, "unit")
	case interval < 1:
		return Schedule{}, refuse(ErrInterval, "interval")
	case end > MonthEndOverflow:
		return Schedule{}, refuse(ErrMonthEnd, "month-end")
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
	s.count = (lastMonth-s.month)/s.step + 1
	if s.end != MonthEndSkip || day <= 28 {
		return
	}
	s.gaps = newGaps(month, int(s.step), day)
	if s.gaps.period != 0 {
		s.count = int32(s.gaps.datesBefore(int(s.count)))
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

// Len returns the number of dates up to 9999-12-31: 1 or more, or 0 for the zero Schedule.
func (s Schedule) Len() int { return int(s.count) }

// At returns date number k, counted from 0, in constant time, and whether there is one: there is
// none for a negative k and past 9999-12-31 (ledger L32). Under MonthEndSkip a month without the
// day uses up no number.
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

// place returns the day number of date k or, for months, the index of the month of its slot.
func (s *Schedule) place(k int) int32 {
	if s.unit != UnitMonth {
		return s.start.n + int32(k)*s.step
	}
	if s.gaps.period != 0 {
		k = s.gaps.slotOf(k)
	}
	return s.month + int32(k)*s.step
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

// Index returns the number of the first date on or after d, in constant time, and whether d is that
// date. After the last date it returns [Schedule.Len] and false, for the zero Date 0 and false.
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

// monthlyIndex is Index for months and for a d on or after the start.
func (s *Schedule) monthlyIndex(d Date) (k int, on bool) {
	month, day := d.monthAndDay()
	slot := (int32(month) - s.month) / s.step
	if s.gaps.period != 0 {
		return s.indexAmongGaps(int(slot), month, day)
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
func (s *Schedule) indexAmongGaps(slot, month, day int) (k int, on bool) {
	if int(s.month)+slot*int(s.step) != month || day > int(s.day) {
		return s.gaps.datesBefore(slot + 1), false
	}
	return s.gaps.datesBefore(slot), day == int(s.day)
}

// Count returns the number of dates in the window, in constant time.
func (s Schedule) Count(w Window) int {
	end := int(s.count)
	if w.To.n != 0 {
		end, _ = s.Index(w.To)
	}
	begin, _ := s.Index(w.From)
	return max(end-begin, 0)
}

// String returns the schedule in words, as "every month from 2026-01-31, clamp" or "every 2 weeks
// from 2026-01-31"; the month end is given for months only. The zero Schedule is "no dates".
func (s Schedule) String() string {
	if s.count == 0 {
		return "no dates"
	}
	text := "every " + s.unit.String()
	if s.interval > 1 {
		text = "every " + strconv.Itoa(s.interval) + " " + s.unit.String() + "s"
	}
	text += " from " + s.start.String()
	if s.unit == UnitMonth {
		text += ", " + s.end.String()
	}
	return text
}

// MarshalJSON returns an object with the arguments of [NewSchedule]:
//
//	{"start":"2026-01-31","unit":"month","interval":1,"month-end":"clamp"}
//
// The zero Schedule is {}. The error is always nil.
func (s Schedule) MarshalJSON() ([]byte, error) {
	if s.count == 0 {
		return []byte("{}"), nil
	}
	b := appendMember([]byte{'{'}, "start", s.start.String())
	b = appendMember(b, "unit", s.unit.String())
	b = strconv.AppendInt(append(b, `,"interval":`...), int64(s.interval), 10)
	return append(appendMember(b, "month-end", s.end.String()), '}'), nil
}

// UnmarshalJSON reads what [Schedule.MarshalJSON] writes; month-end may be left out and is then
// clamp. It refuses other members and a member given twice ([ErrMember]), values of another type
// ([ErrType]), texts that [Date.UnmarshalText], [ParseUnit] and [ParseMonthEnd] refuse, and
// arguments that [NewSchedule] refuses. On an error s stays as it was.
func (s *Schedule) UnmarshalJSON(b []byte) error {
	var start Date
	var unit Unit
	var interval int
	var end MonthEnd
	members := 0
	err := readMembers(b, func(name string, value []byte) error {
		members++
		switch name {
		case "start":
			return readText(value, &start)
		case "unit":
			return readText(value, &unit)
		case "interval":
			return readNumber(value, &interval)
		case "month-end":
			return readText(value, &end)
		}
		return ErrMember
	})
	var read Schedule
	if err == nil && members > 0 {
		read, err = NewSchedule(start, unit, interval, end)
	}
	if err == nil {
		*s = read
	}
	return err
}
