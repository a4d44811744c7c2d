package signing

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/fuzz/laws"
	"github.com/chargecast/chargecast/fuzz/subject"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature"
)

// key is the case's HMAC key.
func key(c gen.SignCase) subject.SignKey {
	return subject.SignKey{Method: "HMAC-SHA1", Secret: c.Secret, TokenSecret: c.Token}
}

// signedRequest is the case's request with a header.
func signedRequest(c gen.SignCase, h subject.SignHeader) subject.SignRequest {
	r := c.Request()
	r.Authorization = slowHeaderText(h)
	return r
}

// slowHeaderText writes a header.
func slowHeaderText(h subject.SignHeader) string {
	var parts []string
	if h.Realm != nil {
		parts = append(parts, `realm="`+strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(*h.Realm)+`"`)
	}
	for _, p := range h.Params {
		parts = append(parts, subject.SlowEncode(p.Name)+`="`+subject.SlowEncode(p.Value)+`"`)
	}
	return "OAuth " + strings.Join(parts, ", ")
}

// slowHeader is a header with the right signature, in order of name.
func slowHeader(c gen.SignCase) subject.SignHeader {
	return headerWith(c, slowly(c).signature())
}

func headerWith(c gen.SignCase, text string) subject.SignHeader {
	params := append(c.OAuth("HMAC-SHA1"), subject.Pair{Name: "oauth_signature", Value: text})
	slices.SortFunc(params, func(a, b subject.Pair) int { return strings.Compare(a.Name, b.Name) })
	return subject.SignHeader{Realm: c.Realm, Params: params}
}

func headerRoundTrip(t laws.T, c gen.SignCase, impl subject.Impl) {
	h := slowHeader(c)
	text := impl.FormatHeader(h)
	for _, p := range h.Params {
		if !strings.Contains(text, subject.SlowEncode(p.Name)+`="`+subject.SlowEncode(p.Value)+`"`) {
			t.Errorf("%q lacks %s encoded once", text, p.Name)
		}
	}
	if back, err := impl.ParseHeader(text); err != nil || !subject.SameHeaders(back, h) {
		t.Errorf("%q is read as %v, %v", text, back, err)
	}
}

func headerForms(t laws.T, c gen.SignCase, impl subject.Impl) {
	c.Realm = nil
	h := slowHeader(c)
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
	slices.SortFunc(back.Params, func(a, b subject.Pair) int { return strings.Compare(a.Name, b.Name) })
	if !subject.SameHeaders(back, h) {
		t.Errorf("read as %v", back)
	}
}

func headerNames(t laws.T, c gen.SignCase, impl subject.Impl) {
	text, err := impl.Sign(c.Request(), c.Choices(), key(c))
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	if want := slowHeader(c); text != impl.FormatHeader(want) {
		t.Errorf("got %q, want %q", text, impl.FormatHeader(want))
	}
}

// headerDamaged makes one fault that must be refused at its place.
func headerDamaged(t laws.T, c gen.SignCase, impl subject.Impl) {
	text := impl.FormatHeader(slowHeader(c))
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
	_, err := impl.ParseHeader(f.text)
	e, ok := errors.AsType[ledger.Finding](err)
	if !ok || e.Code != f.code || int(e.Place.Offset) != f.offset {
		t.Errorf("%q: %v, want %s at %d", f.text, err, f.code, f.offset)
	}
}

func verified(c gen.SignCase, impl subject.Impl, authorization string) subject.SignVerdict {
	r := c.Request()
	r.Authorization = authorization
	return impl.Verify(r, key(c), subject.SignOptions{})
}

func signedVerifies(t laws.T, c gen.SignCase, impl subject.Impl) {
	text, err := impl.Sign(c.Request(), c.Choices(), key(c))
	if v := verified(c, impl, text); err != nil || v.Signature != "ok" || !v.Acceptable || v.Consumer != c.Consumer {
		t.Errorf("%q does not verify: %+v, %v", text, v, err)
	}
}

// changedFails makes one change, of those that leave a request that its profile takes.
func changedFails(t laws.T, c gen.SignCase, impl subject.Impl) {
	right := slowHeaderText(slowHeader(c))
	changed, gateway := c, c.Profile == "gateway"
	switch c.Pick % 6 {
	case 0:
		changed.Secret += "x"
	case 1:
		changed.Body = append(slices.Clip(c.Body), subject.Pair{Name: "a"})
	case 2:
		changed.Path += "/x"
	case 3:
		if changed.Method += "X"; gateway {
			changed.Method, changed.Host = c.Method, "changed.example.com"
		}
	case 4:
		raw := slowly(c).sum()
		raw[c.Pick>>8%20] ^= 1 << (c.Pick >> 16 % 8)
		right = slowHeaderText(headerWith(c, base64.StdEncoding.EncodeToString(raw)))
	default:
		if changed.Token += "x"; gateway {
			changed.Token, changed.Secret = c.Token, "x"+c.Secret
		}
	}
	headers := []string{right}
	if own, err := impl.Sign(c.Request(), c.Choices(), key(c)); err == nil && c.Pick%6 != 4 {
		headers = append(headers, own)
	}
	for _, header := range headers {
		if v := verified(changed, impl, header); v.Signature != "mismatch" || v.Acceptable || v.Consumer != "" {
			t.Errorf("after a change: %+v", v)
		}
	}
}

func otherSpellings(t laws.T, c gen.SignCase, impl subject.Impl) {
	text := slowly(c).signature()
	sum := hex.EncodeToString(slowly(c).sum())
	spellings := [...]string{sum, strings.ToUpper(sum), base64.StdEncoding.EncodeToString([]byte(sum)), text + "\n", text[:9] + "\r\n" + text[9:], strings.TrimRight(text, "="), text + "=", " " + text, subject.SlowEncode(text),
		strings.NewReplacer("+", "-", "/", "_").Replace(text), base64.StdEncoding.EncodeToString([]byte(text))}
	other := spellings[c.Pick%uint64(len(spellings))]
	if other == text {
		return
	}
	if v := verified(c, impl, impl.FormatHeader(headerWith(c, other))); v.Signature == "ok" || v.Acceptable {
		t.Errorf("%q is accepted for %q", other, text)
	}
}

func noEmptyHeader(t laws.T, c gen.SignCase, impl subject.Impl) {
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
		r.Params = append(slices.Clip(r.Params), subject.Pair{Name: "oauth_signature"})
	}
	if got, err := impl.Sign(r, o, key(c)); err == nil || got != "" {
		t.Errorf("signed: %q", got)
	}
}
