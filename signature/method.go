package signature

import (
	"crypto/fips140"
	"crypto/rsa"
	"hash"
	"math/big"
	"sync"

	"github.com/chargecast/chargecast/internal/enum"
	"github.com/chargecast/chargecast/ledger"
)

// A Method is a signature method (5.1). The zero Method is none.
type Method uint8

// The two methods of the document. RSA-SHA256 is RSASSA-PKCS1-v1_5 with SHA-256 (L65).
const (
	MethodRSASHA256 Method = iota + 1
	MethodHMACSHA1
)

var methodWords = enum.Words{Type: "Method", Words: []string{"", "RSA-SHA256", "HMAC-SHA1"}}

// String returns the value of oauth_signature_method, the empty string for the zero Method, and a
// text such as "Method(9)" for a value that is none of these.
func (m Method) String() string { return methodWords.String(uint8(m)) }

// MarshalText returns what [Method.String] returns; a value without a name is an error.
func (m Method) MarshalText() ([]byte, error) { return methodWords.Marshal(uint8(m)) }

// UnmarshalText reads what [Method.MarshalText] writes. On an error m is unchanged.
func (m *Method) UnmarshalText(text []byte) error { return methodWords.Unmarshal(text, (*uint8)(m)) }

// readMethod reads the value of oauth_signature_method, letter for letter.
func readMethod(text string) (Method, bool) {
	var m Method
	err := m.UnmarshalText([]byte(text))
	return m, err == nil && m != 0
}

// A SigningKey is a *PrivateKey or a *Secret.
//
//sumtype:decl
type SigningKey interface {
	SignatureMethod() Method
	hasher() *hasher
	// sign signs what the hasher has made of a base string, and may overwrite it.
	sign(sum []byte) ([]byte, *fault)
	signingFindings() ledger.Findings
	missing() bool
}

// A VerifyingKey is a *PublicKey or a *Secret. A private key verifies by its Public half.
//
//sumtype:decl
type VerifyingKey interface {
	SignatureMethod() Method
	hasher() *hasher
	possible(signature []byte) bool // whether a signature of this key can be these bytes
	verify(sum, signature []byte) bool
	signatureSize() int
	missing() bool
}

// A hasher hashes base strings under a key, with all the room that it takes. It is used again.
type hasher struct {
	hash.Hash
	text  []byte
	raw   []byte
	alone [1]hash.Hash // itself
	owner *sync.Pool
}

func newHasher(h hash.Hash, owner *sync.Pool) *hasher {
	made := &hasher{Hash: h, text: make([]byte, 0, pieceBytes), raw: make([]byte, 0, h.Size()), owner: owner}
	made.alone[0] = made.Hash
	return made
}

func borrowHasher(from *sync.Pool) *hasher {
	h := from.Get().(*hasher)
	h.Reset()
	return h
}

// sum returns the hash of what was written. It is overwritten after done.
func (h *hasher) sum() []byte { return h.Sum(h.raw[:0]) }

// done gives a hasher back.
func (h *hasher) done() { h.owner.Put(h) }

// checkKey refuses a nil interface, a nil pointer and a zero key.
func checkKey(key interface{ missing() bool }) *fault {
	if key == nil || key.missing() {
		return newFault(KeyMissing, partKey, "", "")
	}
	return nil
}

// decoyHashers hash under a key that nobody has.
var decoyHashers = hmacHashers([]byte("decoy"))

// decoy returns a key that takes the time of a real one, for a signature of so many bytes; nil where there is none of the method.
func decoy(method Method, size int) VerifyingKey {
	switch {
	case method == MethodHMACSHA1 && !fips140.Enforced():
		return &Secret{hide(hmacSecret{hashers: decoyHashers})}
	case method == MethodRSASHA256 && floorBits/8 <= size && size <= maxKeyBits/8:
		n := big.NewInt(1)
		n.Sub(n.Lsh(n, uint(8*size)), big.NewInt(1))
		return &PublicKey{&rsa.PublicKey{N: n, E: 65537}}
	}
	return nil
}
