// Package gallery is a table of wrong implementations, each a small change of our own code or of
// the slow reference, so that the kit can prove that it notices: every row is rejected by each law
// that it names, and what it changes by none (G01). That each law can fail is shown by wrong answers
// of every function that it asks (G11).
package gallery

import (
	"slices"

	"github.com/chargecast/chargecast/internal/kit/laws"
)

// A Member is one wrong implementation.
type Member struct {
	Name    string   // by which it is known
	Does    string   // what is wrong with it
	By      []string // the laws that reject it, each of them
	Witness string   // the smallest input known that shows it
	change  damage
}

// A damage makes an implementation wrong.
type damage = func(*laws.Impl)

// Impl is the implementation, made anew: what one remembers, another does not know.
func (m Member) Impl() laws.Impl {
	impl := laws.Ours()
	m.change(&impl)
	impl.Name = m.Name
	return impl
}

// Members are the rows, in the order of their groups. A group is one file.
func Members() []Member {
	return slices.Concat(calendarRows(), amountRows(), scheduleRows(), eventRows(), payloadRows(), ruleRows(), signatureRows())
}

// Find gives the member with a name.
func Find(name string) (Member, bool) {
	list := Members()
	i := slices.IndexFunc(list, func(m Member) bool { return m.Name == name })
	if i < 0 {
		return Member{}, false
	}
	return list[i], true
}

// patch changes a function of an implementation: with makes the wrong one from the right one.
func patch[F any](f *F, with func(right F) F) { *f = with(*f) }

func by(ids ...string) []string { return ids }

// reference is a change of the slow reference instead of our own code.
func reference(change damage) damage {
	return func(i *laws.Impl) {
		*i = laws.Reference()
		change(i)
	}
}
