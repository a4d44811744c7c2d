package signature

import (
	"crypto/sha1"
	"encoding"
)

// A macKey is a key of HMAC-SHA1 (RFC 2104): the states of SHA-1 after the first block of the inner
// and of the outer hash, which depend on the key alone. With them nothing is allocated for a
// signature and two blocks are not hashed again; crypto/hmac would allocate five objects.
type macKey struct{ inner, outer []byte }

func newMACKey(key []byte) macKey {
	if len(key) > sha1.BlockSize {
		digest := sha1.Sum(key)
		key = digest[:]
	}
	return macKey{stateAfter(key, 0x36), stateAfter(key, 0x5c)}
}

// stateAfter returns the state of SHA-1 after one block: the key and zeros, each byte combined with
// pad.
func stateAfter(key []byte, pad byte) []byte {
	var block [sha1.BlockSize]byte
	copy(block[:], key)
	for i := range block {
		block[i] ^= pad
	}
	h := sha1.New()
	_, _ = h.Write(block[:])
	state, _ := h.(encoding.BinaryAppender).AppendBinary(nil) // a hash of crypto/sha1 is one and never fails
	return state
}

// sum returns the HMAC of a text.
func (k *macKey) sum(text []byte) [sha1.Size]byte {
	inner := resume(k.inner, text)
	return resume(k.outer, inner[:])
}

// resume returns the SHA-1 of what a state has read and a text. The hash stays on the stack, since
// the compiler sees which type it has.
func resume(state, text []byte) (sum [sha1.Size]byte) {
	h := sha1.New()
	_ = h.(encoding.BinaryUnmarshaler).UnmarshalBinary(state) // never fails: state is from stateAfter
	_, _ = h.Write(text)
	h.Sum(sum[:0])
	return sum
}
