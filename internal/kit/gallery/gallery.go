// Package gallery is a table of wrong implementations, each a small change of our own code or of
// the slow reference, so that the kit can prove that it notices: every row is rejected by each law
// that it names, and what it changes by none (G01). Each law that an implementation answers for has
// a row (G11): one that rejects nothing is not known to be able to fail.
package gallery

import (
	"slices"

	"github.com/chargecast/chargecast/internal/kit/laws"
)

// A Member is one wrong implementation.
type Member struct {
	Name    string   // by which it is known; empty for a row that only shows that a law can fail
	Does    string   // what is wrong with it
	By      []string // the laws that reject it, each of them
	Witness string   // the smallest input known that shows it; empty without a name
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

// Members are the rows with a name, in the order of their groups.
func Members() []Member {
	return slices.DeleteFunc(table(), func(m Member) bool { return m.Name == "" })
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

// table is all rows. A group is one file.
func table() []Member {
	return slices.Concat(calendarRows(), amountRows(), quantileRows(), scheduleRows(), eventRows(), portfolioRows(), payloadRows(), ruleRows(), signatureRows())
}

// wrong is a row without a name: it breaks a law that no member breaks, or that no member breaks in this way.
func wrong(law, does string, change damage) Member {
	return Member{Does: does, By: by(law), change: change}
}

func by(ids ...string) []string { return ids }

// reference is a change of the slow reference instead of our own code.
func reference(change damage) damage {
	return func(i *laws.Impl) {
		*i = laws.Reference()
		change(i)
	}
}
