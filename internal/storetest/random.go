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

// A model is what a store does with profiles and charges, in the plainest way: maps that are
// copied.
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

// byStatus: what a query selects by profile and status is what is left of a list of all, however
// often the status changes, transactions fail and states come back.
func byStatus(_ *testing.T, x *tester) {
	r := rand.New(rand.NewPCG(3, 4))
	words := []string{"", "pending", "delivered", "failed", "held"}
	for n := range 200 {
		err := x.store.Update(context.Background(), func(tx gateway.Tx) error {
			for range 1 + r.IntN(4) {
				b := callback(gateway.ID(1+r.IntN(30)), gateway.ID(1+r.IntN(3)), "m1", gateway.CallbackState(1+r.IntN(3)))
				if b.State == gateway.CallbackPending && r.IntN(2) == 0 {
					b.HeldBy = 1
				}
				if put(x, tx.Callbacks(), b); r.IntN(4) == 0 {
					x.check(tx.Callbacks().Delete(b.ID))
				}
			}
			switch {
			case n == 50:
				x.check(tx.SaveState(1))
				return nil
			case n%60 == 59 && n > 60:
				x.check(tx.RestoreState(1))
			}
			if r.IntN(3) == 0 {
				return errStop
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStop) {
			x.Fatal(err)
		}
		x.view(func(tx gateway.Tx) {
			q := gateway.Query{Status: words[r.IntN(5)], Profile: gateway.ID(r.IntN(4)), OldestFirst: r.IntN(2) == 0, Past: gateway.ID(r.IntN(31)), Limit: r.IntN(5)}
			var want []gateway.Callback
			for _, b := range list(x, tx.Callbacks(), gateway.Query{OldestFirst: q.OldestFirst}) {
				isPast := q.Past == 0 || (b.ID > q.Past) == q.OldestFirst && b.ID != q.Past
				if q.Selects(b.Key()) && isPast && (q.Limit == 0 || len(want) < q.Limit) {
					want = append(want, b)
				}
			}
			if got := list(x, tx.Callbacks(), q); idsOf(got) != idsOf(want) {
				x.Fatalf("after %d transactions, %+v: %s, not %s", n, q, idsOf(got), idsOf(want))
			}
		})
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
		x.check(tx.SaveState(id))
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
