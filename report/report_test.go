package report_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/race"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/report"
)

var forms = []report.Form{report.FormTable, report.FormCSV, report.FormICS, report.FormHTML}

// TestForms: the empty form is the table, and nothing is written in one that there is not.
func TestForms(t *testing.T) {
	h := header("2026-01-10", "2026-03-31")
	if table := write(t, h, report.Options{Form: report.FormTable}, demo()...); !bytes.Equal(write(t, h, report.Options{}, demo()...), table) {
		t.Error("the empty form is not the table")
	}
	var out bytes.Buffer
	w := report.NewWriter(&out, h, report.Options{Form: "xlsx"})
	if w.Close() == nil || out.Len() > 0 {
		t.Errorf("an unknown form is written: %s", &out)
	}
}

// TestTotalsWithoutPlace: totals are refused where they would be left out without a word.
func TestTotalsWithoutPlace(t *testing.T) {
	for _, c := range []struct {
		form report.Form
		by   engine.By
		ok   bool
	}{
		{report.FormTable, engine.ByWeek, true},
		{report.FormCSV, engine.ByProfile, true},
		{report.FormICS, engine.ByDay, false},
		{report.FormHTML, engine.ByDay, false},
		{report.FormHTML, engine.ByProfile, false},
		{report.FormHTML, engine.ByCharge, true},
	} {
		h := header("2026-01-10", "2026-03-31")
		h.By = c.by
		var b bytes.Buffer
		w := report.NewWriter(&b, h, report.Options{Form: c.form})
		err := errors.Join(w.Total(&record.Total{By: c.by, Value: "2026-01-31", Currency: "EUR"}), w.Close())
		if (err == nil) != c.ok || !c.ok && b.Len() > 0 {
			t.Errorf("%v by %v: %v, %d bytes", c.form, c.by, err, b.Len())
		}
	}
}

// TestSameBytes: the same input gives the same bytes, in pieces of any size.
func TestSameBytes(t *testing.T) {
	h := header("2026-01-10", "2026-06-30")
	for _, f := range forms {
		whole := write(t, h, report.Options{Form: f, Explain: true}, demo()...)
		if pieces := write(t, h, report.Options{Form: f, Explain: true, Buffer: 1}, demo()...); !bytes.Equal(whole, pieces) {
			t.Errorf("%v: the size of the buffer shows", f)
		}
		if len(whole) == 0 || whole[len(whole)-1] != '\n' {
			t.Errorf("%v does not end with a line end", f)
		}
	}
}

// A brokenWriter takes so many bytes.
type brokenWriter struct{ room int }

var errFull = errors.New("full")

func (w *brokenWriter) Write(p []byte) (int, error) {
	if len(p) > w.room {
		return w.room, errFull
	}
	w.room -= len(p)
	return len(p), nil
}

// TestFirstErrorStays: after the first error nothing is written, and every method returns it.
func TestFirstErrorStays(t *testing.T) {
	for _, f := range forms {
		sink := &brokenWriter{room: 10}
		h := header("2026-01-10", "2026-06-30")
		w := report.NewWriter(sink, h, report.Options{Form: f, Buffer: 1})
		w.Start(record.Profile{})
		_ = w.Charge(&engine.Charge{Date: h.AsOf})
		first := w.Close()
		sink.room = 1 << 20
		if !errors.Is(first, errFull) || !errors.Is(w.Flush(), errFull) || !errors.Is(w.Close(), errFull) || sink.room != 1<<20 {
			t.Errorf("%v: %v, %d bytes of room", f, first, sink.room)
		}
	}
}

// TestAnyOrder: no sequence of calls and no values make a form panic.
func TestAnyOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	texts := []string{"", "order-1", "\x1b[2J", strings.Repeat("界", 300), "a\xffb", "<b>", strings.Repeat("e\u0301", 200)}
	text := func() string { return texts[r.IntN(len(texts))] }
	for range 1000 {
		h := header("2026-01-10", "2026-06-30")
		switch r.IntN(4) {
		case 0:
			h.Until = h.Until.AddDays(r.IntN(3_000_000))
		case 1:
			h.Until = h.Until.AddDays(-200_000)
		case 2:
			h = record.Header{Schema: record.SchemaSimulate}
		}
		w := report.NewWriter(io.Discard, h, report.Options{
			Form: forms[r.IntN(len(forms))], Width: r.IntN(300) - 20, Color: r.IntN(2) == 0, Explain: r.IntN(2) == 0, Note: text(), Hint: text(),
		})
		for range r.IntN(30) {
			switch r.IntN(6) {
			case 0:
				w.Start(record.Profile{Subject: record.Subject{Profile: text(), File: text(), Row: r.IntN(9) - 1, Currency: text(), Callback: text()}, NoCharge: text()})
			case 1:
				_ = w.Charge(&engine.Charge{
					Date: h.AsOf.AddDays(r.IntN(900_000) - 1000), Repeat: r.Uint64(), Manual: r.IntN(2) == 0, CardExpired: r.IntN(2) == 0,
					Outcome: engine.Outcome(r.IntN(2)), Min: amount.MustParse("0.1"), Max: amount.MustParse("9223372036854775807"),
				})
			case 2:
				_ = w.Event(&engine.Effect{Kind: engine.EffectKind(r.IntN(4)), Event: engine.EventKind(r.IntN(9)), Result: engine.Result(r.IntN(9)), Date: h.AsOf})
			case 3:
				_ = w.End(&engine.End{Status: engine.Status(r.IntN(4)), Stop: engine.Stop{Date: h.AsOf.AddDays(r.IntN(99))}, LastDay: r.IntN(2) == 0})
			case 4:
				_ = w.Total(&record.Total{By: engine.By(r.IntN(8)), Value: texts[r.IntN(len(texts))] + "2026-01-31", Currency: text()})
			case 5:
				_ = w.Compare(nil)
			}
		}
		_ = w.Close()
	}
}

// TestChargesBeforeTheWindow: a page of nothing else has the first day and counts them.
func TestChargesBeforeTheWindow(t *testing.T) {
	h := header("2026-01-10", "2026-01-31")
	h.Until = calendar.Date{}
	h.From = date("2026-03-01")
	for _, f := range []report.Form{report.FormHTML} {
		var b bytes.Buffer
		w := report.NewWriter(&b, h, report.Options{Form: f})
		w.Start(record.Profile{Subject: record.Subject{Profile: "a", Row: 1, Currency: "EUR"}})
		_ = w.Charge(&engine.Charge{Date: h.AsOf, Slot: h.AsOf, Min: amount.MustParse("4.80"), Max: amount.MustParse("4.80")})
		if err := w.Close(); err != nil || !strings.Contains(b.String(), "4.80") {
			t.Errorf("%v: %v\n%s", f, err, b.String())
		}
	}
}

// TestTextGoldens holds tables and calendars to files that people read.
func TestTextGoldens(t *testing.T) {
	h := header("2026-01-10", "2026-06-30")
	totals := h
	totals.By = engine.ByMonth
	for _, c := range []struct {
		name string
		out  []byte
	}{
		{"table-80.txt", write(t, h, report.Options{Note: "12 months", Hint: "more is said elsewhere"}, demo()...)},
		{"table-200.txt", write(t, h, report.Options{Width: 200, Explain: true}, demo()...)},
		{"table-simulation.txt", simulate(t, h, report.Options{}, steps(), demo()...)},
		{"totals-80.txt", writeTotals(t, totals, report.Options{})},
		{"totals-200.txt", writeTotals(t, totals, report.Options{Width: 200})},
	} {
		golden(t, c.name, c.out)
	}
}

func writeTotals(t *testing.T, h record.Header, o report.Options) []byte {
	t.Helper()
	var b bytes.Buffer
	w := report.NewWriter(&b, h, o)
	for _, x := range []struct {
		value, currency, low, high string
		expired                    bool
	}{
		{"2026-01", "EUR", "872.10", "872.10", false},
		{"2026-01", "USD", "5.00", "15.00", false},
		{"2026-02", "EUR", "4.80", "4.80", true},
		{"2026-02", "USD", "2000.00", "2500.00", false},
	} {
		total := &record.Total{By: h.By, Value: x.value, Currency: x.currency}
		total.Charges = 2
		total.Min.Add(amount.MustParse(x.low))
		total.Max.Add(amount.MustParse(x.high))
		if x.expired {
			total.CardExpired = total.Total
		}
		if err := w.Total(total); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func stripColours(s string) string {
	var b strings.Builder
	for {
		from := strings.Index(s, "\x1b[")
		if from < 0 {
			return b.String() + s
		}
		b.WriteString(s[:from])
		s = s[from+strings.IndexByte(s[from:], 'm')+1:]
	}
}

// TestNothingObeyed: what stems from the input reaches no terminal as it is.
func TestNothingObeyed(t *testing.T) {
	p := profile("a\x1b[31m\nb\u202e", "E\x07R", fixed("1.00"), 0, 0, "2026-01-20")
	p.Unit, p.Interval = demo()[0].Unit, 1
	for _, f := range forms {
		out := string(write(t, header("2026-01-10", "2026-06-30"), report.Options{Form: f}, p))
		if strings.ContainsAny(out, "\x1b\x07\u202e") || !strings.Contains(out, `\u001b[31m`) && f != report.FormICS {
			t.Errorf("%v:\n%.2000s", f, out)
		}
	}
}

// TestCSVAllocatesNothing once its buffers have grown.
func TestCSVAllocatesNothing(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	w := report.NewWriter(io.Discard, header("2026-01-10", "2026-06-30"), report.Options{Form: report.FormCSV})
	w.Start(record.Profile{Subject: record.Subject{Profile: "order-1", Row: 1, Currency: "EUR"}})
	c := &engine.Charge{Date: date("2026-01-31"), Slot: date("2026-01-30"), Min: amount.MustParse("1.00"), Max: amount.MustParse("1.00")}
	for range 5000 {
		_ = w.Charge(c)
	}
	if n := testing.AllocsPerRun(5000, func() { _ = w.Charge(c) }); n > 0 {
		t.Errorf("%v allocations a charge", n)
	}
}

// TestDeclinedHasAColumn: the declined sum of a total was broken in the middle at 80 columns,
// beside bars.
func TestDeclinedHasAColumn(t *testing.T) {
	h := header("2026-01-10", "2026-06-30")
	h.Schema, h.By = record.SchemaSimulate, engine.ByMonth
	var b bytes.Buffer
	w := report.NewWriter(&b, h, report.Options{})
	for _, month := range []string{"2026-01", "2026-02"} {
		x := record.Total{By: h.By, Value: month, Currency: "EUR"}
		x.Add(amount.MustParse("14.80"), amount.MustParse("14.80"))
		x.CardExpired.Add(amount.MustParse("4.80"), amount.MustParse("4.80"))
		for range 3 {
			x.Declined.Add(amount.MustParse("850"), amount.MustParse("850"))
		}
		_ = w.Total(&x)
	}
	_ = w.Close()
	const want = "month    currency  charges  amount  card expired    declined\n" +
		"2026-01  EUR             1   14.80       1: 4.80  3: 2550.00    ██████████████\n"
	if !strings.Contains(b.String(), want) {
		t.Errorf("no\n%s in\n%s", want, &b)
	}
}

// TestRunningTotalOfDeclined: the total of a first charge that was declined was 0 above 850.00.
func TestRunningTotalOfDeclined(t *testing.T) {
	price := amount.MustParse("850.00")
	var b bytes.Buffer
	w := report.NewWriter(&b, record.Header{Schema: record.SchemaSimulate, AsOf: date("2026-01-10")}, report.Options{})
	for _, currency := range []string{"EUR", "XXX"} {
		w.Start(record.Profile{Subject: record.Subject{Profile: "a", Row: 1, Currency: currency}})
		_ = w.Charge(&engine.Charge{Date: date("2026-01-31"), Slot: date("2026-01-31"), Min: price, Max: price, Outcome: engine.OutcomeDeclined})
	}
	_ = w.Close()
	if n := strings.Count(b.String(), "850.00        0.00  declined"); n != 2 {
		t.Errorf("%d of 2:\n%s", n, &b)
	}
}

// TestTotalFromBefore: nothing said that the running total of a later window holds what was charged
// before it.
func TestTotalFromBefore(t *testing.T) {
	h := header("2026-01-10", "2026-06-30")
	h.From = date("2026-03-02")
	var b bytes.Buffer
	w := report.NewWriter(&b, h, report.Options{})
	before := amount.Tally{}
	before.Add(amount.MustParse("9.90"), amount.MustParse("9.90"))
	w.Start(record.Profile{Subject: record.Subject{Profile: "a", Row: 1, Currency: "EUR"}, Before: before})
	_ = w.Charge(&engine.Charge{Repeat: 1, Date: date("2026-03-31"), Slot: date("2026-03-31"), Min: amount.MustParse("29.90"), Max: amount.MustParse("29.90")})
	_ = w.Close()
	const want = "  repeat  date                  amount       total\n          until 2026-03-01    1 charge        9.90\n       1  2026-03-31 Tue         29.90       39.80\n"
	if !strings.Contains(b.String(), want) {
		t.Errorf("no\n%s in\n%s", want, &b)
	}
}
