package signature

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// A judge compares candidates with the signature. Part of a cause may show in the signature itself:
// the form of its text, its padding. Each way to read the signature is a proof with the mistakes
// that this way implies.
//
//sumtype:decl
type judge interface {
	// sizes returns the numbers of mistakes that the proofs imply by themselves.
	sizes() []int
	// proven yields the mistakes of every proof with so many of them that the candidate fits.
	proven(base []byte, r *restRecipe, own int, yield func(ids []string))
	facts() []string
}

// An edit is one variant of a mistake.
type edit struct {
	mistake int
	apply   func(*recipe)
}

// A picked is a set of at most maxMistakes mistakes, by their index.
type picked struct {
	list  [maxMistakes]int
	count int
}

func (p picked) with(mistake int) picked {
	p.list[p.count] = mistake
	p.count++
	return p
}

// A proof is a set of mistakes that reproduces a signature.
type proof struct {
	ids  []string
	base *recipe // of the base string that was signed; nil if the signature does not tell
}

// A search tries candidates. Once its context has ended it tries no more.
type search struct {
	ctx      context.Context
	err      error
	m        *material
	mistakes []Mistake
	params   []edit // those that change the third element
	rest     []edit
	recipes  [maxMistakes + 1]recipe // of the sets that are being made, the right one first
	judge    judge
	found    map[string]proof
	buf      []byte
	third    []byte
	tried    int
}

// newJudge returns the judge of a signature under a key, and whether it is that of HMAC.
func newJudge(key VerifyingKey, text string) (j judge, isHMAC bool) {
	switch k := key.(type) {
	case *Secret:
		return newHMACJudge(k, text), true
	case *PublicKey:
		return newRSAJudge(k, text), false
	}
	return nil, false
}

func newSearch(ctx context.Context, m *material, text string, key VerifyingKey) *search {
	s := &search{ctx: ctx, m: m, mistakes: allMistakes(), found: map[string]proof{}}
	var isHMAC bool
	s.judge, isHMAC = newJudge(key, text)
	for i, mistake := range s.mistakes {
		if mistake.hmac && !isHMAC {
			continue
		}
		for _, apply := range mistake.edits {
			if s.err = ctx.Err(); s.err != nil {
				return s
			}
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
			other.otherKey(size, func(ids []string) { s.add(ids, nil) })
		}
		s.tryAll(size-own, own)
	}
}

// tryAll makes the third element once for each set of mistakes that changes it, then tries the
// others on top of it.
func (s *search) tryAll(edits, own int) {
	for inParams := range edits + 1 {
		s.choose(s.params, inParams, picked{}, func(set picked) {
			s.third = s.m.appendThird(s.third[:0], &s.recipes[set.count].params)
			s.choose(s.rest, edits-inParams, set, func(set picked) { s.try(&s.recipes[set.count], set, own) })
		})
	}
}

// choose yields every set with so many edits of the list more, no two of one slot. The recipe of a
// set is the one in recipes behind as many others as the set has mistakes.
func (s *search) choose(list []edit, count int, set picked, yield func(picked)) {
	if count == 0 {
		if s.err = s.ctx.Err(); s.err == nil {
			yield(set)
		}
		return
	}
	for i, e := range list {
		if s.err != nil {
			return
		}
		if s.excluded(e.mistake, set) {
			continue
		}
		changed := &s.recipes[set.count+1]
		*changed = s.recipes[set.count]
		e.apply(changed)
		s.choose(list[i+1:], count-1, set.with(e.mistake), yield)
	}
}

func (s *search) excluded(mistake int, set picked) bool {
	for _, other := range set.list[:set.count] {
		if s.mistakes[other].Slot == s.mistakes[mistake].Slot {
			return true
		}
	}
	return false
}

func (s *search) try(r *recipe, set picked, own int) {
	s.tried++
	s.buf = s.m.appendCandidate(s.buf[:0], &r.rest, s.third)
	s.judge.proven(s.buf, &r.rest, own, func(ids []string) {
		all := slices.Clone(ids)
		for _, i := range set.list[:set.count] {
			if s.sharesSlot(ids, i) {
				return
			}
			all = append(all, s.mistakes[i].ID)
		}
		kept := *r
		s.add(all, &kept)
	})
}

func (s *search) sharesSlot(ids []string, mistake int) bool {
	return slices.ContainsFunc(ids, func(id string) bool {
		i := slices.IndexFunc(s.mistakes, func(m Mistake) bool { return m.ID == id })
		return s.mistakes[i].Slot == s.mistakes[mistake].Slot
	})
}

func (s *search) add(ids []string, base *recipe) {
	ids = slices.Sorted(slices.Values(ids))
	if name := strings.Join(ids, " "); s.found[name].base == nil {
		s.found[name] = proof{ids, base}
	}
}

// baseString returns what was signed if the mistakes of a cause were made.
func (s *search) baseString(c *Cause) (base string, known bool) {
	r := s.found[strings.Join(c.IDs, " ")].base
	if r == nil {
		return "", false
	}
	return string(s.m.appendCandidate(nil, &r.rest, s.m.appendThird(nil, &r.params))), true
}

// text says what was done by a mistake of a proof.
func (s *search) text(m Mistake, p proof) string {
	rsa, _ := s.judge.(*rsaJudge)
	switch {
	case m.ID == idParameterAdded:
		return m.Text + ": " + s.m.addedName(&p.base.params)
	case m.ID == idOtherKey && rsa != nil && rsa.length != "":
		return rsa.length
	}
	return m.Text
}

// causes sorts the sets by rank, then by ID.
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
	for _, p := range s.found {
		cause := Cause{IDs: p.ids}
		for i, id := range p.ids {
			if i > 0 {
				cause.Text += "; and "
				cause.Fix += "; and "
			}
			cause.Text += s.text(byID[id], p)
			cause.Fix += byID[id].Fix
		}
		causes = append(causes, cause)
	}
	slices.SortFunc(causes, func(a, b Cause) int {
		return cmp.Or(slices.Compare(ranks(a.IDs), ranks(b.IDs)), slices.Compare(a.IDs, b.IDs))
	})
	return causes
}
