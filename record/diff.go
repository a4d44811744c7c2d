package record

import (
	"cmp"
	"iter"
	"maps"
	"slices"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
)

// A Timeline is the charges of one profile and its end, as one side of a comparison has them.
// Without them it is a profile to be forecast, which takes little memory while it waits for its
// partner.
type Timeline struct {
	Subject
	Stored  *engine.Stored // to be forecast; nil where the rest is set
	Charges []engine.Charge
	End     engine.End
	// LeftOut: the row has errors and cannot be forecast. Of the rest only Profile and Row are used.
	LeftOut bool
}

// A Side says how the profiles of one side of a [Diff] are forecast: as of which day, under which
// policy, in which window. For timelines that have their charges it is not used.
type Side struct {
	AsOf   calendar.Date
	Policy engine.Policy
	Window calendar.Window
	Next   int // charges of each profile at most; 0 for all

	plan    engine.Plan
	charges []engine.Charge // of one profile after the other
}

// A DiffWriter takes what a comparison finds.
type DiffWriter interface {
	// Profile comes before the differences of a profile; one of the two is nil for a profile that
	// only one side has, and is LeftOut where the row of that side has errors.
	Profile(old, new *Timeline)
	// Write takes a [Difference], an [EndDifference], a [Money] or a [DifferenceSummary]; its
	// charges are valid until the next call. An error stays in the writer, for its user.
	Write(Record) error
}

// A Diff compares the profiles of two sides, one pair after the other, and adds up their charges.
// Make one with [NewDiff], then Match, CompareUnmatched and Finish; or Compare each pair, then
// Finish.
type Diff struct {
	Brief bool // differences are counted, and not written
	// OldLeftOut and NewLeftOut are how many rows with errors each side left out, for the summary.
	OldLeftOut, NewLeftOut uint64

	old, new         *Side
	oldWait, newWait waiting // profiles whose partners have not come yet
	sums             map[string]*moneySums
	counts           DifferenceSummary
	w                DiffWriter
}

// NewDiff returns a comparison without profiles.
func NewDiff(old, new *Side, w DiffWriter) *Diff {
	return &Diff{old: old, new: new, sums: map[string]*moneySums{}, w: w}
}

// Match compares the profiles of both sides, reading them side by side. Those with one
// client-orderid are partners in their order; one whose partner has not come yet waits for it, so
// that files in one order need little memory for any number of profiles. It ends early where goOn,
// which is asked before each pair, says so.
func (d *Diff) Match(old, new iter.Seq[*Timeline], goOn func() bool) {
	oldNext, oldStop := iter.Pull(old)
	defer oldStop()
	newNext, newStop := iter.Pull(new)
	defer newStop()
	for goOn() {
		was, _ := oldNext()
		is, _ := newNext()
		switch {
		case was == nil && is == nil:
			return
		case was != nil && is != nil && was.Profile == is.Profile && !d.oldWait.has(was.Profile) && !d.newWait.has(is.Profile):
			d.Compare(was, is)
			continue
		}
		if is != nil {
			if partner := d.oldWait.take(is.Profile); partner != nil {
				d.Compare(partner, is)
			} else {
				d.newWait.add(is)
			}
		}
		if was != nil {
			if partner := d.newWait.take(was.Profile); partner != nil {
				d.Compare(was, partner)
			} else {
				d.oldWait.add(was)
			}
		}
	}
}

// CompareUnmatched compares the profiles that have no partner: those of the new side, then those of
// the old one.
func (d *Diff) CompareUnmatched() {
	for _, t := range d.newWait.all() {
		d.Compare(nil, t)
	}
	for _, t := range d.oldWait.all() {
		d.Compare(t, nil)
	}
}

// Finish writes the totals of all profiles, and returns how many differences there are.
func (d *Diff) Finish() DifferenceSummary {
	for _, currency := range slices.Sorted(maps.Keys(d.sums)) {
		_ = d.w.Write(d.sums[currency].money(currency))
	}
	d.counts.OldLeftOut, d.counts.NewLeftOut = d.OldLeftOut, d.NewLeftOut
	_ = d.w.Write(d.counts)
	return d.counts
}

// IsZero reports whether nothing differs.
func (s DifferenceSummary) IsZero() bool {
	return s.Added == 0 && s.Removed == 0 && s.Moved == 0 && s.Changed == 0 && s.Ends == 0
}

// Compare compares one profile, which one of the two sides may not have: it is then nil. A profile
// that one side left out is neither new nor gone; one that no side can forecast is passed over.
func (d *Diff) Compare(wasRow, isRow *Timeline) {
	was, is := usable(wasRow), usable(isRow)
	switch {
	case was == nil && is == nil:
		return
	case was != nil && is != nil:
		d.counts.Compared++
	}
	var before, after []engine.Charge
	var old, now engine.End
	if was != nil {
		before, old = d.old.read(was)
	}
	if is != nil {
		after, now = d.new.read(is)
	}
	switch {
	case wasRow != nil && was == nil:
		d.money(is.Currency).leaveOut(nil, after)
	case isRow != nil && is == nil:
		d.money(was.Currency).leaveOut(before, nil)
	case was == nil:
		d.money(is.Currency).add(nil, after)
	case is == nil:
		d.money(was.Currency).add(before, nil)
	case was.Currency == is.Currency:
		d.money(is.Currency).add(before, after)
	default:
		d.money(was.Currency).add(before, nil)
		d.money(is.Currency).add(nil, after)
	}
	list := differencesOf(was, is, before, after)
	ends := was == nil || is == nil || old.Status != now.Status || old.Repeat != now.Repeat ||
		old.Stop.Date != now.Stop.Date || old.Stop.Reasons != now.Stop.Reasons
	if len(list) == 0 && !ends {
		return
	}
	if !d.Brief {
		d.w.Profile(wasRow, isRow)
	}
	for _, x := range list {
		d.difference(was, is, x)
	}
	if ends {
		d.counts.Ends++
		r := EndDifference{}
		if was != nil {
			r.Profile, r.Old = was.Profile, &old
		}
		if is != nil {
			r.Profile, r.New = is.Profile, &now
		}
		d.write(r)
	}
}

// usable returns a timeline; nil for one that is left out.
func usable(t *Timeline) *Timeline {
	if t == nil || t.LeftOut {
		return nil
	}
	return t
}

// difference counts and writes a charge that differs.
func (d *Diff) difference(was, is *Timeline, x Difference) {
	if x.Old != nil {
		x.Profile, x.Old.Currency = was.Profile, was.Currency
	}
	if x.New != nil {
		x.Profile, x.New.Currency = is.Profile, is.Currency
	}
	switch x.Kind {
	case DifferenceAdded:
		d.counts.Added++
	case DifferenceRemoved:
		d.counts.Removed++
	case DifferenceMoved:
		d.counts.Moved++
	case DifferenceChanged:
		d.counts.Changed++
	}
	d.write(x)
}

// write writes a difference.
func (d *Diff) write(r Record) {
	if !d.Brief {
		_ = d.w.Write(r)
	}
}

// read returns the charges and the end of a profile of the side; they last until the next call.
func (s *Side) read(t *Timeline) ([]engine.Charge, engine.End) {
	if t.Stored == nil {
		return t.Charges, t.End
	}
	if engine.New(s.Policy).Recompile(&s.plan, *t.Stored, s.AsOf) != nil { // a profile that was accepted before
		return nil, engine.End{}
	}
	last := s.Window.Last()
	s.charges = s.charges[:0]
	for c := range s.plan.Charges(s.Window) {
		s.charges = append(s.charges, c)
		if len(s.charges) == s.Next {
			last = c.Date
			break
		}
	}
	return s.charges, s.plan.End(last)
}

// differencesOf compares the charges of one profile. Those in one currency are not those in
// another.
func differencesOf(was, is *Timeline, before, after []engine.Charge) []Difference {
	if len(before) > 0 && len(after) > 0 && was.Currency != is.Currency {
		return append(diffCharges(before, nil), diffCharges(nil, after)...)
	}
	return diffCharges(before, after)
}

// money returns the sums of a currency.
func (d *Diff) money(currency string) *moneySums {
	if d.sums[currency] == nil {
		d.sums[currency] = new(moneySums)
	}
	return d.sums[currency]
}

// waiting are the profiles of a side whose partners have not come yet.
type waiting struct {
	of    map[string][]waitingTimeline
	count int
}

// A waitingTimeline has its place among those that had to wait.
type waitingTimeline struct {
	*Timeline
	n int
}

func (w *waiting) has(id string) bool { return len(w.of[id]) > 0 }

func (w *waiting) add(t *Timeline) {
	if w.of == nil {
		w.of = map[string][]waitingTimeline{}
	}
	w.count++
	w.of[t.Profile] = append(w.of[t.Profile], waitingTimeline{t, w.count})
}

// take returns the first that waits with an id; nil if none does.
func (w *waiting) take(id string) *Timeline {
	list := w.of[id]
	if len(list) == 0 {
		return nil
	}
	if len(list) == 1 {
		delete(w.of, id)
	} else {
		w.of[id] = list[1:]
	}
	return list[0].Timeline
}

// all returns those that wait, in their order.
func (w *waiting) all() []*Timeline {
	list := slices.Concat(slices.Collect(maps.Values(w.of))...)
	slices.SortFunc(list, func(a, b waitingTimeline) int { return cmp.Compare(a.n, b.n) })
	all := make([]*Timeline, len(list))
	for i, t := range list {
		all[i] = t.Timeline
	}
	return all
}
