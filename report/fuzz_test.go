package report_test

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/report"
)

// FuzzReport_TextsAreInert writes every form with texts that stem from outside: the page stays well
// formed, under its policy and within its size, the calendar file can be read back, CSV has its
// fields, and no form lets through what a terminal obeys.
func FuzzReport_TextsAreInert(f *testing.F) {
	for i, s := range hostile {
		f.Add(s, hostile[(i+1)%len(hostile)], hostile[(i+2)%len(hostile)], int64(i)*1000)
	}
	f.Fuzz(func(t *testing.T, id, currency, other string, day int64) {
		h := header("2026-01-10", "2026-06-30")
		h.Zone, h.Input = other, other
		charge := engine.Charge{Min: amount.MustParse("1.00"), Max: amount.MustParse("2.50"), CardExpired: day%2 == 0}
		charge.Date = h.AsOf.AddDays(int(day % 3_000_000))
		end := engine.End{Status: engine.StatusStopped, Stop: engine.Stop{Date: h.Until, Reasons: engine.ReasonFinishDate}}
		for _, form := range forms {
			var b bytes.Buffer
			w := report.NewWriter(&b, h, report.Options{Form: form, Note: "12 months", Explain: day%3 == 0})
			w.Start(record.Profile{Subject: record.Subject{Profile: id, File: other, Row: 1, Currency: currency, Callback: other}, NoCharge: "no charge"})
			_ = w.Charge(&charge)
			_ = w.End(&end)
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			checkForm(t, form, b.Bytes())
		}
	})
}

func checkForm(t *testing.T, form report.Form, out []byte) {
	t.Helper()
	switch form {
	case report.FormHTML:
		checkPage(t, out)
	case report.FormICS:
		parseICS(t, out)
	case report.FormCSV:
		if list, err := csv.NewReader(bytes.NewReader(out)).ReadAll(); err != nil || len(list) != 2 {
			t.Errorf("%d rows, %v:\n%s", len(list), err, out)
		}
	case report.FormTable:
	}
	obeyed := func(r rune) bool {
		return r < ' ' && r != '\n' && r != '\r' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e
	}
	if strings.ContainsFunc(string(out), obeyed) {
		t.Errorf("%v lets through what a terminal obeys: %q", form, out)
	}
}
