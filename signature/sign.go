package signature

import (
	"encoding/base64"
	"fmt"
	"io"
	"strconv"
)

// Place says where the OAuth parameters are sent (5.5.5). The zero Place is the header alone.
type Place uint8

// The RSA examples send them in the header, the HMAC example in the body as well. What is signed is the same (X12).
const (
	HeaderOnly Place = iota
	HeaderAndBody
)

// OAuth is what a caller chooses for one request (5.1). Version and signature method are not chosen: 1.0 and the key's.
type OAuth struct {
	ConsumerKey string // the merchant login
	Nonce       string // new for each request; see the function Nonce
	Timestamp   string // seconds since 1970; see the function Timestamp
	Realm       Realm  // left out unless present (L62)
	Place       Place
}

// Signed is a signed request and what was made on the way.
type Signed struct {
	BaseString    string
	Signature     string // Base64
	Header        Header
	Authorization string // the header's value
	Body          []byte // the body to send, percent-encoded
	Findings      []Finding
}

// Format prints the sizes alone: base string and body hold card numbers.
func (s Signed) Format(w fmt.State, _ rune) {
	_, _ = io.WriteString(w, "signed{"+strconv.Itoa(len(s.BaseString))+" bytes of base string, "+strconv.Itoa(len(s.Body))+" bytes of body}")
}

// Sign signs a request (5.2, 5.3, 5.5). It is an error, never an empty signature, where the request cannot be signed:
// the *Error has the code of what is wrong, such as OAuthMissing, TimestampSyntax, URLQuery, SignatureInBody.
func Sign(r Request, o OAuth, key SigningKey, p Profile) (*Signed, error) {
	var job signJob
	params, err := job.prepare(nil, &r, &o, key, p)
	if err != nil {
		return nil, err
	}
	buf := appendBase(make([]byte, macBlock, macBlock+baseSize(&r, params)), job.in.method, &job.in.url, params)
	base := string(buf[macBlock:])
	raw, err := key.sign(buf)
	if err != nil {
		return nil, err
	}
	text := encodeText(raw)
	header := o.header(&job.five, text)
	out := &Signed{BaseString: base, Signature: text, Header: header, Authorization: header.String(),
		Body: sentBody(&r, &job, o.Place)}
	if len(out.Authorization) > MaxHeaderBytes {
		return nil, limitHeader("the header would have more than " + strconv.Itoa(MaxHeaderBytes) + " bytes")
	}
	out.Findings = append(out.Findings, job.in.findings...)
	out.Findings = append(out.Findings, job.in.bodyFindings()...)
	out.Findings = append(out.Findings, key.signingFindings()...)
	if _, found := readTimestamp(o.Timestamp); found != nil {
		out.Findings = append(out.Findings, found...)
	}
	return out, nil
}

// smallBase is the size up to which a base string is made on the stack.
const smallBase = 2048

// Authorization is the header's value alone, as Sign makes it, for callers that sign many requests: with HMAC-SHA1 and
// up to twelve parameters one allocation, its result, and one more where the base string is longer than 2 KB.
func Authorization(r Request, o OAuth, key SigningKey, p Profile) (string, error) {
	var job signJob
	var few [stackParams]Param
	params, err := job.prepare(few[:0], &r, &o, key, p)
	if err != nil {
		return "", err
	}
	var room [smallBase]byte
	buf := room[:macBlock]
	if size := macBlock + baseSize(&r, params); size > len(room) {
		buf = make([]byte, macBlock, size)
	}
	buf = appendBase(buf, job.in.method, &job.in.url, params)
	var raw []byte
	// A switch instead of the method: what goes through an interface cannot stay on the stack.
	switch k := key.(type) {
	case *Secret:
		raw, err = k.sign(buf)
	case *PrivateKey:
		raw, err = k.sign(buf)
	}
	if err != nil {
		return "", err
	}
	out := o.appendHeader(buf[:0], &job.five, raw)
	if len(out) > MaxHeaderBytes {
		return "", limitHeader("the header would have more than " + strconv.Itoa(MaxHeaderBytes) + " bytes")
	}
	return string(out), nil
}

// signJob is a request read for signing, and the OAuth parameters that are signed with it.
type signJob struct {
	in   resolved
	five [5]Param
}

// prepare checks everything and gives the sorted parameters, appended to dst.
func (job *signJob) prepare(dst []Param, r *Request, o *OAuth, key SigningKey, p Profile) ([]Param, *Error) {
	err := p.checkForSigning()
	if err == nil {
		err = o.check()
	}
	if err == nil {
		err = job.in.read(r, p)
	}
	if err != nil {
		return nil, err
	}
	if o.Place == HeaderAndBody && !job.in.form {
		if len(r.Body) > 0 || r.ContentType != "" {
			return nil, &Error{Code: ContentType, Part: PartBody, Offset: noOffset, Rule: "the body is no form, so the OAuth parameters cannot stand in it",
				Remedy: "send them in the header alone", Clause: "5.5.5"}
		}
		job.in.form = true // an empty body becomes one
	}
	if job.in.holdsSignature() {
		return nil, &Error{Code: SignatureInBody, Part: PartBody, Offset: noOffset, Rule: "the body holds oauth_signature",
			Remedy: "take it out: the signature goes into the header only", Clause: "5.1"}
	}
	job.five = o.five(key.SignatureMethod())
	params, err := job.in.appendSigned(dst, job.five[:], p)
	if err != nil {
		return nil, err
	}
	sortParams(params)
	return params, nil
}

func (o *OAuth) check() *Error {
	switch {
	case o.ConsumerKey == "":
		return missing(nameConsumerKey)
	case o.Nonce == "":
		return missing(nameNonce)
	case o.Timestamp == "":
		return missing(nameTimestamp)
	case !quotable(o.Realm.Value):
		return &Error{Code: HeaderSyntax, Part: PartHeader, Offset: noOffset, Rule: "realm has a control character",
			Remedy: "leave realm out: it is optional", Clause: "L62"}
	}
	if seconds, found := readTimestamp(o.Timestamp); seconds == 0 {
		return &Error{Code: found[0].Code, Part: PartHeader, Offset: noOffset, Rule: found[0].Text, Remedy: found[0].Fix, Clause: "5.1"}
	}
	return nil
}

func missing(name string) *Error {
	return &Error{Code: OAuthMissing, Part: PartHeader, Offset: noOffset, Rule: name + " is absent or empty",
		Remedy: "give it", Clause: "5.1"}
}

// five are the signed OAuth parameters in order of name.
func (o *OAuth) five(method Method) [5]Param {
	return [5]Param{{nameConsumerKey, o.ConsumerKey}, {nameNonce, o.Nonce}, {nameSignatureMethod, method.String()},
		{nameTimestamp, o.Timestamp}, {nameVersion, "1.0"}}
}

// header puts oauth_signature among the five, in order of name.
func (o *OAuth) header(five *[5]Param, signature string) Header {
	return Header{Realm: o.Realm, Params: []Param{five[0], five[1], {nameSignature, signature}, five[2], five[3], five[4]}}
}

// appendHeader writes what header().String() gives, without the list in between.
func (o *OAuth) appendHeader(dst []byte, five *[5]Param, raw []byte) []byte {
	var room [28]byte // an HMAC's; that of RSA takes an allocation, which nobody notices beside it
	text := base64.StdEncoding.AppendEncode(room[:0], raw)
	dst = append(dst, "OAuth "...)
	if o.Realm.Present {
		dst = append(dst, `realm="`...)
		dst = append(appendQuoted(dst, o.Realm.Value), `", `...)
	}
	for i := range five {
		if i > 0 {
			dst = append(dst, ", "...)
		}
		if i == 2 {
			dst = append(dst, nameSignature+`="`...)
			dst = append(appendEncoded(dst, text), `", `...)
		}
		dst = append(dst, five[i].Name...)
		dst = append(dst, `="`...)
		dst = append(appendEncoded(dst, five[i].Value), '"')
	}
	return dst
}

// sentBody is the body to send: as it was given, or percent-encoded, with the five added where they are not there yet.
func sentBody(r *Request, job *signJob, place Place) []byte {
	body := append([]byte(nil), r.Body...)
	if r.Body == nil {
		body = AppendForm(nil, r.Params)
	}
	if place == HeaderOnly || !job.in.form {
		return body
	}
	for _, param := range job.five {
		if copied, _ := repeatsOAuth(param, job.in.body, nil); copied {
			continue
		}
		if len(body) > 0 {
			body = append(body, '&')
		}
		body = AppendForm(body, []Param{param})
	}
	return body
}

// SignBase signs a ready base string and gives the Base64 signature.
func (s *Secret) SignBase(base string) string {
	raw, _ := s.sign(padded(base))
	return encodeText(raw)
}

// SignBase signs a ready base string and gives the Base64 signature. The error is an *Error with SigningFailed.
func (k *PrivateKey) SignBase(base string) (string, error) {
	raw, err := k.sign(padded(base))
	if err != nil {
		return "", err
	}
	return encodeText(raw), nil
}

// VerifyBase tells whether raw is the signature of a base string: compared in constant time, in full length.
func (s *Secret) VerifyBase(base string, raw []byte) bool { return s.verify(padded(base), raw) }

// VerifyBase tells whether raw is the signature of a base string: of the modulus's length, with the one padding of
// RSASSA-PKCS1-v1_5 and SHA-256.
func (k *PublicKey) VerifyBase(base string, raw []byte) bool { return k.verify(padded(base), raw) }

// padded puts the free block in front of a text.
func padded(base string) []byte {
	return append(make([]byte, macBlock, macBlock+len(base)), base...)
}
