package signature

// Method is a signature method (5.1). The zero Method is none.
type Method uint8

// The two methods of the document. RSA-SHA256 is RSASSA-PKCS1-v1_5 with SHA-256 (L65).
const (
	NoMethod Method = iota
	RSASHA256
	HMACSHA1
)

// String gives the method as oauth_signature_method does, or the empty text for the zero Method.
func (m Method) String() string {
	switch m {
	case RSASHA256:
		return "RSA-SHA256"
	case HMACSHA1:
		return "HMAC-SHA1"
	}
	return ""
}

// ParseMethod reads a signature method, letter for letter. Any other text is an *Error with SignatureMethod.
func ParseMethod(text string) (Method, error) {
	switch text {
	case "RSA-SHA256":
		return RSASHA256, nil
	case "HMAC-SHA1":
		return HMACSHA1, nil
	}
	return NoMethod, badMethod()
}

func badMethod() *Error {
	return &Error{Code: SignatureMethod, Part: PartHeader, Offset: noOffset,
		Rule: "the signature method is neither RSA-SHA256 nor HMAC-SHA1", Remedy: "use one of the two, in upper case", Clause: "5.1"}
}

// SigningKey is what signs: a *PrivateKey or a *Secret.
//
//sumtype:decl
type SigningKey interface {
	SignatureMethod() Method
	// sign signs what follows the first macBlock bytes of buf. These it may overwrite, even with the signature.
	sign(buf []byte) ([]byte, *Error)
	signingFindings() []Finding
}

// VerifyingKey is what verifies: a *PublicKey or a *Secret. A private key verifies through its Public half.
//
//sumtype:decl
type VerifyingKey interface {
	SignatureMethod() Method
	// verify reports whether signature fits what follows the first macBlock bytes of buf, which it may overwrite.
	verify(buf, signature []byte) bool
	signatureSize() int
}
