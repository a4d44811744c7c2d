package gallery_test

import (
	"testing"

	"github.com/chargecast/chargecast/fuzz"
	"github.com/chargecast/chargecast/fuzz/gallery"
)

// Every member is rejected by a law that it names (G01).
func TestMembers(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range gallery.Members() {
		t.Run(m.Name, func(t *testing.T) {
			if seen[m.Name] || m.Does == "" || m.Witness == "" || len(m.By) == 0 {
				t.Errorf("a member needs a name of its own, what it does, a witness and a law")
			}
			seen[m.Name] = true
			for _, id := range m.By {
				report := fuzz.Run(m.Impl, fuzz.Options{Laws: []string{id}, Cases: 3000, SlowCases: 300, Seed: 1, Shrinks: -1})
				if len(report.Results) != 1 || report.Results[0].NotCovered {
					t.Errorf("no law %s asks it", id)
				}
				if !report.OK() {
					return
				}
			}
			t.Errorf("%s: no law of %v rejects it", m.Does, m.By)
		})
	}
}

// The names lead to the members, and to nothing else.
func TestFind(t *testing.T) {
	for _, m := range gallery.Members() {
		if found, ok := gallery.Find(m.Name); !ok || found.Name != m.Name || found.Impl.Name != m.Name {
			t.Errorf("%s is not found", m.Name)
		}
	}
	if _, ok := gallery.Find("right"); ok {
		t.Errorf("a name that no member has leads to one")
	}
}
