package pages

import (
	"net/url"
	"slices"
)

// pageOf is how many records a page of a list has.
const pageOf = "50"

// A list is a page of records.
type list struct {
	Search, Status string
	Filters        []filter // by status
	Older          string   // the link to the next page; empty for none
	IsFirst        bool     // not behind another page
	First          string   // the link to the first page
}

// A filter is one status to choose.
type filter struct {
	Text, Link string
	IsChosen   bool
}

// list reads a page of records that the query of the visit selects. Of the statuses, the first one
// is for all records.
func (v *visit) list(name, statusName string, statuses []string, to any, cursor *string) (list, error) {
	l := list{Search: v.query.Get("q"), IsFirst: v.query.Get("cursor") == ""}
	if status := v.query.Get(statusName); slices.Contains(statuses[1:], status) {
		l.Status = status
	}
	ask := url.Values{"limit": {pageOf}}
	shown := url.Values{}
	set := func(name, value string) {
		if value != "" {
			ask.Set(name, value)
			shown.Set(name, value)
		}
	}
	set("q", l.Search)
	for i, status := range statuses {
		f := filter{Text: status, IsChosen: status == l.Status || i == 0 && l.Status == ""}
		q := url.Values{}
		if l.Search != "" {
			q.Set("q", l.Search)
		}
		if i > 0 {
			q.Set(statusName, status)
		}
		f.Link = link(name, q)
		l.Filters = append(l.Filters, f)
	}
	set(statusName, l.Status)
	l.First = link(name, shown)
	if past := v.query.Get("cursor"); past != "" {
		ask.Set("cursor", past)
	}
	if err := v.get(name+"?"+ask.Encode(), to); err != nil {
		return l, err
	}
	if *cursor != "" {
		shown.Set("cursor", *cursor)
		l.Older = link(name, shown)
	}
	return l, nil
}

func link(name string, q url.Values) string {
	if len(q) == 0 {
		return prefix + name
	}
	return prefix + name + "?" + q.Encode()
}

type profilesPage struct {
	list
	Profiles []profile
}

func (v *visit) profiles() (any, error) {
	var p struct {
		Profiles []profile
		Cursor   string
	}
	l, err := v.list("profiles", "status", []string{"all", "active", "stopped"}, &p, &p.Cursor)
	return profilesPage{l, p.Profiles}, err
}

type requestsPage struct {
	list
	Requests []request
}

func (v *visit) requests() (any, error) {
	var p struct {
		Requests []request
		Cursor   string
	}
	l, err := v.list("requests", "status", []string{"all", "200", "403", "421"}, &p, &p.Cursor)
	return requestsPage{l, p.Requests}, err
}

type callbacksPage struct {
	list
	Callbacks []callback
}

func (v *visit) callbacks() (any, error) {
	var p struct {
		Callbacks []callback
		Cursor    string
	}
	l, err := v.list("callbacks", "state", []string{"all", "pending", "delivered", "failed"}, &p, &p.Cursor)
	return callbacksPage{l, p.Callbacks}, err
}
