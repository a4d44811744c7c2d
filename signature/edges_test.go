package signature_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/internal/signtest"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature"
)

// TestURLPlaces: the place of a fault of the URL is the byte in the text as it was given, marked § here.
func TestURLPlaces(t *testing.T) {
	for _, c := range []struct{ reason, url string }{
		{"h194", "https://h:§99999/"},
		{"h194, behind userinfo", "https://user:secretpw@h:§99999/"},
		{"h195, behind userinfo", "https://user@§[x]/"},
		{"h195, behind brackets", "https://user@[::1]§x/"},
		{"h195, a space", "https://user@h/a§ b"},
		{"h195, a space in the scheme", "htt§ ps://h/a"},
		{"h195, a brace in the host", "https://user@a§{b/"},
	} {
		at := strings.Index(c.url, "§")
		_, err := signature.BaseURI(strings.Replace(c.url, "§", "", 1))
		if e, ok := errors.AsType[ledger.Finding](err); !ok || int(e.Place.Offset) != at {
			t.Errorf("%s: %v, want byte %d", c.reason, err, at)
		}
	}
}

// TestTabInRealm: a realm may hold spaces and tabs, and comes back as it was.
func TestTabInRealm(t *testing.T) {
	r, o := signtest.Workload(48)
	key := signtest.Secret(t, signtest.WorkloadKey)
	for realm, ok := range map[string]bool{"a\tb c": true, "\t": true, "a\x1fb": false, "a\x7fb": false, "a\nb": false, "~!": true} {
		o.Realm = &realm
		text, err := signtest.Authorization(r, o, key)
		if !ok {
			if !errors.Is(err, signature.HeaderSyntax) {
				t.Errorf("%q: %v", realm, err)
			}
			continue
		}
		h, parsed := signature.ParseHeader(text)
		if err != nil || parsed != nil || h.Realm == nil || *h.Realm != realm || slices.ContainsFunc(h.Params, func(p signature.Param) bool { return p.Name() == "realm" }) {
			t.Errorf("%q: %+v, %v, %v", realm, h.Realm, err, parsed)
		}
	}
}

// TestVerifyUnreadable: a request that cannot be read has no verdict, and is no mismatch.
func TestVerifyUnreadable(t *testing.T) {
	for want, change := range map[ledger.Code]func(*signtest.Request){
		signature.MethodNotPost: func(r *signtest.Request) { r.Method = "GET" },
		signature.URLForm:       func(r *signtest.Request) { r.URL = "h/a" },
		signature.FormEscape: func(r *signtest.Request) {
			r.Params, r.Body, r.ContentType = nil, []byte("a=%u0041"), signtest.FormType
		},
	} {
		c := signtest.HMAC(t, "secret")
		change(&c.Request)
		v, err := verify(c.Request, c.Authorization, c.Key, signature.Options{})
		if !errors.Is(err, want) || v.Signature != 0 || len(v.Findings) != 1 {
			t.Errorf("%s: %+v, %v", want, v, err)
		}
	}
}
