package gateway

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/internal/cardtext"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
	"github.com/chargecast/chargecast/signature"
)

// maxRequests is how many requests are kept; the oldest ones go first.
const maxRequests = 10_000

// Limits of what is kept of one request.
const (
	maxText    = 512 // bytes of a URI, a header or a name
	maxHeaders = 64
	maxParams  = 64
)

// record stores a request with the next id, on the clock's day.
func (g *Gateway) record(ctx context.Context, r *Request) error {
	return g.store.Update(context.WithoutCancel(ctx), func(tx Tx) error {
		c, err := tx.Clock()
		if err != nil {
			return err
		}
		r.Date, r.At = c.Now, g.config.Now()
		if r.ID, err = tx.Requests().NextID(); err != nil {
			return err
		}
		if faults := (activeFaults{g: g, tx: tx}); r.Login != "" {
			if err := errors.Join(faults.count(r.Login, false), faults.flush()); err != nil {
				return err
			}
		}
		return putRequest(tx, r, nil, 0)
	})
}

// putRequest stores a request with further findings, of which n are errors, and drops the oldest
// one if there are too many.
func putRequest(tx Tx, r *Request, findings ledger.Findings, n int) error {
	r.Errors += n
	r.Findings = slices.Concat(r.Findings, findings)
	if len(r.Findings) > maxFindings {
		r.Findings = r.Findings[len(r.Findings)-maxFindings:]
	}
	if err := tx.Requests().Put(*r); err != nil {
		return err
	}
	if r.ID <= maxRequests {
		return nil
	}
	if err := tx.Requests().Delete(r.ID - maxRequests); err != nil && !errors.Is(err, NotFound) {
		return err
	}
	return nil
}

// describe takes over what may be kept of a request.
func (v *createRequest) describe() {
	v.record.Method = v.texts.cut(rules.Mask(0, v.r.Method))
	v.record.URI = v.texts.cut(shownURI(v.r.RequestURI))
	if values := v.r.Header["Authorization"]; len(values) == 1 {
		v.header, _ = signature.ParseHeader(values[0])
	}
	v.record.Headers = v.shownHeaders()
}

// cut shortens a text, and makes a copy of it.
func (t *texts) cut(text string) string {
	if len(text) > maxText {
		text = text[:maxText-3] + "..."
	}
	return t.keep(strings.ToValidUTF8(text, "\uFFFD"))
}

// shownURI is a request target without userinfo, without the values of its query, and without what
// could be a card number, escaped or not.
func shownURI(target string) string {
	path, _, hasQuery := strings.Cut(target, "?")
	if before, rest, ok := strings.Cut(path, "://"); ok {
		if at := strings.LastIndexByte(rest, '@'); at >= 0 {
			path = before + "://***@" + rest[at+1:]
		}
	}
	if _, err := url.PathUnescape(path); err != nil {
		path = "***"
	}
	path = cardtext.MaskEscaped(path)
	if hasQuery {
		path += "?***"
	}
	return path
}

// plainHeaders are the headers that are shown; all others may hold a secret.
var plainHeaders = [...]string{
	"Accept", "Accept-Encoding", "Connection", "Content-Length", "Content-Type", "Date", "Expect", "Transfer-Encoding", "User-Agent",
}

// shownHeaders are the headers by name, with the Host in front.
func (v *createRequest) shownHeaders() []Header {
	list := make([]Header, 0, min(len(v.r.Header)+1, maxHeaders))
	list = append(list, Header{"Host", v.texts.cut(cardtext.MaskEscaped(v.r.Host))})
	names := make([]string, 0, maxHeaders)
	for name := range v.r.Header {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		for _, value := range v.r.Header[name] {
			if len(list) == maxHeaders {
				return list
			}
			switch {
			case slices.Contains(plainHeaders[:], name):
				value = v.texts.cut(cardtext.MaskEscaped(value))
			case name == "Authorization":
				value = v.texts.cut(shownAuthorization(v.header))
			default:
				value = "***"
			}
			list = append(list, Header{v.texts.cut(rules.Mask(0, name)), value})
		}
	}
	return list
}

// shownAuthorization shows the parameters of a header of OAuth without the signature, which is a
// secret as long as its nonce can be used again.
func shownAuthorization(h signature.Header) string {
	if len(h.Params) == 0 {
		return "***"
	}
	b := make([]byte, 0, maxText)
	b = append(b, "OAuth "...)
	for i, p := range h.Params {
		if i > 0 {
			b = append(b, ", "...)
		}
		name, text := p.Name(), "***"
		if slices.Contains(plainParams[:], name) {
			text = cardtext.MaskEscaped(p.Value())
		}
		b = append(append(b, rules.Mask(0, name)...), `="`...)
		b = append(append(b, text...), '"')
	}
	return string(b)
}

// shownParams are the parameters of a form body by name, with their lengths.
func (t *texts) shownParams(body string) []Param {
	var list []Param
	for pair := range strings.SplitSeq(body, "&") {
		if len(list) == maxParams {
			break
		}
		before, value, _ := strings.Cut(pair, "=")
		name := before[:min(len(before), maxText)]
		if name != "payload" && !strings.HasPrefix(name, "oauth_") {
			name = rules.Mask(0, name)
			if strings.Contains(name, "%") || len(name) > 64 {
				name = "***"
			}
		}
		list = append(list, Param{t.cut(rules.Mask(0, name)), len(value)})
	}
	return list
}

// texts keeps copies of short texts, many of them in one piece of memory: what is kept of a request
// must not hold on to the request.
type texts struct{ piece strings.Builder }

// textPiece is how long a piece is: as much as is kept of the usual row or request, or a little
// more.
const textPiece = 512

// keep returns a copy of a text.
func (t *texts) keep(text string) string {
	if t.piece.Cap()-t.piece.Len() < len(text) {
		t.piece.Reset() // the texts before keep it
		t.piece.Grow(max(len(text), textPiece))
	}
	begin := t.piece.Len()
	t.piece.WriteString(text)
	return t.piece.String()[begin:]
}

// plainParams are the signed parameters whose values everybody may see.
var plainParams = [...]string{"oauth_consumer_key", "oauth_nonce", "oauth_signature_method", "oauth_timestamp", "oauth_version"}

// maskBase masks a base string, whatever mistakes it was made with, without changing its length.
// Method and URL are those of the request's line and are shown, unless they hold what could be a
// card number.
func maskBase(base string) string {
	elements := strings.SplitN(base, "&", 3)
	if len(elements) < 3 {
		return maskText(base) // encoded once more as a whole, or of another structure
	}
	for i := range 2 {
		if cardtext.Holds(elements[i]) {
			elements[i] = maskText(elements[i])
		}
	}
	elements[2] = maskPairs(elements[2])
	return strings.Join(elements, "&")
}

// maskPairs masks the third element, in which & and = are escaped, or not if that was forgotten.
func maskPairs(text string) string {
	separator, equals := "%26", "%3D"
	if !strings.Contains(text, equals) {
		separator, equals = "&", "="
	}
	pairs := strings.Split(text, separator)
	for i, pair := range pairs {
		name, value, _ := strings.Cut(pair, equals)
		switch {
		case name == "payload", slices.Contains(plainParams[:], name) && cardtext.Holds(value):
			pairs[i] = name + maskText(pair[len(name):])
		case !slices.Contains(plainParams[:], name):
			pairs[i] = maskText(pair)
		}
	}
	return strings.Join(pairs, separator)
}

// maskText makes an x of every letter, digit and byte that is not ASCII. What punctuation is
// escaped as stays: most mistakes are about that.
func maskText(text string) string {
	b := []byte(text)
	for i := 0; i < len(b); i++ {
		if n := escapeLength(text[i:]); n > 0 {
			i += n - 1
			continue
		}
		if c := b[i]; c >= 0x80 || isLetterOrDigit(c) {
			b[i] = 'x'
		}
	}
	return string(b)
}

// escapeLength is how long the escape of a punctuation mark or of a space is that a text begins
// with, escaped once or several times; 0 if it begins with none.
func escapeLength(text string) int {
	if len(text) < 3 || text[0] != '%' {
		return 0
	}
	n := 1
	for strings.HasPrefix(text[n:], "25") {
		n += 2
	}
	if len(text) < n+2 {
		return 0
	}
	c, err := strconv.ParseUint(text[n:n+2], 16, 8)
	isSpace := c == ' ' || c == '\r' || c == '\n' || c == '\t'
	if err != nil || !isSpace && (c <= ' ' || c >= 0x7f || isLetterOrDigit(byte(c))) {
		return 0
	}
	return n + 2
}

func isLetterOrDigit(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' }

// privateColumns are those whose values no text of the same profile may show, in whatever case.
var privateColumns = [...]rules.Column{
	rules.ColumnCVV2, rules.ColumnEmail, rules.ColumnCardPrintedName, rules.ColumnFirstName, rules.ColumnLastName, rules.ColumnPhone, rules.ColumnSSN,
	rules.ColumnBirthday,
}

// isFreeText reports whether a column takes any text, so that it may have a private value in it.
func isFreeText(c rules.Column) bool {
	switch c {
	case rules.ColumnOrderDesc, rules.ColumnPurpose, rules.ColumnCity, rules.ColumnAddress1, rules.ColumnZipCode:
		return true
	default:
		return false
	}
}

// minPrivate is the length from which a value is hidden in texts: shorter ones are in too many.
const minPrivate = 3

// coveredText takes the place of a private value.
const coveredText = "***"

// hide replaces a private value in a text where it is not part of a longer word or number.
func hide(text, private string) string {
	if len(private) < minPrivate {
		return text
	}
	return hideParts(text, len(private), func(part string) bool { return isSame(part, private) })
}

// hideParts replaces the parts of a length for which a condition is true, and that are not part of
// a longer word or number.
func hideParts(text string, length int, is func(string) bool) string {
	isWord := func(i int) bool {
		return 0 <= i && i < len(text) && (isUnreserved(text[i]) && text[i] != '.' && text[i] != '-' && text[i] != '~')
	}
	for i := 0; i+length <= len(text); i++ {
		if !isWord(i-1) && !isWord(i+length) && is(text[i:i+length]) {
			text = text[:i] + coveredText + text[i+length:]
			i += len(coveredText) - 1
		}
	}
	return text
}

// hashPrivate adds the lengths and keyed hashes of private values to those that are known: what is
// known of them later, when an update brings a text. The cvv2 is not among them: not even its hash
// is kept.
func (g *Gateway) hashPrivate(known string, value func(rules.Column) string) string {
	b := []byte(known)
	for _, c := range privateColumns {
		text := value(c)
		if c == rules.ColumnCVV2 || len(text) < minPrivate {
			continue
		}
		hash := g.seal.Hash(lowered(text))
		if strings.Contains(known, hash) {
			continue
		}
		if len(b) > 0 {
			b = append(b, ' ')
		}
		b = append(strconv.AppendInt(b, int64(len(text)), 10), ':')
		b = append(b, hash...)
	}
	return string(b)
}

// hideHashed replaces the private values whose hashes hashPrivate wrote.
func (g *Gateway) hideHashed(text, private string) string {
	for one := range strings.FieldsSeq(private) {
		length, hash, _ := strings.Cut(one, ":")
		if n, err := strconv.Atoi(length); err == nil && n >= minPrivate {
			text = hideParts(text, n, func(part string) bool { return g.seal.Hash(lowered(part)) == hash })
		}
	}
	return text
}

// hideCodes replaces the numbers that can be a cvv2: it is not kept, so nobody knows which of them
// is.
func hideCodes(text string) string {
	for length := 3; length <= 4; length++ {
		text = hideParts(text, length, func(part string) bool { return strings.Trim(part, "0123456789") == "" })
	}
	return text
}

// isSame compares texts of the same length, whatever the case of ASCII letters.
func isSame(a, b string) bool {
	for i := range len(a) {
		if lowerByte(a[i]) != lowerByte(b[i]) {
			return false
		}
	}
	return true
}

// lowered is a text with its ASCII letters in lower case: no byte moves.
func lowered(text string) string {
	b := []byte(text)
	for i, c := range b {
		b[i] = lowerByte(c)
	}
	return string(b)
}

func lowerByte(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}
