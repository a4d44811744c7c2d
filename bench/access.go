package main

import (
	"fmt"
	"strconv"
	"time"

	"github.com/teambition/rrule-go"

	"github.com/chargecast/chargecast/calendar"
)

// accessRows are P3: asking for single dates and windows.
func accessRows() []row {
	far := grid{farFrom, calendar.UnitMonth, 1}
	const years = 20
	return []row{
		{id: "P3", ours: "At(k), random profile and k, mixed units", against: "time.Date and clamp", goal: faster(3), possible: "4.6×",
			ready: readyAccess(false)},
		{id: "P3", ours: "At(k), random profile and k, monthly", against: "time.Date and clamp", goal: faster(3), possible: "17×",
			ready: readyAccess(true)},
		{id: "P3", ours: "At(k) daily, k = 1,000,000", against: "itself at k = 1", goal: within(1.3), possible: "flat",
			ready: readyFar(grid{datesFrom, calendar.UnitDay, 1}, 1_000_000)},
		{id: "P3", ours: "At(k) monthly, k = 90,000", against: "itself at k = 1", goal: within(1.3), possible: "flat",
			ready: readyFar(grid{datesFrom, calendar.UnitMonth, 1}, 90_000)},
		{id: "P3", ours: "list one year, " + strconv.Itoa(years) + " years in", against: "rrule-go Between", goal: faster(300), possible: "1,000×",
			note:  "walks from the start; ours goes to the window by arithmetic",
			ready: far.ready(farCount, oursWindow, ruleWindow)},
		{id: "P3", ours: "Count of that year", against: "rrule-go Between", goal: faster(1_000), possible: "2,800×",
			ready: far.ready(1, oursCount, ruleCount)},
	}
}

// A question of the random access workload: a date of a profile. Both sides read the
// profile they need from their own table.
type question struct{ profile, index int }

func questions() []question {
	qs := make([]question, accessQuestions)
	for n := range qs {
		qs[n].profile, qs[n].index = accessQuestion(uint64(n))
	}
	return qs
}

// accessGrid is profile i of the workload; monthlyOnly makes a monthly one of each.
func accessGrid(i int, monthlyOnly bool) grid {
	p := portfolioProfile(uint64(i))
	if monthlyOnly {
		p.unit = calendar.UnitMonth
	}
	return grid{p.start().String(), p.unit, accessInterval(uint64(i))}
}

func readyAccess(monthlyOnly bool) func() contest {
	return func() contest {
		qs := questions()
		ours := make([]calendar.Schedule, accessProfiles)
		theirs := make([]timeSchedule, accessProfiles)
		for i := range accessProfiles {
			g := accessGrid(i, monthlyOnly)
			s := g.schedule()
			ours[i], theirs[i] = s, newTimeSchedule(g)
		}
		return contest{ours: oursAccess(ours, qs), theirs: timeAccess(theirs, qs)}
	}
}

func oursAccess(schedules []calendar.Schedule, qs []question) side {
	epoch := calendar.MinDate()
	return side{len(qs), func() (sum uint64) {
		for _, q := range qs {
			d, _ := schedules[q.profile].At(q.index)
			sum += uint64(d.Sub(epoch))
		}
		return sum
	}}
}

// A timeSchedule answers for date k with package time alone, as one would write it.
type timeSchedule struct {
	year     int
	month    time.Month
	day      int
	unit     calendar.Unit
	interval int
}

func newTimeSchedule(g grid) timeSchedule {
	year, month, day := midnight(g.start).Date()
	return timeSchedule{year, month, day, g.unit, g.interval}
}

func (s *timeSchedule) at(k int) time.Time {
	switch s.unit {
	case calendar.UnitDay:
		return time.Date(s.year, s.month, s.day+k*s.interval, 0, 0, 0, 0, time.UTC)
	case calendar.UnitWeek:
		return time.Date(s.year, s.month, s.day+7*k*s.interval, 0, 0, 0, 0, time.UTC)
	}
	return clamped(s.year, s.month, s.day, k*s.interval)
}

func timeAccess(schedules []timeSchedule, qs []question) side {
	return side{len(qs), func() uint64 {
		var seconds int64
		for _, q := range qs {
			seconds += schedules[q.profile].at(q.index).Unix()
		}
		return dayNumbers(seconds, len(qs))
	}}
}

// oursAt asks for a few dates from index k on, again and again.
func oursAt(s calendar.Schedule, k int) side {
	const asked = 4_096
	epoch := calendar.MinDate()
	return side{asked, func() (sum uint64) {
		for n := range asked {
			d, _ := s.At(k + n%8)
			sum += uint64(d.Sub(epoch))
		}
		return sum
	}}
}

// readyFar sets a far index against a near one. The dates differ, so each is checked
// against package time.
func readyFar(g grid, k int) func() contest {
	return func() contest {
		s := g.schedule()
		t := newTimeSchedule(g)
		differ := func() error {
			for _, i := range []int{1, k, k + 7} {
				if d, ok := s.At(i); !ok || d != calendar.Of(t.at(i)) {
					return fmt.Errorf("date %d is wrong", i)
				}
			}
			return nil
		}
		return contest{ours: oursAt(s, k), theirs: oursAt(s, 1), differ: differ}
	}
}

// oursWindow lists the dates of the far window, all n of them.
func oursWindow(s calendar.Schedule, n int) side {
	from, to := calendar.MustParse(farWindow), calendar.MustParse(farWindowEnd).AddDays(1)
	epoch := calendar.MinDate()
	return side{n, func() (sum uint64) {
		k, _ := s.Index(from)
		for _, d := range s.From(k) {
			if !d.Before(to) {
				break
			}
			sum += uint64(d.Sub(epoch))
		}
		return sum
	}}
}

func ruleWindow(r *rrule.RRule, n int) side {
	from, last := midnight(farWindow), midnight(farWindowEnd)
	return side{n, func() uint64 {
		var seconds int64
		dates := r.Between(from, last, true)
		for _, t := range dates {
			seconds += t.Unix()
		}
		return dayNumbers(seconds, len(dates))
	}}
}

// oursCount counts the far window. One question is shorter than a call through a
// variable, so a run asks many times.
func oursCount(s calendar.Schedule, n int) side {
	const asked = 256
	w := calendar.Through(calendar.MustParse(farWindow), calendar.MustParse(farWindowEnd))
	return side{n * asked, func() uint64 {
		count := 0
		for range asked {
			count += s.Count(w)
		}
		return uint64(count / asked)
	}}
}

func ruleCount(r *rrule.RRule, n int) side {
	from, last := midnight(farWindow), midnight(farWindowEnd)
	return side{n, func() uint64 { return uint64(len(r.Between(from, last, true))) }}
}
