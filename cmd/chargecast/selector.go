package main

import (
	"slices"

	"github.com/chargecast/chargecast/rules"
)

// A selector chooses rows by their client-orderid: those of --profile, or all without it, but not
// those of --exclude.
type selector struct{ only, but []wanted }

// A wanted is one value of --profile or --exclude.
type wanted struct {
	pattern
	met     bool     // a row had it
	similar []string // ids of other rows that a mistyped one may have meant
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
		} else if !w.met && !w.isGlob() && len(w.similar) < maxClose && nearest(w.text, []string{id}) != "" {
			if like := shown(); !slices.Contains(w.similar, like) { // both files of diff may have it
				w.similar = append(w.similar, like)
			}
		}
	}
	return met
}

// maxClose is how many ids like a mistyped one are remembered.
const maxClose = 64

// unmet returns the flag that no row had the id of, with what it may have meant; empty for none. A
// pattern that excludes nothing is not an error.
func (s *selector) unmet() (flag, hint string) {
	for _, w := range s.only {
		if !w.met {
			return "--profile", didYouMean(w.text, w.similar, "")
		}
	}
	for _, w := range s.but {
		if !w.met && !w.isGlob() {
			return "--exclude", didYouMean(w.text, w.similar, "")
		}
	}
	return "", ""
}

// failed is the error of an id that no row had; bad says that rows with errors were left out, of which
// one may have it.
func (s *selector) failed(bad bool) error {
	flag, hint := s.unmet()
	if flag == "" {
		return nil
	}
	text := flag + ": no row that can be used has this client-orderid" + visible(hint)
	if bad {
		return &failure{exitFindings, text, "rows with errors are left out, and one of them may have it; chargecast validate shows them"}
	}
	return usage(text, "")
}

// An idsFlag is the values of --profile or of --exclude, each once.
type idsFlag []string

func (*idsFlag) String() string { return "" }
func (*idsFlag) Type() string   { return "ID" }

func (f *idsFlag) Set(id string) error {
	if !slices.Contains(*f, id) {
		*f = append(*f, id)
	}
	return nil
}
