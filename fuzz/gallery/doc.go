// Package gallery holds known-wrong implementations, each a small change of the slow
// reference, so that the kit can prove that it notices: every member must be rejected
// by each law that it names, and the reference by none (G01). Where there is no slow
// reference a member is a change of our own code.
//
// A member is chosen by name: [Find]. A law that rejects no member is not known to be
// able to fail.
package gallery

import (
	"slices"

	"github.com/chargecast/chargecast/fuzz/laws"
)

// A Member is one known-wrong implementation.
type Member struct {
	Name    string
	Does    string   // what is wrong with it
	By      []string // the laws that reject it, each of them
	Witness string   // the smallest input known that shows it
	Impl    laws.Impl
}

// Members are all members, in the order of their groups. A group is one file.
func Members() []Member {
	list := slices.Concat(calendarMembers(), amountMembers(), scheduleMembers(), eventMembers(), outputMembers(),
		portfolioMembers(), payloadMembers(), wireMembers(), ruleMembers(), signatureMembers())
	for i := range list {
		list[i].Impl.Name = list[i].Name
	}
	return list
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

// changed is the reference with a change.
func changed(change func(*laws.Impl)) laws.Impl {
	impl := laws.Reference()
	change(&impl)
	return impl
}
