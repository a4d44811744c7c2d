package fuzz_test

import (
	"os"
	"testing"

	"github.com/chargecast/chargecast/fuzz"
)

// seeded runs a target over seeds, and under -fuzz over what the engine makes of them.
func seeded(f *testing.F, target func([]byte), seeds ...string) {
	f.Helper()
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(_ *testing.T, data []byte) { target(data) })
}

func FuzzPercent_Encode_Decode(f *testing.F) {
	seeded(f, fuzz.TargetPercent, "", "a b+c", "%25", "%zz", "%4", "é\xff\x00", "100%")
}

func FuzzForm_Parse_Append(f *testing.F) {
	seeded(f, fuzz.TargetForm, "", "payload=a%2Bb", "a=b=c", "&&a=1&&", "=v", "a;b=1", "a=%zz", "a=+", "a%00=1&a=2")
}

func FuzzURL_Normalise_Twice(f *testing.F) {
	seeded(f, fuzz.TargetURL, "", "https://h", "HTTP://EXAMPLE.COM:80/r%20v/X", "https://[2001:DB8::1]:443/x", "https://u:p@h:0443/?a=1#f", "http://h:65536", "https://[", "https://h/%z")
}

func FuzzHeader_Parse_String(f *testing.F) {
	seeded(f, fuzz.TargetHeader, "", "OAuth", `OAuth a="1"`, `OAuth realm="a, b=\"c\\", oauth_nonce="x%2By"`, `oauth a="1",`+"\r\n b=\"2\"", `OAuth a="x+y=/"`, `OAuth a="1", a="2"`, `OAuth a="%zz"`)
}

func FuzzBaseString_Stages(f *testing.F) {
	seeded(f, fuzz.TargetBaseString, "", "\x00", "\xff\xff\xff\xff", "0123456789abcdef0123456789abcdef")
}

func FuzzDiagnose_Mistake(f *testing.F) {
	seeded(f, fuzz.TargetDiagnose, "", "\x00", "\xff\xff\xff\xff", "0123456789abcdef0123456789abcdef")
}

func FuzzPEM_Load(f *testing.F) {
	key, err := os.ReadFile("testdata/rsa-test-key.pem")
	if err != nil {
		f.Fatal(err)
	}
	seeded(f, fuzz.TargetPEM, "", string(key), "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nMII\n-----END RSA PRIVATE KEY-----\n", "-----BEGIN", "ssh-rsa AAAA", "\x30\x82\x01\x00", "\x30", "\ufeff")
}

func FuzzCaptured_Parse_Verify(f *testing.F) {
	seeded(f, fuzz.TargetCaptured, "", "POST /p HTTP/1.1\r\nHost: h\r\nContent-Type: application/x-www-form-urlencoded\r\nAuthorization: OAuth oauth_consumer_key=\"m\", oauth_nonce=\"n\", oauth_signature_method=\"HMAC-SHA1\", oauth_timestamp=\"1\", oauth_version=\"1.0\", oauth_signature=\"AAAA\"\r\n\r\npayload=x",
		"GET http://h/?a=%zz HTTP/1.1\nA: b\n fold\n\n", "POST /p HTTP/1.1\nHost: h\nContent-Length: 3\n\na=1\n")
}
