package fuzz

import "github.com/chargecast/chargecast/signature"

// A SignatureImpl is the signatures of an implementation.
type SignatureImpl struct {
	Encode        func(text string) string
	Decode        func(text string) (string, error)
	BaseURI       func(url string, p signature.Profile) (string, error)
	BaseString    func(r signature.Request, oauth []signature.Param, p signature.Profile) (string, error)
	FormatHeader  func(signature.Header) string
	ParseHeader   func(string) (signature.Header, error)
	SignHMAC      func(base, secret, token string) string
	Authorization func(r signature.Request, o signature.OAuth, key signature.SigningKey, p signature.Profile) (string, error)
	Verify        func(r signature.Request, authorization string, key signature.VerifyingKey, p signature.Profile) (signature.Outcome, error)
	VerifyFresh   func(r signature.Request, authorization string, key signature.VerifyingKey, p signature.Profile, f signature.Freshness) (signature.Verdict, error)
	Trace         func(r signature.Request, oauth []signature.Param, p signature.Profile) (*signature.Trace, error)
	Compare       func(ours, theirs string) *signature.Difference
	Diagnose      func(r signature.Request, authorization string, key signature.VerifyingKey, p signature.Profile) (signature.Diagnosis, error)
}

func ourSignatures() SignatureImpl {
	return SignatureImpl{
		Encode: signature.Encode, Decode: signature.Decode, BaseURI: signature.BaseURI, BaseString: signature.BaseString,
		FormatHeader: signature.Header.String, ParseHeader: signature.ParseHeader,
		SignHMAC: func(base, secret, token string) string {
			key, err := signature.NewSecret(secret, token)
			if err != nil {
				return ""
			}
			return key.SignBase(base)
		},
		Authorization: signature.Authorization,
		Verify: func(r signature.Request, authorization string, key signature.VerifyingKey, p signature.Profile) (signature.Outcome, error) {
			v, err := signature.Verify(r, authorization, key, p, signature.Freshness{})
			return v.Signature, err
		},
		VerifyFresh: signature.Verify, Trace: signature.TraceBase, Compare: signature.Compare,
		Diagnose: func(r signature.Request, authorization string, key signature.VerifyingKey, p signature.Profile) (signature.Diagnosis, error) {
			return signature.Diagnose(r, signature.Evidence{Authorization: authorization}, key, p)
		},
	}
}

// referenceSignatures are the stage oracle's; it reads no URL and no header.
func referenceSignatures() SignatureImpl {
	return SignatureImpl{
		Encode: slowEncode,
		SignHMAC: func(base, secret, token string) string {
			s := slowStages{key: slowEncode(secret) + "&" + slowEncode(token), element: unchanged, encode: unchanged, bareURI: true, bareThird: true}
			s.finish = func(string) string { return base }
			return signatureText(s.sum())
		},
	}
}
