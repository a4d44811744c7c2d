package reconcile

import (
	"slices"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// A vote is what profiles say of a value of a key.
type vote struct {
	pro, contra int
	by          string        // the first profile that shows the value
	date        calendar.Date // the day up to which no policy with another value explains it
}

// A decision is what profiles say of all values.
type decision struct {
	votes map[ledger.Clause][]vote
	list  []try
}

func newDecision() *decision {
	d := &decision{votes: map[ledger.Clause][]vote{}}
	for c := range engine.Keys() {
		d.votes[c] = make([]vote, len(c.Entry().Readings))
	}
	return d
}

// add lets a profile decide.
func (d *decision) add(p *profile) {
	if !p.decides() {
		return
	}
	var keys []ledger.Clause
	if keys, d.list = p.tries(d.list[:0]); len(keys) == 0 {
		return
	}
	whole := 0
	for i := range d.list {
		if d.list[i].isWhole() {
			whole++
		}
	}
	if whole == 0 {
		return
	}
	for _, c := range keys {
		for value := range d.votes[c] {
			d.vote(p, c, value, whole)
		}
	}
}

// vote counts what a profile that some policies explain whole says of a value.
func (d *decision) vote(p *profile, c ledger.Clause, value, whole int) {
	with := 0
	var known calendar.Date // when the last of the others failed
	for i := range d.list {
		t := &d.list[i]
		switch place := placeOf(t.policy, c); {
		case place == value && t.isWhole():
			with++
		case place != value && t.known.After(known):
			known = t.known
		}
	}
	switch v := &d.votes[c][value]; {
	case with == 0:
		v.contra++
	case with == whole:
		if v.pro++; v.pro == 1 {
			v.by, v.date = strings.Clone(p.row.Profile), known
		}
	}
}

func (v *vote) verdict() record.Verdict {
	switch {
	case v.pro > 0 && v.contra > 0:
		return record.VerdictContradicted
	case v.pro > 0:
		return record.VerdictObserved
	case v.contra > 0:
		return record.VerdictRefuted
	}
	return record.VerdictOpen
}

// records returns the verdicts on all values, in the order of the ledger.
func (d *decision) records() (list []record.Reading) {
	for c := range engine.Keys() {
		for i, reading := range c.Entry().Readings {
			v := &d.votes[c][i]
			r := record.Reading{Key: c.Key(), Value: reading.Value, Verdict: v.verdict(), For: v.pro, Against: v.contra}
			if r.Verdict == record.VerdictObserved {
				r.Decided = &record.DecidedBy{Profile: v.by, Date: v.date}
			}
			list = append(list, r)
		}
	}
	return list
}

// readings returns the values that were observed.
func (d *decision) readings() record.Readings {
	var list []record.ObservedReading
	for c := range engine.Keys() {
		i := slices.IndexFunc(d.votes[c], func(v vote) bool { return v.verdict() == record.VerdictObserved })
		if i >= 0 {
			v := &d.votes[c][i]
			list = append(list, record.ObservedReading{Key: c, Value: i, Profile: v.by, Date: v.date})
		}
	}
	r, _ := record.NewReadings(list...) // each key once, with a value that it has
	return r
}
