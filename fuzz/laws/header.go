package laws

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/fuzz/oracle"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature"
)

// headerLaws are the laws of the Authorization header.
func headerLaws() []Law {
	return []Law{
		law("H01", "5.5", "ParseHeader(h.String()) = h, each value encoded once", gen.SignCases, headerRoundTrip),
		law("H02", "L67", "order, spaces around commas and the scheme's case do not matter", gen.SignCases, headerForms),
		law("H03", "5.5", "the header has the signed OAuth parameters with the values signed, oauth_signature, and realm if given", gen.SignCases, headerNames),
		law("H04", "L67", "a duplicate, an unquoted value, an open quote, a bad escape: an error with its offset", gen.SignCases, headerDamaged),
		once("H05", "L67", "header size and parameter count have limits", headerLimits),
	}
}

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
		t.Errorf("%s is %s", scheme+strings.Join(part, separator), answered("", err))
		return
	}
	slices.SortFunc(back.Params, func(a, b gen.Pair) int { return strings.Compare(a.Name, b.Name) })
	t.Equal(scheme+strings.Join(part, separator), back, h)
}

func headerNames(t *T, c gen.SignCase) {
	text, err := t.Sign(c.Request(), c.Choices(), key(c))
	if err != nil {
		t.Errorf("signing is %s", answered(text, err))
		return
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
