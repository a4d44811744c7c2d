package gallery

import (
	"testing"

	"github.com/chargecast/chargecast/fuzz"
	"github.com/chargecast/chargecast/fuzz/laws"
	"github.com/chargecast/chargecast/rules"
)

// What the members of payloads are made from is rejected by no law: it is the change that
// is wrong with them.
func TestPayloadWrappersAreRight(t *testing.T) {
	same := func(text []byte) []byte { return text }
	for _, row := range []struct {
		name, laws string
		impl       laws.Impl
	}{
		{"given", "V", given(same)},
		{"told", "V", told((*judged).count)},
		{"without", "V", without(rules.ScriptEmpty)},
		{"sent", "W", sent(func(text []byte, _ rules.Input) []byte { return text })},
		{"pairs", "W", pairs(func(string) bool { return false })},
	} {
		report := fuzz.Run(row.impl, fuzz.Options{Laws: []string{row.laws}, Effort: 100, Seed: 1, Shrinks: -1})
		for _, r := range report.Results {
			for _, f := range r.Failures {
				t.Errorf("%s is rejected by %s: %s", row.name, r.Law.ID, f.Message)
			}
		}
	}
}
