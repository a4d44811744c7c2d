package signature

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Evidence is what is known of a signature that the service refused.
type Evidence struct {
	Authorization string // the header's value
	BaseString    string // the base string that the other side made, if it can be had; empty: unknown
}

// Format prints the sizes alone: a base string holds card numbers.
func (e Evidence) Format(w fmt.State, _ rune) {
	_, _ = io.WriteString(w, "evidence{"+strconv.Itoa(len(e.Authorization))+" bytes of header, "+strconv.Itoa(len(e.BaseString))+" bytes of base string}")
}

// Cause is one smallest set of known mistakes that reproduces a signature.
type Cause struct {
	IDs  []string // in alphabetical order
	Text string   // what was done
	Fix  string   // what to do
}

// Diagnosis is the answer to "why is this signature wrong". It never holds a secret, a key or a value of the body.
type Diagnosis struct {
	Match           bool        // the signature is right; then there is no cause
	Causes          []Cause     // every smallest set, by rank; empty where nothing known reproduces the signature
	Known           []string    // what is certain where there is no cause
	FirstDifference *Difference // nil without the other side's base string, or where there is no difference
	Findings        []Finding
}

// maxMistakes is the size of the sets that are tried: singles, then pairs.
const maxMistakes = 2

// Diagnose finds which known mistake, or which pair of mistakes, reproduces the signature in a header. All smallest
// sets are reported: different mistakes may give the same bytes. Pairs are tried where no single mistake fits. For RSA
// the public key is enough: the digest is recovered once and compared with that of every candidate. The error is for a
// request that cannot be read, as for Verify; a header that cannot be read is told in Findings.
func Diagnose(r Request, e Evidence, key VerifyingKey, p Profile) (Diagnosis, error) {
	if err := p.checkForSigning(); err != nil {
		return Diagnosis{}, err
	}
	in, err := r.resolve(p)
	if err != nil {
		return Diagnosis{}, err
	}
	d := Diagnosis{Findings: append(in.findings, in.bodyFindings()...)}
	header, err := parseHeader(e.Authorization)
	if err == nil {
		var found []Finding
		found, err = header.check(p)
		d.Findings = append(d.Findings, found...)
	}
	if err != nil {
		d.Findings = append(d.Findings, err.asFinding())
		d.Known = []string{"the header cannot be read, so there is no signature to explain"}
		return d, nil
	}
	m, err := newMaterial(&r, in, &header, p)
	if err != nil {
		d.Findings = append(d.Findings, err.asFinding())
		d.Known = []string{"body and header disagree, so it is not clear what was to be signed"}
		return d, nil
	}
	d.explain(m, &header, key, e)
	return d, nil
}

func (d *Diagnosis) explain(m *material, header *Header, key VerifyingKey, e Evidence) {
	if method, _ := header.Value(nameSignatureMethod); method != key.SignatureMethod().String() {
		d.Findings = append(d.Findings, fault(SignatureMethod, "5.1", "the header names another signature method than that of the key",
			"use the key of the method, or name the method of the key"))
	}
	text, _ := header.Value(nameSignature)
	right := m.appendCandidate(make([]byte, macBlock), &restRecipe{}, m.thirdElement(&paramRecipe{}))
	if e.BaseString != "" {
		d.FirstDifference = Compare(string(right[macBlock:]), e.BaseString)
	}
	if raw, ok := decodeText(text); ok && key.verify(right, raw) {
		d.Match = true
		return
	}
	s := newSearch(m, text, key)
	for size := 1; size <= maxMistakes && len(s.found) == 0; size++ {
		s.run(size)
	}
	d.Causes = s.causes()
	if len(d.Causes) == 0 {
		d.Known = append(textFacts(text), s.judge.facts()...)
		if e.BaseString != "" && d.FirstDifference == nil {
			d.Known = append(d.Known, "the base string that was given is the right one, so the key or the secret differs, or what was done with it")
		}
	}
}

// judge compares candidates with the signature. Part of a cause may show in the signature itself: the form of its text,
// its padding. Each way to read the signature is a proof with the mistakes that this way takes.
//
//sumtype:decl
type judge interface {
	// sizes are the numbers of mistakes that the proofs take by themselves.
	sizes() []int
	// proven yields the mistakes of every proof with so many of them that the candidate fits. It may overwrite the
	// first macBlock bytes of buf.
	proven(buf []byte, r *restRecipe, own int, yield func(ids []string))
	facts() []string
}

// edit is one variant of a mistake.
type edit struct {
	mistake int
	apply   func(*recipe)
}

type search struct {
	m        *material
	mistakes []Mistake
	params   []edit // those that change the third element
	rest     []edit
	judge    judge
	found    map[string][]string
	buf      []byte
}

func newSearch(m *material, text string, key VerifyingKey) *search {
	s := &search{m: m, mistakes: allMistakes(), found: map[string][]string{}}
	isHMAC := false
	switch k := key.(type) {
	case *Secret:
		s.judge, isHMAC = newHMACJudge(k, text), true
	case *PublicKey:
		s.judge = newRSAJudge(k, text)
	}
	for i, mistake := range s.mistakes {
		if mistake.hmac && !isHMAC {
			continue
		}
		for _, apply := range mistake.edits {
			var r recipe
			apply(&r)
			if m.idle(&r) {
				continue
			}
			if r.params != (paramRecipe{}) {
				s.params = append(s.params, edit{i, apply})
			} else {
				s.rest = append(s.rest, edit{i, apply})
			}
		}
	}
	return s
}

// run tries all sets of exactly so many mistakes.
func (s *search) run(size int) {
	for _, own := range s.judge.sizes() {
		if own > size {
			continue
		}
		if other, ok := s.judge.(*rsaJudge); ok && own == size {
			other.otherKey(size, s.add)
		}
		s.tryAll(size-own, own)
	}
}

// tryAll makes the third element once for each set of mistakes that changes it, then tries the others on top of it.
func (s *search) tryAll(edits, own int) {
	for inParams := range edits + 1 {
		s.choose(s.params, inParams, recipe{}, nil, func(r recipe, picked []int) {
			third := s.m.thirdElement(&r.params)
			s.choose(s.rest, edits-inParams, r, picked, func(r recipe, picked []int) {
				s.try(&r, third, picked, own)
			})
		})
	}
}

// choose yields every recipe with so many edits of the list more, no two of one slot.
func (s *search) choose(list []edit, count int, r recipe, picked []int, yield func(recipe, []int)) {
	if count == 0 {
		yield(r, picked)
		return
	}
	for i, e := range list {
		if s.excluded(e.mistake, picked) {
			continue
		}
		changed := r
		e.apply(&changed)
		s.choose(list[i+1:], count-1, changed, append(slices.Clip(picked), e.mistake), yield)
	}
}

func (s *search) excluded(mistake int, picked []int) bool {
	for _, other := range picked {
		if s.mistakes[other].Slot == s.mistakes[mistake].Slot {
			return true
		}
	}
	return false
}

func (s *search) try(r *recipe, third string, picked []int, own int) {
	s.buf = s.m.appendCandidate(append(s.buf[:0], make([]byte, macBlock)...), &r.rest, third)
	s.judge.proven(s.buf, &r.rest, own, func(ids []string) {
		all := slices.Clone(ids)
		for _, i := range picked {
			if s.sharesSlot(ids, i) {
				return
			}
			all = append(all, s.mistakes[i].ID)
		}
		s.add(all)
	})
}

func (s *search) sharesSlot(ids []string, mistake int) bool {
	return slices.ContainsFunc(ids, func(id string) bool {
		i := slices.IndexFunc(s.mistakes, func(m Mistake) bool { return m.ID == id })
		return s.mistakes[i].Slot == s.mistakes[mistake].Slot
	})
}

func (s *search) add(ids []string) {
	ids = slices.Sorted(slices.Values(ids))
	s.found[strings.Join(ids, " ")] = ids
}

// causes puts the sets in order of rank, then of id.
func (s *search) causes() []Cause {
	byID := map[string]Mistake{}
	for _, m := range s.mistakes {
		byID[m.ID] = m
	}
	ranks := func(ids []string) []int {
		var out []int
		for _, id := range ids {
			out = append(out, byID[id].Rank)
		}
		slices.Sort(out)
		return out
	}
	var causes []Cause
	for _, ids := range s.found {
		cause := Cause{IDs: ids}
		for i, id := range ids {
			if i > 0 {
				cause.Text += "; and "
				cause.Fix += "; and "
			}
			cause.Text += byID[id].Text
			cause.Fix += byID[id].Fix
		}
		causes = append(causes, cause)
	}
	slices.SortFunc(causes, func(a, b Cause) int {
		return cmp.Or(slices.Compare(ranks(a.IDs), ranks(b.IDs)), slices.Compare(a.IDs, b.IDs))
	})
	return causes
}

// textFacts tells what is certain of a signature's text.
func textFacts(text string) []string {
	raw, ok := decodeText(text)
	if ok {
		return []string{"no known mistake, and no pair of known mistakes, reproduces the signature",
			"the signature is Base64 of " + strconv.Itoa(len(raw)) + " bytes"}
	}
	return []string{"no known mistake, and no pair of known mistakes, reproduces the signature",
		"the signature's text is no padded Base64; it has " + strconv.Itoa(len(text)) + " characters"}
}

// reading is one way to read the text of a signature: the bytes, and the mistake it takes, if any.
type reading struct {
	ids []string
	raw []byte
}

func readings(text string) []reading {
	var out []reading
	if raw, ok := decodeText(text); ok {
		out = append(out, reading{nil, raw})
	}
	for _, m := range textMistakes() {
		if raw, ok := m.read(text); ok {
			out = append(out, reading{[]string{m.ID}, raw})
		}
	}
	return out
}
