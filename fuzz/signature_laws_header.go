package fuzz

import (
	"encoding/base64"
	"errors"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/signature"
)

// secret is the case's HMAC key.
func (c SignCase) secret(t T) *signature.Secret {
	key, err := signature.NewSecret(c.Secret, c.Token)
	if err != nil {
		t.Errorf("the secret: %v", err)
	}
	return key
}

// slowHeader is a header with the right signature, in order of name.
func (c SignCase) slowHeader() signature.Header {
	return c.headerWith(slowly(c).signature())
}

func (c SignCase) headerWith(text string) signature.Header {
	params := append(c.OAuth("HMAC-SHA1"), signature.Param{Name: "oauth_signature", Value: text})
	slices.SortFunc(params, func(a, b signature.Param) int { return strings.Compare(a.Name, b.Name) })
	return signature.Header{Realm: c.Realm, Params: params}
}

func sameHeaders(a, b signature.Header) bool {
	return a.Realm == b.Realm && slices.Equal(a.Params, b.Params) && slices.Equal(a.Unescaped, b.Unescaped)
}

func headerRoundTrip(t T, c SignCase, impl Impl) {
	h := c.slowHeader()
	text := impl.FormatHeader(h)
	for _, p := range h.Params {
		if !strings.Contains(text, slowEncode(p.Name)+`="`+slowEncode(p.Value)+`"`) {
			t.Errorf("%q lacks %s encoded once", text, p.Name)
		}
	}
	if back, err := impl.ParseHeader(text); err != nil || !sameHeaders(back, h) {
		t.Errorf("%q is read as %v, %v", text, back, err)
	}
}

func headerForms(t T, c SignCase, impl Impl) {
	c.Realm = signature.Realm{}
	h := c.slowHeader()
	part := strings.Split(strings.TrimPrefix(impl.FormatHeader(h), "OAuth "), ", ")
	turn := int(c.Pick % uint64(len(part)))
	part = append(slices.Clip(part[turn:]), part[:turn]...)
	separator := [...]string{",", " , ", "\t,\t", ",\r\n "}[c.Pick>>8%4]
	scheme := [...]string{"oauth ", "OAUTH\t", "OAuth   "}[c.Pick>>16%3]
	back, err := impl.ParseHeader(scheme + strings.Join(part, separator))
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	slices.SortFunc(back.Params, func(a, b signature.Param) int { return strings.Compare(a.Name, b.Name) })
	if !sameHeaders(back, h) {
		t.Errorf("read as %v", back)
	}
}

func headerNames(t T, c SignCase, impl Impl) {
	text, err := impl.Authorization(c.Request(), c.Choices(), c.secret(t), signature.RFC5849())
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	if want := c.slowHeader(); text != impl.FormatHeader(want) {
		t.Errorf("got %q, want %q", text, impl.FormatHeader(want))
	}
}

// headerDamaged makes one fault that must be refused at its place.
func headerDamaged(t T, c SignCase, impl Impl) {
	text := impl.FormatHeader(c.slowHeader())
	at := strings.Index(text, "oauth_nonce=")
	faults := [...]struct {
		text   string
		code   signature.Code
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
	_, err := impl.ParseHeader(f.text)
	e, ok := errors.AsType[*signature.Error](err)
	if !ok || e.Code != f.code || e.Offset != f.offset {
		t.Errorf("%q: %v, want %s at %d", f.text, err, f.code, f.offset)
	}
}

func (c SignCase) verified(t T, impl Impl, authorization string) signature.Outcome {
	got, err := impl.Verify(c.Request(), authorization, c.secret(t), signature.RFC5849())
	if err != nil {
		t.Errorf("%v", err)
	}
	return got
}

func signedVerifies(t T, c SignCase, impl Impl) {
	text, err := impl.Authorization(c.Request(), c.Choices(), c.secret(t), signature.RFC5849())
	if err != nil || c.verified(t, impl, text) != signature.OK {
		t.Errorf("%q does not verify: %v", text, err)
	}
}

func changedFails(t T, c SignCase, impl Impl) {
	right := c.slowHeader().String()
	changed := c
	switch c.Pick % 6 {
	case 0:
		changed.Secret += "x"
	case 1:
		changed.Body = append(slices.Clip(c.Body), signature.Param{Name: "a"})
	case 2:
		changed.Path += "/x"
	case 3:
		changed.Method += "X"
	case 4:
		raw := slowly(c).sum()
		raw[c.Pick>>8%20] ^= 1 << (c.Pick >> 16 % 8)
		right = c.headerWith(base64.StdEncoding.EncodeToString(raw)).String()
	default:
		changed.Token += "x"
	}
	if got := changed.verified(t, impl, right); got != signature.Mismatch {
		t.Errorf("after a change: %v", got)
	}
}

func otherSpellings(t T, c SignCase, impl Impl) {
	text := slowly(c).signature()
	spellings := [...]string{text + "\n", text[:9] + "\r\n" + text[9:], strings.TrimRight(text, "="), text + "=", " " + text, slowEncode(text),
		strings.NewReplacer("+", "-", "/", "_").Replace(text), base64.StdEncoding.EncodeToString([]byte(text))}
	other := spellings[c.Pick%uint64(len(spellings))]
	if other == text {
		return
	}
	if got := c.verified(t, impl, impl.FormatHeader(c.headerWith(other))); got == signature.OK {
		t.Errorf("%q is accepted for %q", other, text)
	}
}

func noEmptyHeader(t T, c SignCase, impl Impl) {
	o := c.Choices()
	r := c.Request()
	switch c.Pick % 5 {
	case 0:
		o.Nonce = ""
	case 1:
		o.Timestamp = "-" + o.Timestamp
	case 2:
		o.ConsumerKey = ""
	case 3:
		r.URL = "ftp" + r.URL
	default:
		r.Params = append(slices.Clip(r.Params), signature.Param{Name: "oauth_signature"})
	}
	if got, err := impl.Authorization(r, o, c.secret(t), signature.RFC5849()); err == nil || got != "" {
		t.Errorf("signed: %q", got)
	}
}
