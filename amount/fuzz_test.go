package amount

import (
	"bytes"
	"encoding/json"
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
