package diagnose

import (
	"bytes"
	"crypto/sha256"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/internal/base"
)

// TestFactsOfAnUnexplainedText: that no mistake explains a signature is said only if all were tried.
func TestFactsOfAnUnexplainedText(t *testing.T) {
	if facts := textFacts("AAAA", nil); !strings.HasPrefix(facts[0], "no known mistake") || facts[1] != "the signature is base64 of 3 bytes" {
		t.Errorf("%q", facts)
	}
	if facts := textFacts("?", []string{"pairs"}); !strings.HasPrefix(facts[0], "nothing that was tried") || !strings.Contains(facts[1], "not padded base64") {
		t.Errorf("%q", facts)
	}
}

// TestHostsInPunycode: a host with characters outside ASCII and the one that software sends for it lead to each other (RFC 3492).
func TestHostsInPunycode(t *testing.T) {
	for typed, sent := range map[string]string{
		"bücher.example": "xn--bcher-kva.example", "münchen.de": "xn--mnchen-3ya.de", "例え.テスト": "xn--r8jz45g.xn--zckzah", "παράδειγμα.δοκιμή": "xn--hxajbheg2az3al.xn--jxalpdlp",
		"h.example": "h.example", "a.ü": "a.xn--tda", "他们为什么不说中文": "xn--ihqwcrb4cv8a8dqg056pqjye", "3年b組金八先生": "xn--3b-ww4c5e180e575a65lsy2b",
	} {
		if got := toIDN(typed); got != sent {
			t.Errorf("%s is sent as %s, want %s", typed, got, sent)
		}
		if got := fromIDN(sent); got != typed {
			t.Errorf("%s is typed as %s, want %s", sent, got, typed)
		}
	}
	for _, broken := range []string{"xn--", "xn--a", "xn--99999999", "xn--é", "xn---", "xn--" + strings.Repeat("z", 60), "xn--" + strings.Repeat("9", 99)} {
		_ = fromIDN(broken) // does not panic, and is bounded
	}
	for text, want := range map[string]bool{"": true, "a\x7f": true, "\x80": false, "a\u00e9": false} {
		if isASCII(text) != want {
			t.Errorf("%q is ASCII: %v", text, !want)
		}
	}
}

// TestTextInUTF16: both orders of bytes.
func TestTextInUTF16(t *testing.T) {
	if little, big := toUTF16("aé", true), toUTF16("aé", false); little != "a\x00\xe9\x00" || big != "\x00a\x00\xe9" {
		t.Errorf("%q, %q", little, big)
	}
}

// TestLatin1Letters: what Latin-1 has is one byte, up to its last letter, and all else is a question mark.
func TestLatin1Letters(t *testing.T) {
	for text, want := range map[string]string{"": "", "a\x7f": "a\x7f", "\u0080\u00e9": "\x80\xe9", "\u00ff": "\xff", "\u0100": "?", "a\u20ac": "a?", "\xff": "\xff"} {
		if got := latin1(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// encodePSS is EMSA-PSS with SHA-256, by RFC 8017, 9.1.1.
func encodePSS(message, salt []byte, bits int) []byte {
	digest := sha256.Sum256(append(append(make([]byte, 8), message...), salt...))
	em := make([]byte, (bits+7)/8)
	db := em[:len(em)-len(digest)-1]
	db[len(db)-len(salt)-1] = 1
	copy(db[len(db)-len(salt):], salt)
	for i := range db {
		mask := sha256.Sum256(append(digest[:len(digest):len(digest)], 0, 0, 0, byte(i/32)))
		db[i] ^= mask[i%32]
	}
	db[0] &= 0xff >> (8*len(em) - bits)
	copy(em[len(db):], digest[:])
	em[len(em)-1] = 0xbc
	return em
}

// TestReadPSS: an encoding is read for any salt and any number of bits, and refused where one of its
// fixed bits is another.
func TestReadPSS(t *testing.T) {
	h, message := rsaHashes()[0], []byte("message")
	for _, bits := range []int{264 + 8, 1016, 1017, 1022, 1023, 1024} {
		for _, salt := range []string{"", "salt", strings.Repeat("s", 32)} {
			if bits == 272 && salt != "" {
				continue // has room for no salt
			}
			em := encodePSS(message, []byte(salt), bits)
			whole := append([]byte{0}, em...) // as a modulus of one byte more gives it
			for _, text := range [][]byte{em, whole} {
				fits, ok := readPSS(text, bits, h)
				if !ok || !fits(message) || fits([]byte("another")) {
					t.Errorf("%d bits, salt %q: %v", bits, salt, ok)
				}
			}
			whole[0] = 1
			if _, ok := readPSS(whole, bits, h); ok {
				t.Errorf("%d bits: a first byte of 1 is read over", bits)
			}
			if top := 8*len(em) - bits; top > 0 {
				em[0] |= 0x80
				if _, ok := readPSS(em, bits, h); ok {
					t.Errorf("%d bits: a bit above them is read over", bits)
				}
				em[0] &= 0x7f
			}
			em[len(em)-1] = 0xbd
			if _, ok := readPSS(em, bits, h); ok {
				t.Errorf("%d bits: the last byte is not bc", bits)
			}
		}
	}
	if _, ok := readPSS(append(make([]byte, 32), 0xbc), 264, h); ok {
		t.Error("a digest and a byte are read as an encoding")
	}
}

// TestBlameOfAnotherKey: a length that another key gives blames the key, and no other length does.
func TestBlameOfAnotherKey(t *testing.T) {
	const size = 256
	for _, r := range []struct {
		reason string
		all    []signatureBytes
		sets   int
	}{
		{"no reading", nil, 0},
		{"of this key", []signatureBytes{{raw: make([]byte, size)}}, 1},
		{"of the shortest key", []signatureBytes{{raw: make([]byte, minBits/8)}}, 1},
		{"shorter", []signatureBytes{{raw: make([]byte, minBits/8-8)}}, 0},
		{"not of whole words", []signatureBytes{{raw: make([]byte, minBits/8+1)}}, 0},
		{"of the shortest key, by a mistake", []signatureBytes{{ids: []string{"x"}, raw: make([]byte, minBits/8)}}, 0},
	} {
		if sets := blameKey(r.all, size); len(sets) != r.sets {
			t.Errorf("%s: %v", r.reason, sets)
		}
	}
}

// TestUnpadPKCS1: the padding of PKCS #1 v1.5 has at least eight bytes FF and ends with 00 (L65).
func TestUnpadPKCS1(t *testing.T) {
	padded := func(ff int, behind ...byte) []byte {
		return append(append([]byte{0, 1}, bytes.Repeat([]byte{0xff}, ff)...), behind...)
	}
	for _, c := range []struct {
		reason string
		em     []byte
		want   []byte // nil where it is refused
	}{
		{"eight", padded(8, 0, 'x'), []byte("x")},
		{"many", padded(200, 0, 'x', 'y'), []byte("xy")},
		{"nothing inside", padded(8, 0), []byte{}},
		{"seven", padded(7, 0, 'x', 'y', 'z'), nil},
		{"none", padded(0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9), nil},
		{"no end", padded(20), nil},
		{"another end", padded(8, 1, 'x'), nil},
		{"another beginning", append([]byte{1}, padded(8, 0, 'x')[1:]...), nil},
		{"another type", append([]byte{0, 2}, padded(8, 0, 'x')[2:]...), nil},
	} {
		got, ok := unpadPKCS1(c.em)
		if ok != (c.want != nil) || !bytes.Equal(got, c.want) {
			t.Errorf("%s: %q, %v", c.reason, got, ok)
		}
	}
}

// A shape is a request of one kind, as the search for mistakes sees it.
type shape struct {
	name, url, body string
	params          []signature.Param
	header          string
}

// shapes are requests with and without each part that a variant may change.
func shapes() []shape {
	const oauth = `oauth_consumer_key="k", oauth_nonce="n%2F", oauth_signature="AAAA", oauth_signature_method="HMAC-SHA1", oauth_timestamp="1767225600", oauth_version="1.0"`
	const csv = "\"rp_card_type\";\"city\"\r\n\"SRC\";\"Bonn\"\r\n"
	payload := func(text string) []signature.Param {
		return []signature.Param{signature.Payload([]byte(text))}
	}
	form := func(name, body, header string) shape {
		return shape{name: name, url: "https://h/p", body: body, header: header}
	}
	param := signature.NewParam
	return []shape{
		{name: "the real operation", url: "https://h/p/", params: payload(csv), header: oauth},
		{name: "a payload with letters beyond ASCII", url: "https://H:443/p", params: payload(csv + "\"SRC\";\"K\u00f6ln\"\n"), header: oauth},
		form("a payload in lines, padded", "payload=QUJD%0D%0AREU%3D&z=", oauth),
		form("a payload of another alphabet", "payload=-_-_8-&payload=QQ", oauth),
		form("a body without a payload", "a=1&b=2", oauth),
		{name: "nothing but a URL", url: "http://h", header: oauth},
		form("names with escapes, values without", "na%2Dme=1&x%20y=2", oauth),
		form("names with escapes, values of another encoder", "na%2Dme=x+y", oauth),
		form("values with escapes, names without", "a=%7E&b=x%2fy", oauth),
		form("a plus sign for a space in a value", "a=x+y", oauth),
		form("a plus sign for a space in a name", "x+y=a", oauth),
		form("a realm beyond ASCII", "a=b", `realm="Z`+"\u00fc"+`rich", `+oauth),
		form("parameters beyond the five in the header", "a=b", oauth+`, oauth_token="%C3%BC", oauth_body_hash="x"`),
		{name: "another port and equal names", url: "https://h:8443/p/q", params: []signature.Param{param("a", "1"), param("b", "\u00fc"), param("a", "0")}, header: oauth},
		{name: "a host outside ASCII", url: "https://b\u00fccher.example/p/q", params: []signature.Param{param("a", "")}, header: oauth},
		{name: "a host in punycode, a path with escapes", url: "https://xn--bcher-kva.example./%7Ep", header: oauth},
	}
}

func (s shape) original(t *testing.T) *original {
	t.Helper()
	r := signature.NewRequest("POST", s.url).WithAuthorization("OAuth " + s.header)
	if s.params != nil {
		r = r.WithParams(s.params...)
	} else if s.body != "" {
		r = r.WithBody(base.FormType, s.body)
	}
	key, err := signature.NewHMACKey("s3cret")
	if err != nil {
		t.Fatal(err)
	}
	o, ok := newOriginal(r, key, Options{OtherURLs: []string{"https://other.example/o/p"}})
	if !ok {
		t.Fatal(s.name)
	}
	return o
}

// candidate is the base string with variants made, in their order.
func (o *original) candidate(made ...variant) string {
	made = slices.DeleteFunc(slices.Clone(made), func(v variant) bool { return v.apply == nil })
	slices.SortStableFunc(made, func(a, b variant) int { return int(a.step) - int(b.step) })
	c := o.right()
	for _, v := range made {
		v.apply(c)
	}
	return c.baseString()
}

// variantsByID are the variants of all mistakes.
func variantsByID() map[string][]variant {
	byID := map[string][]variant{}
	for _, mistake := range allMistakes() {
		byID[mistake.ID] = mistake.variants
	}
	return byID
}

// TestIdleVariantsExplainNothing: what the search leaves out would sign the same text as no mistake, or as another variant
// that it does try, alone and beside any other mistake; beside another it may be the text of that variant alone, which
// explains more with less. So the search explains whatever one of all variants would.
func TestIdleVariantsExplainNothing(t *testing.T) {
	mistakes, idle := allMistakes(), 0
	for _, s := range shapes() {
		o := s.original(t)
		search := &search{o: o, mistakes: mistakes}
		seen := map[string]bool{}
		var left, tried []variant
		for _, mistake := range mistakes {
			for _, v := range mistake.variants {
				if search.isIdle(v, seen) {
					left = append(left, v)
				} else {
					tried = append(tried, v)
				}
			}
		}
		idle += len(left)
		alone := map[string]bool{o.candidate(): true}
		for _, v := range tried {
			alone[o.candidate(v)] = true
		}
		for _, out := range left {
			mistake := mistakes[out.mistake]
			for _, beside := range append([]variant{{mistake: -1}}, tried...) {
				if beside.mistake >= 0 && mistakes[beside.mistake].Slot == mistake.Slot {
					continue
				}
				text := o.candidate(out, beside)
				known := alone[text]
				for _, v := range tried { // those of the mistake first
					known = known || v.mistake == out.mistake && o.candidate(v, beside) == text
				}
				for _, v := range tried {
					known = known || beside.mistake >= 0 && mistakes[v.mistake].Slot != mistakes[beside.mistake].Slot && o.candidate(v, beside) == text
				}
				if !known {
					other := "nothing"
					if beside.mistake >= 0 {
						other = mistakes[beside.mistake].ID
					}
					t.Errorf("%s: a variant of %s is left out, and beside %s signs\n%s", s.name, mistake.ID, other, text)
				}
			}
		}
	}
	if idle < 100 {
		t.Errorf("%d variants are left out", idle)
	}
}

// TestURLOfAMistake: the second element of a URL as typed is the URL, whole; others leave out or keep what they say.
func TestURLOfAMistake(t *testing.T) {
	const typed = "HTTPS://H:443/p/"
	o := shape{name: "typed", url: typed, header: `oauth_consumer_key="k"`}.original(t)
	byID := variantsByID()
	for _, r := range []struct {
		want string
		made []variant
	}{
		{"https://h/p/", nil},
		{typed, byID["url-verbatim"]},
		{"HTTPS://H/p/", byID["host-case-kept"]},
		{"https://h:443/p/", byID["default-port-kept"][:1]},
		{"https://h:443/p/", byID["default-port-kept"][2:]},
		{"/p/", byID["path-only"]},
		{"https://h/p", byID["last-segment-dropped"][:1]},
		{"http://h/p/", byID["http-for-https"]},
		{"http://h:443/p/", slices.Concat(byID["http-for-https"], byID["default-port-kept"][:1])},
		{"http://h:80/p/", slices.Concat(byID["http-for-https"], byID["default-port-kept"][1:2])},
		{"https://h/p//", byID["trailing-slash-added"]},
		{"https://other.example/p/", byID["host-other"][7:8]},
		{"https://h/o/p", byID["path-other"][6:7]},
	} {
		text := strings.Split(o.candidate(r.made...), "&")[1]
		if got, _ := signature.Decode(text); got != r.want {
			t.Errorf("%q, want %q", got, r.want)
		}
	}
}

// TestHeadlines: one sentence for each outcome, the first that holds.
func TestHeadlines(t *testing.T) {
	wrong := signature.Verified{Signature: signature.VerdictMismatch}
	causes := func(ids ...[]string) (list []Cause) {
		for _, i := range ids {
			list = append(list, Cause{IDs: i})
		}
		return list
	}
	for _, r := range []struct {
		d    Diagnosis
		want string
	}{
		{Diagnosis{acceptable: true, Right: true}, "The signature is right."},
		{Diagnosis{Right: true}, "The signature is right; the request is not acceptable."},
		{Diagnosis{}, "The signature was not judged: the request is not one that can be signed."},
		{Diagnosis{Verified: wrong, absent: true}, "The request is not signed."},
		{Diagnosis{Verified: wrong, Causes: causes([]string{idOtherKey})}, "The signature is wrong, and nothing can be reproduced without the private key:"},
		{Diagnosis{Verified: wrong, Causes: causes([]string{idOtherKey, "z"})}, "The signature is wrong, and nothing can be reproduced without the private key:"},
		{Diagnosis{Verified: wrong, Causes: causes([]string{"a", idOtherKey})}, "The signature is wrong, and nothing can be reproduced without the private key:"},
		{Diagnosis{Verified: wrong, Causes: causes([]string{"a"})}, "The signature is wrong, and this reproduces it:"},
		{Diagnosis{Verified: wrong, Causes: causes(nil)}, "The signature is wrong, and this reproduces it:"},
		{Diagnosis{Verified: wrong, Causes: causes([]string{"a"}, []string{"b"}), NotTried: []string{"pairs"}}, "The signature is wrong, and each of these alone reproduces it:"},
		{Diagnosis{Verified: wrong, NotTried: []string{"a", "b"}}, "The signature is wrong, and nothing that was tried explains it; not tried: a; b."},
		{Diagnosis{Verified: signature.Verified{Signature: signature.VerdictUnreadable}}, "The signature cannot be read."},
		{Diagnosis{Verified: wrong}, "The signature is wrong, and no known mistake explains it."},
	} {
		if got := r.d.Headline(); got != r.want {
			t.Errorf("%q, want %q", got, r.want)
		}
	}
}

// TestRawValuesAreSortedAsTheyAre: whoever does not encode the values before sorting them puts z before é, which is %C3%A9.
func TestRawValuesAreSortedAsTheyAre(t *testing.T) {
	o := shape{name: "raw", url: "https://h/p", body: "a=z&a=%C3%A9", header: `oauth_consumer_key="k"`}.original(t)
	for _, r := range []struct {
		want   string
		change func(*candidate)
	}{
		{"a=%C3%A9&a=z&oauth_consumer_key=k", func(*candidate) {}},
		{"a=z&a=é&oauth_consumer_key=k", func(c *candidate) { c.values = rawEncoder }},
		{"a=%C3%A9&a=z&oauth_consumer_key=k", func(c *candidate) { c.names = rawEncoder }},
	} {
		var w writer
		c := o.right()
		r.change(c)
		if w.writeParams(c); !bytes.Contains(w.params, []byte(signature.Encode(r.want))) {
			t.Errorf("%s, want %s", w.params, signature.Encode(r.want))
		}
	}
}

// TestEncodersDifferInTheirBytes: each encoder leaves what it says, and all else is as in RFC 3986.
func TestEncodersDifferInTheirBytes(t *testing.T) {
	const text = "~*!'()/ a+\u00e9"
	for want, e := range map[string]*encoder{
		"~%2A%21%27%28%29%2F%20a%2B%C3%A9":   nil,
		"~%2A%21%27%28%29%2F+a%2B%C3%A9":     {space: '+'},
		"%7E%2A%21%27%28%29%2F%20a%2B%C3%A9": {takes: "~"},
		"~*%21%27%28%29%2F%20a%2B%C3%A9":     {keeps: "*"},
		"~*!'()%2F%20a%2B%C3%A9":             {keeps: "!*'()"},
		"~%2A%21%27%28%29/%20a%2B%C3%A9":     {keeps: "/"},
		"~%2a%21%27%28%29%2f%20a%2b%c3%a9":   {lower: true},
		text:                                 {raw: true},
	} {
		if got := string(appendAs(e, nil, text)); got != want {
			t.Errorf("%+v: %q, want %q", e, got, want)
		}
	}
}

// TestPlusOfABadEscape: a value whose escapes are wrong cannot be read with a plus sign either.
func TestPlusOfABadEscape(t *testing.T) {
	for value, want := range map[string]bool{"a+b": true, "%2B+": true, "%+a": false, "a+%zz": false, "ab": false} {
		c := &candidate{body: []item{{sent: base.Pair{Value: value}}}}
		if got := c.readPlus(); got != want || c.body[0].Value == "" == want {
			t.Errorf("%q: %v, %q", value, got, c.body[0].Value)
		}
	}
}

// TestHostWithoutItsFirstLabel: of a name of three labels or more the first may be left out, of an address none.
func TestHostWithoutItsFirstLabel(t *testing.T) {
	byID := variantsByID()
	for host, want := range map[string]string{"a.shop.example": "shop.example", "shop.example": "shop.example", "h": "h", "192.0.2.17": "192.0.2.17", "1.2.example": "2.example"} {
		o := shape{name: host, url: "https://" + host + "/p", header: `oauth_consumer_key="k"`}.original(t)
		text := strings.Split(o.candidate(byID["host-other"][6:7]...), "&")[1]
		if got, _ := signature.Decode(text); got != "https://"+want+"/p" {
			t.Errorf("%s: %s", host, got)
		}
	}
}
