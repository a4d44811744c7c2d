package gen

import (
	"iter"
	"slices"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/subject"
)

// simplerPlans leads to a daily profile from as-of on with nothing special about it.
func simplerPlans(p PlanCase) iter.Seq[PlanCase] {
	return func(yield func(PlanCase) bool) {
		for change := range simplerJobs(p.Job) {
			o := p
			if o.Job = change; !yield(o) {
				return
			}
		}
		for _, part := range [...]func(*PlanCase) *int{
			func(o *PlanCase) *int { return &o.C },
			func(o *PlanCase) *int { return &o.B },
			func(o *PlanCase) *int { return &o.A },
			func(o *PlanCase) *int { return &o.N },
		} {
			for n := range simplerInts(*part(&p), 0) {
				o := p
				if *part(&o) = n; !yield(o) {
					return
				}
			}
		}
	}
}

// simplerJobs changes one part of a job at a time.
func simplerJobs(j subject.Job) iter.Seq[subject.Job] {
	return func(yield func(subject.Job) bool) {
		try := func(change func(*subject.Job)) bool {
			o := j
			change(&o)
			return yield(o)
		}
		_ = plainerStates(j, try) && plainerPolicies(j, try) && plainerProfiles(j, try) && plainerDates(j, try)
	}
}

func plainerStates(j subject.Job, try func(func(*subject.Job)) bool) bool {
	s := j.State
	switch {
	case s.Status == 0:
		return true
	case !try(func(o *subject.Job) { o.State = engine.State{} }):
		return false
	}
	if s.Stop != (engine.Stop{}) && !try(func(o *subject.Job) { o.State.Stop = engine.Stop{} }) {
		return false
	}
	if !s.Last.IsZero() && !try(func(o *subject.Job) { o.State.Last = calendar.Date{} }) {
		return false
	}
	for i := range s.Missed {
		if !try(func(o *subject.Job) { o.State.Missed = slices.Delete(slices.Clone(s.Missed), i, i+1) }) {
			return false
		}
	}
	for i := range s.Paid {
		if !try(func(o *subject.Job) { o.State.Paid = slices.Delete(slices.Clone(s.Paid), i, i+1) }) {
			return false
		}
	}
	return (s.Repeat == 0 || try(func(o *subject.Job) { o.State.Repeat = 0 }) && try(func(o *subject.Job) { o.State.Repeat-- })) &&
		(s.RanThrough.IsZero() || try(func(o *subject.Job) { o.State.RanThrough = calendar.Date{} })) &&
		(s.Anchor.IsZero() || try(func(o *subject.Job) { o.State.Anchor = calendar.Date{} })) &&
		(s.Status == engine.StatusActive || try(func(o *subject.Job) { o.State.Status = engine.StatusActive }))
}

func plainerPolicies(j subject.Job, try func(func(*subject.Job)) bool) bool {
	if j.Policy == (engine.Policy{}) {
		return true
	}
	if !try(func(o *subject.Job) { o.Policy = engine.Policy{} }) {
		return false
	}
	for c := range engine.Keys() {
		if plain := j.Policy.WithReading(c, 0); plain != j.Policy && !try(func(o *subject.Job) { o.Policy = plain }) {
			return false
		}
	}
	return true
}

func plainerProfiles(j subject.Job, try func(func(*subject.Job)) bool) bool {
	p := j.Profile
	n, set := p.MaxRepeats.Value()
	ok := (!set || try(func(o *subject.Job) { o.Profile.MaxRepeats = engine.Limit{} })) &&
		(n == 0 || try(func(o *subject.Job) { o.Profile.MaxRepeats = engine.AtMost(n / 2) }) && try(func(o *subject.Job) { o.Profile.MaxRepeats = engine.AtMost(n - 1) })) &&
		(p.Finish.IsZero() || try(func(o *subject.Job) { o.Profile.Finish = calendar.Date{} })) &&
		(p.Unit <= calendar.UnitDay || try(func(o *subject.Job) { o.Profile.Unit = calendar.UnitDay }))
	if !ok {
		return false
	}
	for i := range simplerInts(p.Interval, min(p.Interval, 1)) {
		if !try(func(o *subject.Job) { o.Profile.Interval = i }) {
			return false
		}
	}
	for s := range simplerChoices(p.Amounts) {
		if !try(func(o *subject.Job) { o.Profile.Amounts = s }) {
			return false
		}
	}
	return true
}

// plainerDates moves all days together, then each towards as-of.
func plainerDates(j subject.Job, try func(func(*subject.Job)) bool) bool {
	for d := range simplerDates(j.AsOf) {
		by := d.Sub(j.AsOf)
		if !try(func(o *subject.Job) { MoveDays(o, by) }) {
			return false
		}
	}
	for _, day := range [...]func(*subject.Job) *calendar.Date{
		func(o *subject.Job) *calendar.Date { return &o.Profile.Start },
		func(o *subject.Job) *calendar.Date { return &o.Profile.Finish },
		func(o *subject.Job) *calendar.Date { return &o.State.Anchor },
	} {
		d := *day(&j)
		if d.IsZero() {
			continue
		}
		if !simplerDay(d, j.AsOf, func(d calendar.Date) bool { return try(func(o *subject.Job) { *day(o) = d }) }) {
			return false
		}
	}
	return true
}

// MoveDays moves every day of the job.
func MoveDays(j *subject.Job, by int) {
	j.State.Paid = slices.Clone(j.State.Paid)
	j.State.Missed = slices.Clone(j.State.Missed)
	days := []*calendar.Date{&j.AsOf, &j.Profile.Start, &j.Profile.Finish, &j.State.Anchor, &j.State.RanThrough, &j.State.Last, &j.State.Stop.Date}
	for i := range j.State.Paid {
		days = append(days, &j.State.Paid[i])
	}
	// A window through 9999-12-31 has no day To, so windows move by their first and last days.
	for i, w := range j.State.Missed {
		j.State.Missed[i] = calendar.Through(subject.Moved(w.From, by), subject.Moved(w.Last(), by))
	}
	for _, d := range days {
		if !d.IsZero() {
			*d = subject.Moved(*d, by)
		}
	}
}
