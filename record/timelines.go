package record

import (
	"iter"

	"github.com/chargecast/chargecast/engine"
)

// Timelines yields the profiles of an output of a forecast or a simulation that [Read] reads. The
// end of a profile follows its charges, so that one profile is kept at a time. Errors are those of
// [Read], record-totals for an output without charges that could be compared, after which the
// sequence ends, and record-cut for a profile without its end.
func Timelines(records iter.Seq2[Record, error]) iter.Seq2[*Timeline, error] {
	return func(yield func(*Timeline, error) bool) {
		r := timelines{ended: map[string]int{}}
		broken := false
		for rec, err := range records {
			var done *Timeline
			if err == nil {
				done, err = r.add(rec)
			}
			broken = broken || err != nil
			if (done != nil || err != nil) && !yield(done, err) || r.useless {
				return
			}
		}
		if r.open != nil && !broken {
			yield(nil, errNoEnd)
		}
	}
}

// timelines collects the records of one profile after the other.
type timelines struct {
	open *Timeline // that has no end so far; nil for none
	// ended is the last row of each file that has its end; rows come in order.
	ended   map[string]int
	useless bool // the output has nothing to compare
}

// add takes a record, and returns the profile that it ends.
func (r *timelines) add(rec Record) (*Timeline, error) {
	switch rec := rec.(type) {
	case Header:
		err := canCompare(&rec)
		r.useless = err != nil
		return nil, err
	case Charge:
		t, err := r.timeline(&rec.Subject)
		if err == nil {
			t.Currency, t.Charges = rec.Currency, append(t.Charges, rec.Charge)
		}
		return nil, err
	case End:
		t, err := r.timeline(&rec.Subject)
		if err != nil {
			return nil, err
		}
		t.End, r.open = rec.End, nil
		r.ended[t.File] = t.Row
		return t, nil
	case Event, Total, ForecastSummary, Difference, EndDifference, Money, Problem, Summary, DifferenceSummary,
		Reconciled, Unexplained, Reading, ReconcileSummary:
	}
	return nil, nil
}

// canCompare reports why an output has no charges that could be compared.
func canCompare(h *Header) error {
	switch {
	case h.Schema != SchemaForecast && h.Schema != SchemaSimulate:
		return table.Finding(codeRecordTotals, "the file is not an output of forecast or simulate", "write it in NDJSON or JSON")
	case h.By != engine.ByCharge:
		return table.Finding(codeRecordTotals, "the file has totals, and charges are compared", "write it with its charges, not added up")
	}
	return nil
}

func cutOutput(message string) error {
	return table.Finding(RecordCut, message, "write the output again")
}

var errNoEnd = cutOutput("a profile has no end: the file is cut off")

// timeline returns that of a profile, which has no end yet.
func (r *timelines) timeline(s *Subject) (*Timeline, error) {
	if t := r.open; t != nil {
		if t.File == s.File && t.Row == s.Row && t.Profile == s.Profile {
			return t, nil
		}
		r.open = nil
		return nil, errNoEnd
	}
	if s.Row > 0 && s.Row <= r.ended[s.File] {
		return nil, cutOutput("there is a record of the profile after its end, or the profiles are not in the order of their rows")
	}
	r.open = &Timeline{Subject: *s}
	return r.open, nil
}
