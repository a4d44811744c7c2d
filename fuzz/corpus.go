package fuzz

import (
	"maps"
	"slices"
	"time"

	"github.com/chargecast/chargecast/fuzz/laws"
	"github.com/chargecast/chargecast/internal/gen"
)

// A Corpus is what runs have learned, by the ids of laws: which cases were judged, the simplest cases that meet all that any
// case met, and those that fail. The zero Corpus is empty. It is data alone; package campaign keeps it in files.
type Corpus struct {
	Laws map[string]Kept
}

// Kept is what runs have learned of one law.
type Kept struct {
	Next    map[uint64]uint64 // by seed: the index of the next case
	Judged  uint64            // how many cases were judged in all runs
	Since   uint64            // of them, those after the last that met a new class
	Cases   []string          // tokens of cases that hold and together meet every class that was met
	Failing []string          // tokens of the cases that fail
}

// begin gives a law the cases that were kept, those that failed first, and the index at which its other cases go on.
func (c *Corpus) begin(t *task, o Options) {
	if c == nil || o.given != nil {
		return
	}
	t.was, t.cover = c.Laws[t.law.ID], cover{}
	if t.law.Once {
		return
	}
	if next, known := t.was.Next[o.Seed]; known {
		t.first = next
	}
	for _, token := range slices.Concat(t.was.Failing, t.was.Cases) {
		// A token of other generators names no case.
		if l, known, err := laws.ReplayUnder(token, o.Policy); err == nil && l.ID == t.law.ID {
			t.kept = append(t.kept, known)
		}
	}
}

// add adds what a run has learned of a law so far.
func (c *Corpus) add(t *task, seed uint64) (mended []string) {
	if t.tokens == nil {
		t.tokens = t.cover.tokens(t.law.ID)
	}
	now := Kept{Next: maps.Clone(t.was.Next), Judged: t.was.Judged + uint64(t.result.Cases), Since: uint64(t.since()), Cases: slices.Clone(t.tokens)}
	if now.Next == nil {
		now.Next = map[uint64]uint64{}
	}
	if !t.law.Once {
		now.Next[seed] = t.first + uint64(max(t.next-len(t.kept), 0))
	}
	now.Failing, mended = t.failing()
	for _, left := range t.kept[min(t.next, len(t.kept)):] {
		if token := left.Token(); !slices.Contains(now.Failing, token) {
			now.Cases = append(now.Cases, token)
		}
	}
	c.set(t.law.ID, now)
	return mended
}

// since is how many cases were judged since the last that met a new class, with those of earlier runs.
func (t *task) since() int {
	if t.result.New == 0 && t.cover != nil {
		return int(t.was.Since) + t.result.Cases
	}
	return t.result.judged() - t.last
}

const (
	// saveAfter is the least time between two calls of Options.Save.
	saveAfter = time.Second
	// savePart is the part of the time that they may take.
	savePart = 20
)

// A saver calls Options.Save as a run goes on.
type saver struct {
	changed map[*task]bool // since the last call
	ended   time.Time
	took    time.Duration // by the last call
}

// save has what was learned saved where the last time is some time ago.
func (r *run) save(t *task) {
	if r.Corpus == nil || r.Save == nil || r.Options.given != nil {
		return
	}
	r.saver.changed[t] = true
	if time.Since(r.saver.ended) < max(saveAfter, savePart*r.saver.took) {
		return
	}
	begun := time.Now()
	for t := range r.saver.changed {
		if r.covered(t) {
			r.Corpus.add(t, r.Seed)
		}
	}
	r.Save()
	clear(r.saver.changed)
	r.saver.ended = time.Now()
	r.saver.took = r.saver.ended.Sub(begun)
}

// saveFound has a failing case saved, before it is made simpler.
func (r *run) saveFound(t *task, f found) {
	if r.Corpus == nil || r.Save == nil || r.Options.given != nil {
		return
	}
	now := r.Corpus.Laws[t.law.ID]
	now.Failing = append(slices.Clone(now.Failing), f.c.Token())
	r.Corpus.set(t.law.ID, now)
	r.Save()
}

// set sets what was learned of a law.
func (c *Corpus) set(law string, now Kept) {
	if c.Laws == nil {
		c.Laws = map[string]Kept{}
	}
	c.Laws[law] = now
}

// failing are the tokens of the cases that fail: of those that failed before, those that still do or were not judged, and of new
// ones. Mended are those that hold now.
func (t *task) failing() (tokens, mended []string) {
	judged := map[string]bool{} // with an answer
	for i, c := range t.kept[:min(t.next, len(t.kept))] {
		_, refused := slices.BinarySearch(t.refused, i)
		judged[c.Token()] = !refused
	}
	found := map[string]bool{}
	for _, f := range t.result.Failures {
		found[f.Found] = true
		tokens = append(tokens, f.Token)
	}
	for _, token := range t.was.Failing {
		switch {
		case found[token]:
		case judged[token]:
			mended = append(mended, token)
		default:
			tokens = append(tokens, token)
		}
	}
	slices.Sort(tokens)
	return slices.Compact(tokens), mended
}

// A cover has of each class the simplest case that meets it, of those that hold.
type cover map[gen.Class]*covering

// A covering is a case by its choices, and those of its marks that say that it meets the class.
type covering struct {
	choices []uint64
	marks   []gen.Mark
}

// compare puts the simpler case first.
func (c *covering) compare(o *covering) int {
	switch {
	case slices.Equal(c.choices, o.choices):
		return 0
	case gen.Simpler(c.choices, o.choices):
		return -1
	}
	return 1
}

// add adds a case with a mark, and reports whether that changes the cover.
func (c cover) add(m gen.Mark, choices []uint64) (changed bool) {
	if c == nil {
		return false
	}
	of := &covering{choices, []gen.Mark{m}}
	var last *covering // most classes have the same one
	order := 0
	for class := range m.Classes {
		was := c[class]
		if was != nil && was != last {
			last, order = was, of.compare(was)
		}
		if was == nil || order < 0 {
			c[class], changed = of, true
		} else if order == 0 && !slices.Contains(was.marks, m) {
			was.marks, changed = append(was.marks, m), true
		}
	}
	return changed
}

// tokens name simple cases that together meet every class of the cover.
func (c cover) tokens(law string) (tokens []string) {
	meets := map[string]map[gen.Class]bool{} // by token
	for _, of := range slices.SortedFunc(maps.Values(c), (*covering).compare) {
		named := laws.Case{Law: law, Choices: of.choices}
		token := named.Token()
		if meets[token] == nil {
			meets[token] = map[gen.Class]bool{}
			tokens = append(tokens, token)
		}
		for _, m := range of.marks {
			for class := range m.Classes {
				meets[token][class] = true
			}
		}
	}
	times := map[gen.Class]int{}
	for _, met := range meets {
		for class := range met {
			times[class]++
		}
	}
	tokens = slices.DeleteFunc(tokens, func(token string) bool { // what only later ones make needless
		for class := range meets[token] {
			if times[class] == 1 {
				return false
			}
		}
		for class := range meets[token] {
			times[class]--
		}
		return true
	})
	slices.Sort(tokens)
	return tokens
}

// Merge adds what another corpus has learned: of cases of the same seed the higher index counts, and the rest is added up. Of the
// cases of both, simple ones are kept that together meet every class.
func (c *Corpus) Merge(o *Corpus) {
	for id, theirs := range o.Laws {
		ours := c.Laws[id]
		next := map[uint64]uint64{}
		for _, of := range []Kept{ours, theirs} {
			for seed, n := range of.Next {
				next[seed] = max(next[seed], n)
			}
		}
		both := cover{}
		for _, token := range slices.Concat(ours.Cases, theirs.Cases) {
			if _, of, err := laws.Replay(token); err == nil {
				for _, m := range gen.MarksOf(of.Value, of.Choices) {
					both.add(m, of.Choices)
				}
			}
		}
		failing := slices.Sorted(slices.Values(slices.Concat(ours.Failing, theirs.Failing)))
		merged := Kept{Next: next, Judged: ours.Judged + theirs.Judged, Since: theirs.Since, Cases: both.tokens(id), Failing: slices.Compact(failing)}
		if ours.Judged > 0 {
			merged.Since = min(ours.Since, theirs.Since)
		}
		c.set(id, merged)
	}
}
