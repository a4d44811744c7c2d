package main

import (
	"iter"
	"slices"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/capture"
	"github.com/chargecast/chargecast/internal/httprules"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/rules"
	"github.com/chargecast/chargecast/signature"
)

// rulebook has what every code means.
var rulebook = ledger.NewRules(collected(rules.Rules(), record.Rules(), engine.Rules(), signature.Rules(), capture.Rules(), httprules.Rules()), nil)

func collected(rooms ...iter.Seq[ledger.Rule]) (all []ledger.Rule) {
	for _, room := range rooms {
		all = slices.AppendSeq(all, room)
	}
	return all
}

// inputRules yields the rules about payloads and updates, then those about states, scripts and outputs.
func inputRules() iter.Seq[ledger.Rule] {
	return slices.Values(collected(rules.Rules(), record.Rules()))
}

// isPayloadCode reports whether a code is about payloads or updates.
func isPayloadCode(code ledger.Code) bool {
	for r := range rules.Rules() {
		if r.Code == code {
			return true
		}
	}
	return false
}
