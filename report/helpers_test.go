package report_test

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/report"
)

var update = flag.Bool("update", false, "rewrite the expected outputs")

// golden compares with a file of testdata. Do not change it to make a test pass: read what changed.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := "testdata/" + name
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs:\n%s", path, got)
	}
}

func date(s string) calendar.Date { return calendar.MustParse(s) }

func fixed(s string) amount.Choice { return amount.Fixed(amount.MustParse(s)) }

func between(low, high, currency string) amount.Choice {
	r, err := amount.Range(amount.MustParse(low), amount.MustParse(high), currency)
	if err != nil {
		panic(err)
	}
	return r
}

// profile is a profile that is charged automatically.
func profile(id, currency string, amounts amount.Choice, unit calendar.Unit, interval int, start string) engine.Profile {
	return engine.Profile{ID: id, Kind: engine.KindSource, Amounts: amounts, Currency: currency, Unit: unit, Interval: interval, Start: date(start)}
}

// demo has one profile of each kind that reports treat differently.
func demo() []engine.Profile {
	rent := profile("rent-31", "EUR", fixed("850.00"), calendar.UnitMonth, 1, "2026-01-31")
	usage := profile("usage", "USD", between("5.00", "15.00", "USD"), calendar.UnitMonth, 1, "2026-01-20")
	daily := profile("parking", "EUR", fixed("2.50"), calendar.UnitDay, 1, "2026-01-12")
	daily.Finish = date("2026-01-16")
	capped := profile("lessons", "JPY", fixed("1500"), calendar.UnitWeek, 2, "2026-01-16")
	capped.MaxRepeats = engine.AtMost(4)
	card := profile("card", "EUR", fixed("4.80"), calendar.UnitMonth, 1, "2026-01-28")
	card.CardExpires = date("2026-02-28")
	later := profile("later", "EUR", fixed("9.90"), calendar.UnitMonth, 12, "2027-05-01")
	return []engine.Profile{rent, usage, daily, capped, card, later}
}

func header(asOf, until string) record.Header {
	return record.Header{Schema: record.SchemaForecast, AsOf: date(asOf), Until: date(until), Zone: "UTC"}
}

// write makes the report of a forecast.
func write(t testing.TB, h record.Header, o report.Options, profiles ...engine.Profile) []byte {
	t.Helper()
	var b bytes.Buffer
	w := report.NewWriter(&b, h, o)
	for i := range profiles {
		forecast(t, w, h, &profiles[i], i+1)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func forecast(t testing.TB, w *report.Writer, h record.Header, p *engine.Profile, row int) {
	t.Helper()
	stored := engine.Stored{Profile: *p}
	plan, err := engine.New(h.Policy).Compile(stored, h.AsOf)
	if err != nil {
		t.Fatal(err)
	}
	window := calendar.Through(h.AsOf, h.Until)
	of := record.Profile{Subject: record.Subject{Profile: p.ID, Row: row, Currency: p.Currency}}
	of.Total.Total = plan.Total(window)
	w.Start(of)
	changes, _, err := engine.New(h.Policy).Sensitivities(nil, stored, h.AsOf, calendar.Through(h.AsOf, h.Until))
	if err != nil {
		t.Fatal(err)
	}
	_ = w.Compare(changes)
	for c := range plan.Charges(window) {
		_ = w.Charge(&c)
	}
	end := plan.End(h.Until)
	if err := w.End(&end); err != nil {
		t.Fatal(err)
	}
}

// simulate makes the report of a simulation with a script for each profile.
func simulate(t testing.TB, h record.Header, o report.Options, steps []engine.Step, profiles ...engine.Profile) []byte {
	t.Helper()
	h.Schema = record.SchemaSimulate
	var b bytes.Buffer
	w := report.NewWriter(&b, h, o)
	for i, p := range profiles {
		w.Start(record.Profile{Subject: record.Subject{Profile: p.ID, Row: i + 1, Currency: p.Currency}})
		after, err := engine.New(h.Policy).Simulate(engine.Simulation{
			Stored: engine.Stored{Profile: p}, AsOf: h.AsOf, Until: h.Until,
			Steps: steps, Outcomes: map[uint64]engine.Outcome{1: engine.OutcomeDeclined},
		}, func(e engine.Effect) bool {
			if e.Kind == engine.EffectCharge {
				return w.Charge(&e.Charge) == nil
			}
			return w.Event(&e) == nil
		})
		if err != nil {
			t.Fatal(err)
		}
		end, err := engine.New(h.Policy).End(after, h.Until)
		if err != nil {
			t.Fatal(err)
		}
		_ = w.End(&end)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// steps are events of every kind.
func steps() []engine.Step {
	return []engine.Step{
		{Event: engine.Event{Date: date("2026-01-22"), Kind: engine.EventCharge}},
		{Event: engine.Event{Date: date("2026-01-22"), Kind: engine.EventCharge}},
		{Event: engine.Event{Date: date("2026-01-29"), Kind: engine.EventStop}},
		{Event: engine.Event{Date: date("2026-01-30"), Kind: engine.EventResumeByAPI}},
		{Event: engine.Event{Date: date("2026-02-02"), Kind: engine.EventResume}},
		{Event: engine.Event{Date: date("2026-02-20"), Kind: engine.EventStop}},
	}
}
