package signature_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/oracle"
	"github.com/chargecast/chargecast/internal/testkeys"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature"
)

// placed holds an error to code, message and a place inside its input.
func placed(t *testing.T, err error, size int) {
	t.Helper()
	f, ok := errors.AsType[ledger.Finding](err)
	if !ok || f.Code == "" || f.Message == "" || f.Place.File == "" || f.Place.Offset < 0 || int(f.Place.Offset) > size {
		t.Errorf("%v has no code, rule and place in %d bytes", err, size)
	}
}

func sameParams(a, b []signature.Param) bool {
	return slices.EqualFunc(a, b, func(a, b signature.Param) bool { return a.Name() == b.Name() && a.Value() == b.Value() })
}

// FuzzPercent_Encode_Decode: what is encoded is decoded to the same, and is the oracle's.
func FuzzPercent_Encode_Decode(f *testing.F) {
	for _, s := range []string{"", "a b+c", "%25", "%zz", "%4", "é\xff\x00", "100%"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		encoded := signature.Encode(text)
		if back, err := signature.Decode(encoded); err != nil || back != text || encoded != oracle.Encode(text) {
			t.Errorf("%q is encoded %q, decoded %q, %v", text, encoded, back, err)
		}
		if _, err := signature.Decode(text); err != nil {
			placed(t, err, len(text))
		}
	})
}

// FuzzForm_Parse_Body: the parameters of a form body, written and read again, are the same.
func FuzzForm_Parse_Body(f *testing.F) {
	for _, s := range []string{"", "payload=a%2Bb", "a=b=c", "&&a=1&&", "=v", "a;b=1", "a=%zz", "a=+", "a%00=1&a=2", "oauth_signature=%2B%2F%3D&payload=cnBf%2BY2%2byZ%3D%3D&oauth_nonce=b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		params, err := signature.ParseForm(text)
		if err != nil {
			placed(t, err, len(text))
			return
		}
		if again, err := signature.ParseForm(string(signature.NewRequest("", "").WithParams(params...).Body())); err != nil || !sameParams(params, again) {
			t.Errorf("%q is read again as %d of %d parameters, %v", text, len(again), len(params), err)
		}
	})
}

// FuzzURL_Normalise_Twice: the URI of a base string is normal already.
func FuzzURL_Normalise_Twice(f *testing.F) {
	for _, s := range []string{"", "https://h", "HTTP://EXAMPLE.COM:80/r%20v/X", "http://h:80", "https://[2001:DB8::1]:443/x", "https://u:p@h:0443/?a=1#f", "http://h:65536", "https://[", "https://h/%z"} {
		f.Add(s)
	}
	uri := func(raw string) (string, error) {
		trace, err := signature.NewTrace(signature.NewRequest("", raw).WithAuthorization(`OAuth realm=""`))
		return trace.URI(), err
	}
	f.Fuzz(func(t *testing.T, text string) {
		once, err := uri(text)
		if err != nil {
			placed(t, err, len(text))
			return
		}
		if again, err := uri(once); err != nil || again != once {
			t.Errorf("%q is %q, then %q, %v", text, once, again, err)
		}
	})
}

// FuzzHeader_Parse_String: a header that is read is written and read again to the same.
func FuzzHeader_Parse_String(f *testing.F) {
	for _, s := range []string{"", "OAuth", `OAuth a="1"`, `OAuth realm="a, b=\"c\\", oauth_nonce="x%2By"`, `oauth a="1",` + "\r\n b=\"2\"", `OAuth a="x+y=/"`, `OAuth a="1", a="2"`, `OAuth a="%zz"`,
		`OAuth realm="r", oauth_consumer_key="m", oauth_nonce="n", oauth_signature_method="RSA-SHA256", oauth_timestamp="1", oauth_version="1.0", oauth_signature="AA%2B"`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		h, err := signature.ParseHeader(text)
		if err != nil {
			placed(t, err, len(text))
			return
		}
		written := h.String()
		if len(written) > 8<<10 {
			return // it was read from a shorter form, less escaped
		}
		if again, err := signature.ParseHeader(written); err != nil || again.String() != written || !sameParams(again.Params, h.Params) {
			t.Errorf("%q is written %q, then %q, %v", text, written, again, err)
		}
	})
}

// FuzzPEM_Load: no key file, right or wrong, shows in an error.
func FuzzPEM_Load(f *testing.F) {
	for _, s := range []string{testkeys.PKCS1, testkeys.PKCS8, "", "-----BEGIN", "ssh-rsa AAAA", "\x30\x82\x01\x00", "\x30", "\ufeff", "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nMII\n-----END RSA PRIVATE KEY-----\n"} {
		f.Add([]byte(s))
	}
	for _, label := range []string{"PRIVATE KEY", "RSA PRIVATE KEY", "PUBLIC KEY", "RSA PUBLIC KEY", "ENCRYPTED PRIVATE KEY", "CERTIFICATE", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY"} {
		f.Add([]byte("-----BEGIN " + label + "-----\nMAA=\n-----END " + label + "-----\n"))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := signature.ParsePrivateKey(data); err != nil {
			placed(t, err, len(data))
			for line := range strings.Lines(string(data)) {
				if line = strings.TrimSpace(line); len(line) >= 24 && !strings.Contains(line, " ") && strings.Contains(err.Error(), line) {
					t.Errorf("the error shows a line of the key: %v", err)
				}
			}
		}
		if _, err := signature.ParsePublicKey(data); err != nil {
			placed(t, err, len(data))
		}
	})
}

// FuzzBaseString_Stages: the base string of any request is the one that the oracle makes stage by stage.
func FuzzBaseString_Stages(f *testing.F) {
	for _, data := range []string{"", "\x00", strings.Repeat("\xff", 64), "\x10\x20\x30\x40\x50\x60\x70\x80\x90\xa0\xb0"} {
		f.Add([]byte(data))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c := gen.SignCases(gen.Chooser{Stream: gen.FromBytes(data)})
		var params []signature.Param
		for _, p := range c.Body {
			params = append(params, signature.NewParam(p.Name, p.Value))
		}
		var header []string
		for _, p := range c.OAuth("HMAC-SHA1") {
			header = append(header, p.Name+`="`+oracle.Encode(p.Value)+`"`)
		}
		trace, err := signature.NewTrace(signature.NewRequest("POST", c.URL()).WithParams(params...).WithAuthorization("OAuth " + strings.Join(header, ", ")))
		if want := c.Oracle("HMAC-SHA1").Stages().Base(); err != nil || trace.BaseString() != want {
			t.Errorf("the base string is %q, %v, want %q", trace.BaseString(), err, want)
		}
	})
}
