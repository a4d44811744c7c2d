package check

import (
	"context"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/internal/capture"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/diagnose"
)

// judgeSignature verifies the request and, if its signature is wrong, looks for the cause.
func (r *Result) judgeSignature(q signature.Request) error {
	others := []string{}
	if r.o.URL != "" && r.o.URL != q.URL() {
		others = append(others, r.o.URL)
	}
	d, refused := diagnose.Request(context.Background(), q, r.o.Key, diagnose.Options{Verify: r.o.Verify, OtherURLs: others})
	if d.Signature == 0 && !r.isFixed(d.Findings) {
		return refused
	}
	r.Diagnosis, r.Diagnosed = d, true
	r.Found = together(r.Found, d.Findings)
	r.explain(q)
	switch {
	case q.Authorization() == "":
		r.Signature = Absent
	case d.Right:
		r.Signature = signature.VerdictOK.String()
	case d.Signature == 0:
		r.Signature = signature.VerdictUnreadable.String()
	default:
		r.Signature = d.Signature.String()
	}
	if r.o.Verify.Window > 0 && (d.Signature == signature.VerdictOK || d.Signature == signature.VerdictMismatch) {
		if r.Fresh = "ok"; d.Stale {
			r.Fresh = "stale"
		}
	}
	if !r.Cut && (r.Signature == signature.VerdictMismatch.String() || r.Signature == signature.VerdictUnreadable.String()) {
		r.Header = r.corrected(q)
	}
	return nil
}

// isFixed reports whether what keeps a request from having a verdict is wrong with the request
// itself.
func (r *Result) isFixed(found ledger.Findings) bool {
	i := slices.IndexFunc(found, isError)
	return i >= 0 && slices.Contains(r.o.Fixed, found[i].Place.File)
}

func isError(f ledger.Finding) bool { return f.Severity == ledger.SeverityError }

// explain puts into the finding of a wrong signature what is known of its cause, and leaves out
// what only repeats it.
func (r *Result) explain(q signature.Request) {
	if len(q.Body()) == 0 && r.Found.Has(signature.BodyMissing) {
		r.Found = slices.DeleteFunc(r.Found, func(f ledger.Finding) bool { return f.Code == capture.ContentLength })
	}
	d := &r.Diagnosis
	for i := range r.Found {
		f := &r.Found[i]
		if !isOfSignature(*f) {
			continue
		}
		if len(d.Causes) > 0 {
			f.Help = d.Causes[0].Fix
			continue
		}
		known := slices.Clone(d.Known)
		if r.Found.Has(capture.ContentLength) {
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

// Explains reports whether causes, or what is known in their place, say more than the findings.
func (r *Result) Explains() bool { // one fact alone only repeats the finding
	return len(r.Diagnosis.Causes) > 0 || len(r.Diagnosis.Known) > 1 && !r.Cut && slices.ContainsFunc(r.Found, isOfSignature)
}

// IsInCauses reports whether the help of a finding is shown with the causes.
func (r *Result) IsInCauses(f ledger.Finding) bool {
	return isOfSignature(f) && r.Diagnosed && !r.Diagnosis.Right && f.Help != rightBaseString
}

// corrected is the header to send: the request's own, with the right signature; empty where the key
// cannot sign, or the fault is not in the header.
func (r *Result) corrected(q signature.Request) string {
	if causes := r.Diagnosis.Causes; r.o.Signer == nil || len(causes) > 0 && slices.Contains(causes[0].IDs, "body-raw-plus") {
		return ""
	}
	h, err := signature.ParseHeader(q.Authorization())
	if err != nil {
		return ""
	}
	if r.o.Signer.SignatureMethod() == signature.MethodHMACSHA1 && h.Value("oauth_signature_method") == signature.MethodRSASHA256.String() {
		return "" // which the document names: no advice leads away from it
	}
	o := signature.OAuth{ConsumerKey: h.Value("oauth_consumer_key"), Nonce: h.Value("oauth_nonce"), Timestamp: h.Value("oauth_timestamp"), Realm: h.Realm}
	signed, _, err := signature.Sign(q, o, r.o.Signer)
	if err != nil {
		return ""
	}
	return signed.Authorization()
}

// isAcceptedWithHeader reports whether nothing would be wrong with the request if it had the
// corrected header.
func (r *Result) isAcceptedWithHeader(q signature.Request) bool {
	if r.Sum != nil && (r.Sum.Errors > 0 || r.Sum.Unreadable) {
		return false
	}
	if slices.ContainsFunc(r.Found, func(f ledger.Finding) bool { return isError(f) && f.Place.File != "Authorization" }) {
		return false
	}
	_, err := signature.Verify(q.WithAuthorization(r.Header), r.o.Verify, r.o.Key)
	return err == nil
}
