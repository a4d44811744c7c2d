package laws

import (
	"cmp"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/oracle"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature"
)

// requestLaws are the laws of encoding, URLs, base strings and headers.
func requestLaws() []Law {
	return []Law{
		law("P01", "5.2", "decode(encode(b)) = b; the output is unreserved and % with upper-case hex, at most three times as long", gen.SignTexts, encodingRoundTrip),
		once("P02", "5.2", "all 256 bytes: unreserved stay, all others are %XX, a space is %20", everyByte),
		law("P03", "5.2", "encode(a ++ b) = encode(a) ++ encode(b)", gen.SignTexts, encodingJoins),
		law("P04", "5.2", "encode(encode(x)) ≠ encode(x) ⇔ x has a byte that is not unreserved", gen.SignTexts, encodingTwice),
		law("P05", "5.2", "encoding twice keeps order", gen.SignCases, encodingOrder),
		law("P06", "5.2", "differs from url.QueryEscape at a space, from url.PathEscape at = : @ & $ +", gen.SignTexts, unlikeURL),
		law("U01", "L58", "normalising twice = once", gen.SignCases, uriTwice),
		law("U02", "L58", "scheme and host in any case give one result; the path is kept byte for byte", gen.SignCases, uriParts),
		once("U03", "L58", "port 80 is dropped for http only, 443 for https only, any other is kept", everyPort),
		law("U04", "L58", "an empty path gives /; a last slash is kept", gen.SignCases, emptyPath),
		law("U05", "L59", "a query, fragment, userinfo, or a method other than POST cannot be signed or verified", gen.SignCases, refusedRequests),
		law("B01", "5.2", "any order of the parameters gives one base string", gen.SignCases, anyOrder),
		law("B02", "L60 L62", "realm in the header and oauth_signature anywhere change nothing; realm in the body is a parameter; duplicates are kept", gen.SignCases, neverSigned),
		once("B03", "L57", "order is by encoded name, then encoded value: not by joined text, raw bytes or number", orderOfNames),
		law("B04", "5.2", "two raw &; splitting and decoding gives back method, URL and pairs", gen.SignCases, injective),
		law("B05", "L61", "OAuth parameters in header, body or both: one base string; a differing copy is an error", gen.SignCases, copies),
		law("B06", "5.2", "the payload is encoded twice: its + is %252B", gen.SignCases, payloadTwice),
		law("B07", "5.2", "the base string's bytes are unreserved, % and &", gen.SignCases, baseAlphabet),
		law("B08", "5.2", "the base string is that of the stage oracle", gen.SignCases, likeStages),
		law("H01", "5.5", "ParseHeader(h.String()) = h, each value encoded once", gen.SignCases, headerRoundTrip),
		law("H02", "L67", "order, spaces around commas and the scheme's case do not matter", gen.SignCases, headerForms),
		law("H03", "5.5", "the header has the signed OAuth parameters with the values signed, oauth_signature, and realm if given", gen.SignCases, headerNames),
		law("H04", "L67", "a duplicate, an unquoted value, an open quote, a bad escape: an error with its offset", gen.SignCases, headerDamaged),
		once("H05", "L67", "header size and parameter count have limits", headerLimits),
	}
}

func encodingRoundTrip(t *T, text string) {
	got := t.Encode(text)
	if got != oracle.Encode(text) || len(got) > 3*len(text) {
		t.Errorf("%q is encoded as %q, want %q", text, got, oracle.Encode(text))
	}
	if back, err := t.Decode(got); err != nil || back != text {
		t.Errorf("%q is decoded as %s, want %q", got, answered(back, err), text)
	}
	if cut := strings.TrimRight(got, "0123456789ABCDEF"); strings.HasSuffix(cut, "%") {
		if _, err := t.Decode(cut); err == nil {
			t.Errorf("%q is decoded", cut)
		}
	}
}

func everyByte(t *T) {
	for c := range 256 {
		text := string([]byte{byte(c)})
		if got := t.Encode(text); got != oracle.Encode(text) {
			t.Errorf("the byte %d, %q, is encoded as %q, want %q", c, text, got, oracle.Encode(text))
		}
	}
	if got := t.Encode(" "); got != "%20" {
		t.Errorf("a space is encoded as %q", got)
	}
}

func encodingJoins(t *T, text string) {
	for i := range len(text) + 1 {
		if t.Encode(text) != t.Encode(text[:i])+t.Encode(text[i:]) {
			t.Fatalf("%q is encoded as %q, and in two parts as %q and %q", text, t.Encode(text), t.Encode(text[:i]), t.Encode(text[i:]))
		}
	}
}

func encodingTwice(t *T, text string) {
	once := t.Encode(text)
	if (t.Encode(once) != once) != (once != text) {
		t.Errorf("%q: encoded once %q, twice %q", text, once, t.Encode(once))
	}
}

func encodingOrder(t *T, c gen.SignCase) {
	for _, p := range c.Body {
		a, b := t.Encode(p.Name), t.Encode(p.Value)
		if strings.Compare(a, b) != strings.Compare(t.Encode(a), t.Encode(b)) {
			t.Errorf("%q and %q, encoded again as %q and %q, change their order", a, b, t.Encode(a), t.Encode(b))
		}
	}
}

func unlikeURL(t *T, text string) {
	got := t.Encode(text)
	if (got == url.QueryEscape(text)) == strings.Contains(text, " ") {
		t.Errorf("%q is encoded as %q; a form encoder gives %q, which is the same but for spaces", text, got, url.QueryEscape(text))
	}
	if (got == url.PathEscape(text)) == strings.ContainsAny(text, "=:@&$+") {
		t.Errorf("%q is encoded as %q; an encoder of paths gives %q, which is the same but for = : @ & $ +", text, got, url.PathEscape(text))
	}
}

// decoded is a text without an encoding that is known to be right.
func decoded(text string) string {
	plain, err := oracle.Decode(text)
	if err != nil {
		return "not encoded"
	}
	return plain
}

// uriOf is the second element of the base string of a request without parameters.
func (t *T) uriOf(raw string) (string, error) {
	base, err := t.BaseString(gen.SignRequest{URL: raw}, nil)
	if err != nil {
		return "", err
	}
	part := strings.Split(base, "&")
	if len(part) != 3 {
		return "", errors.New("the base string does not have three elements")
	}
	return decoded(part[1]), nil
}

func uriTwice(t *T, c gen.SignCase) {
	once, err := t.uriOf(c.URL())
	if err != nil {
		t.Fatalf("the URL %q is %s", c.URL(), answered("", err))
	}
	if again, err := t.uriOf(once); err != nil || again != once {
		t.Errorf("the URL %q, normalised already, is %s", once, answered(again, err))
	}
}

// sameURI compares the URL of a case, as it is signed, with the oracle's.
func (t *T) sameURI(c gen.SignCase) {
	want := c.Oracle("").URI()
	if got, err := t.uriOf(c.URL()); err != nil || got != want {
		t.Errorf("the URL %q is %s, want %q", c.URL(), answered(got, err), want)
	}
}

func uriParts(t *T, c gen.SignCase) {
	for _, typed := range [...]bool{false, true} {
		c.Typed = typed
		t.sameURI(c)
	}
}

func everyPort(t *T) {
	ports := []int{80, 443, 65_535}
	for port := 1; port <= 65_535; port += 1 + port/500 {
		ports = append(ports, port)
	}
	for _, scheme := range [...]string{"http", "https"} {
		for _, host := range [...]string{"h", "[::1]"} {
			for _, port := range ports {
				t.sameURI(gen.SignCase{Scheme: scheme, Host: host, Port: port, Path: "/"})
			}
		}
	}
}

func refusedRequests(t *T, c gen.SignCase) {
	r := c.Request()
	plain := r.URL
	switch c.Pick % 4 {
	case 0:
		r.Method = [...]string{"GET", "post", "PUT"}[c.Pick>>8%3]
	default:
		r.URL = [...]string{plain + "?", plain + "?a=1", plain + "#f", strings.Replace(plain, "://", "://u:canary@", 1)}[c.Pick>>8%4]
	}
	if text, err := t.Sign(r, c.Choices(), key(c)); err == nil || text != "" || strings.Contains(err.Error(), "canary") {
		t.Errorf("%s %q is %s, want an error without the password", r.Method, r.URL, answered(text, err))
	}
	t.can(func() {
		r.Authorization = rightHeader(c).String()
		if v := t.Verify(r, key(c), SignOptions{}); v.Acceptable {
			t.Errorf("%s %q verifies: %s", r.Method, r.URL, v)
		}
	})
}

func (t *T) base(c gen.SignCase) string {
	base, err := t.BaseString(c.Request(), c.OAuth("HMAC-SHA1"))
	if err != nil {
		t.Errorf("the base string of a request to %q is %s", c.URL(), answered(base, err))
	}
	return base
}

// sameBase asks for a base string and compares it.
func (t *T) sameBase(what, want string, r gen.SignRequest, oauth []gen.Pair) {
	got, err := t.BaseString(r, oauth)
	if err != nil {
		t.Fatalf("%s: the base string is %s, want %q", what, answered(got, err), want)
	}
	t.Equal(what, got, want)
}

func anyOrder(t *T, c gen.SignCase) {
	want := t.base(c)
	oauth := c.OAuth("HMAC-SHA1")
	slices.Reverse(oauth)
	turned := c
	turned.Body = slices.Clone(c.Body)
	slices.Reverse(turned.Body)
	if n := len(turned.Body); n > 1 {
		i := int(c.Pick % uint64(n))
		turned.Body = append(turned.Body[i:], turned.Body[:i]...)
	}
	t.sameBase("with the parameters in another order", want, turned.Request(), oauth)
}

func neverSigned(t *T, c gen.SignCase) {
	want := t.base(c)
	r := c.Request()
	r.Params = append(slices.Clip(r.Params), gen.Pair{Name: "realm", Value: "y"})
	if got, err := t.BaseString(r, c.OAuth("HMAC-SHA1")); err != nil || got == want || !strings.Contains(got, "realm%3Dy") {
		t.Errorf("a realm in the body is a parameter, but with it the base string is %s, without it %q", answered(got, err), want)
	}
	more := append(c.OAuth("HMAC-SHA1"), gen.Pair{Name: "oauth_signature", Value: "x"}, gen.Pair{Name: "realm", Value: "y"})
	r = c.Request()
	r.Params = append(slices.Clip(r.Params), gen.Pair{Name: "oauth_signature", Value: "x"})
	t.sameBase("with realm and oauth_signature added", want, r, more)
	if n := strings.Count(strings.SplitN(want, "&", 3)[2], "%3D"); n != len(c.Body)+5 {
		t.Errorf("%d pairs of %d are in the base string %q", n, len(c.Body)+5, want)
	}
}

func injective(t *T, c gen.SignCase) {
	part := strings.Split(t.base(c), "&")
	if len(part) != 3 {
		t.Fatalf("the base string has %d elements, want 3", len(part))
	}
	method, uri, third := decoded(part[0]), decoded(part[1]), decoded(part[2])
	if method != "POST" || uri != c.Oracle("").URI() {
		t.Errorf("the base string has the method %q and the URL %q, want %q and %q", method, uri, "POST", c.Oracle("").URI())
	}
	want := slices.Concat(c.Body, c.OAuth("HMAC-SHA1"))
	var got []gen.Pair
	for pair := range strings.SplitSeq(third, "&") {
		name, value, _ := strings.Cut(pair, "=")
		got = append(got, gen.Pair{Name: decoded(name), Value: decoded(value)})
	}
	order := func(a, b gen.Pair) int { return cmp.Or(byName(a, b), strings.Compare(a.Value, b.Value)) }
	slices.SortFunc(want, order)
	slices.SortFunc(got, order)
	t.Equal("the parameters of the base string", got, want)
}

func copies(t *T, c gen.SignCase) {
	want := t.base(c)
	both := c.Request()
	both.Params = append(slices.Clip(both.Params), c.OAuth("HMAC-SHA1")...)
	oauth := [...][]gen.Pair{c.OAuth("HMAC-SHA1"), nil}[c.Pick%2]
	t.sameBase("with the OAuth parameters in the body", want, both, oauth)
	both.Params[len(both.Params)-1].Value += "x"
	if got, err := t.BaseString(both, c.OAuth("HMAC-SHA1")); !errors.Is(err, signature.OAuthConflict) {
		t.Errorf("with two values of one OAuth parameter the base string is %s, want the error %s", answered(got, err), string(signature.OAuthConflict))
	}
}

func payloadTwice(t *T, c gen.SignCase) {
	c.Body = []gen.Pair{{Name: "payload", Value: "YWI+/w=="}}
	if base := t.base(c); !strings.Contains(base, "payload%3DYWI%252B%252Fw%253D%253D") {
		t.Errorf("the base string of the payload YWI+/w== is %q, want YWI%%252B%%252Fw%%253D%%253D in it", base)
	}
}

func likeStages(t *T, c gen.SignCase) {
	t.Equal("the base string", t.base(c), stages(c).Base())
}

func emptyPath(t *T, c gen.SignCase) {
	for _, path := range [...]string{"", "/", "/a", "/a/"} {
		c.Path = path
		t.sameURI(c)
	}
}

func orderOfNames(t *T) {
	r := gen.SignRequest{URL: "https://h/"}
	for _, name := range []string{"z", "é", "a1", "B", "a-b", "a"} {
		r.Params = append(r.Params, gen.Pair{Name: name, Value: "9"}, gen.Pair{Name: name, Value: "10"})
	}
	const want = "POST&https%3A%2F%2Fh%2F&%25C3%25A9%3D10%26%25C3%25A9%3D9%26B%3D10%26B%3D9%26a%3D10%26a%3D9%26a-b%3D10%26a-b%3D9%26a1%3D10%26a1%3D9%26z%3D10%26z%3D9"
	t.sameBase("the order of names", want, r, nil)
}

func baseAlphabet(t *T, c gen.SignCase) {
	base := t.base(c)
	if odd := strings.Trim(base, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~%&"); odd != "" {
		t.Errorf("%q holds %q", base, odd)
	}
}

// String is the header as the oracle writes it.
func (h SignHeader) String() string { return oracle.HeaderText(h.Realm, h.Params...) }

// rightHeader is a header with the right signature.
func rightHeader(c gen.SignCase) SignHeader { return headerWith(c, stages(c).Signature()) }

func headerWith(c gen.SignCase, text string) SignHeader { return headerUnder(c, "HMAC-SHA1", text) }

// headerUnder is a header with a signature of a method, in order of name.
func headerUnder(c gen.SignCase, method, text string) SignHeader {
	params := append(c.OAuth(method), gen.Pair{Name: "oauth_signature", Value: text})
	slices.SortFunc(params, byName)
	return SignHeader{Realm: c.Realm, Params: params}
}

func byName(a, b gen.Pair) int { return strings.Compare(a.Name, b.Name) }

// stages are the oracle's of the case under HMAC-SHA1.
func stages(c gen.SignCase) oracle.Stages { return c.Oracle("HMAC-SHA1").Stages() }

func headerRoundTrip(t *T, c gen.SignCase) {
	h := rightHeader(c)
	text := t.FormatHeader(h)
	for _, p := range h.Params {
		if !strings.Contains(text, oracle.Encode(p.Name)+`="`+oracle.Encode(p.Value)+`"`) {
			t.Errorf("%q lacks %s encoded once", text, p.Name)
		}
	}
	back, err := t.ParseHeader(text)
	if err != nil {
		t.Fatalf("%s is %s", text, answered("", err))
	}
	t.Equal(text, back, h)
}

func headerForms(t *T, c gen.SignCase) {
	c.Realm = nil
	h := rightHeader(c)
	part := strings.Split(strings.TrimPrefix(t.FormatHeader(h), "OAuth "), ", ")
	turn := int(c.Pick % uint64(len(part)))
	part = append(slices.Clip(part[turn:]), part[:turn]...)
	separator := [...]string{",", " , ", "\t,\t", ",\r\n "}[c.Pick>>8%4]
	scheme := [...]string{"oauth ", "OAUTH\t", "OAuth   "}[c.Pick>>16%3]
	back, err := t.ParseHeader(scheme + strings.Join(part, separator))
	if err != nil {
		t.Fatalf("%s is %s", scheme+strings.Join(part, separator), answered("", err))
	}
	slices.SortFunc(back.Params, byName)
	t.Equal(scheme+strings.Join(part, separator), back, h)
}

func headerNames(t *T, c gen.SignCase) {
	text, err := t.Sign(c.Request(), c.Choices(), key(c))
	if err != nil {
		t.Fatalf("signing is %s", answered(text, err))
	}
	if want := rightHeader(c); text != t.FormatHeader(want) {
		t.Errorf("the header differs\ngot  %q\nwant %q", text, t.FormatHeader(want))
	}
}

// headerDamaged makes one fault that must be refused at its place.
func headerDamaged(t *T, c gen.SignCase) {
	text := t.FormatHeader(rightHeader(c))
	at := strings.Index(text, "oauth_nonce=")
	faults := [...]struct {
		text   string
		code   ledger.Code
		offset int
	}{
		{text + ", " + text[at:], signature.HeaderDuplicate, len(text) + 2},
		{text[:at+12] + text[at+13:], signature.HeaderSyntax, at + 12},
		{strings.TrimSuffix(text, `"`), signature.HeaderSyntax, len(text) - 1},
		{text[:at+13] + "%g0" + text[at+13:], signature.HeaderSyntax, at + 13},
		{text + " x", signature.HeaderSyntax, len(text) + 1},
		{text + ",", signature.HeaderSyntax, len(text) + 1},
	}
	f := faults[c.Pick%uint64(len(faults))]
	_, err := t.ParseHeader(f.text)
	e, ok := errors.AsType[ledger.Finding](err)
	if !ok || e.Code != f.code || int(e.Place.Offset) != f.offset {
		t.Errorf("%q is %s, want %s at %d", f.text, read(err), string(f.code), f.offset)
	}
}

// read is what became of a header that should be refused.
func read(err error) string {
	if err == nil {
		return "read without an error"
	}
	return answered("", err)
}

func headerLimits(t *T) {
	for _, text := range [...]string{`OAuth a="` + strings.Repeat("x", 64<<10) + `"`, "OAuth " + strings.Repeat(`a="1",`, 10_000), "OAuth " + strings.Repeat("a", 1<<20)} {
		if _, err := t.ParseHeader(text); !errors.Is(err, signature.LimitHeader) {
			t.Errorf("a header of %d bytes is %s, want an error that names the limit", len(text), read(err))
		}
	}
}

// answered returns what an implementation answered, or the words for its refusal.
func answered(got string, err error) string {
	if err != nil {
		return "refused (" + err.Error() + ")"
	}
	return strconv.Quote(got)
}
