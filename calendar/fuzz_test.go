package calendar

import (
	"encoding"
	"testing"
)

// The targets give the decoders any bytes. None panics, a failure leaves the value as it was, and
// what is read comes back from what is written; where the written form is the only one, the bytes
// do, too.

func FuzzDate_UnmarshalText_MarshalText(f *testing.F) {
	for _, s := range []string{"", "2026-01-31", "0001-01-01", "9999-12-31", "2026-02-30", "31.01.2026", "2026-01-31 ", "\x00"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) { checkText(t, b, MustParse("1999-09-09")) })
}

func FuzzUnit_UnmarshalText_MarshalText(f *testing.F) {
	for _, s := range []string{"", "none", "day", "week", "month", "Month", "Unit(4)"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) { checkText(t, b, UnitWeek) })
}

func FuzzMonthEnd_UnmarshalText_MarshalText(f *testing.F) {
	for _, s := range []string{"", "clamp", "skip", "next-first", "overflow", "Skip", "MonthEnd(4)"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) { checkText(t, b, MonthEndSkip) })
}

// checkText reads b over a value that no failure may change.
func checkText[T encoding.TextMarshaler, P interface {
	*T
	encoding.TextUnmarshaler
}](t *testing.T, b []byte, before T,
) {
	v := before
	if err := P(&v).UnmarshalText(b); err != nil {
		if any(v) != any(before) || err.Error() == "" {
			t.Fatalf("%q: %v leaves %v", b, err, v)
		}
		return
	}
	text, err := v.MarshalText()
	if err != nil || string(text) != string(b) {
		t.Fatalf("%q is written as %q, %v", b, text, err)
	}
}
