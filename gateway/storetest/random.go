package storetest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/gateway"
)

// A model is what a store does with profiles and charges, in the plainest way: maps that are copied.
type model struct {
	profiles map[gateway.ID]gateway.Profile
	charges  map[gateway.ID]gateway.Charge
	last     gateway.ID // of charges
}

func (m model) clone() model {
	m.profiles, m.charges = maps.Clone(m.profiles), maps.Clone(m.charges)
	return m
}

// String lists what the model has, as [shown] does for a store.
func (m model) String() string {
	var text strings.Builder
	text.WriteString(fmt.Sprint(m.last))
	due := ""
	for _, id := range slices.Sorted(maps.Keys(m.profiles)) {
		p := m.profiles[id]
		text.WriteString(fmt.Sprint(" ", id, p.Login, p.Due))
		if !p.Due.IsZero() {
			due += fmt.Sprint(" ", p.Due, id)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(m.charges)) {
		text.WriteString(fmt.Sprint(" ", id, m.charges[id].Profile))
	}
	next := ""
	for _, p := range m.profiles {
		if d := p.Due.String(); !p.Due.IsZero() && (next == "" || d < next) {
			next = d
		}
	}
	var list strings.Builder
	for _, id := range slices.Sorted(maps.Keys(m.profiles)) {
		if p := m.profiles[id]; !p.Due.IsZero() && p.Due.String() == next {
			list.WriteString(id.String() + " ")
		}
	}
	return text.String() + " due " + next + " " + list.String()
}

func shown(x *tester) (text string) {
	x.Helper()
	_ = x.store.Update(context.Background(), func(tx gateway.Tx) error {
		last, err := tx.Charges().NextID()
		x.check(err)
		text = fmt.Sprint(last - 1)
		q := gateway.Query{OldestFirst: true}
		for _, p := range list[gateway.Profile](x, tx.Profiles(), q) {
			text += fmt.Sprint(" ", p.ID, p.Login, p.Due)
		}
		for _, c := range list(x, tx.Charges(), q) {
			text += fmt.Sprint(" ", c.ID, c.Profile)
		}
		next, err := tx.Profiles().NextDue()
		x.check(err)
		rows, err := tx.Profiles().Due(next, 0, 1000)
		x.check(err)
		text += " due "
		if !next.IsZero() {
			text += next.String()
		}
		text += " " + idsOf(rows)
		return errStop
	})
	return text
}

// random plays random transactions, of which some fail, against the store and a model.
func random(_ *testing.T, x *tester) {
	r := rand.New(rand.NewPCG(1, 2))
	now := model{profiles: map[gateway.ID]gateway.Profile{}, charges: map[gateway.ID]gateway.Charge{}}
	states := map[gateway.ID]model{}
	for n := range 400 {
		next, kept := now.clone(), maps.Clone(states)
		fails := r.IntN(3) == 0
		err := x.store.Update(context.Background(), func(tx gateway.Tx) error {
			for range r.IntN(4) {
				step(x, tx, r, &next, kept)
			}
			if fails {
				return errStop
			}
			return nil
		})
		if fails != errors.Is(err, errStop) {
			x.Fatal(err)
		}
		if !fails {
			now, states = next, kept
		}
		if n%40 == 39 {
			x.reopen()
		}
		if got, want := shown(x), now.String(); got != want {
			x.Fatalf("after %d transactions:\n%s\nnot\n%s", n, got, want)
		}
	}
}

// step is one change.
func step(x *tester, tx gateway.Tx, r *rand.Rand, m *model, states map[gateway.ID]model) {
	x.Helper()
	switch k := r.IntN(20); {
	case k < 9:
		due := ""
		if r.IntN(3) > 0 {
			due = fmt.Sprintf("2026-01-%02d", 1+r.IntN(5))
		}
		p := profile(gateway.ID(1+r.IntN(12)), "m1", due)
		p.Login = fmt.Sprintf("m%d", 1+p.ID%2)
		put[gateway.Profile](x, tx.Profiles(), p)
		m.profiles[p.ID] = p
	case k < 15:
		id, err := tx.Charges().NextID()
		x.check(err)
		m.last++
		x.equal(id, m.last)
		of := gateway.ID(1 + r.IntN(12))
		c := charge(id, of, fmt.Sprintf("m%d", 1+of%2))
		put(x, tx.Charges(), c)
		m.charges[id] = c
	case k == 15:
		login := fmt.Sprintf("m%d", 1+r.IntN(2))
		x.check(tx.Clear(login))
		m.drop(login)
	case k == 16:
		x.check(tx.Clear(""))
		last := m.last
		if len(states) == 0 {
			last = 0
		}
		*m = model{profiles: map[gateway.ID]gateway.Profile{}, charges: map[gateway.ID]gateway.Charge{}, last: last}
	case k == 17:
		id, err := tx.Snapshots().NextID()
		x.check(err)
		x.check(tx.SaveState(id, ""))
		states[id] = m.clone()
	default:
		for _, id := range slices.Sorted(maps.Keys(states)) {
			if r.IntN(2) == 0 {
				x.check(tx.RestoreState(id))
				*m = states[id].clone()
				return
			}
		}
	}
}

func (m *model) drop(login string) {
	maps.DeleteFunc(m.profiles, func(_ gateway.ID, p gateway.Profile) bool { return p.Login == login })
	maps.DeleteFunc(m.charges, func(_ gateway.ID, c gateway.Charge) bool { return c.Login == login })
}
