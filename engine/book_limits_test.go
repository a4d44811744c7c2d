package engine_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/race"
)

// everyDay returns a profile that charges every day from start on.
func everyDay(start calendar.Date, currency, money string) engine.Profile {
	return engine.Profile{
		ID: "order", Kind: engine.KindSource, Currency: currency, Start: start, Unit: calendar.UnitDay, Interval: 1,
		Amounts: amount.Fixed(amount.MustParse(money)),
	}
}

func addTo(t *testing.T, book *engine.Book, list ...engine.Profile) {
	t.Helper()
	for _, p := range list {
		if err := book.Add(engine.Stored{Profile: p}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestMoneyBeyond128Bits: the largest amount and the smallest unit, each charged 2^50 times on one day,
// come to a sum of more than 2^170 of those units, which is exact.
func TestMoneyBeyond128Bits(t *testing.T) {
	day := calendar.MustParse("2026-01-01")
	book := newBook(t, engine.Policy{}, engine.Scope{AsOf: day, Window: calendar.Through(day, day)})
	addTo(t, book, everyDay(day, "EUR", "9223372036854775807"), everyDay(day, "EUR", "0.000000000000000001"))
	const doublings = 50
	for range doublings {
		if err := book.Merge(book); err != nil {
			t.Fatal(err)
		}
	}
	want := new(big.Int).Exp(big.NewInt(10), big.NewInt(18), nil)
	want.Mul(want, big.NewInt(9223372036854775807))
	want.Add(want, big.NewInt(1))
	want.Lsh(want, doublings)
	if want.BitLen() <= 170 {
		t.Fatalf("only %d bits", want.BitLen())
	}
	for total := range book.Totals(engine.ByDay) {
		sum := total.Max.Decimal()
		if got := sum.Shift(18).BigInt(); total.Charges != 2<<doublings || got.Cmp(want) != 0 || sum.Exponent() != -18 {
			t.Errorf("%v, want %v of 10^-18", total.Tally, want)
		}
	}
}

// TestTotalsEndWithTheCalendar: charges that would be dated after 9999-12-31 do not exist.
func TestTotalsEndWithTheCalendar(t *testing.T) {
	asOf := calendar.MustParse("9999-10-31")
	book := newBook(t, engine.Policy{}, engine.Scope{AsOf: asOf}) // to the end of the calendar
	monthly := everyDay(asOf, "EUR", "1.00")
	monthly.Unit, monthly.Interval = calendar.UnitMonth, 1
	far := everyDay(asOf, "EUR", "1.00")
	far.Unit, far.Interval = calendar.UnitMonth, 1_000_000
	addTo(t, book, everyDay(calendar.MustParse("9999-12-01"), "EUR", "1.00"), monthly, far)
	var got []uint64
	for total := range book.Totals(engine.ByMonth) {
		got = append(got, total.Charges)
	}
	if len(got) != 3 || got[0] != 2 || got[1] != 1 || got[2] != 31+1 {
		t.Errorf("October to December: %d charges, want 2, 1, 32", got)
	}
}

// TestAHundredCurrencies: each currency keeps its own sums, in order of the codes.
func TestAHundredCurrencies(t *testing.T) {
	day := calendar.MustParse("2026-01-01")
	book := newBook(t, engine.Policy{}, engine.Scope{AsOf: day, Window: calendar.Through(day, day.AddDays(1))})
	code := func(i int) string { return string([]byte{'A' + byte(i/10), 'A' + byte(i%10), 'X'}) }
	for round := range 3 {
		for i := range 100 {
			j := (i*37 + round) % 100
			money, _ := amount.FromMinor(int64(1+j), 2)
			addTo(t, book, everyDay(day, code(j), money.String()))
		}
	}
	n := 0
	for total := range book.Totals(engine.ByDay) {
		want, _ := amount.FromMinor(int64(3*(1+n%100)), 2)
		if total.Currency != code(n%100) || total.Charges != 3 || total.Max.String() != want.String() {
			t.Errorf("%d: %s %v, want %s", n, total.Currency, total.Tally, want)
		}
		n++
	}
	if n != 200 {
		t.Errorf("%d totals, want 200", n)
	}
}

// TestAMillionOneDayProfiles: profiles with one charge each, spread over five years, leave a cell a day.
func TestAMillionOneDayProfiles(t *testing.T) {
	const profiles, days = 1_000_000, 1826
	first := calendar.MustParse("2026-01-01")
	book := newBook(t, engine.Policy{}, engine.Scope{AsOf: first, Window: calendar.Through(first, first.AddDays(days-1))})
	p := everyDay(first, "EUR", "2.50")
	p.MaxRepeats = engine.AtMost(1)
	for i := range profiles {
		p.Start = first.AddDays(i % days)
		addTo(t, book, p)
	}
	n, charges := 0, uint64(0)
	for total := range book.Totals(engine.ByDay) {
		want := uint64(profiles / days)
		if n < profiles%days {
			want++
		}
		if total.Charges != want || total.Period != first.AddDays(n) {
			t.Fatalf("%v: %d charges, want %d", total.Period, total.Charges, want)
		}
		n++
		charges += want
	}
	if n != days || charges != profiles {
		t.Errorf("%d days, %d charges", n, charges)
	}
}

// TestOpenWindowByMonth: a few profiles without an end come to totals by month of 8,000 years in about a
// second, where a part of 840 bytes once took 14 (G19).
func TestOpenWindowByMonth(t *testing.T) {
	asOf := calendar.MustParse("2026-01-01")
	book := newBook(t, engine.Policy{}, engine.Scope{AsOf: asOf, Draws: true, Explain: true})
	for i := range 20 {
		p := everyDay(asOf.AddDays(i), "EUR", "1.00")
		p.Amounts, _ = amount.Range(amount.MustParse("1.00"), amount.MustParse("5.00"), "EUR")
		p.Interval = 1 + i
		addTo(t, book, p)
	}
	began, n := time.Now(), 0
	for range book.Totals(engine.ByMonth) {
		n++
	}
	if took := time.Since(began); n != 12*(9999-2025) || took > 10*time.Second && !race.Enabled {
		t.Errorf("%d months in %v", n, took)
	}
}
