package amount

import (
	"errors"
	"math"
	"math/big"
	"runtime"
	"testing"

	"github.com/shopspring/decimal"
)

func dec(coef string, exp int32) decimal.Decimal {
	c, ok := new(big.Int).SetString(coef, 10)
	if !ok {
		panic("no number")
	}
	return decimal.NewFromBigInt(c, exp)
}

func TestFromDecimal(t *testing.T) {
	type row struct {
		because
		in    decimal.Decimal
		want  string
		fault error
	}
	zeros := func(n int) string { return tenTo(n).String()[1:] }
	table := []row{
		{because{"zero value", "A05"}, decimal.Decimal{}, "0", nil},
		{because{"scale kept", "A05"}, dec("150", -2), "1.50", nil},
		{because{"exponent above zero", "A05"}, dec("15", 2), "1500", nil},
		{because{"largest exponent", "A05"}, dec("9", 18), "9" + zeros(18), nil},
		{because{"largest", "A05"}, dec("9223372036854775807", -18), "9.223372036854775807", nil},
		{because{"zero with decimals", "A05"}, dec("0", -3), "0.000", nil},
		{because{"zero with many decimals", "A05"}, dec("0", -1000), "0." + zeros(18), nil},
		{because{"zero with an exponent", "A05"}, dec("0", 1000), "0", nil},
		{because{"zero at the end of int32", "A05"}, dec("0", math.MinInt32), "0." + zeros(18), nil},
		{because{"twenty decimals, two of them zeros", "A05"}, dec("1"+zeros(20), -20), "1." + zeros(18), nil},
		{because{"decimals dropped to fit", "A05"}, dec("5"+zeros(20), -3), "5" + zeros(17) + ".0", nil},
		{because{"all decimals dropped to fit", "A05"}, dec("5"+zeros(36), -18), "5" + zeros(18), nil},
		{because{"negative", "A05, h009"}, dec("-1", -2), "", ErrNegative},
		{because{"negative with a hostile exponent", "A05"}, dec("-1", math.MaxInt32), "", ErrNegative},
		{because{"2^63", "A05"}, dec("9223372036854775808", 0), "", ErrRange},
		{because{"ten times too large", "A05"}, dec("1", 19), "", ErrRange},
		{because{"too large by its exponent", "A05"}, dec("10", 18), "", ErrRange},
		{because{"hostile exponent", "A05, h001"}, dec("1", math.MaxInt32), "", ErrRange},
		{because{"hostile negative exponent", "A05, h003"}, dec("1", math.MinInt32), "", ErrRange},
		{because{"hostile exponent, large coefficient", "A05"}, dec("1"+zeros(500), math.MinInt32), "", ErrRange},
		{because{"nineteen decimals", "A05: nothing is rounded"}, dec("1", -19), "", ErrRange},
		{because{"nineteen decimals, nineteen digits", "A05"}, dec("1000000000000000001", -19), "", ErrRange},
		{because{"large coefficient that fits", "A05"}, dec("3"+zeros(500), -500), "3." + zeros(18), nil},
		{because{"large coefficient that does not", "A05"}, dec("3"+zeros(499)+"1", -500), "", ErrRange},
		{because{"large coefficient of large value", "A05"}, dec("3"+zeros(500), -18), "", ErrRange},
	}
	each(t, table, func(t *testing.T, r row) {
		a, err := FromDecimal(r.in)
		if r.fault != nil {
			if !errors.Is(err, r.fault) || a != (Amount{}) {
				t.Errorf("got %v, %v", a, err)
			}
			return
		}
		if err != nil || a.String() != r.want {
			t.Errorf("got %v, %v; want %s", a, err, r.want)
		}
	})
}

// Goal: conversion to a decimal and back keeps the amount (A05), and the argument is not changed.
func TestDecimalRoundTrip(t *testing.T) {
	r := source(6)
	for range 5000 {
		a := anyAmount(r)
		d := a.Decimal()
		if d.Rat().Cmp(rat(a)) != 0 || int(-d.Exponent()) != a.Scale() {
			t.Fatalf("%v became %v", a, d)
		}
		if b, err := FromDecimal(d); b != a || err != nil {
			t.Fatalf("%v came back as %v, %v", a, b, err)
		}
		if d.Rat().Cmp(rat(a)) != 0 {
			t.Fatalf("FromDecimal changed its argument: %v", d)
		}
	}
}

// Goal: FromDecimal accepts exactly the values that some Amount has. Method: random
// coefficients and exponents, compared with fractions.
func TestFromDecimalAgainstBig(t *testing.T) {
	r := source(7)
	largest, accepted := big.NewInt(1<<63-1), 0
	for range 5000 {
		coef := new(big.Int).Mul(big.NewInt(int64(r.Uint64N(1<<uint(r.IntN(62)+1)))), tenTo(r.IntN(40)))
		d := decimal.NewFromBigInt(coef, int32(r.IntN(61)-40))
		// It fits when a coefficient at some scale has the value.
		fits := false
		value := d.Rat()
		for scale := range MaxScale + 1 {
			scaled := new(big.Rat).Mul(value, new(big.Rat).SetInt(tenTo(scale)))
			fits = fits || scaled.IsInt() && scaled.Num().Cmp(largest) <= 0
		}
		a, err := FromDecimal(d)
		if (err == nil) != fits {
			t.Fatalf("%se%d: %v", coef, d.Exponent(), err)
		}
		if err == nil {
			accepted++
			if rat(a).Cmp(value) != 0 {
				t.Fatalf("%se%d became %v", coef, d.Exponent(), a)
			}
		}
	}
	if accepted < 500 || accepted > 4500 {
		t.Errorf("%d of 5000 accepted: one case is hardly tried", accepted)
	}
}

// Goal: an exponent is not expanded into digits (h001, h003). Method: count the bytes allocated.
func TestHostileExponentIsCheap(t *testing.T) {
	hostile := []decimal.Decimal{decimal.New(1, math.MaxInt32), decimal.New(1, math.MinInt32), decimal.New(0, math.MinInt32)}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, d := range hostile {
		FromDecimal(d)
	}
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 64<<10 {
		t.Errorf("allocated %d bytes", grown)
	}
}

// TestFromDecimalOfALargeExponent: 10^18 fits, 10^19 does not.
func TestFromDecimalOfALargeExponent(t *testing.T) {
	if a, err := FromDecimal(decimal.New(1, MaxScale)); err != nil || a.String() != "1000000000000000000" {
		t.Errorf("10^18: %v, %v", a, err)
	}
	if a, err := FromDecimal(decimal.New(1, MaxScale+1)); !errors.Is(err, ErrRange) {
		t.Errorf("10^19: %v, %v", a, err)
	}
}
