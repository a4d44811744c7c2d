// Package check judges one request as the gateway would: signature, cause, freshness, address and
// payload. The command and the page have one answer from it, each in words of its own where a
// remedy names a flag or a field.
package check

import (
	"slices"
	"strings"

	"github.com/chargecast/chargecast/internal/capture"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/diagnose"
)

var table = ledger.NewRules(slices.AppendSeq(slices.Collect(signature.Rules()), capture.Rules()), nil)

// The words for the signature of a request, beside those of a verdict. NotJudged is the word for
// freshness, too.
const (
	Absent    = "absent"
	NotJudged = "not-judged"
)

// Words are the parts of messages that differ between the command and the page.
type Words struct {
	Finding  func(ledger.Finding) ledger.Finding // returns a finding in these words; nil leaves all as they are
	Key      string                              // how a key is given
	Compare  string                              // how the client's base string is compared
	Address  string                              // how another address is tried
	Body     string                              // how else a body is given; it continues a sentence
	Template string                              // how another path is named; it continues a sentence
	Payload  string                              // where the findings of the payload are: above or below
}

// Options say what is judged, and by what.
type Options struct {
	Words    Words
	Only     string // signature or payload: the other one is not judged
	Key      signature.VerifyingKey
	Signer   signature.SigningKey // makes the header to send; nil where no key can
	Verify   signature.Options
	Captured bool            // the request was captured, not given by its parts
	Findings ledger.Findings // about the capture
	URL      string          // of the capture, if the request has another one
	// Fixed are the inputs, as findings name them, that are the request's own and not what somebody
	// said of it. What is wrong with them is a finding, and no error.
	Fixed      []string
	BaseString string // the client's; empty for none
	Path       string // the template of the path; empty for that of the document
	Payload    rules.Options
}

// A Result is what is known of a request.
type Result struct {
	OK         bool
	Signature  string // ok, mismatch, unreadable, [Absent] or [NotJudged]
	Fresh      string // ok, stale or [NotJudged]
	Diagnosis  diagnose.Diagnosis
	Diagnosed  bool
	Difference *Difference     // of the base strings; nil where there is none
	Found      ledger.Findings // about the request
	Payload    ledger.Findings // about its payload, the first of them
	Sum        *rules.Summary  // of the payload, and of all of its findings; nil where it is not judged
	Header     string          // to send; empty if it is not known
	Cut        bool            // the capture does not have the whole body

	o Options
}

// Judge judges a request. The error is about what was said of the request, such as its URL, or
// about options; what is wrong with the request is found.
func Judge(q signature.Request, o Options) (*Result, error) {
	if o.Path == "" {
		o.Path = Path
	}
	r := &Result{Signature: NotJudged, Fresh: NotJudged, Found: slices.Clone(o.Findings), o: o}
	r.Cut = r.Found.Has(capture.ContentLength) || o.Captured && len(q.Body()) == 0
	if o.Only != "payload" && o.Key != nil {
		if err := r.judgeSignature(q); err != nil {
			return nil, err
		}
	}
	if err := r.compare(q); err != nil {
		return nil, err
	}
	creates := true
	if o.Only != "signature" {
		var address ledger.Findings
		address, creates = judgeAddress(q, o.Path, o.Words.Template)
		r.Found = together(r.Found, address)
		r.sendTheRightPath()
	}
	if o.Only != "payload" {
		r.Found = append(r.Found, WarnOfMethod(q, o.Path)...)
	}
	if o.Only != "signature" && creates {
		r.judgePayload(q)
	}
	r.OK = r.Found.Count(ledger.SeverityError) == 0 && (r.Sum == nil || r.Sum.Errors == 0 && !r.Sum.Unreadable)
	if r.Header != "" && !r.isAcceptedWithHeader(q) {
		r.Header = ""
	}
	return r, nil
}

// together joins the findings about a capture to those about the request. A code of the first is
// not reported again.
func together(captured, found ledger.Findings) ledger.Findings {
	all := slices.Clone(captured)
	for _, f := range found {
		if !captured.Has(f.Code) {
			all = append(all, f)
		}
	}
	return all
}

// A Difference is the first one of two base strings, with both sides around it.
type Difference struct {
	Layer     string `json:"layer"`
	Element   int    `json:"element"`
	Parameter string `json:"parameter"`
	Index     int    `json:"index"`
	Byte      int    `json:"byte"`
	Offset    int    `json:"offset"`
	Text      string `json:"text"`
	Ours      string `json:"ours"`
	Theirs    string `json:"theirs"`
}

const rightBaseString = "the base string that was given is the right one, so the key or the secret differs, or what was done with it"

// compare compares the base string of the client with the right one.
func (r *Result) compare(q signature.Request) error {
	theirs := strings.TrimRight(r.o.BaseString, "\r\n")
	if theirs == "" {
		return nil
	}
	trace, err := signature.NewTrace(q)
	if err != nil {
		if r.Diagnosed {
			return nil // the findings say why
		}
		return err
	}
	right := trace.BaseString()
	if d := diagnose.Compare(right, theirs); d != nil {
		r.Difference = &Difference{d.Layer, d.Element, rules.Mask(0, d.Parameter), d.Index, d.Byte, d.Offset, d.Text, capture.BaseAround(right, d.Offset), capture.BaseAround(theirs, d.Offset)}
	} else if r.Diagnosed && !r.Diagnosis.Right && len(r.Diagnosis.Causes) == 0 {
		if i := slices.IndexFunc(r.Found, func(f ledger.Finding) bool { return f.Code == signature.SignatureWrong }); i >= 0 {
			r.Found[i].Help = rightBaseString
		}
	}
	return nil
}

// word returns a finding in the words of who asks.
func (r *Result) word(f ledger.Finding) ledger.Finding {
	if r.o.Words.Finding == nil {
		return f
	}
	return r.o.Words.Finding(f)
}

// Findings returns all findings, in the words of who asks: those about the request first.
func (r *Result) Findings() ledger.Findings {
	all := make(ledger.Findings, 0, len(r.Found)+len(r.Payload))
	for _, f := range r.Found {
		all = append(all, r.word(f))
	}
	return append(all, r.Payload...)
}

// A cause is one in the record.
type cause struct {
	IDs  []string `json:"ids"`
	Text string   `json:"text"`
	Fix  string   `json:"fix"`
}

// Record is what check writes as JSON. Now is the clock in seconds, where it decided.
func (r *Result) Record(now *int64) any {
	record := struct {
		OK         bool            `json:"ok"`
		Signature  string          `json:"signature"`
		Fresh      string          `json:"fresh"`
		Now        *int64          `json:"now,omitempty"`
		Causes     []cause         `json:"causes"`
		Difference *Difference     `json:"first_difference"`
		Findings   ledger.Findings `json:"findings"`
		Unlisted   int             `json:"unlisted,omitempty"` // findings of the payload that are not kept
		Rows       *int            `json:"rows"`
		Valid      *int            `json:"valid"`
	}{OK: r.OK, Signature: r.Signature, Fresh: r.Fresh, Now: now, Causes: []cause{}, Difference: r.Difference, Findings: r.Findings()}
	for _, c := range r.Diagnosis.Causes {
		record.Causes = append(record.Causes, cause(c))
	}
	if r.Sum != nil {
		record.Rows, record.Valid = &r.Sum.Rows, &r.Sum.Valid
		record.Unlisted = r.Sum.Errors + r.Sum.Warnings - len(r.Payload)
	}
	return record
}
