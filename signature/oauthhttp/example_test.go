package oauthhttp_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"time"

	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/oauthhttp"
)

// signing returns a client that signs each request.
func signing(login, controlKey string) (*http.Client, error) {
	key, err := signature.NewSecret(controlKey, "") // or LoadPrivateKey
	return &http.Client{Transport: &oauthhttp.Transport{ConsumerKey: login, Key: key}}, err
}

// guarded lets only signed requests through to next, each once.
func guarded(next http.Handler, keys map[string]*signature.Secret) http.Handler {
	return &oauthhttp.Handler{
		Next: next,
		Keys: func(_ context.Context, login string, _ signature.Method) ([]signature.VerifyingKey, error) {
			return []signature.VerifyingKey{keys[login]}, nil // nil: not known
		},
		Window:  5 * time.Minute,
		Replays: signature.NewMemoryReplays(100_000),
	}
}

// FromHTTP reads a request for a server that decides for itself.
func ExampleFromHTTP() {
	key, _ := signature.NewSecret("s3cret", "")
	received := httptest.NewRequest("POST", "https://gate.example.com/pay/77", strings.NewReader("payload=YWI="))
	received.Header.Set("Content-Type", "application/x-www-form-urlencoded")

	request, err := oauthhttp.FromHTTP(received, "", 1<<20)
	if err == nil {
		_, err = signature.Verify(request, key, signature.Options{})
	}
	fmt.Println(request.URL(), errors.Is(err, signature.HeaderScheme))
	// Output: https://gate.example.com/pay/77 true
}

// What a handler lacks shows when the program starts, not with the first request.
func ExampleHandler_Check() {
	h := &oauthhttp.Handler{Next: http.NotFoundHandler(), Keys: func(context.Context, string, signature.Method) ([]signature.VerifyingKey, error) { return nil, nil }}
	fmt.Println(h.Check())
	// Output: the handler has no Window: set it, such as 5 * time.Minute, or AllowAnyTime [handler-incomplete, 5.3]
}

// A client that signs, and a server that lets only signed requests through.
func Example() {
	secret, err := signature.NewSecret("00000000-1111-2222-3333-444444444444", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	greet := func(w http.ResponseWriter, r *http.Request) {
		caller, _ := oauthhttp.Caller(r.Context())
		fmt.Fprintf(w, "%s sent %s", caller.ConsumerKey, r.FormValue("payload"))
	}
	server := httptest.NewServer(guarded(http.HandlerFunc(greet), map[string]*signature.Secret{"merchant-login": secret}))
	defer server.Close()

	signs, err := signing("merchant-login", "00000000-1111-2222-3333-444444444444")
	if err != nil {
		fmt.Println(err)
		return
	}
	stranger, err := signing("merchant-login", "another key")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, client := range []*http.Client{signs, stranger, http.DefaultClient} {
		response, err := client.PostForm(server.URL+"/pay/77", url.Values{"payload": {"YWI="}})
		if err != nil {
			fmt.Println(err)
			return
		}
		text, _ := io.ReadAll(response.Body)
		_ = response.Body.Close()
		fmt.Printf("%d %q\n", response.StatusCode, text)
	}
	// Output:
	// 200 "merchant-login sent YWI="
	// 403 ""
	// 403 ""
}
