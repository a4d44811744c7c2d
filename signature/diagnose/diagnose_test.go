package diagnose_test

import (
	"crypto"
	"crypto/rsa"
	"crypto/sha512"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/fuzz/vectortest"
	"github.com/chargecast/chargecast/internal/oracle"
	"github.com/chargecast/chargecast/internal/signtest"
	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/diagnose"
)

// TestMistakesTable: ids are unique and stable, every row says what was done and what to do, and ranks are those of the
// list of known mistakes.
func TestMistakesTable(t *testing.T) {
	seen := map[string]bool{}
	slots := map[string]int{}
	for m := range diagnose.Mistakes() {
		if seen[m.ID] || m.ID != strings.ToLower(m.ID) || m.Text == "" || m.Fix == "" || m.Slot == "" || m.Rank < 1 || m.Rank > 32 {
			t.Errorf("row %+v", m)
		}
		seen[m.ID] = true
		slots[m.Slot]++
	}
	vectortest.Same(t, "number of mistakes", len(seen), 80)
	for slot, want := range map[string]int{"encoding": 6, "body": 1, "payload": 7, "order": 4, "port": 2, "url": 2,
		"slash": 2, "method": 2, "key": 11, "padding": 4, "signature text": 7} {
		vectortest.Same(t, "mistakes in slot "+slot, slots[slot], want)
	}
}

// TestDiagnoseAlone covers what the vectors leave: mistakes made by hand, without the code under test.
func TestDiagnoseAlone(t *testing.T) {
	const (
		oauth = `oauth_consumer_key="m", oauth_nonce="n", oauth_signature_method="HMAC-SHA1", oauth_timestamp="1767225600", oauth_version="1.0"`
		five  = "oauth_consumer_key%3Dm%26oauth_nonce%3Dn%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D1767225600%26oauth_version%3D1.0"
		tail  = "%26payload%3DYWI%253D"
		plain = "POST&https%3A%2F%2Fh.example%3A8443%2Fp%2F77&" + five + tail
	)
	swap := func(old, new string) string { return strings.Replace(plain, old, new, 1) }
	tests := []struct {
		name, reason, url, base string
		key                     string // HMAC key; empty: the right one
		want                    string // causes, sets joined by |
	}{
		{"right", "D01", "", plain, "", ""},
		{"port dropped", "rank 8", "", swap("%3A8443", ""), "", "port-dropped"},
		{"segment dropped", "rank 26", "", swap("%2F77", ""), "", "last-segment-dropped"},
		{"segment dropped, slash kept", "rank 26", "", swap("%2F77", "%2F"), "", "last-segment-dropped"},
		{"slash added", "rank 26", "", swap("%2F77", "%2F77%2F"), "", "trailing-slash-added"},
		{"path only", "rank 32", "", swap("https%3A%2F%2Fh.example%3A8443", ""), "", "path-only"},
		{"lower-case method", "rank 32", "", swap("POST", "post"), "", "method-lowercase"},
		{"URL not encoded", "rank 32", "", swap("https%3A%2F%2Fh.example%3A8443%2Fp%2F77", "https://h.example:8443/p/77"), "", "url-not-encoded"},
		{"realm", "rank 18", "", plain + "%26realm%3D", "", "realm-signed"},
		{"OAuth twice", "rank 31", "", strings.Replace(plain, five,
			"oauth_consumer_key%3Dm%26oauth_consumer_key%3Dm%26oauth_nonce%3Dn%26oauth_nonce%3Dn%26oauth_signature_method%3DHMAC-SHA1%26oauth_signature_method%3DHMAC-SHA1"+
				"%26oauth_timestamp%3D1767225600%26oauth_timestamp%3D1767225600%26oauth_version%3D1.0%26oauth_version%3D1.0", 1), "", "oauth-twice"},
		{"version omitted", "rank 31", "", swap("%26oauth_version%3D1.0", ""), "", "version-omitted"},
		{"milliseconds", "rank 30", "", swap("1767225600", "1767225600000"), "", "timestamp-milliseconds"},
		{"raw CSV", "rank 32", "", swap("YWI%253D", "ab"), "", "payload-raw-csv"},
		{"body in encoded form", "rank 2", "", swap("YWI%253D", "YWI%25253D"), "", "not-decoded"},
		{"lower-case hex in values", "rank 28", "", swap("YWI%253D", "YWI%253d"), "", "lowercase-hex"},
		{"lower-case hex in all", "rank 28", "", strings.NewReplacer("%3A", "%3a", "%2F", "%2f", "%3D", "%3d", "%253D", "%253d").Replace(plain), "", "lowercase-hex"},
		{"whole base string encoded", "rank 32", "", signature.Encode(plain), "", "base-encoded-whole"},
		{"LF behind", "rank 27", "", plain + "\n", "", "base-newline"},
		{"CRLF behind", "rank 27", "", plain + "\r\n", "", "base-newline"},
		{"empty path", "rank 26", "https://h.example", "POST&https%3A%2F%2Fh.example&" + five + tail, "", "url-verbatim | empty-path-kept | last-segment-dropped"},
		{"port added", "rank 7", "https://h.example/", "POST&https%3A%2F%2Fh.example%3A443%2F&" + five + tail, "", "default-port-kept"},
		{"host as typed", "rank 26", "https://H.example/", "POST&https%3A%2F%2FH.example%2F&" + five + tail, "", "url-verbatim | host-case-kept"},
		{"port kept", "rank 7", "https://h.example:443/", "POST&https%3A%2F%2Fh.example%3A443%2F&" + five + tail, "", "url-verbatim | default-port-kept"},
		{"no ampersand", "rank 10", "", plain, "s%26", "key-ampersand-missing"},
		{"no ampersand, raw", "rank 10", "", plain, "s&", "key-ampersand-missing"},
		{"raw secret", "rank 9", "", plain, "s&&", "secret-not-encoded"},
		{"swapped", "rank 32", "", plain, "&s%26", "secrets-swapped"},
		{"null", "rank 32", "", plain, "s%26&null", "token-secret-null"},
		{"(null)", "rank 32", "", plain, "s%26&%28null%29", "token-secret-null"},
		{"(null), not encoded", "rank 32", "", plain, "s%26&(null)", "token-secret-null"},
		{"undefined", "rank 32", "", plain, "s%26&undefined", "token-secret-null"},
		{"secret with LF", "rank 27", "", plain, "s%26%0A&", "secret-newline"},
		{"secret with CRLF, raw", "rank 27", "", plain, "s&\r\n&", "secret-newline"},
		{"secret with a space", "rank 27", "", plain, "s%26%20&", "secret-space"},
		{"secret behind a tab, raw", "rank 27", "", plain, "\ts&&", "secret-space"},
		{"secret in quotes", "rank 27", "", plain, "%22s%26%22&", "secret-quotes"},
		{"secret in quotes, raw", "rank 27", "", plain, "'s&'&", "secret-quotes"},
		{"secret behind a mark", "rank 27", "", plain, "%EF%BB%BFs%26&", "secret-bom"},
		{"secret in UTF-16", "rank 27", "", plain, "s%00%26%00&", "secret-utf16"},
		{"secret in UTF-16 with a mark, raw", "rank 27", "", plain, "\xfe\xff\x00s\x00&&", "secret-utf16"},
		{"secret behind its name", "rank 27", "", plain, "CONTROL_KEY%3Ds%26&", "secret-name"},
		{"secret behind its name, raw", "rank 27", "", plain, "secret=s&&", "secret-name"},
		{"secret in capitals", "rank 27", "", plain, "S%26&", "secret-case"},
		{"a pair", "D05", "", swap("POST", "GET"), "s&&", "method-get secret-not-encoded"},
		{"a pair of URL mistakes", "D05", "", swap("https%3A%2F%2Fh.example%3A8443%2Fp%2F77", "http%3A%2F%2Fh.example%2Fp%2F77"), "", "http-for-https port-dropped"},
		{"a pair with a URL as typed", "D05", "https://h.example:443/", "post&https%3A%2F%2Fh.example%3A443%2F&" + five + tail, "", "method-lowercase url-verbatim | default-port-kept method-lowercase"},
		{"three mistakes", "D06", "", swap("POST", "GET") + "\n", "s&&", ""},
		{"another secret", "D06", "", plain, "t&", ""},
	}
	seen := map[string]bool{}
	secret, err := signature.NewHMACKey("s&")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range tests {
		signtest.UniqueReason(t, seen, test.name, test.reason)
		if test.url == "" {
			test.url = "https://h.example:8443/p/77"
		}
		if test.key == "" {
			test.key = "s%26&"
		}
		r := signtest.Request{URL: test.url, Params: []signtest.Param{{"payload", "YWI="}}}
		header := "OAuth " + oauth + `, oauth_signature="` + signature.Encode(base64.StdEncoding.EncodeToString(oracle.HMACSHA1(test.key, test.base))) + `"`
		d := diagnosed(t, r, header, secret)
		var got []string
		for _, c := range d.Causes {
			got = append(got, strings.Join(c.IDs, " "))
			if c.Text == "" || c.Fix == "" {
				t.Errorf("%s: a cause without text or fix: %+v", test.name, c)
			}
		}
		if strings.Join(got, " | ") != test.want || matches(d) != (test.name == "right") {
			t.Errorf("%s: match %v, %v, want %s", test.name, matches(d), got, test.want)
		}
		if (len(d.Known) > 0) != (!matches(d) && len(got) == 0) {
			t.Errorf("%s: known %v", test.name, d.Known)
		}
		signed := test.base // by hand, above
		if len(got) == 0 {
			signed = ""
		}
		if d.BaseString() != signed {
			t.Errorf("%s: the base string of the cause is\n%s\nnot\n%s", test.name, d.BaseString(), signed)
		}
	}
}

// TestValuesAsSent: values that were signed as they stood on the wire, written otherwise than RFC 3986 beside a name with
// an escape. A regression: it took two mistakes to explain.
func TestValuesAsSent(t *testing.T) { // rank 2
	const (
		oauth  = `oauth_consumer_key="m", oauth_nonce="n", oauth_signature_method="HMAC-SHA1", oauth_timestamp="1767225600", oauth_version="1.0"`
		five   = "oauth_consumer_key%3Dm%26oauth_nonce%3Dn%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D1767225600%26oauth_version%3D1.0"
		form   = "application/x-www-form-urlencoded"
		target = "https://h.example/p/77"
	)
	secret, err := signature.NewHMACKey("s")
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]signtest.Request{
		"body": {URL: target, ContentType: form, Body: []byte("n%26=1&B=x%7E")},
	} {
		base := "POST&" + signature.Encode(target) + "&B%3Dx%25257E%26n%2526%3D1%26" + five
		header := "OAuth " + oauth + `, oauth_signature="` + signature.Encode(base64.StdEncoding.EncodeToString(oracle.HMACSHA1("s&", base))) + `"`
		d := diagnosed(t, r, header, secret)
		if len(d.Causes) != 1 || strings.Join(d.Causes[0].IDs, " ") != "not-decoded" {
			t.Errorf("%s: %+v", name, d.Causes)
		}
	}
}

// TestDiagnoseTexts: each spelling of the signature's text is named, alone and beside another mistake.
func TestDiagnoseTexts(t *testing.T) {
	for _, right := range []signtest.Case{signtest.HMAC(t, "secret"), signtest.RSA(t)} {
		text := signtest.SignatureOf(t, right.Authorization)
		raw, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		forms := map[string]string{
			"signature-wrapped":       text[:20] + "\r\n" + text[20:] + "\n",
			"signature-encoded-twice": signature.Encode(text),
			"signature-plus-as-space": strings.ReplaceAll(text, "+", " "),
			"signature-urlsafe":       base64.URLEncoding.EncodeToString(raw),
			"signature-unpadded":      strings.TrimRight(text, "="),
			"signature-hex":           strings.ToUpper(hexOf(raw)),
			"signature-base64-of-hex": base64.StdEncoding.EncodeToString([]byte(hexOf(raw))),
		}
		for id, form := range forms {
			if form == text {
				continue
			}
			c := right
			c.Authorization = signtest.WithSignature(t, right.Authorization, form)
			d := diagnosed(t, c.Request, c.Authorization, c.Key)
			if matches(d) || !slices.ContainsFunc(idsOf(d), func(ids []string) bool { return slices.Equal(ids, []string{id}) }) {
				t.Errorf("%s: %v", id, idsOf(d))
			}
			c.Request.URL = strings.Replace(c.Request.URL, "https", "http", 1)
			d = diagnosed(t, c.Request, c.Authorization, c.Key)
			want := []string{"http-for-https", id}
			if !slices.ContainsFunc(idsOf(d), func(ids []string) bool { return slices.Equal(ids, want) }) {
				t.Errorf("%s and another scheme: %v", id, idsOf(d))
			}
		}
	}
}

// TestDiagnoseRSA: a signature of another key, of another size and of no size at all (D07 and the rules of diagnosis).
func TestDiagnoseRSA(t *testing.T) {
	right := signtest.RSA(t)
	r, o := signtest.Workload(48)
	longer := signtest.Authorize(t, r, o, signtest.PrivateKey(t, "rsa4096.pem"))
	tests := []struct {
		name, reason, authorization string
		want                        []string
	}{
		{"another key", "rank 22", signtest.Authorize(t, r, o, signtest.PrivateKey(t, "other.pem")), []string{"rsa-other-key"}},
		{"a longer key", "rank 22", longer, []string{"rsa-other-key"}},
		{"twenty bytes", "signing 2: length", signtest.WithSignature(t, longer, base64.StdEncoding.EncodeToString(make([]byte, 20))), nil},
		{"hex of another key", "D05", signtest.WithSignature(t, longer, hexOf(mustBase64(t, signtest.SignatureOf(t, signtest.Authorize(t, r, o, signtest.PrivateKey(t, "other.pem")))))),
			[]string{"rsa-other-key", "signature-hex"}},
	}
	seen := map[string]bool{}
	for _, test := range tests {
		signtest.UniqueReason(t, seen, test.name, test.reason)
		d := diagnosed(t, r, test.authorization, right.Key)
		got := idsOf(d)
		if len(got) > 1 || len(got) == 1 && !slices.Equal(got[0], test.want) || len(got) == 0 && test.want != nil {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

// TestTextOfAnotherKey: only a length that is not that of the key proves another key. A changed signature has the
// right one, and so has one that was made with another key of that size.
func TestTextOfAnotherKey(t *testing.T) {
	right := signtest.RSA(t)
	r, o := signtest.Workload(48)
	raw := mustBase64(t, signtest.SignatureOf(t, right.Authorization))
	raw[len(raw)-1] ^= 1
	longer := signtest.Authorize(t, r, o, signtest.PrivateKey(t, "rsa4096.pem"))
	hex := signtest.WithSignature(t, longer, hexOf(mustBase64(t, signtest.SignatureOf(t, signtest.Authorize(t, r, o, signtest.PrivateKey(t, "other.pem"))))))
	const open = "no reading verifies with this public key: another key signed, or the signature was changed"
	for _, test := range []struct{ name, authorization, want string }{
		{"a changed bit", signtest.WithSignature(t, right.Authorization, base64.StdEncoding.EncodeToString(raw)), open},
		{"a key of the same size", signtest.Authorize(t, r, o, signtest.PrivateKey(t, "other.pem")), open},
		{"a key of the same size, as hex", hex, open + "; and the signature was sent as hex"},
		{"a longer key", longer, "the signature has 512 bytes, and one of this key has 256: another key signed"},
	} {
		d := diagnosed(t, r, test.authorization, right.Key)
		if len(d.Causes) != 1 || d.Causes[0].Text != test.want {
			t.Errorf("%s: %+v", test.name, d.Causes)
		}
	}
}

// TestDiagnoseOfARightRequest: a diagnosis says of a request what Verify says, which is all there is to say of a right one.
func TestDiagnoseOfARightRequest(t *testing.T) {
	for name, c := range map[string]signtest.Case{"HMAC": signtest.HMAC(t, "secret"), "RSA": signtest.RSA(t)} {
		v := verify(c)
		d := diagnosed(t, c.Request, c.Authorization, c.Key)
		if v.ConsumerKey == "" || d.ConsumerKey != v.ConsumerKey || d.Use != v.Use || d.Signature != v.Signature || len(d.Findings) != len(v.Findings) || len(d.Causes)+len(d.Known)+d.Tried > 0 {
			t.Errorf("%s: %+v, verified %+v", name, d, v)
		}
		changed := c.Request
		changed.URL += "x"
		if d := diagnosed(t, changed, c.Authorization, c.Key); d.ConsumerKey != "" || d.Use != (signature.Use{}) {
			t.Errorf("%s: a wrong request is of %q, for %v", name, d.ConsumerKey, d.Use)
		}
	}
}

// TestFactsOfARightKey: where no mistake explains an RSA signature, what it recovers to still shows whether the key fits:
// then the request differs, and not the key (D07).
func TestFactsOfARightKey(t *testing.T) {
	block, _ := pem.Decode(signtest.KeyFile(t, "pkcs1.pem"))
	key, err := x509.ParsePKCS1PrivateKey(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	digest := sha512.Sum384([]byte("something else"))
	named, err := rsa.SignPKCS1v15(nil, key, crypto.SHA384, digest[:])
	if err != nil {
		t.Fatal(err)
	}
	bare, err := rsa.SignPKCS1v15(nil, key, 0, digest[:])
	if err != nil {
		t.Fatal(err)
	}
	right := signtest.RSA(t)
	for _, c := range []struct {
		name string
		raw  []byte
		want string
	}{
		{"another text, and the hash is named", named, "the key fits and the signature names SHA-384, so a signed value or the URL differs from what is given here"},
		{"another text, the digest alone", bare, "the key fits, but the padding is not that of RSASSA-PKCS1-v1_5"},
		{"twenty bytes", make([]byte, 20), "its length is not that of a signature of this key"},
	} {
		text := base64.StdEncoding.EncodeToString(c.raw)
		d := diagnosed(t, right.Request, signtest.WithSignature(t, right.Authorization, text), right.Key)
		if len(d.Causes) > 0 || !slices.Contains(d.Known, c.want) {
			t.Errorf("%s: %+v", c.name, d)
		}
	}
}

// TestFactsOfAnHMAC: a signature of another length is none of HMAC-SHA1, whatever was signed; one of its length says that
// secret or request differs (D07).
func TestFactsOfAnHMAC(t *testing.T) {
	c := signtest.HMAC(t, "secret")
	for size, want := range map[int]string{
		19: "its length is not that of HMAC-SHA1, which is 20 bytes", 20: "it has the length of HMAC-SHA1, so the secret or a signed value differs from the one given here",
		21: "its length is not that of HMAC-SHA1, which is 20 bytes", 32: "its length is not that of HMAC-SHA1, which is 20 bytes",
	} {
		text := base64.StdEncoding.EncodeToString(make([]byte, size))
		d := diagnosed(t, c.Request, signtest.WithSignature(t, c.Authorization, text), c.Key)
		if len(d.Causes) > 0 || !slices.Contains(d.Known, want) {
			t.Errorf("%d bytes: %q", size, d.Known)
		}
	}
}

// TestCompare: the first difference is reported at the lowest layer (D08).
func TestCompare(t *testing.T) {
	const ours = "POST&https%3A%2F%2Fh%2Fp&a%3D1%26b%3Dx%2520y%26c%2540%3D"
	tests := []struct {
		name, reason, theirs string
		layer                string
		parameter            string
		index, byte, offset  int
	}{
		{"method", "D08", strings.Replace(ours, "POST", "PUT", 1), "method", "", -1, 1, 1},
		{"host", "D08", strings.Replace(ours, "Fh%2F", "FH%2F", 1), "url", "", -1, 8, 19},
		{"URL not encoded", "D08", strings.Replace(ours, "https%3A%2F%2Fh%2Fp", "https://h/p", 1), "encoding", "", -1, 5, 10},
		{"value", "D08", strings.Replace(ours, "2520y", "2520z", 1), "parameter-value", "b", 1, 2, 43},
		{"plus for space", "D08", strings.Replace(ours, "%2520", "%2B", 1), "parameter-value", "b", 1, 1, 40},
		{"encoded once more", "D08", strings.Replace(ours, "%2520", "%252520", 1), "encoding", "b", 1, 3, 42},
		{"name not encoded", "D08", strings.Replace(ours, "c%2540", "c%40", 1), "encoding", "c@", 2, 1, 49},
		{"missing", "D08", strings.Replace(ours, "a%3D1%26", "", 1), "parameter-missing", "a", 0, 0, 25},
		{"last missing", "D08", strings.TrimSuffix(ours, "%26c%2540%3D"), "parameter-missing", "c@", 2, 0, 44},
		{"extra", "D08", strings.Replace(ours, "a%3D1", "a%3D1%26ab%3D", 1), "parameter-extra", "ab", 1, 0, 33},
		{"last extra", "D08", ours + "%26d%3D", "parameter-extra", "d", 3, 0, 56},
		{"order", "D08", "POST&https%3A%2F%2Fh%2Fp&b%3Dx%2520y%26a%3D1%26c%2540%3D", "parameter-order", "a", 0, 0, 25},
		{"name", "D08", strings.Replace(ours, "a%3D1", "aa%3D1", 1), "parameter-name", "a", 0, 1, 26},
		{"third element not encoded", "D08", strings.Replace(ours, "a%3D1%26b%3Dx%2520y%26c%2540%3D", "a=1&b=x%20y&c%40=", 1), "structure", "", -1, 0, 26},
		{"lower-case hex between the parameters", "D08", strings.Replace(ours, "a%3D1", "a%3d1", 1), "encoding", "", -1, 3, 28},
		{"nothing", "D08", "", "structure", "", -1, 0, 0},
	}
	seen := map[string]bool{}
	for _, test := range tests {
		signtest.UniqueReason(t, seen, test.name, test.reason)
		d := diagnose.Compare(ours, test.theirs)
		if d == nil || d.Layer != test.layer || d.Parameter != test.parameter || d.Index != test.index || d.Byte != test.byte || d.Offset != test.offset || d.Text == "" {
			t.Errorf("%s: %+v", test.name, d)
		}
		element, parts := 0, strings.Split(test.theirs, "&")
		for i, part := range strings.Split(ours, "&") {
			if len(parts) == 3 && element == 0 && parts[i] != part {
				element = i + 1
			}
		}
		if d.Element != element {
			t.Errorf("%s: element %d, want %d", test.name, d.Element, element)
		}
	}
	if diagnose.Compare(ours, ours) != nil {
		t.Error("equal texts differ")
	}
	for theirs, layer := range map[string]string{
		"https%3a%2f%2fh%2fa%2520b": "encoding", "https%3A%2F%2Fh%2Fa%20b": "encoding", "https%253A%252F%252Fh%252Fa%252520b": "encoding", "https%3A%2F%2Fh%2Fa%2520c": "url",
	} {
		const whole = "POST&https%3A%2F%2Fh%2Fa%2520b&a%3D1"
		if d := diagnose.Compare(whole, "POST&"+theirs+"&a%3D1"); d == nil || d.Layer != layer {
			t.Errorf("%s: %+v", theirs, d)
		}
	}
}
