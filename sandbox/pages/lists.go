package pages

import (
	"encoding/json"
	"errors"
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

// listOf reads a page of records that the query of the request selects, of all or of one of some
// statuses.
func listOf[T any](v *pageRequest, name, statusName string, statuses ...string) (l list, records []T, err error) {
	l = list{Search: v.query.Get("q"), IsFirst: v.query.Get("cursor") == ""}
	if status := v.query.Get(statusName); slices.Contains(statuses, status) {
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
	for i, status := range append([]string{"all"}, statuses...) {
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
	var page map[string]json.RawMessage
	if err := v.get(name+"?"+ask.Encode(), &page); err != nil {
		return l, nil, err
	}
	var cursor string
	err = errors.Join(json.Unmarshal(page[name], &records), json.Unmarshal(page["cursor"], &cursor))
	if cursor != "" {
		shown.Set("cursor", cursor)
		l.Older = link(name, shown)
	}
	return l, records, err
}

func link(name string, q url.Values) string {
	if len(q) == 0 {
		return prefix + name
	}
	return prefix + name + "?" + q.Encode()
}

// A listPage is a page of the records of one kind.
type listPage[T any] struct {
	list
	Records []T
}

// listing shows a page of records, of all or of one of some statuses.
func listing[T any](name, statusName string, statuses ...string) func(*pageRequest) (any, error) {
	return func(v *pageRequest) (any, error) {
		l, records, err := listOf[T](v, name, statusName, statuses...)
		return listPage[T]{l, records}, err
	}
}

type callbacksPage struct {
	list
	Callbacks []callback
}

func (v *pageRequest) callbacks() (any, error) {
	l, records, err := listOf[callback](v, "callbacks", "state", "pending", "delivered", "failed")
	return callbacksPage{l, records}, err
}
