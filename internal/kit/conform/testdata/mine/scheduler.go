package mine

import "time"

// A Profile is charged a price every so many days, weeks or months, counted from Start, or from Created where that is
// zero: up to Max times if Limited, and not after Finish, if there is one. Created is the first day with a charge.
type Profile struct {
	Created, Start, Finish time.Time
	Period                 string // "day", "week", "month", or "" for no schedule
	Interval               int
	Max                    uint64
	Limited                bool
	Price                  string
}

// A Charge has a number, counted from 0.
type Charge struct {
	Number uint64
	Day    time.Time
	Price  string
}

// Charges are the charges from a day to a day, both included.
func Charges(p Profile, from, to time.Time) []Charge {
	var list []Charge
	if p.Start.IsZero() {
		p.Start = p.Created
	}
	number := uint64(0)
	for k := 0; p.Period != "" && (!p.Limited || number < p.Max); k++ {
		day := due(p, k)
		if day.After(to) || !p.Finish.IsZero() && day.After(p.Finish) {
			break
		}
		if day.Before(p.Created) {
			continue
		}
		if !day.Before(from) {
			list = append(list, Charge{number, day, p.Price})
		}
		number++
	}
	return list
}

// due is the due day with a number, counted from the start. A month that lacks the day has it on its last one.
func due(p Profile, k int) time.Time {
	year, month, day := p.Start.Date()
	n := k * min(p.Interval, 4_000_000) // further than any calendar goes
	switch p.Period {
	case "day":
		day += n
	case "week":
		day += 7 * n
	case "month":
		month += time.Month(n)
		day = min(day, time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC).Day())
	}
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}
