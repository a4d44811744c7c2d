package check

import (
	"bytes"
	"slices"

	"github.com/chargecast/chargecast/internal/capture"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
	"github.com/chargecast/chargecast/signature"
)

// mostFindings is how many findings of a payload are kept; all are counted.
const mostFindings = 100_000

// judgePayload reads the payload. Findings that the request has already are left out and not
// counted.
func (r *Result) judgePayload(q signature.Request) {
	noBody := len(q.Body()) == 0
	if noBody { // one fault: the payload says it
		r.Found = slices.DeleteFunc(r.Found, func(f ledger.Finding) bool { return f.Code == signature.BodyMissing || f.Code == capture.ContentLength })
	}
	o := r.o.Payload
	o.Input = rules.InputForm
	reader := rules.NewReader(bytes.NewReader(q.Body()), o)
	errors, warnings := 0, 0
	for _, found := range reader.Rows() {
		for _, f := range found {
			if f.Place.Row == 0 && r.Found.Has(f.Code) {
				continue
			}
			if f.Severity == ledger.SeverityError {
				errors++
			} else {
				warnings++
			}
			if len(r.Payload) == mostFindings {
				continue
			}
			f = r.word(f)
			f.Place.File = "payload"
			if f.Code == rules.PayloadMissing && noBody {
				f.Place.Wire = false
				f.Message, f.Help = "the request has no body", "capture the request with its body"+r.o.Words.Body
			}
			r.Payload = append(r.Payload, f)
		}
	}
	sum := reader.Summary()
	if sum.Unreadable && r.Found.Has(signature.ContentType) { // one fault: no form has no payload
		r.Payload = nil
		return
	}
	sum.Errors, sum.Warnings = errors, warnings
	r.Sum = &sum
}
