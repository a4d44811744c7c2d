// Package base makes base strings (5.2): the one pipeline of everything that signs, verifies, shows or explains. A
// request is read and collected by package signature; what happens to the parameters after that is here. The zero
// [Form] is the right way, and the only one that signs; package diagnose has the others.
package base

import (
	"hash"
	"slices"
	"strings"
)

// A Pair is a parameter, name and value decoded.
type Pair struct{ Name, Value string }

// A Source is where a parameter was found, in the order of collection.
type Source uint8

// The sources.
const (
	Body Source = iota
	OAuth
	Query
)

// String returns "body", "oauth" or "query".
func (s Source) String() string { return [...]string{"body", "oauth", "query"}[s] }

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

// Sort sorts by encoded name, then by encoded value, as bytes (5.2.3, L57).
func Sort(pairs []Pair) { slices.SortFunc(pairs, Compare) }

// Compare is the order of Sort.
func Compare(a, b Pair) int {
	if order := CompareEncoded(a.Name, b.Name); order != 0 {
		return order
	}
	return CompareEncoded(a.Value, b.Value)
}

// Size returns about what the base string will take: in base64 one byte in 32 becomes five.
func Size(url string, params []Pair) int {
	size := len(url) + len(url)/2 + 64
	for i := range params {
		n := len(params[i].Name) + len(params[i].Value)
		size += n + n/6 + 16
	}
	return size
}

// An Encoder is a percent-encoder of another program. A nil one is the right one.
type Encoder struct {
	Keeps string // what it leaves as it is, beside what the right one does
	Takes string // what it encodes, though it should not
	Space byte   // what a space becomes; 0 for %20
	Lower bool   // hex digits are in lower case
	Raw   bool   // nothing is encoded
}

// A Form says how the texts of a base string are written. The zero Form is the right way, percent-encoding, and the
// only one that signs; the others are mistakes that package diagnose makes.
type Form struct {
	Name, Value *Encoder // of the parameters, once
	Method, URI *Encoder // of the first and second element
	Third       *Encoder // of the joined parameters
	scratch     []byte
}

// PieceBytes is the room that [Hash] takes for a base string.
const PieceBytes = 8 << 10

// Append appends the base string of sorted parameters (5.2.5).
func Append(dst []byte, method string, u *URL, params []Pair) []byte {
	dst = append(AppendEncoded(dst, method), '&')
	dst = append(u.AppendEncoded(dst), '&')
	return appendThird(dst, params)
}

// Hash writes the base string of sorted parameters to h as it is made, so that no text of its length is held. room is
// empty and has PieceBytes.
func Hash(h hash.Hash, room []byte, method string, u *URL, params []Pair) {
	s := sink{append(AppendEncoded(room, method), '&'), h}
	s.text = append(u.AppendEncoded(s.text), '&')
	s.third(params)
	s.flush()
}

func appendThird(dst []byte, params []Pair) []byte {
	s := sink{text: dst}
	s.third(params)
	return s.text
}

// A sink takes a base string: text has all of it, or, if there is a hash, the piece that it has yet to take.
type sink struct {
	text []byte
	hash hash.Hash
}

// third takes the third element, which is encoded twice, in one pass from the raw values.
func (s *sink) third(params []Pair) {
	for i := range params {
		if i > 0 {
			s.text = append(s.text, "%26"...)
		}
		if name := params[i].Name; IsFive(name) || name == Payload { // they have nothing to encode
			s.text = append(s.text, name...)
		} else {
			s.twice(name)
		}
		s.text = append(s.text, "%3D"...)
		s.twice(params[i].Value)
	}
}

func (s *sink) twice(text string) {
	const longest = len("%25XX")
	for s.hash != nil && len(s.text)+longest*len(text) > PieceBytes {
		s.flush()
		n := min(len(text), PieceBytes/longest)
		s.text = AppendTwice(s.text, text[:n])
		text = text[n:]
	}
	s.text = AppendTwice(s.text, text)
}

func (s *sink) flush() {
	_, _ = s.hash.Write(s.text) // a hash never fails
	s.text = s.text[:0]
}

// AppendThird appends the third element, of parameters in their order.
func (f *Form) AppendThird(dst []byte, params []Pair) []byte {
	if f.Name == nil && f.Value == nil && f.Third == nil {
		return appendThird(dst, params)
	}
	f.scratch = f.scratch[:0]
	for i := range params {
		if i > 0 {
			f.scratch = append(f.scratch, '&')
		}
		f.scratch = append(appendAs(f.Name, f.scratch, params[i].Name), '=')
		f.scratch = appendAs(f.Value, f.scratch, params[i].Value)
	}
	return appendAs(f.Third, dst, f.scratch)
}

// AppendFront appends the first two elements, each with its ampersand.
func (f *Form) AppendFront(dst []byte, method, uri string) []byte {
	dst = append(appendAs(f.Method, dst, method), '&')
	return append(appendAs(f.URI, dst, uri), '&')
}

// Append appends the encoding of a text.
func (e *Encoder) Append(dst []byte, text string) []byte { return appendAs(e, dst, text) }

func appendAs[S string | []byte](e *Encoder, dst []byte, text S) []byte {
	switch {
	case e == nil:
		return AppendEncoded(dst, text)
	case e.Raw:
		return append(dst, text...)
	}
	digits := upperHex
	if e.Lower {
		digits = "0123456789abcdef"
	}
	plain := 0 // where a run of bytes begins that stay as they are
	for i := range len(text) {
		c := text[i]
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || e.leaves(c) {
			continue
		}
		dst = append(dst, text[plain:i]...)
		plain = i + 1
		if c == ' ' && e.Space != 0 {
			dst = append(dst, e.Space)
		} else {
			dst = append(dst, '%', digits[c>>4], digits[c&15])
		}
	}
	return append(dst, text[plain:]...)
}

func (e *Encoder) leaves(c byte) bool {
	return Unreserved(c) && strings.IndexByte(e.Takes, c) < 0 || strings.IndexByte(e.Keeps, c) >= 0
}

// AppendForm appends names and values percent-encoded, a space as %20, joined by = and & in the order given: a form
// body and, of sorted pairs, the third element before its own encoding (5.5.4, L68).
func AppendForm(dst []byte, pairs []Pair) []byte {
	for i := range pairs {
		if i > 0 {
			dst = append(dst, '&')
		}
		dst = append(AppendEncoded(dst, pairs[i].Name), '=')
		dst = AppendEncoded(dst, pairs[i].Value)
	}
	return dst
}

// Split is the parameters of a form as they were sent: nothing is decoded, and empty segments are left out.
func Split(form string) []Pair {
	var pairs []Pair
	for segment := range strings.SplitSeq(form, "&") {
		if segment != "" {
			name, value, _ := strings.Cut(segment, "=")
			pairs = append(pairs, Pair{name, value})
		}
	}
	return pairs
}

// A Door is what opens a secret to package diagnose. Only packages below signature can make one.
type Door struct{ open bool }

// Open returns a Door that opens.
func Open() Door { return Door{true} }

// Opens reports whether d was made by Open.
func (d Door) Opens() bool { return d.open }
