package facade

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/chargecast/chargecast/internal/capture"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/diagnose"
)

// What check says of a signature beside a verdict.
const (
	signatureAbsent    = "absent"
	signatureNotJudged = "not-judged"
)

// A checkRecord is the record of check.
type checkRecord struct {
	OK         bool              `json:"ok"`
	Signature  string            `json:"signature"`
	Fresh      string            `json:"fresh"`
	Causes     []cause           `json:"causes"`
	Difference *difference       `json:"first_difference"`
	Findings   []json.RawMessage `json:"findings"`
	Rows       *int              `json:"rows"`
	Valid      *int              `json:"valid"`
}

type cause struct {
	IDs  []string `json:"ids"`
	Text string   `json:"text"`
	Fix  string   `json:"fix"`
}

// A difference is the first one of two base strings, with both sides around it.
type difference struct {
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

// A checking is one request under check.
type checking struct {
	request   *request
	r         signature.Request
	found     ledger.Findings
	captured  ledger.Findings
	from      capture.Request
	diagnosis diagnose.Diagnosis
	diagnosed bool
	cut       bool // the capture does not have the whole body
	header    string
	record    checkRecord
	sum       *rules.Summary
	firstBad  ledger.Finding // the first error of the payload
}

// check answers with what is wrong with a request: its signature, cause and payload, and what to send instead.
func (s *Server) check(q *request) (object, error) {
	c := &checking{request: q, record: checkRecord{Signature: signatureNotJudged, Fresh: signatureNotJudged, Causes: []cause{}, Findings: []json.RawMessage{}}}
	if err := c.read(); err != nil {
		return nil, err
	}
	keyed := q.Secret != nil || q.PublicKey != "" || q.PrivateKey != ""
	if q.Only != "payload" && keyed {
		if err := c.judge(s); err != nil {
			return nil, err
		}
	}
	if err := c.compare(); err != nil {
		return nil, err
	}
	var payload []json.RawMessage
	if q.Only != "signature" {
		payload = c.judgePayload(s)
	}
	for _, f := range c.found {
		c.record.Findings = append(c.record.Findings, f.AppendJSON(nil))
	}
	c.record.Findings = append(c.record.Findings, payload...)
	errors := c.found.Count(ledger.SeverityError)
	c.record.OK = errors == 0 && (c.sum == nil || c.sum.Errors == 0 && !c.sum.Unreadable)
	for _, of := range c.diagnosis.Causes {
		c.record.Causes = append(c.record.Causes, cause(of))
	}
	if c.sum != nil {
		c.record.Rows, c.record.Valid = &c.sum.Rows, &c.sum.Valid
	}
	reply := object{
		"records": []json.RawMessage{appendJSON(&c.record)}, "conclusion": c.conclusion(errors), "known": notNilStrings(c.diagnosis.Known),
		"not_tried": notNilStrings(c.diagnosis.NotTried), "authorization": c.header,
	}
	if c.diagnosed {
		reply["headline"] = c.diagnosis.Headline()
		if base := c.diagnosis.BaseString(); base != "" {
			reply["base_string"] = capture.MaskedBase(base, -1)
		}
	}
	return reply, nil
}

func notNilStrings(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// read reads the captured request, or its parts.
func (c *checking) read() (err error) {
	q := c.request
	if !q.Request.given {
		method := q.Method
		c.r = signature.NewRequest(method, string(q.URL))
		c.r = q.signed()
	} else {
		if c.from, c.captured, err = capture.Parse(q.Request.bytes, capture.Options{Entry: q.Entry, AnyHost: q.URL != ""}); err != nil {
			if wrong, ok := errors.AsType[*capture.EntryError](err); ok {
				return refused("entry", wrong.Message, wrong.Help)
			}
			return err
		}
		c.r = signature.NewRequest(c.from.Method, c.from.URL).WithBody(c.from.ContentType, string(c.from.Body)).WithAuthorization(c.from.Authorization)
		if q.URL != "" {
			c.r = c.r.WithURL(string(q.URL))
		}
	}
	if q.Authorization != nil {
		c.r = c.r.WithAuthorization(string(*q.Authorization))
	}
	c.found = slices.Clone(c.captured)
	c.cut = c.found.Has(capture.ContentLength) || q.Request.given && len(c.r.Body()) == 0
	return nil
}

// judge verifies the request and, if its signature is wrong, looks for the cause.
func (c *checking) judge(s *Server) error {
	key, signer, err := c.request.verifyingKey()
	if err != nil {
		return inPart(err, "key")
	}
	others := []string{}
	if c.from.URL != "" && c.from.URL != c.r.URL() {
		others = append(others, c.from.URL)
	}
	o := signature.Options{}
	if s.Now != nil {
		o.Now = s.Now()
	} else {
		o.Now = time.Unix(0, 0)
	}
	d, err := diagnose.Request(context.Background(), c.r, key, diagnose.Options{Verify: o, OtherURLs: others})
	if d.Signature == 0 && !c.isAboutRequest(d.Findings) {
		return err
	}
	c.diagnosis, c.diagnosed = d, true
	for _, f := range d.Findings {
		if !c.captured.Has(f.Code) {
			c.found = append(c.found, f)
		}
	}
	c.explained()
	switch {
	case c.r.Authorization() == "":
		c.record.Signature = signatureAbsent
	case d.Right:
		c.record.Signature = signature.VerdictOK.String()
	case d.Signature == 0:
		c.record.Signature = signature.VerdictUnreadable.String()
	default:
		c.record.Signature = d.Signature.String()
	}
	if !c.cut && (c.record.Signature == signature.VerdictMismatch.String() || c.record.Signature == signature.VerdictUnreadable.String()) {
		c.header = c.corrected(signer)
	}
	return nil
}

// isAboutRequest reports whether what keeps a request from having a verdict is wrong with the captured request itself.
func (c *checking) isAboutRequest(found ledger.Findings) bool {
	if !c.request.Request.given {
		return false
	}
	i := slices.IndexFunc(found, isError)
	return i < 0 || found[i].Place.File == "method" || found[i].Place.File == "URL" && c.request.URL == "" || found[i].Place.File == "body"
}

func isError(f ledger.Finding) bool { return f.Severity == ledger.SeverityError }

// explained puts into the finding of a wrong signature what is known of its cause, and leaves out what only repeats it.
func (c *checking) explained() {
	if len(c.r.Body()) == 0 && c.found.Has(signature.BodyMissing) {
		c.found = slices.DeleteFunc(c.found, func(f ledger.Finding) bool { return f.Code == capture.ContentLength })
	}
	d := &c.diagnosis
	for i := range c.found {
		f := &c.found[i]
		if !isOfSignature(*f) {
			continue
		}
		if len(d.Causes) > 0 {
			f.Help = d.Causes[0].Fix
			continue
		}
		known := slices.Clone(d.Known)
		if c.found.Has(capture.ContentLength) {
			known = []string{"the body is not as long as its Content-Length, so the capture does not have what was signed: capture the request whole"}
		}
		for _, left := range d.NotTried {
			known = append(known, "not tried: "+left)
		}
		if f.Code == signature.SignatureWrong || len(d.NotTried) > 0 {
			f.Help = strings.Join(known, "; ")
		}
	}
}

// isOfSignature reports whether a finding is that the signature is wrong, which has a cause.
func isOfSignature(f ledger.Finding) bool {
	return f.Code == signature.SignatureWrong || f.Code == signature.SignatureLength || f.Code == signature.SignatureText
}

// corrected is the header to send; empty where the key cannot sign, or the fault is not in the header.
func (c *checking) corrected(signer signature.SigningKey) string {
	if signer == nil || len(c.diagnosis.Causes) > 0 && slices.Contains(c.diagnosis.Causes[0].IDs, "body-raw-plus") {
		return ""
	}
	h, err := signature.ParseHeader(c.r.Authorization())
	if err != nil {
		return ""
	}
	o := signature.OAuth{ConsumerKey: h.Value("oauth_consumer_key"), Nonce: h.Value("oauth_nonce"), Timestamp: h.Value("oauth_timestamp"), Realm: h.Realm}
	signed, _, err := signature.Sign(c.r, o, signer)
	if err != nil {
		return ""
	}
	return signed.Authorization()
}

// judgePayload returns the payload's findings. Those that the request has already are left out.
func (c *checking) judgePayload(s *Server) (list []json.RawMessage) {
	noBody := len(c.r.Body()) == 0
	if noBody { // one fault: the payload says it
		c.found = slices.DeleteFunc(c.found, func(f ledger.Finding) bool { return f.Code == signature.BodyMissing || f.Code == capture.ContentLength })
	}
	r := rules.NewReader(bytes.NewReader(c.r.Body()), rules.Options{AsOf: c.request.AsOf, Currency: c.request.Currency, Input: rules.InputForm})
	errors, warnings := 0, 0
	for _, found := range r.Rows() {
		for _, f := range found {
			if f.Place.Row == 0 && c.found.Has(f.Code) {
				continue
			}
			if f.Place.File = "payload"; f.Code == rules.PayloadMissing && noBody {
				f.Place.Wire = false
				f.Message, f.Help = "the request has no body", "capture the request with its body"
			}
			if isError(f) {
				if errors == 0 {
					c.firstBad = f
				}
				errors++
			} else {
				warnings++
			}
			list = append(list, f.AppendJSON(nil))
		}
	}
	sum := r.Summary()
	if sum.Errors, sum.Warnings = errors, warnings; sum.Unreadable && c.found.Has(signature.ContentType) {
		return nil // one fault: no form has no payload
	}
	c.sum = &sum
	return list
}

// compare compares the base string that the client signed with the right one.
func (c *checking) compare() error {
	if !c.request.BaseString.given {
		return nil
	}
	theirs := strings.TrimRight(string(c.request.BaseString.bytes), "\r\n")
	if theirs == "" {
		return nil
	}
	trace, err := signature.NewTrace(c.r)
	if err != nil {
		if c.diagnosed {
			return nil // the findings say why
		}
		return err
	}
	right := trace.BaseString()
	if d := diagnose.Compare(right, theirs); d != nil {
		c.record.Difference = &difference{
			d.Layer, d.Element, rules.Mask(0, d.Parameter), d.Index, d.Byte, d.Offset, d.Text, capture.BaseAround(right, d.Offset), capture.BaseAround(theirs, d.Offset),
		}
		return nil
	}
	if c.diagnosed && !c.diagnosis.Right && len(c.diagnosis.Causes) == 0 {
		if i := slices.IndexFunc(c.found, func(f ledger.Finding) bool { return f.Code == signature.SignatureWrong }); i >= 0 {
			c.found[i].Help = "the base string that was given is the right one, so the key or the secret differs, or what was done with it"
		}
	}
	return nil
}

// conclusion is one sentence: what is wrong, and what to change.
func (c *checking) conclusion(errors int) string {
	if c.record.OK {
		switch {
		case c.record.Signature != signatureNotJudged:
			return "The request is acceptable."
		case c.request.Only == "payload":
			return "The payload is acceptable; the signature was not judged."
		}
		return "Nothing is wrong with what was judged. The signature was not judged: it needs a public key, or the secret."
	}
	const wrong = "The request is not acceptable: "
	send, others := "", errors-1
	if c.sum != nil {
		others += c.sum.Errors
	}
	if others > 0 {
		send = " " + counted(others, "more error") + " below."
	}
	d := &c.diagnosis
	switch {
	case c.record.Signature == signatureAbsent:
		return wrong + "it is not signed; sign it and send the Authorization header."
	case c.cut && c.diagnosed && !d.Right && len(d.Causes) == 0 && d.Signature != 0:
		return wrong + "the capture does not have the whole body, so the signature cannot be explained; capture the request with its body."
	case len(d.Causes) > 0:
		return wrong + d.Causes[0].Text + "; " + d.Causes[0].Fix + "." + send
	case c.diagnosed && !d.Right && d.Signature == signature.VerdictMismatch && !c.found.Has(signature.SignatureMethod):
		next := "compare the base string of your software below, and the key with the one that is registered"
		if c.record.Difference != nil {
			next = "mend the first difference"
		}
		nothing := "no known mistake"
		if len(d.NotTried) > 0 {
			nothing = "nothing that was tried"
		}
		return wrong + "its signature is wrong, and " + nothing + " explains it; " + next + "." + send
	}
	f := c.firstBad
	if i := slices.IndexFunc(c.found, isError); i >= 0 {
		f = c.found[i]
	}
	if f.Code == "" {
		return wrong + "its payload cannot be used."
	}
	message := f.Message
	if f.Subject != "" && !strings.Contains(message, f.Subject) {
		message = f.Subject + ": " + message
	}
	if f.Help != "" {
		message += "; " + f.Help
	}
	if d.Right && c.diagnosed && d.Signature != signature.VerdictOK {
		message = "the signature is right, but " + message
	}
	return wrong + message + "." + send
}
