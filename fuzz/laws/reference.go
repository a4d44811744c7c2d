package laws

import (
	"errors"
	"iter"
	"math/big"
	"regexp"
	"strconv"
	"strings"
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

var amountForm = regexp.MustCompile(`\A[0-9]+(\.[0-9]+)?\z`)

// maxAmountText is the longest text that an implementation has to convert; a longer one
// may be refused unread (A20).
const maxAmountText = 64

// ReferenceAmounts are amounts by expressions, fractions and loops.
func ReferenceAmounts() AmountImpl {
	return AmountImpl{
		ParseAmount:    parseByExpression,
		FormatAmount:   formatByText,
		CompareAmounts: func(a, b amount.Amount) int { return AtomsOf(a).Cmp(AtomsOf(b)) },
		Sum: func(list []amount.Amount) string {
			sum, scale := new(big.Int), 0
			for _, a := range list {
				sum.Add(sum, AtomsOf(a))
				scale = max(scale, a.Scale())
			}
			return RatOfAtoms(sum).FloatString(scale)
		},
		Bounds:     boundsByWalk,
		Draw:       ourAmounts().Draw, // the mixing is a promise, not a law
		TotalOf:    TotalByLoop,
		MinorUnits: amount.MinorUnits, // the table is data
	}
}

// RatOf is the value of an amount as a fraction.
func RatOf(a amount.Amount) *big.Rat {
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(a.Scale())), nil)
	return new(big.Rat).SetFrac(big.NewInt(a.Coefficient()), scale)
}

// AtomsOf is an amount in units of 10^-MaxScale, which every amount is a whole number of.
func AtomsOf(a amount.Amount) *big.Int {
	atoms, ten := big.NewInt(a.Coefficient()), int64(1)
	for range amount.MaxScale - a.Scale() {
		ten *= 10
	}
	return atoms.Mul(atoms, big.NewInt(ten))
}

// RatOfAtoms is a number of atoms as a fraction.
func RatOfAtoms(atoms *big.Int) *big.Rat {
	return new(big.Rat).SetFrac(atoms, big.NewInt(1_000_000_000_000_000_000))
}

func parseByExpression(s string) (amount.Amount, error) {
	if len(s) > maxAmountText || !amountForm.MatchString(s) {
		return amount.Amount{}, errReference
	}
	whole, fraction, _ := strings.Cut(s, ".")
	coef, ok := new(big.Int).SetString(whole+fraction, 10)
	if !ok || !coef.IsInt64() || len(fraction) > amount.MaxScale {
		return amount.Amount{}, errReference
	}
	return amount.FromMinor(coef.Int64(), len(fraction))
}

func formatByText(a amount.Amount) string { return RatOf(a).FloatString(a.Scale()) }

// boundsByWalk walks down a sequence, one element a repeat, and stays on the last.
func boundsByWalk(s amount.Choice, repeat uint64) (min, max amount.Amount) {
	at := uint64(0)
	for at < repeat && at+1 < uint64(s.Len()) {
		at++
	}
	return s.Bounds(at)
}

// TotalByLoop adds charge after charge.
func TotalByLoop(s amount.Choice, first, n uint64) Total {
	least, most, scale := new(big.Int), new(big.Int), 0
	for i := range n {
		from, to := boundsByWalk(s, first+i)
		least.Add(least, AtomsOf(from))
		most.Add(most, AtomsOf(to))
		scale = max(scale, from.Scale(), to.Scale())
	}
	low, high := RatOfAtoms(least), RatOfAtoms(most)
	mean := new(big.Rat).Add(low, high)
	mean.Quo(mean, big.NewRat(2, 1))
	return Total{n, low.FloatString(scale), high.FloatString(scale), Shortest(mean, scale)}
}

// Shortest writes x with scale decimals, or one more where it needs that.
func Shortest(x *big.Rat, scale int) string {
	text := x.FloatString(scale)
	if exact, _ := new(big.Rat).SetString(text); exact.Cmp(x) == 0 {
		return text
	}
	return x.FloatString(scale + 1)
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
	g := oracle.Grid{
		Anchor:   oracle.At(gen.DayNumber(start)),
		Unit:     oracle.Unit(unit),
		Interval: int64(interval),
		End:      oracle.MonthEnd(end),
	}
	return Walk{g.Days()}, nil
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
