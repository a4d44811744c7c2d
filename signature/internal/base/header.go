package base

import (
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/ledger"
)

// Limits of the Authorization header: a signature of the largest key takes a fifth of them.
const (
	MaxHeaderBytes  = 8 << 10
	MaxHeaderParams = 64
)

// A Header is the content of an Authorization header (5.5).
type Header struct {
	Realm     *string
	Params    []Pair
	Unescaped []string // the names of those whose value was not percent-encoded as it should be
}

// AppendHeader appends the value of a header: realm first if there is one, as a quoted text, then
// the parameters in their order, names and values percent-encoded once (L62, L67).
func AppendHeader(dst []byte, realm *string, params []Pair) []byte {
	dst = append(dst, "OAuth "...)
	separator := ""
	if realm != nil {
		dst = append(appendQuoted(append(dst, `realm="`...), *realm), '"')
		separator = ", "
	}
	for _, p := range params {
		dst = AppendEncoded(append(dst, separator...), p.Name)
		dst = append(AppendEncoded(append(dst, `="`...), p.Value), '"')
		separator = ", "
	}
	return dst
}

// appendQuoted appends the inside of a quoted text. A control character, which would end the header
// line, becomes a space.
func appendQuoted(dst []byte, text string) []byte {
	for i := range len(text) {
		c := text[i]
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\')
		case IsControl(c):
			c = ' '
		}
		dst = append(dst, c)
	}
	return dst
}

// IsControl reports whether c is a control character other than a tab.
func IsControl(c byte) bool { return c < ' ' && c != '\t' || c == 0x7f }

// IsToken reports whether c may be in a token of HTTP.
func IsToken(c byte) bool {
	return c < 0x80 && (Unreserved(c) || strings.IndexByte("!#$%&'*+^`|", c) >= 0)
}

func headerProblem(code ledger.Code, offset int, message, help string) *Problem {
	return &Problem{Code: code, Part: PartHeader, Offset: offset, Message: message, Help: help}
}

// A headerScanner reads the text of a header.
type headerScanner struct {
	text string
	at   int
}

func (s *headerScanner) fail(message, help string) *Problem {
	if s.at < len(s.text) && (s.text[s.at] == '\r' || s.text[s.at] == '\n') {
		message, help = "the header has a line break", "write it on one line"
	}
	return headerProblem(codeHeaderSyntax, s.at, message, help)
}

// skipSpace skips spaces, tabs and folds: a line break followed by a space or a tab.
func (s *headerScanner) skipSpace() {
	for s.at < len(s.text) {
		switch rest := s.text[s.at:]; {
		case rest[0] == ' ' || rest[0] == '\t':
			s.at++
		case len(rest) > 1 && rest[0] == '\n' && (rest[1] == ' ' || rest[1] == '\t'):
			s.at += 2
		case len(rest) > 2 && rest[:2] == "\r\n" && (rest[2] == ' ' || rest[2] == '\t'):
			s.at += 3
		default:
			return
		}
	}
}

func (s *headerScanner) next(c byte) bool {
	if s.at < len(s.text) && s.text[s.at] == c {
		s.at++
		return true
	}
	return false
}

// ParseHeader reads the value of an Authorization header.
func ParseHeader(text string) (Header, *Problem) {
	var h Header
	if len(text) > MaxHeaderBytes {
		return h, limitHeader(strconv.Itoa(MaxHeaderBytes) + " bytes")
	}
	s := headerScanner{text: text}
	s.skipSpace()
	if problem := s.scheme(); problem != nil {
		return h, problem
	}
	for {
		s.skipSpace()
		if problem := s.parameter(&h); problem != nil {
			return h, problem
		}
		s.skipSpace()
		if s.at == len(s.text) {
			return h, nil
		}
		if !s.next(',') {
			return h, s.fail("missing comma between two parameters", `write name="value", name="value"`)
		}
	}
}

func limitHeader(what string) *Problem {
	return headerProblem(codeLimitHeader, -1, "the header has more than "+what, "shorten it")
}

func (s *headerScanner) scheme() *Problem {
	const scheme = "OAuth"
	rest := s.text[s.at:]
	if rest == "" {
		return headerProblem(codeHeaderScheme, s.at, "the header is empty", "begin it with OAuth and a space")
	}
	if len(rest) < len(scheme) || !strings.EqualFold(rest[:len(scheme)], scheme) ||
		len(rest) > len(scheme) && strings.IndexByte(" \t\r\n", rest[len(scheme)]) < 0 {
		return headerProblem(codeHeaderScheme, s.at, "", "")
	}
	s.at += len(scheme)
	s.skipSpace()
	if s.at == len(s.text) {
		return s.fail("nothing follows the scheme", "send the OAuth parameters and the signature")
	}
	return nil
}

// parameter reads one name="value".
func (s *headerScanner) parameter(h *Header) *Problem {
	start := s.at
	for s.at < len(s.text) && IsToken(s.text[s.at]) {
		s.at++
	}
	if s.at == start {
		return s.fail("missing parameter name", "remove a comma that is last or double")
	}
	name, bad := Decode(s.text[start:s.at])
	if bad >= 0 {
		return badEscape(start + bad)
	}
	if !s.next('=') {
		return s.fail("missing equals sign after the name", `write name="value"`)
	}
	if !s.next('"') {
		return s.fail("a value is not in double quotes", `write name="value"`)
	}
	if strings.EqualFold(name, Realm) {
		return s.realm(h, start)
	}
	if _, twice := Value(h.Params, name); twice {
		return duplicateHeader(start)
	}
	if len(h.Params) == MaxHeaderParams {
		return limitHeader(strconv.Itoa(MaxHeaderParams) + " parameters")
	}
	raw, problem := s.value()
	if problem != nil {
		return problem
	}
	value, bad := Decode(raw)
	if bad >= 0 {
		return badEscape(s.at - 1 - len(raw) + bad)
	}
	h.Params = append(h.Params, Pair{Name: name, Value: value})
	if len(raw) != encodedLen(value) {
		h.Unescaped = append(h.Unescaped, name)
	}
	return nil
}

// encodedLen is the length of the encoding of text.
func encodedLen(text string) int {
	n := len(text)
	for i := range len(text) {
		if !Unreserved(text[i]) {
			n += 2
		}
	}
	return n
}

func badEscape(offset int) *Problem {
	return headerProblem(codeHeaderSyntax, offset, "a percent sign is not followed by two hex digits", "write a percent sign that is data as %25")
}

func duplicateHeader(offset int) *Problem { return headerProblem(codeHeaderDuplicate, offset, "", "") }

// value reads up to the closing quote. Values are percent-encoded, so they are printable ASCII.
func (s *headerScanner) value() (string, *Problem) {
	start := s.at
	for ; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case c == '"':
			s.at++
			return s.text[start : s.at-1], nil
		case c < ' ' || c >= 0x7f || c == '\\':
			return "", s.fail("a percent-encoded value cannot have this byte", "percent-encode the value")
		}
	}
	return "", s.fail("the value has no closing quote", `write name="value"`)
}

// realm reads a quoted text, which is not percent-encoded.
func (s *headerScanner) realm(h *Header, start int) *Problem {
	if h.Realm != nil {
		return duplicateHeader(start)
	}
	var value strings.Builder
	for ; s.at < len(s.text); s.at++ {
		c := s.text[s.at]
		switch {
		case c == '"':
			s.at++
			h.Realm = new(value.String())
			return nil
		case c == '\\' && s.at+1 < len(s.text):
			s.at++
			c = s.text[s.at]
		}
		if IsControl(c) {
			return s.fail("realm has a control character", "remove it")
		}
		value.WriteByte(c)
	}
	return s.fail("realm has no closing quote", `write realm="value"`)
}
