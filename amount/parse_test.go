package amount

import (
	"errors"
	"math/big"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

func TestParseAccepts(t *testing.T) {
	type row struct {
		because
		in    string
		coef  int64
		scale int
	}
	table := []row{
		{because{"zero", "L36: zero is the payload's error, not the parser's"}, "0", 0, 0},
		{because{"zero with decimals", "h022"}, "0.00", 0, 2},
		{because{"one digit", "A01"}, "7", 7, 0},
		{because{"scale kept", "A02, gallery scale-lost"}, "1.50", 150, 2},
		{because{"leading zeros", "h011"}, "00012.50", 1250, 2},
		{because{"three decimals", "h023: no currency here"}, "0.001", 1, 3},
		{because{"ten characters", "h026"}, "9999999.99", 999999999, 2},
		{because{"ten digits", "h026"}, "9999999999", 9999999999, 0},
		{because{"eleven characters", "h025: length is the column's rule"}, "12345678.90", 1234567890, 2},
		{because{"nineteen digits", "A01: the fast path ends here"}, "9223372036854775807", 1<<63 - 1, 0},
		{because{"largest with a point", "A01"}, "9.223372036854775807", 1<<63 - 1, 18},
		{because{"smallest above zero", "A01"}, "0.000000000000000001", 1, 18},
		{because{"zeros to the limit", "A20: 64 bytes are read"}, strings.Repeat("0", 62) + ".1", 1, 1},
		{because{"zeros before the largest", "A01"}, strings.Repeat("0", 45) + "9223372036854775807", 1<<63 - 1, 0},
	}
	each(t, table, func(t *testing.T, r row) {
		a, err := Parse(r.in)
		if err != nil || a.Coefficient() != r.coef || a.Scale() != r.scale {
			t.Errorf("got %d, scale %d, %v; want %d, scale %d", a.Coefficient(), a.Scale(), err, r.coef, r.scale)
		}
		var b Amount
		if err := b.UnmarshalText([]byte(r.in)); b != a || err != nil {
			t.Errorf("UnmarshalText: %v, %v", b, err)
		}
		if sum, err := ParseSum(r.in); sum != sumOf(a) || err != nil {
			t.Errorf("ParseSum: %v, %v", sum, err)
		}
	})
}

func TestParseRefuses(t *testing.T) {
	type row struct {
		because
		in     string
		fault  Fault
		offset int
	}
	const syntax, long, outside = ErrSyntax, ErrTooLong, ErrRange
	table := []row{
		{because{"empty", "h021"}, "", syntax, 0},
		{because{"exponent of a billion", "h001"}, "1e1000000000", syntax, 1},
		{because{"exponent", "h002"}, "1e10000", syntax, 1},
		{because{"small exponent", "h003"}, "1e-10000", syntax, 1},
		{because{"short exponent", "h004"}, "1e3", syntax, 1},
		{because{"capital exponent", "h004"}, "1E3", syntax, 1},
		{because{"signed exponent", "h004"}, "1e+3", syntax, 1},
		{because{"one digit exponent", "h005"}, "1e9", syntax, 1},
		{because{"exponent of 2^31", "h006"}, "1e2147483648", syntax, 1},
		{because{"plus", "h007"}, "+1", syntax, 0},
		{because{"minus sign U+2212", "h008"}, "−5", syntax, 0},
		{because{"minus", "h009"}, "-1", syntax, 0},
		{because{"minus zero", "h009"}, "-0", syntax, 0},
		{because{"no digit before the point", "h010"}, ".5", syntax, 0},
		{because{"no digit after the point", "h010"}, "5.", syntax, 2},
		{because{"underscore", "h012"}, "1_000", syntax, 1},
		{because{"hexadecimal", "h012"}, "0x10", syntax, 1},
		{because{"binary", "h012"}, "0b1", syntax, 1},
		{because{"space inside", "h012"}, "1 000", syntax, 1},
		{because{"dollar", "h012"}, "$5", syntax, 0},
		{because{"currency", "h012"}, "5USD", syntax, 1},
		{because{"comma", "h013"}, "1,5", syntax, 1},
		{because{"point and comma", "h013"}, "1.000,00", syntax, 5},
		{because{"NaN", "h014"}, "NaN", syntax, 0},
		{because{"Inf", "h014"}, "Inf", syntax, 0},
		{because{"-Infinity", "h014"}, "-Infinity", syntax, 0},
		{because{"space before", "h015"}, " 1", syntax, 0},
		{because{"space after", "h015"}, "1 ", syntax, 1},
		{because{"line feed after", "h016"}, "1\n", syntax, 1},
		{because{"NUL after", "h016"}, "1\x00", syntax, 1},
		{because{"zero-width space after", "h016"}, "1\u200b", syntax, 1},
		{because{"Arabic digit", "h017"}, "٣", syntax, 0},
		{because{"full-width digits", "h017"}, "１２", syntax, 0},
		{because{"a half", "h017"}, "½", syntax, 0},
		{because{"superscript", "h017"}, "1²", syntax, 1},
		{because{"two points", "h018"}, "1.2.3", syntax, 3},
		{because{"two points together", "h018"}, "1..2", syntax, 2},
		{because{"two minuses", "h018"}, "--1", syntax, 0},
		{because{"plus minus", "h018"}, "+-1", syntax, 0},
		{because{"minus after the point", "h018"}, "1.-5", syntax, 2},
		{because{"e", "h018"}, "e", syntax, 0},
		{because{"1e", "h018"}, "1e", syntax, 1},
		{because{"point", "h018"}, ".", syntax, 0},
		{because{"neighbours of the digits, slash", "A01"}, "1/", syntax, 1},
		{because{"neighbours of the digits, colon", "A01"}, "1.0:", syntax, 3},
		{because{"one million digits", "h019"}, strings.Repeat("9", 1e6), long, -1},
		{because{"100,000 decimals", "h020"}, "0." + strings.Repeat("1", 1e5), long, -1},
		{because{"one byte over the limit", "A20"}, strings.Repeat("0", maxLength+1), long, -1},
		{because{"long and no number", "A20: not looked at"}, strings.Repeat("x", maxLength+1), long, -1},
		{because{"2^63", "A07"}, "9223372036854775808", outside, -1},
		{because{"nineteen nines", "A07: the largest text of the fast path"}, "9999999999999999999", outside, -1},
		{because{"2^64", "A07: wraps to 0"}, "18446744073709551616", outside, -1},
		{because{"2^64 and 1", "A07: wraps to 1"}, "18446744073709551617", outside, -1},
		{because{"2^63 after zeros", "A07: the slow path"}, "00000000009223372036854775808", outside, -1},
		{because{"2^63 and 1 after zeros", "A07: the slow path"}, "00000000009223372036854775809", outside, -1},
		{because{"2^63 and 2 after zeros", "A07: the slow path"}, "00000000009223372036854775810", outside, -1},
		{because{"2^63 with eighteen decimals", "A07: the slow path"}, "9.223372036854775808", outside, -1},
		{because{"ten times the largest", "A07"}, "92233720368547758070", outside, -1},
		{because{"largest with one decimal", "A07"}, "9223372036854775807.0", outside, -1},
		{because{"nineteen decimals", "A07"}, "0.0000000000000000000", outside, -1},
		{because{"at the limit of the length", "A20"}, strings.Repeat("9", maxLength), outside, -1},
		{because{"too large, then no number", "A01: syntax comes first"}, "99999999999999999999x", syntax, 20},
		{because{"long, no digit after the point", "h010"}, "12345678901234567890.", syntax, 21},
		{because{"long, no digit before the point", "h010"}, ".12345678901234567890", syntax, 0},
		{because{"long, two points", "h018"}, "1.2345678901234567890.", syntax, 21},
	}
	each(t, table, func(t *testing.T, r row) {
		a, err := Parse(r.in)
		if !errors.Is(err, r.fault) || a != (Amount{}) {
			t.Fatalf("got %v, %v; want %v", a, err, r.fault)
		}
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Fault != r.fault || e.Offset != r.offset {
			t.Errorf("got %+v, want offset %d", e, r.offset)
		}
		if other := a.UnmarshalText([]byte(r.in)); other == nil || other.Error() != err.Error() {
			t.Errorf("UnmarshalText says %v, Parse says %v", other, err)
		}
		if sum, other := ParseSum(r.in); r.fault != outside && (other == nil || other.Error() != err.Error() || sum != Sum{}) {
			t.Errorf("ParseSum says %v, %v, Parse says %v", sum, other, err)
		}
	})
}

// Goal: the scanner accepts the language of L36 and nothing else (A01). Method: every text of up to
// six characters of an alphabet of digits, points and what is often beside them, compared with a
// regular expression; the value, with math/big.
func TestParseAgainstOracles(t *testing.T) {
	grammar := regexp.MustCompile(`^[0-9]+(\.[0-9]+)?$`)
	const alphabet = "09.+-e, "
	n := 0
	var walk func(prefix string, left int)
	walk = func(prefix string, left int) {
		n++
		a, err := Parse(prefix)
		if (err == nil) != grammar.MatchString(prefix) {
			t.Fatalf("%q: %v", prefix, err)
		}
		if err == nil && rat(a).Cmp(ratText(t, prefix)) != 0 {
			t.Fatalf("%q: %v", prefix, a)
		}
		if left == 0 {
			return
		}
		for i := range len(alphabet) {
			walk(prefix+alphabet[i:i+1], left-1)
		}
	}
	walk("", 6)
	if n != 299593 { // (8^7−1)/7
		t.Errorf("walked %d texts", n)
	}
}

// Goal: the value and its decimals decide what fits, not the length of the text. Method: 1 to 64
// random digits around the limits, compared with math/big.
func TestParseFits(t *testing.T) {
	r := source(1)
	largest := big.NewInt(1<<63 - 1)
	accepted := 0
	for range 20000 {
		digits := make([]byte, 1+r.IntN(24))
		for i := range digits {
			digits[i] = byte('0' + r.IntN(10))
		}
		text := strings.Repeat("0", r.IntN(3)*r.IntN(20)) + string(digits)
		coef, _ := new(big.Int).SetString(text, 10)
		scale := 0
		if len(text) > 1 && r.IntN(3) > 0 {
			scale = 1 + r.IntN(min(len(text)-1, MaxScale+2))
			text = text[:len(text)-scale] + "." + text[len(text)-scale:]
		}
		want := coef.Cmp(largest) <= 0 && scale <= MaxScale && len(text) <= maxLength
		a, err := Parse(text)
		if (err == nil) != want {
			t.Fatalf("%s: %v", text, err)
		}
		if !want {
			continue
		}
		accepted++
		if a.Coefficient() != coef.Int64() || a.Scale() != scale {
			t.Fatalf("%s: %d, scale %d", text, a.Coefficient(), a.Scale())
		}
	}
	if accepted < 5000 || accepted > 19000 {
		t.Errorf("%d of 20000 accepted: one case is hardly tried", accepted)
	}
}

// Goal: an error never shows the input (A01). Method: texts with digits that no message
// contains.
func TestErrorsShowNoInput(t *testing.T) {
	const pan = "4111111111111111"
	for _, in := range []string{pan + "x", pan + pan, "-" + pan, pan + "." + pan + pan, strings.Repeat(pan, 9)} {
		_, err := Parse(in)
		if err == nil {
			t.Fatal("accepted")
		}
		if strings.Contains(err.Error(), "4111") {
			t.Errorf("shown: %v", err)
		}
	}
}

// Goal: a hostile text is refused cheaply (A20). Method: count the bytes allocated.
func TestParseOfLongTextsIsCheap(t *testing.T) {
	text := strings.Repeat("9", 1e6)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 1000 {
		if _, err := Parse(text); !errors.Is(err, ErrTooLong) {
			t.Fatal(err)
		}
	}
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 256<<10 {
		t.Errorf("1000 refusals of a megabyte allocated %d bytes", grown)
	}
}

func TestMustParsePanics(t *testing.T) {
	defer func() {
		if err, ok := recover().(error); !ok || !errors.Is(err, ErrSyntax) {
			t.Errorf("recovered %v", err)
		}
	}()
	MustParse("1e3")
}

func TestFaultTexts(t *testing.T) {
	// Each fault has a text of its own, with rule and remedy.
	seen := map[Fault]bool{}
	for _, f := range []Fault{ErrSyntax, ErrTooLong, ErrRange, ErrNegative, ErrOrder, ErrEmpty, ErrDraws, ErrType, ErrPercent} {
		if text := f.Error(); !strings.HasPrefix(text, "amount: ") || strings.Count(text, "; ") != 1 || refuse(f).Error() != text || seen[f] {
			t.Errorf("%q", f)
		}
		seen[f] = true
	}
}

func TestErrorTexts(t *testing.T) {
	// House rule: place, rule, remedy, and never the input. Whole texts, as a stranger reads them.
	fail := func(_ any, err error) error { return err }
	type row struct {
		because
		err  error
		want string
	}
	each(t, []row{
		{because{"syntax", "L36"}, fail(Parse("1,5")), "amount: not an amount at byte 1; write digits, optionally a point and more digits (L36)"},
		{because{"first byte", "L36: a place like any other"}, fail(Parse("")), "amount: not an amount at byte 0; write digits, optionally a point and more digits (L36)"},
		{because{"negative", "L36"}, fail(FromMinor(-1, 0)), "amount: below zero; use zero or more (L36)"},
		{because{"order", "L33"}, fail(Range(MustParse("2"), MustParse("1"), "EUR")), "amount: amount-from is above amount-to; swap the two (L33)"},
		{
			because{"too wide", "E7: not taken for a wrong order"},
			fail(Range(MustParse("1"), MustParse("9223372036854775807"), "EUR")),
			"amount: amount-to: more digits than fit; use at most 18 decimals and at most 9223372036854775807 units of the last one (L36c)",
		},
	}, func(t *testing.T, r row) {
		if r.err == nil || r.err.Error() != r.want {
			t.Errorf("got  %v\nwant %s", r.err, r.want)
		}
	})
}
