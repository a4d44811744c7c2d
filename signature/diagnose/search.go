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

// A judge compares candidates with the signature. Part of a cause may show in the signature itself:
// the form of its text, its padding. Each way to read the signature is a proof with the mistakes
// that this way implies.
//
//sumtype:decl
type judge interface {
	// sizes returns the numbers of mistakes that the proofs imply by themselves.
	sizes() []int
	// proven yields the mistakes of every proof with so many of them that the base string fits, and returns how many
	// bytes were hashed.
	proven(s *stages, pieces [4][]byte, own int, yield func(ids []string)) (hashed int)
	facts() []string
}

func newJudge(key signature.VerifyingKey, text string) judge {
	if secret, ok := key.(*signature.Secret); ok {
		return newHMACJudge(secret, text)
	}
	return newRSAJudge(key.(*signature.PublicKey).RSA(), text)
}

// A reading is one way to read the text of a signature: the bytes, and the mistake that it implies,
// if any.
type reading struct {
	ids []string
	raw []byte
}

func readSignature(text string) []reading {
	var out []reading
	if raw, ok := base.DecodeText(text); ok {
		out = append(out, reading{nil, raw})
	}
	for _, m := range textMistakes() {
		if raw, ok := m.read(text); ok {
			out = append(out, reading{[]string{m.ID}, raw})
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

func sumOf(state hash.Hash, pieces [4][]byte) (sum []byte, hashed int) {
	state.Reset()
	for _, piece := range pieces {
		_, _ = state.Write(piece)
		hashed += len(piece)
	}
	return state.Sum(nil), hashed
}

// A choice is one variant of a mistake that can change something in this request.
type choice struct {
	edit
	mistake int
}

// A proof is a set of mistakes that reproduces a signature.
type proof struct {
	ids    []string
	stages *stages // nil if the signature does not tell what was signed
}

// A search tries candidates: first those with one mistake, all of them, then those with two, as long as its budget
// lasts. Once its context has ended it tries no more.
type search struct {
	ctx      context.Context
	err      error
	m        *material
	mistakes []Mistake
	third    []choice // those that change the third element, by rank
	rest     []choice // those that do not: they share it
	judge    judge
	w        writer
	found    map[string]proof

	left    int64 // bytes that may still be hashed
	limited bool  // whether they count
	tried   int
	skipped int      // candidates that the budget did not allow
	leftOut []string // single mistakes that it did not allow, by rank
}

func newSearch(ctx context.Context, m *material, text string, key signature.VerifyingKey, o Options) *search {
	s := &search{ctx: ctx, m: m, mistakes: allMistakes(), judge: newJudge(key, text), found: map[string]proof{}, left: o.BytesHashed}
	if s.left == 0 {
		s.left = DefaultBytesHashed
	}
	_, isHMAC := s.judge.(*hmacJudge)
	seen := map[string]bool{}
	s.leaveOut(max(s.left, singleBytes))
	for i, mistake := range s.mistakes {
		for _, e := range mistake.edits {
			if s.err = ctx.Err(); s.err != nil {
				return s
			}
			if mistake.hmac && !isHMAC || s.isIdle(e, mistake, seen) {
				continue
			}
			if c := (choice{e, i}); e.changesThird() {
				s.third = append(s.third, c)
			} else {
				s.rest = append(s.rest, c)
			}
		}
	}
	byRank := func(a, b choice) int { return s.mistakes[a.mistake].Rank - s.mistakes[b.mistake].Rank }
	slices.SortStableFunc(s.third, byRank)
	slices.SortStableFunc(s.rest, byRank)
	return s
}

// singleBytes is how many bytes single mistakes may take together, beside those of the pairs: all of them in a body of a few
// megabytes.
const singleBytes = 8 * DefaultBytesHashed

// leaveOut takes from the single mistakes those for which the request is too large: by rank, each that does not fit into
// what the others leave. A change of the third element takes its length about four times: it is looked for, made, encoded
// and hashed.
func (s *search) leaveOut(most int64) {
	size := int64(0)
	for _, list := range [...][]item{s.m.body, s.m.nonForm, s.m.oauth, s.m.query} {
		for i := range list {
			size += int64(len(list[i].sent.Name) + len(list[i].sent.Value))
		}
	}
	byRank := make([]*Mistake, len(s.mistakes))
	for i := range s.mistakes {
		byRank[i] = &s.mistakes[i]
	}
	slices.SortStableFunc(byRank, func(a, b *Mistake) int { return a.Rank - b.Rank })
	for _, m := range byRank {
		cost := int64(0)
		for _, e := range m.edits {
			if cost += size; e.changesThird() {
				cost += 3 * size
			}
		}
		if cost > most {
			m.edits = nil
			s.leftOut = append(s.leftOut, m.ID)
			continue
		}
		most -= cost
	}
}

// isIdle reports that an edit can change nothing in this request, whatever it is combined with, or that another one has
// the same effect.
func (s *search) isIdle(e edit, m Mistake, seen map[string]bool) bool {
	probe := s.m.right()
	if len(probe.body) == 0 {
		probe.body = s.m.nonForm
	}
	if e.step == stepInput && len(probe.body) > 0 { // another mistake may put a line end there
		end := item{}
		end.set("\n")
		probe.body = append(slices.Clip(probe.body), end)
	}
	before := *probe
	if !e.apply(probe) {
		return true
	}
	effect := sha256.New() // of what the edit makes
	switch {
	case e.step == stepPayload || e.step == stepInput && m.Slot == "input":
		for _, list := range [...][]item{probe.body, probe.query} {
			for i := range list {
				for _, text := range [...]string{list[i].Name, list[i].Value} {
					_, _ = io.WriteString(effect, strconv.Itoa(len(text))+" "+text)
				}
			}
			_, _ = io.WriteString(effect, ".")
		}
		if slices.Equal(probe.body, before.body) && slices.Equal(probe.query, before.query) {
			return true
		}
	case e.step == stepHost || e.step == stepSegment || e.step == stepSlash:
		_, _ = io.WriteString(effect, probe.host+probe.port+probe.path)
	default:
		return false
	}
	slot := m.ID
	if m.Slot == "path" { // a guess, where another mistake says more
		slot = "end of the path"
	}
	if m.ID == "last-segment-dropped" || m.Slot == "slash" {
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
	s.limited = size > 1
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

// tryAll tries all sets of so many edits. The third element, which is most of the work, is made once for all that share it.
func (s *search) tryAll(edits, own int) {
	right := s.m.right()
	s.makeThird(right)
	switch edits {
	case 0:
		s.try(right, own)
	case 1:
		s.tryRest(right, own)
		for _, c := range s.third {
			if st, ok := s.with(right, c); ok {
				s.makeThird(st)
				s.try(st, own, c)
			}
		}
	case 2:
		for i, a := range s.rest {
			s.tryPairs(right, a, s.rest[i+1:], own)
		}
		for _, c := range s.third {
			if st, ok := s.with(right, c); ok {
				s.makeThird(st)
				s.tryRest(st, own, c)
			}
		}
		for i, a := range s.third {
			s.tryPairs(right, a, s.third[i+1:], own)
		}
	}
}

// with returns stages with an edit made; false once the search has ended.
func (s *search) with(st *stages, c choice) (*stages, bool) {
	if s.err == nil {
		s.err = s.ctx.Err()
	}
	if s.err != nil {
		return nil, false
	}
	changed := *st
	if s.isOut() { // the candidates are only counted
		return &changed, true
	}
	c.apply(&changed)
	return &changed, true
}

// isOut reports whether the budget is used up.
func (s *search) isOut() bool { return s.limited && s.left <= 0 }

// sortingCost is what a parameter counts as bytes hashed where the third element is made.
const sortingCost = 100

func (s *search) makeThird(st *stages) {
	if !s.isOut() {
		s.left -= int64(s.w.writeThird(st)) * sortingCost
	}
}

// tryRest tries an edit that leaves the third element on top of those that were made.
func (s *search) tryRest(st *stages, own int, made ...choice) {
	for _, c := range s.rest {
		if len(made) > 0 && s.exclude(made[0], c) {
			continue
		}
		if changed, ok := s.with(st, c); ok {
			s.try(changed, own, append(slices.Clip(made), c)...)
		}
	}
}

// tryPairs tries an edit with each of a list of its kind.
func (s *search) tryPairs(right *stages, a choice, list []choice, own int) {
	first, ok := s.with(right, a)
	for _, b := range list {
		if !ok || s.err != nil {
			return
		}
		if s.exclude(a, b) {
			continue
		}
		var both *stages
		if b.step >= a.step {
			both, ok = s.with(first, b)
		} else if both, ok = s.with(right, b); ok {
			both, ok = s.with(both, a)
		}
		if !ok {
			return
		}
		if a.changesThird() {
			s.makeThird(both)
		}
		s.try(both, own, a, b)
	}
}

func (s *search) exclude(a, b choice) bool {
	return s.mistakes[a.mistake].Slot == s.mistakes[b.mistake].Slot
}

func (s *search) try(st *stages, own int, made ...choice) {
	if s.isOut() {
		s.skipped++
		return
	}
	s.tried++
	s.left -= int64(s.judge.proven(st, s.w.write(st), own, func(ids []string) {
		all := slices.Clone(ids)
		for _, c := range made {
			if s.sharesSlot(ids, c.mistake) {
				return
			}
			all = append(all, s.mistakes[c.mistake].ID)
		}
		kept := *st
		s.add(all, &kept)
	}))
}

func (s *search) sharesSlot(ids []string, mistake int) bool {
	return slices.ContainsFunc(ids, func(id string) bool {
		i := slices.IndexFunc(s.mistakes, func(m Mistake) bool { return m.ID == id })
		return s.mistakes[i].Slot == s.mistakes[mistake].Slot
	})
}

func (s *search) add(ids []string, st *stages) {
	ids = slices.Sorted(slices.Values(ids))
	if name := strings.Join(ids, " "); s.found[name].stages == nil {
		s.found[name] = proof{ids, st}
	}
}

// isRight reports whether the signature is the one of this request, whatever else is wrong with it.
func (s *search) isRight() bool {
	if slices.Contains(s.judge.sizes(), 0) {
		s.tryAll(0, 0)
	}
	return len(s.found) > 0
}

// mostAdded is the most parameters that are left out one by one.
const mostAdded = 256

// runAdded tries the request without each of its parameters in turn: one that was added after signing.
// It is for requests that no other single mistake explains, most of which leave out parameters too, and
// in no pair: with few parameters a pair of them would explain too much. It reports why if it is not
// done.
func (s *search) runAdded() (notTried string) {
	right := s.m.right()
	groups := [...]*[]item{base.Body: &right.body, base.OAuth: &right.oauth, base.Query: &right.query}
	all := len(right.body) + len(right.oauth) + len(right.query)
	if all > mostAdded {
		return idParameterAdded + ": the request has " + strconv.Itoa(all) + " parameters, and at most " + strconv.Itoa(mostAdded) + " are left out in turn"
	}
	if !slices.Contains(s.judge.sizes(), 0) {
		return ""
	}
	index := slices.IndexFunc(s.mistakes, func(m Mistake) bool { return m.ID == idParameterAdded })
	s.limited = true
	before, left := s.skipped, s.left
	s.left = max(left, DefaultBytesHashed/4) // it is a single mistake
	for from, group := range groups {
		whole := *group
		for i := range whole {
			*group = slices.Delete(slices.Clone(whole), i, i+1)
			right.added, right.addedPlace = &whole[i], s.m.places[base.Source(from)][i]
			if st, ok := s.with(right, choice{edit{apply: func(*stages) bool { return true }}, index}); ok {
				s.makeThird(st)
				s.try(st, 0, choice{mistake: index})
			}
		}
		*group = whole
	}
	s.left = min(left, s.left)
	if skipped := s.skipped - before; skipped > 0 {
		s.skipped = before
		return idParameterAdded + ": " + strconv.Itoa(skipped) + " of the parameters were not left out in turn: the budget is used up"
	}
	return ""
}

// addedName says which parameter was taken for added. A name is shown only where it is one of
// letters: another may be part of what was sent in a wrong form.
func (s *stages) addedName() string {
	group := [...]string{base.Body: "body", base.OAuth: "Authorization header", base.Query: "query"}[s.added.from]
	where := "parameter " + strconv.Itoa(s.addedPlace) + " of the " + group
	if isWord(s.added.Name) {
		return s.added.Name + ", " + where
	}
	return where
}

// isWord reports whether a name has letters, hyphens and underscores alone, and not many.
func isWord(name string) bool {
	const longest = 24
	return name != "" && len(name) <= longest && strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz-_") == ""
}

// wordOrNone returns a name that may be shown, and the empty text for one that may be a value.
func wordOrNone(name string) string {
	if isWord(name) {
		return name
	}
	return ""
}

// text says what was done by a mistake of a proof.
func (s *search) text(m Mistake, p proof) string {
	rsa, _ := s.judge.(*rsaJudge)
	switch {
	case m.ID == idParameterAdded:
		return m.Text + ": " + p.stages.addedName()
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
		if i := slices.Index(p.ids, idNotDecoded); i >= 0 {
			other := slices.Sorted(slices.Values(append(slices.Delete(slices.Clone(p.ids), i, i+1), idRawPlus)))
			if _, known := s.found[strings.Join(other, " ")]; known {
				continue // the body is wrong, and its values must not be signed
			}
		}
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
