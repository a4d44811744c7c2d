package signature

import (
	"bytes"
	"crypto"
	"crypto/fips140"
	"crypto/hmac"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"log/slog"
	"math/big"
	"strconv"
	"sync"

	"github.com/chargecast/chargecast/internal/enum"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature/internal/base"
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
	owner *sync.Pool
}

func newHasher(h hash.Hash, owner *sync.Pool) *hasher {
	return &hasher{Hash: h, text: make([]byte, 0, base.PieceBytes), raw: make([]byte, 0, h.Size()), owner: owner}
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
	key := base.AppendEncoded(nil, consumer)
	key = append(key, '&')
	key = base.AppendEncoded(key, token)
	s.hashers = hmacHashers(key)
	s.reserved = base.NeedsEncoding(consumer) || base.NeedsEncoding(token)
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

func (s *Secret) missing() bool { return s == nil || s.reveal() == nil }

func (s *Secret) hasher() *hasher { return borrowHasher(s.reveal().hashers) }

func (*Secret) sign(sum []byte) ([]byte, *fault) { return sum, nil }

func (*Secret) verify(sum, signature []byte) bool { return hmac.Equal(sum, signature) }

func (*Secret) possible(signature []byte) bool { return len(signature) == sha1.Size }

func (*Secret) signatureSize() int { return sha1.Size }

// Limits of keys (L65, 5.4).
const (
	maxKeyBytes = 64 << 10 // of a key file; the largest key accepted takes a tenth of it
	minKeyBits  = 2048     // unless KeyRules allow less
	maxKeyBits  = 8192
	builderBits = 4096 // the most that the service's request builders take
	floorBits   = 1024 // crypto/rsa refuses less
)

// KeyRules say which keys are loaded. The zero value is for keys of 2048 to 8192 bits (L65).
type KeyRules struct {
	MinBits int // the smallest modulus; 0 means 2048, and less than 1024 counts as 1024
}

func (r KeyRules) minBits() int {
	if r.MinBits == 0 {
		return minKeyBits
	}
	return max(r.MinBits, floorBits)
}

// A PrivateKey is an RSA private key, checked when it was loaded. It shows nothing but its size when
// it is printed, logged or marshalled. The zero PrivateKey is no key: nothing is signed with it.
type PrivateKey struct{ hidden[rsaPrivate] }

type rsaPrivate struct{ rsa *rsa.PrivateKey }

func (k rsaPrivate) mask() string {
	if k.rsa == nil {
		return "RSA private key"
	}
	return "RSA private key, " + strconv.Itoa(k.rsa.N.BitLen()) + " bits"
}

// A PublicKey is an RSA public key, checked when it was loaded. It prints as its size and
// fingerprint. The zero PublicKey is no key: nothing is verified with it.
type PublicKey struct{ rsa *rsa.PublicKey }

// LoadPrivateKey reads an unencrypted RSA private key from one PEM block, PKCS#1 or PKCS#8 (5.4).
// For anything else the error says what the file is and what to do: its code begins with key, or is
// [LimitKey] for more than 65,536 bytes. The findings are warnings: a byte-order mark, a key of more
// than 4096 bits. Neither shows any part of the file.
func LoadPrivateKey(file []byte, rules KeyRules) (*PrivateKey, ledger.Findings, error) {
	loaded, findings, err := loadKey(file, rules)
	if err == nil && loaded.private == nil {
		err = keyFault(KeyKind, "a public key cannot sign", "use the private key that belongs to it")
	}
	if err != nil {
		return nil, nil, err.err()
	}
	return loaded.private, findings, nil
}

// LoadPublicKey reads an RSA public key from one PEM block, SPKI or PKCS#1. A private key is read
// too: its public half is used, with a warning. Errors are those of [LoadPrivateKey].
func LoadPublicKey(file []byte, rules KeyRules) (*PublicKey, ledger.Findings, error) {
	loaded, findings, err := loadKey(file, rules)
	if err != nil {
		return nil, nil, err.err()
	}
	if loaded.private != nil {
		return loaded.private.Public(), append(findings, found(KeyPrivateNotNeeded, partKey, "", "")), nil
	}
	return loaded.public, findings, nil
}

type loadedKey struct {
	private *PrivateKey
	public  *PublicKey
}

func loadKey(file []byte, rules KeyRules) (loadedKey, ledger.Findings, *fault) {
	loaded, findings, err := readKey(file, rules)
	if err != nil {
		return loadedKey{}, nil, err
	}
	bits := 0
	if loaded.private != nil {
		bits = loaded.private.Bits()
	} else {
		bits = loaded.public.Bits()
	}
	if bits > builderBits {
		findings = append(findings, found(KeyLarge, partKey, "the key has "+strconv.Itoa(bits)+
			" bits; the request builders of the service take at most 4096", "use a key of 4096 bits"))
	}
	return loaded, findings, nil
}

// SignatureMethod returns MethodRSASHA256.
func (*PrivateKey) SignatureMethod() Method { return MethodRSASHA256 }

// SignatureMethod returns MethodRSASHA256.
func (*PublicKey) SignatureMethod() Method { return MethodRSASHA256 }

func (k *PrivateKey) missing() bool { return k == nil || k.reveal() == nil }

func (k *PublicKey) missing() bool { return k == nil || k.rsa == nil }

// Public returns the public half; that of a zero key is a zero key.
func (k *PrivateKey) Public() *PublicKey {
	if k.missing() {
		return &PublicKey{}
	}
	return &PublicKey{&k.reveal().rsa.PublicKey}
}

// Bits returns the size of the modulus, 0 for a zero key.
func (k *PrivateKey) Bits() int { return k.Public().Bits() }

// Bits returns the size of the modulus, 0 for a zero key.
func (k *PublicKey) Bits() int {
	if k.missing() {
		return 0
	}
	return k.rsa.N.BitLen()
}

// String returns size and fingerprint.
func (k PublicKey) String() string {
	if k.rsa == nil {
		return "RSA public key (none)"
	}
	return "RSA public key, " + strconv.Itoa(k.Bits()) + " bits, " + k.Fingerprint()
}

// Format writes what String returns, under every verb.
func (k PublicKey) Format(w fmt.State, _ rune) { _, _ = io.WriteString(w, k.String()) }

// MarshalText returns what String returns.
func (k PublicKey) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// LogValue returns what String returns.
func (k PublicKey) LogValue() slog.Value { return slog.StringValue(k.String()) }

// Fingerprint identifies a key pair without showing it: "SHA256:" and the hash of the public key's
// SPKI form in 64 hex digits. Both halves of a pair have the same one; a zero key has none.
func (k *PublicKey) Fingerprint() string {
	if k.missing() {
		return ""
	}
	der, err := x509.MarshalPKIXPublicKey(k.rsa)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(der)
	return "SHA256:" + hex.EncodeToString(sum[:])
}

// Equal reports whether both are the same key. Zero keys are equal to nothing.
func (k *PublicKey) Equal(other *PublicKey) bool {
	return !k.missing() && !other.missing() && k.rsa.E == other.rsa.E && bytes.Equal(k.rsa.N.Bytes(), other.rsa.N.Bytes())
}

// Reused warns if testing and production use the same key, which the document asks to avoid (5.4).
func Reused(testing, production *PublicKey) ledger.Findings {
	if !testing.Equal(production) {
		return nil
	}
	return ledger.Findings{found(KeyReused, partKey, "", "")}
}

// sha256Hashers are shared by all RSA keys.
var sha256Hashers sync.Pool

func (*PrivateKey) hasher() *hasher { return new(PublicKey).hasher() }

func (*PublicKey) hasher() *hasher {
	if h, ok := sha256Hashers.Get().(*hasher); ok {
		h.Reset()
		return h
	}
	return newHasher(sha256.New(), &sha256Hashers)
}

func (k *PrivateKey) sign(sum []byte) ([]byte, *fault) {
	signature, err := rsa.SignPKCS1v15(nil, k.reveal().rsa, crypto.SHA256, sum)
	if err != nil || len(signature) == 0 {
		return nil, keyFault(SigningFailed, "", "")
	}
	return signature, nil
}

func (*PrivateKey) signingFindings() ledger.Findings { return nil }

// verify accepts only the encoding with NULL parameters and full padding: crypto/rsa builds it and
// compares.
func (k *PublicKey) verify(sum, signature []byte) bool {
	return len(signature) == k.rsa.Size() && rsa.VerifyPKCS1v15(k.rsa, crypto.SHA256, sum, signature) == nil
}

func (k *PublicKey) possible(signature []byte) bool {
	return len(signature) == k.rsa.Size() && bytes.Compare(signature, k.rsa.N.Bytes()) < 0
}

func (k *PublicKey) signatureSize() int { return k.rsa.Size() }

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
	return &rsa.PublicKey{N: new(big.Int).Set(k.rsa.N), E: k.rsa.E}
}
