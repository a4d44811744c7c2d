package amount

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
)

// The targets give the decoders any bytes. None panics, a failure leaves the value as it was, and
// what is read comes back from what is written. Binary forms are the only form of their value, so
// the bytes come back, too.

func FuzzAmount_UnmarshalJSON_MarshalJSON(f *testing.F) {
	for _, s := range []string{`"1.50"`, `"00.10"`, `"9223372036854775807"`, `"0.000000000000000001"`, `1.5`, `null`, `"`, `"1e3"`, `"\u0031"`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		before := MustParse("7.7")
		a := before
		if err := a.UnmarshalJSON(b); err != nil {
			if a != before || err.Error() == "" {
				t.Fatalf("%q: %v leaves %v", b, err, a)
			}
			return
		}
		text, err := json.Marshal(a)
		if err != nil || json.Unmarshal(text, &before) != nil || before != a {
			t.Fatalf("%q is written as %s, %v, and comes back as %v", b, text, err, before)
		}
	})
}

func FuzzSum_UnmarshalText_MarshalText(f *testing.F) {
	for _, s := range []string{"0", "1.50", "18446744073709551616", "170141183460469231731687303715884105727.999999999999999999", "1e3", "", ".5", "5."} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		before := sumOf(MustParse("7.7"))
		s := before
		if err := s.UnmarshalText(b); err != nil {
			if s != before || err.Error() == "" {
				t.Fatalf("%q: %v leaves %v", b, err, s)
			}
			return
		}
		text, err := s.MarshalText()
		if err != nil || before.UnmarshalText(text) != nil || before != s || !bytes.HasSuffix(b, text) {
			t.Fatalf("%q is written as %s, %v, and comes back as %v", b, text, err, before)
		}
	})
}

// FuzzAmount_Parse_Expression: an amount is digits, perhaps a point and digits, that fit its type, and keeps its scale.
func FuzzAmount_Parse_Expression(f *testing.F) {
	for _, s := range []string{
		"0", "1.50", "10", "9999999999", "9223372036854775807", "0.000000000000000001", "00012.50", "1e3", "+1", "-0", ".5", "5.", "1,5", "NaN", "1 ", "٣", "−5", "0x10", "1.2.3", "1_000", "$5", "",
		"9223372036854775808", "0.0000000000000000001", strings.Repeat("9", 64), strings.Repeat("0", 65), "0." + strings.Repeat("0", 300),
	} {
		f.Add(s)
	}
	form := regexp.MustCompile(`^[0-9]+(\.[0-9]+)?$`)
	f.Fuzz(func(t *testing.T, text string) {
		a, err := Parse(text)
		if err != nil {
			if a != (Amount{}) || len(text) > 8 && strings.Contains(err.Error(), text) {
				t.Errorf("%q leaves %v and says %v", text, a, err)
			}
			return
		}
		want := text
		for len(want) > 1 && want[0] == '0' && want[1] != '.' {
			want = want[1:]
		}
		if back, err := Parse(a.String()); !form.MatchString(text) || a.String() != want || err != nil || back != a {
			t.Errorf("%q is %v, read again as %v, %v", text, a, back, err)
		}
	})
}
