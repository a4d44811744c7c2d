package record

import (
	"bytes"
	"slices"

	"github.com/chargecast/chargecast/engine"
)

// Differs returns the first thing in which two parts are not of one output, as the command's flags
// call it; empty if they can be merged. Inputs may differ, and with them the form that they came in.
func (p *Part) Differs(o *Part) string {
	a, b := &p.Header, &o.Header
	switch {
	case a.Schema != b.Schema:
		return "command"
	case a.AsOf != b.AsOf:
		return "as-of"
	case a.From != b.From:
		return "from"
	case a.Until != b.Until:
		return "until"
	case a.Next != b.Next:
		return "next"
	case a.Zone != b.Zone:
		return "zone"
	case a.By != b.By:
		return "by"
	case !slices.Equal(p.Quantiles, o.Quantiles):
		return "quantiles"
	case a.Seed != b.Seed:
		return "seed"
	case !slices.EqualFunc(p.Scripts, o.Scripts, sameText):
		return "script"
	}
	for c := range engine.Keys() {
		if key := c.Key(); a.Policy.Reading(c).Value != b.Policy.Reading(c).Value {
			return "policy " + key
		}
	}
	same := *b
	same.Input, same.Policy = a.Input, a.Policy
	if !bytes.Equal(a.AppendJSON(nil), same.AppendJSON(nil)) {
		return "profile or exclude"
	}
	return ""
}

// sameText reports whether two files are one by what is in them.
func sameText(a, b PartInput) bool { return a.Size == b.Size && a.SHA256 == b.SHA256 }
