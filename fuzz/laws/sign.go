package laws

import (
	"cmp"
	"errors"
	"net/url"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/fuzz/subject"
	"github.com/chargecast/chargecast/signature"
)

// signatureLaws are the laws of encoding, URLs, base strings, headers and signatures.
func signatureLaws() []Law {
	encodes := func(i subject.Impl) bool { return i.Encode != nil }
	decodes := func(i subject.Impl) bool { return i.Encode != nil && i.Decode != nil }
	bases := func(i subject.Impl) bool { return i.BaseString != nil }
	uris := bases
	headers := func(i subject.Impl) bool { return i.FormatHeader != nil && i.ParseHeader != nil }
	signs := func(i subject.Impl) bool { return i.Sign != nil && i.Verify != nil }
	return append([]Law{
		{ID: "P01", Formula: "decode(encode(b)) = b; the output is unreserved and % with upper-case hex, at most three times as long", Clause: "5.2", Gen: gen.SignTexts(), Needs: decodes, Check: encodingRoundTrip},
		{ID: "P02", Formula: "all 256 bytes: unreserved stay, all others are %XX, a space is %20", Clause: "5.2", Needs: encodes, Check: everyByte},
		{ID: "P03", Formula: "encode(a ++ b) = encode(a) ++ encode(b)", Clause: "5.2", Gen: gen.SignTexts(), Needs: encodes, Check: encodingJoins},
		{ID: "P04", Formula: "encode(encode(x)) ≠ encode(x) ⇔ x has a byte that is not unreserved", Clause: "5.2", Gen: gen.SignTexts(), Needs: encodes, Check: encodingTwice},
		{ID: "P05", Formula: "encoding twice keeps order", Clause: "5.2", Gen: gen.SignCases(), Needs: encodes, Check: onSign(encodingOrder)},
		{ID: "P06", Formula: "differs from url.QueryEscape at a space, from url.PathEscape at = : @ & $ +", Clause: "5.2", Gen: gen.SignTexts(), Needs: encodes, Check: unlikeURL},
		{ID: "U01", Formula: "normalising twice = once", Clause: "L58", Gen: gen.SignCases(), Needs: uris, Check: onSign(uriTwice)},
		{ID: "U02", Formula: "scheme and host in any case give one result; the path is kept byte for byte", Clause: "L58", Gen: gen.SignCases(), Needs: uris, Check: onSign(uriParts)},
		{ID: "U03", Formula: "port 80 is dropped for http only, 443 for https only, any other is kept", Clause: "L58", Needs: uris, Check: everyPort},
		{ID: "U05", Formula: "a query, fragment, userinfo, or a method other than POST is an error in gateway; rfc5849 collects the query", Clause: "L59", Gen: gen.SignCases(), Needs: bases, Check: onSign(gatewayRefuses)},
		{ID: "B01", Formula: "any order of the parameters gives one base string", Clause: "5.2", Gen: gen.SignCases(), Needs: bases, Check: onSign(anyOrder)},
		{ID: "B02", Formula: "realm in the header and oauth_signature anywhere change nothing; realm in the body is a parameter; duplicates are kept", Clause: "L60 L62", Gen: gen.SignCases(), Needs: bases, Check: onSign(neverSigned)},
		{ID: "B04", Formula: "two raw &; splitting and decoding gives back method, URL and pairs", Clause: "5.2", Gen: gen.SignCases(), Needs: bases, Check: onSign(injective)},
		{ID: "B05", Formula: "OAuth parameters in header, body or both: one base string; a differing copy is an error", Clause: "L61", Gen: gen.SignCases(), Needs: bases, Check: onSign(copies)},
		{ID: "B06", Formula: "the payload is encoded twice: its + is %252B", Clause: "5.2", Gen: gen.SignCases(), Needs: bases, Check: onSign(payloadTwice)},
		{ID: "B08", Formula: "the base string is that of the stage oracle", Clause: "5.2", Gen: gen.SignCases(), Needs: bases, Check: onSign(likeStages)},
		{ID: "H01", Formula: "ParseHeader(h.String()) = h, each value encoded once", Clause: "5.5", Gen: gen.SignCases(), Needs: headers, Check: onSign(headerRoundTrip)},
		{ID: "H02", Formula: "order, spaces around commas and the scheme's case do not matter", Clause: "L67", Gen: gen.SignCases(), Needs: headers, Check: onSign(headerForms)},
		{ID: "H03", Formula: "the header has the signed OAuth parameters with the values signed, oauth_signature, and realm if given", Clause: "5.5", Gen: gen.SignCases(), Needs: func(i subject.Impl) bool { return signs(i) && headers(i) }, Check: onSign(headerNames)},
		{ID: "H04", Formula: "a duplicate, an unquoted value, an open quote, a bad escape: an error with its offset", Clause: "L67", Gen: gen.SignCases(), Needs: headers, Check: onSign(headerDamaged)},
		{ID: "S01", Formula: "what is signed verifies", Clause: "5.3", Gen: gen.SignCases(), Needs: signs, Check: onSign(signedVerifies)},
		{ID: "S02", Formula: "one bit of message, signature or key changed: mismatch", Clause: "5.3", Gen: gen.SignCases(), Needs: signs, Check: onSign(changedFails)},
		{ID: "S04", Formula: "HMAC-SHA1 under encode(secret)&encode(token) is that of the stage oracle", Clause: "L64", Gen: gen.SignCases(), Needs: func(i subject.Impl) bool { return i.Sign != nil }, Check: onSign(likeSlowHMAC)},
		{ID: "S06", Formula: "any other spelling of the right bytes is refused", Clause: "L66", Gen: gen.SignCases(), Needs: func(i subject.Impl) bool { return signs(i) && headers(i) }, Check: onSign(otherSpellings)},
		{ID: "S10", Formula: "what cannot be signed is an error, never an empty header", Clause: "5.3", Gen: gen.SignCases(), Needs: signs, Check: onSign(noEmptyHeader)},
	}, slices.Concat(moreSignatureLaws(), diagnosisLaws())...)
}

func onSign(check func(t T, c gen.SignCase, impl subject.Impl)) func(T, *Case, subject.Impl) {
	return func(t T, c *Case, impl subject.Impl) { check(t, c.Value.(gen.SignCase), impl) }
}

func encodingRoundTrip(t T, c *Case, impl subject.Impl) {
	text := c.Value.(string)
	got := impl.Encode(text)
	if got != subject.SlowEncode(text) || len(got) > 3*len(text) {
		t.Errorf("%q is encoded as %q, want %q", text, got, subject.SlowEncode(text))
	}
	if back, err := impl.Decode(got); err != nil || back != text {
		t.Errorf("%q is decoded as %s, want %q", got, answered(back, err), text)
	}
	if cut := strings.TrimRight(got, "0123456789ABCDEF"); strings.HasSuffix(cut, "%") {
		if _, err := impl.Decode(cut); err == nil {
			t.Errorf("%q is decoded", cut)
		}
	}
}

func everyByte(t T, _ *Case, impl subject.Impl) {
	for c := range 256 {
		text := string([]byte{byte(c)})
		if got := impl.Encode(text); got != subject.SlowEncode(text) {
			t.Errorf("the byte %d, %q, is encoded as %q, want %q", c, text, got, subject.SlowEncode(text))
		}
	}
	if got := impl.Encode(" "); got != "%20" {
		t.Errorf("a space is encoded as %q", got)
	}
}

func encodingJoins(t T, c *Case, impl subject.Impl) {
	text := c.Value.(string)
	for i := range len(text) + 1 {
		if impl.Encode(text) != impl.Encode(text[:i])+impl.Encode(text[i:]) {
			t.Errorf("%q is encoded as %q, and in two parts as %q and %q", text, impl.Encode(text), impl.Encode(text[:i]), impl.Encode(text[i:]))
			return
		}
	}
}

func encodingTwice(t T, c *Case, impl subject.Impl) {
	text := c.Value.(string)
	once := impl.Encode(text)
	if (impl.Encode(once) != once) != (once != text) {
		t.Errorf("%q: encoded once %q, twice %q", text, once, impl.Encode(once))
	}
}

func encodingOrder(t T, c gen.SignCase, impl subject.Impl) {
	for _, p := range c.Body {
		a, b := impl.Encode(p.Name), impl.Encode(p.Value)
		if strings.Compare(a, b) != strings.Compare(impl.Encode(a), impl.Encode(b)) {
			t.Errorf("%q and %q, encoded again as %q and %q, change their order", a, b, impl.Encode(a), impl.Encode(b))
		}
	}
}

func unlikeURL(t T, c *Case, impl subject.Impl) {
	text := c.Value.(string)
	got := impl.Encode(text)
	if (got == url.QueryEscape(text)) == strings.Contains(text, " ") {
		t.Errorf("%q is encoded as %q; a form encoder gives %q, which is the same but for spaces", text, got, url.QueryEscape(text))
	}
	if (got == url.PathEscape(text)) == strings.ContainsAny(text, "=:@&$+") {
		t.Errorf("%q is encoded as %q; an encoder of paths gives %q, which is the same but for = : @ & $ +", text, got, url.PathEscape(text))
	}
}

// uriOf is the second element of the base string of a request without parameters.
func uriOf(impl subject.Impl, raw, profile string) (string, error) {
	base, err := impl.BaseString(subject.SignRequest{URL: raw, Profile: profile}, nil)
	if err != nil {
		return "", err
	}
	part := strings.Split(base, "&")
	if len(part) != 3 {
		return "", errors.New("the base string does not have three elements")
	}
	return slowDecode(part[1]), nil
}

func uriTwice(t T, c gen.SignCase, impl subject.Impl) {
	once, err := uriOf(impl, c.URL(), c.Profile)
	if err != nil {
		t.Errorf("the URL %q is %s", c.URL(), answered("", err))
		return
	}
	if again, err := uriOf(impl, once, "gateway"); err != nil || again != once {
		t.Errorf("the URL %q, normalised already, is %s", once, answered(again, err))
	}
}

func uriParts(t T, c gen.SignCase, impl subject.Impl) {
	for _, typed := range [...]bool{false, true} {
		c.Typed = typed
		if got, err := uriOf(impl, c.URL(), c.Profile); err != nil || got != slowURI(c) {
			t.Errorf("the URL %q is %s, want %q", c.URL(), answered(got, err), slowURI(c))
		}
	}
}

func everyPort(t T, _ *Case, impl subject.Impl) {
	ports := []int{80, 443, 65_535}
	for port := 1; port <= 65_535; port += 1 + port/500 {
		ports = append(ports, port)
	}
	for _, scheme := range [...]string{"http", "https"} {
		for _, host := range [...]string{"h", "[::1]"} {
			for _, port := range ports {
				c := gen.SignCase{Scheme: scheme, Host: host, Port: port, Path: "/"}
				if got, err := uriOf(impl, c.URL(), "gateway"); err != nil || got != slowURI(c) {
					t.Errorf("the URL %q is %s, want %q", c.URL(), answered(got, err), slowURI(c))
				}
			}
		}
	}
}

func gatewayRefuses(t T, c gen.SignCase, impl subject.Impl) {
	r := c.Request()
	r.Profile = "gateway"
	_, err := impl.BaseString(r, nil)
	if (err != nil) != (len(c.Query) > 0 || c.Method != "POST") {
		t.Errorf("%s %s under gateway is %s", c.Method, c.URL(), read(err))
	}
	if got, want := base(c, t, impl), slowly(c).base(); len(c.Query) > 0 && got != want {
		t.Errorf("the query is not collected: %s", otherBase(got, nil, want))
	}
	c.Query = nil
	plain := c.URL()
	raw := [...]string{plain + "?", plain + "#f", strings.Replace(plain, "://", "://u:canary@", 1)}[c.Pick%3]
	if _, err := impl.BaseString(subject.SignRequest{URL: raw, Profile: "gateway"}, nil); err == nil || strings.Contains(err.Error(), "canary") {
		t.Errorf("%q under gateway is %s, want an error without the password", raw, read(err))
	}
	if _, err := impl.BaseString(subject.SignRequest{URL: raw, Profile: "rfc5849"}, nil); err != nil {
		t.Errorf("%q under rfc5849 is %s", raw, answered("", err))
	}
}

func base(c gen.SignCase, t T, impl subject.Impl) string {
	base, err := impl.BaseString(c.Request(), c.OAuth("HMAC-SHA1"))
	if err != nil {
		t.Errorf("the base string of a request to %q is %s", c.URL(), answered(base, err))
	}
	return base
}

func anyOrder(t T, c gen.SignCase, impl subject.Impl) {
	want := base(c, t, impl)
	oauth := c.OAuth("HMAC-SHA1")
	slices.Reverse(oauth)
	turned := c
	turned.Body = slices.Clone(c.Body)
	slices.Reverse(turned.Body)
	if n := len(turned.Body); n > 1 {
		i := int(c.Pick % uint64(n))
		turned.Body = append(turned.Body[i:], turned.Body[:i]...)
	}
	if got, err := impl.BaseString(turned.Request(), oauth); err != nil || got != want {
		t.Errorf("with the parameters in another order %s", otherBase(got, err, want))
	}
}

func neverSigned(t T, c gen.SignCase, impl subject.Impl) {
	want := base(c, t, impl)
	r := c.Request()
	r.Params = append(slices.Clip(r.Params), subject.Pair{Name: "realm", Value: "y"})
	if got, err := impl.BaseString(r, c.OAuth("HMAC-SHA1")); err != nil || got == want || !strings.Contains(got, "realm%3Dy") {
		t.Errorf("a realm in the body is a parameter, but with it %s", otherBase(got, err, want))
	}
	more := append(c.OAuth("HMAC-SHA1"), subject.Pair{Name: "oauth_signature", Value: "x"}, subject.Pair{Name: "realm", Value: "y"})
	r = c.Request()
	r.Params = append(slices.Clip(r.Params), subject.Pair{Name: "oauth_signature", Value: "x"})
	if got, err := impl.BaseString(r, more); err != nil || got != want {
		t.Errorf("with realm and oauth_signature added %s", otherBase(got, err, want))
	}
	if c.Profile == "rfc5849" {
		inQuery := c
		inQuery.Query = append(slices.Clip(c.Query), subject.Pair{Name: "oauth_signature", Value: "x"})
		if got, err := impl.BaseString(inQuery.Request(), c.OAuth("HMAC-SHA1")); err != nil || got != want {
			t.Errorf("with oauth_signature added to the query %s", otherBase(got, err, want))
		}
	}
	if n := strings.Count(strings.SplitN(want, "&", 3)[2], "%3D"); n != len(c.Body)+len(c.Query)+5 {
		t.Errorf("%d pairs of %d are in the base string %q", n, len(c.Body)+len(c.Query)+5, want)
	}
}

func injective(t T, c gen.SignCase, impl subject.Impl) {
	part := strings.Split(base(c, t, impl), "&")
	if len(part) != 3 {
		t.Errorf("the base string has %d elements, want 3", len(part))
		return
	}
	method, uri, third := slowDecode(part[0]), slowDecode(part[1]), slowDecode(part[2])
	if method != c.Method || uri != slowURI(c) {
		t.Errorf("the base string has the method %q and the URL %q, want %q and %q", method, uri, c.Method, slowURI(c))
	}
	want := slices.Concat(c.Body, c.OAuth("HMAC-SHA1"), c.Query)
	var got []subject.Pair
	for pair := range strings.SplitSeq(third, "&") {
		name, value, _ := strings.Cut(pair, "=")
		got = append(got, subject.Pair{Name: slowDecode(name), Value: slowDecode(value)})
	}
	order := func(a, b subject.Pair) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Value, b.Value))
	}
	slices.SortFunc(want, order)
	slices.SortFunc(got, order)
	if !slices.Equal(got, want) {
		t.Errorf("the parameters of the base string: %s", pairsInWords(got, want))
	}
}

// slowDecode undoes one encoding that is known to be right.
func slowDecode(text string) string {
	out, err := url.PathUnescape(text)
	if err != nil {
		return "not encoded"
	}
	return out
}

func copies(t T, c gen.SignCase, impl subject.Impl) {
	want := base(c, t, impl)
	both := c.Request()
	both.Params = append(slices.Clip(both.Params), c.OAuth("HMAC-SHA1")...)
	oauth := [...][]subject.Pair{c.OAuth("HMAC-SHA1"), nil}[c.Pick%2]
	if got, err := impl.BaseString(both, oauth); err != nil || got != want {
		t.Errorf("with the OAuth parameters in the body %s", otherBase(got, err, want))
	}
	both.Params[len(both.Params)-1].Value += "x"
	if got, err := impl.BaseString(both, c.OAuth("HMAC-SHA1")); !errors.Is(err, signature.OAuthConflict) {
		t.Errorf("with two values of one OAuth parameter the base string is %s, want the error %s", answered(got, err), string(signature.OAuthConflict))
	}
}

func payloadTwice(t T, c gen.SignCase, impl subject.Impl) {
	c.Body = []subject.Pair{{Name: "payload", Value: "YWI+/w=="}}
	if base := base(c, t, impl); !strings.Contains(base, "payload%3DYWI%252B%252Fw%253D%253D") {
		t.Errorf("the base string of the payload YWI+/w== is %q, want YWI%%252B%%252Fw%%253D%%253D in it", base)
	}
}

func likeStages(t T, c gen.SignCase, impl subject.Impl) {
	if got, want := base(c, t, impl), slowly(c).base(); got != want {
		t.Errorf("%s", otherBase(got, nil, want))
	}
}

// likeSlowHMAC judges the key and the hash. Where the implementation's own base string is another one, that is the matter
// of B08.
func likeSlowHMAC(t T, c gen.SignCase, impl subject.Impl) {
	s := slowly(c)
	base, want := s.base(), s.signature()
	got, err := impl.Sign(c.Request(), c.Choices(), key(c))
	if err == nil && strings.Contains(got, `oauth_signature="`+subject.SlowEncode(want)+`"`) {
		return
	}
	if impl.BaseString != nil {
		if own, wrong := impl.BaseString(c.Request(), c.OAuth("HMAC-SHA1")); wrong == nil && own != base {
			return
		}
	}
	t.Errorf("the header is %s\nwant in it the signature %s\nover %s", answered(got, err), want, base)
}
