package engine_test

import (
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
)

func januaryScope() engine.Scope {
	return engine.Scope{AsOf: day("2026-01-01"), Window: calendar.Through(day("2026-01-01"), day("2026-01-31"))}
}

func TestScopeOfPortfolioIsChecked(t *testing.T) {
	for field, s := range map[string]engine.Scope{
		"as-of":     {},
		"month-end": {AsOf: day("2026-01-01"), Policy: engine.Policy{MonthEnd: 9}},
	} {
		var e *engine.Error
		if p, err := engine.NewPortfolio(s); p != nil || !errors.As(err, &e) || e.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}

// TestPortfoliosOfOtherScopesStayApart: the error names what differs, for each member and each key.
func TestPortfoliosOfOtherScopesStayApart(t *testing.T) {
	right := januaryScope()
	others := map[string]engine.Scope{}
	for field, change := range map[string]func(*engine.Scope){
		"as-of":   func(s *engine.Scope) { s.AsOf = s.AsOf.AddDays(1) },
		"window":  func(s *engine.Scope) { s.Window.To = s.Window.To.AddDays(1) },
		"draws":   func(s *engine.Scope) { s.Draws = true },
		"explain": func(s *engine.Scope) { s.Explain = true },
	} {
		other := right
		change(&other)
		others[field] = other
	}
	for c := range engine.Keys() {
		other := right
		other.Policy = other.Policy.WithReading(c, 1)
		others[c.Key()] = other
	}
	if len(others) != 17 {
		t.Fatalf("%d scopes", len(others))
	}
	p := randomBook(t, rand.New(rand.NewPCG(1, 1)), right, 3)
	before := totalsOf(p)
	for field, s := range others {
		o := randomBook(t, rand.New(rand.NewPCG(1, 1)), s, 3)
		for _, err := range []error{p.Merge(o), o.Merge(p)} {
			if !errors.Is(err, engine.ErrPortfolioScope) || !strings.HasPrefix(err.Error(), field+": ") {
				t.Errorf("%s: %v", field, err)
			}
		}
	}
	if !sameTotals(totalsOf(p), before) {
		t.Error("a refused part changes the portfolio")
	}
}

func TestPlanOfAnotherScopeIsRefused(t *testing.T) {
	p := randomBook(t, nil, januaryScope(), 0)
	for field, plan := range map[string]*engine.Plan{
		"as-of":      compile(t, daily(), engine.State{}, "2026-01-02", engine.Policy{}),
		"start-past": compile(t, daily(), engine.State{}, "2026-01-01", engine.Policy{StartPast: engine.StartPastCatchUp}),
	} {
		for _, err := range []error{p.AddPlan(plan), p.AddDrawn(plan, 1)} {
			if !errors.Is(err, engine.ErrPortfolioScope) || !strings.HasPrefix(err.Error(), field+": ") {
				t.Errorf("%s: %v", field, err)
			}
		}
	}
}

func TestZeroPortfolioTakesNothing(t *testing.T) {
	var p engine.Portfolio
	plan := compile(t, daily(), engine.State{}, "2026-01-01", engine.Policy{})
	c := engine.Charge{Date: day("2026-01-01")}
	for _, err := range []error{p.Add(engine.Stored{Profile: daily()}), p.AddPlan(plan), p.AddDrawn(plan, 1), p.AddCharge("EUR", &c)} {
		if err == nil {
			t.Error("the zero portfolio takes a profile or a charge")
		}
	}
	if err := p.Merge(new(engine.Portfolio)); err != nil {
		t.Error(err)
	}
	for range p.Totals(engine.ByDay) {
		t.Error("the zero portfolio has a total")
	}
}

// TestEmptyWindowHasNoTotals: neither an empty window nor what is no period has totals.
func TestEmptyWindowHasNoTotals(t *testing.T) {
	s := januaryScope()
	s.Window = calendar.Window{From: day("2026-02-01"), To: day("2026-01-01")}
	p := randomBook(t, nil, s, 0)
	c := engine.Charge{Date: day("2026-02-01")}
	if err := errors.Join(p.Add(engine.Stored{Profile: daily()}), p.AddCharge("EUR", &c)); err != nil {
		t.Fatal(err)
	}
	if list := slices.Collect(p.Totals(engine.ByDay)); len(list) > 0 {
		t.Errorf("an empty window has %v", list)
	}
	full := randomBook(t, rand.New(rand.NewPCG(1, 1)), januaryScope(), 5)
	for _, by := range []engine.By{engine.ByCharge, engine.ByProfile, 99} {
		for range full.Totals(by) {
			t.Errorf("totals by %v", by)
		}
	}
	for _, by := range periods {
		n := 0
		for range full.Totals(by) {
			if n++; n == 1 {
				break // what follows would panic if the sequence went on
			}
		}
	}
}

// TestRefusedProfileChangesNothing: a profile that is refused leaves no trace, and one like an earlier
// one is checked all the same.
func TestRefusedProfileChangesNothing(t *testing.T) {
	p := randomBook(t, nil, januaryScope(), 0)
	good := engine.Stored{Profile: daily()}
	if err := errors.Join(p.Add(good), p.Add(good)); err != nil {
		t.Fatal(err)
	}
	before := totalsOf(p)
	for field, change := range map[string]func(*engine.Stored){
		"client-orderid": func(s *engine.Stored) { s.Profile.ID = "a\x00" },
		"currency":       func(s *engine.Stored) { s.Profile.Currency = "\xff" },
		"amount":         func(s *engine.Stored) { s.Profile.Amounts = amount.Choice{} },
		"interval":       func(s *engine.Stored) { s.Profile.Interval = -1 },
		"state.repeat":   func(s *engine.Stored) { s.State = engine.State{Status: engine.StatusActive, Repeat: math.MaxUint64} },
	} {
		bad := good
		change(&bad)
		_, want := engine.New(engine.Policy{}).Compile(bad, day("2026-01-01"))
		var e *engine.Error
		if err := p.Add(bad); !errors.As(err, &e) || e.Field != field || err.Error() != want.Error() {
			t.Errorf("%s: %v, want %v", field, err, want)
		}
	}
	c := engine.Charge{Date: day("2026-01-01"), Min: amount.MustParse("2"), Max: amount.MustParse("1")}
	if err := p.AddCharge("EUR", &c); !errors.Is(err, amount.ErrOrder) {
		t.Errorf("a charge with swapped bounds: %v", err)
	}
	if !sameTotals(totalsOf(p), before) {
		t.Error("a refused profile changes the portfolio")
	}
}

// TestPortfolioIsFullBeforeACountWraps: nothing more is added to a portfolio of 2^64-1 charges.
func TestPortfolioIsFullBeforeACountWraps(t *testing.T) {
	largest, err := amount.FromMinor(math.MaxInt64, 0)
	if err != nil {
		t.Fatal(err)
	}
	c := engine.Charge{Date: day("2026-01-02"), Min: largest, Max: largest}
	full := filledWith(t, c)
	want := new(big.Int).SetUint64(math.MaxUint64)
	want.Mul(want, big.NewInt(math.MaxInt64))
	for total := range full.Totals(engine.ByMonth) {
		if total.Charges != math.MaxUint64 || total.Min.String() != want.String() {
			t.Errorf("%v", total)
		}
	}
	before := totalsOf(full)
	prof := daily()
	prof.Start = day("2026-01-01")
	one := randomBook(t, nil, januaryScope(), 0)
	if err := one.AddCharge("EUR", &c); err != nil {
		t.Fatal(err)
	}
	for reason, err := range map[string]error{
		"a profile":      full.Add(engine.Stored{Profile: prof}),
		"a plan":         full.AddPlan(compile(t, prof, engine.State{}, "2026-01-01", engine.Policy{})),
		"a charge":       full.AddCharge("EUR", &c),
		"another charge": full.Merge(one),
	} {
		if !errors.Is(err, engine.ErrPortfolioFull) {
			t.Errorf("%s: %v", reason, err)
		}
	}
	if !sameTotals(totalsOf(full), before) {
		t.Error("what is refused changes the portfolio")
	}
	days := engine.Days(before)
	if err := days.Merge(totalsOf(one)); !errors.Is(err, engine.ErrPortfolioFull) || !sameTotals(days, before) {
		t.Errorf("days: %v", err)
	}
}

// TestPortfolioCountsTheChargesOfItsWindow: those before the window take no room, whichever way the profile is added.
func TestPortfolioCountsTheChargesOfItsWindow(t *testing.T) {
	scope := januaryScope()
	scope.Window = calendar.Through(day("2026-01-11"), day("2026-01-14"))
	p := daily()
	p.Start = day("2026-01-01")
	ranged := p
	ranged.Amounts, _ = amount.Range(amount.MustParse("1.00"), amount.MustParse("5.00"), "EUR")
	for reason, add := range map[string]func(*engine.Portfolio) error{
		"a plan": func(b *engine.Portfolio) error {
			return b.AddPlan(compile(t, p, engine.State{}, "2026-01-01", engine.Policy{}))
		},
		"drawn": func(b *engine.Portfolio) error {
			return b.AddDrawn(compile(t, ranged, engine.State{}, "2026-01-01", engine.Policy{}), 1)
		},
		"profile": func(b *engine.Portfolio) error { return b.Add(engine.Stored{Profile: p}) },
	} {
		book, power := newPortfolio(t, scope), newPortfolio(t, scope)
		if err := add(book); err != nil {
			t.Fatalf("%s: %v", reason, err)
		}
		c := engine.Charge{Date: day("2026-01-12"), Min: amount.MustParse("0"), Max: amount.MustParse("0")}
		if err := power.AddCharge("EUR", &c); err != nil {
			t.Fatal(err)
		}
		for bit := range 64 { // all of 2^64-1 but the four of the profile
			if bit != 2 {
				if err := book.Merge(power); err != nil {
					t.Fatalf("%s: 2^%d more: %v", reason, bit, err)
				}
			}
			_ = power.Merge(power) // the last of them is refused
		}
		if err := book.AddCharge("EUR", &c); !errors.Is(err, engine.ErrPortfolioFull) {
			t.Errorf("%s: one more: %v", reason, err)
		}
	}
}

// TestDaysTwiceAreNotSorted: a day and currency is there once.
func TestDaysTwiceAreNotSorted(t *testing.T) {
	book := newPortfolio(t, januaryScope())
	addTo(t, book, daily())
	days := engine.Days(totalsOf(book))
	if twice := (engine.Days{days[0], days[0]}); !days.IsSorted() || twice.IsSorted() || (engine.Days{days[1], days[0]}).IsSorted() {
		t.Errorf("%v is not sorted, or two of a day are", days)
	}
}

// filledWith returns a portfolio with 2^64-1 times a charge, added one power of two after the other.
func filledWith(t *testing.T, c engine.Charge) *engine.Portfolio {
	t.Helper()
	full, power := randomBook(t, nil, januaryScope(), 0), randomBook(t, nil, januaryScope(), 0)
	if err := power.AddCharge("EUR", &c); err != nil {
		t.Fatal(err)
	}
	for range 64 {
		if err := full.Merge(power); err != nil {
			t.Fatal(err)
		}
		_ = power.Merge(power) // the last of them is refused
	}
	return full
}

// TestPortfolioCountsByOutcome: declined attempts stand apart, and charges after the card's expiry
// count twice: among all, and on their own.
func TestPortfolioCountsByOutcome(t *testing.T) {
	p := randomBook(t, nil, januaryScope(), 0)
	ten := amount.MustParse("10.0")
	for _, c := range []engine.Charge{
		{Date: day("2026-01-02"), Min: ten, Max: ten},
		{Date: day("2026-01-02"), Min: ten, Max: ten, CardExpired: true},
		{Date: day("2026-01-02"), Min: ten, Max: amount.MustParse("20.00"), CardExpired: true, Outcome: engine.OutcomeDeclined},
		{Date: day("2026-02-02"), Min: ten, Max: ten},
	} {
		if err := p.AddCharge("EUR", &c); err != nil {
			t.Fatal(err)
		}
	}
	var lines []string
	for total := range p.Totals(engine.ByWeek) {
		lines = append(lines, total.Period.String(), total.Tally.String())
	}
	want := []string{"2025-12-29", "2 charges, 20.0; declined: 1 charge, 10.0 to 20.00, mean 15.00; after the card's expiry: 1 charge, 10.0"}
	if !slices.Equal(lines, want) {
		t.Errorf("%q, want %q", lines, want)
	}
}

// TestPortfolioKeepsDraws: its totals have quantiles by one call, and none where the draws were not kept
// (G12).
func TestPortfolioKeepsDraws(t *testing.T) {
	for _, draws := range []bool{true, false} {
		s := januaryScope()
		s.Draws = draws
		p := randomBook(t, nil, s, 0)
		var want amount.Total
		for _, bounds := range [][2]string{{"1.0", "5"}, {"1.00", "5.00"}, {"2", "3"}, {"7.0", "7.00"}, {"7", "7"}} {
			r, err := amount.Range(amount.MustParse(bounds[0]), amount.MustParse(bounds[1]), "EUR")
			if err != nil {
				t.Fatal(err)
			}
			prof := daily()
			prof.Start, prof.Amounts, prof.Currency = s.AsOf, r, "EUR"
			if err := p.Add(engine.Stored{Profile: prof}); err != nil {
				t.Fatal(err)
			}
			want.AddRun(r, 0, 31)
		}
		for total := range p.Totals(engine.ByMonth) {
			sums, err := total.Quantiles(50)
			switch {
			case !draws:
				if !errors.Is(err, amount.ErrDraws) {
					t.Errorf("quantiles without draws: %v, %v", sums, err)
				}
			case err != nil || total.Normal() || !total.Tally.Total.Equal(want) || sums[0].String() != string(want.AppendMean(nil)):
				t.Errorf("%v of %v, want %v: %v", sums, total, want, err)
			}
		}
	}
}

// TestCopyOfAPortfolioIsFound: a copy would share half of its state, so that go vet finds it by a field
// with the methods of a lock (G09).
func TestCopyOfAPortfolioIsFound(t *testing.T) {
	for f := range reflect.TypeFor[engine.Portfolio]().Fields() {
		if reflect.PointerTo(f.Type).Implements(reflect.TypeFor[sync.Locker]()) {
			return
		}
	}
	t.Error("a Portfolio has no field that go vet finds copied")
}

// TestPortfolioHasNoJSON: encoding/json would write {} and say nothing.
func TestPortfolioHasNoJSON(t *testing.T) {
	p := randomBook(t, nil, januaryScope(), 0)
	if text, err := json.Marshal(p); err == nil {
		t.Errorf("%s", text)
	}
	if err := json.Unmarshal([]byte("{}"), p); err == nil {
		t.Error("{} is read")
	}
}

// TestPortfolioDrawnInAShorterWindow: the charges of a limit that is reached after the window take no part.
func TestPortfolioDrawnInAShorterWindow(t *testing.T) {
	scope := engine.Scope{AsOf: day("2026-01-01"), Window: calendar.Through(day("2026-01-11"), day("2026-01-15")), Explain: true}
	p := daily()
	p.MaxRepeats = engine.AtMost(8)
	p.Amounts, _ = amount.Range(amount.MustParse("1.00"), amount.MustParse("5.00"), "EUR")
	book := newPortfolio(t, scope)
	if err := book.AddDrawn(compile(t, p, engine.State{}, "2026-01-01", engine.Policy{}), 1); err != nil {
		t.Fatal(err)
	}
	if totals := totalsOf(book); len(totals) != 5 {
		t.Errorf("%d days: %v", len(totals), totals)
	}
}
