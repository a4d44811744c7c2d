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

func newSelector(only, but []string) selector { return selector{wantedOf(only), wantedOf(but)} }

func wantedOf(texts []string) []wanted {
	var list []wanted
	for _, text := range texts {
		list = append(list, wanted{pattern: newPattern(text)})
	}
	return list
}

// selects reports whether the row counts.
func (s *selector) selects(row *rules.Row) bool {
	excluded := meet(s.but, row)
	return (len(s.only) == 0 || meet(s.only, row)) && !excluded
}

// meet reports whether the row has one of the ids.
func meet(list []wanted, row *rules.Row) bool {
	met := false
	for i := range list {
		w := &list[i]
		if w.matches(row.OrderID) {
			w.met, w.similar, met = true, nil, true
		} else if !w.met && !w.isGlob() && len(w.similar) < maxClose && nearest(w.text, []string{row.OrderID}) != "" {
			w.similar = append(w.similar, row.ShownID())
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
