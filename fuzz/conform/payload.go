package conform

import (
	"bytes"
	"io"
	"net/url"
	"slices"

	"github.com/chargecast/chargecast/fuzz/laws"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

// readPayload judges a payload by the program. The rows are ours: the protocol has no values. A row
// is usable if the program reports no error in it.
func (p *Program) readPayload(src io.Reader, o rules.Options, yield func(laws.PayloadStep) bool) laws.PayloadEnd {
	csv, err := io.ReadAll(src)
	// What the program cannot be told is not judged.
	if err != nil || o.Currency != "" || o.Strict || len(o.Severity) > 0 || o.Input == rules.InputBase64 || o.Input == rules.InputForm {
		panic(laws.ErrNotSupported)
	}
	p.witness.Asked(func() laws.Counterexample { return laws.PayloadShown(csv) })
	var got validateReply
	if refusal := p.must("validate", &validateRequest{CSV: csv}, &got); refusal != "" {
		p.broken("the program refuses to validate: what is wrong with a payload are problems")
	}
	if got.Problems == nil {
		p.broken("the reply lacks problems")
	}
	theirs := *got.Problems
	var end laws.PayloadEnd
	laws.Ours().ReadPayload(bytes.NewReader(csv), o, func(s laws.PayloadStep) bool {
		s.Findings = p.found(&theirs, s.Findings, rowOf(s))
		errors := errorsIn(s.Findings)
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
	if rest := p.found(&theirs, nil, -1); len(rest) > 0 {
		end.Errors += len(rest)
		yield(laws.PayloadStep{Findings: rest})
	}
	return end
}

func rowOf(s laws.PayloadStep) int {
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

func isError(f laws.Finding) bool { return f.Severity == ledger.SeverityError }

func errorsIn(list []laws.Finding) (n int) {
	for _, f := range list {
		if isError(f) {
			n++
		}
	}
	return n
}

// found is what the program reports about a row, in our words: our warnings, those of our errors
// that it reports too, and what it reports alone. The row -1 is all that is left.
func (p *Program) found(theirs *[]problemReply, ours []laws.Finding, row int) (list []laws.Finding) {
	var here, rest []problemReply
	for _, t := range *theirs {
		switch {
		case t.Severity != "error":
		case t.Row == row || row == -1:
			here = append(here, t)
		default:
			rest = append(rest, t)
		}
	}
	*theirs = rest
	used := make([]bool, len(here))
	for _, f := range ours {
		if !isError(f) {
			list = append(list, f)
			continue
		}
		told := false
		for i, t := range here {
			if p.same(t, f) {
				told, used[i] = true, true
			}
		}
		if told {
			list = append(list, f)
		}
	}
	for i, t := range here {
		if !used[i] {
			column, _ := rules.ColumnOf(t.Column)
			list = append(list, laws.Finding{Code: ledger.Code(laws.Cut(t.Code, 100)), Severity: ledger.SeverityError, Row: t.Row, Column: column, Text: "reported by the program alone"})
		}
	}
	return list
}

// same reports whether a problem is a finding of ours: by column, and by code if codes are compared.
func (p *Program) same(t problemReply, f laws.Finding) bool {
	if p.Codes {
		return t.Code == string(f.Code) && columnName(f) == t.Column
	}
	return columnName(f) == t.Column
}

func columnName(f laws.Finding) string {
	if f.Column == 0 {
		return ""
	}
	return f.Column.String()
}

// decodePayload decodes a form body by the program; base64 is put into one.
func (p *Program) decodePayload(wire []byte, o rules.Options) ([]byte, []laws.Finding) {
	_, found := laws.Ours().DecodePayload(wire, o)
	form := wire
	switch o.Input {
	case rules.InputForm:
	case rules.InputBase64:
		// The end of a file's last line does not belong to the text.
		trimmed := bytes.TrimSuffix(bytes.TrimSuffix(wire, []byte("\n")), []byte("\r"))
		form = []byte("payload=" + url.QueryEscape(string(trimmed)))
	default:
		panic(laws.ErrNotSupported)
	}
	var got decodeReply
	refusal := p.must("decode", &decodeRequest{Form: form}, &got)
	switch {
	case refusal == "" && got.CSV == nil:
		p.broken("the reply lacks csv")
	case refusal == "":
		return []byte(*got.CSV), slices.DeleteFunc(slices.Clone(found), isError)
	case slices.ContainsFunc(found, isError) && (!p.Codes || slices.ContainsFunc(found, func(f laws.Finding) bool { return string(f.Code) == refusal })):
		return nil, found
	}
	return nil, []laws.Finding{{Code: ledger.Code(laws.Cut(refusal, 100)), Severity: ledger.SeverityError, Text: "the program refuses"}}
}
