package oauthhttp_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/oauthhttp"
)

// A client that signs, and a server that lets only signed requests through.
func Example() {
	secret, err := signature.NewSecret("00000000-1111-2222-3333-444444444444", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	server := httptest.NewServer(&oauthhttp.Handler{
		Next: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			caller, _ := oauthhttp.Caller(r.Context())
			body, _ := io.ReadAll(r.Body)
			fmt.Fprintf(w, "%s sent %d bytes", caller.ConsumerKey, len(body))
		}),
		Key: func(_ context.Context, consumer string) (signature.VerifyingKey, error) {
			if consumer != "merchant-login" {
				return nil, nil // not known
			}
			return secret, nil
		},
		Window:  5 * time.Minute,
		Replays: signature.NewMemoryReplays(100_000),
	})
	defer server.Close()

	client := &http.Client{Transport: &oauthhttp.Transport{ConsumerKey: "merchant-login", Key: secret}}
	response, err := client.Post(server.URL+"/pay/77", "application/x-www-form-urlencoded", strings.NewReader("payload=YWI%3D"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body)
	fmt.Println(response.StatusCode, string(text))

	stranger, err := http.Post(server.URL+"/pay/77", "application/x-www-form-urlencoded", strings.NewReader("payload=YWI%3D"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer stranger.Body.Close()
	fmt.Println(stranger.StatusCode)
	// Output:
	// 200 merchant-login sent 14 bytes
	// 403
}
