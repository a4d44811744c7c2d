package laws

import (
	"errors"
	"iter"
	"regexp"
	"strconv"
	"time"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/fuzz/oracle"
	"github.com/chargecast/chargecast/signature"
)

// Reference is the slow oracle as an implementation: it passes every law that it covers.
// The functions that it shares with [Ours] are those that no oracle could write in
// another way.
func Reference() Impl {
	return Impl{
		Name:          "reference",
		CalendarImpl:  ReferenceCalendar(),
		AmountImpl:    ReferenceAmounts(),
		EngineImpl:    ReferenceEngine(rightRules()),
		PortfolioImpl: ReferencePortfolios(),
		SignatureImpl: referenceSignatures(),
	}
}

// referenceSignatures are the stage oracle's; it reads no header.
func referenceSignatures() SignatureImpl {
	return SignatureImpl{Encode: oracle.Encode, Decode: func(text string) (string, error) {
		out, err := oracle.Decode(text)
		if err != nil {
			return "", signature.FormEscape
		}
		return out, nil
	}}
}

// maxAmountText is the longest text that an implementation has to convert; a longer one
// may be refused unread (A20).
const maxAmountText = 64

// ReferenceAmounts are amounts by expressions, exact numbers and loops.
func ReferenceAmounts() AmountImpl {
	return AmountImpl{
		ParseAmount:    parseByExpression,
		FormatAmount:   func(a amount.Amount) string { return decimalOf(a).String() },
		CompareAmounts: func(a, b amount.Amount) int { return decimalOf(a).Cmp(decimalOf(b)) },
		Sum: func(list []amount.Amount) string {
			var sum oracle.Decimal
			for _, a := range list {
				sum.Add(decimalOf(a))
			}
			return sum.String()
		},
		Bounds:     boundsByWalk,
		Draw:       ourAmounts().Draw, // the mixing is a promise, not a law
		TotalOf:    totalByLoop,
		MinorUnits: amount.MinorUnits, // the table is data
	}
}

// decimalOf is an amount as the oracle has it.
func decimalOf(a amount.Amount) *oracle.Decimal {
	d := oracle.DecimalOf(a.Coefficient(), a.Scale())
	return &d
}

func parseByExpression(s string) (amount.Amount, error) {
	if len(s) > maxAmountText {
		return amount.Amount{}, errReference
	}
	d, ok := oracle.ParseDecimal(s)
	units, fits := d.Units()
	if !ok || !fits {
		return amount.Amount{}, errReference
	}
	return amount.FromMinor(units, d.Scale())
}

// boundsByWalk walks down a sequence, one element a repeat, and stays on the last.
func boundsByWalk(s amount.Choice, repeat uint64) (min, max amount.Amount) {
	at := uint64(0)
	for at < repeat && at+1 < uint64(s.Len()) {
		at++
	}
	return s.Bounds(at)
}

// totalByLoop adds charge after charge.
func totalByLoop(s amount.Choice, first, n uint64) Total {
	var t oracle.Total
	for i := range n {
		low, high := boundsByWalk(s, first+i)
		t.Add(decimalOf(low), decimalOf(high))
	}
	return totalFromOracle(&t)
}

// totalFromOracle is a total of the oracle in the words of the kit.
func totalFromOracle(t *oracle.Total) Total {
	return Total{t.Charges, t.Min.String(), t.Max.String(), t.Mean()}
}

var errReference = errors.New("refused by the reference")

// ReferenceCalendar is the calendar of the oracle, with texts read by expressions.
func ReferenceCalendar() CalendarImpl {
	return CalendarImpl{
		DaysIn: func(year int, month time.Month) int {
			if year < 1 || year > 9999 || month < 1 || month > 12 {
				return 0
			}
			return int(oracle.DaysIn(int64(year), int64(month)))
		},
		NewDate: func(year int, month time.Month, day int) (calendar.Date, error) {
			return realDay(oracle.DayOf(year, int(month), day))
		},
		DateOf: func(t time.Time) calendar.Date {
			y, m, d := t.Date()
			return gen.DateNumbered(oracle.DayOf(y, int(m), d))
		},
		ParseDate:   parseWith(isoDate, 1, 2, 3),
		ParseDotted: parseWith(dottedDate, 3, 2, 1),
		FormatDate: func(d calendar.Date) string {
			if d.IsZero() {
				return ""
			}
			c := oracle.At(gen.DayNumber(d))
			return time.Date(int(c.Year), time.Month(c.Month), int(c.Date), 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
		},
		NewGrid: referenceGrid,
	}
}

var (
	isoDate    = regexp.MustCompile(`\A([0-9]{4})-([0-9]{2})-([0-9]{2})\z`)
	dottedDate = regexp.MustCompile(`\A([0-9]{2})\.([0-9]{2})\.([0-9]{4})\z`)
)

// parseWith reads a date whose year, month and day are the groups of an expression.
func parseWith(form *regexp.Regexp, year, month, day int) func(string) (calendar.Date, error) {
	return func(s string) (calendar.Date, error) {
		part := form.FindStringSubmatch(s)
		if part == nil {
			return calendar.Date{}, errReference
		}
		return realDay(oracle.DayOf(number(part[year]), number(part[month]), number(part[day])))
	}
}

func number(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}

func realDay(d oracle.Day) (calendar.Date, error) {
	if d == 0 {
		return calendar.Date{}, errReference
	}
	return gen.DateNumbered(d), nil
}

func referenceGrid(start calendar.Date, unit calendar.Unit, interval int, end calendar.MonthEnd) (Grid, error) {
	if start.IsZero() || unit == 0 || unit > calendar.UnitMonth || interval < 1 || end > calendar.MonthEndOverflow {
		return nil, errReference
	}
	return Walk{gen.GridOf(start, unit, interval, end).Days()}, nil
}

// A Walk is a grid that knows nothing but how to go through its dates from the first.
type Walk struct{ Days iter.Seq[oracle.Day] }

// At walks to date k.
func (w Walk) At(k int) (calendar.Date, bool) {
	if k < 0 {
		return calendar.Date{}, false
	}
	for d := range w.Days {
		if k == 0 {
			return gen.DateNumbered(d), true
		}
		k--
	}
	return calendar.Date{}, false
}

// Index walks to the first date from d on.
func (w Walk) Index(d calendar.Date) (k int, on bool) {
	target := gen.DayNumber(d)
	for day := range w.Days {
		if day >= target {
			return k, day == target
		}
		k++
	}
	return k, false
}

// Count walks through the window.
func (w Walk) Count(v calendar.Window) int {
	n := 0
	from, to := gen.DayNumber(v.From), gen.DayNumber(v.To)
	for day := range w.Days {
		if to != 0 && day >= to {
			break
		}
		if day >= from {
			n++
		}
	}
	return n
}

// From walks from date k to the end.
func (w Walk) From(k int) iter.Seq2[int, calendar.Date] {
	return func(yield func(int, calendar.Date) bool) {
		n := 0
		for day := range w.Days {
			if k >= 0 && n >= k && !yield(n, gen.DateNumbered(day)) {
				return
			}
			n++
		}
	}
}
