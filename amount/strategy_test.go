package amount

import (
	"errors"
	"math"
	"testing"
)

func TestBounds(t *testing.T) {
	three := mustSequence(t, "1.00", "9.99", "19.9")
	type row struct {
		because
		strategy Strategy
		repeat   uint64
		min, max string
	}
	table := []row{
		{because{"fixed, first", "A09"}, NewFixed(MustParse("10.50")), 0, "10.50", "10.50"},
		{because{"fixed, last", "A09"}, NewFixed(MustParse("10.50")), math.MaxUint64, "10.50", "10.50"},
		{because{"fixed, zero value", "A09"}, Fixed{}, 0, "0", "0"},
		{because{"range, as written", "A12, A02"}, mustRange(t, "1.5", "2.50", "EUR"), 0, "1.5", "2.50"},
		{because{"range, any index", "A12"}, mustRange(t, "1.5", "2.50", "EUR"), math.MaxUint64, "1.5", "2.50"},
		{because{"range of one", "L33"}, mustRange(t, "2.5", "2.50", "EUR"), 0, "2.5", "2.50"},
		{because{"range, zero value", "A12"}, Range{}, 3, "0", "0"},
		{because{"sequence, first", "2.2.6, gallery sequence-skips-first"}, three, 0, "1.00", "1.00"},
		{because{"sequence, second", "2.2.6, gallery sequence-clamps-early"}, three, 1, "9.99", "9.99"},
		{because{"sequence, third", "2.2.6"}, three, 2, "19.9", "19.9"},
		{because{"sequence, index equal to the length", "X7, gallery sequence-wraps"}, three, 3, "19.9", "19.9"},
		{because{"sequence, far on", "X7"}, three, 1 << 40, "19.9", "19.9"},
		{because{"sequence, last index", "X7"}, three, math.MaxUint64, "19.9", "19.9"},
		{because{"sequence of one", "2.2.6"}, mustSequence(t, "5"), 7, "5", "5"},
		{because{"sequence, zero value", "A10: no panic"}, Sequence{}, 0, "0", "0"},
	}
	each(t, table, func(t *testing.T, r row) {
		low, high := r.strategy.Bounds(r.repeat)
		if low != MustParse(r.min) || high != MustParse(r.max) {
			t.Errorf("got %v … %v", low, high)
		}
	})
}

// Goal: element min(k, n−1), whatever the elements (A10); a copy of the last one appended
// changes nothing.
func TestSequenceAgainstSlice(t *testing.T) {
	r := source(8)
	for range 300 {
		elements := make([]Amount, 1+r.IntN(12))
		for i := range elements {
			elements[i] = anyAmount(r)
		}
		q, err := NewSequence(elements)
		if err != nil || q.Len() != len(elements) {
			t.Fatalf("%d elements, %v", q.Len(), err)
		}
		longer, err := NewSequence(append(elements, elements[len(elements)-1]))
		if err != nil {
			t.Fatal(err)
		}
		for k := range uint64(30) {
			want := elements[min(int(k), len(elements)-1)]
			for _, s := range []Sequence{q, longer} {
				if low, high := s.Bounds(k); low != want || high != want {
					t.Fatalf("index %d of %d: %v … %v, want %v", k, len(elements), low, high, want)
				}
			}
		}
	}
}

func TestNewSequence(t *testing.T) {
	for _, none := range [][]Amount{nil, {}} {
		if q, err := NewSequence(none); !errors.Is(err, ErrEmpty) || q != (Sequence{}) {
			t.Errorf("got %v, %v", q, err)
		}
	}
	elements := parsed([]string{"1", "2"})
	q, err := NewSequence(elements)
	if err != nil {
		t.Fatal(err)
	}
	elements[0] = MustParse("7")
	if a, _ := q.Bounds(0); a != MustParse("1") {
		t.Error("the sequence shares the caller's slice")
	}
}

// Strategies are parts of profiles, which are compared and used as keys: == must not panic and must
// not depend on identity.
func TestStrategiesAreComparable(t *testing.T) {
	var a, b Strategy = mustSequence(t, "1.00", "2"), mustSequence(t, "1.00", "2")
	if a != b || a == Strategy(mustSequence(t, "1.00", "3")) {
		t.Error("sequences")
	}
	a, b = mustRange(t, "1", "2", "EUR"), mustRange(t, "1", "2", "EUR")
	if a != b || a == Strategy(mustRange(t, "1", "2", "JPY")) || a == Strategy(NewFixed(MustParse("1"))) {
		t.Error("ranges")
	}
	if Strategy(NewFixed(MustParse("1.0"))) == Strategy(NewFixed(MustParse("1.00"))) {
		t.Error("== is as written")
	}
	if NewFixed(MustParse("1.0")).Amount() != MustParse("1.0") {
		t.Error("Fixed.Amount")
	}
}

func TestNewRange_TooWideIsNotAWrongOrder(t *testing.T) {
	// E7: the fault says which of the two it is, and the part which end is to blame.
	for _, c := range []struct {
		from, to, currency string
		fault              Fault
		part               string
	}{
		{"1", "9223372036854775807", "EUR", ErrRange, "amount-to"},
		{"0.000000000000000001", "10", "JPY", ErrRange, "amount-to"},
		{"9223372036854775807", "1", "EUR", ErrOrder, ""},
		{"2.00", "1.99", "EUR", ErrOrder, ""},
	} {
		_, err := NewRange(MustParse(c.from), MustParse(c.to), c.currency)
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Fault != c.fault || e.Part != c.part || e.Offset != -1 || errors.Is(err, ErrOrder) == errors.Is(err, ErrRange) {
			t.Errorf("%s to %s: %#v, want %v of %q", c.from, c.to, err, c.fault, c.part)
		}
	}
}

func TestNewRange(t *testing.T) {
	type row struct {
		because
		from, to, currency string
		scale              int
		values             uint64
		fault              error
	}
	table := []row{
		{because{"cents", "L36d"}, "1.00", "1.01", "EUR", 2, 2, nil},
		{because{"whole ends on cents", "A13, gallery range-whole-units"}, "1", "2", "EUR", 2, 101, nil},
		{because{"no decimals in JPY", "A19, gallery two-digits-everywhere"}, "1", "5", "JPY", 0, 5, nil},
		{because{"three decimals in KWD", "A19"}, "1.00", "1.99", "KWD", 3, 991, nil},
		{because{"four decimals in CLF", "A19"}, "0", "1", "CLF", 4, 10001, nil},
		{because{"finer than the currency", "L36c: nothing is rounded"}, "0.001", "0.003", "EUR", 3, 3, nil},
		{because{"decimals in JPY", "L36c"}, "10.50", "11", "JPY", 1, 6, nil},
		{because{"finer upper end", "L36c"}, "1", "1.0001", "EUR", 4, 2, nil},
		{because{"written zeros", "A13: the grid is of values"}, "1.0000", "2.000", "EUR", 2, 101, nil},
		{because{"unknown currency", "L36c: no digits known"}, "1.5", "3", "QQQ", 1, 16, nil},
		{because{"currency without a minor unit", "L36c"}, "1", "3", "XAU", 0, 3, nil},
		{because{"no currency", "L36c"}, "1.00", "3.00", "", 0, 3, nil},
		{because{"lower case", "A19: unknown"}, "1", "3", "eur", 0, 3, nil},
		{because{"equal by value", "L33"}, "10.0", "10.00", "EUR", 2, 1, nil},
		{because{"from zero", "L36: zero is the payload's rule"}, "0.00", "0.02", "EUR", 2, 3, nil},
		{because{"as wide as it gets", "A07"}, "0", "92233720368547758.07", "EUR", 2, 1 << 63, nil},
		{because{"reversed", "L33, h027"}, "5.00", "4.00", "EUR", 0, 0, ErrOrder},
		{because{"reversed by one unit", "L33"}, "4.001", "4.00", "EUR", 0, 0, ErrOrder},
		{because{"upper end does not fit in cents", "A07"}, "0", "92233720368547759", "EUR", 0, 0, ErrRange},
		{because{"both ends do not fit", "A07"}, "9223372036854775807", "9223372036854775807", "EUR", 0, 0, ErrRange},
		{because{"2^63 and 2 on the grid", "A07: wraps below zero"}, "0", "92233720368547758.1", "EUR", 0, 0, ErrRange},
		{because{"2^64 and 84 on the grid", "A07: wraps to 84"}, "0", "184467440737095517", "EUR", 0, 0, ErrRange},
		{because{"one end too fine for the other", "A07"}, "0.000000000000000001", "10", "EUR", 0, 0, ErrRange},
	}
	each(t, table, func(t *testing.T, r row) {
		got, err := NewRange(MustParse(r.from), MustParse(r.to), r.currency)
		if r.fault != nil {
			if !errors.Is(err, r.fault) || got != (Range{}) {
				t.Errorf("got %v, %v", got, err)
			}
			return
		}
		if err != nil || got.Scale() != r.scale || got.Values() != r.values {
			t.Errorf("got scale %d, %d values, %v", got.Scale(), got.Values(), err)
		}
	})
}
