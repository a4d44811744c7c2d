package laws

import (
	"iter"
	"time"

	"github.com/chargecast/chargecast/calendar"
)

// A Grid is a series of recurring dates under test.
type Grid interface {
	At(k int) (calendar.Date, bool)
	Index(d calendar.Date) (k int, on bool)
	Count(w calendar.Window) int
	From(k int) iter.Seq2[int, calendar.Date]
}

// A CalendarImpl is the calendar of an implementation.
type CalendarImpl struct {
	DaysIn      func(year int, month time.Month) int
	NewDate     func(year int, month time.Month, day int) (calendar.Date, error)
	DateOf      func(time.Time) calendar.Date
	ParseDate   func(string) (calendar.Date, error) // 2026-01-31
	ParseDotted func(string) (calendar.Date, error) // 31.01.2026
	FormatDate  func(calendar.Date) string
	NewGrid     func(start calendar.Date, unit calendar.Unit, interval int, end calendar.MonthEnd) (Grid, error)
}

func ourCalendar() CalendarImpl {
	return CalendarImpl{
		DaysIn:      calendar.DaysIn,
		NewDate:     calendar.New,
		DateOf:      calendar.Of,
		ParseDate:   calendar.Parse,
		ParseDotted: calendar.ParseDotted,
		FormatDate:  calendar.Date.String,
		NewGrid: func(start calendar.Date, unit calendar.Unit, interval int, end calendar.MonthEnd) (Grid, error) {
			s, err := calendar.NewSchedule(start, unit, interval, end)
			if err != nil {
				return nil, err
			}
			return s, nil
		},
	}
}
