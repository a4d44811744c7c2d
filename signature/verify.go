package signature

import (
	"bytes"
	"strings"

	"github.com/chargecast/chargecast/internal/enum"
	"github.com/chargecast/chargecast/ledger"
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
	// Use is what a [Replays] is to remember; zero unless the request is acceptable.
	Use Use
	// Signature is the verdict on the signature alone. It is zero if the request, the key or the
	// options cannot be used. It can be ok for a request that is not acceptable for another reason.
	Signature Verdict
	// BodySigned reports whether the signature covers the whole body; an empty body counts as covered.
	// It is false for a body with a parameter oauth_signature, which is never signed.
	// Only a form is ever covered: under ProfileRFC5849 another body is left unsigned, and a stranger
	// may have changed it.
	BodySigned bool
	// Stale reports that the timestamp or the nonce is not what the options ask for (L63).
	Stale bool
	// Findings are all findings, errors and warnings.
	Findings ledger.Findings
}

// Verify checks the Authorization header of a request (5, L63, L66). The error is nil only if the
// request is acceptable: its signature is right under key, and nothing else is wrong with the
// request or, if the options ask for it, with its timestamp and nonce. Otherwise the error is a
// [ledger.Findings] with all findings: errors.Is finds each code in it.
//
// HMAC tags are compared in constant time; an RSA signature has the length of the modulus. Whether
// the nonce was used before is left to the caller: see [Verified.Use] and [Replays].
func Verify(r Request, key VerifyingKey, o Options) (Verified, error) {
	v, _, _ := verify(r.data(), key, o)
	err := v.Findings.Err()
	if err == nil && v.Signature != VerdictOK { // not reached: each way to fail has a finding
		err = found(SignatureWrong, partHeader, "", "")
	}
	if err != nil {
		v.ConsumerKey, v.Use = "", Use{}
	}
	return v, err
}

// verify judges a request, and returns what it was read as.
func verify(r *requestData, key VerifyingKey, o Options) (v Verified, in *resolved, h header) {
	refused := func(failed *fault) (Verified, *resolved, header) {
		v.Findings = append(v.Findings, ledger.Finding(*failed))
		return v, nil, header{}
	}
	if failed := checkKey(key); failed != nil {
		return refused(failed)
	}
	p, failed := o.Profile.readings()
	if failed == nil {
		failed = o.check()
	}
	if failed != nil {
		return refused(failed)
	}
	in = new(resolved)
	if failed := in.read(r, p); failed != nil {
		v.Findings = in.findings
		if failed.Code == ContentType {
			f := found(BodyNotSigned, partBody, "", "")
			f.Severity = fail
			v.Findings = append(v.Findings, f)
		}
		return refused(failed)
	}
	v.Findings = append(in.findings, in.bodyFindings()...)
	v.BodySigned = !in.unsigned && !v.Findings.Has(SignatureInBody)
	if in.unsigned {
		v.Findings = append(v.Findings, found(BodyNotSigned, partBody, "", ""))
	}
	h, failed = r.header()
	if failed != nil {
		v.Signature = VerdictUnreadable
		v.Findings = append(v.Findings, ledger.Finding(*failed))
		return v, in, h
	}
	v.judge(r, in, &h, key, p)
	if v.Signature == VerdictUnreadable {
		return v, in, h
	}
	stale := o.freshness(&h)
	v.Stale = len(stale) > 0
	v.Findings = append(v.Findings, stale...)
	if v.Signature == VerdictOK {
		v.Use = useOf(&h)
		v.ConsumerKey = v.Use.ConsumerKey
	}
	return v, in, h
}

// useOf returns the use of a header in texts of its own, which do not keep the header alive.
func useOf(h *header) Use {
	text := func(name string) string {
		value, _ := h.value(name)
		return strings.Clone(value)
	}
	return Use{text(nameConsumerKey), text(nameTimestamp), text(nameNonce)}
}

// judge sets the verdict.
func (v *Verified) judge(r *requestData, in *resolved, h *header, key VerifyingKey, p *readings) {
	findings, missing := h.check(p)
	v.Findings = append(append(v.Findings, missing...), findings...)
	if len(missing) > 0 {
		v.Signature = VerdictUnreadable
		return
	}
	text, _ := h.value(nameSignature)
	raw, ok := decodeText(text)
	if !ok {
		v.Signature = VerdictUnreadable
		v.Findings = append(v.Findings, textFinding(text))
		return
	}
	v.Signature = VerdictMismatch
	if method, _ := h.value(nameSignatureMethod); method != key.SignatureMethod().String() {
		v.Findings = append(v.Findings, about(found(SignatureMethod, partHeader, "the header names another signature method than that of the key",
			"use the key of the method, or name the method of the key"), nameSignatureMethod))
		return
	}
	var few [stackParams]pair
	params, failed := in.appendSigned(few[:0], h.params, p)
	if failed != nil {
		v.Findings = append(v.Findings, ledger.Finding(*failed))
		return
	}
	sortPairs(params)
	hashed := key.hasher()
	defer hashed.done()
	s := sink{hashed.text, hashed.alone[:]}
	s.base(in.method, &in.url, params)
	if key.verify(hashed.sum(), raw) {
		v.Signature = VerdictOK
		return
	}
	v.Findings = append(v.Findings, mismatch(text, raw, key))
	if in.method == "POST" && len(in.body) == 0 && !in.unsigned {
		v.Findings = append(v.Findings, found(BodyMissing, partRequest, "", ""))
	}
}

// mismatch says why a signature that can be read is wrong, as far as it shows without a diagnosis.
func mismatch(text string, raw []byte, key VerifyingKey) ledger.Finding {
	if len(raw) != key.signatureSize() {
		return lengthFinding(text, key.signatureSize())
	}
	if public, ok := key.(*PublicKey); ok && bytes.Compare(raw, public.rsa.N.Bytes()) >= 0 {
		return about(found(SignatureLength, partHeader, "the signature is a number that is not below the modulus of the key",
			"check the key: the signature was not made with it"), nameSignature)
	}
	return about(found(SignatureWrong, partHeader, "", ""), nameSignature)
}

// lengthFinding names the form of a signature that is base64 by accident, such as hex, if that
// explains its length.
func lengthFinding(text string, size int) ledger.Finding {
	f := about(found(SignatureLength, partHeader, "", ""), nameSignature)
	for _, m := range textMistakes() {
		if raw, ok := m.read(text); ok && len(raw) == size {
			f.Message, f.Help = f.Message+": "+m.Text+" ("+m.ID+")", m.Fix
			break
		}
	}
	return f
}
