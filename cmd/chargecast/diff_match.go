package main

import (
	"cmp"
	"iter"
	"slices"

	"github.com/chargecast/chargecast/engine"
)

// A comparer compares profiles, one pair after the other, and adds up what they come to.
type comparer struct {
	was, is  *compared
	old, new waiting // profiles whose partners have not come yet
	sums     balance
	differ   bool

	out    *output
	w      differences
	header *header
	begun  bool
}

// begin writes the head of the output, before the first difference or at the end.
func (c *comparer) begin() {
	if !c.begun {
		c.begun = true
		if c.was.made != nil && c.is.made != nil {
			c.header.takeFrom(c.is.made)
		}
		c.w.begin(c.header)
	}
}

// finish writes what all profiles come to, and returns how the command ends.
func (c *comparer) finish(a *app, bad bool) error {
	c.begin()
	c.sums.writeTo(c.w)
	c.w.finish()
	if a.out.err != nil {
		return a.out.err
	}
	if c.differ || bad {
		return errFindings
	}
	return nil
}

// compare compares one profile, which one of the two sides may not have: it is then nil.
func (c *comparer) compare(was, is *timeline) {
	if c.isUnchanged(was, is) {
		return
	}
	var before, after []engine.Charge
	var old, now engine.End
	if was != nil {
		before, old = c.was.read(was)
		c.sums.add(was.currency, before, oldSide)
	}
	if is != nil {
		after, now = c.is.read(is)
		c.sums.add(is.currency, after, newSide)
	}
	list := differencesOf(was, is, before, after)
	ends := was == nil || is == nil || old.Status != now.Status || old.Repeat != now.Repeat ||
		old.Stop.Date != now.Stop.Date || old.Stop.Reasons != now.Stop.Reasons
	if len(list) == 0 && !ends {
		return
	}
	c.begin()
	c.differ = true
	if len(list) > 0 {
		c.w.charges(was, is, list)
	}
	if ends {
		c.w.ends(was, is, &old, &now)
	}
}

// isUnchanged reports whether both sides forecast one profile to one end, and adds up what they come
// to. It lists no charges.
func (c *comparer) isUnchanged(was, is *timeline) bool {
	if was == nil || is == nil || was.profile == nil || is.profile == nil || c.header.next > 0 || *was.profile != *is.profile {
		return false
	}
	if !c.was.prepare(was) || !c.is.prepare(is) || !c.was.plan.FirstDifference(&c.is.plan, c.header.until).IsZero() {
		return false
	}
	tally := c.was.plan.Tally(c.header.window(), 0).WithoutDraws()
	c.sums.merge(was.currency, tally, oldSide)
	c.sums.merge(is.currency, tally, newSide)
	return true
}

// differencesOf compares the charges of one profile. Those in one currency are not those in another.
func differencesOf(was, is *timeline, before, after []engine.Charge) []engine.Difference {
	if len(before) > 0 && len(after) > 0 && was.currency != is.currency {
		return append(engine.Diff(slices.Values(before), none), engine.Diff(none, slices.Values(after))...)
	}
	if slices.EqualFunc(before, after, sameCharge) {
		return nil
	}
	return engine.Diff(slices.Values(before), slices.Values(after))
}

func none(func(engine.Charge) bool) {}

// sameCharge reports whether two charges do not differ in anything.
func sameCharge(a, b engine.Charge) bool {
	a.Because, b.Because = engine.Charge{}.Because, engine.Charge{}.Because
	a.CardExpired, b.CardExpired = false, false
	return a == b
}

// match compares the profiles of both sides, reading them side by side. Those with one id are
// partners in their order; one whose partner has not come yet waits for it. It returns early when a
// side is broken or the output cannot be written.
func (c *comparer) match() {
	oldNext, oldStop := iter.Pull(c.was.profiles)
	defer oldStop()
	newNext, newStop := iter.Pull(c.is.profiles)
	defer newStop()
	for !c.was.isBroken() && !c.is.isBroken() && c.out.err == nil {
		was, _ := oldNext()
		is, _ := newNext()
		switch {
		case was == nil && is == nil:
			return
		case was != nil && is != nil && was.id == is.id && !c.old.has(was.id) && !c.new.has(is.id):
			c.compare(was, is)
			continue
		}
		if is != nil {
			c.meet(is)
		}
		if was != nil {
			c.meetOld(was)
		}
	}
}

// meet compares a profile of NEW with its partner, or lets it wait.
func (c *comparer) meet(is *timeline) {
	if partner := c.old.take(is.id); partner != nil {
		c.compare(partner, is)
		return
	}
	c.new.add(is)
}

// meetOld is meet for a profile of OLD.
func (c *comparer) meetOld(was *timeline) {
	if partner := c.new.take(was.id); partner != nil {
		c.compare(was, partner)
		return
	}
	c.old.add(was)
}

// alone compares the profiles that have no partner: those of NEW, then those of OLD.
func (c *comparer) alone() {
	for _, t := range c.new.all() {
		c.compare(nil, t.timeline)
	}
	for _, t := range c.old.all() {
		c.compare(t.timeline, nil)
	}
}

// waiting are the profiles of a side whose partners have not come yet.
type waiting struct {
	of    map[string][]numbered
	count int
}

// A numbered is a timeline with its place among those that had to wait.
type numbered struct {
	*timeline
	n int
}

func (w *waiting) has(id string) bool { return len(w.of[id]) > 0 }

func (w *waiting) add(t *timeline) {
	if w.of == nil {
		w.of = map[string][]numbered{}
	}
	w.count++
	w.of[t.id] = append(w.of[t.id], numbered{t, w.count})
}

// take returns the first that waits with an id; nil if none does.
func (w *waiting) take(id string) *timeline {
	list := w.of[id]
	if len(list) == 0 {
		return nil
	}
	if len(list) == 1 {
		delete(w.of, id)
	} else {
		w.of[id] = list[1:]
	}
	return list[0].timeline
}

// all returns those that wait, in their order.
func (w *waiting) all() []numbered {
	var list []numbered
	for _, l := range w.of {
		list = append(list, l...)
	}
	slices.SortFunc(list, func(a, b numbered) int { return cmp.Compare(a.n, b.n) })
	return list
}
