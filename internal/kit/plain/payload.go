package plain

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

// A Finding is a problem of a payload: where, by which rule, how severe, and everything else in
// words.
type Finding struct {
	Code      ledger.Code
	Severity  ledger.Severity
	Row       int // the data row, from 1; 0 where it is not about one row
	Line, Col int
	Offset    int64
	Wire      bool // the place is in the base64 or form text
	Column    rules.Column
	Text      string
}

// String is the finding in one line.
func (f Finding) String() string {
	return fmt.Sprintf("%v %s %v, row %d, %d:%d, offset %d: %s", f.Severity, string(f.Code), f.Column, f.Row, f.Line, f.Col, f.Offset, f.Text)
}

// Findings are findings that are printed a line each.
type Findings []Finding

func (list Findings) String() string {
	var lines []string
	for _, f := range list {
		lines = append(lines, f.String())
	}
	return strings.Join(lines, "\n")
}

// FindingsOf are findings of the library.
func FindingsOf(ps ledger.Findings) []Finding {
	var list []Finding
	for _, p := range ps {
		column, _ := rules.ColumnOf(p.Subject)
		list = append(list, Finding{p.Code, p.Severity, p.Place.Row, p.Place.Line, p.Place.Col, p.Place.Offset, p.Place.Wire, column, p.Message + "; " + p.Help})
	}
	return list
}

// Has reports whether a finding has a code, at a column unless that is zero.
func Has(list []Finding, code ledger.Code, column rules.Column) bool {
	return slices.ContainsFunc(list, func(f Finding) bool { return f.Code == code && (column == 0 || f.Column == column) })
}

// FindingAt is the finding with a code at an offset; nil for none.
func FindingAt(list []Finding, code ledger.Code, offset int) *Finding {
	for i := range list {
		if list[i].Code == code && list[i].Offset == int64(offset) {
			return &list[i]
		}
	}
	return nil
}

// ErrorsIn is how many findings are errors.
func ErrorsIn(list []Finding) (n int) {
	for _, f := range list {
		if f.Severity == ledger.SeverityError {
			n++
		}
	}
	return n
}

// HasError reports whether a finding is an error.
func HasError(list []Finding) bool { return ErrorsIn(list) > 0 }

// WithoutPlaces are findings as text without their places, in the order of the text; a repeated
// client-orderid is left out.
func WithoutPlaces(list []Finding) []string {
	var lines []string
	for _, f := range list {
		if f.Code != rules.OrderIDDuplicate {
			lines = append(lines, fmt.Sprintf("%v %v %v %s", f.Severity, f.Code, f.Column, f.Text))
		}
	}
	slices.Sort(lines)
	return lines
}

// A PayloadRow is a row that can be used.
type PayloadRow struct {
	Number, Line int
	Cells        gen.Cells
	Profile      engine.Profile
}

// A PayloadStep is one callback of a reader: a row, or findings about the whole file. The row is
// nil where it cannot be used.
type PayloadStep struct {
	Row      *PayloadRow
	Findings []Finding
}

// A PayloadEnd is the summary of a reader. A request is created only where there are rows and no
// errors (L48).
type PayloadEnd struct {
	Rows, Valid, Errors int
	Err                 error // of the source, if that ended early
}

// String is the end in words.
func (e PayloadEnd) String() string {
	text := fmt.Sprintf("%d rows, %d of them usable, %d errors", e.Rows, e.Valid, e.Errors)
	if e.Err != nil {
		text += ", and could not be read to its end"
	}
	return text
}

// A Reader judges a payload in steps, until yield is false. It reads no further than it must.
type Reader = func(src io.Reader, o rules.Options, yield func(PayloadStep) bool) PayloadEnd

// ReadPayload is the Reader of the library.
func ReadPayload(src io.Reader, o rules.Options, yield func(PayloadStep) bool) PayloadEnd {
	r := rules.NewReader(src, o)
	for row, ps := range r.Rows() {
		step := PayloadStep{Findings: FindingsOf(ps)}
		if row != nil {
			step.Row = &PayloadRow{Number: row.Number, Line: row.Line, Profile: row.Profile()}
			for column, cell := range row.Cells() {
				step.Row.Cells[column] = cell.Reveal()
			}
		}
		if !yield(step) {
			break
		}
	}
	s := r.Summary()
	return PayloadEnd{s.Rows, s.Valid, s.Errors, r.Err()}
}

// DecodePayload is the CSV that the library finds in a form body or base64: no text beside an
// error.
func DecodePayload(wire []byte, o rules.Options) ([]byte, []Finding) {
	var text bytes.Buffer
	found, err := rules.Decode(&text, bytes.NewReader(wire), o)
	if err != nil || found.Err() != nil {
		return nil, FindingsOf(found)
	}
	return text.Bytes(), FindingsOf(found)
}

// A Judgement is all that a Reader says of a payload.
type Judgement struct {
	Steps []PayloadStep
	End   PayloadEnd
}

// JudgedBy is what a Reader says of a payload that it reads to its end.
func JudgedBy(read Reader, src io.Reader, o rules.Options) Judgement {
	var j Judgement
	j.End = read(src, o, func(s PayloadStep) bool {
		j.Steps = append(j.Steps, s)
		return true
	})
	return j
}

// Findings are the findings of all steps.
func (j Judgement) Findings() Findings {
	var list Findings
	for _, s := range j.Steps {
		list = append(list, s.Findings...)
	}
	return list
}

// About are the findings about a data row, from 1, or with 0 those about no row.
func (j Judgement) About(row int) Findings {
	return slices.DeleteFunc(j.Findings(), func(f Finding) bool { return f.Row != row })
}

// Row is the usable row with a number; nil if there is none.
func (j Judgement) Row(number int) *PayloadRow {
	for _, s := range j.Steps {
		if s.Row != nil && s.Row.Number == number {
			return s.Row
		}
	}
	return nil
}
