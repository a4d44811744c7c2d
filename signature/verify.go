package signature

import "bytes"

// Outcome is what verification says of a signature. The zero Outcome is none.
type Outcome uint8

// OK: it is this request's. Mismatch: it can be read and is not this request's. Unreadable: the header or the
// signature's text cannot be read (L66, L67).
const (
	NoOutcome Outcome = iota
	OK
	Mismatch
	Unreadable
)

// String gives "ok", "mismatch", "unreadable" or the empty text.
func (o Outcome) String() string {
	switch o {
	case OK:
		return "ok"
	case Mismatch:
		return "mismatch"
	case Unreadable:
		return "unreadable"
	}
	return ""
}

// Verdict keeps signature and freshness apart (L63): neither depends on the other.
type Verdict struct {
	Signature Outcome
	Fresh     Fresh
	Findings  []Finding
}

// Verify checks the signature in an Authorization header against a request (5, L63, L66). The comparison takes the
// same time wherever HMAC tags differ; an RSA signature has the length of the modulus. Freshness is judged only where
// f asks for it. The error is for a request that cannot be read, such as URLForm or FormEscape; whatever is wrong with
// the header is in the Verdict.
func Verify(r Request, authorization string, key VerifyingKey, p Profile, f Freshness) (Verdict, error) {
	if err := p.checkForSigning(); err != nil {
		return Verdict{}, err
	}
	in, err := r.resolve(p)
	if err != nil {
		return Verdict{}, err
	}
	v := Verdict{Findings: append(in.findings, in.bodyFindings()...)}
	header, err := parseHeader(authorization)
	if err != nil {
		return v.unreadable(err.asFinding()), nil
	}
	v.judge(&r, in, &header, key, p)
	if v.Signature == Unreadable {
		return v, nil
	}
	fresh, findings := f.check(&header, v.Signature == OK)
	v.Fresh = fresh
	v.Findings = append(v.Findings, findings...)
	return v, nil
}

func (v Verdict) unreadable(found Finding) Verdict {
	v.Signature = Unreadable
	v.Findings = append(v.Findings, found)
	return v
}

func (v *Verdict) judge(r *Request, in *resolved, header *Header, key VerifyingKey, p Profile) {
	findings, err := header.check(p)
	v.Findings = append(v.Findings, findings...)
	if err != nil {
		*v = v.unreadable(err.asFinding())
		return
	}
	text, _ := header.Value(nameSignature)
	raw, ok := decodeText(text)
	if !ok {
		*v = v.unreadable(textFault(text))
		return
	}
	v.Signature = Mismatch
	if method, _ := header.Value(nameSignatureMethod); method != key.SignatureMethod().String() {
		v.Findings = append(v.Findings, fault(SignatureMethod, "5.1", "the header names another signature method than that of the key",
			"use the key of the method, or name the method of the key"))
		return
	}
	var few [stackParams]Param
	params, err := in.appendSigned(few[:0], header.Params, p)
	if err != nil {
		v.Findings = append(v.Findings, err.asFinding())
		return
	}
	sortParams(params)
	buf := make([]byte, macBlock, macBlock+baseSize(r, params))
	buf = appendBase(buf, in.method, &in.url, params)
	if key.verify(buf, raw) {
		v.Signature = OK
		return
	}
	if len(raw) != key.signatureSize() {
		v.Findings = append(v.Findings, lengthFault(text, key.signatureSize()))
	} else if public, ok := key.(*PublicKey); ok && bytes.Compare(raw, public.rsa.N.Bytes()) >= 0 {
		v.Findings = append(v.Findings, fault(SignatureLength, "L66", "the signature is a number that is not below the modulus of the key",
			"check the key: the signature is not one of its size"))
	}
}

// lengthFault names the form of a signature that is Base64 by accident, such as hex, where that explains its length.
func lengthFault(text string, size int) Finding {
	const rule, remedy = "the signature has another length than the key gives", "check the signature method and the key"
	for _, m := range textMistakes() {
		if raw, ok := m.read(text); ok && len(raw) == size {
			return fault(SignatureLength, "L66", rule+": "+m.Text+" ("+m.ID+")", m.Fix)
		}
	}
	return fault(SignatureLength, "L66", rule, remedy)
}
