package laws

import (
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
		law("P01", gen.SignTexts, encodingRoundTrip),
		once("P02", everyByte),
		law("P06", gen.SignTexts, unlikeURL),
		law("B02", gen.SignCases, neverSigned),
		law("B05", gen.SignCases, copies),
		own("U05", "L59", "a query, fragment, userinfo, or a method other than POST cannot be signed or verified", gen.SignCases, refusedRequests),
		law("B08", gen.SignCases, likeStages),
		own("H01", "5.5", "ParseHeader(h.String()) = h, each value encoded once", gen.SignCases, headerRoundTrip),
		own("H02", "L67", "order, spaces around commas and the scheme's case do not matter", gen.SignCases, headerForms),
		own("H04", "L67", "a duplicate, an unquoted value, an open quote, a bad escape: an error with its offset", gen.SignCases, headerDamaged),
		ownOnce("H05", "L67", "header size and parameter count have limits", headerLimits),
	}
}

func encodingRoundTrip(t *T, text string) {
	got := t.Encode(text)
	if got != oracle.Encode(text) || len(got) > 3*len(text) {
		t.Errorf("%q is encoded as %q, want %q", text, got, oracle.Encode(text))
	}
	t.can(func() {
		if back, err := t.Decode(got); err != nil || back != text {
			t.Errorf("%q is decoded as %s, want %q", got, answered(back, err), text)
		}
		if cut := strings.TrimRight(got, "0123456789ABCDEF"); strings.HasSuffix(cut, "%") {
			if _, err := t.Decode(cut); err == nil {
				t.Errorf("%q is decoded", cut)
			}
		}
	})
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

func unlikeURL(t *T, text string) {
	got := t.Encode(text)
	if (got == url.QueryEscape(text)) == strings.Contains(text, " ") {
		t.Errorf("%q is encoded as %q; a form encoder gives %q, which is the same but for spaces", text, got, url.QueryEscape(text))
	}
	if (got == url.PathEscape(text)) == strings.ContainsAny(text, "=:@&$+") {
		t.Errorf("%q is encoded as %q; an encoder of paths gives %q, which is the same but for = : @ & $ +", text, got, url.PathEscape(text))
	}
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

func likeStages(t *T, c gen.SignCase) {
	t.Equal("the base string", t.base(c), stages(c).Base())
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
