package signature_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/signature"
)

// TestVerifyTakesNoReadingOfDiagnosis: what serves diagnosis only cannot make a signature right (signing 1).
func TestVerifyTakesNoReadingOfDiagnosis(t *testing.T) {
	c := hmacCase(t, "secret")
	p := signature.Gateway()
	p.Sort = signature.SortRawNames
	v, err := signature.Verify(c.request, c.authorization, c.key, p, signature.Freshness{})
	if !errors.Is(err, signature.ProfileDiagnosis) || v.Signature == signature.OK {
		t.Errorf("%v, %v", v.Signature, err)
	}
}

// TestURLPlaces: the place of a fault of the URL is the byte in the text as it was given, marked § here.
func TestURLPlaces(t *testing.T) {
	for _, c := range []struct{ reason, url string }{
		{"h194", "https://h:§99999/"},
		{"h194, behind userinfo", "https://user:secretpw@h:§99999/"},
		{"h195, behind userinfo", "https://user@§[x]/"},
		{"h195, behind brackets", "https://user@[::1]§x/"},
		{"h195, a space", "https://user@h/a§ b"},
	} {
		at := strings.Index(c.url, "§")
		_, err := signature.BaseURI(strings.Replace(c.url, "§", "", 1), signature.RFC5849())
		if e, ok := errors.AsType[*signature.Error](err); !ok || e.Offset != at {
			t.Errorf("%s: %v, want byte %d", c.reason, err, at)
		}
	}
}

// TestTabInRealm: a realm may hold spaces and tabs, and comes back as it was.
func TestTabInRealm(t *testing.T) {
	r, o := workload(48)
	key := workloadSecret(t)
	for realm, ok := range map[string]bool{"a\tb c": true, "\t": true, "a\x1fb": false, "a\x7fb": false, "a\nb": false, "~!": true} {
		o.Realm = signature.Realm{Present: true, Value: realm}
		text, err := signature.Authorization(r, o, key, signature.Gateway())
		if !ok {
			if !errors.Is(err, signature.HeaderSyntax) {
				t.Errorf("%q: %v", realm, err)
			}
			continue
		}
		h, parsed := signature.ParseHeader(text)
		if err != nil || parsed != nil || h.Realm != o.Realm || slices.ContainsFunc(h.Params, func(p signature.Param) bool { return p.Name == "realm" }) {
			t.Errorf("%q: %+v, %v, %v", realm, h.Realm, err, parsed)
		}
	}
}

// TestVerifyUnreadable: a request that cannot be read is an error, not a mismatch.
func TestVerifyUnreadable(t *testing.T) {
	for want, change := range map[signature.Code]func(*signature.Request){
		signature.MethodNotPost: func(r *signature.Request) { r.Method = "GET" },
		signature.URLForm:       func(r *signature.Request) { r.URL = "h/a" },
		signature.FormEscape: func(r *signature.Request) {
			r.Params, r.Body, r.ContentType = nil, []byte("a=%u0041"), signature.FormType
		},
	} {
		c := hmacCase(t, "secret")
		change(&c.request)
		v, err := signature.Verify(c.request, c.authorization, c.key, signature.Gateway(), signature.Freshness{})
		if !errors.Is(err, want) || v.Signature != 0 || len(v.Findings) != 0 {
			t.Errorf("%s: %+v, %v", want, v, err)
		}
	}
}
