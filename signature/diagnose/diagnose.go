// Package diagnose finds out why a signature is wrong. The gateway answers one with an empty 403:
// [Request] finds the known mistake, or the pair of mistakes, that reproduces the signature to the
// bit, and [Compare] the first difference of two base strings. For RSA the public key is enough.
//
// # Limits
//
// Every single mistake is tried, and every pair in a request whose body has at most 1 MiB and 500
// parameters. [Diagnosis.NotTried] says what was left out. Nothing here shows a secret, a key or a
// value of the body.
//
// # Compatibility
//
// IDs of mistakes are stable. Texts and ranks may change, and mistakes may be added.
package diagnose

import (
	"context"
	"crypto/fips140"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/internal/base"
)

// Options say how a request is diagnosed. The zero Options are those of a gateway that asks for
// nothing more.
type Options struct {
	// Verify is what the request is verified by.
	Verify signature.Options
	// OtherURLs are URLs whose host or path may have been signed, such as the one in front of a
	// proxy. At most four are used.
	OtherURLs []string
}

// mostOtherURLs is how many of the other URLs are used.
const mostOtherURLs = 4

// A Cause is one smallest set of known mistakes that reproduces a signature.
type Cause struct {
	IDs  []string // of the mistakes, in alphabetical order
	Text string   // what was done
	Fix  string   // what to do
}

// A Diagnosis says why a signature is wrong.
type Diagnosis struct {
	signature.Verified          // what [signature.Verify] says of the request
	Right              bool     // the signature is the one of this request under the key, even if the request is not acceptable
	Causes             []Cause  // every smallest set, by rank; empty if nothing known reproduces the signature
	Known              []string // what is certain if there is no cause
	NotTried           []string // which candidates were left out, and why; empty if all were tried
	Tried              int      // how many candidates were compared with the signature

	acceptable, absent bool
	signed             func() string // makes the base string of the first cause; a function is printed by nobody
}

// BaseString returns the base string that was signed if the first cause is right, for [Compare]; it
// is empty if there is no cause, or if the cause does not show it. It has the values of the body.
func (d Diagnosis) BaseString() string {
	if d.signed == nil {
		return ""
	}
	return d.signed()
}

// Headline says in one sentence how the signature is, and what was not tried if that matters.
func (d Diagnosis) Headline() string {
	switch {
	case d.acceptable:
		return "The signature is right."
	case d.Right:
		return "The signature is right; the request is not acceptable."
	case d.Signature == 0:
		return "The signature was not judged: the request is not one that can be signed."
	case d.absent:
		return "The request is not signed."
	case len(d.Causes) > 0 && d.Causes[0].hasID(idOtherKey):
		return "The signature is wrong, and nothing can be reproduced without the private key:"
	case len(d.Causes) == 1:
		return "The signature is wrong, and this reproduces it:"
	case len(d.Causes) > 1:
		return "The signature is wrong, and each of these alone reproduces it:"
	case len(d.NotTried) > 0:
		return "The signature is wrong, and nothing that was tried explains it; not tried: " + strings.Join(d.NotTried, "; ") + "."
	case d.Signature == signature.VerdictUnreadable:
		return "The signature cannot be read."
	}
	return "The signature is wrong, and no known mistake explains it."
}

func (c Cause) hasID(id string) bool {
	return len(c.IDs) > 0 && (c.IDs[0] == id || c.IDs[len(c.IDs)-1] == id)
}

// allEnded says that the search ended before the first candidate.
const allEnded = "all sets of mistakes: the search was ended"

// maxMistakes is the size of the sets that are tried: singles, then pairs, which are tried for a
// body of at most so many bytes and parameters.
const (
	maxMistakes        = 2
	mostBytesForPairs  = 1 << 20
	mostParamsForPairs = 500
)

// Request finds which known mistake, or which pair of mistakes, reproduces the signature of a
// request that [signature.Verify] finds wrong. All smallest sets are reported: different mistakes
// can give the same bytes. Pairs are tried only if no single mistake fits. For RSA the public key
// is enough: the digest is recovered once and compared with that of every candidate.
//
// The second result is the error of Verify for the same request, key and options: nil only if the
// request is acceptable. If ctx ends first, it is the error of ctx, and the diagnosis has what was
// found until then: no verdict either if ctx had ended before.
func Request(ctx context.Context, r signature.Request, key signature.VerifyingKey, o Options) (Diagnosis, error) {
	if err := ctx.Err(); err != nil {
		return Diagnosis{NotTried: []string{allEnded}}, err
	}
	v, verdict := signature.Verify(r, o.Verify, key)
	d := Diagnosis{Verified: v, Right: v.Signature == signature.VerdictOK, acceptable: verdict == nil, absent: r.Authorization() == ""}
	if d.Right || v.Signature == 0 {
		return d, verdict
	}
	h, err := signature.ParseHeader(r.Authorization())
	text := h.Value(base.Signature)
	switch {
	case d.absent:
		d.Known = []string{"the request has no Authorization header, so there is no signature to explain"}
		return d, verdict
	case err != nil:
		d.Known = []string{"the header cannot be read, so there is no signature to explain"}
		return d, verdict
	case text == "":
		d.Known = []string{"the header has no signature to explain"}
		return d, verdict
	}
	if err := ctx.Err(); err != nil {
		d.NotTried = []string{allEnded}
		return d, err
	}
	original, ok := newOriginal(r, key, o)
	if !ok {
		d.Known = []string{"body and header disagree, so it is not clear what was to be signed"}
		return d, verdict
	}
	large := len(r.Body()) > mostBytesForPairs || len(original.body) > mostParamsForPairs
	// Where only FIPS 140 hashes are allowed, the others still explain: they protect nothing here.
	fips140.WithoutEnforcement(func() { err = d.explain(newSearch(ctx, original, text, key), text, large) })
	if err != nil {
		return d, err
	}
	return d, verdict
}

func (d *Diagnosis) explain(s *search, text string, large bool) error {
	if s.err != nil {
		d.NotTried = append(d.NotTried, allEnded)
		return s.err
	}
	if d.Right = s.isRight(); d.Right {
		return s.err
	}
	if s.run(1); len(s.found) == 0 && s.err == nil {
		switch {
		case large:
			d.NotTried = append(d.NotTried, "pairs of mistakes, and each parameter as one that was added: the body has more than 1 MiB, or more than 500 parameters")
		default:
			if left := s.runAdded(); left != "" {
				d.NotTried = append(d.NotTried, left)
			}
			if len(s.found) == 0 {
				s.run(maxMistakes)
			}
		}
	}
	if s.err != nil {
		d.NotTried = append(d.NotTried, "a part of the mistakes: the search was ended")
	}
	d.Tried = s.tried
	d.Causes = s.causes()
	if len(d.Causes) > 0 {
		if made := s.found[strings.Join(d.Causes[0].IDs, " ")].candidate; made != nil {
			d.signed = made.baseString
		}
	} else {
		d.Known = append(textFacts(text, d.NotTried), s.matcher.facts()...)
	}
	return s.err
}

// textFacts returns what is certain of the text of a signature that nothing explains.
func textFacts(text string, notTried []string) []string {
	nothing := "no known mistake, and no pair of known mistakes, reproduces the signature"
	if len(notTried) > 0 {
		nothing = "nothing that was tried reproduces the signature"
	}
	if raw, ok := base.DecodeText(text); ok {
		return []string{nothing, "the signature is base64 of " + strconv.Itoa(len(raw)) + " bytes"}
	}
	length := strconv.Itoa(len(text)) + " characters"
	if len(text) == 1 {
		length = "1 character"
	}
	return []string{nothing, "the text of the signature is not padded base64; it has " + length}
}
