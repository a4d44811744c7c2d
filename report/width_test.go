package report_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/termtext"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/report"
)

// widths are those of terminals, from the least that text is arranged for to the widest in use.
var widths = [...]int{report.LeastWidth, 79, 80, 120, 200}

// hard are profiles whose values are wide: long ids, wide characters, and large and random amounts.
func hard() []engine.Profile {
	long := profile(strings.Repeat("0123456789", 12), "EUR", fixed("999999999999.99"), calendar.UnitMonth, 1, "2026-01-31")
	wide := profile(strings.Repeat("注文", 30)+"-7", "JPY", between("1.00", "888888888888.00", "JPY"), calendar.UnitWeek, 1, "2026-01-20")
	spaced := profile("id with many spaces in it and a very long end behind them", "CHF", between("0.01", "7.77", "CHF"), calendar.UnitDay, 40, "2026-01-12")
	return append(demo(), long, wide, spaced)
}

// TestWidth: no line of a text is wider than the terminal, colours change nothing but colours, and
// the narrowest terminal shows every date and every number that the widest one shows.
func TestWidth(t *testing.T) {
	h := header("2026-01-10", "2027-02-28")
	totals := h
	totals.By = engine.ByProfile
	months := h
	months.By = engine.ByMonth
	texts := map[string]func(o report.Options) []byte{
		"table":          func(o report.Options) []byte { return write(t, h, o, hard()...) },
		"explain":        func(o report.Options) []byte { o.Explain = true; return write(t, h, o, hard()...) },
		"simulation":     func(o report.Options) []byte { return simulate(t, h, o, steps(), hard()...) },
		"totals":         func(o report.Options) []byte { return writeTotals(t, months, o) },
		"hard totals":    func(o report.Options) []byte { return hardTotals(t, totals, o) },
		"endless totals": func(o report.Options) []byte { return endlessTotals(t, totals, o) },
	}
	for name, text := range texts {
		want := values(string(text(report.Options{Width: 1000})))
		for _, width := range widths {
			o := report.Options{Width: width, Note: "twelve months from the first day on"}
			plain := string(text(o))
			fits(t, name, plain, width)
			o.Color = true
			coloured := stripColours(string(text(o)))
			fits(t, name+" in colours", coloured, width)
			if coloured != plain {
				t.Errorf("%s at %d: colours change the text", name, width)
			}
			got := values(plain)
			for value, n := range got {
				if want[value] != n {
					t.Errorf("%s at %d: %s occurs %d times, on a wide terminal %d times", name, width, value, n, want[value])
				}
			}
			if len(got) != len(want) {
				t.Errorf("%s at %d: %d different values, on a wide terminal %d", name, width, len(got), len(want))
			}
		}
	}
}

func fits(t *testing.T, name, text string, width int) {
	t.Helper()
	for line := range strings.Lines(text) {
		if cells := termtext.Cells(strings.TrimSuffix(line, "\n")); cells > width {
			t.Errorf("%s at %d: %d cells: %s", name, width, cells, line)
		}
	}
}

var value = regexp.MustCompile(`\d{4}-\d\d-\d\d|\d+\.\d+`)

// values counts the dates and amounts of a text.
func values(text string) map[string]int {
	counts := map[string]int{}
	for _, v := range value.FindAllString(text, -1) {
		counts[v]++
	}
	return counts
}

// hardTotals are totals of profiles with long and wide ids, and large amounts.
func hardTotals(t *testing.T, h record.Header, o report.Options) []byte {
	t.Helper()
	return totalsOf(t, h, o, 40)
}

// endlessTotals are more than are kept.
func endlessTotals(t *testing.T, h record.Header, o report.Options) []byte {
	t.Helper()
	return totalsOf(t, h, o, 4100)
}

func totalsOf(t *testing.T, h record.Header, o report.Options, n int) []byte {
	t.Helper()
	var b strings.Builder
	w := report.NewWriter(&b, h, o)
	profiles := hard()
	for i := range n {
		x := &record.Total{By: h.By, Value: profiles[i%len(profiles)].ID, Currency: "JPY", File: "subscribers-of-the-north.csv"}
		x.Charges = 1 << (i % 40)
		x.Min.Add(amount.MustParse("123456789012.50"))
		x.Max.Add(amount.MustParse([...]string{"123456789012.50", "923456789012.50"}[i%2]))
		x.CardExpired = x.Total
		if err := w.Total(x); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return []byte(b.String())
}
