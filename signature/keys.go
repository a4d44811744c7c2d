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
	"math/big"
	"strconv"
)

// Limits of keys (L65, 5.4).
const (
	MaxKeyBytes = 64 << 10 // of a key file; the largest key accepted takes a tenth of it
	MinKeyBits  = 2048     // unless KeyRules allow less
	MaxKeyBits  = 8192
	builderBits = 4096 // what the service's request builders take
	floorBits   = 1024 // crypto/rsa refuses less
)

// KeyRules say which keys are loaded.
type KeyRules struct {
	MinBits int // smallest modulus; zero means MinKeyBits, and less than 1024 counts as 1024
}

func (r KeyRules) minBits() int {
	if r.MinBits == 0 {
		return MinKeyBits
	}
	return max(r.MinBits, floorBits)
}

// PrivateKey is an RSA private key, checked when it was loaded. It prints as a mask under every verb.
type PrivateKey struct{ rsa *rsa.PrivateKey }

// PublicKey is an RSA public key, checked when it was loaded. It prints as its size and fingerprint.
type PublicKey struct{ rsa *rsa.PublicKey }

// LoadPrivateKey reads an unencrypted RSA private key from one PEM block, PKCS#1 or PKCS#8 (5.4, R137). Whatever else
// it is given, it says what that is and what to do. The findings are warnings: a byte-order mark, a key of more than
// 4096 bits. The error is an *Error with a code that begins with key, or LimitKey; none shows any part of the file.
func LoadPrivateKey(file []byte, rules KeyRules) (*PrivateKey, []Finding, error) {
	loaded, findings, err := loadKey(file, rules)
	if err != nil {
		return nil, nil, err
	}
	if loaded.private == nil {
		return nil, nil, keyError(KeyKind, "a public key cannot sign", "give the private key that belongs to it")
	}
	return loaded.private, findings, nil
}

// LoadPublicKey reads an RSA public key from one PEM block, SPKI or PKCS#1. A private key is read too: its public half
// is used, with a warning. Errors as for LoadPrivateKey.
func LoadPublicKey(file []byte, rules KeyRules) (*PublicKey, []Finding, error) {
	loaded, findings, err := loadKey(file, rules)
	if err != nil {
		return nil, nil, err
	}
	if loaded.private != nil {
		findings = append(findings, warning(KeyPrivateNotNeeded, "5.4", "this is a private key; only its public half is used",
			"give the public key and keep the private one where it is"))
		return loaded.private.Public(), findings, nil
	}
	return loaded.public, findings, nil
}

type loadedKey struct {
	private *PrivateKey
	public  *PublicKey
}

func loadKey(file []byte, rules KeyRules) (loadedKey, []Finding, error) {
	block, findings, err := readPEM(file)
	if err != nil {
		return loadedKey{}, nil, err
	}
	loaded, refused := block.key(rules)
	if refused != nil {
		return loadedKey{}, nil, refused
	}
	bits := 0
	if loaded.private != nil {
		bits = loaded.private.Bits()
	} else {
		bits = loaded.public.Bits()
	}
	if bits > builderBits {
		findings = append(findings, warning(KeyLarge, "5.4", "the key has "+strconv.Itoa(bits)+
			" bits; the request builders of the service take at most 4096", "use a key of 4096 bits"))
	}
	return loaded, findings, nil
}

func keyError(code Code, rule, remedy string) *Error {
	return &Error{Code: code, Part: PartKey, Offset: noOffset, Rule: rule, Remedy: remedy, Clause: "5.4"}
}

// checkNumbers judges modulus and exponent before anything is computed with them (L65).
func checkNumbers(n, e *big.Int, rules KeyRules) *Error {
	bits := n.BitLen()
	switch {
	case n.Sign() <= 0 || e.Sign() <= 0:
		return keyError(KeyMalformed, "a number of the key is zero or negative", "make a new key")
	case bits > MaxKeyBits:
		return keyError(KeyTooLarge, "the key has "+strconv.Itoa(bits)+" bits, at most "+strconv.Itoa(MaxKeyBits)+" are taken",
			"use a key of 4096 bits")
	case bits < rules.minBits():
		return keyError(KeyWeak, "the key has "+strconv.Itoa(bits)+" bits, at least "+strconv.Itoa(rules.minBits())+" are needed",
			"make one: openssl genrsa -out key.pem 4096")
	case n.Bit(0) == 0:
		return keyError(KeyMalformed, "the modulus is even", "make a new key")
	case e.BitLen() > 31 || e.Bit(0) == 0 || e.Int64() < 3:
		return keyError(KeyMalformed, "the public exponent is even, tiny or huge", "make a new key; 65537 is usual")
	}
	return nil
}

// SignatureMethod is RSASHA256.
func (*PrivateKey) SignatureMethod() Method { return RSASHA256 }

// SignatureMethod is RSASHA256.
func (*PublicKey) SignatureMethod() Method { return RSASHA256 }

// Public is the public half.
func (k *PrivateKey) Public() *PublicKey { return &PublicKey{&k.rsa.PublicKey} }

// Bits is the size of the modulus.
func (k *PrivateKey) Bits() int { return k.rsa.N.BitLen() }

// Bits is the size of the modulus.
func (k *PublicKey) Bits() int { return k.rsa.N.BitLen() }

// String masks the key.
func (k *PrivateKey) String() string {
	return "RSA private key, " + strconv.Itoa(k.Bits()) + " bits (masked)"
}

// GoString masks the key.
func (k *PrivateKey) GoString() string { return k.String() }

// Format masks the key under every verb.
func (k *PrivateKey) Format(w fmt.State, _ rune) { _, _ = io.WriteString(w, k.String()) }

// String gives size and fingerprint.
func (k *PublicKey) String() string {
	return "RSA public key, " + strconv.Itoa(k.Bits()) + " bits, " + k.Fingerprint().String()
}

// GoString gives size and fingerprint.
func (k *PublicKey) GoString() string { return k.String() }

// Format gives size and fingerprint under every verb.
func (k *PublicKey) Format(w fmt.State, _ rune) { _, _ = io.WriteString(w, k.String()) }

// Fingerprint names a key pair without showing it: the SHA-256 of the public key's SPKI form. Both halves of a pair
// have the same one. The zero Fingerprint is none.
type Fingerprint [sha256.Size]byte

// String is "SHA256:" and 64 hex digits.
func (f Fingerprint) String() string { return "SHA256:" + hex.EncodeToString(f[:]) }

// Fingerprint identifies the key.
func (k *PublicKey) Fingerprint() Fingerprint {
	der, err := x509.MarshalPKIXPublicKey(k.rsa)
	if err != nil {
		return Fingerprint{}
	}
	return sha256.Sum256(der)
}

// Fingerprint identifies the pair: it is that of the public half.
func (k *PrivateKey) Fingerprint() Fingerprint { return k.Public().Fingerprint() }

// Reused warns where testing and production share a key, which the document asks to avoid (5.4, R136). It is empty for
// two different keys and where one of them is the zero Fingerprint.
func Reused(testing, production Fingerprint) []Finding {
	if testing != production || testing == (Fingerprint{}) {
		return nil
	}
	return []Finding{warning(KeyReused, "5.4", "testing and production use one key", "make a key for each")}
}

func (k *PrivateKey) sign(buf []byte) ([]byte, *Error) {
	digest := sha256.Sum256(buf[macBlock:])
	signature, err := rsa.SignPKCS1v15(nil, k.rsa, crypto.SHA256, digest[:])
	if err != nil || len(signature) == 0 {
		return nil, &Error{Code: SigningFailed, Part: PartKey, Offset: noOffset, Rule: "the key did not sign",
			Remedy: "check the key with: openssl rsa -check -noout", Clause: "5.3"}
	}
	return signature, nil
}

func (*PrivateKey) signingFindings() []Finding { return nil }

// verify accepts the one encoding with NULL parameters and full padding: crypto/rsa builds it and compares.
func (k *PublicKey) verify(buf, signature []byte) bool {
	if len(signature) != k.rsa.Size() {
		return false
	}
	digest := sha256.Sum256(buf[macBlock:])
	return rsa.VerifyPKCS1v15(k.rsa, crypto.SHA256, digest[:], signature) == nil
}

func (k *PublicKey) signatureSize() int { return k.rsa.Size() }

// Equal tells whether both are the same key.
func (k *PublicKey) Equal(other *PublicKey) bool {
	return k.rsa.E == other.rsa.E && bytes.Equal(k.rsa.N.Bytes(), other.rsa.N.Bytes())
}
