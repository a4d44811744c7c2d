package report_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/strictjson"
	"github.com/chargecast/chargecast/internal/termtext"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/report"
)

// Goal: lines of charges that are copied from the line before have the bytes of lines that are made
// one by one. Method: the charges of random profiles, some of them changed, as NDJSON and as CSV,
// each beside a text that is put together from its fields.

// plainJSON is the record of a charge.
func plainJSON(h *record.Header, explain bool, of *record.Subject, c *engine.Charge) string {
	text := func(s string) string { return string(strictjson.AppendString(nil, s)) }
	var b strings.Builder
	b.WriteString(`{"type":"charge","profile":` + text(of.Profile))
	if of.File != "" {
		b.WriteString(`,"file":` + text(of.File))
	}
	fmt.Fprintf(&b, `,"row":%d,"repeat":%d,"date":"%v"`, of.Row, c.Repeat, c.Date)
	if c.Slot != c.Date {
		fmt.Fprintf(&b, `,"slot":"%v"`, c.Slot)
	}
	if c.Min.Compare(c.Max) == 0 {
		fmt.Fprintf(&b, `,"amount":"%v"`, c.Min)
	} else {
		fmt.Fprintf(&b, `,"min":"%v","max":"%v"`, c.Min, c.Max)
	}
	b.WriteString(`,"currency":` + text(of.Currency))
	if c.CardExpired {
		b.WriteString(`,"card_expired":true`)
	}
	if c.Manual || c.Nth > 0 || c.Outcome != engine.OutcomeUnknown {
		fmt.Fprintf(&b, `,"kind":"%s"`, kindOf(c))
		if c.Outcome != engine.OutcomeUnknown {
			fmt.Fprintf(&b, `,"outcome":"%v"`, c.Outcome)
		}
		if of.Callback != "" {
			b.WriteString(`,"callback":` + text(of.Callback))
		}
	}
	if explain {
		b.Write(record.AppendBecause([]byte(`,"because":`), c.Because, h.Policy, h.Observed))
	}
	return b.String() + "}\n"
}

// plainCSV is the row of a charge.
func plainCSV(h *record.Header, explain, files bool, of *record.Subject, c *engine.Charge) string {
	cell := func(s string) string {
		s = termtext.Visible(s)
		if s != "" && strings.Contains("=+-@", s[:1]) {
			s = "'" + s
		}
		if strings.ContainsAny(s, `",`) || s != strings.TrimSpace(s) {
			return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
		}
		return s
	}
	row := []string{cell(of.Profile)}
	if files {
		row = append(row, cell(of.File))
	}
	row = append(row, strconv.Itoa(of.Row), strconv.FormatUint(c.Repeat, 10), c.Date.String(), "", "", "", "", cell(of.Currency))
	slotAndAmounts := row[len(row)-5:]
	if c.Slot != c.Date {
		slotAndAmounts[0] = c.Slot.String()
	}
	if c.Min.Compare(c.Max) == 0 {
		slotAndAmounts[1] = c.Min.String()
	} else {
		slotAndAmounts[2], slotAndAmounts[3] = c.Min.String(), c.Max.String()
	}
	if h.Schema == record.SchemaSimulate {
		row = append(row, kindOf(c), c.Outcome.String())
	}
	if row = append(row, ""); c.CardExpired {
		row[len(row)-1] = "true"
	}
	if explain {
		row = append(row, c.Because.String())
	}
	return strings.Join(row, ",") + "\n"
}

func kindOf(c *engine.Charge) string {
	if c.Manual {
		return "manual"
	}
	return "automatic"
}

// anyPlan returns a plan of a random profile around a day; nil if the policy refuses it.
func anyPlan(r *rand.Rand, asOf calendar.Date, pol engine.Policy) *engine.Plan {
	list := []amount.Amount{amount.MustParse("0.50"), amount.MustParse("12.00"), amount.MustParse("12"), amount.MustParse("3.10")}[:1+r.IntN(4)]
	sequence, err := amount.Sequence(list)
	if err != nil {
		panic(err)
	}
	s := engine.Stored{Profile: engine.Profile{
		ID: "a", Kind: engine.KindSource, Start: asOf.AddDays(r.IntN(60) - 30), Unit: calendar.UnitDay + calendar.Unit(r.IntN(3)), Interval: 1 + r.IntN(2),
		Amounts: []amount.Choice{fixed("9.99"), between("1.00", "5.00", "EUR"), sequence}[r.IntN(3)], Currency: "EUR",
	}}
	if r.IntN(3) == 0 {
		s.Profile.Finish = asOf.AddDays(30 + r.IntN(90))
	}
	if r.IntN(3) == 0 {
		s.Profile.CardExpires = asOf.AddDays(r.IntN(90))
	}
	if r.IntN(3) == 0 {
		s.Profile.MaxRepeats = engine.AtMost(uint64(1 + r.IntN(30)))
	}
	if r.IntN(2) == 0 {
		from := asOf.AddDays(-30)
		s.State = engine.State{
			Status: engine.StatusActive, Repeat: []uint64{0, 8, 97, 1<<63 - 20}[r.IntN(4)], RanThrough: asOf.AddDays(-1),
			Missed: []calendar.Window{{From: from, To: from.AddDays(1 + r.IntN(20))}}, Paid: []calendar.Date{from.AddDays(r.IntN(10))},
		}
	}
	plan, err := engine.New(pol).Compile(s, asOf)
	if err != nil {
		return nil
	}
	return plan
}

func TestChargesHaveTheBytesOfPlainText(t *testing.T) {
	r := rand.New(rand.NewPCG(406, 0))
	ids := []string{"order-1", "", `a "b"`, "a,b", "a;b", "a\nb", " a ", "Übung €", "\u202ea", "\xff", "x\x00y\tz", strings.Repeat("long,", 60), "1", "=1+1", "-a,b"}
	currencies := []string{"EUR", "JPY", `E"R`, ""}
	written := 0
	for round := range 600 {
		asOf := date("2026-01-10").AddDays(r.IntN(2000))
		h := header(asOf.String(), asOf.AddDays(400).String())
		h.Schema = []record.Schema{record.SchemaForecast, record.SchemaSimulate}[round%2]
		h.Policy = engine.Policy{MonthEnd: calendar.MonthEnd(r.IntN(4)), StartPast: engine.StartPast(r.IntN(3)), FinishBound: engine.FinishBound(r.IntN(2))}
		explain, files := r.IntN(2) == 0, r.IntN(2) == 0
		var lines, rows bytes.Buffer
		asJSON := record.NewWriter(&lines, h, record.Options{Explain: explain, Buffer: 1 + r.IntN(5000)})
		asCSV := report.NewWriter(&rows, h, report.Options{Form: report.FormCSV, Explain: explain, Buffer: 1 + r.IntN(5000)})
		var wantLines, wantRows strings.Builder
		for row := range 1 + r.IntN(4) {
			plan := anyPlan(r, asOf, h.Policy)
			if plan == nil {
				continue
			}
			of := record.Subject{Profile: ids[r.IntN(len(ids))], Row: row + 1, Currency: currencies[r.IntN(len(currencies))], Callback: "https://example.com/?" + ids[r.IntN(len(ids))]}
			if files {
				of.File = ids[2+r.IntN(3)]
			}
			asJSON.Start(record.Profile{Subject: of})
			asCSV.Start(record.Profile{Subject: of})
			odd := r.IntN(3) == 0
			for c := range plan.Charges(calendar.Through(asOf, h.Until)) {
				if odd {
					change(r, &c)
				}
				_ = asJSON.Charge(&c)
				_ = asCSV.Charge(&c)
				wantLines.WriteString(plainJSON(&h, explain, &of, &c))
				wantRows.WriteString(plainCSV(&h, explain, files, &of, &c))
				written++
			}
		}
		if err := asJSON.Close(); err != nil {
			t.Fatal(err)
		}
		if err := asCSV.Close(); err != nil {
			t.Fatal(err)
		}
		differ(t, "NDJSON", &lines, wantLines.String())
		differ(t, "CSV", &rows, wantRows.String())
	}
	if written < 20_000 {
		t.Errorf("only %d charges", written)
	}
}

// change makes a charge of a forecast one of a simulation, or one that no plan has.
func change(r *rand.Rand, c *engine.Charge) {
	switch r.IntN(8) {
	case 0:
		c.Manual = true
	case 1:
		c.Outcome = engine.OutcomeDeclined
	case 2:
		c.CardExpired = !c.CardExpired
	case 3:
		c.Date = c.Slot.AddDays(r.IntN(3))
	case 4:
		c.Slot, c.Date = calendar.Date{}, calendar.Date{}
	case 5:
		c.Repeat = r.Uint64() >> r.IntN(64)
	case 6:
		c.Max = c.Min
	}
}

// differ compares what follows the first line of an output.
func differ(t *testing.T, form string, got *bytes.Buffer, want string) {
	t.Helper()
	_, body, _ := strings.Cut(got.String(), "\n")
	if body == want {
		return
	}
	n := 0
	for n < min(len(body), len(want)) && body[n] == want[n] {
		n++
	}
	n = max(0, n-200)
	t.Fatalf("%s: …%.400q\nwant …%.400q", form, body[n:], want[n:])
}
