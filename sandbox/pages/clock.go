package pages

import (
	"net/url"
	"strconv"

	"github.com/chargecast/chargecast/calendar"
)

// A clockBar is the day of the clock and where its buttons lead. Each names the day that it leads
// to, not a number of days: a form that is sent twice moves the clock once.
type clockBar struct {
	Now, Weekday string
	Day, Month   string // one day and one month later; empty at the end of the calendar
	Last         string // day of the calendar
}

func clockBarOf(now string) clockBar {
	d, err := calendar.Parse(now)
	if err != nil {
		return clockBar{} // of a page that failed before the clock was read
	}
	c := clockBar{Now: now, Weekday: d.Weekday().String(), Last: calendar.MaxDate().String()}
	c.Day = d.AddDays(1).String()
	if months, err := calendar.NewSchedule(d, calendar.UnitMonth, 1, calendar.MonthEndClamp); err == nil {
		if later, ok := months.At(1); ok {
			c.Month = later.String()
		}
	}
	return c
}

// DayType is the type of the field for a day: a browser drops from one for dates what is none, also what was typed.
func (f *frame) DayType() string {
	if text := f.Typed("clock", "date", ""); text != "" {
		if _, err := calendar.Parse(text); err != nil {
			return "text"
		}
	}
	return "date"
}

// moveClock moves the clock to a day: that of the button, or that of the field.
func (v *visit) moveClock() (string, error) {
	to := v.form.Get("to")
	if to == "" {
		to = v.form.Get("date")
	}
	var done struct{ Charges, Stops, Callbacks int }
	if err := v.post("clock", map[string]string{"to": to}, &done); err != nil {
		return "", err
	}
	q := url.Values{"done": {"clock"}}
	for name, n := range map[string]int{"charges": done.Charges, "stops": done.Stops, "callbacks": done.Callbacks} {
		q.Set(name, strconv.Itoa(n))
	}
	return v.back() + "?" + q.Encode(), nil
}
