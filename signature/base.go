package signature

import "hash"

// pieceBytes is how much of a base string is made before it is hashed.
const pieceBytes = 8 << 10

// A sink takes a base string: text has all of it, or, if there are hashes, the piece that they have yet to take.
type sink struct {
	text   []byte
	hashes []hash.Hash
}

// appendBase appends the base string of sorted parameters (5.2.5).
func appendBase(dst []byte, method string, u *urlParts, params []pair) []byte {
	s := sink{text: dst}
	s.base(method, u, params)
	return s.text
}

// base takes the base string of sorted parameters. The third element is encoded twice, in one pass from the raw values.
func (s *sink) base(method string, u *urlParts, params []pair) {
	s.text = appendEncoded(s.text, method)
	s.text = append(s.text, '&')
	s.text = u.appendBaseURI(s.text)
	s.text = append(s.text, '&')
	for i := range params {
		if i > 0 {
			s.text = append(s.text, "%26"...)
		}
		if name := params[i].Name; isFive(name) || name == namePayload { // they have nothing to encode
			s.text = append(s.text, name...)
		} else {
			s.encodedTwice(name)
		}
		s.text = append(s.text, "%3D"...)
		s.encodedTwice(params[i].Value)
	}
	s.flush()
}

func (s *sink) encodedTwice(text string) {
	const most = pieceBytes / len("%25XX")
	for len(s.hashes) > 0 && len(s.text)+len("%25XX")*len(text) > pieceBytes {
		s.flush()
		n := min(len(text), most)
		s.text = appendEncodedTwice(s.text, text[:n])
		text = text[n:]
	}
	s.text = appendEncodedTwice(s.text, text)
}

// flush hashes what is there; without hashes it stays.
func (s *sink) flush() {
	for _, h := range s.hashes {
		_, _ = h.Write(s.text) // a hash never fails
	}
	if len(s.hashes) > 0 {
		s.text = s.text[:0]
	}
}

// baseSize returns about what the base string will take: in base64 one byte in 32 becomes five.
func baseSize(url string, params []pair) int {
	size := len(url) + len(url)/2 + 64
	for i := range params {
		n := len(params[i].Name) + len(params[i].Value)
		size += n + n/6 + 16
	}
	return size
}
