package gallery_test

import (
	"testing"

	"github.com/chargecast/chargecast/fuzz/gallery"
)

// The names lead to the members, and to nothing else.
func TestFind(t *testing.T) {
	members := gallery.Members()
	for i := 0; i < len(members); i += 10 { // each Find makes all members
		m := members[i]
		if found, ok := gallery.Find(m.Name); !ok || found.Name != m.Name || found.Impl.Name != m.Name {
			t.Errorf("%s is not found", m.Name)
		}
	}
	if _, ok := gallery.Find("right"); ok {
		t.Errorf("a name that no member has leads to one")
	}
}
