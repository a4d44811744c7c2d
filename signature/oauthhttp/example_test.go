package oauthhttp_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"

	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/oauthhttp"
)

// FromHTTP reads a request for a server that verifies it.
func ExampleFromHTTP() {
	key, _ := signature.NewHMACKey("s3cret")
	received := httptest.NewRequest("POST", "https://gate.example.com/pay/77", strings.NewReader("payload=YWI="))
	received.Header.Set("Content-Type", "application/x-www-form-urlencoded")

	request, err := oauthhttp.FromHTTP(received, "", 1<<20)
	if err == nil {
		_, err = signature.Verify(request, signature.Options{}, key)
	}
	fmt.Println(request.URL(), errors.Is(err, signature.HeaderScheme))
	// Output: https://gate.example.com/pay/77 true
}

// A client that signs each request that it sends.
func ExampleTransport() {
	key, err := signature.NewHMACKey("00000000-1111-2222-3333-444444444444") // the control key, or a private key
	if err != nil {
		fmt.Println(err)
		return
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		request, err := oauthhttp.FromHTTP(r, "", 0)
		if err == nil {
			_, err = signature.Verify(request, signature.Options{}, key)
		}
		if err != nil {
			w.WriteHeader(http.StatusForbidden)
		}
	}))
	defer server.Close()

	client := &http.Client{Transport: &oauthhttp.Transport{ConsumerKey: "merchant-login", Key: key}}
	for _, c := range []*http.Client{client, http.DefaultClient} {
		response, err := c.PostForm(server.URL+"/pay/77", url.Values{"payload": {"YWI="}})
		if err != nil {
			fmt.Println(err)
			return
		}
		_ = response.Body.Close()
		fmt.Println(response.StatusCode)
	}
	// Output:
	// 200
	// 403
}
