package record

import (
	"errors"
	"io"
	"iter"

	"github.com/chargecast/chargecast/internal/jsonline"
	"github.com/chargecast/chargecast/ledger"
)

// Read yields the records of an output in NDJSON, one after the other, so that an output of any
// size can be read. The header comes first. The sequence can be used once.
//
// Reading is strict about what is known: names in their exact case, each at most once, values of
// their type. Unknown members are ignored, since records may gain members. An error is a
// [ledger.Finding] with its place, and the record is then nil; reading goes on after the line, so a
// caller that collects findings should stop after as many as it wants. It ends after an output that
// does not begin with a header of a known version (record-schema), after a line longer than
// [MaxLine] (limit-line) and after an error of r, which is yielded as it is. A forecast, a
// simulation or a reconciliation without its summary, or with records after it, is not whole
// (record-cut). A byte-order mark is a finding with [ledger.SeverityWarning].
func Read(r io.Reader) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		var in recordReader
		for l, err := range linesOf(r) {
			var rec Record
			if err == nil {
				rec, err = in.record(l)
			}
			if !yield(rec, err) || l.number > 0 && in.header == nil {
				return
			}
			f, _ := errors.AsType[ledger.Finding](err)
			in.broken = in.broken || err != nil && f.Severity != ledger.SeverityWarning
		}
		if in.isCut() {
			yield(nil, table.Finding(RecordCut, "there is no summary at the end: the output is cut off", "write the output again"))
		}
	}
}

// A recordReader reads the records of one output.
type recordReader struct {
	header *Header // nil before the first record
	whole  bool    // there was a summary
	broken bool    // there was an error
}

// isCut reports whether an output that ended without an error has no summary, which is the last
// record of every whole forecast, simulation and reconciliation.
func (in *recordReader) isCut() bool {
	if in.header == nil || in.whole || in.broken {
		return false
	}
	switch in.header.Schema {
	case SchemaForecast, SchemaSimulate, SchemaReconcile:
		return true
	case SchemaDiff, SchemaCompare, SchemaValidate:
	}
	return false
}

func (in *recordReader) record(l line) (Record, error) {
	rec, err := Parse(l.text)
	h, isHeader := rec.(Header)
	switch {
	case in.header == nil && isHeader && err == nil:
		in.header = &h
	case in.header == nil:
		err = noHeader(err)
	case isHeader && err == nil:
		err = refuse(codeRecordType, "type", "there is a second header", "give one output in a file")
	case in.whole && err == nil:
		err = jsonline.Fault(RecordCut, 1, "there is a record after the summary, which is the last one", "give one output as it was written")
	}
	if err != nil {
		return nil, l.place(err)
	}
	switch rec.(type) {
	case ForecastSummary, ReconcileSummary:
		in.whole = true
	default:
	}
	return rec, nil
}

// noHeader returns the finding about a first record that is not a header, or cannot be read.
func noHeader(err error) error {
	if errors.Is(err, RecordSchema) {
		return err
	}
	return jsonline.Fault(RecordSchema, 1, "the output does not begin with a header", "give an output as it was written, in NDJSON: -o ndjson")
}
