package amount

import (
	"bytes"
	"encoding"
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

func FuzzTotal_UnmarshalJSON_MarshalJSON(f *testing.F) {
	totals := sampleTotals(f)
	for _, total := range totals {
		text, err := total.MarshalJSON()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	for _, s := range []string{`{}`, `null`, `{"charges":1,"min":"0","max":"1","variance":"1/12"}`, `{"charges":1,"min":"2","max":"1","variance":"1/0"}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		before := Total{charges: 7}
		total := before
		if err := total.UnmarshalJSON(b); err != nil {
			if total != before || err.Error() == "" {
				t.Fatalf("%q: %v leaves %v", b, err, total)
			}
			return
		}
		text, err := total.MarshalJSON()
		if !json.Valid(b) || err != nil || before.UnmarshalJSON(text) != nil || before != total {
			t.Fatalf("%q is written as %s, %v, and comes back as %v", b, text, err, before)
		}
		checkTotal(t, total)
	})
}

func FuzzTotal_UnmarshalBinary_MarshalBinary(f *testing.F) {
	totals := sampleTotals(f)
	for _, total := range totals {
		b, err := total.MarshalBinary()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if total, ok := fuzzBinary(t, b, Total{charges: 7}); ok {
			checkTotal(t, total)
		}
	})
}

func FuzzSum_UnmarshalBinary_MarshalBinary(f *testing.F) {
	totals := sampleTotals(f)
	for _, total := range totals {
		b, err := total.Max().MarshalBinary()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) { fuzzBinary(t, b, sumOf(MustParse("7.7"))) })
}

// fuzzBinary reads b over a value that no failure may change, and writes it again.
func fuzzBinary[T comparable, P interface {
	*T
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
}](t *testing.T, b []byte, before T,
) (v T, ok bool) {
	v = before
	if err := P(&v).UnmarshalBinary(b); err != nil {
		if v != before || err.Error() == "" {
			t.Fatalf("%x: %v leaves %v", b, err, v)
		}
		return v, false
	}
	again, err := P(&v).MarshalBinary()
	if err != nil || !bytes.Equal(again, b) {
		t.Fatalf("%x: %v is written as %x, %v", b, v, again, err)
	}
	return v, true
}

// checkTotal asks a total that was read for all that it answers, and takes it apart.
func checkTotal(t *testing.T, total Total) {
	if total.Min().Compare(total.Max()) > 0 || total.Variance().Sign() < 0 || total.String() == "" {
		t.Fatalf("%+v", total)
	}
	twice := total
	twice.Merge(total)
	if twice.charges < total.charges {
		return // more than 2^64 charges
	}
	if err := twice.Sub(total); err != nil || twice != total {
		t.Fatalf("%v twice, less once, is %v, %v", total, twice, err)
	}
}
