package capture_test

import (
	"errors"
	"testing"

	"github.com/chargecast/chargecast/internal/capture"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature"
)

// FuzzCapture_Parse_Verify: any recording is read, or refused at a place in it; what is read is verified, or refused with a finding.
func FuzzCapture_Parse_Verify(f *testing.F) {
	const oauth = `OAuth oauth_consumer_key="m", oauth_nonce="n", oauth_signature_method="HMAC-SHA1", oauth_timestamp="1", oauth_version="1.0", oauth_signature="AAAA"`
	for _, text := range []string{
		"", "POST /p HTTP/1.1\r\nHost: h\r\nContent-Type: application/x-www-form-urlencoded\r\nAuthorization: " + oauth + "\r\n\r\npayload=x",
		"GET http://h/?a=%zz HTTP/1.1\nA: b\n fold\n\n", "POST /p HTTP/1.1\nHost: h\nContent-Length: 3\n\na=1\n",
		"curl 'https://h/p' -H 'Authorization: OAuth a=\"1\"' --data-raw $'a=\\x41'", "curl ^\"https://h/p^\" ^\n -d ^\"a=1^\"",
		"* Connected to h (10.0.0.1) port 80\n> POST /p HTTP/1.1\n> Host: h\n> \n< HTTP/1.1 403\n",
		"=> Send header, 29 bytes (0x1d)\n0000: POST /p HTTP/1.1\n0012: Host: h\n001b: \n=> Send data, 3 bytes (0x3)\n0000: a=1\n",
		`{"log":{"entries":[{"request":{"method":"POST","url":"http://h/","headers":[{"name":"Authorization","value":"OAuth a=\"1\""}],"postData":{"text":"a=1"}}}]}}`,
	} {
		f.Add([]byte(text))
	}
	key, err := signature.NewHMACKey("secret")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		placed := func(err error, size int) {
			f, ok := errors.AsType[ledger.Finding](err)
			if !ok || f.Code == "" || f.Message == "" || f.Place.Offset < 0 || int(f.Place.Offset) > size {
				t.Errorf("%v has no code, rule and place in %d bytes", err, size)
			}
		}
		c, _, err := capture.Parse(data, capture.Options{})
		if err != nil {
			placed(err, len(data))
			return
		}
		r := signature.NewRequest(c.Method, c.URL).WithBody(c.ContentType, string(c.Body)).WithAuthorization(c.Authorization)
		_, _, early := signature.Inspect(r, signature.Options{})
		v, err := signature.Verify(r, signature.Options{}, key)
		if early != nil && err == nil || (err == nil) != (v.ConsumerKey != "") || err != nil && v.Findings.Err() == nil {
			t.Errorf("inspected: %v, verified: %v for %q with %v", early, err, v.ConsumerKey, v.Findings)
		}
		for _, f := range v.Findings {
			placed(f, len(data)+len("https://"))
		}
	})
}
