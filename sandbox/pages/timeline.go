package pages

import (
	"net/http"
	"slices"
	"strconv"
	"time"
)

// A moment is one line of the timeline.
type moment struct {
	At          time.Time
	Day         string // of the clock; empty where it is not known
	Text, Class string
	Link        string
	Fault       string
}

// Clock is the time as the pages show it.
func (m moment) Clock() string { return callback{}.Clock(m.At) }

type timelinePage struct {
	Moments []moment
}

// shownMoments is how many lines the timeline has.
const shownMoments = 200

// timeline shows requests and callbacks in the order in which they came, the newest first, with
// their faults.
func (v *pageRequest) timeline() (any, error) {
	var requests struct{ Requests []request }
	var callbacks struct{ Callbacks []callback }
	if err := v.get("requests?limit=200", &requests); err != nil {
		return nil, err
	}
	if err := v.get("callbacks?limit=200", &callbacks); err != nil {
		return nil, err
	}
	var p timelinePage
	for _, r := range requests.Requests {
		m := moment{At: r.At, Day: r.Date, Class: "s" + strconv.Itoa(r.Status), Link: prefix + "requests/" + r.ID, Fault: r.Fault}
		m.Text = "request " + r.ID + ": " + strconv.Itoa(r.Status) + ", "
		if r.Reason == "" {
			m.Text += counted(uint64(r.Profiles), "profile created", "profiles created")
		} else {
			m.Text += r.Message
		}
		p.Moments = append(p.Moments, m)
	}
	for _, c := range callbacks.Callbacks {
		to := prefix + "profiles/" + c.ProfileID
		what := "callback " + c.ID + " of profile " + c.ProfileID
		p.Moments = append(p.Moments, moment{At: c.At, Text: what + ": made", Link: to, Fault: c.Fault})
		for _, a := range c.Attempts {
			m := moment{At: a.At, Text: what + ": no answer (" + a.Error + ")", Class: "declined", Link: to}
			if a.Status != 0 {
				m.Text = what + ": answered with " + strconv.Itoa(a.Status)
			}
			if a.Status >= http.StatusOK && a.Status < http.StatusMultipleChoices {
				m.Class = "delivered"
			}
			p.Moments = append(p.Moments, m)
		}
	}
	slices.SortStableFunc(p.Moments, func(a, b moment) int { return b.At.Compare(a.At) })
	p.Moments = p.Moments[:min(len(p.Moments), shownMoments)]
	return p, nil
}
