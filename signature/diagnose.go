package signature

import (
	"cmp"
	"context"
	"strconv"
)

// A Budget bounds the work of [Diagnose] by the size of the request: URL, body and header together.
// Each candidate costs time in proportion to that size; there are about a hundred candidates with one
// mistake and several thousand with two. The zero Budget has the defaults; a negative size means that
// such candidates are not tried at all.
type Budget struct {
	Singles int // the largest request, in bytes, for which single mistakes are tried; 0 means 1 MiB
	Pairs   int // the largest request for which pairs of mistakes are tried; 0 means 256 KiB
}

func (b Budget) allows(mistakes, size int) (limit int, ok bool) {
	limit = cmp.Or(b.Singles, 1<<20)
	if mistakes > 1 {
		limit = cmp.Or(b.Pairs, 256<<10)
	}
	return limit, size <= limit
}

// allowsAny reports whether any set of mistakes is tried for a request of this size.
func (b Budget) allowsAny(size int) bool {
	for mistakes := 1; mistakes <= maxMistakes; mistakes++ {
		if _, ok := b.allows(mistakes, size); ok {
			return true
		}
	}
	return false
}

// A Cause is one smallest set of known mistakes that reproduces a signature.
type Cause struct {
	IDs  []string // of the mistakes, in alphabetical order
	Text string   // what was done
	Fix  string   // what to do
}

// A Diagnosis says why a signature is wrong. It never holds a secret or a key, and shows no value of the
// body.
type Diagnosis struct {
	Verified          // what [Verify] says of the request
	Causes   []Cause  // every smallest set, by rank; empty if nothing known reproduces the signature
	Known    []string // what is certain if there is no cause
	NotTried []string // which candidates were left out, and why; empty if all were tried
	Tried    int      // how many candidates were compared with the signature

	signed hidden[baseText] // the base string of the first cause
}

// baseText is a base string.
type baseText string

func (baseText) mask() string { return "base string" }

// BaseString returns the base string that was signed if the first cause is right, for [Compare]; it is
// empty if there is no cause, or if the cause does not tell. It has the values of the body.
func (d Diagnosis) BaseString() string {
	if text := d.signed.reveal(); text != nil {
		return string(*text)
	}
	return ""
}

// allEnded says that the search ended before the first candidate.
const allEnded = "all sets of mistakes: the search was ended"

// maxMistakes is the size of the sets that are tried: singles, then pairs.
const maxMistakes = 2

// Diagnose finds which known mistake, or which pair of mistakes, reproduces the signature of a
// request that [Verify] finds wrong. All smallest sets are reported: different mistakes can give the
// same bytes. Pairs are tried only if no single mistake fits. For RSA the public key is enough: the
// digest is recovered once and compared with that of every candidate.
//
// The second result is the error of Verify for the same request, key and options: nil only if the
// request is acceptable. If ctx ends first, it is the error of ctx, and the diagnosis has what was
// found until then: no verdict either if ctx had ended before.
func Diagnose(ctx context.Context, r Request, key VerifyingKey, o Options, b Budget) (Diagnosis, error) {
	if err := ctx.Err(); err != nil {
		return Diagnosis{NotTried: []string{allEnded}}, err
	}
	v, in, h := verify(r.data(), []VerifyingKey{key}, 0, o)
	d := Diagnosis{Verified: v}
	verdict := v.Findings.Err()
	if verdict != nil {
		d.ConsumerKey, d.Use = "", Use{}
	}
	switch text, _ := h.value(nameSignature); {
	case v.Signature == VerdictOK || in == nil:
		return d, verdict
	case r.Authorization() == "":
		d.Known = []string{"the request has no Authorization header, so there is no signature to explain"}
		return d, verdict
	case len(h.params) == 0:
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
	if size := r.data().size(); !b.allowsAny(size) {
		d.leaveOut(&h, key, b, size)
		return d, verdict
	}
	m, failed := newMaterial(r.data(), in, &h, &profiles[o.Profile])
	if failed != nil {
		d.Known = []string{"body and header disagree, so it is not clear what was to be signed"}
		return d, verdict
	}
	if err := d.explain(ctx, m, &h, key, b, r.data().size()); err != nil {
		return d, err
	}
	return d, verdict
}

// leaveOut describes a request that is too large for every candidate.
func (d *Diagnosis) leaveOut(h *header, key VerifyingKey, b Budget, size int) {
	for mistakes := 1; mistakes <= maxMistakes; mistakes++ {
		d.noteTooLarge(b, mistakes, size)
	}
	text, _ := h.value(nameSignature)
	j, _ := newJudge(key, text)
	d.Known = append(textFacts(text, d.NotTried), j.facts()...)
}

// noteTooLarge reports whether the request is too large for sets of so many mistakes, and notes it.
func (d *Diagnosis) noteTooLarge(b Budget, mistakes, size int) bool {
	limit, ok := b.allows(mistakes, size)
	if !ok {
		d.NotTried = append(d.NotTried, setName(mistakes)+" of mistakes: the request has "+strconv.Itoa(size)+" bytes, and the limit is "+strconv.Itoa(max(limit, 0)))
	}
	return !ok
}

// size returns the size of a request as a Budget counts it.
func (r *requestData) size() int {
	size := len(r.url) + len(r.authorization) + len(r.body)
	for i := range r.params {
		size += len(r.params[i].Name) + len(r.params[i].Value) + 2
	}
	return size
}

func (d *Diagnosis) explain(ctx context.Context, m *material, h *header, key VerifyingKey, b Budget, size int) error {
	text, _ := h.value(nameSignature)
	s := newSearch(ctx, m, text, key)
	if s.err != nil {
		d.NotTried = append(d.NotTried, allEnded)
	}
	for mistakes := 1; mistakes <= maxMistakes && len(s.found) == 0 && s.err == nil; mistakes++ {
		if d.noteTooLarge(b, mistakes, size) {
			continue
		}
		s.run(mistakes)
		if mistakes == 1 && len(s.found) == 0 && s.err == nil {
			if left := s.runAdded(size); left != "" {
				d.NotTried = append(d.NotTried, left)
			}
		}
		if s.err != nil {
			d.NotTried = append(d.NotTried, "a part of the "+setName(mistakes)+" of mistakes: the search was ended")
		}
	}
	d.Tried = s.tried
	d.Causes = s.causes()
	if len(d.Causes) > 0 {
		if base, ok := s.baseString(&d.Causes[0]); ok {
			d.signed = hide(baseText(base))
		}
	} else {
		d.Known = append(textFacts(text, d.NotTried), s.judge.facts()...)
	}
	return s.err
}

func setName(mistakes int) string { return [...]string{"", "singles", "pairs"}[mistakes] }

// textFacts returns what is certain of the text of a signature that nothing explains.
func textFacts(text string, notTried []string) []string {
	nothing := "no known mistake, and no pair of known mistakes, reproduces the signature"
	if len(notTried) > 0 {
		nothing = "nothing that was tried reproduces the signature"
	}
	if raw, ok := decodeText(text); ok {
		return []string{nothing, "the signature is base64 of " + strconv.Itoa(len(raw)) + " bytes"}
	}
	return []string{nothing, "the text of the signature is not padded base64; it has " + strconv.Itoa(len(text)) + " characters"}
}
