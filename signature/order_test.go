package signature_test

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base64"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/signature"
)

// TestSignedOrder: names of a body that belong before, between and behind those of the OAuth
// parameters are signed in their order (5.2.3), whether they come alone or two together.
func TestSignedOrder(t *testing.T) {
	names := []string{
		"", "%", "A", "a", "o", "oauth", "oauth_a", "oauth_consumer_kex", "oauth_consumer_key0", "oauth_d", "oauth_signature_a", "oauth_u",
		"oauth_versiom", "oauth_version%", "oauth_version0", "p", "payload", "z", "~",
	}
	key := workloadSecret(t)
	for _, first := range names {
		for _, second := range names {
			body := []param{{first, "2"}, {second, "1"}}
			if first == second && strings.HasPrefix(first, "oauth_") {
				continue // a conflict
			}
			r := req{URL: "https://h.example/p", Params: body}
			signed, err := signature.Sign(r.made(), signature.OAuth{ConsumerKey: "m", Nonce: "n", Timestamp: "1767225600"}, key, signature.ProfileGateway)
			if err != nil {
				t.Fatalf("%q, %q: %v", first, second, err)
			}
			if want := orderedSignature(body); signed.Signature() != want {
				t.Errorf("%q, %q: %s, want %s", first, second, signed.Signature(), want)
			}
		}
	}
}

// orderedSignature is the signature of [TestSignedOrder], made with the standard library.
func orderedSignature(body []param) string {
	sent := append([]param{{"oauth_consumer_key", "m"}, {"oauth_nonce", "n"}, {"oauth_signature_method", "HMAC-SHA1"},
		{"oauth_timestamp", "1767225600"}, {"oauth_version", "1.0"}}, body...)
	slices.SortFunc(sent, func(a, b param) int {
		if order := strings.Compare(escaped(a.Name), escaped(b.Name)); order != 0 {
			return order
		}
		return strings.Compare(escaped(a.Value), escaped(b.Value))
	})
	var texts []string
	for _, p := range sent {
		texts = append(texts, escaped(p.Name)+"="+escaped(p.Value))
	}
	mac := hmac.New(sha1.New, []byte("00000000-1111-2222-3333-444444444444&"))
	mac.Write([]byte("POST&" + escaped("https://h.example/p") + "&" + escaped(strings.Join(texts, "&"))))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}
