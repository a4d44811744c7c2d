package diagnose

import (
	"bytes"
	"crypto"
	"crypto/md5"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/subtle"
	"encoding/hex"
	"hash"
	"math/big"
	"slices"
	"strconv"
)

// An rsaHash is a hash that a signature may name.
type rsaHash struct {
	name   string
	hash   crypto.Hash
	prefix string // its DigestInfo, in front of the digest
	new    func() hash.Hash
}

func (h rsaHash) sum(text ...[]byte) []byte {
	state := h.new()
	for _, piece := range text {
		_, _ = state.Write(piece)
	}
	return state.Sum(nil)
}

// rsaHashes lists SHA-256 first: it is the right one.
func rsaHashes() []rsaHash {
	return []rsaHash{
		{"SHA-256", crypto.SHA256, "\x30\x31\x30\x0d\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02\x01\x05\x00\x04\x20", sha256.New},
		{"SHA-1", crypto.SHA1, "\x30\x21\x30\x09\x06\x05\x2b\x0e\x03\x02\x1a\x05\x00\x04\x14", sha1.New},
		{"SHA-384", crypto.SHA384, "\x30\x41\x30\x0d\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02\x02\x05\x00\x04\x30", sha512.New384},
		{"SHA-512", crypto.SHA512, "\x30\x51\x30\x0d\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02\x03\x05\x00\x04\x40", sha512.New},
		{"MD5", crypto.MD5, "\x30\x20\x30\x0c\x06\x08\x2a\x86\x48\x86\xf7\x0d\x02\x05\x05\x00\x04\x10", md5.New},
	}
}

// minBits is the size of the smallest key that may have signed.
const minBits = 1024

// An rsaMatch is one way to read what a signature recovers to.
type rsaMatch struct {
	ids  []string
	hash rsaHash
	fits func(digest []byte) bool // whether a candidate's digest under hash is the signed one
}

// An rsaMatcher recovers the digest once with the public key; a candidate costs no RSA operation.
type rsaMatcher struct {
	key      *rsa.PublicKey
	states   map[crypto.Hash]hash.Hash
	readings []rsaMatch
	other    [][]string // sets that blame the key: nothing readable was recovered
	named    string     // the hash that the signature names, for the facts
	length   string     // what the length of the signature says, where only another key explains it
}

func newRSAMatcher(key *rsa.PublicKey, text string) *rsaMatcher {
	m := &rsaMatcher{key: key, states: map[crypto.Hash]hash.Hash{}}
	all := readSignature(text)
	for _, r := range all {
		if len(r.raw) != key.Size() {
			continue
		}
		m.recover(r.raw, r.ids)
		reversed := slices.Clone(r.raw)
		slices.Reverse(reversed)
		m.recover(reversed, append(slices.Clip(r.ids), idLittleEndian))
	}
	if len(m.readings) > 0 {
		return m
	}
	m.other = blameKey(all, key.Size())
	if len(m.other) > 0 && len(all[0].raw) != key.Size() && len(m.other[0]) == 1 {
		m.length = "the signature has " + strconv.Itoa(len(all[0].raw)) + " bytes, and one of this key has " + strconv.Itoa(key.Size()) + ": another key signed"
	}
	return m
}

// blameKey returns the sets for a signature from which nothing readable is recovered: its readings
// of the key's length, or else a plain one whose length only another key gives.
func blameKey(all []signatureBytes, size int) [][]string {
	var sets [][]string
	for _, r := range all {
		if len(r.raw) == size {
			sets = append(sets, append(slices.Clip(r.ids), idOtherKey))
		}
	}
	if len(sets) == 0 && len(all) > 0 && all[0].ids == nil {
		if n := len(all[0].raw); n >= minBits/8 && n%8 == 0 {
			return [][]string{{idOtherKey}}
		}
	}
	return sets
}

// recover computes signature^e mod n and looks for a known padding in it.
func (m *rsaMatcher) recover(signature []byte, ids []string) {
	value := new(big.Int).SetBytes(signature)
	if value.Cmp(m.key.N) >= 0 {
		return
	}
	value.Exp(value, big.NewInt(int64(m.key.E)), m.key.N)
	em := value.FillBytes(make([]byte, m.key.Size()))
	if content, ok := unpadPKCS1(em); ok {
		m.readContent(content, ids)
	}
	for _, h := range rsaHashes() {
		if fits, ok := readPSS(em, m.key.N.BitLen()-1, h); ok {
			m.add(h, append(slices.Clip(ids), idPSS), fits)
		}
	}
}

// unpadPKCS1 removes 00 01 FF… 00.
func unpadPKCS1(em []byte) ([]byte, bool) {
	if len(em) < 11 || em[0] != 0 || em[1] != 1 {
		return nil, false
	}
	end := 2
	for end < len(em) && em[end] == 0xff {
		end++
	}
	if end < 10 || end == len(em) || em[end] != 0 {
		return nil, false
	}
	return em[end+1:], true
}

func (m *rsaMatcher) readContent(content []byte, ids []string) {
	for _, h := range rsaHashes() {
		digest, named := bytes.CutPrefix(content, []byte(h.prefix))
		if named && len(digest) == h.hash.Size() {
			m.named = h.name
			m.add(h, ids, func(own []byte) bool { return bytes.Equal(own, digest) })
			m.add(h, append(slices.Clip(ids), idHashedTwice), func(own []byte) bool {
				return bytes.Equal(h.sum(own), digest) || bytes.Equal(h.sum([]byte(hex.EncodeToString(own))), digest)
			})
		}
		if len(content) == h.hash.Size() {
			m.add(h, append(slices.Clip(ids), idBareDigest), func(own []byte) bool { return bytes.Equal(own, content) })
		}
	}
}

// add adds a reading; a hash other than SHA-256 is one more mistake.
func (m *rsaMatcher) add(h rsaHash, ids []string, fits func([]byte) bool) {
	ids = slices.Clip(ids)
	if h.hash != crypto.SHA256 {
		ids = append(ids, idWrongHash)
	}
	m.readings = append(m.readings, rsaMatch{ids, h, fits})
}

// readPSS checks an EMSA-PSS encoding (RFC 8017, 9.1.2) as far as that goes without the message,
// for any salt length, and returns the rest of the check.
func readPSS(em []byte, bits int, h rsaHash) (func([]byte) bool, bool) {
	size, length := h.hash.Size(), (bits+7)/8
	if len(em) > length {
		if em[0] != 0 {
			return nil, false
		}
		em = em[len(em)-length:]
	}
	if len(em) < size+2 || em[len(em)-1] != 0xbc {
		return nil, false
	}
	db, digest := slices.Clone(em[:len(em)-size-1]), em[len(em)-size-1:len(em)-1]
	clear := 8*len(em) - bits
	if db[0]>>(8-clear) != 0 {
		return nil, false
	}
	unmask(db, digest, h)
	db[0] &= 0xff >> clear
	one := bytes.IndexFunc(db, func(r rune) bool { return r != 0 })
	if one < 0 || db[one] != 1 {
		return nil, false
	}
	salt := db[one+1:]
	return func(own []byte) bool {
		message := append(make([]byte, 8, 8+len(own)+len(salt)), own...)
		return bytes.Equal(h.sum(append(message, salt...)), digest)
	}, true
}

// unmask applies MGF1.
func unmask(db, seed []byte, h rsaHash) {
	for counter := 0; counter*h.hash.Size() < len(db); counter++ {
		mask := h.sum(append(slices.Clone(seed), byte(counter>>24), byte(counter>>16), byte(counter>>8), byte(counter)))
		part := db[counter*h.hash.Size():]
		subtle.XORBytes(part, part, mask)
	}
}

func (m *rsaMatcher) sizes() []int {
	all := slices.Clone(m.other)
	for _, p := range m.readings {
		all = append(all, p.ids)
	}
	return sizesOf(all)
}

func (m *rsaMatcher) match(_ *candidate, pieces [4][]byte, own int, yield func(ids []string)) {
	digests := map[crypto.Hash][]byte{}
	for _, r := range m.readings {
		if len(r.ids) != own {
			continue
		}
		digest := digests[r.hash.hash]
		if digest == nil {
			state := m.states[r.hash.hash]
			if state == nil {
				state = r.hash.new()
				m.states[r.hash.hash] = state
			}
			digest = sumOf(state, pieces)
			digests[r.hash.hash] = digest
		}
		if r.fits(digest) {
			yield(r.ids)
		}
	}
}

// otherKey yields the sets that blame the key.
func (m *rsaMatcher) otherKey(size int, yield func(ids []string)) {
	for _, ids := range m.other {
		if len(ids) == size {
			yield(ids)
		}
	}
}

func (m *rsaMatcher) facts() []string {
	switch {
	case m.named != "":
		return []string{"the key fits and the signature names " + m.named + ", so a signed value or the URL differs from what is given here"}
	case len(m.readings) > 0:
		return []string{"the key fits, but the padding is not that of RSASSA-PKCS1-v1_5"}
	}
	return []string{"its length is not that of a signature of this key"}
}
