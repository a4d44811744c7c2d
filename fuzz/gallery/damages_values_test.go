package gallery

import (
	"errors"
	"iter"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/fuzz/laws"
)

var errDamaged = errors.New("refused")

// A bent grid is our own with other answers; those that are nil stay.
type bent struct {
	laws.Grid
	at    func(k int) (calendar.Date, bool)
	index func(d calendar.Date) (int, bool)
	from  func(k int) iter.Seq2[int, calendar.Date]
}

func (b bent) At(k int) (calendar.Date, bool) {
	if b.at == nil {
		return b.Grid.At(k)
	}
	return b.at(k)
}

func (b bent) Index(d calendar.Date) (int, bool) {
	if b.index == nil {
		return b.Grid.Index(d)
	}
	return b.index(d)
}

func (b bent) From(k int) iter.Seq2[int, calendar.Date] {
	if b.from == nil {
		return b.Grid.From(k)
	}
	return b.from(k)
}

// bending is our own calendar with bent grids.
func bending(bend func(b *bent)) laws.Impl {
	return gridded(func(start calendar.Date, unit calendar.Unit, interval int, end calendar.MonthEnd) (laws.Grid, error) {
		g, err := laws.Ours().NewGrid(start, unit, interval, end)
		if err != nil {
			return nil, err
		}
		b := bent{Grid: g}
		bend(&b)
		return b, nil
	})
}

type newGrid = func(start calendar.Date, unit calendar.Unit, interval int, end calendar.MonthEnd) (laws.Grid, error)

func gridded(made newGrid) laws.Impl {
	return ours(func(i *laws.Impl) { i.NewGrid = made })
}

// moving is our own calendar with each date moved.
func moving(move func(k int, d calendar.Date) calendar.Date) laws.Impl {
	return bending(func(b *bent) {
		b.at = func(k int) (calendar.Date, bool) {
			d, ok := b.Grid.At(k)
			if !ok {
				return d, ok
			}
			d = move(k, d)
			return d, !d.IsZero()
		}
	})
}

func calendarDamages() []damage {
	right := laws.Ours()
	dates := func(make func(year int, month time.Month, day int) (calendar.Date, error)) laws.Impl {
		return ours(func(i *laws.Impl) { i.NewDate = make })
	}
	// As under the Julian calendar, which has a 29 February in 2100.
	julian := moving(func(_ int, d calendar.Date) calendar.Date {
		if year, _, _ := d.Date(); year > 2100 {
			return d.AddDays(-1)
		}
		return d
	})
	return []damage{
		{"C01", "29 February 2000 is no day", dates(func(year int, month time.Month, day int) (calendar.Date, error) {
			if year%100 == 0 && month == time.February && day == 29 {
				return calendar.Date{}, errDamaged
			}
			return right.NewDate(year, month, day)
		})},
		{"C02", "days one too late", dates(func(year int, month time.Month, day int) (calendar.Date, error) {
			d, err := right.NewDate(year, month, day)
			return d.AddDays(1), err
		})},
		{"C04", "years without zeros in front", ours(func(i *laws.Impl) {
			i.FormatDate = func(d calendar.Date) string { return strings.TrimLeft(right.FormatDate(d), "0") }
		})},
		{"C05", "one digit for a day is enough", ours(func(i *laws.Impl) {
			i.ParseDotted = func(s string) (calendar.Date, error) {
				at, err := time.Parse("2.1.2006", s)
				if err != nil {
					return calendar.Date{}, err
				}
				return calendar.Of(at), nil
			}
		})},
		{"C06", "days run over into the next month", dates(func(year int, month time.Month, day int) (calendar.Date, error) {
			return calendar.Of(time.Date(year, month, day, 0, 0, 0, 0, time.UTC)), nil
		})},
		{"C13", "there is a date before the first", bending(func(b *bent) {
			b.at = func(k int) (calendar.Date, bool) { return b.Grid.At(max(k, 0)) }
		})},
		{"C14", "each seventh date is left out", bending(func(b *bent) {
			b.at = func(k int) (calendar.Date, bool) {
				if k < 0 || k > 1<<27 {
					return b.Grid.At(k)
				}
				return b.Grid.At(k + k/6)
			}
		})},
		{"C15", "next-first is overflow", gridded(func(start calendar.Date, unit calendar.Unit, interval int, end calendar.MonthEnd) (laws.Grid, error) {
			if end == calendar.MonthEndNextFirst {
				end = calendar.MonthEndOverflow
			}
			return right.NewGrid(start, unit, interval, end)
		})},
		{"C17", "a week has eight days", gridded(func(start calendar.Date, unit calendar.Unit, interval int, end calendar.MonthEnd) (laws.Grid, error) {
			if unit == calendar.UnitWeek && interval < 1<<27 {
				unit, interval = calendar.UnitDay, 8*interval
			}
			return right.NewGrid(start, unit, interval, end)
		})},
		{"C18", "2100 has a leap day", julian},
		{"C19", "2100 has a leap day", julian},
		{"C20", "no date on a Sunday", moving(func(_ int, d calendar.Date) calendar.Date {
			if d.Weekday() == time.Sunday {
				return d.AddDays(1)
			}
			return d
		})},
		{"C22", "dates are counted from 1", bending(func(b *bent) {
			b.index = func(d calendar.Date) (int, bool) {
				k, on := b.Grid.Index(d)
				return k + 1, on
			}
		})},
		{"C25", "from the date after", bending(func(b *bent) {
			b.from = func(k int) iter.Seq2[int, calendar.Date] { return b.Grid.From(k + 1) }
		})},
		{"C26", "a century at most", moving(func(_ int, d calendar.Date) calendar.Date {
			if year, _, _ := d.Date(); year > 2100 {
				return calendar.Date{}
			}
			return d
		})},
		{"C31", "overflow is clamped", gridded(func(start calendar.Date, unit calendar.Unit, interval int, end calendar.MonthEnd) (laws.Grid, error) {
			if end == calendar.MonthEndOverflow {
				end = calendar.MonthEndClamp
			}
			return right.NewGrid(start, unit, interval, end)
		})},
		{"C32", "interval 0 is 1", gridded(func(start calendar.Date, unit calendar.Unit, interval int, end calendar.MonthEnd) (laws.Grid, error) {
			if interval == 0 {
				interval = 1
			}
			return right.NewGrid(start, unit, interval, end)
		})},
	}
}

func amountDamages() []damage {
	right := laws.Ours()
	bounds := func(change func(s amount.Choice, repeat uint64) (low, high amount.Amount)) laws.Impl {
		return ours(func(i *laws.Impl) { i.Bounds = change })
	}
	return []damage{
		{"K03", "the error of package strconv is passed on", ours(func(i *laws.Impl) {
			right := i.ParseAmount
			i.ParseAmount = func(text string) (amount.Amount, error) {
				a, err := right(text)
				if _, other := strconv.Atoi(text); err != nil {
					err = errors.Join(err, other)
				}
				return a, err
			}
		})},
		{"A05", "the sign of a decimal is lost", ours(func(i *laws.Impl) {
			i.FromDecimal = func(d decimal.Decimal) (amount.Amount, error) { return right.FromDecimal(d.Abs()) }
		})},
		{"A08", "an amount beside a sequence wins", applies(func(apply applyEvent, s engine.Stored, e engine.Event, p engine.Policy) ([]engine.Effect, engine.Stored, error) {
			if e.Set.Amount.Given && !e.Set.Amount.Removed {
				e.Set.Sequence = engine.Change[[]amount.Amount]{}
			}
			return apply(s, e, p)
		})},
		{"A09", "a fixed amount ends with the numbers", bounds(func(s amount.Choice, repeat uint64) (low, high amount.Amount) {
			if s.Kind() == amount.KindFixed && repeat+1 == 0 {
				return amount.Amount{}, amount.Amount{}
			}
			return right.Bounds(s, repeat)
		})},
		{"A12", "from and to are swapped", bounds(func(s amount.Choice, repeat uint64) (low, high amount.Amount) {
			low, high = right.Bounds(s, repeat)
			return high, low
		})},
		{"A15", "another stream of draws", draws(func(r amount.Choice, seed uint64, profile string, repeat uint64) amount.Amount {
			return right.Draw(r, seed+1, profile, repeat)
		})},
		{"A18", "a charge of the total is lost from 100.00 on", foreseen(func(f *laws.Forecast, _ gen.Job) {
			total := f.Total
			f.Total = func(w calendar.Window) laws.Total {
				t := total(w)
				for c := range f.Charges(w) {
					if most := amount.MustParse("100.00"); c.Max.Compare(most) > 0 {
						t.Max = t.Min
					}
					break
				}
				return t
			}
		})},
		{"A20", "converted before its length is looked at", ours(func(i *laws.Impl) {
			i.ParseAmount = func(s string) (amount.Amount, error) {
				if _, ok := new(big.Int).SetString(strings.Replace(s, ".", "", 1), 10); !ok {
					return amount.Amount{}, errDamaged
				}
				return right.ParseAmount(s)
			}
		})},
	}
}

// quantileDamages are wrong in one of the ways in which distributions go wrong.
func quantileDamages() []damage {
	right := laws.Ours().Quantiles
	change := func(each func(runs []gen.RangeRun, percent string) string) laws.Impl {
		return ours(func(i *laws.Impl) {
			i.Quantiles = func(runs []gen.RangeRun, percents []string) (sums []string, normal bool) {
				sums, normal = right(runs, percents)
				for i := range sums {
					sums[i] = each(runs, percents[i])
				}
				return sums, normal
			}
		})
	}
	of := func(runs []gen.RangeRun, percent string) string {
		sums, _ := right(runs, []string{percent})
		return sums[0]
	}
	drawn := func(bend func(r *gen.RangeRun)) laws.Impl {
		return change(func(runs []gen.RangeRun, percent string) string {
			runs = slices.Clone(runs)
			for i := range runs {
				bend(&runs[i])
			}
			return of(runs, percent)
		})
	}
	return []damage{
		{"O11", "all quantiles are the median", change(func(runs []gen.RangeRun, _ string) string { return of(runs, "50") })},
		{"O11", "the first draw of each run alone", drawn(func(r *gen.RangeRun) { r.N = 1 })},
		{"O11", "a window of one value more", drawn(func(r *gen.RangeRun) {
			scale := r.Choice().Scale()
			next := amount.MustParse(r.To.Decimal().Add(decimal.New(1, int32(-scale))).StringFixed(int32(scale)))
			r.To = next
		})},
		{"O11", "draws of two values are left out", drawn(func(r *gen.RangeRun) {
			if r.Choice().Values() == 2 {
				r.To = r.From
			}
		})},
		{"O11", "the order of the charges counts", change(func(runs []gen.RangeRun, percent string) string {
			if len(runs) > 1 && runs[0].From.Compare(runs[1].From) > 0 {
				runs = runs[1:]
			}
			return of(runs, percent)
		})},
		{"O11", "the greatest sum below instead of the least above", change(func(runs []gen.RangeRun, percent string) string {
			if percent == "50" {
				percent = "49.99"
			}
			return of(runs, percent)
		})},
		{"O11", "a normal approximation of every total", change(normalQuantile)},
		{"O11", "a normal approximation that is not named", ours(func(i *laws.Impl) {
			i.Quantiles = func(runs []gen.RangeRun, percents []string) ([]string, bool) {
				sums, _ := right(runs, percents)
				return sums, false
			}
		})},
	}
}

// normalQuantile is a quantile of the normal distribution of a total, between its ends.
func normalQuantile(runs []gen.RangeRun, percent string) string {
	var total amount.Total
	scale, variance := 0, 0.0
	for _, r := range runs {
		total.AddRun(r.Choice(), 0, r.N)
		scale = max(scale, r.Choice().Scale())
		values, step := float64(r.Choice().Values()), math.Pow10(-r.Choice().Scale())
		variance += float64(r.N) * (values*values - 1) * step * step / 12
	}
	unit := math.Pow10(-scale)
	p, _ := strconv.ParseFloat(percent, 64)
	sum := total.Mean().InexactFloat64() - unit/2 + math.Sqrt(2*variance)*math.Erfinv(p/50-1)
	low, high := total.Min.Decimal(), total.Max.Decimal()
	switch {
	case sum <= low.InexactFloat64():
		return low.String()
	case sum >= high.InexactFloat64():
		return high.String()
	}
	return strconv.FormatFloat(math.Ceil(sum/unit)*unit, 'f', scale, 64)
}
