package engine_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
)

func januaryScope() engine.Scope {
	return engine.Scope{AsOf: day("2026-01-01"), Window: calendar.Through(day("2026-01-01"), day("2026-01-31"))}
}

func TestScopeOfABookIsChecked(t *testing.T) {
	for field, err := range map[string]error{
		"as-of":     fails(engine.New(engine.Policy{}).NewBook(engine.Scope{})),
		"month-end": fails(engine.New(engine.Policy{MonthEnd: 9}).NewBook(januaryScope())),
	} {
		var e *engine.Error
		if !errors.As(err, &e) || e.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}

func fails(b *engine.Book, err error) error {
	if b != nil {
		return nil
	}
	return err
}

// TestBooksOfOtherScopesDoNotMerge: the error names what differs, for each member of the scope and each key of
// the policy, and a book that was read back is of the scope and policy that it was written with.
func TestBooksOfOtherScopesDoNotMerge(t *testing.T) {
	right := januaryScope()
	others := map[string]*engine.Book{}
	for field, change := range map[string]func(*engine.Scope){
		"as-of":   func(s *engine.Scope) { s.AsOf = s.AsOf.AddDays(1) },
		"window":  func(s *engine.Scope) { s.Window.To = s.Window.To.AddDays(1) },
		"draws":   func(s *engine.Scope) { s.Draws = true },
		"explain": func(s *engine.Scope) { s.Explain = true },
	} {
		other := right
		change(&other)
		others[field] = randomBook(t, rand.New(rand.NewPCG(1, 1)), engine.Policy{}, other, 3)
	}
	for c := range engine.Keys() {
		others[c.Key()] = randomBook(t, rand.New(rand.NewPCG(1, 1)), engine.Policy{}.WithReading(c, 1), right, 3)
	}
	if len(others) != 17 {
		t.Fatalf("%d scopes", len(others))
	}
	b := randomBook(t, rand.New(rand.NewPCG(1, 1)), engine.Policy{}, right, 3)
	before := totalsOf(b)
	for field, o := range others {
		sent, _ := throughJSON(t, o)
		for _, err := range []error{b.Merge(o), o.Merge(b), b.Merge(sent), sent.Merge(b)} {
			if !errors.Is(err, engine.ErrBookScope) || !strings.HasPrefix(err.Error(), field+": ") {
				t.Errorf("%s: %v", field, err)
			}
		}
		if err := sent.Merge(o); err != nil {
			t.Errorf("%s: read back it does not merge: %v", field, err)
		}
	}
	if !sameTotals(totalsOf(b), before) {
		t.Error("a book that is refused changes the other")
	}
}

func TestZeroBookTakesNothing(t *testing.T) {
	var b engine.Book
	for _, err := range []error{b.Add(engine.Stored{Profile: daily()}), b.AddCharge("EUR", engine.Charge{Date: day("2026-01-01")}), b.Merge(newBook(t, engine.Policy{}, januaryScope()))} {
		if err == nil {
			t.Error("the zero book takes a profile, a charge or a book")
		}
	}
	if err := b.Merge(new(engine.Book)); err != nil {
		t.Error(err)
	}
	for range b.Totals(engine.ByDay) {
		t.Error("the zero book has a total")
	}
	if text, err := json.Marshal(&b); err == nil {
		t.Errorf("%s", text)
	}
}

// TestEmptyWindowHasNoTotals: neither an empty window nor what is no period has totals.
func TestEmptyWindowHasNoTotals(t *testing.T) {
	s := januaryScope()
	s.Window = calendar.Window{From: day("2026-02-01"), To: day("2026-01-01")}
	p := newBook(t, engine.Policy{}, s)
	c := engine.Charge{Date: day("2026-02-01")}
	if err := errors.Join(p.Add(engine.Stored{Profile: daily()}), p.AddCharge("EUR", c)); err != nil {
		t.Fatal(err)
	}
	if list := slices.Collect(p.Totals(engine.ByDay)); len(list) > 0 {
		t.Errorf("an empty window has %v", list)
	}
	full := randomBook(t, rand.New(rand.NewPCG(1, 1)), engine.Policy{}, januaryScope(), 5)
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
	p := newBook(t, engine.Policy{}, januaryScope())
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
	if err := p.AddCharge("EUR", c); !errors.Is(err, amount.ErrOrder) {
		t.Errorf("a charge with swapped bounds: %v", err)
	}
	if !sameTotals(totalsOf(p), before) {
		t.Error("a refused profile changes the book")
	}
}

// TestBookIsFullBeforeACountWraps: nothing more is added to a book of 2^64-1 charges.
func TestBookIsFullBeforeACountWraps(t *testing.T) {
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
	one := newBook(t, engine.Policy{}, januaryScope())
	if err := one.AddCharge("EUR", c); err != nil {
		t.Fatal(err)
	}
	for reason, err := range map[string]error{
		"a profile":      full.Add(engine.Stored{Profile: prof}),
		"a charge":       full.AddCharge("EUR", c),
		"another charge": full.Merge(one),
	} {
		if !errors.Is(err, engine.ErrBookFull) {
			t.Errorf("%s: %v", reason, err)
		}
	}
	if !sameTotals(totalsOf(full), before) {
		t.Error("what is refused changes the book")
	}
	if back, _ := throughJSON(t, full); !errors.Is(back.Merge(one), engine.ErrBookFull) || !sameTotals(totalsOf(back), before) {
		t.Errorf("read back it is %v", totalsOf(back))
	}
}

// TestBookCountsTheChargesOfItsWindow: those before the window take no room.
func TestBookCountsTheChargesOfItsWindow(t *testing.T) {
	scope := januaryScope()
	scope.Window = calendar.Through(day("2026-01-11"), day("2026-01-14"))
	p := daily()
	p.Start = day("2026-01-01")
	book, power := newBook(t, engine.Policy{}, scope), newBook(t, engine.Policy{}, scope)
	if err := book.Add(engine.Stored{Profile: p}); err != nil {
		t.Fatal(err)
	}
	c := engine.Charge{Date: day("2026-01-12"), Min: amount.MustParse("0"), Max: amount.MustParse("0")}
	if err := power.AddCharge("EUR", c); err != nil {
		t.Fatal(err)
	}
	for bit := range 64 { // all of 2^64-1 but the four of the profile
		if bit != 2 {
			if err := book.Merge(power); err != nil {
				t.Fatalf("2^%d more: %v", bit, err)
			}
		}
		_ = power.Merge(power) // the last of them is refused
	}
	if err := book.AddCharge("EUR", c); !errors.Is(err, engine.ErrBookFull) {
		t.Errorf("one more: %v", err)
	}
}

// filledWith returns a book with 2^64-1 times a charge, added one power of two after the other.
func filledWith(t *testing.T, c engine.Charge) *engine.Book {
	t.Helper()
	full, power := newBook(t, engine.Policy{}, januaryScope()), newBook(t, engine.Policy{}, januaryScope())
	if err := power.AddCharge("EUR", c); err != nil {
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

// TestBookCountsByOutcome: declined attempts are separate, and charges after the card's expiry
// count twice: among all, and on their own.
func TestBookCountsByOutcome(t *testing.T) {
	p := newBook(t, engine.Policy{}, januaryScope())
	ten := amount.MustParse("10.0")
	for _, c := range []engine.Charge{
		{Date: day("2026-01-02"), Min: ten, Max: ten},
		{Date: day("2026-01-02"), Min: ten, Max: ten, CardExpired: true},
		{Date: day("2026-01-02"), Min: ten, Max: amount.MustParse("20.00"), CardExpired: true, Outcome: engine.OutcomeDeclined},
		{Date: day("2026-02-02"), Min: ten, Max: ten},
	} {
		if err := p.AddCharge("EUR", c); err != nil {
			t.Fatal(err)
		}
	}
	var lines []string
	for total := range p.Totals(engine.ByWeek) {
		lines = append(lines, total.Period.String(), total.Tally.Total.String(), total.Declined.String(), total.CardExpired.String())
	}
	want := []string{"2025-12-29", "2 charges, 20.0", "1 charge, 10.0 to 20.00, mean 15.00", "1 charge, 10.0"}
	if !slices.Equal(lines, want) {
		t.Errorf("%q, want %q", lines, want)
	}
}

// TestBookKeepsDraws: its totals have quantiles by one call, and none where the draws were not kept
// (G12).
func TestBookKeepsDraws(t *testing.T) {
	for _, draws := range []bool{true, false} {
		s := januaryScope()
		s.Draws = draws
		p := newBook(t, engine.Policy{}, s)
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

// TestBookRefusesOtherJSON: what is not a book, or one that no charges make, is an error and changes nothing.
func TestBookRefusesOtherJSON(t *testing.T) {
	s := januaryScope()
	s.Draws = true
	book := newBook(t, engine.Policy{}, s)
	r, err := amount.Range(amount.MustParse("1.00"), amount.MustParse("5.00"), "EUR")
	if err != nil {
		t.Fatal(err)
	}
	p := daily()
	p.Start, p.Amounts, p.CardExpires, p.MaxRepeats = s.AsOf, r, s.AsOf, engine.AtMost(2)
	if err := book.Add(engine.Stored{Profile: p}); err != nil {
		t.Fatal(err)
	}
	_, text := throughJSON(t, book)
	change := func(old, with string) string {
		if !strings.Contains(text, old) {
			t.Fatalf("%s has no %s", text, old)
		}
		return strings.Replace(text, old, with, 1)
	}
	for reason, text := range map[string]string{
		"nothing":                        "",
		"null":                           "null",
		"an empty object":                "{}",
		"cut":                            text[:len(text)-3],
		"another version":                change("book/1", "book/2"),
		"another schema":                 change("chargecast.book/1", "chargecast.stored/1"),
		"without a schema":               change(`"schema":"chargecast.book/1",`, ""),
		"an unknown member":              change(`"days"`, `"more":1,"days"`),
		"without an as-of day":           change(`"as_of":"2026-01-01",`, ""),
		"without a policy":               change(`"policy":`, `"reading":`),
		"an unknown reading":             change(`"month-end":"clamp"`, `"month-end":"x"`),
		"a window that begins after it":  change(`"from":"2026-01-01"`, `"from":"2026-03-01"`),
		"a window without a beginning":   change(`"from":"2026-01-01",`, ""),
		"a day outside the window":       change(`"date":"2026-01-02"`, `"date":"2026-02-02"`),
		"days in another order":          change(`"date":"2026-01-01"`, `"date":"2026-01-03"`),
		"a day twice":                    change(`"date":"2026-01-01"`, `"date":"2026-01-02"`),
		"draws that are not kept":        change(`"draws":true`, `"draws":false`),
		"without draws":                  change(`,"draws":[{"values":401,"scale":2,"charges":1}]`, ""),
		"clauses that are not kept":      change(`"currency":"EUR",`, `"because":["2.2.5"],"currency":"EUR",`),
		"a sum that contradicts":         change(`"min":"1.00"`, `"min":"9.00"`),
		"a total of nothing":             change(`"charges":1`, `"charges":0`),
		"more than all after the expiry": change(`"card_expired":{"charges":1,"min":"1.00","max":"5.00"`, `"card_expired":{"charges":1,"min":"2.00","max":"6.00"`),
		"other draws after the expiry":   change(`"card_expired":{"charges":1,"min":"1.00","max":"5.00","mean":"3.00","draws":[{"values":401,"scale":2`, `"card_expired":{"charges":1,"min":"1.00","max":"5.00","mean":"3.00","draws":[{"values":4001,"scale":3`),
	} {
		err := json.Unmarshal([]byte(text), book)
		if err == nil {
			t.Errorf("%s is read: %s", reason, text)
		}
		if code := map[string]ledger.Code{"another version": "schema-later", "another schema": "schema-missing", "without a schema": "schema-missing", "an empty object": "schema-missing"}[reason]; code != "" && !errors.Is(err, code) {
			t.Errorf("%s: %v", reason, err)
		}
		if _, again := throughJSON(t, book); again == "" || len(totalsOf(book)) != 2 {
			t.Errorf("%s changes the book", reason)
		}
	}
	for _, v := range []any{engine.Book{}, new(engine.Book), struct{ *engine.Book }{new(engine.Book)}} {
		if text, err := json.Marshal(v); err == nil {
			t.Errorf("the zero book is written as %s", text)
		}
	}
	if value, err := json.Marshal(*book); err != nil || string(value) != text {
		t.Errorf("a copy of the book is written as %s, %v", value, err)
	}
}

// TestQuantilesOfABookCostWhatIsPutOut: with a day a row was made of every range on every day of the window,
// whatever the totals were by, so that 200 ranges over an open window were not done in ten minutes.
func TestQuantilesOfABookCostWhatIsPutOut(t *testing.T) {
	from := day("2026-01-01")
	const years, ranges = 50, 200
	totals := func(draws bool) (rows int, took time.Duration) {
		book := newBook(t, engine.Policy{}, engine.Scope{AsOf: from, Window: calendar.Window{From: from, To: from.AddMonths(12 * years)}, Draws: draws})
		for i := range ranges {
			p := daily()
			p.Start = from
			p.Amounts, _ = amount.Range(amount.MustParse("1.00"), amount.MustParse(fmt.Sprintf("%d.00", 2+i)), "EUR")
			if err := book.Add(engine.Stored{Profile: p}); err != nil {
				t.Fatal(err)
			}
		}
		took = time.Hour
		for range 5 {
			began, n := time.Now(), 0
			for total := range book.Totals(engine.ByMonth) {
				n++
				if draws && len(total.Draws()) != ranges {
					t.Fatalf("%v has %d ranges", total.Period, len(total.Draws()))
				}
			}
			rows, took = n, min(took, time.Since(began))
		}
		return rows, took
	}
	plain, without := totals(false)
	rows, with := totals(true)
	if rows != 12*years || plain != rows {
		t.Fatalf("%d and %d rows", rows, plain)
	}
	t.Logf("%v without draws, %v with", without, with)
	if with > 30*time.Second { // it was not done in minutes
		t.Errorf("%v for %d rows of %d ranges", with, rows, ranges)
	}
}
