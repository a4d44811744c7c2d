package gallery

import (
	"testing"

	"github.com/chargecast/chargecast/fuzz"
)

// The signer that the members change is right: every law of signatures takes it as it is (G01).
func TestRightSigner(t *testing.T) {
	impl := signing(nil)
	impl.Name = "plain signer"
	for _, l := range fuzz.Laws() {
		if l.ID[0] != 'P' && l.ID[0] != 'U' && l.ID[0] != 'B' && l.ID[0] != 'H' && l.ID[0] != 'S' {
			continue
		}
		t.Run(l.ID, func(t *testing.T) {
			fuzz.Check(t, impl, fuzz.Options{Laws: []string{l.ID}, Effort: 100, Seed: 1})
		})
	}
}

// The members of signatures are the 47 of the list.
func TestSignatureMembersComplete(t *testing.T) {
	if n := len(signatureMembers()); n != 47 {
		t.Errorf("%d members, want 47", n)
	}
}
