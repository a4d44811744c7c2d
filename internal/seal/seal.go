// Package seal encrypts what a store of the gateway keeps and must not show.
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"sync"
)

// KeySize is the length of a key in bytes.
const KeySize = 32

// A Sealer encrypts control keys and callback addresses, and hashes what must be told apart without
// being shown. One key serves both, by way of a key of its own for each.
type Sealer struct {
	aead   cipher.AEAD
	hashes sync.Pool // of hash.Hash
}

// New returns a Sealer with a key of [KeySize] bytes; nil draws one.
func New(key []byte) (*Sealer, error) {
	if key == nil {
		key = make([]byte, KeySize)
		_, _ = rand.Read(key) // never fails
	}
	if len(key) != KeySize {
		return nil, errors.New("the key must have 32 bytes")
	}
	block, err := aes.NewCipher(derive(key, "chargecast: seal control keys"))
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	hashing := derive(key, "chargecast: hash cards")
	return &Sealer{aead: aead, hashes: sync.Pool{New: func() any { return hmac.New(sha256.New, hashing) }}}, nil
}

func derive(key []byte, purpose string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(purpose))
	return mac.Sum(nil)
}

// Seal encrypts a text for a merchant. Another merchant's record cannot borrow it.
func (s *Sealer) Seal(login, text string) []byte {
	nonce := make([]byte, s.aead.NonceSize())
	_, _ = rand.Read(nonce) // never fails
	return s.aead.Seal(nonce, nonce, []byte(text), []byte(login))
}

// Open decrypts what [Sealer.Seal] returned; false under another key.
func (s *Sealer) Open(login string, sealed []byte) (string, bool) {
	n := s.aead.NonceSize()
	if len(sealed) < n {
		return "", false
	}
	text, err := s.aead.Open(nil, sealed[:n], sealed[n:], []byte(login))
	return string(text), err == nil
}

// Hash returns the keyed hash of a text, such as a card number, in hex.
func (s *Sealer) Hash(text string) string {
	mac := s.hashes.Get().(hash.Hash)
	defer s.hashes.Put(mac)
	mac.Reset()
	mac.Write([]byte(text))
	var sum [sha256.Size]byte
	return hex.EncodeToString(mac.Sum(sum[:0])[:16])
}
