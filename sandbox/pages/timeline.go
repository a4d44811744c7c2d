package pages

import (
	"strconv"

	"github.com/chargecast/chargecast/calendar"
)

// A timeline draws the charges of a profile between two days.
type timeline struct {
	From, Through string
	Marks         []lineMark
	Now           int // its place, from 0 to timelineWidth
	Stop          int // -1 for none
	Text          string
}

// A lineMark is one charge in a timeline.
type lineMark struct {
	At    int
	Class string
	Title string
}

const timelineWidth = 1000

// markClasses are the classes of the style sheet.
var markClasses = map[rowKind]string{
	kindApproved: "c", kindDeclined: "d", kindExpected: "e", kindNever: "n", kindNoLonger: "n",
}

// timelineOf draws the rows of a page; nil if there are none.
func timelineOf(p *profilePage, now string) *timeline {
	if len(p.Rows) == 0 {
		return nil
	}
	first, last := min(p.Rows[0].Date, now), max(p.Rows[len(p.Rows)-1].Date, now)
	if p.Stop != nil {
		first, last = min(first, p.Stop.Date), max(last, p.Stop.Date)
	}
	from, err := calendar.Parse(first)
	if err != nil {
		return nil
	}
	through, err := calendar.Parse(last)
	if err != nil {
		return nil
	}
	span := max(1, through.Sub(from))
	at := func(day string) int {
		d, err := calendar.Parse(day)
		if err != nil {
			return 0
		}
		return d.Sub(from) * timelineWidth / span
	}
	t := &timeline{From: first, Through: last, Now: at(now), Stop: -1}
	if p.Stop != nil {
		t.Stop = at(p.Stop.Date)
	}
	counts := map[rowKind]uint64{}
	for i := range p.Rows {
		r := &p.Rows[i]
		counts[r.Kind]++
		t.Marks = append(t.Marks, lineMark{at(r.Date), markClasses[r.Kind], r.Date + ": " + string(r.Kind)})
	}
	t.Text = "From " + first + " to " + last + ":"
	for _, kind := range [...]rowKind{kindApproved, kindDeclined, kindExpected, kindNever, kindNoLonger} {
		if n := counts[kind]; n > 0 {
			if t.Text[len(t.Text)-1] != ':' {
				t.Text += ","
			}
			t.Text += " " + strconv.FormatUint(n, 10) + " " + string(kind)
		}
	}
	return t
}
