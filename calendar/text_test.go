package calendar

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

var (
	_ encoding.TextAppender    = Date{}
	_ encoding.TextMarshaler   = Date{}
	_ encoding.TextUnmarshaler = (*Date)(nil)
	_ encoding.TextMarshaler   = UnitNone
	_ encoding.TextUnmarshaler = (*Unit)(nil)
	_ encoding.TextMarshaler   = MonthEndClamp
	_ encoding.TextUnmarshaler = (*MonthEnd)(nil)
	_ fmt.Stringer             = Date{}
)

func TestParseRefuses(t *testing.T) {
	type row struct {
		because
		text   string
		err    error
		part   string
		offset int
	}
	table := []row{
		{because{"empty", "C04, C05"}, "", ErrSyntax, "", 0},
		{because{"year 0000", "C05, h041: time takes it"}, "0000-01-01", ErrNotADay, "year", 0},
		{because{"31 February", "h038"}, "2025-02-31", ErrNotADay, "day", 8},
		{because{"29 February 2100", "h038, C03"}, "2100-02-29", ErrNotADay, "day", 8},
		{because{"29 February 1900", "h038, C03"}, "1900-02-29", ErrNotADay, "day", 8},
		{because{"31 April", "h038"}, "2025-04-31", ErrNotADay, "day", 8},
		{because{"day 00", "h038"}, "2025-01-00", ErrNotADay, "day", 8},
		{because{"month 13", "h038"}, "2025-13-01", ErrNotADay, "month", 5},
		{because{"month 00", "h038"}, "2025-00-01", ErrNotADay, "month", 5},
		{because{"short parts", "h040"}, "2025-2-1", ErrSyntax, "", 6},
		{because{"short year", "h040"}, "25-01-01", ErrSyntax, "", 2},
		{because{"the other form", "h040, h241"}, "31.01.2026", ErrSyntax, "", 2},
		{because{"compact", "h040, X3: eight digits are no date"}, "20260131", ErrSyntax, "", 4},
		{because{"slashes", "h040"}, "2025/01/01", ErrSyntax, "", 4},
		{because{"hyphens for dots", "h040"}, "2025.01.01", ErrSyntax, "", 4},
		{because{"five digits of year", "h042"}, "10000-01-01", ErrSyntax, "", 4},
		{because{"negative year", "h042"}, "-001-01-01", ErrSyntax, "", 0},
		{because{"plus sign", "C04: digits only"}, "2026-+1-01", ErrSyntax, "", 5},
		{because{"space after", "h043"}, "2026-01-31 ", ErrSyntax, "", 10},
		{because{"space before", "L46"}, " 2026-01-31", ErrSyntax, "", 0},
		{because{"space inside", "L46"}, "2026- 1-31", ErrSyntax, "", 5},
		{because{"NUL after", "h043"}, "2026-01-31\x00", ErrSyntax, "", 10},
		{because{"time after", "h043"}, "2026-01-31T00:00", ErrSyntax, "", 10},
		{because{"Arabic digits", "h043"}, "٢٠٢٦-٠١-٣١", ErrSyntax, "", 0},
		{because{"other points", "h043"}, "2026․01․31", ErrSyntax, "", 4},
		{because{"below the digits", "C05"}, "202/-01-31", ErrSyntax, "", 3},
		{because{"above the digits", "C05"}, "202:-01-31", ErrSyntax, "", 3},
		{because{"its own picture", "C05"}, "YYYY-MM-DD", ErrSyntax, "", 0},
		{because{"broken and no day", "the form is judged first"}, "0000-99-9x", ErrSyntax, "", 9},
		{because{"long", "C05: nothing past the form is read"}, strings.Repeat("2026-01-31", 1e5), ErrSyntax, "", 10},
	}
	each(t, table, func(t *testing.T, r row) {
		d, err := Parse(r.text)
		e, ok := errors.AsType[*Error](err)
		if !ok || !d.IsZero() || !errors.Is(err, r.err) || e.Part != r.part || e.Offset != r.offset {
			t.Fatalf("got %v, %#v; want %v, part %q, offset %d", d, err, r.err, r.part, r.offset)
		}
		if len(r.text) > 2 && r.text != dateForm && strings.Contains(e.Error(), r.text) {
			t.Errorf("the error repeats the text: %v", e)
		}
	})
}

func TestParse_ExactlyTheRealDays(t *testing.T) {
	// C04: 100 × 100 × 8 years, against package time, which also takes the year 0000.
	text := []byte("0000-00-00")
	for _, year := range []int{0, 1, 1900, 2000, 2023, 2024, 2100, 9999} {
		for month := range 100 {
			for day := range 100 {
				text = fmt.Appendf(text[:0], "%04d-%02d-%02d", year, month, day)
				d, err := Parse(string(text))
				clock, timeErr := time.Parse("2006-01-02", string(text))
				if exists := timeErr == nil && year > 0; exists != (err == nil) || exists && Of(clock) != d {
					t.Fatalf("%s: %v, %v; time says %v, %v", text, d, err, clock, timeErr)
				}
				if err == nil && d.Dotted() != clock.Format("02.01.2006") {
					t.Fatalf("%s is written as %s", text, d.Dotted())
				}
			}
		}
	}
}

func TestDotted_NoDayIsEmpty(t *testing.T) {
	for _, d := range []Date{{}, pastEnd} {
		if text := d.Dotted(); text != "" {
			t.Errorf("%v is written as %s", d, text)
		}
	}
}

func TestParse_EveryByteMatters(t *testing.T) {
	// C04: another byte at any place is an error, unless it is a digit that makes another real day.
	const text = "2026-01-31"
	for at := range len(text) {
		for b := range 256 {
			changed := text[:at] + string([]byte{byte(b)}) + text[at+1:]
			d, err := Parse(changed)
			if err == nil && d.String() != changed || (err == nil) == d.IsZero() {
				t.Errorf("%q: %v, %v", changed, d, err)
			}
		}
	}
}

func TestText_AllFormsAgree(t *testing.T) {
	// C04: String, Append, AppendText and MarshalText give one text, which UnmarshalText reads
	// back; that of the zero Date is empty.
	for _, d := range []Date{{}, MinDate(), day("2024-02-29"), day("2026-01-31"), MaxDate()} {
		appended, err := d.AppendText([]byte("x"))
		if err != nil || string(appended) != "x"+d.String() || string(d.Append(nil)) != d.String() {
			t.Errorf("%v: AppendText %q, %v", d, appended, err)
		}
		text, err := d.MarshalText()
		if err != nil || string(text) != d.String() {
			t.Errorf("%v: MarshalText %q, %v", d, text, err)
		}
		back := day("1999-09-09")
		if err := back.UnmarshalText(text); err != nil || back != d {
			t.Errorf("%v comes back as %v, %v", d, back, err)
		}
	}
}

func TestUnmarshalText_KeepsTheDateOnError(t *testing.T) {
	// C06: an error leaves the date unchanged.
	d := day("2026-01-31")
	err := d.UnmarshalText([]byte("2026-02-30"))
	if !errors.Is(err, ErrNotADay) || d != day("2026-01-31") {
		t.Errorf("%v, %v", d, err)
	}
}

func TestJSON(t *testing.T) {
	// C04: a date is a JSON string and a JSON key; omitzero leaves the zero Date out.
	type record struct {
		Start  Date          `json:"start"`
		Finish Date          `json:"finish,omitzero"`
		Paid   map[Date]bool `json:"paid"`
	}
	in := record{Start: day("2026-01-31"), Paid: map[Date]bool{day("2026-02-28"): true}}
	text, err := json.Marshal(in)
	const want = `{"start":"2026-01-31","paid":{"2026-02-28":true}}`
	if err != nil || string(text) != want {
		t.Fatalf("%s, %v; want %s", text, err, want)
	}
	var out record
	if err := json.Unmarshal(text, &out); err != nil || out.Start != in.Start || !out.Paid[day("2026-02-28")] {
		t.Errorf("%+v, %v", out, err)
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
		{because{"syntax", "L38"}, fail(Parse("2026-2-1")), "calendar: not a date at byte 6; write YYYY-MM-DD in ASCII digits"},
		{
			because{"no such day", "L38"},
			fail(Parse("2026-02-30")),
			"calendar: day: no such day at byte 8; use a day of its month, a month from 1 to 12 and a year from 1 to 9999",
		},
		{
			because{"year", "C06"},
			fail(New(0, 1, 1)),
			"calendar: year: no such day; use a day of its month, a month from 1 to 12 and a year from 1 to 9999",
		},
		{
			because{"start", "C32"},
			fail(NewSchedule(Date{}, UnitDay, 1, MonthEndClamp)),
			"calendar: start: no start date; use a day from 0001-01-01 to 9999-12-31",
		},
		{because{"unit", "C32"}, fail(NewSchedule(MinDate(), UnitNone, 1, MonthEndClamp)), "calendar: unit: unknown unit; use day, week or month"},
		{
			because{"interval", "L56b"},
			fail(NewSchedule(MinDate(), UnitDay, 0, MonthEndClamp)),
			"calendar: interval: invalid interval; use a whole number from 1",
		},
		{
			because{"month end", "L01"},
			fail(NewSchedule(MinDate(), UnitMonth, 1, 9)),
			"calendar: month-end: unknown month end; use clamp, skip, next-first or overflow",
		},
		{because{"fault alone", "netip: a sentinel has a text"}, ErrSyntax, "calendar: not a date; write YYYY-MM-DD in ASCII digits"},
	}, func(t *testing.T, r row) {
		if r.err == nil || r.err.Error() != r.want {
			t.Errorf("got  %v\nwant %s", r.err, r.want)
		}
	})
}

func TestMustParsePanics(t *testing.T) {
	defer func() {
		if err, ok := recover().(error); !ok || !errors.Is(err, ErrNotADay) {
			t.Errorf("panic with %v", err)
		}
	}()
	MustParse("2026-02-30")
}

func TestWords(t *testing.T) {
	// 2.1: day, week and month, exactly; L01: the four month ends; E11: a number for anything else,
	// which has no text to store.
	unitTexts := []string{UnitNone: "", UnitDay: "day", UnitWeek: "week", UnitMonth: "month", UnitMonth + 1: "Unit(4)", 255: "Unit(255)"}
	endTexts := []string{MonthEndClamp: "clamp", MonthEndSkip: "skip", MonthEndNextFirst: "next-first", MonthEndOverflow: "overflow", MonthEndOverflow + 1: "MonthEnd(4)", 255: "MonthEnd(255)"}
	for i := range 256 {
		u, e := Unit(i), MonthEnd(i)
		if want := unitTexts[i]; (want != "" || i == 0) && u.String() != want {
			t.Errorf("Unit %d is %q, want %q", i, u, want)
		}
		if want := endTexts[i]; want != "" && e.String() != want {
			t.Errorf("MonthEnd %d is %q, want %q", i, e, want)
		}
		parsed, err := ParseUnit(u.String())
		if known := u <= UnitMonth; known != (err == nil) || known && parsed != u || !known && (parsed != UnitNone) {
			t.Errorf("%v: parsed as %v, %v", u, parsed, err)
		}
		if text, err := u.MarshalText(); (u <= UnitMonth) != (err == nil) || err == nil && string(text) != u.String() {
			t.Errorf("%v: %s, %v", u, text, err)
		}
		back := MonthEndSkip
		text, err := e.MarshalText()
		if known := e <= MonthEndOverflow; known != (err == nil) {
			t.Errorf("%v: %s, %v", e, text, err)
		} else if err := back.UnmarshalText([]byte(e.String())); known && (err != nil || back != e) || !known && (err == nil || back != MonthEndSkip) {
			t.Errorf("%v comes back as %v, %v", e, back, err)
		}
	}
	for _, s := range []string{"none", "Day", "DAY", " day", "day ", "days", "d", "year"} {
		kept := UnitWeek
		if err := kept.UnmarshalText([]byte(s)); kept != UnitWeek || err == nil {
			t.Errorf("%q: %v, %v", s, kept, err)
		}
	}
}
