package laws

import "testing"

// TestElsewhere: an id has one place.
func TestElsewhere(t *testing.T) {
	for id, where := range elsewhere {
		if _, here := Find(id); here || where == "" || len(id) != 3 {
			t.Errorf("%s is a law of this package: %v; it is tested by %q", id, here, where)
		}
	}
}
