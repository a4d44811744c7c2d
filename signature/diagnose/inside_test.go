package diagnose

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
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

// TestNumbersSortFirst: texts of digits by their number, then all others by bytes.
func TestNumbersSortFirst(t *testing.T) {
	ordered := []string{"0", "9", "010", "11", "100", "", "-1", "1a", "a", "b"}
	for i, a := range ordered {
		for j, b := range ordered {
			if got := compareNumbers(a, b); got < 0 != (i < j) || got > 0 != (i > j) {
				t.Errorf("%q, %q: %d", a, b, got)
			}
		}
	}
}

// TestDecomposedLetters: letters of the table become a base and a mark, all else stays as it is, bytes
// that are not UTF-8 included.
func TestDecomposedLetters(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "a": "a", "\u00e9": "e\u0301", "\u00c0": "A\u0300", "\u017e": "z\u030c", "a\u00e9b": "ae\u0301b",
		"\u017f": "\u017f", "\u00d7": "\u00d7", "\u0300": "\u0300", "\u65e5\u672c": "\u65e5\u672c",
		"\xff": "\xff", "\ufffd": "\ufffd", "a\ufffdb\xc3": "a\ufffdb\xc3", "\xc3\u00e9": "\xc3e\u0301",
	} {
		if got := decompose(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]bool{"": true, "a\x7f": true, "\x80": false, "a\u00e9": false} {
		if plainASCII(text) != want {
			t.Errorf("%q is ASCII: %v", text, !want)
		}
	}
}

// TestLatin1Letters: what Latin-1 has is one byte, up to its last letter, and a question mark stands for all else.
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
		all    []reading
		sets   int
	}{
		{"no reading", nil, 0},
		{"of this key", []reading{{raw: make([]byte, size)}}, 1},
		{"of the shortest key", []reading{{raw: make([]byte, minBits/8)}}, 1},
		{"shorter", []reading{{raw: make([]byte, minBits/8-8)}}, 0},
		{"not of whole words", []reading{{raw: make([]byte, minBits/8+1)}}, 0},
		{"of the shortest key, by a mistake", []reading{{ids: []string{"x"}, raw: make([]byte, minBits/8)}}, 0},
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
	name, method, url, contentType, body string
	params                               []signature.Param
	header                               string
	profile                              signature.Profile
}

// shapes are requests with and without each part that an edit may change.
func shapes() []shape {
	const oauth = `oauth_consumer_key="k", oauth_nonce="n%2F", oauth_signature="AAAA", oauth_signature_method="HMAC-SHA1", oauth_timestamp="1767225600", oauth_version="1.0"`
	const csv = "\"rp_card_type\";\"city\"\r\n\"SRC\";\"Bonn\"\r\n"
	payload := func(text string) []signature.Param {
		return []signature.Param{signature.Payload([]byte(text))}
	}
	form := func(name, body, header string, profile signature.Profile) shape {
		return shape{name: name, url: "https://h/p", contentType: "application/x-www-form-urlencoded", body: body, header: header, profile: profile}
	}
	param := signature.NewParam
	return []shape{
		{name: "the real operation", url: "https://h/p/", params: payload(csv), header: oauth, profile: signature.ProfileGateway},
		{name: "a payload with letters beyond ASCII", url: "https://H:443/p", params: payload(csv + "\"SRC\";\"K\u00f6ln\"\n"), header: oauth, profile: signature.ProfileGateway},
		form("a payload in lines, padded", "payload=QUJD%0D%0AREU%3D&z=", oauth, signature.ProfileGateway),
		form("a payload of another alphabet", "payload=-_-_8-&payload=QQ", oauth, signature.ProfileGateway),
		form("a body without a payload", "a=1&b=2", oauth, signature.ProfileGateway),
		{name: "nothing but a URL", url: "http://h", header: oauth, profile: signature.ProfileGateway},
		form("names with escapes, values without", "na%2Dme=1&x%20y=2", oauth, signature.ProfileGateway),
		form("names with escapes, values of another encoder", "na%2Dme=x+y", oauth, signature.ProfileGateway),
		form("values with escapes, names without", "a=%7E&b=x%2fy", oauth, signature.ProfileGateway),
		form("a plus sign for a space in a value", "a=x+y", oauth, signature.ProfileGateway),
		form("a plus sign for a space in a name", "x+y=a", oauth, signature.ProfileGateway),
		form("a realm beyond ASCII", "a=b", `realm="Z`+"\u00fc"+`rich", `+oauth, signature.ProfileGateway),
		form("an OAuth value beyond ASCII", "a=b", oauth+`, oauth_token="%C3%BC"`, signature.ProfileRFC5849),
		{name: "a query beside a body", method: "PUT", url: "https://u@h:8443/p/q?b=1&a=x+y&c#f", params: []signature.Param{param("a", "1"), param("b", "\u00fc")}, header: oauth, profile: signature.ProfileRFC5849},
		{name: "a query as an encoder writes it", url: "https://h:0443?a=b%2Fc", params: []signature.Param{param("a", "1")}, header: oauth, profile: signature.ProfileRFC5849},
		{name: "a query alone, its names with escapes", url: "https://h./%7Ep?%61=b", header: oauth, profile: signature.ProfileRFC5849},
		{name: "an empty query", url: "https://h/?", params: []signature.Param{param("a", ""), param("a", "b")}, header: oauth, profile: signature.ProfileRFC5849},
		{name: "a body that is not a form", url: "https://h/p?q", contentType: "text/plain", body: "payload=QUJD&k=\u00e4", header: oauth, profile: signature.ProfileRFC5849},
	}
}

func (s shape) material(t *testing.T) *material {
	t.Helper()
	r := signature.NewRequest(s.method, s.url).WithAuthorization("OAuth " + s.header)
	if s.params != nil {
		r = r.WithParams(s.params...)
	} else {
		r = r.WithBody(s.contentType, s.body)
	}
	m, err := newMaterial(r, Options{Verify: signature.Options{Profile: s.profile}, OtherURLs: []string{"https://other.example/o/p"}})
	if err != nil {
		t.Fatal(s.name, err)
	}
	return m
}

// candidate is the base string with the edits made, in their order.
func (m *material) candidate(edits ...edit) string {
	edits = slices.DeleteFunc(slices.Clone(edits), func(e edit) bool { return e.apply == nil })
	slices.SortStableFunc(edits, func(a, b edit) int { return int(a.step) - int(b.step) })
	s := m.right()
	for _, e := range edits {
		e.apply(s)
	}
	return s.baseString()
}

// TestIdleEditsExplainNothing: what the search leaves out would sign the same text as no mistake, or as another edit that
// it does try, alone and beside any other mistake; beside another it may be the text of that edit alone, which explains
// more with less. So the search explains whatever one of all edits would.
func TestIdleEditsExplainNothing(t *testing.T) {
	mistakes, idle := allMistakes(), 0
	for _, s := range shapes() {
		m := s.material(t)
		search := &search{m: m}
		seen := map[string]bool{}
		var left, tried []choice
		for i, mistake := range mistakes {
			for _, e := range mistake.edits {
				if search.isIdle(e, mistake, seen) {
					left = append(left, choice{e, i})
				} else {
					tried = append(tried, choice{e, i})
				}
			}
		}
		idle += len(left)
		alone := map[string]bool{m.candidate(): true}
		for _, c := range tried {
			alone[m.candidate(c.edit)] = true
		}
		for _, out := range left {
			mistake := mistakes[out.mistake]
			for _, beside := range append([]choice{{mistake: -1}}, tried...) {
				if beside.mistake >= 0 && mistakes[beside.mistake].Slot == mistake.Slot {
					continue
				}
				text := m.candidate(out.edit, beside.edit)
				known := alone[text]
				for _, c := range tried { // those of the mistake first
					known = known || c.mistake == out.mistake && m.candidate(c.edit, beside.edit) == text
				}
				for _, c := range tried {
					known = known || beside.mistake >= 0 && mistakes[c.mistake].Slot != mistakes[beside.mistake].Slot && m.candidate(c.edit, beside.edit) == text
				}
				if !known {
					other := "nothing"
					if beside.mistake >= 0 {
						other = mistakes[beside.mistake].ID
					}
					t.Errorf("%s: an edit of %s is left out, and beside %s signs\n%s", s.name, mistake.ID, other, text)
				}
			}
		}
	}
	if idle < 100 {
		t.Errorf("%d edits are left out", idle)
	}
}

// TestURLOfAMistake: the second element of a URL as typed is the URL, whole; others leave out or keep what they say.
func TestURLOfAMistake(t *testing.T) {
	const typed = "HTTPS://u@H:0443/p/?b=1&a=x+y#f"
	m := shape{name: "typed", url: typed, header: `oauth_consumer_key="k"`, profile: signature.ProfileRFC5849}.material(t)
	byID := map[string][]edit{}
	for _, mistake := range allMistakes() {
		byID[mistake.ID] = mistake.edits
	}
	for _, r := range []struct {
		want  string
		edits []edit
	}{
		{"https://h/p/", nil},
		{typed, byID["url-verbatim"]},
		{"https://h/p/?b=1&a=x+y", byID["query-kept-in-url"]},
		{"HTTPS://H/p/", byID["host-case-kept"]},
		{"https://h:443/p/", byID["default-port-kept"][:1]},
		{"https://h:0443/p/", byID["default-port-kept"][2:]},
		{"/p/", byID["path-only"]},
		{"https://h/p", byID["last-segment-dropped"][:1]},
		{"HTTPS://u@H:0443/p/", slices.Concat(byID["url-verbatim"], byID["query-omitted"])},
		{"http://h/p/", byID["http-for-https"]},
		{"http://h:443/p/", slices.Concat(byID["http-for-https"], byID["default-port-kept"][:1])},
		{"http://h:80/p/", slices.Concat(byID["http-for-https"], byID["default-port-kept"][1:2])},
		{"/p/?b=1&a=x+y", slices.Concat(byID["path-only"], byID["query-only-in-url"])},
		{"https://h/p//", byID["trailing-slash-added"]},
		{"https://other.example/p/", byID["host-other"][5:6]},
		{"https://h/o/p", byID["path-other"][6:7]},
	} {
		text := strings.Split(m.candidate(r.edits...), "&")[1]
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
	m := shape{name: "raw", url: "https://h/p?a=z&a=%C3%A9", header: `oauth_consumer_key="k"`, profile: signature.ProfileRFC5849}.material(t)
	for _, r := range []struct {
		want  string
		flags func(*stages)
	}{
		{"a=%C3%A9&a=z&oauth_consumer_key=k", func(*stages) {}},
		{"a=z&a=é&oauth_consumer_key=k", func(s *stages) { s.values = raw() }},
		{"a=%C3%A9&a=z&oauth_consumer_key=k", func(s *stages) { s.names = raw() }},
	} {
		var w writer
		s := m.right()
		r.flags(s)
		if w.writeThird(s); !bytes.Contains(w.third, []byte(signature.Encode(r.want))) {
			t.Errorf("%s, want %s", w.third, signature.Encode(r.want))
		}
	}
}

func rankOf(id string) int {
	all := allMistakes()
	return all[slices.IndexFunc(all, func(m Mistake) bool { return m.ID == id })].Rank
}

// TestMistakesLeftOut: all single mistakes are tried in a body of a few megabytes, those that are met most in one of twelve, and
// none where none fits; what is tried costs no more than is allowed. What a body costs is proportional to its length.
func TestMistakesLeftOut(t *testing.T) {
	const size = 1000
	for _, r := range []struct {
		most        int64
		least, last int // how many are left out
	}{{singleBytes * size / 1_500_000, 0, 0}, {singleBytes * size / 12_000_000, 10, 60}, {size, 60, 83}, {size - 1, 61, 84}} {
		s := &search{m: &material{body: []item{{}}}, mistakes: allMistakes()}
		s.m.body[0].sent.Value = strings.Repeat("a", size)
		s.leaveOut(r.most)
		cost, cheapest := int64(0), int64(1<<62)
		for i, m := range s.mistakes {
			one := int64(0)
			for _, e := range allMistakes()[i].edits {
				if one += size; e.changesThird() {
					one += 3 * size
				}
			}
			if m.edits != nil {
				cost += one
			} else if one > 0 {
				cheapest = min(cheapest, one)
			}
		}
		if n := len(s.leftOut); n < r.least || n > r.last || cost > r.most || n > 0 && cost+cheapest <= r.most {
			t.Errorf("%d bytes: %d of %d mistakes are left out, the others cost %d, the cheapest of them %d", r.most, n, len(s.mistakes), cost, cheapest)
		}
		ranks := func(a, b string) int { return rankOf(a) - rankOf(b) }
		if !slices.IsSortedFunc(s.leftOut, ranks) {
			t.Errorf("%d bytes: left out are %v, not by rank", r.most, s.leftOut)
		}
		if met := s.mistakes[0].ID; slices.Contains(s.leftOut, met) != (r.most <= size) {
			t.Errorf("%d bytes: %s is tried or not", r.most, met)
		}
	}
}

// TestPlusOfABadEscape: a value whose escapes are wrong cannot be read with a plus sign either.
func TestPlusOfABadEscape(t *testing.T) {
	for value, want := range map[string]bool{"a+b": true, "%2B+": true, "%+a": false, "a+%zz": false, "ab": false} {
		s := &stages{body: []item{{sent: base.Pair{Value: value}}}}
		if got := s.readPlus(); got != want || s.body[0].Value == "" == want {
			t.Errorf("%q: %v, %q", value, got, s.body[0].Value)
		}
	}
}

// TestHostWithoutItsFirstLabel: of a name of three labels or more the first may be left out, of an address none.
func TestHostWithoutItsFirstLabel(t *testing.T) {
	byID := map[string][]edit{}
	for _, mistake := range allMistakes() {
		byID[mistake.ID] = mistake.edits
	}
	for host, want := range map[string]string{"a.shop.example": "shop.example", "shop.example": "shop.example", "h": "h", "192.0.2.17": "192.0.2.17", "1.2.example": "2.example"} {
		m := shape{name: host, url: "https://" + host + "/p", header: `oauth_consumer_key="k"`, profile: signature.ProfileRFC5849}.material(t)
		text := strings.Split(m.candidate(byID["host-other"][4:5]...), "&")[1]
		if got, _ := signature.Decode(text); got != "https://"+want+"/p" {
			t.Errorf("%s: %s", host, got)
		}
	}
}

// TestQueryKeptInAVerbatimURL: the query of a URL as typed is signed a second time, as parameters, where both mistakes were made.
func TestQueryKeptInAVerbatimURL(t *testing.T) {
	byID := map[string][]edit{}
	for _, mistake := range allMistakes() {
		byID[mistake.ID] = mistake.edits
	}
	m := shape{name: "query", url: "https://h/p?b=1", header: `oauth_consumer_key="k"`, profile: signature.ProfileRFC5849}.material(t)
	for want, edits := range map[string][]edit{
		"b=1&oauth_consumer_key=k": nil, "oauth_consumer_key=k": byID["url-verbatim"], "b=1&oauth_consumer_key=k ": slices.Concat(byID["url-verbatim"], byID["query-kept-in-url"]),
		"b=1&oauth_consumer_key=k  ": byID["query-kept-in-url"],
	} {
		text := strings.Split(m.candidate(edits...), "&")[2]
		if got, _ := signature.Decode(text); got != strings.TrimRight(want, " ") {
			t.Errorf("%d edits: %s, want %s", len(edits), got, want)
		}
	}
}

// TestLeftOutIsSaid: which single mistakes were too large to be tried, and that no pair was.
func TestLeftOutIsSaid(t *testing.T) {
	key, err := signature.NewSecret("another", "")
	if err != nil {
		t.Fatal(err)
	}
	text := base64.StdEncoding.EncodeToString(make([]byte, 20))
	for want, list := range map[string][]string{
		"1 single mistakes (a, …) and all pairs: the request is too large for the time that is allowed":       {"a"},
		"4 single mistakes (a, b, c, …) and all pairs: the request is too large for the time that is allowed": {"a", "b", "c", "d"},
	} {
		m := shape{name: "left", url: "https://h/p", header: `oauth_consumer_key="k"`, profile: signature.ProfileRFC5849}.material(t)
		s := newSearch(t.Context(), m, text, key, Options{})
		s.leftOut = list
		var d Diagnosis
		if err := d.explain(s, text); err != nil || len(d.NotTried) != 1 || d.NotTried[0] != want || len(d.Causes) > 0 {
			t.Errorf("%q, %v", d.NotTried, err)
		}
	}
}
