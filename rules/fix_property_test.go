package rules_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/oracle"
	"github.com/chargecast/chargecast/rules"
)

// TestFixedOnce: a payload without damage passes byte for byte; fix(fix(x)) = fix(x); the same places are refused; what is written
// has no finding that fix mends.
func TestFixedOnce(t *testing.T) { gen.Hold(t, 100, FixCases, fixedOnce) }

// TestFixOnlyListed: a value is changed if and only if a change names its row and column; a refused one stays as it was.
func TestFixOnlyListed(t *testing.T) { gen.Hold(t, 100, FixCases, onlyListed) }

// TestFixMendedOrRefused: a damaged payload is mended to the values of the original, or the place is refused.
func TestFixMendedOrRefused(t *testing.T) { gen.Hold(t, 100, FixCases, mendedOrRefused) }

// TestFixEncodingSaid: a text in another encoding than UTF-8 is refused and goes out byte for byte, unless its encoding is said: it
// is mended as the same text in UTF-8 then (L44).
func TestFixEncodingSaid(t *testing.T) { gen.Hold(t, 50, EncodedCases, encodingSaid) }

// A fixedText is what came of a damaged payload, taken apart without a parser of payloads.
type fixedText struct {
	text    []byte
	changes []rules.Change
	names   []string
	rows    [][]string // nil for a row that was refused as a whole
}

// fix mends the case.
func fixedOf(t *gen.Report, c FixCase) fixedText {
	f := fixedText{}
	f.text, f.changes = mend(c.Bytes(), rules.Fixer{})
	records := oracle.LooseRecords(string(f.text))
	if len(records) != 1+len(c.Rows) {
		t.Errorf("%d records of %d in %q", len(records), 1+len(c.Rows), f.text)
		records = make([][]string, 1+len(c.Rows))
	}
	f.names, f.rows = records[0], records[1:]
	for i := range f.rows {
		if f.refused(i+1, 0) {
			f.rows[i] = nil
		}
	}
	return f
}

// refused reports whether a place was refused: a row, or a value in it; row 0 is the header.
func (f fixedText) refused(row int, column rules.Column) bool {
	return slices.ContainsFunc(f.changes, func(c rules.Change) bool {
		return c.Refused && c.Row == row && c.Column == column
	})
}

func (f fixedText) changed(row int, column rules.Column) bool {
	return slices.ContainsFunc(f.changes, func(c rules.Change) bool {
		return !c.Refused && c.Row == row && c.Column == column
	})
}

func fixedOnce(t *gen.Report, c FixCase) {
	clean := c.Clean.Write().Text
	text, changes := mend(clean, rules.Fixer{})
	if !bytes.Equal(text, clean) || slices.ContainsFunc(changes, func(c rules.Change) bool { return !c.Refused }) {
		t.Errorf("without damage %q becomes %q, with %d changes or refusals", clean, text, len(changes))
	}
	f := fixedOf(t, c)
	again, changes := mend(f.text, rules.Fixer{})
	if !bytes.Equal(again, f.text) || slices.ContainsFunc(changes, func(c rules.Change) bool { return !c.Refused }) {
		t.Errorf("fixed: %q\nfixed twice: %q", f.text, again)
	}
	for _, change := range f.changes {
		if change.Refused && !(fixedText{changes: changes}).refused(change.Row, change.Column) {
			t.Errorf("row %d, %v: refused, and not refused when fixed again: %q", change.Row, change.Column, f.text)
		}
	}
	if slices.ContainsFunc(f.changes, func(c rules.Change) bool { return c.Refused }) {
		return
	}
	o := c.Clean.Options()
	o.Input = rules.InputCSV
	for _, found := range rules.NewReader(bytes.NewReader(f.text), o).Rows() {
		for _, finding := range found {
			t.Errorf("what was fixed without a refusal has %v", finding)
		}
	}
}

func onlyListed(t *gen.Report, c FixCase) {
	f := fixedOf(t, c)
	for i, row := range f.rows {
		if row == nil || len(row) != len(c.Clean.Columns) {
			continue
		}
		for k, column := range c.Clean.Columns {
			was := c.Rows[i][column]
			switch refused := f.refused(i+1, column); {
			case refused && row[k] != was:
				t.Errorf("row %d, %v: refused, and %q became %q", i+1, column, was, row[k])
			case !refused && f.refused(0, column):
			case !refused && (row[k] != was) != f.changed(i+1, column):
				t.Errorf("row %d, %v: %q became %q, and a change of it is listed: %v", i+1, column, was, row[k], f.changed(i+1, column))
			}
		}
	}
	for _, change := range f.changes {
		if change.Code == "" || change.Line < 1 || change.Col < 1 || change.Row < 0 || change.Row > len(c.Rows) {
			t.Errorf("a change has no code or no place: %s, line %d", string(change.Code), change.Line)
		}
	}
}

func mendedOrRefused(t *gen.Report, c FixCase) {
	f := fixedOf(t, c)
	if len(f.names) != len(c.Clean.Columns) {
		if !f.refused(0, 0) {
			t.Errorf("the header is %q", f.names)
		}
		return
	}
	for k, column := range c.Clean.Columns {
		if f.names[k] != gen.DocumentNames()[column] {
			if !f.refused(0, column) && !f.refused(0, 0) {
				t.Errorf("the name of %v is %q", column, f.names[k])
			}
			continue
		}
		for i, row := range f.rows {
			if row == nil || column == rules.ColumnState && f.refused(0, 0) { // its country may be in a column that is refused
				continue
			}
			if len(row) != len(c.Clean.Columns) {
				t.Errorf("row %d has %d values of %d", i+1, len(row), len(c.Clean.Columns))
			} else if want := c.Clean.Rows[i].Clean[column]; row[k] != want && !f.refused(i+1, column) {
				t.Errorf("row %d, %v: %q, damaged to %q, became %q", i+1, column, want, c.Rows[i][column], row[k])
			}
		}
	}
}

func encodingSaid(t *gen.Report, c EncodedCase) {
	text, changes := mend(c.Bytes, rules.Fixer{})
	if f := (fixedText{changes: changes}); !f.refused(0, 0) || len(changes) != 1 || !bytes.Equal(text, c.Bytes) {
		t.Errorf("%q in %s, which is not said, becomes %q, with %d changes or refusals; it has to be refused as a whole", c.Bytes, c.Encoding, text, len(changes))
	}
	want, same := mend([]byte(c.UTF8), rules.Fixer{})
	text, changes = mend(c.Bytes, rules.Fixer{Decode: FromEncoding(c.Encoding)})
	if f := (fixedText{changes: changes}); !f.changed(0, 0) || len(changes) != len(same)+1 || !bytes.Equal(text, want) {
		t.Errorf("%q in %s becomes %q, with %d changes or refusals; want %q, with %d", c.Bytes, c.Encoding, text, len(changes), want, len(same)+1)
	}
}

// mend is what a fixer of the library makes of a payload.
func mend(payload []byte, f rules.Fixer) ([]byte, []rules.Change) {
	var text bytes.Buffer
	var changes []rules.Change
	f.Report = func(c rules.Change) { changes = append(changes, c) }
	if done, err := f.Fix(&text, bytes.NewReader(payload)); err != nil || done.Findings.Err() != nil {
		return nil, changes
	}
	return text.Bytes(), changes
}
