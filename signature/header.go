package signature

import (
	"slices"
	"strconv"
	"strings"
)

// Limits of the Authorization header: a signature of the largest key takes a fifth of them.
const (
	MaxHeaderBytes  = 8 << 10
	MaxHeaderParams = 64
)

// Realm is the header's optional realm. The zero Realm is absent; a present one may be empty (5.5.1, L62).
type Realm struct {
	Present bool
	Value   string
}

// Header is the content of an Authorization header of the scheme OAuth (5.5). Params hold names and values decoded, in
// the order of the header, without realm.
type Header struct {
	Realm     Realm
	Params    []Param
	Unescaped []string // names of parameters whose value stood in the header with characters that are to be escaped
}

// Value gives the value of the parameter of that name and whether there is one.
func (h Header) Value(name string) (string, bool) {
	for _, p := range h.Params {
		if p.Name == name {
			return p.Value, true
		}
	}
	return "", false
}

// String writes the header's value: realm first when present, as a quoted text; then the parameters in their order,
// names and values percent-encoded once, separated by a comma and a space (5.5, L62, L67).
func (h Header) String() string { return string(h.append(nil)) }

func (h Header) append(dst []byte) []byte {
	dst = append(dst, "OAuth "...)
	separator := ""
	if h.Realm.Present {
		dst = append(dst, `realm="`...)
		dst = appendQuoted(dst, h.Realm.Value)
		dst = append(dst, '"')
		separator = ", "
	}
	for _, p := range h.Params {
		dst = append(dst, separator...)
		dst = appendEncoded(dst, p.Name)
		dst = append(dst, `="`...)
		dst = appendEncoded(dst, p.Value)
		dst = append(dst, '"')
		separator = ", "
	}
	return dst
}

func appendQuoted(dst []byte, text string) []byte {
	for i := range len(text) {
		if text[i] == '"' || text[i] == '\\' {
			dst = append(dst, '\\')
		}
		dst = append(dst, text[i])
	}
	return dst
}

// quotable says whether a realm can stand in a header: printable bytes, spaces and tabs.
func quotable(realm string) bool {
	for i := range len(realm) {
		if c := realm[i]; c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}

// ParseHeader reads the value of an Authorization header (5.5, L67): the scheme OAuth in any case, then name="value"
// pairs in any order between commas, spaces and tabs around the commas, a folded line as a space. Names and values are
// percent-decoded once, + stays a plus sign; realm is a quoted text in which commas, = and \" are data. Required names
// are not its business: see Header.Check. Errors, with the offset: HeaderScheme, HeaderSyntax, HeaderDuplicate,
// LimitHeader.
func ParseHeader(text string) (Header, error) {
	h, err := parseHeader(text)
	if err != nil {
		return Header{}, err
	}
	return h, nil
}

// headerScanner walks over a header's text.
type headerScanner struct {
	text string
	at   int
}

func (s *headerScanner) fail(rule, remedy string) *Error {
	return &Error{Code: HeaderSyntax, Part: PartHeader, Offset: s.at, Rule: rule, Remedy: remedy, Clause: "L67"}
}

// skipSpace passes spaces, tabs and folds: a line break that a space or tab follows.
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

func parseHeader(text string) (Header, *Error) {
	var h Header
	if len(text) > MaxHeaderBytes {
		return h, limitHeader("the header has more than " + strconv.Itoa(MaxHeaderBytes) + " bytes")
	}
	s := headerScanner{text: text}
	s.skipSpace()
	if err := s.scheme(); err != nil {
		return h, err
	}
	for {
		s.skipSpace()
		if err := s.parameter(&h); err != nil {
			return h, err
		}
		s.skipSpace()
		if s.at == len(s.text) {
			return h, nil
		}
		if !s.next(',') {
			return h, s.fail("a comma is needed between two parameters", `write name="value", name="value"`)
		}
	}
}

func limitHeader(rule string) *Error {
	return &Error{Code: LimitHeader, Part: PartHeader, Offset: noOffset, Rule: rule, Remedy: "shorten it", Clause: "L67"}
}

func (s *headerScanner) scheme() *Error {
	const scheme = "OAuth"
	rest := s.text[s.at:]
	if len(rest) < len(scheme) || !strings.EqualFold(rest[:len(scheme)], scheme) ||
		len(rest) > len(scheme) && strings.IndexByte(" \t\r\n", rest[len(scheme)]) < 0 {
		return &Error{Code: HeaderScheme, Part: PartHeader, Offset: s.at, Rule: "the scheme is not OAuth",
			Remedy: `begin the header with OAuth and a space`, Clause: "5.5"}
	}
	s.at += len(scheme)
	s.skipSpace()
	if s.at == len(s.text) {
		return s.fail("nothing follows the scheme", "send the OAuth parameters and the signature")
	}
	return nil
}

// parameter reads one name="value".
func (s *headerScanner) parameter(h *Header) *Error {
	start := s.at
	for s.at < len(s.text) && (isToken(s.text[s.at])) {
		s.at++
	}
	if s.at == start {
		return s.fail("a parameter name is needed here", "leave no comma at the end, and none twice")
	}
	name, err := decode(s.text[start:s.at], PartHeader, start)
	if err != nil {
		return headerEscape(err)
	}
	if !s.next('=') {
		return s.fail("an equals sign is needed after the name", `write name="value"`)
	}
	if !s.next('"') {
		return s.fail("a value stands in double quotes", `write name="value"`)
	}
	if strings.EqualFold(name, nameRealm) {
		return s.realm(h, start)
	}
	if _, twice := h.Value(name); twice {
		return duplicateHeader(start)
	}
	if len(h.Params) == MaxHeaderParams {
		return limitHeader("the header has more than " + strconv.Itoa(MaxHeaderParams) + " parameters")
	}
	raw, err := s.value()
	if err != nil {
		return err
	}
	value, err := decode(raw, PartHeader, s.at-1-len(raw))
	if err != nil {
		return headerEscape(err)
	}
	h.Params = append(h.Params, Param{name, value})
	if len(raw) != encodedLen(value) {
		h.Unescaped = append(h.Unescaped, name)
	}
	return nil
}

func encodedLen(text string) int {
	n := len(text)
	for i := range len(text) {
		if unreserved[text[i]] == 0 {
			n += 2
		}
	}
	return n
}

func headerEscape(err *Error) *Error {
	err.Code, err.Clause = HeaderSyntax, "5.5"
	return err
}

func duplicateHeader(offset int) *Error {
	return &Error{Code: HeaderDuplicate, Part: PartHeader, Offset: offset, Rule: "a parameter stands in the header twice",
		Remedy: "send each once", Clause: "L67"}
}

// value reads up to the closing quote. Values are percent-encoded, so they hold printable ASCII only.
func (s *headerScanner) value() (string, *Error) {
	start := s.at
	for ; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case c == '"':
			s.at++
			return s.text[start : s.at-1], nil
		case c < ' ' || c >= 0x7f || c == '\\':
			return "", s.fail("a byte that no percent-encoded value has", "percent-encode the value")
		}
	}
	return "", s.fail("the value has no closing quote", `write name="value"`)
}

// realm reads a quoted text, which is not percent-encoded.
func (s *headerScanner) realm(h *Header, start int) *Error {
	if h.Realm.Present {
		return duplicateHeader(start)
	}
	var value strings.Builder
	for ; s.at < len(s.text); s.at++ {
		c := s.text[s.at]
		switch {
		case c == '"':
			s.at++
			h.Realm = Realm{Present: true, Value: value.String()}
			return nil
		case c == '\\' && s.at+1 < len(s.text):
			s.at++
			c = s.text[s.at]
		}
		if c < ' ' && c != '\t' || c == 0x7f {
			return s.fail("a control character in realm", "leave it out")
		}
		value.WriteByte(c)
	}
	return s.fail("realm has no closing quote", `write realm="value"`)
}

// Check tells what the header lacks or has too much of under a profile (5.1, 5.5.2). The error is the first thing that
// leaves no signature to judge: OAuthMissing for the consumer key, nonce, method, timestamp or signature, absent or
// empty, or SignatureMethod. The findings are the rest: version, timestamp, unknown parameters, values not escaped.
func (h Header) Check(p Profile) ([]Finding, error) {
	findings, err := h.check(p)
	if err != nil {
		return findings, err
	}
	return findings, nil
}

func (h Header) check(p Profile) ([]Finding, *Error) {
	for _, name := range [...]string{nameConsumerKey, nameNonce, nameSignatureMethod, nameTimestamp, nameSignature} {
		if value, _ := h.Value(name); value == "" {
			return nil, &Error{Code: OAuthMissing, Part: PartHeader, Offset: noOffset, Rule: name + " is absent or empty",
				Remedy: "send it", Clause: "5.1"}
		}
	}
	method, _ := h.Value(nameSignatureMethod)
	if _, err := ParseMethod(method); err != nil {
		return nil, badMethod()
	}
	var findings []Finding
	findings = append(findings, h.versionFindings(p)...)
	timestamp, _ := h.Value(nameTimestamp)
	_, found := readTimestamp(timestamp)
	findings = append(findings, found...)
	findings = append(findings, h.unknownFindings(p)...)
	for _, name := range h.Unescaped {
		if name == nameSignature || isFive(name) {
			findings = append(findings, warning(HeaderUnescaped, "5.5.3", name+" is not percent-encoded in the header, or has escapes it does not need",
				"percent-encode the value once"))
		}
	}
	return findings, nil
}

func (h Header) versionFindings(p Profile) []Finding {
	version, sent := h.Value(nameVersion)
	switch {
	case sent && version != "1.0":
		return []Finding{fault(OAuthVersion, "5.1", "oauth_version is not 1.0", "send 1.0")}
	case !sent && p.Version == VersionRequired:
		return []Finding{fault(OAuthMissing, "5.1", "oauth_version is absent", "send and sign 1.0")}
	}
	return nil
}

func (h Header) unknownFindings(p Profile) []Finding {
	unknown := slices.ContainsFunc(h.Params, func(param Param) bool {
		return param.Name != nameSignature && !signedOAuth(param.Name, p)
	})
	if !unknown {
		return nil
	}
	return []Finding{warning(OAuthUnknown, "5.1", "the header has a parameter that is not signed in this profile", "leave it out")}
}
