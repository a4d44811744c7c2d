package diagnose_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/diagnose"
)

// signedRequest is a request that somebody signed.
func signedRequest(secret *signature.HMACKey, payload string) signature.Request {
	request := signature.NewRequest("POST", "https://gate.example.com/pay/77").WithParams(signature.NewParam("payload", payload))
	signed, _, err := signature.Sign(request, signature.OAuth{ConsumerKey: "m", Nonce: "n", Timestamp: "1767225600"}, secret)
	if err != nil {
		panic(err)
	}
	return signed
}

// Why did the gateway answer 403?
func ExampleRequest() {
	secret, err := signature.NewHMACKey("s3cret")
	if err != nil {
		fmt.Println(err)
		return
	}
	// The payload was signed with each + as a space.
	header := signedRequest(secret, "YWI YWI=").Authorization()
	request := signature.NewRequest("POST", "https://gate.example.com/pay/77").
		WithBody("application/x-www-form-urlencoded", "payload=YWI%2BYWI%3D").WithAuthorization(header)

	d, err := diagnose.Request(context.Background(), request, secret, diagnose.Options{})
	fmt.Println(errors.Is(err, signature.SignatureWrong))
	for _, cause := range d.Causes {
		fmt.Println(cause.IDs, cause.Text)
		fmt.Println("fix:", cause.Fix)
	}
	// Output:
	// true
	// [payload-plus-to-space] each + of the payload's base64 became a space
	// fix: send + as %2B, and do not form-decode the payload before signing
}

// Where do two base strings differ first?
func ExampleCompare() {
	d := diagnose.Compare("POST&https%3A%2F%2Fh%2F&a%3D1%26b%3Dx%2520y", "POST&https%3A%2F%2Fh%2F&a%3D1%26b%3Dx%2By")
	fmt.Println(d.Layer, d.Parameter, "byte", d.Byte)
	// Output: parameter-value b byte 1
}
