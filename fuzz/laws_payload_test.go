package fuzz_test

import (
	"testing"

	"github.com/chargecast/chargecast/fuzz"
	"github.com/chargecast/chargecast/rules"
)

// Every rule that can speak about a payload has a vector (V09), and every vector is of
// such a rule. The others are about updates, states and scripts.
func TestRulesHaveVectors(t *testing.T) {
	met := map[rules.Code]bool{}
	for _, v := range fuzz.RuleVectors() {
		met[v.Code] = true
	}
	for rule := range rules.Rules() {
		if of := rule.Code <= rules.FirstChargeToday; of != met[rule.Code] {
			t.Errorf("%s: of payloads is %v, has a vector is %v", rule.Name, of, met[rule.Code])
		}
	}
}
