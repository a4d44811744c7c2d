package signature

import (
	"crypto/rsa"

	"github.com/chargecast/chargecast/signature/internal/base"
)

// Texts returns the two halves of the key to package diagnose, which makes of them the keys that a mistake makes:
// nobody else can open it.
func (s *Secret) Texts(d base.Door) (consumer, token string) {
	if s.missing() || !d.Opens() {
		return "", ""
	}
	return s.reveal().consumer, s.reveal().token
}

// RSA returns a copy of the key for package crypto/rsa; nil for a zero key.
func (k *PublicKey) RSA() *rsa.PublicKey {
	if k.missing() {
		return nil
	}
	key := *k.rsa
	return &key
}
