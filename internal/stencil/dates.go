package stencil

import "github.com/chargecast/chargecast/calendar"

// Dates keeps the texts of dates, since the charges of a portfolio share a few thousand of them. It
// has room for five years: of two days that are a multiple of keptDays apart it keeps the later
// asked for.
type Dates struct{ kept [keptDays]dated }

// keptDays is a power of two.
const keptDays = 2048

// A dated is a day and its text. The zero value is free.
type dated struct {
	day  calendar.Date
	text [dateLength]byte
}

// at returns where the text of a day is kept, which may be that of another day.
func (k *Dates) at(d calendar.Date) *dated { return &k.kept[uint(d.Sub(calendar.Date{}))%keptDays] }

func (t *dated) set(d calendar.Date) {
	t.day = d
	d.Append(t.text[:0])
}
