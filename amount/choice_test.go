package amount

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestBounds(t *testing.T) {
	three := mustSequence(t, "1.00", "9.99", "19.9")
	type row struct {
		because
		choice   Choice
		repeat   uint64
		min, max string
	}
	table := []row{
		{because{"fixed, first", "A09"}, Fixed(MustParse("10.50")), 0, "10.50", "10.50"},
		{because{"fixed, last", "A09"}, Fixed(MustParse("10.50")), math.MaxUint64, "10.50", "10.50"},
		{because{"fixed, zero", "A09"}, Fixed(Amount{}), 0, "0", "0"},
		{because{"range, as written", "A12, A02"}, mustRange(t, "1.5", "2.50", "EUR"), 0, "1.5", "2.50"},
		{because{"range, any index", "A12"}, mustRange(t, "1.5", "2.50", "EUR"), math.MaxUint64, "1.5", "2.50"},
		{because{"range of one", "L33"}, mustRange(t, "2.5", "2.50", "EUR"), 0, "2.5", "2.50"},
		{because{"range, zero", "A12"}, mustRange(t, "0", "0", "EUR"), 3, "0", "0"},
		{because{"sequence, first", "2.2.6, gallery sequence-skips-first"}, three, 0, "1.00", "1.00"},
		{because{"sequence, second", "2.2.6, gallery sequence-clamps-early"}, three, 1, "9.99", "9.99"},
		{because{"sequence, third", "2.2.6"}, three, 2, "19.9", "19.9"},
		{because{"sequence, index equal to the length", "X7, gallery sequence-wraps"}, three, 3, "19.9", "19.9"},
		{because{"sequence, far on", "X7"}, three, 1 << 40, "19.9", "19.9"},
		{because{"sequence, last index", "X7"}, three, math.MaxUint64, "19.9", "19.9"},
		{because{"sequence of one", "2.2.6"}, mustSequence(t, "5"), 7, "5", "5"},
		{because{"no choice", "A10: no panic"}, Choice{}, 3, "0", "0"},
	}
	each(t, table, func(t *testing.T, r row) {
		low, high := r.choice.Bounds(r.repeat)
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
		q, err := Sequence(elements)
		if err != nil || q.Len() != len(elements) {
			t.Fatalf("%d elements, %v", q.Len(), err)
		}
		longer, err := Sequence(append(elements, elements[len(elements)-1]))
		if err != nil {
			t.Fatal(err)
		}
		for k := range uint64(30) {
			want := elements[min(int(k), len(elements)-1)]
			for _, s := range []Choice{q, longer} {
				if low, high := s.Bounds(k); low != want || high != want {
					t.Fatalf("index %d of %d: %v … %v, want %v", k, len(elements), low, high, want)
				}
			}
		}
	}
}

func TestSequence(t *testing.T) {
	for _, none := range [][]Amount{nil, {}} {
		if q, err := Sequence(none); !errors.Is(err, ErrEmpty) || !q.IsZero() {
			t.Errorf("got %v, %v", q, err)
		}
	}
	elements := parsed([]string{"1", "2"})
	q, err := Sequence(elements)
	if err != nil {
		t.Fatal(err)
	}
	elements[0] = MustParse("7")
	if a, _ := q.Bounds(0); a != MustParse("1") {
		t.Error("the sequence shares the caller's slice")
	}
	q.Elements()[0] = MustParse("7")
	if a, _ := q.Bounds(0); a != MustParse("1") {
		t.Error("the caller's elements share the sequence")
	}
}

func TestElements(t *testing.T) {
	r := source(20)
	for range 100 {
		elements := make([]Amount, 1+r.IntN(12))
		for i := range elements {
			elements[i] = anyAmount(r)
		}
		q, err := Sequence(elements)
		if err != nil || !slices.Equal(q.Elements(), elements) {
			t.Fatalf("%v, %v; want %v", q.Elements(), err, elements)
		}
	}
	for _, c := range []Choice{{}, Fixed(MustParse("1")), mustRange(t, "1", "2", "EUR")} {
		if c.Elements() != nil || c.Len() != 0 {
			t.Errorf("%v has %d elements, %v", c, c.Len(), c.Elements())
		}
	}
}

func TestKind(t *testing.T) {
	type row struct {
		because
		choice Choice
		kind   ChoiceKind
		values uint64
		scale  int
		text   string
	}
	each(t, []row{
		{because{"none", "2.2.5"}, Choice{}, 0, 1, 0, ""},
		{because{"fixed", "column amount"}, Fixed(MustParse("9.99")), KindFixed, 1, 0, "9.99"},
		{because{"fixed, zero", "charges 0"}, Fixed(Amount{}), KindFixed, 1, 0, "0"},
		{because{"range", "L36d: cents as written"}, mustRange(t, "1.00", "5.00", "EUR"), KindRange, 401, 2, "1.00 to 5.00"},
		{because{"range in whole euros", "L36d: the grid is finer than what is written"}, mustRange(t, "1", "5", "EUR"), KindRange, 401, 2, "1 to 5"},
		{because{"range with written zeros", "L36d: the grid is coarser"}, mustRange(t, "1.00", "5.00", "JPY"), KindRange, 5, 0, "1.00 to 5.00"},
		{because{"range of two scales", "the finer end decides"}, mustRange(t, "1", "1.001", "EUR"), KindRange, 2, 3, "1 to 1.001"},
		{because{"range of one value", "L33: it is a range still"}, mustRange(t, "2.5", "2.50", "EUR"), KindRange, 1, 2, "2.5 to 2.50"},
		{because{"sequence of one", "2.2.6"}, mustSequence(t, "1.00"), KindSequence, 1, 0, "1.00"},
		{because{"sequence", "2.2.6"}, mustSequence(t, "1.00", "9.9"), KindSequence, 1, 0, "1.00,9.9"},
	}, func(t *testing.T, r row) {
		c := r.choice
		if c.Kind() != r.kind || c.IsZero() != (r.kind == 0) || c.Values() != r.values || c.Scale() != r.scale || c.String() != r.text {
			t.Errorf("kind %d, zero %v, %d values, scale %d, %q", c.Kind(), c.IsZero(), c.Values(), c.Scale(), c)
		}
	})
}

// Choices are parts of profiles, which are compared and used as keys: == must not depend on identity.
func TestChoicesAreComparable(t *testing.T) {
	all := func() []Choice {
		return []Choice{
			{}, Fixed(Amount{}), Fixed(MustParse("1")), Fixed(MustParse("1.0")), Fixed(MustParse("1.00")), mustSequence(t, "1"),
			mustSequence(t, "1", "1"), mustSequence(t, "1.00", "2"), mustSequence(t, "1.00", "3"), mustRange(t, "1", "1", "EUR"),
			mustRange(t, "1", "2", "EUR"), mustRange(t, "1", "2", "JPY"), mustRange(t, "1.0", "2", "EUR"), mustRange(t, "0", "0", ""),
		}
	}
	a, b := all(), all()
	for i := range a {
		for j := range b {
			if (a[i] == b[j]) != (i == j) || a[i].Equal(b[j]) != (i == j) {
				t.Errorf("%v and %v", a[i], b[j])
			}
		}
	}
}

func TestFits(t *testing.T) {
	type row struct {
		because
		choice Choice
		fits   string // currencies
		others string
	}
	each(t, []row{
		{because{"none", "nothing is drawn"}, Choice{}, "EUR JPY QQQ", ""},
		{because{"fixed", "it is charged as written"}, Fixed(MustParse("1.001")), "EUR JPY QQQ", ""},
		{because{"sequence", "it is charged as written"}, mustSequence(t, "1", "1.5"), "EUR JPY QQQ", ""},
		{because{"cents", "L36d"}, mustRange(t, "1", "5", "EUR"), "EUR USD", "JPY KWD QQQ"},
		{because{"written zeros", "L36d: the grid is of values"}, mustRange(t, "1.00", "5.00", "JPY"), "JPY QQQ", "EUR KWD"},
		{because{"finer than the currency", "L36c"}, mustRange(t, "1", "1.001", "EUR"), "EUR JPY KWD", "CLF"},
		{because{"too wide for finer units", "A07"}, mustRange(t, "0", "9223372036854775807", "JPY"), "JPY QQQ", "EUR"},
	}, func(t *testing.T, r row) {
		for currency := range strings.FieldsSeq(r.fits) {
			if !r.choice.Fits(currency) {
				t.Errorf("%s: no", currency)
			}
		}
		for currency := range strings.FieldsSeq(r.others) {
			if r.choice.Fits(currency) {
				t.Errorf("%s: yes", currency)
			}
		}
	})
}

func TestRange_TooWideIsNotAWrongOrder(t *testing.T) {
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
		_, err := Range(MustParse(c.from), MustParse(c.to), c.currency)
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Fault != c.fault || e.Part != c.part || e.Offset != -1 || errors.Is(err, ErrOrder) == errors.Is(err, ErrRange) {
			t.Errorf("%s to %s: %#v, want %v of %q", c.from, c.to, err, c.fault, c.part)
		}
	}
}

func TestRange(t *testing.T) {
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
		got, err := Range(MustParse(r.from), MustParse(r.to), r.currency)
		if r.fault != nil {
			if !errors.Is(err, r.fault) || !got.IsZero() {
				t.Errorf("got %v, %v", got, err)
			}
			return
		}
		if err != nil || got.Scale() != r.scale || got.Values() != r.values {
			t.Errorf("got scale %d, %d values, %v", got.Scale(), got.Values(), err)
		}
	})
}
