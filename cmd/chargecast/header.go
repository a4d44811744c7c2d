package main

import (
	"slices"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/rules"
)

// A header holds the options of an output. Fields of options that were not given are zero.
type header struct {
	schema   record.Schema
	asOf     calendar.Date
	from     calendar.Date // the first day of the window; zero for asOf
	until    calendar.Date
	next     int
	zone     string
	input    string   // the form in which the payload came
	forms    []string // … each of its files, as far as they are read
	leftOut  uint64   // rows with errors
	silent   uint64   // … which --severity makes warnings or off
	unmet    []int    // which of profiles and excluded no row has
	profiles []string // the only ones selected, as typed
	excluded []string // those left out, as typed
	by       engine.By
	seed     uint64
	policy   engine.Policy

	quantiles []amount.Percent // of totals with random amounts

	oldPolicy *engine.Policy // of diff under two policies

	untilChosen bool // until is this program's choice, not the user's
}

// record returns the header record. A client-orderid as typed could be a card number.
func (h *header) record() record.Header {
	r := record.Header{
		Schema: h.schema, AsOf: h.asOf, From: h.from, Until: h.until, Next: h.next, Zone: h.zone, Input: h.input, By: h.by,
		Seed: h.seed, Policy: h.policy, OldPolicy: h.oldPolicy,
	}
	r.Profiles, r.Excluded = masked(h.profiles), masked(h.excluded)
	return r
}

// takeFrom copies the options of another output, where nothing is forecast.
func (h *header) takeFrom(r *record.Header) {
	h.asOf, h.from, h.until, h.next, h.zone, h.policy = r.AsOf, r.From, r.Until, r.Next, r.Zone, r.Policy
}

// commonForm returns the form of all files; empty if they differ.
func commonForm(forms []string) string {
	if forms = slices.Compact(slices.Clone(forms)); len(forms) == 1 {
		return forms[0]
	}
	return ""
}

func masked(ids []string) []string {
	var list []string
	for _, id := range ids {
		list = append(list, rules.Mask(0, id))
	}
	return list
}
