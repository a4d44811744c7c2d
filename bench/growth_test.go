package main

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"time"
)

// Both sides of every kind of point come to the same totals, which are not nothing.
func TestGrowthSidesAgree(t *testing.T) {
	list, err := portfolioBook(100, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		reason string
		work   growthWork
	}{
		{"more profiles", growthWork{100, 2, 1}},
		{"more years", growthWork{10, 30, 1}},
		{"a longer interval", growthWork{100, 5, 7}},
		{"an interval longer than the window", growthWork{100, 1, 1_000}},
	} {
		naive, err := tc.work.naive()
		if err != nil {
			t.Fatalf("%s: %v", tc.reason, err)
		}
		ours := tc.work.ours(list).run()
		if ours != naive.run() {
			t.Errorf("%s: the sides disagree", tc.reason)
		}
		if ours == (portfolioSums{}).answer(0) {
			t.Errorf("%s: no totals", tc.reason)
		}
	}
}

// The number of profiles may be above that of the profiles in memory.
func TestGrowthAddsProfilesAgain(t *testing.T) {
	list, err := portfolioBook(50, false)
	if err != nil {
		t.Fatal(err)
	}
	if once, twice := (growthWork{50, 1, 1}).ours(list), (growthWork{100, 1, 1}).ours(list); once.run() == twice.run() {
		t.Error("100 profiles come to no more than 50")
	}
}

// The chart is well-formed, has a title and a description, and names both sides in each panel; a
// point without a time has no dot.
func TestGrowthChart(t *testing.T) {
	curves := growths(10_000)
	for i := range curves {
		for j := range curves[i].points {
			p := &curves[i].points[j]
			p.ours = time.Duration(p.x) * time.Microsecond * 200
			if j == 0 {
				p.theirs = time.Second
			}
		}
	}
	chart := growthChart(curves, "a machine, 2026-11-22")
	d := xml.NewDecoder(strings.NewReader(chart))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	for part, want := range map[string]int{
		`<title id="t">`: 1, `<desc id="d">`: 1, `>chargecast</text>`: 3, `>rrule-go, decimal, map</text>`: 3,
		`class="dot-theirs"`: 3, "prefers-color-scheme:dark": 1, "a machine, 2026-11-22": 1, "NaN": 0, "Inf": 0,
	} {
		if got := strings.Count(chart, part); got != want {
			t.Errorf("%s is in the chart %d times, want %d", part, got, want)
		}
	}
}

func TestThousands(t *testing.T) {
	for n, want := range map[int]string{1: "1", 999: "999", 1_000: "1,000", 12_345: "12,345", 10_000_000: "10,000,000"} {
		if got := thousands(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}
