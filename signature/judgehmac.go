package signature

import (
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"hash"
	"slices"
)

// An hmacJudge compares HMACs under the right key and under every wrong one.
type hmacJudge struct {
	readings []reading
	keys     []hmacKey
}

type hmacKey struct {
	text []byte
	mac  hash.Hash
}

func newHMACJudge(s *Secret, text string) *hmacJudge {
	j := &hmacJudge{readings: readSignature(text)}
	for k := range int(keyNull) + nullCount {
		key := []byte(s.wrongKey(keyForm(k)))
		j.keys = append(j.keys, hmacKey{key, hmac.New(sha1.New, key)})
	}
	return j
}

// wrongKey returns the HMAC key as a mistake makes it.
func (s *Secret) wrongKey(form keyForm) string {
	consumer, token := Encode(s.reveal().consumer), Encode(s.reveal().token)
	switch form {
	case keyRight:
		return consumer + "&" + token
	case keyRaw:
		return s.reveal().consumer + "&" + s.reveal().token
	case keyNoAmpersand:
		return consumer + token
	case keyNoAmpersandRaw:
		return s.reveal().consumer + s.reveal().token
	case keyLF:
		return consumer + "%0A&" + token
	case keyCRLF:
		return consumer + "%0D%0A&" + token
	case keyLFRaw:
		return s.reveal().consumer + "\n&" + s.reveal().token
	case keyCRLFRaw:
		return s.reveal().consumer + "\r\n&" + s.reveal().token
	case keySwapped:
		return token + "&" + consumer
	case keyNull:
	}
	return consumer + "&" + nullWords()[form-keyNull]
}

func (j *hmacJudge) sizes() []int {
	var sizes []int
	for _, r := range j.readings {
		if !slices.Contains(sizes, len(r.ids)) {
			sizes = append(sizes, len(r.ids))
		}
	}
	return sizes
}

func (j *hmacJudge) proven(base []byte, r *restRecipe, own int, yield func(ids []string)) {
	var sum []byte
	for _, reading := range j.readings {
		if len(reading.ids) != own || len(reading.raw) != r.hash.size() {
			continue
		}
		if sum == nil {
			sum = j.sum(base, r)
		}
		if hmac.Equal(sum, reading.raw) {
			yield(reading.ids)
		}
	}
}

func (j *hmacJudge) sum(base []byte, r *restRecipe) []byte {
	key := &j.keys[r.key]
	mac := key.mac
	switch r.hash {
	case hashRight:
		mac.Reset()
	case hashSHA256:
		mac = hmac.New(sha256.New, key.text)
	case hashSHA512:
		mac = hmac.New(sha512.New, key.text)
	}
	mac.Write(base)
	return mac.Sum(nil)
}

func (h hashForm) size() int {
	switch h {
	case hashSHA256:
		return sha256.Size
	case hashSHA512:
		return sha512.Size
	case hashRight:
	}
	return sha1.Size
}

func (j *hmacJudge) facts() []string {
	for _, r := range j.readings {
		if len(r.raw) == sha1.Size {
			return []string{"it has the length of HMAC-SHA1, so the secret or a signed value differs from the one given here"}
		}
	}
	return []string{"its length is not that of HMAC-SHA1, which is 20 bytes"}
}
