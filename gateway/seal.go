package gateway

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"sync"
)

// keySize is the length of Config.Key.
const keySize = 32

// A sealer seals control keys and callback addresses, and hashes what must be told apart without being shown. One key
// serves both, by way of a key of its own for each.
type sealer struct {
	aead   cipher.AEAD
	hashes sync.Pool // of hash.Hash
}

func newSealer(key []byte) (*sealer, error) {
	if key == nil {
		key = make([]byte, keySize)
		_, _ = rand.Read(key) // never fails
	}
	if len(key) != keySize {
		return nil, inField("Key", "the key has not 32 bytes", "make it of 32 random bytes")
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
	return &sealer{aead: aead, hashes: sync.Pool{New: func() any { return hmac.New(sha256.New, hashing) }}}, nil
}

func derive(key []byte, purpose string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(purpose))
	return mac.Sum(nil)
}

// seal encrypts a text for a merchant. Another merchant's record cannot borrow it.
func (s *sealer) seal(login, text string) []byte {
	nonce := make([]byte, s.aead.NonceSize())
	_, _ = rand.Read(nonce) // never fails
	return s.aead.Seal(nonce, nonce, []byte(text), []byte(login))
}

// open decrypts what seal returned; false under another key.
func (s *sealer) open(login string, sealed []byte) (string, bool) {
	n := s.aead.NonceSize()
	if len(sealed) < n {
		return "", false
	}
	text, err := s.aead.Open(nil, sealed[:n], sealed[n:], []byte(login))
	return string(text), err == nil
}

// cardHash returns the keyed hash of a card number, in hex.
func (s *sealer) cardHash(number string) string {
	mac := s.hashes.Get().(hash.Hash)
	defer s.hashes.Put(mac)
	mac.Reset()
	mac.Write([]byte(number))
	var sum [sha256.Size]byte
	return hex.EncodeToString(mac.Sum(sum[:0])[:16])
}
