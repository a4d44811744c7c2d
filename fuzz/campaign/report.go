package campaign

import (
	"slices"
	"strings"
	"time"
)

// A Report is the outcome of a campaign.
type Report struct {
	Seed        uint64
	Campaigns   int           // of this corpus, this one included
	Elapsed     time.Duration // 0 for a campaign by number of cases, whose report does not depend on the machine
	LawTime     time.Duration // of Elapsed, for cases of laws
	Interrupted bool
	Laws        []Law
	Incomplete  string // why cases of laws were left out; empty if none were
	Grid        Grid
	Pairs       []Pair
	Unmet       []string // of these dimensions, the pairs of classes that no case had: dimension · class · dimension · class
	Targets     []Target
	NoEngine    string // why the Go engine did not run; empty if it did, or if no target was selected
	Findings    []Finding
}

// A Law is what a campaign did for one law.
type Law struct {
	ID, Clause, Formula string
	Cases, All          uint64 // that were judged: in this campaign, in all campaigns of the corpus
	Findings            int
}

// A Grid is the exhaustive grid of law C30. Whole is 0 if the law was not selected.
type Grid struct {
	Series, All, Whole uint64 // judged in this campaign, in all campaigns, to be judged
}

// A Pair counts the pairs of classes of two dimensions of input, such as unit and interval.
type Pair struct {
	A, B          string
	Met, Possible int // in all campaigns of the corpus
}

// A Target is what a campaign did for one native target.
type Target struct {
	Name       string
	Ran        bool          // the Go engine ran
	Inputs     uint64        // that it tried
	All        uint64        // in all campaigns of the corpus
	Elapsed    time.Duration // of the engine; 0 for a campaign by number of cases
	Corpus     int           // inputs that are kept
	New        int           // of them, found in this campaign
	Findings   int
	Incomplete string // why inputs were left out, or the engine ended early; empty if neither is so
}

// OK reports whether no finding fails.
func (r Report) OK() bool { return !slices.ContainsFunc(r.Findings, Finding.Fails) }

// Cases is the number of cases of laws in this campaign, without the grid.
func (r Report) Cases() (n uint64) {
	for _, l := range r.Laws {
		n += l.Cases
	}
	return n
}

// Largest is the law with the most cases in this campaign; the zero Law where there is none.
func (r Report) Largest() (most Law) {
	for _, l := range r.Laws {
		if l.Cases > most.Cases {
			most = l
		}
	}
	return most
}

// New is the number of findings that are new in this campaign.
func (r Report) New() (n int) {
	for _, f := range r.Findings {
		if f.New {
			n++
		}
	}
	return n
}

// perSecond is a rate; 0 where no time was taken.
func perSecond(n uint64, d time.Duration) uint64 {
	if d < time.Millisecond {
		return 0
	}
	return n * 1000 / uint64(d.Milliseconds())
}

// pairsOf counts pairs by their dimensions, in the order of the dimensions. Dimensions of which no
// pair was met are left out: no case of these laws has them.
func pairsOf(unmet []string) []Pair {
	var list []Pair
	count := func(pair string, met int) {
		part := strings.Split(pair, " · ")
		if len(part) != 4 {
			return
		}
		i := slices.IndexFunc(list, func(p Pair) bool { return p.A == part[0] && p.B == part[2] })
		if i < 0 {
			list, i = append(list, Pair{A: part[0], B: part[2]}), len(list)
		}
		list[i].Met += met
		list[i].Possible += max(met, 0)
	}
	for _, pair := range allPairs() {
		count(pair, 1)
	}
	for _, pair := range unmet {
		count(pair, -1)
	}
	return slices.DeleteFunc(list, func(p Pair) bool { return p.Met == 0 })
}

// unmetOf are the pairs that were not met, of the dimensions of which some were.
func unmetOf(unmet []string, pairs []Pair) []string {
	return slices.DeleteFunc(slices.Clone(unmet), func(pair string) bool {
		part := strings.Split(pair, " · ")
		return !slices.ContainsFunc(pairs, func(p Pair) bool { return p.A == part[0] && p.B == part[2] })
	})
}
