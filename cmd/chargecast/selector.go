package main

import (
	"slices"
	"strings"

	near "github.com/chargecast/chargecast/internal/nearest"
	"github.com/chargecast/chargecast/rules"
)

// A selector chooses rows by their client-orderid: those of --profile, or all without it, but not
// those of --exclude.
type selector struct{ only, but []wanted }

// A wanted is one value of --profile or --exclude.
type wanted struct {
	pattern
	met      bool     // a row had it
	similar  []string // ids of other rows that a mistyped one may have meant, all equally near
	distance int      // … by this
}

func newSelector(only, but []string) *selector { return &selector{wantedOf(only), wantedOf(but)} }

func wantedOf(texts []string) []wanted {
	var list []wanted
	for _, text := range texts {
		list = append(list, wanted{pattern: newPattern(text)})
	}
	return list
}

// wants reports whether a client-orderid counts, which is not noted as met.
func (s *selector) wants(id string) bool {
	is := func(w wanted) bool { return w.matches(id) }
	return (len(s.only) == 0 || slices.ContainsFunc(s.only, is)) && !slices.ContainsFunc(s.but, is)
}

// selects reports whether the row counts.
func (s *selector) selects(row *rules.Row) bool { return s.selectsID(row.OrderID, row.ShownID) }

// selectsID is selects for a client-orderid; shown returns it as it may be shown.
func (s *selector) selectsID(id string, shown func() string) bool {
	excluded := meet(s.but, id, shown)
	return (len(s.only) == 0 || meet(s.only, id, shown)) && !excluded
}

// meet reports whether an id is one of the list.
func meet(list []wanted, id string, shown func() string) bool {
	met := false
	for i := range list {
		w := &list[i]
		if w.matches(id) {
			w.met, w.similar, met = true, nil, true
		} else if !w.met && !w.isGlob() {
			w.compare(id, shown)
		}
	}
	return met
}

// compare remembers an id if none was nearer.
func (w *wanted) compare(id string, shown func() string) {
	d, isNear := near.Distance(w.text, id)
	switch {
	case !isNear || len(w.similar) > 0 && d > w.distance:
		return
	case d < w.distance:
		w.similar = w.similar[:0]
	}
	w.distance = d
	if len(w.similar) > maxClose {
		return
	}
	if like := shown(); !slices.Contains(w.similar, like) { // both files of diff may have it
		w.similar = append(w.similar, like)
	}
}

// maxClose is how many ids like a mistyped one are named. Of more than these none is likelier than
// the others.
const maxClose = 3

// hint is the end of a sentence about an id that no row has.
func (w *wanted) hint() string {
	last := len(w.similar) - 1
	switch {
	case last < 0 || last >= maxClose:
		return ""
	case last == 0:
		return "; did you mean " + w.similar[0] + "?"
	}
	return "; did you mean " + strings.Join(w.similar[:last], ", ") + " or " + w.similar[last] + "?"
}

// unmet returns which values of --profile and, after these, --exclude no row had. A pattern that
// excludes nothing is not an error.
func (s *selector) unmet() (list []int) {
	for i, w := range s.only {
		if !w.met {
			list = append(list, i)
		}
	}
	for i, w := range s.but {
		if !w.met && !w.isGlob() {
			list = append(list, len(s.only)+i)
		}
	}
	return list
}

// noRow says that no row had the first of the values, and what it may have meant.
func (s *selector) noRow(unmet []int) string {
	if i := unmet[0]; i < len(s.only) {
		return noRow("--profile") + visible(s.only[i].hint())
	}
	return noRow("--exclude") + visible(s.but[unmet[0]-len(s.only)].hint())
}

func noRow(flag string) string { return flag + ": no row that can be used has this client-orderid" }

// failed is the error of an id that no row had; bad says that rows with errors were left out, of which
// one may have it.
func (s *selector) failed(bad bool) error {
	unmet := s.unmet()
	if len(unmet) == 0 {
		return nil
	}
	return unmetError(s.noRow(unmet), bad)
}

func unmetError(text string, bad bool) error {
	if bad {
		return &failure{Code: exitFindings, Text: text, Help: "rows with errors are left out, and one of them may have it; chargecast validate shows them"}
	}
	return usage(text, "")
}

// An idsFlag is the values of --profile or of --exclude, each once.
type idsFlag []string

func (*idsFlag) String() string { return "" }
func (*idsFlag) Type() string   { return "ID" }

func (f *idsFlag) Set(id string) error {
	if id == "" {
		return errNoText
	}
	if !slices.Contains(*f, id) {
		*f = append(*f, id)
	}
	return nil
}
