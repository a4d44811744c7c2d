package gateway

import (
	"container/heap"
	"slices"

	"github.com/chargecast/chargecast/calendar"
)

// A dueIndex lists profiles by the day on which they are due. Every profile that is stored is
// added, and none is removed: an entry that is no longer right is found out when its day is read.
type dueIndex struct {
	days  dayHeap
	lists map[calendar.Date]*dueList
}

type dueList struct {
	ids    []ID
	sorted bool
}

func (x *dueIndex) add(day calendar.Date, id ID) {
	if day.IsZero() {
		return
	}
	l := x.lists[day]
	if l == nil {
		l = new(dueList)
		x.lists[day] = l
		heap.Push(&x.days, day)
	}
	if n := len(l.ids); n > 0 && l.ids[n-1] == id {
		return // as after each of several events on a day
	}
	l.sorted = l.sorted && id > l.ids[len(l.ids)-1] || len(l.ids) == 0
	l.ids = append(l.ids, id)
}

// sort puts the ids in order, each once.
func (l *dueList) sort() {
	if !l.sorted {
		slices.Sort(l.ids)
		l.ids = slices.Compact(l.ids)
		l.sorted = true
	}
}

// drop forgets the earliest day.
func (x *dueIndex) drop() {
	delete(x.lists, heap.Pop(&x.days).(calendar.Date))
}

// A dayHeap is a heap of days, the earliest first.
type dayHeap []calendar.Date

func (h dayHeap) Len() int           { return len(h) }
func (h dayHeap) Less(i, j int) bool { return h[i].Before(h[j]) }
func (h dayHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *dayHeap) Push(d any)        { *h = append(*h, d.(calendar.Date)) }
func (h *dayHeap) Pop() any {
	last := len(*h) - 1
	d := (*h)[last]
	*h = (*h)[:last]
	return d
}

// memProfiles are the profiles in one transaction.
type memProfiles struct {
	memView[Profile]
	due *dueIndex
}

func (t memProfiles) NextDue() (calendar.Date, error) {
	if !t.write { // another view may be looking at the index, which stays as it is
		for _, day := range slices.SortedFunc(slices.Values(t.due.days), calendar.Date.Compare) {
			if t.anyDue(day) {
				return day, nil
			}
		}
		return calendar.Date{}, nil
	}
	for len(t.due.days) > 0 {
		if day := t.due.days[0]; t.anyDue(day) {
			return day, nil
		}
		t.due.drop()
	}
	return calendar.Date{}, nil
}

func (t memProfiles) anyDue(day calendar.Date) bool {
	return slices.ContainsFunc(t.due.lists[day].ids, func(id ID) bool { return t.isDue(id, day) })
}

func (t memProfiles) isDue(id ID, day calendar.Date) bool {
	i, ok := t.find(id)
	return ok && t.rows[i].Due == day
}

func (t memProfiles) Due(day calendar.Date, after ID, limit int) ([]Profile, error) {
	l := t.due.lists[day]
	if l == nil {
		return nil, nil
	}
	ids := l.ids
	if t.write {
		l.sort()
		ids = l.ids
	} else if !l.sorted {
		ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	}
	from, ok := slices.BinarySearch(ids, after)
	if ok {
		from++
	}
	var list []Profile
	for _, id := range ids[from:] {
		if len(list) == limit {
			break
		}
		if t.isDue(id, day) {
			p, err := t.Get(id)
			if err != nil {
				return nil, err
			}
			list = append(list, p)
		}
	}
	return list, nil
}
