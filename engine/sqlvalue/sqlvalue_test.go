package sqlvalue_test

import (
	"database/sql"
	"database/sql/driver"
	"strings"
	"testing"
	"time"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/engine/sqlvalue"
)

// kept stores *v and scans what was stored into a new value.
func kept[T any](t *testing.T, v T, want driver.Value) T {
	t.Helper()
	var valuer driver.Valuer = sqlvalue.Of(&v)
	stored, err := valuer.Value()
	if err != nil || want != "" && stored != want {
		t.Errorf("%v is stored as %v, %v; want %v", v, stored, err, want)
	}
	var back T
	var scanner sql.Scanner = sqlvalue.Of(&back)
	if text, ok := stored.(string); ok {
		stored = []byte(text) // as drivers hand it over
	}
	if err := scanner.Scan(stored); err != nil {
		t.Errorf("%v is not read back: %v", v, err)
	}
	return back
}

// TestValues: what a program keeps in a column is what it reads back, and NULL is none (G16).
func TestValues(t *testing.T) {
	day := calendar.MustParse("2026-01-31")
	if got := kept(t, day, "2026-01-31"); got != day {
		t.Error(got)
	}
	if got := kept(t, calendar.Date{}, nil); !got.IsZero() {
		t.Error(got)
	}
	for _, text := range []string{"0", "0.00", "9.99", "9223372036854775807"} {
		if got := kept(t, amount.MustParse(text), text); got != amount.MustParse(text) {
			t.Errorf("%s is read back as %v", text, got)
		}
	}
	s := engine.Stored{Profile: engine.Profile{
		ID: "order-1", Kind: engine.KindSource, Start: day, Unit: calendar.UnitMonth, Interval: 1, Amounts: amount.Fixed(amount.MustParse("9.99")), Currency: "EUR",
	}}
	if got := kept(t, s, ""); !got.Equal(s) {
		t.Errorf("%+v", got)
	}
	s, err := engine.New(engine.Policy{MonthEnd: calendar.MonthEndSkip}).Create(s.Profile, day)
	if err != nil {
		t.Fatal(err)
	}
	if got := kept(t, s, ""); !got.Equal(s) {
		t.Errorf("%+v", got)
	}
	if got := kept(t, engine.State{}, nil); !got.IsZero() {
		t.Errorf("%+v", got)
	}
	if got := kept(t, engine.Policy{MonthEnd: calendar.MonthEndSkip}, ""); got.MonthEnd != calendar.MonthEndSkip {
		t.Errorf("%+v", got)
	}
}

// TestRefused: what cannot be read changes nothing.
func TestRefused(t *testing.T) {
	d := calendar.MustParse("2026-01-31")
	for _, src := range []any{"31.01.2026", []byte("2026-02-30"), int64(1), 1.5, true} {
		if err := sqlvalue.Of(&d).Scan(src); err == nil || d != calendar.MustParse("2026-01-31") {
			t.Errorf("%v: %v, %v", src, d, err)
		}
	}
	broken := engine.Stored{Profile: engine.Profile{ID: "\xff"}}
	if v, err := sqlvalue.Of(&broken).Value(); err == nil {
		t.Errorf("a broken profile is stored as %v", v)
	}
}

// TestDateColumn: a column of type date, which drivers give back as a time at midnight in any location, holds a date; a time of
// day is not dropped, and no other type is made of a time.
func TestDateColumn(t *testing.T) {
	day := calendar.MustParse("2026-01-31")
	midnight := time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)
	for _, loc := range []*time.Location{time.UTC, time.FixedZone("", 0), time.FixedZone("east", 14*3600), time.FixedZone("west", -11*3600)} {
		var got calendar.Date
		if err := sqlvalue.Of(&got).Scan(time.Date(2026, 1, 31, 0, 0, 0, 0, loc)); err != nil || got != day {
			t.Errorf("%v: %v, %v", loc, got, err)
		}
	}
	for reason, at := range map[string]time.Time{
		"an hour": midnight.Add(time.Hour), "a nanosecond": midnight.Add(1), "outside the calendar": time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), "year 0": {},
	} {
		if reason == "year 0" {
			at = time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)
		}
		got := day
		if err := sqlvalue.Of(&got).Scan(at); err == nil || got != day || !strings.Contains(err.Error(), "calendar.Date") {
			t.Errorf("%s: %v, %v", reason, got, err)
		}
	}
	var a amount.Amount
	if err := sqlvalue.Of(&a).Scan(midnight); err == nil || !strings.Contains(err.Error(), "amount.Amount") {
		t.Errorf("an amount of a time: %v, %v", a, err)
	}
	var s engine.Stored
	if err := sqlvalue.Of(&s).Scan(int64(7)); err == nil || !strings.Contains(err.Error(), "engine.Stored") || strings.Contains(err.Error(), "7") && !strings.Contains(err.Error(), "int64") {
		t.Errorf("a profile of a number: %v", err)
	}
}
