package amount

import (
	"math/big"
	"testing"
)

// near reports whether two numbers of so many bits, of which the second has 64 more, differ by at
// most so many units of the first.
func near(have, want *big.Int, units int64) bool {
	d := new(big.Int).Lsh(have, 64)
	return d.Sub(d, want).CmpAbs(new(big.Int).Lsh(big.NewInt(units), 64)) <= 0
}

// decimalText returns a number of so many bits as a decimal with digits after the point, cut off.
func decimalText(x *big.Int, bits uint, digits int) string {
	scaled := new(big.Int).Mul(x, tenTo(digits))
	return scaled.Rsh(scaled, bits).String()
}

func TestConstants(t *testing.T) {
	const bits = 200
	c := newCircle(bits)
	// DLMF 3.12.1, and the values of ζ in DLMF table 25.2.1.
	if got := decimalText(c.pi, bits+guard, 50); got != "314159265358979323846264338327950288419716939937510" {
		t.Errorf("π is %s", got)
	}
	zetas := c.zetas(40)
	for n, want := range map[int]string{
		1: "164493406684822643647241516664", 2: "108232323371113819151600369654", 3: "101734306198444913971451792979", 5: "100099457512781808533714595890",
	} {
		if got := decimalText(zetas[n-1], bits, 29); got != want {
			t.Errorf("ζ(%d) is %s, want %s", 2*n, got, want)
		}
	}
	// e^-1 and e^-10
	unit := new(big.Int).Lsh(one, bits)
	for n, want := range map[int64]string{0: "1" + "000000000000000000000000000000", 1: "367879441171442321595523770161", 10: "45399929762484851535591515"} {
		if got := decimalText(expNegative(new(big.Int).Mul(unit, big.NewInt(n)), bits), bits, 30); got != want {
			t.Errorf("e^-%d is %s, want %s", n, got, want)
		}
	}
	if x := expNegative(new(big.Int).Lsh(unit, 300), bits); x.Sign() != 0 {
		t.Errorf("e^-2^300 is %v units", x)
	}
}

// Errors stay within what is stated: against the same computed with 64 more bits.
func TestRoundingIsWithinItsUnits(t *testing.T) {
	r := source(310)
	for range 300 {
		bits := uint(40 + r.IntN(300))
		c, finer := newCircle(bits), newCircle(bits+64)
		n := new(big.Int).SetUint64(1 + r.Uint64N(1<<(1+r.UintN(60))))
		k := big.NewInt(r.Int64() - r.Int64())
		have, want := c.at(k, n), finer.at(k, n)
		if !near(have.cos, want.cos, 2) || !near(have.sin, want.sin, 2) {
			t.Fatalf("the point at π·%v/%v is wrong", k, n)
		}
		turning := c.turning(have)
		turns := 1 + r.IntN(500)
		for range turns {
			turning.turn()
		}
		want = finer.at(k.Mul(k, big.NewInt(int64(turns))), n)
		if !near(turning.cos, want.cos, 5*int64(turns)) || !near(turning.sin, want.sin, 5*int64(turns)) {
			t.Fatalf("after %d turns the point is wrong", turns)
		}
		size := 1 + r.IntN(60)
		if !near(c.zetas(size)[size-1], finer.zetas(size)[size-1], 2) {
			t.Fatalf("ζ(%d) is wrong with %d bits", 2*size, bits)
		}
		x := new(big.Int).SetUint64(r.Uint64N(1 << (1 + r.UintN(40))))
		if !near(expNegative(x, bits), expNegative(new(big.Int).Lsh(x, 64), bits+64), 2) {
			t.Fatalf("e^-x is wrong with %d bits", bits)
		}
	}
}

// Quadrants and octants are distinguished.
func TestCircleAtEighths(t *testing.T) {
	c := newCircle(60)
	unit, root := int64(1)<<60, int64(815238614083298888) // 2^60 and 2^59.5
	for k, want := range [][2]int64{
		{unit, 0}, {root, root}, {0, unit}, {-root, root}, {-unit, 0}, {-root, -root}, {0, -unit}, {root, -root}, {unit, 0},
	} {
		for _, turn := range []int64{-8, 0, 80} {
			p := c.at(big.NewInt(int64(k)+turn), big.NewInt(4))
			if d := p.cos.Int64() - want[0]; d < -2 || d > 2 {
				t.Errorf("the cosine at %d/4 π is %v", k, p.cos)
			}
			if d := p.sin.Int64() - want[1]; d < -2 || d > 2 {
				t.Errorf("the sine at %d/4 π is %v", k, p.sin)
			}
		}
	}
}

func TestLog2Floor(t *testing.T) {
	r := source(311)
	for range 2000 {
		num := new(big.Int).SetUint64(r.Uint64())
		num.Lsh(num, r.UintN(250)).Rsh(num, r.UintN(64))
		denom := new(big.Int).SetUint64(1 + r.Uint64N(1<<(1+r.UintN(62))))
		num.Add(num, denom)
		got := log2Floor(num, denom)
		// 2^(got/64) ≤ num/denom < 2^((got+2)/64)
		low, high := new(big.Int).Exp(num, big.NewInt(64), nil), new(big.Int).Exp(denom, big.NewInt(64), nil)
		if low.Cmp(new(big.Int).Lsh(high, uint(got))) < 0 || low.Cmp(high.Lsh(high, uint(got+2))) >= 0 {
			t.Fatalf("log2 of %v/%v is not %d/64", num, denom, got)
		}
	}
}
