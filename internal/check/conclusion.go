package check

import (
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/internal/termtext"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature"
)

// Conclusion is what is wrong, and what to change, in a few sentences.
func (r *Result) Conclusion() string {
	if r.OK {
		return r.acceptable()
	}
	const wrong = "The request is not acceptable: "
	d, words := &r.Diagnosis, &r.o.Words
	send := r.rest()
	switch {
	case r.Signature == Absent:
		return wrong + "it is not signed; sign it and send the Authorization header." + send
	case r.Cut && r.Diagnosed && !d.Right && len(d.Causes) == 0 && d.Signature != 0:
		return wrong + "the capture does not have the whole body, so the signature cannot be explained; capture the request with its body" + words.Body + "." + send
	case len(d.Causes) > 0:
		return wrong + d.Causes[0].Text + "; " + d.Causes[0].Fix + "." + send
	case r.Diagnosed && !d.Right && d.Signature == signature.VerdictMismatch && !r.Found.Has(signature.SignatureMethod):
		next := "was it signed for another address? " + words.Address + ", or " + words.Compare + r.otherKey()
		switch {
		case r.Difference != nil:
			next = "correct the first difference"
		case strings.TrimRight(r.o.BaseString, "\r\n") != "":
			next = "the base strings are equal, so compare the key or the secret with the one that is registered"
		}
		nothing := "no known mistake"
		if len(d.NotTried) > 0 {
			nothing = "nothing that was tried"
		}
		return wrong + "its signature is wrong, and " + nothing + " explains it; " + next + "." + send
	}
	all := r.Findings()
	i := slices.IndexFunc(all, isError)
	if i < 0 {
		return wrong + "its payload cannot be used."
	}
	text := sentence(all[i])
	if d.Right && r.Diagnosed && d.Signature != signature.VerdictOK {
		text = "the signature is right, but " + text
	}
	return termtext.Visible(wrong + text + "." + send)
}

// otherKey advises to compare the key, unless it is certain that it fits: a signature that another RSA key made has a cause, or
// another length. It continues a sentence.
func (r *Result) otherKey() string {
	switch {
	case r.o.Key.SignatureMethod() == signature.MethodHMACSHA1:
		return "; compare the secret with the one that is registered"
	case r.Found.Has(signature.SignatureWrong):
		return ""
	}
	return "; compare the key with the one that is registered"
}

// acceptable says what is acceptable.
func (r *Result) acceptable() string {
	switch {
	case r.Signature != NotJudged:
		return "The request is acceptable."
	case r.o.Only == "payload" && r.Sum == nil:
		return "The payload and the signature were not judged."
	case r.o.Only == "payload":
		return "The payload is acceptable; the signature was not judged."
	}
	fine := "Payload fine."
	if r.Sum == nil {
		fine = "The payload was not judged."
	}
	return fine + " Signature not checked: " + r.o.Words.Key + "."
}

// rest says what must change beside what the conclusion begins with.
func (r *Result) rest() string {
	leads := isOfSignature // what the conclusion begins with
	if r.Signature == Absent {
		leads = func(f ledger.Finding) bool { return f.Place.File == "Authorization" }
	} else if !slices.ContainsFunc(r.Found, isOfSignature) {
		first := true
		leads = func(ledger.Finding) bool { was := first; first = false; return was }
	}
	send := ""
	for _, f := range r.Found {
		if !isError(f) {
			continue
		}
		isInFix := len(r.Diagnosis.Causes) > 0 && strings.Contains(r.Diagnosis.Causes[0].Fix, sentence(f))
		if !leads(f) && !isInFix {
			send += " Also: " + sentence(r.word(f)) + "."
		}
	}
	if r.Sum != nil {
		others := r.Sum.Errors
		if r.Found.Count(ledger.SeverityError) == 0 {
			others--
		}
		if others > 0 {
			send += " " + termtext.Counted(strconv.Itoa(others), "more error") + " of the payload " + r.o.Words.Payload + "."
		}
	}
	send = termtext.Visible(send)
	if r.Header != "" {
		send += " Send this header:"
	}
	return send
}

// sentence is a finding in the conclusion: what is wrong, and what to change.
func sentence(f ledger.Finding) string {
	text := f.Message
	if f.Subject != "" && !strings.Contains(text, f.Subject) {
		text = f.Subject + ": " + text
	}
	if f.Help != "" {
		text += "; " + f.Help
	}
	return text
}
