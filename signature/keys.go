package signature

import (
	"bytes"
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"sync"

	"github.com/chargecast/chargecast/ledger"
)

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

func (k *PrivateKey) missing() bool { return k == nil || k.v == nil }

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
