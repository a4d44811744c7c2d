package gateway

import (
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"
)

// TestMaskedBaseStrings: whatever mistakes a base string was made with, its length and punctuation stay,
// and of a value of the body no letter and no digit.
func TestMaskedBaseStrings(t *testing.T) {
	t.Parallel()
	const card = "4111111111111111"
	once := func(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }
	right := "POST&" + once("http://127.0.0.1/paynet") + "&" + once("oauth_consumer_key=m1&oauth_nonce=n7&payload="+once("Zm9v+/="))
	for _, c := range []struct{ reason, base, want string }{
		{"the right one", right, "POST&http%3A%2F%2F127.0.0.1%2Fpaynet&oauth_consumer_key%3Dm1%26oauth_nonce%3Dn7%26payload%3Dxxxx%252B%252F%253D"},
		{"nothing is encoded", "POST&http://h/p&oauth_nonce=n7&payload=" + card + ";Anna Muster", "POST&http://h/p&oauth_nonce=n7&payload=xxxxxxxxxxxxxxxx;xxxx xxxxxx"},
		{"a letter that was escaped", "POST&u&payload%3D%41%2541%2B", "POST&u&payload%3D%xx%xxxx%2B"},
		{"encoded as a whole", once("POST&u&payload=" + card), "xxxx%26x%26xxxxxxx%3Dxxxxxxxxxxxxxxxx"},
		{"another name", "POST&u&" + once(card+"=1&payload2=abc"), "POST&u&xxxxxxxxxxxxxxxx%3Dx%26xxxxxxxx%3Dxxx"},
		{"a nonce that looks like a card", "POST&u&oauth_nonce%3D" + card, "POST&u&xxxxx_xxxxx%3Dxxxxxxxxxxxxxxxx"},
		{"a path that looks like a card", "POST&h%2F" + card + "&a%3Db", "POST&x%2Fxxxxxxxxxxxxxxxx&x%3Dx"},
		{"letters that are not ASCII", "POST&u&payload=Jürgen", "POST&u&payload=xxxxxxx"},
		{"no structure", card, "xxxxxxxxxxxxxxxx"},
		{"nothing", "", ""},
		{"an escape that is cut off", "POST&u&payload=a%2", "POST&u&payload=x%x"},
	} {
		if got := maskBase(c.base); got != c.want || len(got) != len(c.base) {
			t.Errorf("%s:\n%s\nnot\n%s", c.reason, got, c.want)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"payload", "oauth_nonce", "=", "%3D", "&", "%26", "%2526", card, "%34111111111111111", "%", "25", "%25", "x", "\xff", "é", " "}
	for range 20_000 {
		var b strings.Builder
		for range r.IntN(12) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		base := b.String()
		got := maskBase(base)
		if len(got) != len(base) || strings.Contains(got, "4111") || strings.Contains(got, "1111") {
			t.Fatalf("%q becomes %q", base, got)
		}
	}
}
