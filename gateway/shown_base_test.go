package gateway

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/internal/cardtext"
	"github.com/chargecast/chargecast/signature"
)

// TestMaskedBaseStrings: whatever mistakes a base string was made with, its length and punctuation
// stay, and of a value of the body no letter and no digit.
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
		{"a nonce that looks like a card", "POST&u&oauth_nonce%3D" + card, "POST&u&oauth_nonce%3Dxxxxxxxxxxxxxxxx"},
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

// TestEscapedCardNumbersAreMasked: digits with a space or a dash between them are found at any
// place of a base string, however often the separators, or the digits, are escaped. The length
// stays.
func TestEscapedCardNumbersAreMasked(t *testing.T) {
	t.Parallel()
	hexOf := func(text, which string) string {
		var b strings.Builder
		for i := range len(text) {
			if strings.IndexByte(which, text[i]) < 0 {
				b.WriteByte(text[i])
				continue
			}
			fmt.Fprintf(&b, "%%%02X", text[i])
		}
		return b.String()
	}
	places := []struct{ reason, before, after string }{
		{"method", "", "&http%3A%2F%2Fh%2Fp&oauth_nonce%3Dn"},
		{"path", "POST&http%3A%2F%2Fh%2F", "&oauth_nonce%3Dn"},
		{"nonce", "POST&http%3A%2F%2Fh%2Fp&oauth_consumer_key%3Dm%26oauth_nonce%3D", "%26oauth_timestamp%3D1"},
		{"nonce without escapes", "POST&http%3A%2F%2Fh%2Fp&oauth_consumer_key=m&oauth_nonce=", "&oauth_timestamp=1"},
		{"consumer key", "POST&http%3A%2F%2Fh%2Fp&oauth_consumer_key%3D", "%26oauth_nonce%3Dn"},
		{"version", "POST&http%3A%2F%2Fh%2Fp&oauth_nonce%3Dn%26oauth_version%3D", ""},
		{"value of the query", "POST&http%3A%2F%2Fh%2Fp&a%3D", "%26oauth_nonce%3Dn"},
		{"key of the body", "POST&http%3A%2F%2Fh%2Fp&", "%3D1%26oauth_nonce%3Dn"},
		{"payload", "POST&http%3A%2F%2Fh%2Fp&oauth_nonce%3Dn%26payload%3D", ""},
		{"no structure", "", ""},
	}
	for _, separator := range []string{" ", "-", "+", ""} {
		for _, escaped := range []string{" -+", "5", " -+05", "4"} {
			text := strings.Join([]string{"4000", "0566", "5566", "5556"}, separator)
			for times := range cardtext.MaxEscapes + 3 {
				if times == 1 {
					text = hexOf(text, escaped)
				} else if times > 1 {
					text = hexOf(text, "%")
				}
				for _, p := range places {
					base := p.before + text + p.after
					got := maskBase(base)
					plain := got
					for range times {
						plain = cardtext.Unescape(plain)
					}
					if len(got) != len(base) || strings.Contains(plain, "4000") || strings.Contains(plain, "66") || strings.Contains(plain, "5556") {
						t.Errorf("%s, escaped %d times: %q becomes %q", p.reason, times, base, got)
					}
				}
			}
		}
	}
	for _, base := range []string{
		"POST&http%3A%2F%2F127.0.0.1%3A18080%2Fpaynet%2Fapi%2Fv4&oauth_nonce%3D4000%25200566%2520556", // 11 digits
		"POST&http%3A%2F%2Fh%2Fp&oauth_nonce%3D4000%25202520%252C05665566%26oauth_timestamp%3D1700000000",
	} {
		if got := maskBase(base); got != base {
			t.Errorf("%q becomes %q", base, got)
		}
	}
	// An escape hides the digits behind it only once it is undone: each form is looked at.
	if !cardtext.Holds("%252541%25201111%25201111%2520111") {
		t.Error("13 digits of which the first two could be an escape are shown")
	}
}

// TestEscapedCardNumbersInTheLog: the path and the header of a request hide them too, where they
// are escaped more often than a server unescapes them.
func TestEscapedCardNumbersInTheLog(t *testing.T) {
	t.Parallel()
	number := "4000 0566 5566 5556"
	for times := range cardtext.MaxEscapes + 3 {
		if uri := shownURI("/paynet/" + number + "?a=b"); strings.Contains(uri, "5566") {
			t.Errorf("escaped %d times: %s", times, uri)
		}
		if shown := shownURL("http://127.0.0.1/" + url.PathEscape(number)); strings.Contains(shown, "5566") {
			t.Errorf("a callback address, escaped %d times: %s", times+1, shown)
		}
		h, err := signature.ParseHeader(`OAuth oauth_consumer_key="` + number + `", oauth_nonce="` + number + `"`)
		if shown := shownAuthorization(h); err == nil && strings.Contains(shown, "5566") {
			t.Errorf("escaped %d times: %s", times, shown)
		}
		number = url.PathEscape(number)
	}
	h, err := signature.ParseHeader(`OAuth oauth_consumer_key="m%2B1", oauth_nonce="n%2541"`)
	if shown, want := shownAuthorization(h), `OAuth oauth_consumer_key="m+1", oauth_nonce="n%41"`; err != nil || shown != want {
		t.Errorf("%s, not %s (%v)", shown, want, err)
	}
}
