package campaign

import (
	"errors"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/internal/capture"
	"github.com/chargecast/chargecast/internal/testkeys"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature"
)

// signatureTargets are the targets of signatures: reading what was written gives the same, an
// error has a place inside the input and never shows it, work stays in the limits.
func signatureTargets() []Target {
	post := "POST /p HTTP/1.1\r\nHost: h\r\nContent-Type: application/x-www-form-urlencoded\r\nAuthorization: OAuth oauth_consumer_key=\"m\", oauth_nonce=\"n\", oauth_signature_method=\"HMAC-SHA1\", oauth_timestamp=\"1\", oauth_version=\"1.0\", oauth_signature=\"AAAA\"\r\n\r\npayload=x"
	return []Target{
		{"FuzzPercent_Encode_Decode", tryPercent, seeds("P01: texts and escapes", "", "a b+c", "%25", "%zz", "%4", "é\xff\x00", "100%"), []string{"%25", "%zz"}},
		{"FuzzForm_Parse_Append", tryParams, seeds("B01: form bodies", "", "payload=a%2Bb", "a=b=c", "&&a=1&&", "=v", "a;b=1", "a=%zz", "a=+", "a%00=1&a=2"), []string{"payload=", "%2B", "%00"}},
		{"FuzzURL_Normalise_Twice", tryURL, seeds("U01: URLs", "", "https://h", "HTTP://EXAMPLE.COM:80/r%20v/X", "http://h:80", "https://[2001:DB8::1]:443/x", "https://u:p@h:0443/?a=1#f", "http://h:65536", "https://[", "https://h/%z"),
			[]string{"http://", "https://", ":80", ":443", "[2001:DB8::1]", "%20"}},
		{"FuzzHeader_Parse_String", tryHeader, slices.Concat(
			seeds("H01: headers", "", "OAuth", `OAuth a="1"`, `OAuth realm="a, b=\"c\\", oauth_nonce="x%2By"`, `oauth a="1",`+"\r\n b=\"2\"", `OAuth a="x+y=/"`, `OAuth a="1", a="2"`, `OAuth a="%zz"`),
			seeds("5.4: the parameters of the document", headerSeed()),
		), headerWords},
		{"FuzzBaseString_Stages", drawing("B08"), byteSeeds(), nil},
		{"FuzzDiagnose_Mistake", drawing("D02"), byteSeeds(), nil},
		{"FuzzPEM_Load", tryPEM, slices.Concat(
			seeds("L65: key files", testkeys.PKCS1, testkeys.PKCS8),
			seeds("h214…h226: not keys", "", "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nMII\n-----END RSA PRIVATE KEY-----\n", "-----BEGIN", "ssh-rsa AAAA", "\x30\x82\x01\x00", "\x30", "\ufeff"),
			pemSeeds(),
		), pemWords()},
		{"FuzzCaptured_Parse_Verify", tryCaptured, slices.Concat(
			seeds("5: captured requests", "", post, "GET http://h/?a=%zz HTTP/1.1\nA: b\n fold\n\n", "POST /p HTTP/1.1\nHost: h\nContent-Length: 3\n\na=1\n", "curl 'https://h/p' -H 'Authorization: OAuth a=\"1\"' --data-raw $'a=\\x41'", "curl ^\"https://h/p^\" ^\n -d ^\"a=1^\"",
				"POST /p HTTP/1.1\nHost: h\nAuthorization: "+headerSeed()+"\n\n"),
			seeds("C9: what curl and browsers record", "* Connected to h (10.0.0.1) port 80\n> POST /p HTTP/1.1\n> Host: h\n> \n< HTTP/1.1 403\n", "=> Send header, 29 bytes (0x1d)\n0000: POST /p HTTP/1.1\n0012: Host: h\n001b: \n=> Send data, 3 bytes (0x3)\n0000: a=1\n", `{"log":{"entries":[{"request":{"method":"POST","url":"http://h/","headers":[{"name":"Authorization","value":"OAuth a=\"1\""}],"postData":{"text":"a=1"}}}]}}`),
		), slices.Concat([]string{"POST ", " HTTP/1.1", "Host: ", "Content-Type: application/x-www-form-urlencoded", "Content-Length: ", "Authorization: OAuth ", "HMAC-SHA1"}, headerWords)},
	}
}

func must(held bool, law string) {
	if !held {
		panic(law)
	}
}

// placed holds an error's offset to its input.
func placed(err error, size int) {
	f, ok := errors.AsType[ledger.Finding](err)
	must(ok && f.Code != "" && f.Message != "" && f.Place.File != "" && f.Place.Offset >= 0 && int(f.Place.Offset) <= size, "an error names code, rule and a place inside the input")
}

// tryPercent encodes and decodes bytes, and decodes them as they are.
func tryPercent(data []byte) {
	text := string(data)
	holds(text, "P01")
	if _, err := signature.Decode(text); err != nil {
		placed(err, len(text))
	}
}

// tryParams splits a form body.
func tryParams(data []byte) {
	params, err := signature.ParseForm(string(data))
	if err != nil {
		placed(err, len(data))
		return
	}
	again, err := signature.ParseForm(string(signature.NewRequest("", "").WithParams(params...).Body()))
	must(err == nil && len(again) == len(params), "a form written and read again")
	for i := range params {
		must(params[i].Name() == again[i].Name() && params[i].Value() == again[i].Value(), "a form written and read again")
	}
}

// tryURL reads a URL.
func tryURL(data []byte) {
	uri := func(raw string) (string, error) {
		trace, err := signature.NewTrace(signature.NewRequest("", raw).WithAuthorization(`OAuth realm=""`))
		return trace.URI(), err
	}
	once, err := uri(string(data))
	if err != nil {
		placed(err, len(data))
		return
	}
	again, err := uri(once)
	must(err == nil && again == once, "U01")
}

// tryHeader reads an Authorization header.
func tryHeader(data []byte) {
	h, err := signature.ParseHeader(string(data))
	if err != nil {
		placed(err, len(data))
		return
	}
	written := h.String()
	if len(written) > 8<<10 {
		return // reading was from a shorter, less escaped form
	}
	again, err := signature.ParseHeader(written)
	same := func(a, b signature.Param) bool { return a.Name() == b.Name() && a.Value() == b.Value() }
	must(err == nil && again.String() == written && slices.EqualFunc(again.Params, h.Params, same), "H01")
}

// tryPEM loads a key file for both uses.
func tryPEM(data []byte) {
	_, err := signature.ParsePrivateKey(data)
	if err != nil {
		placed(err, len(data))
		for line := range strings.Lines(string(data)) {
			line = strings.TrimSpace(line)
			must(len(line) < 24 || strings.Contains(line, " ") || !strings.Contains(err.Error(), line), "K01")
		}
	}
	if _, err := signature.ParsePublicKey(data); err != nil {
		placed(err, len(data))
	}
}

// tryCaptured reads a captured request and what it carries.
func tryCaptured(data []byte) {
	captured, _, err := capture.Parse(data, capture.Options{})
	if err != nil {
		placed(err, len(data))
		return
	}
	r := signature.NewRequest(captured.Method, captured.URL).WithBody(captured.ContentType, string(captured.Body)).WithAuthorization(captured.Authorization)
	key, err := signature.NewHMACKey("secret")
	must(err == nil, "a secret")
	_, _, early := signature.Inspect(r, signature.Options{})
	v, err := signature.Verify(r, signature.Options{}, key)
	must(early == nil || err != nil, "what is refused before the keys are known is refused with them")
	must((err == nil) == (v.ConsumerKey != ""), "an acceptable request names its consumer")
	must(err == nil || v.Findings.Err() != nil, "a refusal has a finding")
	for _, f := range v.Findings {
		placed(f, len(data)+len("https://"))
	}
}
