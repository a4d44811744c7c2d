package signature

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/binary"
	"strings"
	"time"

	"github.com/chargecast/chargecast/internal/enum"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature/internal/base"
)

// A Verdict is what verification says of a signature alone. The zero Verdict is none: the signature
// was not judged.
type Verdict uint8

// The verdicts.
const (
	VerdictOK         Verdict = iota + 1 // it is the signature of this request
	VerdictMismatch                      // it can be read, and is not the signature of this request
	VerdictUnreadable                    // the header or the text of the signature cannot be read (L66, L67)
)

var verdictWords = enum.Words{Type: "Verdict", Words: []string{"", "ok", "mismatch", "unreadable"}}

// String returns "ok", "mismatch" or "unreadable", the empty string for the zero Verdict, and a
// text such as "Verdict(9)" for a value that is none of these.
func (v Verdict) String() string { return verdictWords.String(uint8(v)) }

// MarshalText returns what [Verdict.String] returns; a value without a name is an error.
func (v Verdict) MarshalText() ([]byte, error) { return verdictWords.Marshal(uint8(v)) }

// UnmarshalText reads what [Verdict.MarshalText] writes. On an error v is unchanged.
func (v *Verdict) UnmarshalText(text []byte) error { return verdictWords.Unmarshal(text, (*uint8)(v)) }

// Verified is what [Verify] knows of a request.
type Verified struct {
	// ConsumerKey is the authenticated consumer; empty unless the request is acceptable.
	ConsumerKey string
	// Use is what the caller has to remember, if a nonce can be used only once; zero unless the
	// request is acceptable.
	Use Use
	// Signature is the verdict on the signature alone. It is zero if the request, the key or the
	// options cannot be used. It can be ok for a request that is not acceptable for another reason.
	Signature Verdict
	// Stale reports that the timestamp or the nonce is not what the options ask for (L63).
	Stale bool
	// Findings are all findings, errors and warnings.
	Findings ledger.Findings
}

// A Use is one use of a nonce. A nonce is new if its consumer has not used it at that timestamp
// (L63). The zero Use is none.
type Use struct {
	ConsumerKey string
	Timestamp   string // as it was sent: a decimal number of seconds since 1970
	Nonce       string
	// Until is the last second at which the timestamp is inside the window: the caller has to
	// remember the use so long. It is zero where there is no window, and then the use has to be
	// remembered for ever.
	Until time.Time `json:",omitzero"`
}

// Hash identifies a use by its texts; Until is not in it.
func (u Use) Hash() [sha256.Size]byte {
	var text []byte
	for _, part := range [...]string{u.ConsumerKey, u.Timestamp, u.Nonce} {
		text = binary.AppendUvarint(text, uint64(len(part)))
		text = append(text, part...)
	}
	return sha256.Sum256(text)
}

// Verify checks the Authorization header of a request (5, L63, L66) under all keys that may serve
// its consumer, such as an old one and its successor. The error is nil only if the request is
// acceptable: its signature is right under one of the keys, and nothing else is wrong with the
// request or, if the options ask for it, with its timestamp and nonce. Otherwise the error is a
// [ledger.Findings] with all findings: errors.Is finds the code of each error in it. No key, and a
// nil or zero one among them, is the fault of the caller of Verify, with the code [KeyMissing].
//
// HMAC tags are compared in constant time; an RSA signature has the length of the modulus. Whether
// the nonce was used before is left to the caller: see [Verified.Use].
func Verify(r Request, o Options, keys ...VerifyingKey) (Verified, error) {
	var v verification
	if v.checkKeys(keys) && v.read(r.data(), o) {
		v.checkSignature(keys)
		stale, findings := o.freshness(&v.header)
		v.Stale = stale
		v.Findings = append(v.Findings, findings...)
	}
	if err := v.Findings.Err(); err != nil {
		return v.Verified, err
	}
	v.Use = useOf(&v.header, o.Window)
	v.ConsumerKey = v.Use.ConsumerKey
	return v.Verified, nil
}

// Inspect judges what needs neither key nor body: method, URL and content type, the grammar of the
// Authorization header and what it has to hold, the form and length of the signature, timestamp and
// nonce. A server asks it before it reads a body. The error is that of [Verify]; without one it
// returns what is needed to find the keys, of which nothing is verified.
func Inspect(r Request, o Options) (consumerKey string, method Method, err error) {
	var v verification
	if !v.read(r.data(), o) {
		return "", 0, v.Findings.Err()
	}
	_, findings := o.freshness(&v.header)
	v.Findings = append(v.Findings, findings...)
	n, size, most := len(v.raw), sha1.Size, sha1.Size
	if v.method == MethodRSASHA256 {
		size, most = minKeyBits/8, maxKeyBits/8
	}
	if n < size || n > most {
		v.Findings = append(v.Findings, lengthFinding(v.text, size))
	}
	if err := v.Findings.Err(); err != nil {
		return "", 0, err
	}
	consumer, _ := base.Value(v.header.Params, base.ConsumerKey)
	return strings.Clone(consumer), v.method, nil
}

// A verification is a request while it is judged.
type verification struct {
	Verified
	parts  base.RequestParts
	body   string
	header base.Header
	method Method
	text   string // of the signature
	raw    []byte // its bytes
}

// note keeps an error as a finding, and reports whether there was none.
func (v *verification) note(err error) bool {
	if f, ok := err.(ledger.Finding); ok {
		v.Findings = append(v.Findings, f)
	}
	return err == nil
}

func (v *verification) checkKeys(keys []VerifyingKey) bool {
	if len(keys) == 0 {
		return v.note(checkKey(nil))
	}
	for _, key := range keys {
		if !v.note(checkKey(key)) {
			return false
		}
	}
	return true
}

// read reads a request, and reports whether its signature can be verified.
func (v *verification) read(d *requestData, o Options) bool {
	if !v.note(o.check()) {
		return false
	}
	parts, err := d.read()
	v.parts, v.body = parts, d.body
	v.Findings = append(v.Findings, findingsOf(parts.Problems)...)
	if !v.note(err) {
		return false
	}
	if v.header, err = d.header(); !v.note(err) {
		v.Signature = VerdictUnreadable
		return false
	}
	return v.readSignature()
}

func (v *verification) readSignature() bool {
	findings, missing := checkHeader(&v.header)
	v.Findings = append(append(v.Findings, missing...), findings...)
	if len(missing) > 0 {
		v.Signature = VerdictUnreadable
		return false
	}
	method, _ := base.Value(v.header.Params, base.SignatureMethod)
	v.method, _ = readMethod(method)
	v.text, _ = base.Value(v.header.Params, base.Signature)
	var ok bool
	if v.raw, ok = base.DecodeText(v.text); !ok {
		v.Signature = VerdictUnreadable
		v.Findings = append(v.Findings, textFinding(v.text))
	}
	return ok
}

// checkHeader returns what the header lacks or has too much of (5.1, 5.5.2). The findings
// of missing are all that leave no signature to judge: a consumer key, nonce, method, timestamp or
// signature that is absent or empty, or an unknown method. The other findings are version,
// timestamp, unknown parameters and values that are not escaped.
func checkHeader(h *base.Header) (findings, missing ledger.Findings) {
	for _, name := range [...]string{base.ConsumerKey, base.Nonce, base.SignatureMethod, base.Timestamp, base.Signature} {
		if value, _ := base.Value(h.Params, name); value == "" {
			missing = append(missing, missingParameter(name))
		}
	}
	method, _ := base.Value(h.Params, base.SignatureMethod)
	if _, ok := readMethod(method); !ok && method != "" {
		missing = append(missing, about(found(SignatureMethod, base.PartHeader, "the signature method is not RSA-SHA256 or HMAC-SHA1", "use one of the two, in upper case"), base.SignatureMethod))
	}
	switch version, sent := base.Value(h.Params, base.Version); {
	case !sent:
		findings = append(findings, about(found(OAuthMissing, base.PartHeader, "oauth_version is absent", "send and sign 1.0"), base.Version))
	case version != "1.0":
		findings = append(findings, about(found(OAuthVersion, base.PartHeader, "", ""), base.Version))
	}
	if timestamp, _ := base.Value(h.Params, base.Timestamp); timestamp != "" {
		_, wrong := readTimestamp(timestamp)
		findings = append(findings, wrong...)
	}
	for _, p := range h.Params {
		if p.Name != base.Signature && !base.IsFive(p.Name) {
			findings = append(findings, unknownParameter(p.Name))
		}
	}
	for _, name := range h.Unescaped {
		if name == base.Signature || base.IsFive(name) {
			findings = append(findings, about(found(HeaderUnescaped, base.PartHeader, "", ""), name))
		}
	}
	return findings, missing
}

// unknownParameter warns of a parameter of the header that is not signed, by its name if that may
// be shown.
func unknownParameter(name string) ledger.Finding {
	if !base.IsWord(name) {
		return found(OAuthUnknown, base.PartHeader, "the header has a parameter beside the five and the signature, which is not signed", "leave it out")
	}
	return about(found(OAuthUnknown, base.PartHeader, name+" is in the header and is not signed", "leave it out"), name)
}

func missingParameter(name string) ledger.Finding {
	return about(found(OAuthMissing, base.PartHeader, name+" is absent or empty", "send it"), name)
}

// useOf returns the use of a header in texts of its own, which do not keep the header alive.
func useOf(h *base.Header, window time.Duration) Use {
	text := func(name string) string {
		value, _ := base.Value(h.Params, name)
		return strings.Clone(value)
	}
	u := Use{ConsumerKey: text(base.ConsumerKey), Timestamp: text(base.Timestamp), Nonce: text(base.Nonce)}
	if seconds, _ := readTimestamp(u.Timestamp); window > 0 {
		u.Until = time.Unix(seconds, 0).UTC().Add(window)
	}
	return u
}

// checkSignature sets the verdict.
func (v *verification) checkSignature(keys []VerifyingKey) {
	v.Signature = VerdictMismatch
	params, problem := v.parts.Signed(v.header.Params)
	if problem != nil {
		v.note(findingOf(problem))
		return
	}
	var last VerifyingKey
	for _, key := range keys {
		if key.SignatureMethod() != v.method {
			continue
		}
		h := key.newHash()
		base.Hash(h, "POST", v.parts.URL.URI(), params)
		if key.verify(h.Sum(nil), v.raw) {
			v.Signature = VerdictOK
			return
		}
		last = key
	}
	if last == nil {
		v.Findings = append(v.Findings, otherMethod(v.method))
		return
	}
	v.Findings = append(v.Findings, mismatch(v.text, v.raw, last))
	if v.body == "" {
		v.Findings = append(v.Findings, found(BodyMissing, base.PartRequest, "", ""))
	}
}

// otherMethod says that no key is one of the method that the header names. Its Hint is the method.
func otherMethod(m Method) ledger.Finding {
	help := "verify it by the RSA key of the consumer"
	if m == MethodHMACSHA1 {
		help = "verify it by the secret of the consumer"
	}
	f := about(found(SignatureMethod, base.PartHeader, "the request is signed with "+m.String(), help), base.SignatureMethod)
	f.Hint = ledger.Code(m.String())
	return f
}

// mismatch says why a signature that can be read is wrong, as far as it shows without a diagnosis.
func mismatch(text string, raw []byte, key VerifyingKey) ledger.Finding {
	switch {
	case key.possible(raw):
		return about(found(SignatureWrong, base.PartHeader, "", ""), base.Signature)
	case len(raw) != key.signatureSize():
		return lengthFinding(text, key.signatureSize())
	}
	return about(found(SignatureLength, base.PartHeader, "the signature is a number that is not below the modulus of the key",
		"check the key: the signature was not made with it"), base.Signature)
}

// lengthFinding names the form of a signature that is base64 by accident, such as hex, if that
// explains its length.
func lengthFinding(text string, size int) ledger.Finding {
	f := about(found(SignatureLength, base.PartHeader, "", ""), base.Signature)
	for _, m := range base.TextForms() {
		if raw, ok := m.Read(text); ok && len(raw) == size {
			f.Message, f.Help = f.Message+": "+m.Text+" ("+m.ID+")", m.Fix
			break
		}
	}
	return f
}

// textFix is what to do about a signature that cannot be read.
const textFix = "send base64 of the signature bytes, padded, on one line, percent-encoded once in the header"

// textFinding says why the text of a signature cannot be read (L66).
func textFinding(text string) ledger.Finding {
	f := about(found(SignatureText, base.PartHeader, "", ""), base.Signature)
	for _, m := range base.TextForms() {
		if m.ID == base.URLSafe && !strings.ContainsAny(text, "-_") {
			continue // only its padding is missing
		}
		if _, ok := m.Read(text); ok {
			f.Message = "the signature is not plain base64: " + m.Text + " (" + m.ID + ")"
			break
		}
	}
	return f
}
