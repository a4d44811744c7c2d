package pages

import (
	"net/url"
	"strconv"

	"github.com/chargecast/chargecast/calendar"
)

// A clockBar is the day of the clock and where its buttons lead. Each names the day that it leads
// to, not a number of days: a form that is sent twice moves the clock once.
type clockBar struct {
	Now, Weekday     string
	Day, Month, Year string // one day, one month and one year later; empty at the end of the calendar
	Last             string // the last day that one move can go to
}

// maxDays is how far the admin interface moves the clock in one call.
const maxDays = 366

func clockBarOf(now string) clockBar {
	d, err := calendar.Parse(now)
	if err != nil {
		return clockBar{} // of a page that failed before the clock was read
	}
	later := func(d calendar.Date) string {
		if !d.IsDay() {
			return ""
		}
		return d.String()
	}
	c := clockBar{Now: now, Weekday: d.Weekday().String(), Day: later(d.AddDays(1)), Month: later(d.AddMonths(1)), Year: later(d.AddMonths(12))}
	if c.Last = later(d.AddDays(maxDays)); c.Last == "" {
		c.Last = calendar.MaxDate().String()
	}
	return c
}

// DayType is the type of the field for a day: a browser drops from one for dates what is none, also
// what was typed.
func (f *frame) DayType() string {
	if text := f.Typed("clock", "date", ""); text != "" {
		if _, err := calendar.Parse(text); err != nil {
			return "text"
		}
	}
	return "date"
}

// moveClock moves the clock to a day: that of the button, or that of the field.
func (v *pageRequest) moveClock() (string, error) {
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
