package signature

import (
	"crypto/sha1"
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

// String returns "ok", "mismatch" or "unreadable", the empty string for the zero Verdict, and a text
// such as "Verdict(9)" for a value that is none of these.
func (v Verdict) String() string { return verdictWords.String(uint8(v)) }

// MarshalText returns what [Verdict.String] returns; a value without a name is an error.
func (v Verdict) MarshalText() ([]byte, error) { return verdictWords.Marshal(uint8(v)) }

// UnmarshalText reads what [Verdict.MarshalText] writes. On an error v is unchanged.
func (v *Verdict) UnmarshalText(text []byte) error { return verdictWords.Unmarshal(text, (*uint8)(v)) }

// Verified is what [Verify] knows of a request.
type Verified struct {
	// ConsumerKey is the authenticated consumer; empty unless the request is acceptable.
	ConsumerKey string
	// Use is what the caller has to remember, if a nonce can be used only once; zero unless the request is acceptable.
	Use Use
	// Signature is the verdict on the signature alone. It is zero if the request, the key or the
	// options cannot be used. It can be ok for a request that is not acceptable for another reason.
	Signature Verdict
	// BodySigned reports whether the signature covers the whole body; an empty body counts as covered.
	// It is false for a body with a parameter oauth_signature, which is never signed, and for one that is
	// not a form: a stranger may have changed it. Such a body is let through only if the options allow it.
	BodySigned bool
	// Stale reports that the timestamp or the nonce is not what the options ask for (L63).
	Stale bool
	// Findings are all findings, errors and warnings.
	Findings ledger.Findings
}

// Verify checks the Authorization header of a request (5, L63, L66). The error is nil only if the
// request is acceptable: its signature is right under key, it covers all that was sent (or the options
// allow what it does not cover), and nothing else is wrong with the request or, if the options ask for
// it, with its timestamp and nonce. Otherwise the error is a [ledger.Findings] with all findings:
// errors.Is finds each code in it.
//
// HMAC tags are compared in constant time; an RSA signature has the length of the modulus. Whether
// the nonce was used before is left to the caller: see [Verified.Use].
func Verify(r Request, key VerifyingKey, o Options) (Verified, error) {
	return verify(r.data(), []VerifyingKey{key}, 0, o)
}

// VerifyAny is [Verify] with all keys that may serve a consumer, such as an old one and its successor. Without a key that
// serves, as for a consumer who is not known, and with one that does not fit, it takes as long as with a wrong signature: two
// keys of the length of the signature are always tried before it is refused.
func VerifyAny(r Request, keys []VerifyingKey, o Options) (Verified, error) {
	const triesAtLeast = 2
	return verify(r.data(), keys, triesAtLeast, o)
}

// A Claim is what a request says of itself: nothing of it is verified.
type Claim struct {
	ConsumerKey string
	Method      Method
}

// Inspect judges what needs neither key nor body: method, URL and content type, the grammar of the Authorization header and what it
// has to hold, the form and length of the signature, timestamp and nonce. A server asks it before it reads a body. The error
// is that of [Verify]; without one the claim has all that is needed to find the keys.
func Inspect(r Request, o Options) (Claim, error) {
	var j judgement
	if !j.read(r.data(), o) || !j.readSignature() {
		return Claim{}, j.Findings.Err()
	}
	j.Findings = append(j.Findings, o.freshness(&j.header)...)
	if n := len(j.raw); j.method == MethodHMACSHA1 && n != sha1.Size || j.method == MethodRSASHA256 && (n < floorBits/8 || n > maxKeyBits/8) {
		size := sha1.Size
		if j.method == MethodRSASHA256 {
			size = minKeyBits / 8
		}
		j.Findings = append(j.Findings, lengthFinding(j.text, size))
	}
	if err := j.Findings.Err(); err != nil {
		return Claim{}, err
	}
	consumer, _ := j.header.value(nameConsumerKey)
	return Claim{strings.Clone(consumer), j.method}, nil
}

// A judgement is a request while it is judged.
type judgement struct {
	Verified
	profile *readings
	in      *resolved
	header  header
	method  Method
	text    string // of the signature
	raw     []byte // its bytes
}

func (j *judgement) note(f *fault) bool {
	if f != nil {
		j.Findings = append(j.Findings, ledger.Finding(*f))
	}
	return f == nil
}

// read reads a request under the options, and reports whether its header can be judged.
func (j *judgement) read(r *requestData, o Options) bool {
	var failed *fault
	if j.profile, failed = o.Profile.readings(); failed == nil {
		failed = o.check()
	}
	if !j.note(failed) {
		return false
	}
	in := new(resolved)
	if failed := in.read(r, j.profile); failed != nil {
		j.Findings = in.findings
		if failed.Code == ContentType {
			j.Findings = append(j.Findings, found(BodyNotSigned, partBody, "", ""))
		}
		return j.note(failed)
	}
	j.in = in
	j.Findings = append(in.findings, in.bodyFindings()...)
	j.note(methodCase(r.method))
	j.judgeBody(o.AllowUnsigned)
	if j.header, failed = r.header(); failed != nil {
		j.Signature = VerdictUnreadable
	}
	return j.note(failed)
}

// methodCase refuses a method that is not signed as it is sent: methods are case-sensitive, and upper case is signed, so that a
// signature for POST would serve for post, which is another method.
func methodCase(method string) *fault {
	if method == strings.ToUpper(method) {
		return nil
	}
	return newFault(MethodForm, partMethod, "the HTTP method has a letter in lower case, and methods are case-sensitive", "send it in upper case")
}

// judgeBody judges what the signature does not cover. What a server would read otherwise than it was verified is refused:
// without a content type a form is not read as one (4.1).
func (j *judgement) judgeBody(allowed bool) {
	j.BodySigned = !j.in.unsigned
	if j.in.unsigned {
		j.Findings = append(j.Findings, found(BodyNotSigned, partBody, "", ""))
	}
	for i := range j.Findings {
		f := &j.Findings[i]
		switch {
		case f.Code == ContentTypeMissing && j.in.form:
			f.Severity = fail
		case f.Code == BodyNotSigned, f.Subject == nameSignature && (f.Place.File == partBody || f.Place.File == partURL):
			if f.Severity = fail; allowed {
				f.Severity = warn
			}
			j.BodySigned = j.BodySigned && f.Place.File != partBody
		}
	}
}

// readSignature reads the signature of the header, and reports whether it can be verified.
func (j *judgement) readSignature() bool {
	findings, missing := j.header.check(j.profile)
	j.Findings = append(append(j.Findings, missing...), findings...)
	if len(missing) > 0 {
		j.Signature = VerdictUnreadable
		return false
	}
	method, _ := j.header.value(nameSignatureMethod)
	j.method, _ = readMethod(method)
	j.text, _ = j.header.value(nameSignature)
	var ok bool
	if j.raw, ok = base.DecodeText(j.text); !ok {
		j.Signature = VerdictUnreadable
		j.Findings = append(j.Findings, textFinding(j.text))
		return false
	}
	return true
}

// verify judges a request. At least so many keys are tried before it is refused.
func verify(r *requestData, keys []VerifyingKey, tries int, o Options) (Verified, error) {
	var j judgement
	usable := true
	for _, key := range keys {
		usable = usable && j.note(checkKey(key))
	}
	if usable && j.read(r, o) && j.readSignature() {
		j.judge(keys, tries)
		stale := o.freshness(&j.header)
		j.Stale = len(stale) > 0
		j.Findings = append(j.Findings, stale...)
	}
	err := j.Findings.Err()
	switch {
	case err == nil && j.Signature != VerdictOK: // not reached: each way to fail has a finding
		err = found(SignatureWrong, partHeader, "", "")
	case err == nil:
		j.Use = useOf(&j.header, o.Window)
		j.ConsumerKey = j.Use.ConsumerKey
	}
	return j.Verified, err
}

// useOf returns the use of a header in texts of its own, which do not keep the header alive.
func useOf(h *header, window time.Duration) Use {
	text := func(name string) string {
		value, _ := h.value(name)
		return strings.Clone(value)
	}
	u := Use{ConsumerKey: text(nameConsumerKey), Timestamp: text(nameTimestamp), Nonce: text(nameNonce)}
	if seconds, _ := readTimestamp(u.Timestamp); window > 0 {
		u.Until = time.Unix(seconds, 0).UTC().Add(window)
	}
	return u
}

// judge sets the verdict.
func (j *judgement) judge(keys []VerifyingKey, tries int) {
	j.Signature = VerdictMismatch
	var few [stackParams]pair
	params, failed := j.in.signed(few[:0], j.header.params, j.profile)
	if !j.note(failed) {
		return
	}
	var last VerifyingKey
	for _, key := range keys {
		if key.SignatureMethod() != j.method {
			continue
		}
		if j.fits(key, params, tries > 0) {
			j.Signature = VerdictOK
			return
		}
		last, tries = key, tries-1
	}
	for ; tries > 0; tries-- {
		j.fits(nil, params, true)
	}
	if last == nil && len(keys) > 0 {
		j.Findings = append(j.Findings, about(found(SignatureMethod, partHeader, "the header names another signature method than that of the key",
			"use the key of the method, or name the method of the key"), nameSignatureMethod))
		return
	}
	j.Findings = append(j.Findings, mismatch(j.text, j.raw, last))
	if j.in.method == "POST" && len(j.in.body) == 0 && !j.in.unsigned {
		j.Findings = append(j.Findings, found(BodyMissing, partRequest, "", ""))
	}
}

// fits reports whether a key made the signature. If alike is set, a key that cannot have made it for its length, and no key, take
// the time of one that could have: a decoy is tried, and what it says counts for nothing.
func (j *judgement) fits(key VerifyingKey, params []pair, alike bool) bool {
	real := key != nil && (!alike || key.possible(j.raw))
	if !real {
		if key = decoy(j.method, len(j.raw)); key == nil {
			return false
		}
	}
	h := key.hasher()
	defer h.done()
	j.in.hashBase(h, params)
	return key.verify(h.sum(), j.raw) && real
}

// mismatch says why a signature that can be read is wrong, as far as it shows without a diagnosis. The key is nil where there
// is none.
func mismatch(text string, raw []byte, key VerifyingKey) ledger.Finding {
	switch {
	case key == nil || key.possible(raw):
		return about(found(SignatureWrong, partHeader, "", ""), nameSignature)
	case len(raw) != key.signatureSize():
		return lengthFinding(text, key.signatureSize())
	}
	return about(found(SignatureLength, partHeader, "the signature is a number that is not below the modulus of the key",
		"check the key: the signature was not made with it"), nameSignature)
}

// lengthFinding names the form of a signature that is base64 by accident, such as hex, if that
// explains its length.
func lengthFinding(text string, size int) ledger.Finding {
	f := about(found(SignatureLength, partHeader, "", ""), nameSignature)
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
	f := about(found(SignatureText, partHeader, "", ""), nameSignature)
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
