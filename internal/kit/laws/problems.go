package laws

import (
	"bytes"
	"net/url"
	"slices"

	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"

	"github.com/chargecast/chargecast/internal/kit/plain"
)

// A Problem is what an implementation that reports problems alone, and no rows, says of a payload.
type Problem struct {
	Code     string
	Severity ledger.Severity
	Row      int    // the data row, from 1; 0 where it is not about one row
	Column   string // empty where it is not about one column
}

// ReadByProblems is a payload as an implementation judges it that reports problems alone. The rows are ours: a row is usable if no
// error in it is reported. Codes asks that problems have our codes.
func ReadByProblems(csv []byte, o rules.Options, problems []Problem, codes bool, yield func(plain.PayloadStep) bool) plain.PayloadEnd {
	r := problemReader{problems, codes}
	var end plain.PayloadEnd
	Ours().ReadPayload(bytes.NewReader(csv), o, func(s plain.PayloadStep) bool {
		s.Findings = r.found(s.Findings, rowOf(s))
		errors := len(onlyErrors(s.Findings))
		if rowOf(s) > 0 {
			end.Rows++
			if errors > 0 {
				s.Row = nil
			} else if s.Row != nil {
				end.Valid++
			}
		}
		end.Errors += errors
		return yield(s)
	})
	// What is left is about rows that do not exist.
	if rest := r.found(nil, -1); len(rest) > 0 {
		end.Errors += len(rest)
		yield(plain.PayloadStep{Findings: rest})
	}
	return end
}

func rowOf(s plain.PayloadStep) int {
	if s.Row != nil {
		return s.Row.Number
	}
	for _, f := range s.Findings {
		if f.Row > 0 {
			return f.Row
		}
	}
	return 0
}

func isError(f plain.Finding) bool { return f.Severity == ledger.SeverityError }

// A problemReader hands out the problems row by row.
type problemReader struct {
	problems []Problem
	codes    bool
}

// found is what is reported about a row, as findings: our warnings, those of our errors that are reported too, and what is
// reported alone. The row -1 is all that is left.
func (r *problemReader) found(ours []plain.Finding, row int) (list []plain.Finding) {
	var here, rest []Problem
	for _, p := range r.problems {
		switch {
		case p.Severity != ledger.SeverityError:
		case p.Row == row || row == -1:
			here = append(here, p)
		default:
			rest = append(rest, p)
		}
	}
	r.problems = rest
	used := make([]bool, len(here))
	for _, f := range ours {
		if !isError(f) {
			list = append(list, f)
			continue
		}
		reported := false
		for i, p := range here {
			if r.same(p, f) {
				reported, used[i] = true, true
			}
		}
		if reported {
			list = append(list, f)
		}
	}
	for i, p := range here {
		if !used[i] {
			column, _ := rules.ColumnOf(p.Column)
			list = append(list, plain.Finding{Code: ledger.Code(Cut(p.Code, 100)), Severity: ledger.SeverityError, Row: p.Row, Column: column, Text: "reported by the implementation alone"})
		}
	}
	return list
}

// same reports whether a problem is a finding of ours: by column, and by code if codes are compared.
func (r *problemReader) same(p Problem, f plain.Finding) bool {
	column := ""
	if f.Column != 0 {
		column = f.Column.String()
	}
	return column == p.Column && (!r.codes || p.Code == string(f.Code))
}

func onlyErrors(list []plain.Finding) []plain.Finding {
	return slices.DeleteFunc(slices.Clone(list), func(f plain.Finding) bool { return !isError(f) })
}

// FormOf is a payload as it is sent, as a form body: base64 is put into one. False for a CSV.
func FormOf(wire []byte, input rules.Input) ([]byte, bool) {
	switch input {
	case rules.InputForm:
		return bytes.Clone(wire), true
	case rules.InputBase64:
		// The end of a file's last line does not belong to the text.
		trimmed := bytes.TrimSuffix(bytes.TrimSuffix(wire, []byte("\n")), []byte("\r"))
		return []byte("payload=" + url.QueryEscape(string(trimmed))), true
	}
	return nil, false
}
