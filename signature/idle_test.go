package signature

import (
	"encoding/base64"
	"strings"
	"testing"
)

// A shape is a request of one kind, as the search for mistakes sees it.
type shape struct {
	name    string
	request requestData
	header  string
	profile Profile
}

// shapes are requests with and without each part that an edit may change.
func shapes() []shape {
	const oauth = `oauth_consumer_key="k", oauth_nonce="n%2F", oauth_signature="AAAA", oauth_signature_method="HMAC-SHA1", oauth_timestamp="1767225600", oauth_version="1.0"`
	const csv = "\"rp_card_type\";\"city\"\r\n\"SRC\";\"Bonn\"\r\n"
	payload := func(text string) []pair {
		return []pair{{namePayload, base64.StdEncoding.EncodeToString([]byte(text))}}
	}
	form := func(body string) requestData {
		return requestData{url: "https://h/p", contentType: "application/x-www-form-urlencoded", body: body, wire: true}
	}
	return []shape{
		{"the real operation", requestData{url: "https://h/p/", params: payload(csv)}, oauth, ProfileGateway},
		{"a payload with letters beyond ASCII", requestData{url: "https://H:443/p", params: payload(csv + "\"SRC\";\"K\u00f6ln\"\n")}, oauth, ProfileGateway},
		{"a payload in lines, padded", form("payload=QUJD%0D%0AREU%3D&z="), oauth, ProfileGateway},
		{"a payload of another alphabet", form("payload=-_-_8-&payload=QQ"), oauth, ProfileGateway},
		{"a body without a payload", form("a=1&b=2"), oauth, ProfileGateway},
		{"nothing but a URL", requestData{url: "http://h"}, oauth, ProfileGateway},
		{"names with escapes, values without", form("na%2Dme=1&x%20y=2"), oauth, ProfileGateway},
		{"names with escapes, values of another encoder", form("na%2Dme=x+y"), oauth, ProfileGateway},
		{"values with escapes, names without", form("a=%7E&b=x%2fy"), oauth, ProfileGateway},
		{"a plus sign for a space in a value", form("a=x+y"), oauth, ProfileGateway},
		{"a plus sign for a space in a name", form("x+y=a"), oauth, ProfileGateway},
		{"a realm beyond ASCII", form("a=b"), `realm="Z` + "\u00fc" + `rich", ` + oauth, ProfileGateway},
		{"an OAuth value beyond ASCII", form("a=b"), oauth + `, oauth_token="%C3%BC"`, ProfileRFC5849},
		{"a query beside a body", requestData{method: "PUT", url: "https://u@h:8443/p/q?b=1&a=x+y&c#f", params: []pair{{"a", "1"}, {"b", "\u00fc"}}}, oauth, ProfileRFC5849},
		{"a query as an encoder writes it", requestData{url: "https://h:0443?a=b%2Fc", params: []pair{{"a", "1"}}}, oauth, ProfileRFC5849},
		{"a query alone, its names with escapes", requestData{url: "https://h./%7Ep?%61=b"}, oauth, ProfileRFC5849},
		{"an empty query", requestData{url: "https://h/?", params: []pair{{"a", ""}, {"a", "b"}}}, oauth, ProfileRFC5849},
		{"a body that is not a form", requestData{url: "https://h/p?q", contentType: "text/plain", body: "payload=QUJD&k=\u00e4", wire: true}, oauth, ProfileRFC5849},
	}
}

func (s shape) material(t *testing.T) *material {
	t.Helper()
	reading, failed := s.profile.readings()
	if failed != nil {
		t.Fatal(failed.Message)
	}
	in := new(resolved)
	if failed := in.read(&s.request, reading); failed != nil {
		t.Fatal(s.name, failed.Message)
	}
	h, failed := parseHeader("OAuth " + s.header)
	if failed != nil {
		t.Fatal(s.name, failed.Message)
	}
	m, failed := newMaterial(&s.request, in, &h, reading)
	if failed != nil {
		t.Fatal(s.name, failed.Message)
	}
	return m
}

// candidate is the base string with the edits made.
func (m *material) candidate(edits ...func(*recipe)) string {
	var r recipe
	for _, apply := range edits {
		if apply != nil {
			apply(&r)
		}
	}
	return string(m.appendCandidate(nil, &r.rest, m.appendThird(nil, &r.params)))
}

// TestIdleEditsExplainNothing: what the search leaves out would sign the same text as no mistake, or as another edit of
// the same mistake that it does try, alone and beside any other mistake; beside another it may be the text of that edit
// alone, which explains more with less. So the search explains whatever one of all edits would.
func TestIdleEditsExplainNothing(t *testing.T) {
	mistakes, idle := allMistakes(), 0
	for _, s := range shapes() {
		m := s.material(t)
		for i, mistake := range mistakes {
			var left, tried []func(*recipe)
			for _, apply := range mistake.edits {
				var r recipe
				if apply(&r); m.idle(&r) {
					left = append(left, apply)
				} else {
					tried = append(tried, apply)
				}
			}
			if idle += len(left); len(left) == 0 {
				continue
			}
			for k, other := range mistakes {
				if other.Slot == mistake.Slot {
					continue
				}
				for _, beside := range append(edits{nil}, other.edits...) {
					both := func(apply func(*recipe)) string {
						if k < i {
							return m.candidate(beside, apply)
						}
						return m.candidate(apply, beside)
					}
					known := map[string]bool{both(nil): true}
					for _, apply := range tried {
						known[both(apply)], known[m.candidate(apply)] = true, true
					}
					for n, apply := range left {
						if text := both(apply); !known[text] {
							t.Errorf("%s: edit %d of %s is left out, and beside %s signs\n%s", s.name, n, mistake.ID, other.ID, text)
						}
					}
				}
			}
		}
	}
	if idle < 100 {
		t.Errorf("%d edits are left out", idle)
	}
}

// TestURLOfARecipe: the second element of a URL as typed is the URL, whole; others leave out or keep what they say.
func TestURLOfARecipe(t *testing.T) {
	const typed = "HTTPS://u@H:0443/p/?b=1&a=x+y#f"
	s := shape{"typed", requestData{url: typed}, `oauth_consumer_key="k"`, ProfileRFC5849}
	m := s.material(t)
	for want, r := range map[string]restRecipe{
		"https://h/p/":           {},
		typed:                    {verbatim: true},
		"https://h/p/?b=1&a=x+y": {query: queryKept},
		"HTTPS://H/p/":           {hostTyped: true},
		"https://h:443/p/":       {port: portKept},
		"https://h:0443/p/":      {port: portKeptAsTyped},
		"/p/":                    {pathOnly: true},
		"https://h/p":            {segment: segmentDropped},
		"HTTPS://u@H:0443/p/#f":  {verbatim: true, query: queryOmitted},
		"http://h/p/":            {otherScheme: true},
		"http://h:443/p/":        {otherScheme: true, port: portKept},
		"http://h:80/p/":         {otherScheme: true, port: portKeptOfSigned},
		"/p/?b=1&a=x+y":          {pathOnly: true, query: queryOnly},
		"https://h/p//":          {slash: slashAdded},
	} {
		if got := m.uriOf(&r); got != want {
			t.Errorf("%+v: %q, want %q", r, got, want)
		}
	}
}

// TestGroupsUnsorted: without sorting, the parameters are in the order of their groups, and within one as they came.
func TestGroupsUnsorted(t *testing.T) {
	for n, places := range groupOrders() {
		var items []*item
		for i := range 3 * len(places) {
			items = append(items, &item{group: group(i % 3), name: string(rune('a' + i))})
		}
		r := paramRecipe{order: orderNone, groups: uint8(n)}
		r.arrange(items)
		var got []string
		want := make([]string, len(places))
		for _, it := range items {
			got = append(got, it.name)
		}
		for g, place := range places { // body has a, d and g; OAuth b, e and h; the query c, f and i
			want[place] = [...]string{"adg", "beh", "cfi"}[g]
		}
		if strings.Join(got, "") != strings.Join(want, "") {
			t.Errorf("%v: %q, want %q", places, got, want)
		}
	}
}

// TestAddedNameOfEach: parameters are numbered through the groups, and each is named by its place as it was sent, where
// the signature has one too.
func TestAddedNameOfEach(t *testing.T) {
	s := shape{"all groups", requestData{url: "https://h/p?x=1&4=2&z=3", params: []pair{{"a", "1"}, {"b-c", "2"}}},
		`oauth_consumer_key="k", oauth_signature="AAAA", oauth_nonce="n"`, ProfileRFC5849}
	m := s.material(t)
	want := []string{
		"a, parameter 1 of the body", "b-c, parameter 2 of the body", "oauth_consumer_key, parameter 1 of the Authorization header",
		"oauth_nonce, parameter 3 of the Authorization header", "x, parameter 1 of the query", "parameter 2 of the query", "z, parameter 3 of the query", "",
	}
	for i := range want {
		if got := m.addedName(&paramRecipe{added: i + 1}); got != want[i] {
			t.Errorf("%d: %q, want %q", i+1, got, want[i])
		}
	}
	for name, word := range map[string]bool{"": false, strings.Repeat("a", 24): true, strings.Repeat("a", 25): false, "aZ-_": true, "a1": false} {
		if isWord(name) != word {
			t.Errorf("%q is a word: %t", name, !word)
		}
	}
}

// TestAddedIsBoundedByBytes: each parameter costs a signature over the whole request, 16 MiB together at the most, of at
// most 256 parameters.
func TestAddedIsBoundedByBytes(t *testing.T) {
	secret, err := NewSecret("s", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		params, size int
		tried        bool
	}{{2, 4 << 20, true}, {2, 4<<20 + 1, false}, {254, 64 << 10, true}, {254, 64<<10 + 1, false}, {255, 1, false}} {
		s := shape{"many", requestData{url: "https://h/p", params: make([]pair, c.params)}, `oauth_consumer_key="k", oauth_signature="AAAA", oauth_nonce="n"`, ProfileGateway}
		search := newSearch(t.Context(), s.material(t), "AAAA", secret)
		if c.params == 2 && c.size == 4<<20 {
			if why := search.runAdded(1); why != "" || search.tried != 4 {
				t.Errorf("%d candidates are tried: %s", search.tried, why)
			}
		}
		if why := search.runAdded(c.size); (why == "") != c.tried {
			t.Errorf("%d parameters, %d bytes: %q", c.params+2, c.size, why)
		}
	}
}

// TestTypedURLHasItsQuery: with the URL signed as typed the query is in it and not among the parameters.
func TestTypedURLHasItsQuery(t *testing.T) {
	s := shape{"typed", requestData{url: "https://H/p?x=1", params: []pair{{"a", "b"}}}, `oauth_consumer_key="k"`, ProfileRFC5849}
	m := s.material(t)
	for _, mistake := range allMistakes() {
		if mistake.ID != "url-verbatim" {
			continue
		}
		if got, want := m.candidate(mistake.edits[0]), "POST&https%3A%2F%2FH%2Fp%3Fx%3D1&a%3Db%26oauth_consumer_key%3Dk"; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got, want := m.candidate(), "POST&https%3A%2F%2Fh%2Fp&a%3Db%26oauth_consumer_key%3Dk%26x%3D1"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestCopiesOfOAuthParametersAreOfTheBody: OAuth parameters that are signed twice are those of the header and copies in
// the body, wherever an order of groups puts them.
func TestCopiesOfOAuthParametersAreOfTheBody(t *testing.T) {
	s := shape{"copies", requestData{url: "https://h/p", params: []pair{{"z", "1"}}}, `oauth_consumer_key="k", oauth_nonce="n"`, ProfileGateway}
	m := s.material(t)
	const body, oauth = "z%3D1%26oauth_consumer_key%3Dk%26oauth_nonce%3Dn", "oauth_consumer_key%3Dk%26oauth_nonce%3Dn"
	for n, want := range map[uint8]string{0: body + "%26" + oauth, 2: oauth + "%26" + body} {
		r := paramRecipe{oauthTwice: true, order: orderNone, groups: n}
		if got := string(m.appendThird(nil, &r)); got != want {
			t.Errorf("order %d: %q, want %q", n, got, want)
		}
	}
}
