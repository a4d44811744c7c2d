package signature

import (
	"crypto/fips140"
	"crypto/hmac"
	"crypto/sha1"
	"sync"

	"github.com/chargecast/chargecast/ledger"
)

// A Secret is the key of HMAC-SHA1: consumer secret (the merchant control key), an ampersand, token
// secret, both percent-encoded (5.3, L64). It shows nothing of them when it is printed, logged or
// marshalled. It never changes and can be shared. The zero Secret is no key: nothing is signed or
// verified with it.
type Secret struct{ hidden[hmacSecret] }

type hmacSecret struct {
	consumer, token string
	hashers         *sync.Pool
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
	key := appendEncoded(nil, consumer)
	key = append(key, '&')
	key = appendEncoded(key, token)
	s.hashers = hmacHashers(key)
	s.reserved = needsEncoding(consumer) || needsEncoding(token)
	return &Secret{hide(s)}, nil
}

// hmacHashers returns hashers with a key: to set one up takes two blocks and five allocations.
func hmacHashers(key []byte) *sync.Pool {
	pool := new(sync.Pool)
	pool.New = func() any { return newHasher(hmac.New(sha1.New, key), pool) }
	return pool
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

func (s *Secret) hasher() *hasher { return borrowHasher(s.reveal().hashers) }

func (*Secret) sign(sum []byte) ([]byte, *fault) { return sum, nil }

func (*Secret) verify(sum, signature []byte) bool { return hmac.Equal(sum, signature) }

func (*Secret) possible(signature []byte) bool { return len(signature) == sha1.Size }

func (*Secret) signatureSize() int { return sha1.Size }
