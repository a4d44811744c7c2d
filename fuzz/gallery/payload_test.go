package gallery

import (
	"testing"

	"github.com/chargecast/chargecast/fuzz"
	"github.com/chargecast/chargecast/rules"
)

// What the members of payloads are made from is rejected by no law: it is the change that
// is wrong with them.
func TestPayloadWrappersAreRight(t *testing.T) {
	same := func(text []byte) []byte { return text }
	for name, impl := range map[string]fuzz.Impl{
		"given":   given(same),
		"told":    told((*judged).count),
		"sent":    sent(func(text []byte, _ rules.Input) []byte { return text }),
		"pairs":   pairs(func(string) bool { return false }),
		"without": without(rules.ScriptVerb),
	} {
		report := fuzz.Run(impl, fuzz.Options{Laws: []string{"V", "W"}, Cases: 100, SlowCases: 20, Seed: 1, Shrinks: -1})
		for _, r := range report.Results {
			for _, f := range r.Failures {
				t.Errorf("%s is rejected by %s: %s", name, r.Law.ID, f.Message)
			}
		}
	}
}
