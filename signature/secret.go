package signature

import (
	"crypto/hmac"
	"crypto/sha1"

	"github.com/chargecast/chargecast/ledger"
)

// A Secret is the key of HMAC-SHA1: consumer secret (the merchant control key), an ampersand, token
// secret, both percent-encoded (5.3, L64). It shows nothing of them when it is printed, logged or
// marshalled. It never changes and can be shared. The zero Secret is no key: nothing is signed or
// verified with it.
type Secret struct{ hidden[hmacSecret] }

type hmacSecret struct {
	consumer, token string
	inner, outer    [macBlock]byte
}

func (hmacSecret) mask() string { return "HMAC secret" }

// macBlock is the block size of SHA-1. Buffers to be signed keep this many bytes free in front.
const macBlock = sha1.BlockSize

// NewSecret returns the HMAC key. The token secret is empty in this service (5.3). An empty consumer
// secret is an error with the code [SecretEmpty].
func NewSecret(consumer, token string) (*Secret, error) {
	if consumer == "" {
		return nil, newFault(SecretEmpty, partSecret, "", "").err()
	}
	s := hmacSecret{consumer: consumer, token: token}
	key := appendEncoded(nil, consumer)
	key = append(key, '&')
	key = appendEncoded(key, token)
	s.inner, s.outer = hmacPads(key)
	return &Secret{hide(s)}, nil
}

// SignatureMethod returns MethodHMACSHA1.
func (*Secret) SignatureMethod() Method { return MethodHMACSHA1 }

// Findings warns if the raw secret would give another key than the encoded one (L64).
func (s *Secret) Findings() ledger.Findings {
	if s.missing() || !needsEncoding(s.reveal().consumer) && !needsEncoding(s.reveal().token) {
		return nil
	}
	return ledger.Findings{found(SecretEncoded, partSecret, "", "")}
}

func (s *Secret) signingFindings() ledger.Findings { return s.Findings() }

func (s *Secret) missing() bool { return s == nil || s.v == nil }

func (s *Secret) sign(buf []byte) ([]byte, *fault) {
	sum := hmacSHA1(&s.reveal().inner, &s.reveal().outer, buf)
	return append(buf[:0], sum[:]...), nil // the pad in front is no longer needed
}

func (s *Secret) verify(buf, signature []byte) bool {
	sum := hmacSHA1(&s.reveal().inner, &s.reveal().outer, buf)
	return hmac.Equal(sum[:], signature)
}

func (*Secret) signatureSize() int { return sha1.Size }

// hmacSHA1 returns the HMAC of RFC 2104 over buf[macBlock:]. With the pad in front of the text, in
// one buffer, the plain hash of it all is the inner hash and nothing is allocated; crypto/hmac would
// allocate five objects for each signature.
func hmacSHA1(inner, outer *[macBlock]byte, buf []byte) [sha1.Size]byte {
	copy(buf, inner[:])
	digest := sha1.Sum(buf)
	var last [macBlock + sha1.Size]byte
	copy(last[:], outer[:])
	copy(last[macBlock:], digest[:])
	return sha1.Sum(last[:])
}

func hmacPads(key []byte) (inner, outer [macBlock]byte) {
	if len(key) > macBlock {
		digest := sha1.Sum(key)
		key = digest[:]
	}
	copy(inner[:], key)
	copy(outer[:], key)
	for i := range inner {
		inner[i] ^= 0x36
		outer[i] ^= 0x5c
	}
	return inner, outer
}
