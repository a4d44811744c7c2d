package signature

import (
	"bytes"
	"crypto"
	"crypto/fips140"
	"crypto/hmac"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"math/big"
	"strconv"
	"strings"

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

// A SigningKey is a *PrivateKey or an *HMACKey.
//
//sumtype:decl
type SigningKey interface {
	SignatureMethod() Method
	Findings() ledger.Findings // warnings about the key
	newHash() hash.Hash
	sign(sum []byte) ([]byte, error)
	missing() bool
}

// A VerifyingKey is a *PublicKey or an *HMACKey. A private key verifies by its Public half.
//
//sumtype:decl
type VerifyingKey interface {
	SignatureMethod() Method
	Findings() ledger.Findings // warnings about the key
	newHash() hash.Hash
	possible(signature []byte) bool // whether a signature of this key can be these bytes
	verify(sum, signature []byte) bool
	signatureSize() int
	missing() bool
}

// checkKey refuses a nil interface, a nil pointer and a zero key.
func checkKey(key interface{ missing() bool }) error {
	if key == nil || key.missing() {
		return found(KeyMissing, partKey, "", "")
	}
	return nil
}

// An HMACKey is the key of HMAC-SHA1: the percent-encoded consumer secret (the merchant control
// key) and an ampersand (5.3, L64). It shows nothing of the secret when it is printed, logged or
// marshalled. It never changes and can be shared. The zero HMACKey is no key: nothing is signed or
// verified with it.
type HMACKey struct{ secret[base.HMACSecret] }

// NewHMACKey returns the key of a secret. An empty secret is an error with the code [SecretEmpty],
// and any secret one with [MethodForbidden] in a process that may not use SHA-1
// (GODEBUG=fips140=only).
func NewHMACKey(secret string) (*HMACKey, error) {
	switch {
	case fips140.Enforced():
		return nil, found(MethodForbidden, base.PartMethod, "", "")
	case secret == "":
		return nil, found(SecretEmpty, partSecret, "", "")
	}
	return &HMACKey{base.Hide(base.NewHMACSecret(secret))}, nil
}

// SignatureMethod returns MethodHMACSHA1.
func (*HMACKey) SignatureMethod() Method { return MethodHMACSHA1 }

// Findings warns if the raw secret would give another key than the encoded one (L64), and says so
// if it is a key file, as RSA-SHA256 has.
func (k *HMACKey) Findings() ledger.Findings {
	if k.missing() || !base.NeedsEncoding(base.Open(k.secret).Text) {
		return nil
	}
	if strings.Contains(base.Open(k.secret).Text, "-----BEGIN ") {
		return ledger.Findings{found(SecretEncoded, partSecret, "the secret is a key file in PEM, which is for RSA-SHA256", "read it as a private key, or use the merchant control key")}
	}
	return ledger.Findings{found(SecretEncoded, partSecret, "", "")}
}

func (k *HMACKey) missing() bool { return k == nil || base.Open(k.secret) == nil }

func (k *HMACKey) newHash() hash.Hash { return base.Open(k.secret).NewMAC() }

func (*HMACKey) sign(sum []byte) ([]byte, error) { return sum, nil }

func (*HMACKey) verify(sum, signature []byte) bool { return hmac.Equal(sum, signature) }

func (*HMACKey) possible(signature []byte) bool { return len(signature) == sha1.Size }

func (*HMACKey) signatureSize() int { return sha1.Size }

// Limits of keys (L65, 5.4).
const (
	maxKeyBytes = 64 << 10 // of a key file; the largest key accepted takes a tenth of it
	minKeyBits  = 2048
	maxKeyBits  = 8192
	builderBits = 4096 // the most that the service's request builders take
)

// A PrivateKey is an RSA private key, checked when it was parsed. It shows nothing but its size
// when it is printed, logged or marshalled. The zero PrivateKey is no key: nothing is signed with
// it.
type PrivateKey struct{ secret[rsaPrivate] }

type rsaPrivate struct {
	rsa      *rsa.PrivateKey
	findings ledger.Findings
}

// Label returns what the key is.
func (k rsaPrivate) Label() string {
	if k.rsa == nil {
		return "RSA private key"
	}
	return "RSA private key, " + strconv.Itoa(k.rsa.N.BitLen()) + " bits"
}

// ParsePrivateKey reads an unencrypted RSA private key from one PEM block, PKCS#1 or PKCS#8, of
// 2048 to 8192 bits (5.4, L65). For anything else the error says what the file is and what to do:
// its code begins with key, or is [LimitKey] for more than 65,536 bytes. It shows no part of the
// file.
func ParsePrivateKey(pem []byte) (*PrivateKey, error) {
	key, err := readKey(pem)
	if err != nil {
		return nil, err
	}
	if key.private == nil {
		return nil, keyProblem(KeyKind, "a public key cannot sign", "use the private key that belongs to it")
	}
	return &PrivateKey{base.Hide(rsaPrivate{key.private, key.findings})}, nil
}

// A PublicKey is an RSA public key, checked when it was parsed. It prints as its size and
// fingerprint. The zero PublicKey is no key: nothing is verified with it.
type PublicKey struct {
	rsa      *rsa.PublicKey
	findings ledger.Findings
}

// ParsePublicKey reads an RSA public key from one PEM block, SPKI or PKCS#1. A private key is read
// too: its public half is used, with a warning. Errors are those of [ParsePrivateKey].
func ParsePublicKey(pem []byte) (*PublicKey, error) {
	key, err := readKey(pem)
	if err != nil {
		return nil, err
	}
	if key.private != nil {
		key.findings = append(key.findings, found(KeyPrivateNotNeeded, partKey, "", ""))
	}
	return &PublicKey{key.public, key.findings}, nil
}

// SignatureMethod returns MethodRSASHA256.
func (*PrivateKey) SignatureMethod() Method { return MethodRSASHA256 }

// SignatureMethod returns MethodRSASHA256.
func (*PublicKey) SignatureMethod() Method { return MethodRSASHA256 }

// Findings returns warnings about the key file: a byte-order mark, a key of more than 4096 bits.
func (k *PrivateKey) Findings() ledger.Findings {
	if k.missing() {
		return nil
	}
	return base.Open(k.secret).findings
}

// Findings returns warnings about the key file: those of a private key, and that it is one.
func (k *PublicKey) Findings() ledger.Findings {
	if k.missing() {
		return nil
	}
	return k.findings
}

func (k *PrivateKey) missing() bool { return k == nil || base.Open(k.secret) == nil }

func (k *PublicKey) missing() bool { return k == nil || k.rsa == nil }

// Public returns the public half; that of a zero key is a zero key.
func (k *PrivateKey) Public() *PublicKey {
	if k.missing() {
		return &PublicKey{}
	}
	return &PublicKey{rsa: &base.Open(k.secret).rsa.PublicKey}
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

// MarshalText returns what String returns.
func (k PublicKey) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// Fingerprint identifies a key pair without showing it: "SHA256:" and the hash of the public key's
// SPKI form in 64 hex digits. Both halves of a pair have the same one; a zero key has none.
func (k *PublicKey) Fingerprint() string {
	if k.missing() {
		return ""
	}
	der, err := publicDER(k.rsa)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(der)
	return "SHA256:" + hex.EncodeToString(sum[:])
}

// RSA returns a copy of the key for package crypto/rsa; nil for a zero key.
func (k *PublicKey) RSA() *rsa.PublicKey {
	if k.missing() {
		return nil
	}
	return &rsa.PublicKey{N: new(big.Int).Set(k.rsa.N), E: k.rsa.E}
}

func (*PrivateKey) newHash() hash.Hash { return sha256.New() }

func (*PublicKey) newHash() hash.Hash { return sha256.New() }

func (k *PrivateKey) sign(sum []byte) ([]byte, error) {
	signature, err := rsa.SignPKCS1v15(nil, base.Open(k.secret).rsa, crypto.SHA256, sum)
	if err != nil || len(signature) == 0 {
		return nil, keyProblem(SigningFailed, "", "")
	}
	return signature, nil
}

// verify accepts only the encoding with NULL parameters and full padding: crypto/rsa builds it and
// compares.
func (k *PublicKey) verify(sum, signature []byte) bool {
	return len(signature) == k.rsa.Size() && rsa.VerifyPKCS1v15(k.rsa, crypto.SHA256, sum, signature) == nil
}

func (k *PublicKey) possible(signature []byte) bool {
	return len(signature) == k.rsa.Size() && bytes.Compare(signature, k.rsa.N.Bytes()) < 0
}

func (k *PublicKey) signatureSize() int { return k.rsa.Size() }
