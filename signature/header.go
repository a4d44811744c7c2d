package signature

import (
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature/internal/base"
)

// Limits of the Authorization header: a signature of the largest key takes a fifth of them.
const (
	maxHeaderBytes  = 8 << 10
	maxHeaderParams = 64
)

// usualHeaderParams is how many parameters of OAuth a header has (5.5).
const usualHeaderParams = 7

// A Header is the content of an Authorization header of the scheme OAuth (5.5).
type Header struct {
	Realm     *string  // nil if there is none; it may be empty (5.5.1, L62)
	Params    []Param  // the other parameters in the order of the header
	Unescaped []string // the names of those whose value was not percent-encoded as it should be
}

// String returns the value of the header: realm first if there is one, as a quoted text; then the
// parameters in their order, names and values percent-encoded once, separated by a comma and a
// space (5.5, L62, L67).
func (h Header) String() string {
	dst := append(make([]byte, 0, 512), "OAuth "...)
	separator := ""
	if h.Realm != nil {
		dst = append(appendQuoted(append(dst, `realm="`...), *h.Realm), '"')
		separator = ", "
	}
	for _, p := range h.Params {
		dst = base.AppendEncoded(append(dst, separator...), p.Name())
		dst = base.AppendEncoded(append(dst, `="`...), p.Value())
		dst = append(dst, '"')
		separator = ", "
	}
	return string(dst)
}

// MarshalText returns what [Header.String] returns.
func (h Header) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText reads what [ParseHeader] reads. On an error h is unchanged.
func (h *Header) UnmarshalText(text []byte) error {
	read, err := ParseHeader(string(text))
	if err == nil {
		*h = read
	}
	return err
}

// ParseHeader reads the value of an Authorization header (5.5, L67): the scheme OAuth in any case,
// then name="value" pairs in any order between commas, with spaces and tabs around the commas and a
// folded line as a space. Names and values are percent-decoded once, and + is a plus sign; realm is
// a quoted text in which commas, = and \" are data. It does not ask for any name: [Verify] does.
// The error has the code [HeaderScheme], [HeaderSyntax], [HeaderDuplicate] or [LimitHeader], and the
// place.
func ParseHeader(text string) (Header, error) {
	h, err := parseHeader(text)
	if err != nil {
		return Header{}, err.locate(text).err()
	}
	out := Header{Params: shortParamsOf(h.params), Unescaped: h.unescaped}
	if h.hasRealm {
		out.Realm = &h.realm
	}
	return out, nil
}

// header is a Header inside the package.
type header struct {
	realm     string
	hasRealm  bool
	params    []pair
	unescaped []string
}

// value returns the value of the parameter of a name.
func (h *header) value(name string) (string, bool) { return valueOf(h.params, name) }

// appendQuoted appends the inside of a quoted text. A control character, which would end the header line, becomes a space.
func appendQuoted(dst []byte, text string) []byte {
	for i := range len(text) {
		c := text[i]
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\')
		case c < ' ' && c != '\t' || c == 0x7f:
			c = ' '
		}
		dst = append(dst, c)
	}
	return dst
}

// quotable reports whether a realm can be in a header: printable bytes, spaces and tabs.
func quotable(realm string) bool {
	for i := range len(realm) {
		if c := realm[i]; c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}

// A headerScanner reads the text of a header.
type headerScanner struct {
	text string
	at   int
}

func (s *headerScanner) fail(message, help string) *fault {
	if s.at < len(s.text) && (s.text[s.at] == '\r' || s.text[s.at] == '\n') {
		message, help = "the header has a line break", "write it on one line"
	}
	return faultAt(HeaderSyntax, partHeader, s.at, message, help)
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

func parseHeader(text string) (header, *fault) {
	var h header
	if len(text) > maxHeaderBytes {
		return h, limitHeader(strconv.Itoa(maxHeaderBytes) + " bytes")
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
			return h, s.fail("missing comma between two parameters", `write name="value", name="value"`)
		}
	}
}

// header reads the Authorization header of a request. That there is none is not a mistake in its
// scheme, and has no place.
func (r *requestData) header() (header, *fault) {
	if r.authorization == "" {
		return header{}, newFault(HeaderScheme, partHeader, "the request has no Authorization header, or an empty one",
			"sign the request, or capture it with all its header lines if it is signed")
	}
	h, failed := parseHeader(r.authorization)
	return h, failed.locate(r.authorization)
}

func limitHeader(what string) *fault {
	return newFault(LimitHeader, partHeader, "the header has more than "+what, "shorten it")
}

func (s *headerScanner) scheme() *fault {
	const scheme = "OAuth"
	rest := s.text[s.at:]
	if rest == "" {
		return faultAt(HeaderScheme, partHeader, s.at, "the header is empty", "begin it with OAuth and a space")
	}
	if len(rest) < len(scheme) || !strings.EqualFold(rest[:len(scheme)], scheme) ||
		len(rest) > len(scheme) && strings.IndexByte(" \t\r\n", rest[len(scheme)]) < 0 {
		return faultAt(HeaderScheme, partHeader, s.at, "", "")
	}
	s.at += len(scheme)
	s.skipSpace()
	if s.at == len(s.text) {
		return s.fail("nothing follows the scheme", "send the OAuth parameters and the signature")
	}
	return nil
}

// parameter reads one name="value".
func (s *headerScanner) parameter(h *header) *fault {
	start := s.at
	for s.at < len(s.text) && (isToken(s.text[s.at])) {
		s.at++
	}
	if s.at == start {
		return s.fail("missing parameter name", "remove a comma that is last or double")
	}
	name, err := decode(s.text[start:s.at], partHeader, start)
	if err != nil {
		return headerEscape(err)
	}
	if !s.next('=') {
		return s.fail("missing equals sign after the name", `write name="value"`)
	}
	if !s.next('"') {
		return s.fail("a value is not in double quotes", `write name="value"`)
	}
	if strings.EqualFold(name, nameRealm) {
		return s.realm(h, start)
	}
	if _, twice := h.value(name); twice {
		return duplicateHeader(start)
	}
	if len(h.params) == maxHeaderParams {
		return limitHeader(strconv.Itoa(maxHeaderParams) + " parameters")
	}
	raw, err := s.value()
	if err != nil {
		return err
	}
	value, err := decode(raw, partHeader, s.at-1-len(raw))
	if err != nil {
		return headerEscape(err)
	}
	if h.params == nil {
		h.params = make([]pair, 0, usualHeaderParams)
	}
	h.params = append(h.params, pair{Name: name, Value: value})
	if len(raw) != encodedLen(value) {
		h.unescaped = append(h.unescaped, name)
	}
	return nil
}

func encodedLen(text string) int {
	n := len(text)
	for i := range len(text) {
		if !base.Unreserved(text[i]) {
			n += 2
		}
	}
	return n
}

func headerEscape(err *fault) *fault {
	return faultAt(HeaderSyntax, partHeader, int(err.Place.Offset), err.Message, err.Help)
}

func duplicateHeader(offset int) *fault { return faultAt(HeaderDuplicate, partHeader, offset, "", "") }

// value reads up to the closing quote. Values are percent-encoded, so they are printable ASCII.
func (s *headerScanner) value() (string, *fault) {
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
func (s *headerScanner) realm(h *header, start int) *fault {
	if h.hasRealm {
		return duplicateHeader(start)
	}
	var value strings.Builder
	for ; s.at < len(s.text); s.at++ {
		c := s.text[s.at]
		switch {
		case c == '"':
			s.at++
			h.realm, h.hasRealm = value.String(), true
			return nil
		case c == '\\' && s.at+1 < len(s.text):
			s.at++
			c = s.text[s.at]
		}
		if c < ' ' && c != '\t' || c == 0x7f {
			return s.fail("realm has a control character", "remove it")
		}
		value.WriteByte(c)
	}
	return s.fail("realm has no closing quote", `write realm="value"`)
}

// check returns what the header lacks or has too much of under a profile (5.1, 5.5.2). The findings
// of missing are all that leave no signature to judge: a consumer key, nonce, method, timestamp or
// signature that is absent or empty, or an unknown method. The other findings are version,
// timestamp, unknown parameters and values that are not escaped.
func (h *header) check(p *readings) (findings, missing ledger.Findings) {
	for _, name := range [...]string{nameConsumerKey, nameNonce, nameSignatureMethod, nameTimestamp, nameSignature} {
		if value, _ := h.value(name); value == "" {
			missing = append(missing, missingParameter(name))
		}
	}
	method, _ := h.value(nameSignatureMethod)
	if _, ok := readMethod(method); !ok && method != "" {
		missing = append(missing, about(found(SignatureMethod, partHeader, "the signature method is not RSA-SHA256 or HMAC-SHA1", "use one of the two, in upper case"), nameSignatureMethod))
	}
	findings = h.versionFindings(p)
	if timestamp, _ := h.value(nameTimestamp); timestamp != "" {
		_, found := readTimestamp(timestamp)
		findings = append(findings, found...)
	}
	findings = append(findings, h.unknownFindings(p)...)
	for _, name := range h.unescaped {
		if name == nameSignature || isFive(name) {
			findings = append(findings, about(found(HeaderUnescaped, partHeader, "", ""), name))
		}
	}
	return findings, missing
}

func missingParameter(name string) ledger.Finding {
	return about(found(OAuthMissing, partHeader, name+" is absent or empty", "send it"), name)
}

func (h *header) versionFindings(p *readings) ledger.Findings {
	version, sent := h.value(nameVersion)
	switch {
	case sent && version != "1.0":
		return ledger.Findings{about(found(OAuthVersion, partHeader, "", ""), nameVersion)}
	case !sent && !p.versionOptional:
		return ledger.Findings{about(found(OAuthMissing, partHeader, "oauth_version is absent", "send and sign 1.0"), nameVersion)}
	}
	return nil
}

func (h *header) unknownFindings(p *readings) ledger.Findings {
	unknown := slices.ContainsFunc(h.params, func(param pair) bool {
		return param.Name != nameSignature && !signedOAuth(param.Name, p)
	})
	if !unknown {
		return nil
	}
	return ledger.Findings{found(OAuthUnknown, partHeader, "the header has a parameter that this profile does not sign", "leave it out")}
}
