package laws

import (
	"strings"
	"testing"
)

// TestElsewhere: an id has one place.
func TestElsewhere(t *testing.T) {
	seen := map[string]bool{}
	for where, ids := range elsewhere {
		for id := range strings.FieldsSeq(ids) {
			if _, here := Find(id); here || seen[id] || where == "" || len(id) != 3 {
				t.Errorf("%s is a law of this package: %v; it is tested by %q", id, here, where)
			}
			seen[id] = true
		}
	}
}
