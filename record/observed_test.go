package record_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// TestObserved: with readings, reasons are those under the readings' policy but for basis and
// shown_by of the keys whose value in force was observed; where no such key is cited they are the same bytes. Records
// with them are read back with the same clauses.
func TestObserved(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var list []record.ObservedReading
		var pol engine.Policy
		var because ledger.Because
		for c := range engine.Keys() {
			values := len(c.Entry().Readings)
			pol = pol.WithReading(c, r.IntN(values))
			if r.IntN(2) == 0 {
				list = append(list, record.ObservedReading{Key: c, Value: r.IntN(values), Profile: `order "1`, Date: calendar.MustParse("2026-02-28")})
			}
			if r.IntN(3) == 0 {
				because = because.With(c)
			}
		}
		readings, err := record.NewReadings(list...)
		if err != nil {
			t.Fatal(err)
		}
		with, without := record.AppendBecause(nil, because, pol, readings), record.AppendBecause(nil, because, pol, record.Readings{})
		undone, observed := string(with), false
		for c := range because.All() {
			of, shown := readings.Observed(c, pol)
			value := slices.Index(c.Entry().Values(), pol.Reading(c).Value)
			if seen, ok := readings.Of(c); shown != (ok && seen.Value == value) {
				t.Fatalf("%v is observed: %v", c, shown)
			}
			if shown {
				observed = true
				clause := `{"clause":"` + c.String() + `","basis":"`
				undone = strings.Replace(undone, clause+"observed", clause+c.Basis().String(), 1)
				undone = strings.Replace(undone, `,"shown_by":{"profile":"order \"1","date":"`+of.Date.String()+`"}`, "", 1)
			}
		}
		if undone != string(without) || observed == (string(with) == string(without)) {
			t.Fatalf("with readings\n%s\nwithout\n%s", with, without)
		}

		event := record.Event{Subject: record.Subject{Profile: "a"}, Date: calendar.MustParse("2026-02-28"), Do: engine.EventStop, Result: engine.ResultAccepted, Because: because}
		text := record.AppendExplained(nil, event, pol, readings)
		if back, err := record.Parse(text); err != nil || !strings.HasSuffix(string(text), `,"because":`+string(with)+"}") || !reflect.DeepEqual(back, event) {
			t.Fatalf("%s\nis read as\n%+v, %v", text, back, err)
		}
	}
}
