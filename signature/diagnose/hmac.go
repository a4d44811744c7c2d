package diagnose

import (
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"hash"

	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/internal/base"
)

// A keyForm is a way to make the HMAC key.
type keyForm uint8

const (
	keyRight keyForm = iota
	keyRaw
	keyNoAmpersand
	keyNoAmpersandRaw
	keyLF
	keyCRLF
	keyLFRaw
	keyCRLFRaw
	keySwapped
	keyNull // and those after it: the words of nullWords
)

// nullWords are what an absent token secret becomes in other languages, encoded; C and Objective-C
// print theirs where nothing encodes it any more.
func nullWords() []string {
	return []string{"null", "None", "%28null%29", "(null)", "nil", "undefined"}
}

// text returns the key as a mistake makes it.
func (k keyForm) text(consumer, token string) string {
	encoded, encodedToken := signature.Encode(consumer), signature.Encode(token)
	switch k {
	case keyRight:
		return encoded + "&" + encodedToken
	case keyRaw:
		return consumer + "&" + token
	case keyNoAmpersand:
		return encoded + encodedToken
	case keyNoAmpersandRaw:
		return consumer + token
	case keyLF:
		return encoded + "%0A&" + encodedToken
	case keyCRLF:
		return encoded + "%0D%0A&" + encodedToken
	case keyLFRaw:
		return consumer + "\n&" + token
	case keyCRLFRaw:
		return consumer + "\r\n&" + token
	case keySwapped:
		return encodedToken + "&" + encoded
	}
	return encoded + "&" + nullWords()[k-keyNull]
}

// A hashForm is the hash of an HMAC.
type hashForm uint8

const (
	hashRight hashForm = iota
	hashSHA256
	hashSHA512
)

func (h hashForm) new() func() hash.Hash {
	return [...]func() hash.Hash{hashRight: sha1.New, hashSHA256: sha256.New, hashSHA512: sha512.New}[h]
}

func (h hashForm) size() int {
	return [...]int{hashRight: sha1.Size, hashSHA256: sha256.Size, hashSHA512: sha512.Size}[h]
}

// An hmacJudge compares HMACs under the right key and under every wrong one.
type hmacJudge struct {
	readings        []reading
	consumer, token string
	macs            map[macKey]hash.Hash
}

type macKey struct {
	key  keyForm
	hash hashForm
}

func newHMACJudge(s *signature.Secret, text string) *hmacJudge {
	consumer, token := s.Texts(base.Open())
	return &hmacJudge{readSignature(text), consumer, token, map[macKey]hash.Hash{}}
}

func (j *hmacJudge) sizes() []int {
	var all [][]string
	for _, r := range j.readings {
		all = append(all, r.ids)
	}
	return sizesOf(all)
}

func (j *hmacJudge) proven(s *stages, pieces [4][]byte, own int, yield func(ids []string)) (hashed int) {
	var sum []byte
	for _, reading := range j.readings {
		if len(reading.ids) != own || len(reading.raw) != s.hash.size() {
			continue
		}
		if sum == nil {
			sum, hashed = j.sum(s, pieces)
		}
		if hmac.Equal(sum, reading.raw) {
			yield(reading.ids)
		}
	}
	return hashed
}

func (j *hmacJudge) sum(s *stages, pieces [4][]byte) (sum []byte, hashed int) {
	which := macKey{s.key, s.hash}
	mac := j.macs[which]
	if mac == nil {
		mac = hmac.New(s.hash.new(), []byte(s.key.text(j.consumer, j.token)))
		j.macs[which] = mac
	}
	return sumOf(mac, pieces)
}

func (j *hmacJudge) facts() []string {
	for _, r := range j.readings {
		if len(r.raw) == sha1.Size {
			return []string{"it has the length of HMAC-SHA1, so the secret or a signed value differs from the one given here"}
		}
	}
	return []string{"its length is not that of HMAC-SHA1, which is 20 bytes"}
}
