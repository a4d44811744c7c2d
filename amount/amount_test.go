package amount

import (
	"errors"
	"reflect"
	"slices"
	"testing"
)

func TestFromMinor(t *testing.T) {
	type row struct {
		because
		coef  int64
		scale int
		want  string
		fault error
	}
	table := []row{
		{because{"two decimals", "A02"}, 1050, 2, "10.50", nil},
		{because{"none", "A02"}, 7, 0, "7", nil},
		{because{"below one", "A02"}, 5, 3, "0.005", nil},
		{because{"nothing", "A02: zero is not negative"}, 0, 2, "0.00", nil},
		{because{"largest", "A07"}, 1<<63 - 1, 18, "9.223372036854775807", nil},
		{because{"negative", "h009"}, -1, 2, "", ErrNegative},
		{because{"most negative", "h009"}, -1 << 63, 0, "", ErrNegative},
		{because{"scale below zero", "A07"}, 1, -1, "", ErrRange},
		{because{"scale too large", "A07"}, 1, 19, "", ErrRange},
		{because{"scale that would wrap", "A07"}, 1, 256, "", ErrRange},
	}
	each(t, table, func(t *testing.T, r row) {
		a, err := FromMinor(r.coef, r.scale)
		if r.fault != nil {
			if !errors.Is(err, r.fault) || a != (Amount{}) {
				t.Errorf("got %v, %v", a, err)
			}
			return
		}
		if err != nil || a.String() != r.want {
			t.Errorf("got %v, %v", a, err)
		}
	})
}

// Goal: Compare is by value and a total order (A03, gallery compare-by-text). Method: all pairs of
// amounts near the limits and of random ones, compared with math/big.
func TestCompareAgainstBig(t *testing.T) {
	r := source(2)
	var amounts []Amount
	for _, coef := range []int64{0, 1, 9, 10, 11, 99, 100, 101, 1e17, 1e18, 1<<63 - 1} {
		for _, scale := range []uint8{0, 1, 2, 3, 17, 18} {
			amounts = append(amounts, Amount{coef, scale})
		}
	}
	for range 200 {
		amounts = append(amounts, anyAmount(r))
	}
	for _, a := range amounts {
		for _, b := range amounts {
			if got, want := a.Compare(b), rat(a).Cmp(rat(b)); got != want {
				t.Fatalf("%v, %v: %d, want %d", a, b, got, want)
			}
		}
	}
	slices.SortFunc(amounts, Amount.Compare)
	if !slices.IsSortedFunc(amounts, func(a, b Amount) int { return rat(a).Cmp(rat(b)) }) {
		t.Error("sorting by Compare does not sort by value")
	}
}

func TestReduce(t *testing.T) {
	type row struct {
		because
		in, want string
	}
	table := []row{
		{because{"one zero", "A13: the grid of a range"}, "1.50", "1.5"},
		{because{"all zeros", "A13"}, "1.000", "1"},
		{because{"zero", "A13"}, "0.00", "0"},
		{because{"none", "A13"}, "1.05", "1.05"},
		{because{"zeros before the point stay", "A19: no value changes"}, "100", "100"},
		{because{"zeros on both sides", "A19"}, "100.00", "100"},
	}
	each(t, table, func(t *testing.T, r row) {
		if got := MustParse(r.in).Reduce(); got != MustParse(r.want) {
			t.Errorf("got %v", got)
		}
	})
	random := source(3)
	for range 5000 {
		a := anyAmount(random)
		b := a.Reduce()
		if a.Compare(b) != 0 || b.Scale() > a.Scale() || b.Scale() > 0 && b.Coefficient()%10 == 0 {
			t.Fatalf("%v became %v", a, b)
		}
	}
}

func TestZeroValue(t *testing.T) {
	var a Amount
	if a.String() != "0" || !a.IsZero() || a.Scale() != 0 || a.Coefficient() != 0 || a.Compare(MustParse("0.00")) != 0 {
		t.Errorf("the zero value is %v", a)
	}
	if MustParse("0.01").IsZero() || !MustParse("0.00").IsZero() {
		t.Error("IsZero is not by value")
	}
}

// An amount is copied millions of times, so it is small.
func TestSize(t *testing.T) {
	if size := reflect.TypeFor[Amount]().Size(); size > 16 {
		t.Errorf("an amount takes %d bytes", size)
	}
}
