package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/reconcile"
	"github.com/chargecast/chargecast/rules"
)

// TestProbePayloads: with a row of the user's they are valid, without one the card number alone is
// at fault, whatever the day; and they are the rows that the experiment was chosen for.
func TestProbePayloads(t *testing.T) {
	row := filepath.Join(t.TempDir(), "row.csv")
	if err := os.WriteFile(row, rules.AppendRecord(rules.AppendHeader(nil), exampleRow()...), 0o600); err != nil {
		t.Fatal(err)
	}
	days := []calendar.Date{calendar.MinDate().AddDays(99), calendar.MinDate().AddDays(200), calendar.MaxDate().AddDays(-800)}
	for n := range 40 {
		days = append(days, calendar.MustParse("2026-01-10").AddDays(37*n))
	}
	for _, asOf := range days {
		x, err := reconcile.Probe(asOf)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{row, ""} {
			q := &probing{row: path}
			q.asOf.first = asOf
			e := &experiment{Experiment: x}
			var log bytes.Buffer
			if err := q.readRow(newApp(strings.NewReader(""), &log, &log), e); err != nil {
				t.Fatal(asOf, err, log.String())
			}
			next := 0
			for _, f := range e.files() {
				if !strings.HasPrefix(f.name, "payload-") {
					continue
				}
				o := rules.Options{AsOf: asOf}
				if path == "" {
					o.Severity = map[ledger.Code]ledger.Severity{"card-number": ledger.SeverityWarning}
				}
				for r, found := range rules.NewReader(bytes.NewReader(f.text), o).Rows() {
					if err := found.Err(); err != nil || r == nil {
						t.Fatalf("%v %s: %v", asOf, f.name, err)
					}
					got, want := r.Profile(), x.Rows[next].Profile
					got.Currency, got.CardExpires = "", calendar.Date{}
					if !got.Amounts.Equal(want.Amounts) {
						t.Fatalf("%v %s: the amounts are %v, want %v", asOf, f.name, got.Amounts, want.Amounts)
					}
					if got.Amounts = want.Amounts; got != want || payloadName(x.Rows[next].Request) != f.name {
						t.Fatalf("%v %s: %+v, want %+v", asOf, f.name, got, want)
					}
					next++
				}
			}
			if next != len(x.Rows) {
				t.Fatalf("%v: %d rows are written, want %d", asOf, next, len(x.Rows))
			}
		}
	}
}

// TestProbeLook: look.csv is a file of actual charges once its lines are filled in, and a line that
// is left empty is a problem.
func TestProbeLook(t *testing.T) {
	x, err := reconcile.Probe(calendar.MustParse("2026-01-10"))
	if err != nil {
		t.Fatal(err)
	}
	e := &experiment{Experiment: x, row: map[rules.Column]string{}}
	files := e.files()
	header, lines, _ := strings.Cut(string(files[len(files)-1].text), "\n")
	for _, c := range []struct {
		fill string
		good bool
	}{{",1.00,", true}, {",1.00,approved", true}, {",,none", true}, {",,", false}} {
		filled := header + "\n" + strings.ReplaceAll(lines, ",,\n", c.fill+"\n")
		r := reconcile.NewReader(strings.NewReader(filled), reconcile.ReadOptions{})
		n, bad := 0, 0
		for {
			var a reconcile.Actual
			err := r.Read(&a)
			if err == io.EOF {
				break
			}
			if n++; err != nil {
				bad++
			}
		}
		if n != len(x.Look) || c.good != (bad == 0) || !c.good && bad != n {
			t.Errorf("filled in with %q, %d of %d lines cannot be read", c.fill, bad, n)
		}
	}
}
