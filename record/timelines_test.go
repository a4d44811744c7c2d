package record_test

import (
	"errors"
	"iter"
	"testing"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
)

// TestTimelinesWithoutEnd: a profile whose end is not there, at the end of an output or before the next profile, or that
// has a record after its end, is cut off; the others are read.
func TestTimelinesWithoutEnd(t *testing.T) {
	charge := func(profile string, row int) record.Record {
		return record.Charge{Subject: record.Subject{Profile: profile, Row: row, Currency: "EUR"}}
	}
	end := func(profile string, row int) record.Record {
		return record.End{Subject: record.Subject{Profile: profile, Row: row}, End: engine.End{Status: engine.StatusActive}}
	}
	header := record.Header{Schema: record.SchemaForecast}
	for _, c := range []struct {
		reason string
		list   []record.Record
		read   int
		cut    bool
	}{
		{"whole", []record.Record{header, charge("a", 1), charge("a", 1), end("a", 1), end("b", 2)}, 2, false},
		{"the last without its end", []record.Record{header, end("a", 1), charge("b", 2)}, 1, true},
		{"the first without its end", []record.Record{header, charge("a", 1), end("b", 2), end("c", 3)}, 1, true},
		{"a charge after the end", []record.Record{header, charge("a", 1), end("a", 1), charge("a", 1)}, 1, true},
		{"a second end", []record.Record{header, end("a", 1), end("a", 1)}, 1, true},
	} {
		read, cut := 0, false
		for timeline, err := range record.Timelines(recordsOf(c.list)) {
			if cut = cut || errors.Is(err, record.RecordCut); err == nil && timeline != nil {
				read++
			}
		}
		if read != c.read || cut != c.cut {
			t.Errorf("%s: %d profiles, cut off: %v; want %d, %v", c.reason, read, cut, c.read, c.cut)
		}
	}
}

func recordsOf(list []record.Record) iter.Seq2[record.Record, error] {
	return func(yield func(record.Record, error) bool) {
		for _, r := range list {
			if !yield(r, nil) {
				return
			}
		}
	}
}
