package diagnose

import (
	"cmp"
	"context"
	"crypto/sha256"
	"hash"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/internal/base"
)

// A matcher compares candidates with the signature. Part of a cause may show in the signature
// itself: the form of its text, its padding. Each way to read the signature comes with the mistakes
// that it implies.
//
//sumtype:decl
type matcher interface {
	// sizes returns the numbers of mistakes that the ways to read the signature imply by
	// themselves.
	sizes() []int
	// match yields the mistakes of every way with so many of them that the base string fits.
	match(c *candidate, pieces [4][]byte, own int, yield func(ids []string))
	facts() []string
}

func newMatcher(key signature.VerifyingKey, text string) matcher {
	if secret, ok := base.SecretText(key); ok {
		return newHMACMatcher(secret, text)
	}
	return newRSAMatcher(key.(*signature.PublicKey).RSA(), text)
}

// signatureBytes is one way to read the text of a signature: the bytes, and the mistake that it
// implies, if any.
type signatureBytes struct {
	ids []string
	raw []byte
}

func readSignature(text string) []signatureBytes {
	var out []signatureBytes
	if raw, ok := base.DecodeText(text); ok {
		out = append(out, signatureBytes{nil, raw})
	}
	for _, m := range textMistakes() {
		if raw, ok := m.read(text); ok {
			out = append(out, signatureBytes{[]string{m.ID}, raw})
		}
	}
	return out
}

func sizesOf(sets [][]string) []int {
	var sizes []int
	for _, ids := range sets {
		if !slices.Contains(sizes, len(ids)) {
			sizes = append(sizes, len(ids))
		}
	}
	return sizes
}

func sumOf(state hash.Hash, pieces [4][]byte) []byte {
	state.Reset()
	for _, piece := range pieces {
		_, _ = state.Write(piece)
	}
	return state.Sum(nil)
}

// A match is a set of mistakes that reproduces a signature.
type match struct {
	ids       []string
	candidate *candidate // nil if the signature does not show what was signed
}

// A search tries candidates: first those with one mistake, all of them, then those with two. Once
// its context has ended it tries no more.
type search struct {
	ctx      context.Context
	err      error
	o        *original
	mistakes []Mistake
	params   []variant // those that change the parameter string, by rank
	rest     []variant // those that do not: they share it
	matcher  matcher
	w        writer
	found    map[string]match
	tried    int
}

func newSearch(ctx context.Context, o *original, text string, key signature.VerifyingKey) *search {
	s := &search{ctx: ctx, o: o, mistakes: allMistakes(), matcher: newMatcher(key, text), found: map[string]match{}}
	_, isHMAC := s.matcher.(*hmacMatcher)
	seen := map[string]bool{}
	for _, mistake := range s.mistakes {
		for _, v := range mistake.variants {
			if s.err = ctx.Err(); s.err != nil {
				return s
			}
			switch {
			case mistake.hmac && !isHMAC || s.isIdle(v, seen):
			case v.changesParams():
				s.params = append(s.params, v)
			default:
				s.rest = append(s.rest, v)
			}
		}
	}
	byRank := func(a, b variant) int { return s.mistakes[a.mistake].Rank - s.mistakes[b.mistake].Rank }
	slices.SortStableFunc(s.params, byRank)
	slices.SortStableFunc(s.rest, byRank)
	return s
}

// isIdle reports that a variant can change nothing in this request, whatever it is combined with,
// or that another one has the same effect.
func (s *search) isIdle(v variant, seen map[string]bool) bool {
	m := &s.mistakes[v.mistake]
	probe := s.o.right()
	if v.step == stepInput && len(probe.body) > 0 { // another mistake may put a line end there
		end := item{}
		end.set("\n")
		probe.body = append(slices.Clip(probe.body), end)
	}
	before := probe.body
	if !v.apply(probe) {
		return true
	}
	effect := sha256.New() // of what the variant makes
	switch {
	case v.step == stepPayload || v.step == stepInput && m.Slot == "input":
		for i := range probe.body {
			for _, text := range [...]string{probe.body[i].Name, probe.body[i].Value} {
				_, _ = io.WriteString(effect, strconv.Itoa(len(text))+" "+text)
			}
		}
		if slices.Equal(probe.body, before) {
			return true
		}
	case v.step == stepHost || v.step == stepSegment || v.step == stepSlash:
		_, _ = io.WriteString(effect, probe.host+probe.port+probe.path)
	default:
		return false
	}
	slot := m.ID
	if m.Slot == "path" { // a guess, where another mistake says more
		slot = "end of the path"
	}
	if m.ID == idSegment || m.Slot == "slash" {
		seen["end of the path\n"+string(effect.Sum(nil))] = true
		return false
	}
	name := slot + "\n" + string(effect.Sum(nil))
	isIdle := seen[name] && slot != "default-port-kept"
	seen[name] = true
	return isIdle
}

// run tries all sets of exactly so many mistakes.
func (s *search) run(size int) {
	for _, own := range s.matcher.sizes() {
		if own > size {
			continue
		}
		if other, ok := s.matcher.(*rsaMatcher); ok && own == size {
			other.otherKey(size, func(ids []string) { s.add(ids, nil) })
		}
		s.tryAll(size-own, own)
	}
}

// tryAll tries all sets of so many variants. The parameter string, which is most of the work, is
// made once for all that share it.
func (s *search) tryAll(variants, own int) {
	right := s.o.right()
	s.w.writeParams(right)
	switch variants {
	case 0:
		s.try(right, own)
	case 1:
		s.tryRest(right, own)
		for _, v := range s.params {
			if c, ok := s.with(right, v); ok {
				s.w.writeParams(c)
				s.try(c, own, v)
			}
		}
	case 2:
		for i, a := range s.rest {
			s.tryPairs(right, a, s.rest[i+1:], own)
		}
		for _, v := range s.params {
			if c, ok := s.with(right, v); ok {
				s.w.writeParams(c)
				s.tryRest(c, own, v)
			}
		}
		for i, a := range s.params {
			s.tryPairs(right, a, s.params[i+1:], own)
		}
	}
}

// with returns a candidate with a variant made; false once the search has ended.
func (s *search) with(c *candidate, v variant) (*candidate, bool) {
	if s.err == nil {
		s.err = s.ctx.Err()
	}
	if s.err != nil {
		return nil, false
	}
	changed := *c
	v.apply(&changed)
	return &changed, true
}

// tryRest tries a variant that leaves the parameter string as it is on top of those that were made.
func (s *search) tryRest(c *candidate, own int, made ...variant) {
	for _, v := range s.rest {
		if len(made) > 0 && s.exclude(made[0], v) {
			continue
		}
		if changed, ok := s.with(c, v); ok {
			s.try(changed, own, append(slices.Clip(made), v)...)
		}
	}
}

// tryPairs tries a variant with each of a list of its kind.
func (s *search) tryPairs(right *candidate, a variant, list []variant, own int) {
	first, ok := s.with(right, a)
	for _, b := range list {
		if !ok || s.err != nil {
			return
		}
		if s.exclude(a, b) {
			continue
		}
		var both *candidate
		if b.step >= a.step {
			both, ok = s.with(first, b)
		} else if both, ok = s.with(right, b); ok {
			both, ok = s.with(both, a)
		}
		if !ok {
			return
		}
		if a.changesParams() {
			s.w.writeParams(both)
		}
		s.try(both, own, a, b)
	}
}

func (s *search) exclude(a, b variant) bool {
	return s.mistakes[a.mistake].Slot == s.mistakes[b.mistake].Slot
}

func (s *search) try(c *candidate, own int, made ...variant) {
	s.tried++
	s.matcher.match(c, s.w.write(c), own, func(ids []string) {
		all := slices.Clone(ids)
		for _, v := range made {
			if s.sharesSlot(ids, v.mistake) {
				return
			}
			all = append(all, s.mistakes[v.mistake].ID)
		}
		kept := *c
		s.add(all, &kept)
	})
}

func (s *search) sharesSlot(ids []string, mistake int) bool {
	return slices.ContainsFunc(ids, func(id string) bool {
		i := slices.IndexFunc(s.mistakes, func(m Mistake) bool { return m.ID == id })
		return s.mistakes[i].Slot == s.mistakes[mistake].Slot
	})
}

func (s *search) add(ids []string, c *candidate) {
	ids = slices.Sorted(slices.Values(ids))
	if name := strings.Join(ids, " "); s.found[name].candidate == nil {
		s.found[name] = match{ids, c}
	}
}

// isRight reports whether the signature is the one of this request, whatever else is wrong with it.
func (s *search) isRight() bool {
	if slices.Contains(s.matcher.sizes(), 0) {
		s.tryAll(0, 0)
	}
	return len(s.found) > 0
}

// mostAdded is the most parameters that are left out one by one.
const mostAdded = 256

// runAdded tries the request without each of its parameters in turn: one that was added after
// signing. It is for requests that no other single mistake explains, most of which leave out
// parameters too, and in no pair: with few parameters a pair of them would explain too much. It
// reports why if it is not done.
func (s *search) runAdded() (notTried string) {
	all := len(s.o.body) + len(s.o.oauth)
	if all > mostAdded {
		return idParameterAdded + ": the request has " + strconv.Itoa(all) + " parameters, and at most " + strconv.Itoa(mostAdded) + " are left out in turn"
	}
	if !slices.Contains(s.matcher.sizes(), 0) {
		return ""
	}
	index := slices.IndexFunc(s.mistakes, func(m Mistake) bool { return m.ID == idParameterAdded })
	for i := range all {
		v := variant{mistake: index, apply: func(c *candidate) bool {
			if i < len(c.body) {
				c.added, c.addedInBody = &s.o.body[i], true
				c.body = slices.Delete(slices.Clone(c.body), i, i+1)
			} else {
				j := i - len(c.body)
				c.added = &s.o.oauth[j]
				c.oauth = slices.Delete(slices.Clone(c.oauth), j, j+1)
			}
			return true
		}}
		if c, ok := s.with(s.o.right(), v); ok {
			s.w.writeParams(c)
			s.try(c, 0, v)
		}
	}
	return ""
}

// text says what was done by a mistake of a match.
func (s *search) text(m Mistake, found match) string {
	rsa, _ := s.matcher.(*rsaMatcher)
	switch {
	case m.ID == idParameterAdded:
		return m.Text + ": " + found.candidate.addedName()
	case m.ID == idExtras:
		return m.Text + ": " + found.candidate.extras
	case m.ID == idSegment && found.candidate != nil && found.candidate.path+"/" == found.candidate.o.path:
		return "the final slash of the path was not signed; a client or a proxy may have added it"
	case m.ID == idSegment && found.candidate != nil:
		return "the last part of the path, where the endpoint id is, was not signed"
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
	for _, found := range s.found {
		if i := slices.Index(found.ids, idNotDecoded); i >= 0 {
			other := slices.Sorted(slices.Values(append(slices.Delete(slices.Clone(found.ids), i, i+1), idRawPlus)))
			if _, known := s.found[strings.Join(other, " ")]; known {
				continue // the body is wrong, and its values must not be signed
			}
		}
		cause := Cause{IDs: found.ids}
		for i, id := range found.ids {
			if i > 0 {
				cause.Text += "; and "
				cause.Fix += "; and "
			}
			cause.Text += s.text(byID[id], found)
			cause.Fix += byID[id].Fix
		}
		causes = append(causes, cause)
	}
	slices.SortFunc(causes, func(a, b Cause) int {
		return cmp.Or(slices.Compare(ranks(a.IDs), ranks(b.IDs)), slices.Compare(a.IDs, b.IDs))
	})
	return causes
}
