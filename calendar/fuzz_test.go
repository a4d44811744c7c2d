package calendar

import (
	"encoding"
	"encoding/json"
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

func FuzzWindow_UnmarshalJSON_MarshalJSON(f *testing.F) {
	for _, s := range []string{
		`{}`, `{"from":"2026-01-01","through":"2026-01-31"}`, `{"from":"2026-01-31","before":"0001-01-01"}`, `{"through":"9999-12-31"}`,
		`{"from":"2026-01-31","through":"2026-01-30"}`, `{"from":1}`, `{"from":"","from":""}`, `null`, `{"from":`, `{"before":"","through":""}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) { checkJSON(t, b, Through(First(), First())) })
}

func FuzzSchedule_UnmarshalJSON_MarshalJSON(f *testing.F) {
	for _, s := range []string{
		`{}`, `{"start":"2026-01-31","unit":"month","interval":1,"month-end":"clamp"}`, `{"start":"2026-01-31","unit":"day","interval":9223372036854775807}`,
		`{"start":"2024-02-29","unit":"month","interval":12,"month-end":"skip"}`, `{"unit":"none"}`, `{"interval":1e9}`, `null`, `{"start":{}}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) { checkJSON(t, b, schedule("2000-01-01", UnitDay, 7, MonthEndOverflow)) })
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

// checkJSON is checkText for JSON, whose space and order of members are not kept.
func checkJSON[T json.Marshaler, P interface {
	*T
	json.Unmarshaler
}](t *testing.T, b []byte, before T,
) {
	v := before
	if err := P(&v).UnmarshalJSON(b); err != nil {
		if any(v) != any(before) || err.Error() == "" {
			t.Fatalf("%q: %v leaves %v", b, err, v)
		}
		return
	}
	if !json.Valid(b) {
		t.Fatalf("%q is read as %v", b, v)
	}
	text, err := v.MarshalJSON()
	back := before
	if err != nil || P(&back).UnmarshalJSON(text) != nil || any(back) != any(v) {
		t.Fatalf("%q is written as %s, %v, and comes back as %v", b, text, err, back)
	}
}
