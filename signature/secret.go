package signature

import (
	"crypto/fips140"
	"crypto/hmac"
	"crypto/sha1"

	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature/internal/base"
)

// A Secret is the key of HMAC-SHA1: consumer secret (the merchant control key), an ampersand, token
// secret, both percent-encoded (5.3, L64). It shows nothing of them when it is printed, logged or
// marshalled. It never changes and can be shared. The zero Secret is no key: nothing is signed or
// verified with it.
type Secret struct{ hidden[hmacSecret] }

type hmacSecret struct {
	consumer, token string
	mac             macKey
	reserved        bool // the key would be another one without encoding
}

func (hmacSecret) mask() string { return "HMAC secret" }

// NewSecret returns the HMAC key. The token secret is empty in this service (5.3). An empty consumer
// secret is an error with the code [SecretEmpty], and any secret one with [MethodForbidden] in a process
// that may not use SHA-1 (GODEBUG=fips140=only).
func NewSecret(consumer, token string) (*Secret, error) {
	switch {
	case fips140.Enforced():
		return nil, newFault(MethodForbidden, partMethod, "", "").err()
	case consumer == "":
		return nil, newFault(SecretEmpty, partSecret, "", "").err()
	}
	s := hmacSecret{consumer: consumer, token: token}
	key := base.AppendEncoded(nil, consumer)
	key = append(key, '&')
	key = base.AppendEncoded(key, token)
	s.mac = newMACKey(key)
	s.reserved = base.NeedsEncoding(consumer) || base.NeedsEncoding(token)
	return &Secret{hide(s)}, nil
}

// SignatureMethod returns MethodHMACSHA1.
func (*Secret) SignatureMethod() Method { return MethodHMACSHA1 }

// Findings warns if the raw secret would give another key than the encoded one (L64).
func (s *Secret) Findings() ledger.Findings {
	if s.missing() || !s.reveal().reserved {
		return nil
	}
	return ledger.Findings{found(SecretEncoded, partSecret, "", "")}
}

func (s *Secret) signingFindings() ledger.Findings { return s.Findings() }

func (s *Secret) missing() bool { return s == nil || s.v == nil }

func (s *Secret) sign(base []byte) ([]byte, *fault) {
	sum := s.reveal().mac.sum(base)
	return append(base[:0], sum[:]...), nil // the text is no longer needed
}

func (s *Secret) verify(base, signature []byte) bool {
	sum := s.reveal().mac.sum(base)
	return hmac.Equal(sum[:], signature)
}

func (*Secret) signatureSize() int { return sha1.Size }
