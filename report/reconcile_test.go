package report_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/report"
)

// reconciled writes a small reconciliation, with so many more profiles of whose charges one is
// missing.
func reconciled(t *testing.T, o report.Options, more int) []byte {
	t.Helper()
	var out bytes.Buffer
	w := report.NewReconcileWriter(&out, record.Header{Schema: record.SchemaReconcile, AsOf: date("2026-01-10"), Until: date("2026-04-20"), Lag: 2}, record.ReconcileSummary{Unreadable: 2}, o)
	charge := func(day, low, high string, repeat uint64) *engine.Charge {
		return &engine.Charge{Repeat: repeat, Slot: date(day), Date: date(day), Min: amount.MustParse(low), Max: amount.MustParse(high)}
	}
	line := func(n int, day, sum string) *record.Actual {
		return &record.Actual{Line: n, Date: date(day), Amount: amount.MustParse(sum)}
	}
	w.Start(record.Profile{Subject: record.Subject{Profile: "rent-31", Row: 1, Currency: "EUR"}})
	_ = w.Reconcile(record.Matched, charge("2026-01-31", "10.00", "10.00", 0), line(2, "2026-01-31", "10.00"))
	_ = w.Reconcile(record.MatchedLate, charge("2026-02-28", "10.00", "10.00", 1), line(3, "2026-03-02", "10.00"))
	w.Start(record.Profile{Subject: record.Subject{Profile: "gym <b>", Row: 2, Currency: "EUR"}})
	_ = w.Reconcile(record.MatchedAmount, charge("2026-02-05", "1.00", "5.00", 0), line(4, "2026-02-05", "7"))
	missing := line(5, "2026-03-05", "0")
	missing.Outcome = record.ActualNone
	_ = w.Reconcile(record.Missing, charge("2026-03-05", "1.00", "5.00", 1), missing)
	extra := line(6, "2026-03-06", "3.00")
	extra.ID = "tx\u202e1"
	_ = w.Reconcile(record.Extra, nil, extra)
	_ = w.Write(record.Unexplained{Profile: "gym <b>", Nearest: "month-end=clamp,start-past=skip", First: record.Reconciled{Kind: record.MatchedAmount}})
	for i := range more {
		w.Start(record.Profile{Subject: record.Subject{Profile: strings.Repeat("long-", 12), Row: 3 + i, Currency: "EUR"}})
		_ = w.Reconcile(record.Missing, charge("2026-03-05", "1.00", "1.00", 1), nil)
	}
	refund := line(7, "2026-04-05", "1.00")
	refund.Negative, refund.Currency = true, "USD"
	_ = w.Write(record.Reconciled{Profile: "nobody", Kind: record.Unknown, Actual: refund})
	_ = w.Write(record.Reading{Key: "month-end", Value: "clamp", Verdict: record.VerdictObserved, For: 1, Decided: &record.DecidedBy{Profile: "rent-31", Date: date("2026-03-02")}})
	_ = w.Write(record.Reading{Key: "month-end", Value: "skip", Verdict: record.VerdictRefuted, Against: 1})
	_ = w.Write(record.Reading{Key: "max-counts", Value: "charges", Verdict: record.VerdictContradicted, For: 2, Against: 1})
	_ = w.Write(record.Reading{Key: "max-zero", Value: "stop", Verdict: record.VerdictOpen})
	_ = w.Write(record.ReconcileSummary{LeftOut: 1, Matched: 1, Late: 1, Amount: 1, Missing: uint64(1 + more), Extra: 1, Unknown: 1, After: 2, Other: 3, Unreadable: 2, Unexplained: 1, Policy: "month-end=clamp"})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestReconcileText: what is wrong comes first and is cut off where there is much; the lines fit.
func TestReconcileText(t *testing.T) {
	golden(t, "reconcile.txt", reconciled(t, report.Options{}, 0))
	text := string(reconciled(t, report.Options{Width: 72}, 100))
	for line := range strings.Lines(text) {
		if len([]rune(strings.TrimSuffix(line, "\n"))) > 72 {
			t.Errorf("a line has more than 72 columns: %s", line)
		}
	}
	if n := strings.Count(text, "missing  2026"); n > 20 || !strings.Contains(text, "not shown of: missing") {
		t.Errorf("%d missing charges are shown:\n%s", n, text)
	}
}
