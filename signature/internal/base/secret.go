package base

import (
	"crypto/hmac"
	"crypto/sha1"
	"fmt"
	"hash"
	"io"
	"log/slog"
)

// A Secret hides a value from packages that print, log, encode or walk through whole values: none
// of them calls a function. Types embed it; the zero Secret hides nothing.
type Secret[T interface{ Label() string }] struct{ value func() *T }

// Hide returns a Secret with a value, which must not change.
func Hide[T interface{ Label() string }](value T) Secret[T] {
	return Secret[T]{func() *T { return &value }}
}

// Open returns the value of a Secret, and nil for the zero Secret. It must not be changed.
func Open[T interface{ Label() string }](s Secret[T]) *T { return s.open() }

func (s Secret[T]) open() *T {
	if s.value == nil {
		return nil
	}
	return s.value()
}

// String returns a text that stands for the value.
func (s Secret[T]) String() string {
	var none T
	if v := s.open(); v != nil {
		return (*v).Label() + " (hidden)"
	}
	return none.Label() + " (none)"
}

// Format writes what String returns, under every verb.
func (s Secret[T]) Format(w fmt.State, _ rune) { _, _ = io.WriteString(w, s.String()) }

// MarshalText returns what String returns: the value has no text form that can be read back.
func (s Secret[T]) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// LogValue returns what String returns.
func (s Secret[T]) LogValue() slog.Value { return slog.StringValue(s.String()) }

// An HMACSecret is the consumer secret of an HMAC key, and the key of HMAC: the encoded secret, an
// ampersand, and the token secret, which is empty (5.3, L64).
type HMACSecret struct {
	Text string
	Key  []byte
	mac  hash.Hash // under Key; nothing is ever written to it
}

// NewHMACSecret returns the secret with its key.
func NewHMACSecret(text string) HMACSecret {
	key := append(AppendEncoded(nil, text), '&')
	return HMACSecret{text, key, hmac.New(sha1.New, key)}
}

// NewMAC returns HMAC-SHA1 under the key, to which nothing is written yet.
func (s HMACSecret) NewMAC() hash.Hash {
	if mac, ok := s.mac.(hash.Cloner); ok {
		if clone, err := mac.Clone(); err == nil {
			return clone
		}
	}
	return hmac.New(sha1.New, s.Key) // where crypto/hmac is another one, such as that of boringcrypto
}

// Label returns what the secret is.
func (HMACSecret) Label() string { return "HMAC secret" }

// SecretText returns the secret of an HMAC key of package signature, from which package diagnose
// makes wrong keys. It reports whether key is one.
func SecretText(key any) (string, bool) {
	if k, ok := key.(interface{ open() *HMACSecret }); ok {
		return k.open().Text, true
	}
	return "", false
}
