package signature

import (
	"crypto/hmac"
	"crypto/sha1"
	"fmt"
	"io"
)

// Secret is the key of HMAC-SHA1: consumer secret (the merchant control key), an ampersand, token secret, both
// percent-encoded (5.3, L64). It prints as a mask under every verb. The zero Secret is of no use; make one with
// NewSecret. It never changes and may be shared.
type Secret struct {
	consumer, token string
	inner, outer    [macBlock]byte
}

// macBlock is the block size of SHA-1. Buffers to be signed keep so many bytes free in front.
const macBlock = sha1.BlockSize

// NewSecret makes the HMAC key. The token secret is empty in this service (5.3). An empty consumer secret is an *Error
// with SecretEmpty.
func NewSecret(consumer, token string) (*Secret, error) {
	if consumer == "" {
		return nil, &Error{Code: SecretEmpty, Part: PartSecret, Offset: noOffset, Rule: "the consumer secret is empty",
			Remedy: "give the merchant control key", Clause: "5.3"}
	}
	s := &Secret{consumer: consumer, token: token}
	key := appendEncoded(nil, consumer)
	key = append(key, '&')
	key = appendEncoded(key, token)
	s.inner, s.outer = hmacPads(key)
	return s, nil
}

// SignatureMethod is HMACSHA1.
func (*Secret) SignatureMethod() Method { return HMACSHA1 }

// Findings warns where the raw secret would give another key than the encoded one (L64).
func (s *Secret) Findings() []Finding {
	if !needsEncoding(s.consumer) && !needsEncoding(s.token) {
		return nil
	}
	return []Finding{warning(SecretEncoded, "L64", "the secret has characters that are percent-encoded in the HMAC key; software that takes it raw signs differently",
		"if the service rejects the signature, ask it for a secret of letters and digits")}
}

func (s *Secret) signingFindings() []Finding { return s.Findings() }

// String masks the secret.
func (Secret) String() string { return "HMAC secret (masked)" }

// GoString masks the secret.
func (s Secret) GoString() string { return s.String() }

// Format masks the secret under every verb.
func (s Secret) Format(w fmt.State, _ rune) { _, _ = io.WriteString(w, s.String()) }

func (s *Secret) sign(buf []byte) ([]byte, *Error) {
	sum := hmacSHA1(&s.inner, &s.outer, buf)
	return append(buf[:0], sum[:]...), nil // the pad in front is no longer needed
}

func (s *Secret) verify(buf, signature []byte) bool {
	sum := hmacSHA1(&s.inner, &s.outer, buf)
	return hmac.Equal(sum[:], signature)
}

func (*Secret) signatureSize() int { return sha1.Size }

// hmacSHA1 is RFC 2104 over buf[macBlock:]. crypto/hmac would allocate five objects a signature; with the pad in front
// of the text, in one buffer, the plain hash of it all is the inner hash and nothing is allocated.
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
