package diagnose

import (
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"hash"
	"strings"

	"github.com/chargecast/chargecast/signature"
)

// nullWords are what an absent token secret becomes in other languages, encoded; C and Objective-C
// print theirs where nothing encodes it any more.
var nullWords = [...]string{"null", "None", "%28null%29", "(null)", "nil", "undefined"}

// secretNames are names that a line of a settings file may have before a secret.
var secretNames = [...]string{"NAME", "SECRET", "KEY", "CONTROL_KEY", "CONTROLKEY", "MERCHANT_CONTROL", "MERCHANT_CONTROL_KEY", "MERCHANT_KEY", "MERCHANT_SECRET",
	"CONSUMER_SECRET", "CLIENT_SECRET", "OAUTH_SECRET", "OAUTH_CONSUMER_SECRET", "HMAC_KEY", "HMAC_SECRET", "API_KEY", "API_SECRET", "SECRET_KEY"}

// inKey makes the HMAC key otherwise. A form that gives the right key changes nothing.
func inKey(forms ...func(secret string) string) []variant {
	return variantOf(stepRest, forms, func(c *candidate, form func(string) string) bool {
		c.key = form
		return form(c.o.secret) != rightKey(c.o.secret)
	})
}

// inSecret changes the secret of the HMAC key, which is then encoded, or used raw. A change that
// leaves the secret as it is is no mistake.
func inSecret(changes ...func(secret string) string) []variant {
	var out []variant
	for _, change := range changes {
		for _, form := range [...]func(string) string{rightKey, rawKey} {
			out = append(out, variants(stepRest, func(c *candidate) bool {
				c.key = func(secret string) string { return form(change(secret)) }
				return change(c.o.secret) != c.o.secret
			})...)
		}
	}
	return out
}

func rightKey(secret string) string { return signature.Encode(secret) + "&" }

func rawKey(secret string) string { return secret + "&" }

// namedSecrets put a name and an equals sign before the secret, or take one away.
func namedSecrets() []variant {
	changes := []func(string) string{func(secret string) string {
		if name, value, ok := strings.Cut(secret, "="); ok && value != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_") == "" {
			return value
		}
		return secret
	}}
	for _, name := range secretNames {
		changes = append(changes, wrapped(name+"=", ""), wrapped(strings.ToLower(name)+"=", ""))
	}
	return inSecret(changes...)
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

// An hmacMatcher compares HMACs under the right key and under every wrong one.
type hmacMatcher struct {
	texts  []signatureBytes
	secret string
	macs   map[macKey]hash.Hash
}

type macKey struct {
	key  string
	hash hashForm
}

func newHMACMatcher(secret, text string) *hmacMatcher {
	return &hmacMatcher{readSignature(text), secret, map[macKey]hash.Hash{}}
}

func (m *hmacMatcher) sizes() []int {
	var all [][]string
	for _, t := range m.texts {
		all = append(all, t.ids)
	}
	return sizesOf(all)
}

func (m *hmacMatcher) match(c *candidate, pieces [4][]byte, own int, yield func(ids []string)) {
	var sum []byte
	for _, text := range m.texts {
		if len(text.ids) != own || len(text.raw) != c.hash.size() {
			continue
		}
		if sum == nil {
			sum = m.sum(c, pieces)
		}
		if hmac.Equal(sum, text.raw) {
			yield(text.ids)
		}
	}
}

func (m *hmacMatcher) sum(c *candidate, pieces [4][]byte) []byte {
	form := c.key
	if form == nil {
		form = rightKey
	}
	which := macKey{form(m.secret), c.hash}
	mac := m.macs[which]
	if mac == nil {
		mac = hmac.New(c.hash.new(), []byte(which.key))
		m.macs[which] = mac
	}
	return sumOf(mac, pieces)
}

func (m *hmacMatcher) facts() []string {
	for _, t := range m.texts {
		if len(t.raw) == sha1.Size {
			return []string{"it has the length of HMAC-SHA1, so the secret or a signed value differs from the one given here"}
		}
	}
	return []string{"its length is not that of HMAC-SHA1, which is 20 bytes"}
}
