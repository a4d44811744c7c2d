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
	_ fmt.Stringer             = Window{}
	_ fmt.Stringer             = Schedule{}
)

func TestParseRefuses(t *testing.T) {
	type row struct {
		because
		iso    string
		dotted string
		err    error
		part   string
		offset [2]int // in the ISO and in the dotted text
	}
	table := []row{
		{because{"empty", "C04, C05"}, "", "", ErrSyntax, "", [2]int{0, 0}},
		{because{"year 0000", "C05, h041: time takes it"}, "0000-01-01", "01.01.0000", ErrNotADay, "year", [2]int{0, 6}},
		{because{"31 February", "h038"}, "2025-02-31", "31.02.2025", ErrNotADay, "day", [2]int{8, 0}},
		{because{"29 February 2100", "h038, C03"}, "2100-02-29", "29.02.2100", ErrNotADay, "day", [2]int{8, 0}},
		{because{"29 February 1900", "h038, C03"}, "1900-02-29", "29.02.1900", ErrNotADay, "day", [2]int{8, 0}},
		{because{"31 April", "h038"}, "2025-04-31", "31.04.2025", ErrNotADay, "day", [2]int{8, 0}},
		{because{"day 00", "h038"}, "2025-01-00", "00.01.2025", ErrNotADay, "day", [2]int{8, 0}},
		{because{"month 13", "h038"}, "2025-13-01", "01.13.2025", ErrNotADay, "month", [2]int{5, 3}},
		{because{"month 00", "h038"}, "2025-00-01", "01.00.2025", ErrNotADay, "month", [2]int{5, 3}},
		{because{"short parts", "h040"}, "2025-2-1", "1.2.2025", ErrSyntax, "", [2]int{6, 1}},
		{because{"short year", "h040"}, "25-01-01", "01.01.25", ErrSyntax, "", [2]int{2, 8}},
		{because{"the other form", "h040, h241"}, "31.01.2026", "2026-01-31", ErrSyntax, "", [2]int{2, 2}},
		{because{"compact", "h040, X3: eight digits are no date"}, "20260131", "31012026", ErrSyntax, "", [2]int{4, 2}},
		{because{"slashes", "h040"}, "2025/01/01", "01/01/2025", ErrSyntax, "", [2]int{4, 2}},
		{because{"hyphens for dots", "h040"}, "2025.01.01", "01-01-2025", ErrSyntax, "", [2]int{4, 2}},
		{because{"five digits of year", "h042"}, "10000-01-01", "01.01.10000", ErrSyntax, "", [2]int{4, 10}},
		{because{"negative year", "h042"}, "-001-01-01", "01.01.-001", ErrSyntax, "", [2]int{0, 6}},
		{because{"plus sign", "C04: digits only"}, "2026-+1-01", "+1.01.2026", ErrSyntax, "", [2]int{5, 0}},
		{because{"space after", "h043"}, "2026-01-31 ", "31.01.2026 ", ErrSyntax, "", [2]int{10, 10}},
		{because{"space before", "L46"}, " 2026-01-31", " 31.01.2026", ErrSyntax, "", [2]int{0, 0}},
		{because{"space inside", "L46"}, "2026- 1-31", "31. 1.2026", ErrSyntax, "", [2]int{5, 3}},
		{because{"NUL after", "h043"}, "2026-01-31\x00", "31.01.2026\x00", ErrSyntax, "", [2]int{10, 10}},
		{because{"time after", "h043"}, "2026-01-31T00:00", "31.01.2026T00:00", ErrSyntax, "", [2]int{10, 10}},
		{because{"Arabic digits", "h043"}, "٢٠٢٦-٠١-٣١", "٣١.٠١.٢٠٢٦", ErrSyntax, "", [2]int{0, 0}},
		{because{"other points", "h043"}, "2026․01․31", "31。01。2026", ErrSyntax, "", [2]int{4, 2}},
		{because{"below the digits", "C05"}, "202/-01-31", "3/.01.2026", ErrSyntax, "", [2]int{3, 1}},
		{because{"above the digits", "C05"}, "202:-01-31", "3:.01.2026", ErrSyntax, "", [2]int{3, 1}},
		{because{"its own picture", "C05"}, "YYYY-MM-DD", "DD.MM.YYYY", ErrSyntax, "", [2]int{0, 0}},
		{because{"broken and no day", "the form is judged first"}, "0000-99-9x", "99.99.000x", ErrSyntax, "", [2]int{9, 9}},
		{because{"long", "C05: nothing past the form is read"}, strings.Repeat("2026-01-31", 1e5), strings.Repeat("31.01.2026", 1e5), ErrSyntax, "", [2]int{10, 10}},
	}
	each(t, table, func(t *testing.T, r row) {
		refuses := func(text string, d Date, err error, offset int) {
			t.Helper()
			e, ok := errors.AsType[*Error](err)
			if !ok || !d.IsZero() || !errors.Is(err, r.err) || e.Part != r.part || e.Offset != offset {
				t.Fatalf("got %v, %#v; want %v, part %q, offset %d", d, err, r.err, r.part, offset)
			}
			if len(text) > 2 && text != isoForm && text != dottedForm && strings.Contains(e.Error(), text) {
				t.Errorf("the error repeats the text: %v", e)
			}
		}
		d, err := Parse(r.iso)
		refuses(r.iso, d, err, r.offset[0])
		d, err = ParseDotted(r.dotted)
		refuses(r.dotted, d, err, r.offset[1])
	})
}

func TestParseDotted_ExactlyTheRealDays(t *testing.T) {
	// C05: 100 × 100 × 8 years, against package time, which also takes the year 0000.
	text := []byte("00.00.0000")
	for _, year := range []int{0, 1, 1900, 2000, 2023, 2024, 2100, 9999} {
		for month := range 100 {
			for day := range 100 {
				text = fmt.Appendf(text[:0], "%02d.%02d.%04d", day, month, year)
				d, err := ParseDotted(string(text))
				clock, timeErr := time.Parse("02.01.2006", string(text))
				if exists := timeErr == nil && year > 0; exists != (err == nil) || exists && Of(clock) != d {
					t.Fatalf("%s: %v, %v; time says %v, %v", text, d, err, clock, timeErr)
				}
				if err == nil && d.Dotted() != string(text) {
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
	// C04, C05: another byte at any place is an error, unless it is a digit that makes another real
	// day.
	forms := []struct {
		text  string
		parse func(string) (Date, error)
		form  func(iso string) string
	}{
		{"2026-01-31", Parse, func(iso string) string { return iso }},
		{"31.01.2026", ParseDotted, dotted},
	}
	for _, f := range forms {
		for at := range len(f.text) {
			for b := range 256 {
				changed := f.text[:at] + string([]byte{byte(b)}) + f.text[at+1:]
				d, err := f.parse(changed)
				if err == nil && f.form(d.String()) != changed || (err == nil) == d.IsZero() {
					t.Errorf("%q: %v, %v", changed, d, err)
				}
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
		{because{"syntax", "L38"}, fail(ParseDotted("1.2.2026")), "calendar: not a date at byte 1; write YYYY-MM-DD in ASCII digits, or DD.MM.YYYY in a payload"},
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
		{because{"unit", "C32"}, fail(ParseUnit("fortnight")), "calendar: unit: unknown unit; use day, week or month"},
		{
			because{"interval", "L56b"},
			fail(NewSchedule(MinDate(), UnitDay, 0, MonthEndClamp)),
			"calendar: interval: invalid interval; use a whole number from 1",
		},
		{
			because{"month end", "L01"},
			new(MonthEnd).UnmarshalText([]byte("drift")),
			"calendar: month-end: unknown month end; use clamp, skip, next-first or overflow",
		},
		{because{"fault alone", "netip: a sentinel has a text"}, ErrSyntax, "calendar: not a date; write YYYY-MM-DD in ASCII digits, or DD.MM.YYYY in a payload"},
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
		if known := u <= UnitMonth; known != (err == nil) || known && parsed != u || !known && (parsed != UnitNone || !errors.Is(err, ErrUnit)) {
			t.Errorf("%v: parsed as %v, %v", u, parsed, err)
		}
		if text, err := u.MarshalText(); (u <= UnitMonth) != (err == nil) || err == nil && string(text) != u.String() || err != nil && !errors.Is(err, ErrUnit) {
			t.Errorf("%v: %s, %v", u, text, err)
		}
		back := MonthEndSkip
		text, err := e.MarshalText()
		if known := e <= MonthEndOverflow; known != (err == nil) || !known && !errors.Is(err, ErrMonthEnd) {
			t.Errorf("%v: %s, %v", e, text, err)
		} else if err := back.UnmarshalText([]byte(e.String())); known && (err != nil || back != e) || !known && (!errors.Is(err, ErrMonthEnd) || back != MonthEndSkip) {
			t.Errorf("%v comes back as %v, %v", e, back, err)
		}
	}
	for _, s := range []string{"none", "Day", "DAY", " day", "day ", "days", "d", "year"} {
		kept := UnitWeek
		if err := kept.UnmarshalText([]byte(s)); kept != UnitWeek || !errors.Is(err, ErrUnit) {
			t.Errorf("%q: %v, %v", s, kept, err)
		}
	}
}
