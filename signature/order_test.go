package signature_test

import (
	"strings"
	"testing"

	"github.com/chargecast/chargecast/internal/oracle"
	"github.com/chargecast/chargecast/internal/signtest"
	"github.com/chargecast/chargecast/signature"
)

// TestSignedOrder: names of a body that belong before, between and behind those of the OAuth
// parameters are signed in their order (5.2.3), whether they come alone or two together.
func TestSignedOrder(t *testing.T) {
	names := []string{
		"", "%", "A", "a", "o", "oauth", "oauth_a", "oauth_consumer_kex", "oauth_consumer_key0", "oauth_d", "oauth_signature_a", "oauth_u",
		"oauth_versiom", "oauth_version%", "oauth_version0", "p", "payload", "z", "~",
	}
	key := signtest.Secret(t, signtest.WorkloadKey)
	for _, first := range names {
		for _, second := range names {
			body := []signtest.Param{{first, "2"}, {second, "1"}}
			if first == second && strings.HasPrefix(first, "oauth_") {
				continue // a conflict
			}
			r := signtest.Request{URL: "https://h.example/p", Params: body}
			signed, _, err := signature.Sign(r.Made(), signature.OAuth{ConsumerKey: "m", Nonce: "n", Timestamp: "1767225600"}, key)
			if err != nil {
				t.Fatalf("%q, %q: %v", first, second, err)
			}
			if got, want := signtest.SignatureOf(t, signed.Authorization()), orderedSignature(body); got != want {
				t.Errorf("%q, %q: %s, want %s", first, second, got, want)
			}
		}
	}
}

// orderedSignature is the signature of [TestSignedOrder] by the oracle.
func orderedSignature(body []signtest.Param) string {
	r := oracle.SignRequest{Method: "POST", Scheme: "https", Host: "h.example", Path: "/p", Secret: signtest.WorkloadKey, OAuth: []oracle.Pair{
		{Name: "oauth_consumer_key", Value: "m"}, {Name: "oauth_nonce", Value: "n"}, {Name: "oauth_signature_method", Value: "HMAC-SHA1"},
		{Name: "oauth_timestamp", Value: "1767225600"}, {Name: "oauth_version", Value: "1.0"},
	}}
	for _, p := range body {
		r.Body = append(r.Body, oracle.Pair{Name: p[0], Value: p[1]})
	}
	return r.Stages().Signature()
}
