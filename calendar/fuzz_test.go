package calendar

import (
	"encoding"
	"math"
	"testing"
	"time"
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

// FuzzDate_Parse_Time: a date is ten characters that package time reads as the same day.
func FuzzDate_Parse_Time(f *testing.F) {
	for _, s := range []string{"9999-12-31", "0001-01-01", "2000-02-29", "2100-02-29", "2026-04-31", "0000-01-01", "2026-1-2", "20260101", "2025-01-01T00:00", "٠١.٠١.٢٠٢٥", "2026-12-31 ", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := Parse(text)
		want, bad := time.Parse(time.DateOnly, text)
		if real := bad == nil && want.Year() > 0; real != (err == nil) || real && (d != Of(want) || d.String() != text) {
			t.Errorf("%q is %v, %v; package time says %v, %v", text, d, err, want, bad)
		}
	})
}

// FuzzSchedule_At_Index: the numbers of dates and the dates of numbers agree, also where a machine word ends.
func FuzzSchedule_At_Index(f *testing.F) {
	f.Add(int64(0), int64(1), int64(0), uint16(0))
	f.Add(int64(math.MaxInt64), int64(math.MaxInt64), int64(3_652_058), uint16(0xffff))
	f.Add(int64(1)<<31, int64(1)<<62, int64(30), uint16(9))
	f.Fuzz(func(t *testing.T, k, interval, day int64, kind uint16) {
		word := func(n int64) int { return int(n & int64(^uint(0)>>1)) }
		start := MinDate().AddDays(word(day) % (MaxDate().Sub(MinDate()) + 1))
		s, err := NewSchedule(start, Unit(1+kind%3), max(word(interval), 1), MonthEnd(kind>>8&3))
		if err != nil {
			t.Fatal(err)
		}
		n := word(k) % (s.Len() + 1)
		d, exists := s.At(n)
		if exists != (n < s.Len()) {
			t.Fatalf("date %d of %d: %v", n, s.Len(), exists)
		}
		if !exists {
			return
		}
		if got, on := s.Index(d); got != n || !on || s.Count(Window{From: start, To: d}) != n {
			t.Errorf("%v: date %d is %v, whose number is %d, %v", s, n, d, got, on)
		}
		if next, more := s.At(n + 1); more {
			if got, _ := s.Index(d.AddDays(1)); !next.After(d) || got != n+1 {
				t.Errorf("%v: after date %d, %v, comes %v; the number of the day after it is %d", s, n, d, next, got)
			}
		}
	})
}
