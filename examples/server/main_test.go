package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chargecast/chargecast/rules"
	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/oauthhttp"
)

// TestServer: only a request with the right signature and a valid payload is accepted.
func TestServer(t *testing.T) {
	now := func() time.Time { return time.Date(2026, 1, 10, 12, 0, 0, 0, time.UTC) }
	right, wrong := secret(t, "right"), secret(t, "wrong")
	server := httptest.NewServer(handler("merchant", right, now))
	defer server.Close()
	for _, c := range []struct {
		reason, consumer, file string
		key                    signature.SigningKey
		want                   int
	}{
		{"signed and valid", "merchant", "demo.csv", right, http.StatusOK},
		{"signed, and a row has an error", "merchant", "broken.csv", right, http.StatusForbidden},
		{"signed with another secret", "merchant", "demo.csv", wrong, http.StatusForbidden},
		{"an unknown consumer", "stranger", "demo.csv", right, http.StatusForbidden},
	} {
		client := &http.Client{Transport: &oauthhttp.Transport{ConsumerKey: c.consumer, Key: c.key, Clock: now}}
		response, err := client.Post(server.URL+"/77", "application/x-www-form-urlencoded", strings.NewReader(form(t, c.file)))
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != c.want {
			t.Errorf("%s: %d, want %d", c.reason, response.StatusCode, c.want)
		}
	}
}

func secret(t *testing.T, text string) *signature.Secret {
	t.Helper()
	s, err := signature.NewSecret(text, "")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// form is the body that carries a payload.
func form(t *testing.T, name string) string {
	t.Helper()
	file, err := os.Open("../../testdata/payloads/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var b strings.Builder
	if err := rules.Encode(&b, file, rules.InputForm); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
