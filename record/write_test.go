package record_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/internal/race"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

var header = record.Header{Schema: record.SchemaForecast, AsOf: day("2026-01-10"), Zone: "UTC"}

func plan(t testing.TB, id string) *engine.Plan {
	p, err := engine.New(engine.Policy{}).Compile(engine.Stored{Profile: engine.Profile{
		ID: id, Kind: engine.KindSource, Start: day("0001-01-01"), Unit: calendar.UnitDay, Interval: 1,
		Amounts: amount.Fixed(amount.MustParse("10.00")), Currency: "EUR",
	}}, day("0001-01-01"))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestWriterEqualsRecords: what the Writer's own methods write is what the records are, in both
// forms, with and without reasons.
func TestWriterEqualsRecords(t *testing.T) {
	for _, o := range []record.Options{{}, {Explain: true}, {Document: true}, {Document: true, Explain: true, Buffer: 1}} {
		for _, schema := range []record.Schema{record.SchemaForecast, record.SchemaSimulate} {
			h := header
			h.Schema, h.Policy = schema, policy
			var quick, slow bytes.Buffer
			w, s := record.NewWriter(&quick, h, o), record.NewWriter(&slow, h, o)
			for _, id := range []string{"order-1", "order \"2\"\u2028"} {
				of := record.Subject{Profile: id, Row: 1, Currency: "EUR", Callback: "https://example.com"}
				w.Start(record.Profile{Subject: of})
				for _, c := range []engine.Charge{fixed, random, declined, fixed, fixed, random} {
					_ = w.Charge(&c)
					_ = s.Write(record.Charge{Subject: of, Charge: c})
				}
				if schema == record.SchemaSimulate {
					refusal := &engine.Error{Field: "interval", Code: ledger.Code("interval-value")}
					e := engine.Effect{Kind: engine.EffectEvent, Date: day("2026-01-12"), Event: engine.EventUpdate, Result: engine.ResultRefused, Refusal: refusal, Because: ledger.On(clause.L03)}
					_ = w.Event(&e)
					_ = s.Write(record.EventOf(of, &e))
				}
				for _, e := range []engine.End{stopped, cut} {
					_ = w.End(&e)
					_ = s.Write(record.End{Subject: of, End: e})
				}
			}
			if err := errors.Join(w.Close(), s.Close()); err != nil {
				t.Fatal(err)
			}
			if quick.String() != slow.String() {
				t.Errorf("%+v, %s: written as\n%s\nand as\n%s", o, schema, &quick, &slow)
			}
			if o.Document {
				continue
			}
			if _, found := readAll(t, &quick); len(found) > 0 {
				t.Errorf("%+v, %s: read back with %v", o, schema, found)
			}
		}
	}
}

// TestWriterNeedsAProfile: what is about a profile is an error before Start, in both forms, and nothing of
// it is written (G04).
func TestWriterNeedsAProfile(t *testing.T) {
	for _, document := range []bool{false, true} {
		for name, write := range map[string]func(w *record.Writer) error{
			"charge": func(w *record.Writer) error { return w.Charge(&fixed) },
			"end":    func(w *record.Writer) error { return w.End(&stopped) },
			"event":  func(w *record.Writer) error { return w.Event(&engine.Effect{Kind: engine.EffectEvent}) },
		} {
			var out bytes.Buffer
			w := record.NewWriter(&out, header, record.Options{Document: document})
			if err := write(w); err == nil {
				t.Errorf("document %v, %s: no error", document, name)
			}
			w.Start(record.Profile{Subject: subject})
			if w.Charge(&fixed) == nil || w.Close() == nil || out.Len() > 0 {
				t.Errorf("document %v, %s: the error is forgotten, and %s is written", document, name, &out)
			}
		}
	}
}

// TestRefusedUpdateHasItsCode: the event record of a refused update names the rule (C11).
func TestRefusedUpdateHasItsCode(t *testing.T) {
	stored := engine.Stored{Profile: engine.Profile{
		ID: "a", Kind: engine.KindSource, Start: day("2026-01-10"), Unit: calendar.UnitDay, Interval: 1, Amounts: amount.Fixed(amount.MustParse("1")), Currency: "EUR",
	}}
	stored, err := engine.New(engine.Policy{}).Create(stored.Profile, day("2026-01-10"))
	if err != nil {
		t.Fatal(err)
	}
	_, effects, err := engine.New(engine.Policy{}).Handle(stored, engine.Event{Date: day("2026-01-11"), Kind: engine.EventUpdate, Update: engine.Update{Interval: engine.To(-1)}})
	if err == nil || len(effects) != 1 {
		t.Fatalf("the update is accepted: %+v", effects)
	}
	if e := record.EventOf(subject, &effects[0]); e.Code != ledger.Code("interval-value") {
		t.Errorf("the code is %q", e.Code)
	}
}

// TestChargesAllocateNothing: once its buffers have grown, a Writer allocates nothing for a charge.
func TestChargesAllocateNothing(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	for _, o := range []record.Options{{}, {Explain: true}, {Document: true}} {
		w := record.NewWriter(io.Discard, header, o)
		w.Start(record.Profile{Subject: subject})
		other := fixed
		other.Min = amount.MustParse("7.25")
		other.Max = other.Min
		charges := []engine.Charge{fixed, random, other}
		for range 10_000 {
			for i := range charges {
				_ = w.Charge(&charges[i])
			}
		}
		i := 0
		if n := testing.AllocsPerRun(10_000, func() {
			_ = w.Charge(&charges[i%len(charges)])
			i++
		}); n > 0 {
			t.Errorf("%+v: %v allocations for a charge", o, n)
		}
	}
}

// TestWriterStops: after an error nothing more is written, and every method returns it.
func TestWriterStops(t *testing.T) {
	for _, document := range []bool{false, true} {
		out := &failing{after: 2}
		w := record.NewWriter(out, header, record.Options{Document: document, Buffer: 1})
		w.Start(record.Profile{Subject: subject})
		var last error
		for range 5 {
			last = w.Charge(&fixed)
		}
		if !errors.Is(last, io.ErrClosedPipe) || !errors.Is(w.Close(), io.ErrClosedPipe) || out.writes != 3 {
			t.Errorf("document %v: %v after %d writes", document, last, out.writes)
		}
	}
}

type failing struct{ after, writes int }

func (f *failing) Write(p []byte) (int, error) {
	if f.writes++; f.writes > f.after {
		return 0, io.ErrClosedPipe
	}
	return len(p), nil
}

// TestTally: declined attempts bring no money and are counted apart (C7); what falls after the card's
// expiry is part of the rest (C21).
func TestTally(t *testing.T) {
	var got amount.Tally
	for _, c := range []engine.Charge{fixed, random, declined} {
		c.AddTo(&got)
	}
	var twice amount.Tally
	twice.Merge(got)
	twice.Merge(got)
	want := `"charges":2,"min":"11.50","max":"15.50","mean":"13.50","declined":{"charges":1,"min":"10.50","max":"10.50","mean":"10.50"},"card_expired":{"charges":1,"min":"1","max":"5.00","mean":"3.00"}}`
	if text := string(record.Total{By: engine.ByDay, Value: "2026-01-31", Tally: got}.AppendJSON(nil)); !strings.HasSuffix(text, want) {
		t.Errorf("%s, want %s", text, want)
	}
	if twice.Charges != 4 || twice.Declined.Charges != 2 || twice.CardExpired.Charges != 2 || twice.Declined.Min.String() != "21.00" {
		t.Errorf("%+v", twice)
	}
	if none := (amount.Tally{}); !none.IsZero() || got.IsZero() {
		t.Error("IsZero")
	}
}

// TestDocument: a document of any size is JSON, and has the records that NDJSON has.
func TestDocument(t *testing.T) {
	write := func(document bool) *bytes.Buffer {
		var out bytes.Buffer
		w := record.NewWriter(&out, header, record.Options{Document: document})
		w.Start(record.Profile{Subject: subject})
		for c := range plan(t, "a").Next(1000) {
			_ = w.Charge(&c)
		}
		_ = w.End(&stopped)
		_ = w.Write(record.ForecastSummary{Profiles: 1})
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return &out
	}
	var document struct {
		Header, Summary json.RawMessage
		Charges, Ends   []json.RawMessage
	}
	if err := json.Unmarshal(write(true).Bytes(), &document); err != nil {
		t.Fatal(err)
	}
	lines := slices.Concat([]json.RawMessage{document.Header}, document.Charges, document.Ends, []json.RawMessage{document.Summary})
	if got := string(bytes.Join(slices.Collect(func(yield func([]byte) bool) {
		for _, l := range lines {
			if !yield(l) {
				return
			}
		}
	}), []byte("\n"))) + "\n"; got != write(false).String() {
		t.Errorf("%d records: %.500s", len(lines), got)
	}
}

func BenchmarkWriterCharge(b *testing.B) {
	for _, document := range []bool{false, true} {
		b.Run(fmt.Sprintf("document %v", document), func(b *testing.B) {
			w := record.NewWriter(io.Discard, header, record.Options{Document: document})
			w.Start(record.Profile{Subject: subject})
			b.ReportAllocs()
			for b.Loop() {
				_ = w.Charge(&fixed)
			}
		})
	}
}

func BenchmarkRead(b *testing.B) {
	text := head + "\n" + strings.Repeat(first+"\n", 1000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		for range record.Read(strings.NewReader(text)) {
		}
	}
}
