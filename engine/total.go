package engine

import (
	"cmp"
	"iter"
	"maps"
	"math/bits"
	"slices"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/strictjson"
	"github.com/chargecast/chargecast/ledger"
)

// A Total is what the charges of one currency in one period come to.
type Total struct {
	// Period is the first day of the period, as [By.Period] returns it.
	Period   calendar.Date
	Currency string
	amount.Tally
	Because ledger.Because // what the charges rest on, where that is kept
}

// Equal reports whether two totals are the same as written.
func (t Total) Equal(o Total) bool {
	return t.Period == o.Period && t.Currency == o.Currency && t.Tally.Equal(o.Tally) && t.Because == o.Because
}

// A totalJSON is a Total as it is written.
type totalJSON struct {
	Date     calendar.Date  `json:"date,omitzero"`
	Currency string         `json:"currency"`
	Total    amount.Tally   `json:"total" strict:"required"`
	Because  ledger.Because `json:"because,omitzero"`
}

var totalForm = strictjson.FormOf[totalJSON]()

// MarshalJSON returns an object with the first day of the period as "date", "currency", the tally as
// "total" and the ids of Because, if there are any. The error is always nil.
func (t Total) MarshalJSON() ([]byte, error) {
	return totalForm.Append(nil, &totalJSON{t.Period, t.Currency, t.Tally, t.Because}), nil
}

// UnmarshalJSON reads what MarshalJSON writes, and nothing else. After an error t is as it was.
func (t *Total) UnmarshalJSON(data []byte) error {
	var v totalJSON
	if err := totalForm.Read(data, &v); err != nil {
		return err
	}
	*t = Total{v.Date, v.Currency, v.Total, v.Because}
	return nil
}

// compare orders totals by period, then currency.
func (t *Total) compare(o *Total) int {
	return cmp.Or(t.Period.Compare(o.Period), cmp.Compare(t.Currency, o.Currency))
}

func (t *Total) merge(o *Total) {
	t.Tally.Merge(o.Tally)
	t.Because = t.Because.And(o.Because)
}

// Days are the totals of some profiles by day, in order of day, then currency: what a [Portfolio] comes
// to, in a form that can be kept, sent and added up.
type Days []Total

// Merge adds other totals up with d. The error is [ErrPortfolioFull]; d is then unchanged.
func (d *Days) Merge(o Days) error {
	size, fits := d.Charges()
	more, bothFit := o.Charges()
	if _, carry := bits.Add64(size, more, 0); carry != 0 || !fits || !bothFit {
		return ErrPortfolioFull
	}
	a, sum := *d, make(Days, 0, max(len(*d), len(o)))
	for len(a) > 0 || len(o) > 0 {
		switch {
		case len(o) == 0 || len(a) > 0 && a[0].compare(&o[0]) < 0:
			sum, a = append(sum, a[0]), a[1:]
		case len(a) == 0 || a[0].compare(&o[0]) > 0:
			sum, o = append(sum, o[0]), o[1:]
		default:
			sum = append(sum, a[0])
			sum[len(sum)-1].merge(&o[0])
			a, o = a[1:], o[1:]
		}
	}
	*d = sum
	return nil
}

// Charges returns the number of all attempts, and false for 2^64 or more.
func (d Days) Charges() (n uint64, ok bool) {
	for i := range d {
		for _, more := range [...]uint64{d[i].Charges, d[i].Declined.Charges} {
			var carry uint64
			if n, carry = bits.Add64(n, more, 0); carry != 0 {
				return 0, false
			}
		}
	}
	return n, true
}

// IsSorted reports whether the totals are in order, one for each day and currency.
func (d Days) IsSorted() bool {
	for i := range d {
		if i > 0 && d[i-1].compare(&d[i]) >= 0 {
			return false
		}
	}
	return true
}

// Totals yields the totals by day, week, month, quarter or weekday: in order of that, then currency.
// ByCharge and ByProfile are not periods and yield nothing.
func (d Days) Totals(by By) iter.Seq[Total] { return by.sum(slices.Values(d)) }

// sum adds up totals by day.
func (b By) sum(days iter.Seq[Total]) iter.Seq[Total] {
	if b == ByDay {
		return days
	}
	return func(yield func(Total) bool) {
		if b.Period(calendar.MinDate()).IsZero() {
			return
		}
		type key struct {
			period   calendar.Date
			currency string
		}
		open := map[key]*Total{} // of the period, or by weekday of all
		last := calendar.Date{}
		flush := func() bool {
			list := slices.SortedFunc(maps.Values(open), (*Total).compare)
			clear(open)
			for _, t := range list {
				if !yield(*t) {
					return false
				}
			}
			return true
		}
		for day := range days {
			day.Period = b.Period(day.Period)
			if day.Period != last && b != ByWeekday && !flush() {
				return
			}
			last = day.Period
			at := key{day.Period, day.Currency}
			if open[at] == nil {
				open[at] = &Total{Period: day.Period, Currency: day.Currency}
			}
			open[at].merge(&day)
		}
		flush()
	}
}
