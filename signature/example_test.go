package signature_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/chargecast/chargecast/signature"
)

// How is a request signed?
func ExampleSign() {
	secret, err := signature.NewSecret("00000000-1111-2222-3333-444444444444", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	request := signature.Request{
		URL:    "https://gate.example.com/paynet/api/v4/create-recurring-payments/77",
		Params: []signature.Param{signature.Payload([]byte("\"rp_card_type\"\n\"SRC\"\n"))},
	}
	signed, err := signature.Sign(request, signature.OAuth{ConsumerKey: "merchant-login", Nonce: "n1", Timestamp: "1767225600"}, secret, signature.Gateway())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(strings.ReplaceAll(signed.Authorization, ", ", ",\n"))
	fmt.Println(string(signed.Body))
	// Output:
	// OAuth oauth_consumer_key="merchant-login",
	// oauth_nonce="n1",
	// oauth_signature="pwFBUY6rRSOvQa6AO9ch1cIR5WQ%3D",
	// oauth_signature_method="HMAC-SHA1",
	// oauth_timestamp="1767225600",
	// oauth_version="1.0"
	// payload=InJwX2NhcmRfdHlwZSIKIlNSQyIK
}

// Why did the gateway answer 403?
func ExampleDiagnose() {
	secret, err := signature.NewSecret("s3cret", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	request := signature.Request{URL: "https://gate.example.com/pay/77", Params: []signature.Param{{Name: "payload", Value: "YWI+YWI="}}}
	// Somebody signed the payload with each + as a space.
	mistaken := signature.Request{URL: request.URL, Params: []signature.Param{{Name: "payload", Value: "YWI YWI="}}}
	header, err := signature.Authorization(mistaken, signature.OAuth{ConsumerKey: "m", Nonce: "n", Timestamp: "1767225600"}, secret, signature.Gateway())
	if err != nil {
		fmt.Println(err)
		return
	}
	d, err := signature.Diagnose(request, signature.Evidence{Authorization: header}, secret, signature.Gateway())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, cause := range d.Causes {
		fmt.Println(cause.IDs, cause.Text)
		fmt.Println("fix:", cause.Fix)
	}
	// Output:
	// [payload-plus-to-space] each + of the payload's Base64 became a space
	// fix: send + as %2B, and do not form-decode the payload before signing
}

// Where do two base strings part?
func ExampleCompare() {
	d := signature.Compare("POST&https%3A%2F%2Fh%2F&a%3D1%26b%3Dx%2520y", "POST&https%3A%2F%2Fh%2F&a%3D1%26b%3Dx%2By")
	fmt.Println(d.Layer, d.Parameter, "byte", d.Byte)
	// Output: parameter-value b byte 1
}

// Is a signature right, and is the request fresh?
func ExampleVerify() {
	secret, err := signature.NewSecret("s3cret", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	request := signature.Request{URL: "https://gate.example.com/pay/77", Params: []signature.Param{{Name: "payload", Value: "YWI="}}}
	header, err := signature.Authorization(request, signature.OAuth{ConsumerKey: "m", Nonce: "n", Timestamp: "1767225600"}, secret, signature.Gateway())
	if err != nil {
		fmt.Println(err)
		return
	}
	ask := signature.Freshness{Replays: signature.NewMemoryReplays(1000)}
	for range 2 {
		v, err := signature.Verify(request, header, secret, signature.Gateway(), ask)
		fmt.Println("signature", v.Signature, "fresh", v.Fresh, err)
	}
	// Output:
	// signature ok fresh yes <nil>
	// signature ok fresh no <nil>
}

// What is wrong with a key file?
func ExampleLoadPrivateKey() {
	_, _, err := signature.LoadPrivateKey([]byte("ssh-rsa AAAA me"), signature.KeyRules{})
	fmt.Println(errors.Is(err, signature.KeyKind))
	fmt.Println(err)
	// Output:
	// true
	// key: this is an OpenSSH public key; an RSA key in PEM is needed; convert it: ssh-keygen -p -m PEM -f KEY rewrites a private key, ssh-keygen -e -m PKCS8 -f KEY prints a public one (key-kind, 5.4)
}

// Which stages lie between a request and its signature?
func ExampleTraceBase() {
	t, err := signature.TraceBase(signature.Request{URL: "https://H.example:443", Params: []signature.Param{{Name: "b", Value: "x y"}, {Name: "a", Value: "1"}}},
		[]signature.Param{{Name: "oauth_nonce", Value: "n"}}, signature.Gateway())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(t.URI)
	fmt.Println(t.Parameters)
	fmt.Println(t.BaseString)
	// Output:
	// https://h.example/
	// a=1&b=x%20y&oauth_nonce=n
	// POST&https%3A%2F%2Fh.example%2F&a%3D1%26b%3Dx%2520y%26oauth_nonce%3Dn
}

// How is a text percent-encoded?
func ExampleEncode() {
	fmt.Println(signature.Encode("50% off: a+b é~"))
	// Output: 50%25%20off%3A%20a%2Bb%20%C3%A9~
}
