package amount

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/big"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// bigMix is mix in math/big.
func bigMix(x *big.Int) *big.Int {
	word := new(big.Int).Lsh(big.NewInt(1), 64)
	hex := func(s string) *big.Int {
		n, _ := new(big.Int).SetString(s, 16)
		return n
	}
	x = new(big.Int).Add(x, hex("9e3779b97f4a7c15"))
	x.Mod(x, word)
	for _, step := range []struct {
		shift  uint
		factor string
	}{{30, "bf58476d1ce4e5b9"}, {27, "94d049bb133111eb"}, {31, "1"}} {
		x.Xor(x, new(big.Int).Rsh(x, step.shift))
		x.Mul(x, hex(step.factor))
		x.Mod(x, word)
	}
	return x
}

// bigDraw returns the index of a drawn value by definition: words are replaced until one lies in
// the largest part of 2^64 that the values divide evenly.
func bigDraw(seed uint64, profile string, repeat, values uint64) uint64 {
	big64 := func(x uint64) *big.Int { return new(big.Int).SetUint64(x) }
	word := new(big.Int).Lsh(big.NewInt(1), 64)
	key := bigMix(big64(seed))
	for rest := []byte(profile); len(rest) > 0; rest = rest[min(8, len(rest)):] {
		var piece [8]byte
		n := copy(piece[:], rest)
		for i, j := 0, n-1; i < j; i, j = i+1, j-1 {
			piece[i], piece[j] = piece[j], piece[i]
		}
		key = bigMix(new(big.Int).Xor(key, new(big.Int).SetBytes(piece[:n])))
	}
	key = bigMix(new(big.Int).Xor(key, big64(uint64(len(profile)))))
	golden, _ := new(big.Int).SetString("9e3779b97f4a7c15", 16)
	x := new(big.Int).Add(key, new(big.Int).Mul(big64(repeat), golden))
	x = bigMix(x.Mod(x, word))
	v := big64(values)
	biased := new(big.Int).Mod(word, v)
	for {
		quotient, low := new(big.Int).DivMod(new(big.Int).Mul(x, v), word, new(big.Int))
		if low.Cmp(biased) >= 0 {
			return quotient.Uint64()
		}
		x = bigMix(x)
	}
}

// The mixing function is SplitMix64, which the workloads of the benchmarks use too.
func TestMix(t *testing.T) {
	for _, c := range []struct{ in, want uint64 }{
		{0, 0xe220a8397b1dcdaf},
		{1, 0x910a2dec89025cc1},
		{mix(0), 0xa706dd2f4d197e6f},
		{mix(1) + 3, 0xb1441d254bd86cd7},
	} {
		if got := mix(c.in); got != c.want {
			t.Errorf("mix(%#x) = %#x, want %#x", c.in, got, c.want)
		}
	}
}

// goldenDraws returns the golden file: seeds and repeat indexes at their limits, identifiers
// shorter and longer than the eight bytes that are mixed at once, ranges of one value to 2^63.
func goldenDraws(t testing.TB) []byte {
	var out bytes.Buffer
	out.WriteString("# Do not change: fix the code. These amounts are a promise (A15).\n" +
		"# seed, profile, repeat index, from, to, currency: amount\n")
	ranges := [][3]string{
		{"1.00", "1.02", "EUR"},
		{"1", "5", "JPY"},
		{"1.000", "4.00", "KWD"},
		{"2.50", "2.50", "USD"},
		{"0.01", "30000000.00", "EUR"},
		{"0", "92233720368547758.07", "EUR"},
		{"0", "61489146912365172.05", "EUR"},
	}
	profiles := []string{"", "a", "order-1", "order-2", "order-12", "order-123", "a rather long identifier, é"}
	for _, r := range ranges {
		drawn := mustRange(t, r[0], r[1], r[2])
		for _, seed := range []uint64{0, 1, 42, 1<<64 - 1} {
			for _, profile := range profiles {
				for _, k := range []uint64{0, 1, 2, 59, 1<<64 - 1} {
					a := drawn.Draw(NewSeed(seed, profile), k)
					fmt.Fprintf(&out, "%d %q %d %s %s %s: %s\n", seed, profile, k, r[0], r[1], r[2], a)
				}
			}
		}
	}
	return out.Bytes()
}

// Goal: draws never change (A15).
func TestGoldenDraws(t *testing.T) {
	const file = "testdata/draws.golden"
	got := goldenDraws(t)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(want))
	for got := range strings.Lines(string(got)) {
		if !lines.Scan() || lines.Text()+"\n" != got {
			t.Fatalf("got  %swant %s", got, lines.Text())
		}
	}
	if lines.Scan() {
		t.Errorf("one line too many: %s", lines.Text())
	}
}

// Goal: a draw follows its definition (A13, A14). Method: the definition in math/big, for ranges
// that replace many words and few. With a little more than 2^64/3 values a third of the words is
// replaced.
func TestDrawAgainstBig(t *testing.T) {
	r := source(9)
	values := []uint64{1, 2, 3, 100, 401, 1<<32 + 1, 3e9, 6148914691236517206, 1<<62 + 1, 1 << 63}
	for range 2000 {
		v := values[r.IntN(len(values))]
		low := r.Uint64N(1<<63 - v + 1)
		from, to := Amount{int64(low), 2}, Amount{int64(low + v - 1), 2}
		drawn, err := Range(from, to, "EUR")
		if err != nil || drawn.Values() != v {
			t.Fatal(drawn.Values(), err)
		}
		seed, repeat := r.Uint64(), r.Uint64()>>r.IntN(64)
		profile := strings.Repeat("xyz-", 5)[:r.IntN(20)]
		got := drawn.Draw(NewSeed(seed, profile), repeat)
		want := Amount{int64(low + bigDraw(seed, profile, repeat, v)), 2}
		if got != want {
			t.Fatalf("seed %d, %q, index %d, %d values: %v, want %v", seed, profile, repeat, v, got, want)
		}
	}
}

// Goal: draws lie between the ends, on the grid, and both ends are drawn (A13, galleries
// range-half-open and two-digits-everywhere).
func TestDrawReachesEveryValue(t *testing.T) {
	type row struct {
		because
		from, to, currency string
		values             int
	}
	table := []row{
		{because{"two cents", "A13"}, "1.00", "1.01", "EUR", 2},
		{because{"two cents, written unevenly", "A13"}, "1", "1.010", "EUR", 2},
		{because{"yen", "A19"}, "1", "5", "JPY", 5},
		{because{"fils", "A19"}, "1.00", "1.01", "KWD", 11},
		{because{"one value", "L33"}, "7.50", "7.5", "EUR", 1},
		{because{"finer than the currency", "L36c"}, "0.001", "0.004", "EUR", 4},
		{because{"at the top", "A07"}, "9223372036854775806", "9223372036854775807", "JPY", 2},
	}
	each(t, table, func(t *testing.T, r row) {
		drawn := mustRange(t, r.from, r.to, r.currency)
		seed := NewSeed(7, r.name)
		seen := map[Amount]bool{}
		for k := range uint64(1000) {
			a := drawn.Draw(seed, k)
			if a.Compare(MustParse(r.from)) < 0 || a.Compare(MustParse(r.to)) > 0 || a.Scale() != drawn.Scale() {
				t.Fatalf("index %d: %v", k, a)
			}
			seen[a] = true
		}
		if len(seen) != r.values {
			t.Errorf("%d different amounts, want %d", len(seen), r.values)
		}
	})
}

// A choice that is not random draws what it charges, with the decimals that were written.
func TestDrawWithoutChance(t *testing.T) {
	for _, c := range []Choice{{}, Fixed(MustParse("9.90")), mustSequence(t, "1.00", "9.9", "0")} {
		for repeat := range uint64(5) {
			want, _ := c.Bounds(repeat)
			if a := c.Draw(NewSeed(1, "order-1"), repeat); a != want {
				t.Errorf("%v: charge %d draws %v, want %v", c, repeat, a, want)
			}
		}
	}
}

// Seeds depend on every byte of the identifier and on its length (A14).
func TestSeedsDiffer(t *testing.T) {
	seen := map[Seed]string{{}: "zero value"}
	for seed := range uint64(3) {
		for _, profile := range []string{
			"", "\x00", "\x00\x00", "a", "a\x00", "b", "ab", "ba", "order-1", "order-1\x00", "order-10", "1order-0",
			"order-100", "00000000", "0000000000000000", "0000000000000001", "1000000000000000",
		} {
			s := NewSeed(seed, profile)
			name := fmt.Sprintf("%d %q", seed, profile)
			if other, twice := seen[s]; twice {
				t.Errorf("%s and %s share a seed", name, other)
			}
			seen[s] = name
		}
	}
}

// TestEqualEndsAreAsWritten: a range with equal ends draws its lower amount as it was written, which is also
// what its bounds and totals show (L33). From 5 to 5.00 EUR drew 5.00, and a forecast showed 5.
func TestEqualEndsAreAsWritten(t *testing.T) {
	for _, r := range [][3]string{{"5", "5.00", "EUR"}, {"5.00", "5", "EUR"}, {"5", "5", "EUR"}, {"5.000", "5.0", "JPY"}, {"0.00", "0", "XXX"}} {
		c := mustRange(t, r[0], r[1], r[2])
		low, _ := c.Bounds(3)
		if got := c.Draw(NewSeed(1, "a"), 3); got != low || got.String() != r[0] {
			t.Errorf("%v to %v %s: %v is drawn, the bounds are from %v", r[0], r[1], r[2], got, low)
		}
	}
}

// TestRangeOnAGrid: a range on so many decimals is that of a currency with as many; more decimals of an end
// make the grid finer, and fewer never coarser.
func TestRangeOnAGrid(t *testing.T) {
	from, to := MustParse("1.0"), MustParse("2.5")
	for _, r := range []struct{ decimals, scale int }{{0, 1}, {2, 2}, {3, 3}, {MaxScale, MaxScale}} {
		c, err := RangeOn(from, to, r.decimals)
		if err != nil || c.Scale() != r.scale || c.String() != "1.0 to 2.5" {
			t.Errorf("on %d decimals: %v, %v", r.decimals, c.Scale(), err)
		}
	}
	if on, _ := RangeOn(from, to, 2); on != mustRange(t, "1.0", "2.5", "EUR") {
		t.Error("the range of a currency and that of its decimals differ")
	}
	for _, decimals := range []int{-1, MaxScale + 1, math.MaxInt, math.MinInt} {
		if _, err := RangeOn(from, to, decimals); !errors.Is(err, ErrRange) {
			t.Errorf("%d decimals: %v", decimals, err)
		}
	}
	if _, err := RangeOn(to, from, 2); !errors.Is(err, ErrOrder) {
		t.Error(err)
	}
	if _, err := RangeOn(from, MustParse("10"), MaxScale); !errors.Is(err, ErrRange) {
		t.Error(err)
	}
}
