// Package base makes base strings (5.2): the one way of everything that signs, verifies, shows or
// explains. It reads requests and headers as text and has no errors of its own, only problems,
// which package signature turns into findings.
package base

import (
	"hash"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/internal/form"
)

// A Pair is a parameter, name and value decoded.
type Pair = form.Pair

// Prefix is that of the names of the OAuth parameters.
const Prefix = "oauth_"

// The names of the OAuth parameters (5.1), and of the parameters beside them.
const (
	ConsumerKey     = "oauth_consumer_key"
	Nonce           = "oauth_nonce"
	Signature       = "oauth_signature"
	SignatureMethod = "oauth_signature_method"
	Timestamp       = "oauth_timestamp"
	Version         = "oauth_version"
	Token           = "oauth_token"
	Realm           = "realm"
	Payload         = "payload"
)

// IsFive reports whether name is one of the five OAuth parameters that are signed (5.1).
func IsFive(name string) bool {
	switch name {
	case ConsumerKey, Nonce, SignatureMethod, Timestamp, Version:
		return true
	}
	return false
}

// IsWord reports whether a name that somebody else made up may be shown: letters, hyphens and
// underscores alone, and not many. Another one may be a value.
func IsWord(name string) bool {
	const longest = 32
	return name != "" && len(name) <= longest && strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz-_") == ""
}

// Value returns the value of the first pair of a name.
func Value(pairs []Pair, name string) (string, bool) {
	for i := range pairs {
		if pairs[i].Name == name {
			return pairs[i].Value, true
		}
	}
	return "", false
}

// Sort sorts by encoded name, then by encoded value, as bytes (5.2.3, L57).
func Sort(pairs []Pair) { slices.SortFunc(pairs, Compare) }

// Compare is the order of Sort.
func Compare(a, b Pair) int {
	if order := CompareEncoded(a.Name, b.Name); order != 0 {
		return order
	}
	return CompareEncoded(a.Value, b.Value)
}

// Append appends the base string of sorted parameters (5.2.5).
func Append(dst []byte, method, uri string, params []Pair) []byte {
	s := sink{text: dst}
	s.write(method, uri, params)
	return s.text
}

// Hash writes the base string of sorted parameters to h as it is made, so that memory is bounded.
func Hash(h hash.Hash, method, uri string, params []Pair) {
	s := sink{hash: h, text: make([]byte, 0, 5*piece/2)}
	s.write(method, uri, params)
	s.flush()
}

// AppendParams appends the parameter string, the third element of a base string, encoded once more.
func AppendParams(dst []byte, params []Pair) []byte {
	s := sink{text: dst}
	s.params(params)
	return s.text
}

// piece is about how much of a base string is hashed at a time.
const piece = 256

// A sink takes a base string: text has all of it or, if there is a hash, what the hash has not
// taken yet.
type sink struct {
	text []byte
	hash hash.Hash
}

func (s *sink) write(method, uri string, params []Pair) {
	s.text = append(AppendEncoded(s.text, method), '&')
	s.text = append(AppendEncoded(s.text, uri), '&')
	s.params(params)
}

// params makes the parameter string, whose values are encoded twice, from the raw ones.
func (s *sink) params(params []Pair) {
	for i := range params {
		if i > 0 {
			s.text = append(s.text, "%26"...)
		}
		s.twice(params[i].Name)
		s.text = append(s.text, "%3D"...)
		s.twice(params[i].Value)
	}
}

func (s *sink) twice(text string) {
	for s.hash != nil && len(text) > piece {
		s.text = AppendTwice(s.text, text[:piece])
		text = text[piece:]
		s.flush()
	}
	s.text = AppendTwice(s.text, text)
	if s.hash != nil && len(s.text) > piece {
		s.flush()
	}
}

func (s *sink) flush() {
	_, _ = s.hash.Write(s.text) // a hash never fails
	s.text = s.text[:0]
}

// AppendForm appends names and values percent-encoded, a space as %20, joined by = and & in the
// order given: a form body and, of sorted pairs, the parameter string before its own encoding
// (5.5.4, L68).
func AppendForm(dst []byte, pairs []Pair) []byte {
	for i := range pairs {
		if i > 0 {
			dst = append(dst, '&')
		}
		dst = slices.Grow(dst, len(pairs[i].Name)+len(pairs[i].Value)+len(pairs[i].Value)/8+2)
		dst = append(AppendEncoded(dst, pairs[i].Name), '=')
		dst = AppendEncoded(dst, pairs[i].Value)
	}
	return dst
}

// Decode undoes one percent-encoding; the number is that of [form.Decode].
func Decode(text string) (string, int) { return form.Decode(text, false) }

// Split returns the parameters of a form body as they were sent: nothing is decoded.
func Split(body string) []Pair { return form.Split(body) }
