package report

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
)

func sumOf(s string) amount.Sum {
	sum, err := amount.ParseSum(s)
	if err != nil {
		panic(err)
	}
	return sum
}

// TestShare compares with fractions.
func TestShare(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	sums := []string{"0", "0.00", "0.01", "1", "1.5", "99.99", "100", "100.00", "123456789012345678901234567890.123", "0.000000000000000001"}
	for range 2000 {
		a, b, n := sums[r.IntN(len(sums))], sums[r.IntN(len(sums))], 1+r.IntN(500)
		got := share(sumOf(a), sumOf(b), n)
		x, _ := new(big.Rat).SetString(a)
		y, _ := new(big.Rat).SetString(b)
		want := 0
		if x.Sign() > 0 && y.Sign() > 0 {
			x.Quo(x, y).Mul(x, big.NewRat(int64(n), 1)).Add(x, big.NewRat(1, 2))
			floor := new(big.Int).Quo(x.Num(), x.Denom())
			want = n
			if floor.IsInt64() {
				want = max(1, int(min(int64(n), floor.Int64())))
			}
		}
		if got != want {
			t.Fatalf("%s of %s in %d steps: %d, want %d", a, b, n, got, want)
		}
	}
}

// TestHeat: the level is the quarter of the most that the charges of a day come to.
func TestHeat(t *testing.T) {
	charges := func(n int, each string) cell {
		var c cell
		for range n {
			c.Add(amount.MustParse(each), amount.MustParse(each))
		}
		return c
	}
	first := calendar.MustParse("2026-01-31")
	days := func(cells ...cell) map[calendar.Date]*cell {
		m := map[calendar.Date]*cell{}
		for i := range cells {
			m[first.AddDays(i)] = &cells[i]
		}
		return m
	}
	one := &account{currency: "EUR", days: days(cell{}, charges(1, "10.00"), charges(1, "25.00"), charges(1, "25.01"), charges(2, "25.00"), charges(3, "25"), charges(1, "75.01"), charges(1, "100.00"))}
	h := newHeat([]*account{one}, first, 9)
	for i, want := range []int{0, 1, 1, 2, 2, 3, 4, 4, 0} {
		if got := h.level(i); got != want {
			t.Errorf("money of day %d: level %d, want %d", i, got, want)
		}
	}
	if top := h.top(new(page)); top != "100.00 EUR" {
		t.Errorf("top %q", top)
	}
	h = newHeat([]*account{one, {currency: "USD", days: days(charges(4, "1.00"))}}, first, 9)
	for i, want := range []int{4, 1, 1, 1, 2, 3, 1, 1, 0} {
		if got := h.level(i); got != want {
			t.Errorf("charges of day %d: level %d, want %d", i, got, want)
		}
	}
	if top := h.top(new(page)); top != "4 charges" {
		t.Errorf("top %q", top)
	}
}

func TestGrouped(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"0", "0"}, {"999.99", "999.99"}, {"1000", "1\u202f000"}, {"123456.789", "123\u202f456.789"}, {"1234567", "1\u202f234\u202f567"},
	} {
		if got := grouped(c.text); got != c.want {
			t.Errorf("%s: %q", c.text, got)
		}
	}
	for _, c := range []struct{ a, b, want string }{{"1", "1.00", "0"}, {"2.50", "1", "+1.50"}, {"1", "1001.5", "−1\u202f000.5"}} {
		if got := difference(sumOf(c.a), sumOf(c.b)); got != c.want {
			t.Errorf("%s - %s: %q", c.a, c.b, got)
		}
	}
}

// TestPageSums: whatever is charged is found again, once, by month, by quarter and in the total,
// also beyond the limits.
func TestPageSums(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 25 {
		s := &sheet{head: record.Header{AsOf: calendar.MustParse("2026-01-31").AddDays(r.IntN(500))}}
		p := newPage(s)
		count, byMonth := map[string]uint64{}, map[string]uint64{}
		for range 400 {
			c := engine.Charge{Date: p.first().AddDays(r.IntN(60_000) >> r.IntN(10)), Min: amount.MustParse("1.00"), Max: amount.MustParse("2.00")}
			currency := string(rune('A' + r.IntN(maxCurrencies+5)))
			p.start(&record.Profile{Subject: record.Subject{Currency: currency}})
			p.charge(&c)
			count[currency]++
			byMonth[currency+c.Date.String()[:7]]++
		}
		all := p.sums.left
		months, quarters := map[string]uint64{}, map[string]uint64{}
		for _, x := range p.sums.periods() {
			if isQuarter(x.name) {
				quarters[x.currency] += x.Charges
				continue
			}
			if months[x.currency] += x.Charges; x.Charges != byMonth[x.currency+x.name] || x.Max.Compare(x.largest) > 0 {
				t.Fatalf("%s in %s: %d charges, want %d", x.currency, x.name, x.Charges, byMonth[x.currency+x.name])
			}
		}
		for _, a := range p.sums.accounts {
			total := a.total()
			all += total.Charges
			if n := months[a.currency]; total.Charges != count[a.currency] || n+a.beyond.Charges != total.Charges || quarters[a.currency] != n {
				t.Fatalf("%s: %d charges, %d by month, %d by quarter, %d beyond, want %d", a.currency, total.Charges, n, quarters[a.currency], a.beyond.Charges, count[a.currency])
			}
		}
		if all != 400 {
			t.Fatalf("%d charges", all)
		}
	}
}
