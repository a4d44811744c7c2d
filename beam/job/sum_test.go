package job

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
)

func mustDay(s string) calendar.Date {
	d, err := calendar.Parse(s)
	if err != nil {
		panic(err)
	}
	return d
}

// sumOf returns the sum of one shard with a few profiles.
func sumOf(t *testing.T, r *rand.Rand, shard int) Sum {
	t.Helper()
	q := Query{AsOf: mustDay("2026-01-10"), Until: mustDay("2026-12-31"), By: engine.ByDay}
	book, err := q.newBook()
	if err != nil {
		t.Fatal(err)
	}
	rows := 1 + r.IntN(5)
	for i := range rows {
		amounts := amount.Fixed(amount.MustParse([]string{"1.00", "2.50", "7"}[r.IntN(3)]))
		p := engine.Profile{
			ID: fmt.Sprint(shard, "-", i), Kind: engine.KindSource, Currency: "EUR", Amounts: amounts,
			Unit: []calendar.Unit{calendar.UnitDay, calendar.UnitWeek, calendar.UnitMonth}[r.IntN(3)], Interval: 1 + r.IntN(3), Start: mustDay("2026-01-31"),
		}
		if err := book.Add(engine.Stored{Profile: p}); err != nil {
			t.Fatal(err)
		}
	}
	return Sum{book: book, shards: []Tally{{
		Number: shard, Rows: rows, LeftOut: 1, Errors: 1, Input: File{Name: fmt.Sprint(shard), Size: uint64(shard), SHA256: fmt.Sprint(shard), Form: "csv"},
		Codes: []Count{{Code: "interval-value", Severity: ledger.SeverityError, Count: 1, File: fmt.Sprint(shard), Row: 1}},
	}}}
}

// carried sends a sum through its text, as between two workers.
func carried(t *testing.T, s Sum) Sum {
	t.Helper()
	form, err := EncodeSum(s)
	if err != nil {
		t.Fatal(err)
	}
	again, err := DecodeSum(form)
	if err != nil {
		t.Fatal(err)
	}
	return again
}

// TestSumsOfAnyTree: sums that are added up in any order and grouping, each on its own worker, have
// one text.
func TestSumsOfAnyTree(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var fn mergeFn
	for range 20 {
		shards, seed := 2+r.IntN(12), r.Uint64()
		var want []byte
		for range 4 {
			data := rand.New(rand.NewPCG(seed, 0))
			var sums []Sum
			for i := range shards {
				sums = append(sums, sumOf(t, data, i))
			}
			for len(sums) > 1 {
				r.Shuffle(len(sums), func(i, j int) { sums[i], sums[j] = sums[j], sums[i] })
				merged, err := fn.MergeAccumulators(carried(t, sums[0]), carried(t, sums[1]))
				if err != nil {
					t.Fatal(err)
				}
				sums = append(sums[2:], merged)
			}
			if err := sums[0].check(shards); err != nil {
				t.Fatal(err)
			}
			form, err := EncodeSum(sums[0])
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = form
			}
			if !bytes.Equal(form, want) {
				t.Fatal("another order has another form")
			}
		}
	}
}

// TestSumsOfAnotherVersion: neither a sum nor a book of another version is read.
func TestSumsOfAnotherVersion(t *testing.T) {
	form, err := EncodeSum(sumOf(t, rand.New(rand.NewPCG(2, 2)), 0))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := DecodeSum(bytes.Replace(form, []byte("chargecast.beam/4\n"), []byte("chargecast.beam/5\n"), 1)); !errors.Is(err, ErrSumVersion) {
		t.Error("a sum of version 5:", err)
	}
	whole := form[:len(form)-2*sha256.Size-1]
	book := bytes.Replace(whole, []byte("chargecast.book/1"), []byte("chargecast.book/2"), 1)
	if _, err := DecodeSum(sealed(book)); !errors.Is(err, ErrSumForm) {
		t.Error("a book of version 2:", err)
	}
}

// TestDamagedSums: a sum that was cut, changed in one bit or is without contents is never read as
// one.
func TestDamagedSums(t *testing.T) {
	form, err := EncodeSum(sumOf(t, rand.New(rand.NewPCG(3, 3)), 0))
	if err != nil {
		t.Fatal(err)
	}
	for i := range form {
		if _, err := DecodeSum(form[:i]); err == nil {
			t.Fatal("cut after", i)
		}
		bad := bytes.Clone(form)
		bad[i] ^= 1 << (i % 8)
		if _, err := DecodeSum(bad); err == nil {
			t.Fatal("changed at", i)
		}
	}
	for _, bad := range [][]byte{nil, {}, []byte("{}"), []byte("null"), sealed([]byte(sumSchema)), sealed([]byte(sumSchema + "[]\n")), sealed([]byte(sumSchema + "{}\n"))} {
		if _, err := DecodeSum(bad); !errors.Is(err, ErrSumForm) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if _, err := EncodeSum(Sum{}); !errors.Is(err, ErrSumForm) {
		t.Error("the zero sum:", err)
	}
}

// TestSumsThatDoNotFit: a shard that is missing or counted twice, a sum without contents and one of
// another query are errors, never totals.
func TestSumsThatDoNotFit(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	one, two := sumOf(t, r, 0), sumOf(t, r, 2)
	var fn mergeFn
	if _, err := fn.MergeAccumulators(one, Sum{}); err == nil {
		t.Error("a sum without contents was added")
	}
	if _, err := fn.MergeAccumulators(carried(t, one), carried(t, one)); err == nil {
		t.Error("a shard was counted twice")
	}
	other := sumOf(t, r, 1)
	later := Query{AsOf: mustDay("2026-01-11"), Until: mustDay("2026-12-31"), By: engine.ByDay}
	var err error
	if other.book, err = later.newBook(); err != nil {
		t.Fatal(err)
	}
	if _, err := fn.MergeAccumulators(carried(t, one), other); err == nil {
		t.Error("another as-of day:", err)
	}
	bare := sumOf(t, r, 1)
	bare.book = nil
	if _, err := fn.MergeAccumulators(carried(t, one), bare); err == nil {
		t.Error("a sum without totals was added")
	}
	sum, err := fn.MergeAccumulators(one, two)
	if err != nil {
		t.Fatal(err)
	}
	for _, shards := range []int{0, 1, 2, 3, 4} {
		q := Query{AsOf: mustDay("2026-01-10"), Until: mustDay("2026-12-31"), By: engine.ByDay, Form: FormNDJSON, Output: t.TempDir() + "/none", Shards: shards}
		if err := finish(t.Context(), q, sum); err == nil {
			t.Errorf("shards 0 and 2 were taken for %d", shards)
		}
		if err := finish(t.Context(), q, Sum{}); err == nil && shards > 0 {
			t.Errorf("no shard was taken for %d", shards)
		}
	}
}
