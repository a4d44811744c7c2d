package main

import (
	"iter"

	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/rules"
)

// allRules yields the rules about payloads and updates, then those about states, scripts and outputs.
func allRules() iter.Seq[rules.Rule] {
	return func(yield func(rules.Rule) bool) {
		for r := range rules.Rules() {
			if !yield(r) {
				return
			}
		}
		for r := range record.Rules() {
			if !yield(lineRule(r)) {
				return
			}
		}
	}
}

// lineRule returns a rule of package record in the form of those about payloads.
func lineRule(r record.Rule) rules.Rule {
	return rules.Rule{
		Code: r.Code, Severity: r.Severity, Basis: ledger.Assumed, Clause: r.Clause, Text: r.Text, Help: r.Help, Good: r.Good, Bad: r.Bad,
		Note: "in states, scripts and outputs; cannot be overridden",
	}
}

// lookupRule returns the rule with a code, and whether there is one.
func lookupRule(code ledger.Code) (rules.Rule, bool) {
	for r := range allRules() {
		if r.Code == code {
			return r, true
		}
	}
	return rules.Rule{}, false
}

// isLineCode reports whether a code is not about payloads.
func isLineCode(code ledger.Code) bool {
	_, payload := rules.Lookup(code)
	return !payload
}
