package fuzz

import (
	"maps"
	"slices"

	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/fuzz/laws"
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
	if c == nil || o.given != nil || t.law.Once {
		return
	}
	kept := c.Laws[t.law.ID]
	if next, known := kept.Next[o.Seed]; known {
		t.first = next
	}
	for _, token := range slices.Concat(kept.Failing, kept.Cases) {
		// A token of other generators names no case.
		if l, known, err := laws.ReplayUnder(token, o.Policy); err == nil && l.ID == t.law.ID {
			t.kept = append(t.kept, known)
		}
	}
}

// end adds what a run has learned of a law.
func (c *Corpus) end(t *task, o Options, result *Result) {
	if c == nil || o.given != nil {
		return
	}
	was := c.Laws[t.law.ID]
	now := Kept{Next: maps.Clone(was.Next), Judged: was.Judged + uint64(result.Cases), Since: uint64(result.Since), Cases: t.cover()}
	if now.Next == nil {
		now.Next = map[uint64]uint64{}
	}
	if !t.law.Once {
		now.Next[o.Seed] = t.first + uint64(max(t.next-len(t.kept), 0))
	}
	if result.New == 0 {
		now.Since = was.Since + uint64(result.Cases)
		result.Since = int(now.Since)
	}
	now.Failing, result.Mended = t.failing(was.Failing)
	for _, left := range t.kept[min(t.next, len(t.kept)):] {
		if token := left.Token(); !slices.Contains(now.Failing, token) {
			now.Cases = append(now.Cases, token)
		}
	}
	if c.Laws == nil {
		c.Laws = map[string]Kept{}
	}
	c.Laws[t.law.ID] = now
}

// failing are the tokens of the cases that fail: of those that failed before, those that still do or were not judged, and of new
// ones. Mended are those that hold now.
func (t *task) failing(before []string) (tokens, mended []string) {
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
	for _, token := range before {
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

// cover are the tokens of simple cases that together meet every class that any case met that held.
func (t *task) cover() (tokens []string) {
	marks := slices.SortedFunc(maps.Keys(t.marks), func(a, b gen.Mark) int { return compare(t.marks[a].simplest, t.marks[b].simplest) })
	times := map[gen.Class]int{}
	covered := func(m gen.Mark, by int) bool {
		for c := range m.Classes {
			if times[c] < by {
				return false
			}
		}
		return true
	}
	var kept []gen.Mark
	for _, m := range marks {
		if !covered(m, 1) {
			kept = append(kept, m)
			for c := range m.Classes {
				times[c]++
			}
		}
	}
	kept = slices.DeleteFunc(kept, func(m gen.Mark) bool { // what only later ones make needless
		if !covered(m, 2) {
			return false
		}
		for c := range m.Classes {
			times[c]--
		}
		return true
	})
	for _, m := range kept {
		c := Case{Law: t.law.ID, Choices: t.marks[m].simplest}
		tokens = append(tokens, c.Token())
	}
	slices.Sort(tokens)
	return slices.Compact(tokens)
}

// compare puts simpler choices first.
func compare(a, b []uint64) int {
	switch {
	case gen.Simpler(a, b):
		return -1
	case gen.Simpler(b, a):
		return 1
	}
	return 0
}

// Merge adds what another corpus has learned: of cases of the same seed the higher index counts, and the rest is added up. Of the
// cases of both, simple ones are kept that together meet every class.
func (c *Corpus) Merge(o *Corpus) {
	if c.Laws == nil {
		c.Laws = map[string]Kept{}
	}
	for id, theirs := range o.Laws {
		ours := c.Laws[id]
		next := map[uint64]uint64{}
		for _, of := range []Kept{ours, theirs} {
			for seed, n := range of.Next {
				next[seed] = max(next[seed], n)
			}
		}
		t := &task{law: Law{ID: id}, marks: map[gen.Mark]marked{}}
		b := &block{marks: t.marks}
		for _, token := range slices.Concat(ours.Cases, theirs.Cases) {
			if _, of, err := laws.Replay(token); err == nil {
				for _, m := range gen.MarksOf(of.Value, of.Choices) {
					b.mark(m, of)
				}
			}
		}
		failing := slices.Sorted(slices.Values(slices.Concat(ours.Failing, theirs.Failing)))
		merged := Kept{Next: next, Judged: ours.Judged + theirs.Judged, Since: theirs.Since, Cases: t.cover(), Failing: slices.Compact(failing)}
		if ours.Judged > 0 {
			merged.Since = min(ours.Since, theirs.Since)
		}
		c.Laws[id] = merged
	}
}
