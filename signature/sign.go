package signature

import (
	"encoding/base64"

	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature/internal/base"
)

// OAuth is what a caller chooses for one signature (5.1). Version and signature method are not
// chosen: they are 1.0 and the key's.
type OAuth struct {
	ConsumerKey string  // the merchant login
	Nonce       string  // new for each request; see [Nonce]
	Timestamp   string  // seconds since 1970; see [Timestamp]
	Realm       *string // nil leaves it out; it is never signed (L62)
	InBody      bool    // the OAuth parameters are sent in the body as well (5.5.5); what is signed is the same (X12)
}

// Signed is a signed request. It shows nothing when it is printed, logged or marshalled: base string
// and body hold card numbers. The zero Signed is empty.
type Signed struct{ hidden[signedData] }

type signedData struct {
	request       Request
	oauth         OAuth
	method        Method
	profile       *readings
	authorization string
	keyFindings   ledger.Findings
}

func (signedData) mask() string { return "signed request" }

// Sign signs a request (5.2, 5.3, 5.5). A request that cannot be signed is an error with the code of
// what is wrong, such as [OAuthMissing], [TimestampSyntax], [URLQuery], [SignatureInBody] or
// [KeyMissing]; the signature is never empty without an error.
func Sign(r Request, o OAuth, key SigningKey, p Profile) (Signed, error) {
	var job signJob
	var few [stackParams]pair
	params, failed := job.prepare(few[:0], r.data(), &o, key, p)
	if failed != nil {
		return Signed{}, failed.err()
	}
	h := key.hasher()
	defer h.done()
	job.in.hashBase(h, params)
	raw, failed := key.sign(h.sum())
	if failed != nil {
		return Signed{}, failed.err()
	}
	var text [28]byte // an HMAC's; that of RSA takes an allocation
	out := o.appendHeader(h.text, key.SignatureMethod(), base64.StdEncoding.AppendEncode(text[:0], raw))
	if len(out) > maxHeaderBytes {
		return Signed{}, limitHeader("8192 bytes").err()
	}
	return Signed{hide(signedData{r, o, key.SignatureMethod(), job.profile, string(out), key.signingFindings()})}, nil
}

// Authorization returns the value of the Authorization header.
func (s Signed) Authorization() string { return s.data().authorization }

// Signature returns the signature in base64, as it is before it is percent-encoded in the header.
func (s Signed) Signature() string {
	h, failed := parseHeader(s.data().authorization)
	if failed != nil {
		return "" // of a zero Signed
	}
	text, _ := h.value(nameSignature)
	return text
}

// BaseString returns the text that was signed. It is made again by each call.
func (s Signed) BaseString() string {
	d, in, ok := s.resolve()
	if !ok {
		return ""
	}
	var few [stackParams]pair
	var five [fiveParams]pair
	params, failed := in.signed(few[:0], d.oauth.appendFive(five[:0], d.method), d.profile)
	if failed != nil {
		return ""
	}
	return string(in.appendBase(make([]byte, 0, base.Size(d.request.data().url, params)), params))
}

// Body returns the body to send: as it was given, or percent-encoded, with the OAuth parameters if
// OAuth.InBody is set and they are not there yet. It is made again by each call.
func (s Signed) Body() []byte {
	d, in, ok := s.resolve()
	if !ok {
		return nil
	}
	body := d.request.Body()
	if !d.oauth.InBody {
		return body
	}
	for _, one := range d.oauth.appendFive(nil, d.method) {
		if _, copied := valueOf(in.body, one.Name); copied {
			continue
		}
		if len(body) > 0 {
			body = append(body, '&')
		}
		body = base.AppendForm(body, []pair{one})
	}
	return body
}

// Request returns the request as it is to be sent, with its body and its Authorization header.
func (s Signed) Request() Request {
	d, in, ok := s.resolve()
	if !ok {
		return Request{}
	}
	r := d.request
	if d.oauth.InBody {
		contentType := r.ContentType()
		if !in.form || contentType == "" {
			contentType = formType
		}
		r = r.WithBody(contentType, string(s.Body()))
	}
	return r.WithAuthorization(d.authorization)
}

// Findings returns warnings about the request and the secret.
func (s Signed) Findings() ledger.Findings {
	d, in, ok := s.resolve()
	if !ok {
		return nil
	}
	list := append(in.findings, in.bodyFindings()...)
	list = append(list, d.keyFindings...)
	_, late := readTimestamp(d.oauth.Timestamp)
	return append(list, late...)
}

func (s Signed) data() *signedData {
	if v := s.reveal(); v != nil {
		return v
	}
	return &signedData{}
}

// resolve reads the request once more; ok is false for a zero Signed.
func (s Signed) resolve() (*signedData, *resolved, bool) {
	d := s.data()
	if d.profile == nil {
		return d, nil, false
	}
	in := new(resolved)
	return d, in, in.read(d.request.data(), d.profile) == nil
}

// fiveParams is how many OAuth parameters are signed (5.1).
const fiveParams = 5

// stackParams is how many parameters are collected without an allocation: the six of the real
// operation and some more.
const stackParams = 12

// signJob is a request read for signing.
type signJob struct {
	in      resolved
	profile *readings
}

// prepare checks everything and returns the sorted parameters, appended to dst.
func (job *signJob) prepare(dst []pair, r *requestData, o *OAuth, key SigningKey, p Profile) ([]pair, *fault) {
	failed := checkKey(key)
	if failed == nil {
		job.profile, failed = p.readings()
	}
	if failed == nil {
		failed = o.check()
	}
	if failed == nil {
		failed = job.in.read(r, job.profile)
	}
	if failed != nil {
		return nil, failed
	}
	if o.InBody && !job.in.form && (r.body != "" || r.contentType != "") {
		return nil, newFault(ContentType, partBody, "the body is not a form, so the OAuth parameters cannot be in it", "send them in the header alone")
	}
	if _, signed := valueOf(job.in.body, nameSignature); signed {
		f := fault(about(found(SignatureInBody, partBody, "", ""), nameSignature))
		return nil, &f
	}
	var five [fiveParams]pair
	return job.in.signed(dst, o.appendFive(five[:0], key.SignatureMethod()), job.profile)
}

func (o *OAuth) check() *fault {
	for _, required := range [...]pair{{Name: nameConsumerKey, Value: o.ConsumerKey}, {Name: nameNonce, Value: o.Nonce}, {Name: nameTimestamp, Value: o.Timestamp}} {
		if required.Value == "" {
			f := fault(missingParameter(required.Name))
			return &f
		}
	}
	if o.Realm != nil && !quotable(*o.Realm) {
		return newFault(HeaderSyntax, partHeader, "realm has a control character", "leave realm out: it is optional")
	}
	if seconds, problems := readTimestamp(o.Timestamp); seconds == 0 {
		f := fault(problems[0])
		return &f
	}
	return nil
}

// appendFive appends the signed OAuth parameters in order of name.
func (o *OAuth) appendFive(dst []pair, method Method) []pair {
	return append(dst, pair{Name: nameConsumerKey, Value: o.ConsumerKey}, pair{Name: nameNonce, Value: o.Nonce}, pair{Name: nameSignatureMethod, Value: method.String()},
		pair{Name: nameTimestamp, Value: o.Timestamp}, pair{Name: nameVersion, Value: "1.0"})
}

// appendHeader appends the header: the five with oauth_signature among them, in order of name. Method
// and timestamp have nothing to encode.
func (o *OAuth) appendHeader(dst []byte, method Method, signature []byte) []byte {
	dst = append(dst, "OAuth "...)
	if o.Realm != nil {
		dst = append(dst, nameRealm+`="`...)
		dst = append(appendQuoted(dst, *o.Realm), `", `...)
	}
	dst = append(dst, nameConsumerKey+`="`...)
	dst = base.AppendEncoded(dst, o.ConsumerKey)
	dst = append(dst, `", `+nameNonce+`="`...)
	dst = base.AppendEncoded(dst, o.Nonce)
	dst = append(dst, `", `+nameSignature+`="`...)
	dst = base.AppendEncoded(dst, signature)
	dst = append(dst, `", `+nameSignatureMethod+`="`...)
	dst = append(dst, method.String()...)
	dst = append(dst, `", `+nameTimestamp+`="`...)
	dst = append(dst, o.Timestamp...)
	return append(dst, `", `+nameVersion+`="1.0"`...)
}
