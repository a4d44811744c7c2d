package signature_test

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/chargecast/chargecast/signature"
)

// How is a request signed?
func ExampleSign() {
	secret, err := signature.NewHMACKey("00000000-1111-2222-3333-444444444444")
	if err != nil {
		fmt.Println(err)
		return
	}
	request := signature.NewRequest("POST", "https://gate.example.com/paynet/api/v4/create-recurring-payments/77").
		WithParams(signature.Payload([]byte("\"rp_card_type\"\n\"SRC\"\n")))
	signed, _, err := signature.Sign(request, signature.OAuth{ConsumerKey: "merchant-login", Nonce: "n1", Timestamp: "1767225600"}, secret)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(strings.ReplaceAll(signed.Authorization(), ", ", ",\n"))
	fmt.Println(string(signed.Body()))
	// Output:
	// OAuth oauth_consumer_key="merchant-login",
	// oauth_nonce="n1",
	// oauth_signature="pwFBUY6rRSOvQa6AO9ch1cIR5WQ%3D",
	// oauth_signature_method="HMAC-SHA1",
	// oauth_timestamp="1767225600",
	// oauth_version="1.0"
	// payload=InJwX2NhcmRfdHlwZSIKIlNSQyIK
}

// signedRequest is a request that somebody signed.
func signedRequest(secret *signature.HMACKey, payload string) signature.Request {
	request := signature.NewRequest("POST", "https://gate.example.com/pay/77").WithParams(signature.NewParam("payload", payload))
	signed, _, err := signature.Sign(request, signature.OAuth{ConsumerKey: "m", Nonce: "n", Timestamp: "1767225600"}, secret)
	if err != nil {
		panic(err)
	}
	return signed
}

// Is a request acceptable?
func ExampleVerify() {
	secret, err := signature.NewHMACKey("s3cret")
	if err != nil {
		fmt.Println(err)
		return
	}
	request := signedRequest(secret, "YWI=")
	now := time.Unix(1_767_225_700, 0) // time.Now() in a server
	v, err := signature.Verify(request, signature.Options{Now: now, Window: 5 * time.Minute}, secret)
	fmt.Println(v.ConsumerKey, v.Signature, err)
	_, err = signature.Verify(request.WithURL("https://gate.example.com/pay/78"), signature.Options{}, secret)
	fmt.Println(err)
	// Output:
	// m ok <nil>
	// Authorization: oauth_signature: the signature is not that of this request under this key: diagnose the request: known mistakes are named [signature-mismatch, 5.3]
}

// Which keys is a request to be verified with, and is it worth reading its body?
func ExampleInspect() {
	secret, err := signature.NewHMACKey("s3cret")
	if err != nil {
		fmt.Println(err)
		return
	}
	consumer, method, err := signature.Inspect(signedRequest(secret, "YWI="), signature.Options{})
	fmt.Println(consumer, method, err)
	// Output: m HMAC-SHA1 <nil>
}

// What is wrong with a key file?
func ExampleParsePrivateKey() {
	_, err := signature.ParsePrivateKey([]byte("ssh-rsa AAAA me"))
	fmt.Println(errors.Is(err, signature.KeyKind))
	fmt.Println(err)
	// Output:
	// true
	// key: this is an OpenSSH public key; an RSA key in PEM is needed: convert it: ssh-keygen -p -m PEM -f KEY rewrites a private key, ssh-keygen -e -m PKCS8 -f KEY prints a public one [key-kind, 5.4]
}

// Which stages are there between a request and its signature?
func ExampleNewTrace() {
	request := signature.NewRequest("POST", "https://H.example:443").
		WithParams(signature.NewParam("b", "x y"), signature.NewParam("a", "1")).WithAuthorization(`OAuth oauth_nonce="n"`)
	t, err := signature.NewTrace(request)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(t.URI())
	fmt.Println(t.BaseString())
	// Output:
	// https://h.example/
	// POST&https%3A%2F%2Fh.example%2F&a%3D1%26b%3Dx%2520y%26oauth_nonce%3Dn
}

// What is signed by any service that signs as RFC 5849 does?
func ExampleBaseString() {
	text, err := signature.BaseString("GET", "https://photos.example/list", []signature.Param{signature.NewParam("size", "large"), signature.NewParam("oauth_nonce", "n")})
	fmt.Println(text, err)
	// Output: GET&https%3A%2F%2Fphotos.example%2Flist&oauth_nonce%3Dn%26size%3Dlarge <nil>
}

// How is a text percent-encoded?
func ExampleEncode() {
	fmt.Println(signature.Encode("50% off: a+b é~"))
	// Output: 50%25%20off%3A%20a%2Bb%20%C3%A9~
}
