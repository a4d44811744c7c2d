package conform

import (
	"io"
	"slices"

	"github.com/chargecast/chargecast/internal/kit/laws"
	"github.com/chargecast/chargecast/internal/kit/plain"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

// readPayload judges a payload by the program. The rows are ours: the protocol has no values. A row
// is usable if the program reports no error in it.
func (p *Program) readPayload(src io.Reader, o rules.Options, yield func(plain.PayloadStep) bool) plain.PayloadEnd {
	csv, err := io.ReadAll(src)
	// What the protocol has no member for is not judged.
	if err != nil || o.Currency != "" || o.Strict || len(o.Severity) > 0 || o.Input == rules.InputBase64 || o.Input == rules.InputForm {
		panic(laws.ErrNotSupported)
	}
	var got validateReply
	if refusal := p.must("validate", &validateRequest{CSV: csv}, &got); refusal != "" {
		p.broken("the program refuses to validate: what is wrong with a payload are problems")
	}
	if got.Problems == nil {
		p.mistaken("the reply lacks problems")
	}
	var problems []laws.Problem
	for _, t := range *got.Problems {
		problem := laws.Problem{Code: t.Code, Row: t.Row, Column: t.Column}
		if t.Severity == "error" {
			problem.Severity = ledger.SeverityError
		}
		problems = append(problems, problem)
	}
	return laws.ReadByProblems(csv, o, problems, p.Codes, yield)
}

func isError(f plain.Finding) bool { return f.Severity == ledger.SeverityError }

// decodePayload decodes a form body by the program; base64 is put into one.
func (p *Program) decodePayload(wire []byte, o rules.Options) ([]byte, []plain.Finding) {
	_, found := laws.Ours().DecodePayload(wire, o)
	form, ok := laws.FormOf(wire, o.Input)
	if !ok {
		panic(laws.ErrNotSupported)
	}
	var got decodeReply
	refusal := p.must("decode", &decodeRequest{Form: form}, &got)
	switch {
	case refusal == "" && got.CSV == nil:
		p.mistaken("the reply lacks csv")
	case refusal == "":
		return []byte(*got.CSV), slices.DeleteFunc(slices.Clone(found), isError)
	case slices.ContainsFunc(found, isError) && (!p.Codes || slices.ContainsFunc(found, func(f plain.Finding) bool { return string(f.Code) == refusal })):
		return nil, found
	}
	return nil, []plain.Finding{{Code: ledger.Code(laws.Cut(refusal, 100)), Severity: ledger.SeverityError, Text: "the program refuses"}}
}
