package main

import (
	"encoding/base64"
	"encoding/hex"
	"strings"

	"github.com/chargecast/chargecast/internal/testkeys"
)

// A received is the input of the ops verify and diagnose: a request as it arrives, and the key.
type received struct {
	Method        string `json:"method"`
	URL           string `json:"url"`
	Body          string `json:"body"` // as sent, a form
	Authorization string `json:"authorization"`
	Secret        string `json:"consumer_secret,omitempty"`
	PublicKey     string `json:"public_key_pem,omitempty"`
}

// A verdict is what a verification comes to; the code is that of a finding where the fault has a name.
type verdict struct {
	Signature string `json:"signature"` // ok, mismatch or unreadable
	Code      string `json:"code,omitempty"`
	Refused   bool   `json:"refused,omitempty"` // though the signature is right
}

// A change is one fault, in what is sent after it was signed.
type change struct {
	id, reason, want string
	code             string
	make             func(m *message)
}

// A message is a signed request before it is written down.
type message struct {
	method, url string
	body        []pair
	header      []pair
	secret      string
	rawBody     string
	rawHeader   string
}

func (m *message) set(name, value string) {
	for i, p := range m.header {
		if p[0] == name {
			m.header[i][1] = value
			return
		}
	}
}

func (m *message) get(name string) string {
	for _, p := range m.header {
		if p[0] == name {
			return p[1]
		}
	}
	return ""
}

func (m *message) drop(name string) {
	var kept []pair
	for _, p := range m.header {
		if p[0] != name {
			kept = append(kept, p)
		}
	}
	m.header = kept
}

func formBody(list []pair) string {
	var items []string
	for _, p := range list {
		items = append(items, escaped(p[0])+"="+escaped(p[1]))
	}
	return strings.Join(items, "&")
}

func flip(text string) string {
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		panic(err)
	}
	raw[len(raw)/2] ^= 1
	return base64.StdEncoding.EncodeToString(raw)
}

func changes() []change {
	resign := func(m *message, edit func(raw []byte) string) {
		raw, err := base64.StdEncoding.DecodeString(m.get("oauth_signature"))
		if err != nil {
			panic(err)
		}
		m.set("oauth_signature", edit(raw))
	}
	std := base64.StdEncoding.EncodeToString
	return []change{
		{"right", "a right request", "ok", "", func(*message) {}},
		{"header-without-spaces", "no space after the commas", "ok", "", func(m *message) { m.rawHeader = strings.ReplaceAll(headerText(m.header), ", ", ",") }},
		{"header-reversed", "parameters in another order", "ok", "", func(m *message) {
			for i, j := 0, len(m.header)-1; i < j; i, j = i+1, j-1 {
				m.header[i], m.header[j] = m.header[j], m.header[i]
			}
		}},
		{"realm", "a realm is not signed", "ok", "", func(m *message) {
			m.rawHeader = strings.Replace(headerText(m.header), "OAuth ", `OAuth realm="x", `, 1)
		}},
		{"host-in-upper-case", "the host is signed in lower case", "ok", "", func(m *message) { m.url = strings.Replace(m.url, "gate.example.com", "Gate.EXAMPLE.com", 1) }},
		{"default-port", "the default port is not signed", "ok", "", func(m *message) { m.url = strings.Replace(m.url, "gate.example.com", "gate.example.com:443", 1) }},
		{"body-lower-case-hex", "escapes of the body in lower case", "ok", "", func(m *message) { m.rawBody = strings.ReplaceAll(formBody(m.body), "%3D", "%3d") }},
		{"oauth-in-the-body-as-well", "each signed once", "ok", "", func(m *message) {
			var five []pair
			for _, p := range m.header {
				if p[0] != "oauth_signature" {
					five = append(five, p)
				}
			}
			m.rawBody = formBody(append(five, m.body...))
		}},
		{"payload-changed", "one letter of the body", "mismatch", "signature-mismatch", func(m *message) { m.body[0][1] = "X" + m.body[0][1][1:] }},
		{"payload-shortened", "the body lost its end", "mismatch", "signature-mismatch", func(m *message) { m.body[0][1] = m.body[0][1][:4] }},
		{"parameter-renamed", "a parameter has another name", "mismatch", "signature-mismatch", func(m *message) { m.body[0][0] = "Payload" }},
		{"parameter-twice", "a parameter came twice", "mismatch", "signature-mismatch", func(m *message) { m.body = append(m.body, m.body[0]) }},
		{"parameter-more", "another parameter", "mismatch", "signature-mismatch", func(m *message) { m.body = append(m.body, pair{"a", ""}) }},
		{"body-gone", "no body", "mismatch", "signature-mismatch", func(m *message) { m.body = nil }},
		{"body-plus-raw", "a raw plus is a space", "mismatch", "form-plus", func(m *message) { m.rawBody = strings.ReplaceAll(formBody(m.body), "%2B", "+") }},
		{"endpoint-changed", "another endpoint", "mismatch", "signature-mismatch", func(m *message) { m.url = strings.Replace(m.url, "/77", "/78", 1) }},
		{"slash-added", "a slash at the end of the path", "mismatch", "signature-mismatch", func(m *message) { m.url += "/" }},
		{"path-case", "the case of the path", "mismatch", "signature-mismatch", func(m *message) { m.url = strings.Replace(m.url, "paynet", "Paynet", 1) }},
		{"another-host", "another host", "mismatch", "signature-mismatch", func(m *message) { m.url = strings.Replace(m.url, "gate.", "gate2.", 1) }},
		{"another-port", "another port", "mismatch", "signature-mismatch", func(m *message) { m.url = strings.Replace(m.url, ".com", ".com:8443", 1) }},
		{"http-for-https", "another scheme", "mismatch", "signature-mismatch", func(m *message) { m.url = strings.Replace(m.url, "https", "http", 1) }},
		{"nonce-changed", "another nonce than signed", "mismatch", "signature-mismatch", func(m *message) { m.set("oauth_nonce", "n2") }},
		{"timestamp-changed", "another second than signed", "mismatch", "signature-mismatch", func(m *message) { m.set("oauth_timestamp", "1767225601") }},
		{"consumer-changed", "another login than signed", "mismatch", "signature-mismatch", func(m *message) { m.set("oauth_consumer_key", "merchant2") }},
		{"signature-one-bit", "one bit of the signature", "mismatch", "signature-mismatch", func(m *message) { m.set("oauth_signature", flip(m.get("oauth_signature"))) }},
		{"signature-cut", "the signature lost its end", "mismatch", "signature-length", func(m *message) { resign(m, func(raw []byte) string { return std(raw[:10]) }) }},
		{"signature-longer", "one byte more", "mismatch", "signature-length", func(m *message) { resign(m, func(raw []byte) string { return std(append(raw, 0)) }) }},
		{"signature-reversed", "the bytes in reverse", "mismatch", "signature-mismatch", func(m *message) {
			resign(m, func(raw []byte) string {
				out := make([]byte, len(raw))
				for i, c := range raw {
					out[len(raw)-1-i] = c
				}
				return std(out)
			})
		}},
		{"signature-hex", "hex is for debugging only", "unreadable", "signature-text", func(m *message) { resign(m, func(raw []byte) string { return "z" + hex.EncodeToString(raw) }) }},
		{"signature-unpadded", "no padding", "unreadable", "signature-text", func(m *message) { resign(m, base64.RawStdEncoding.EncodeToString) }},
		{"signature-wrapped", "a line end in it", "unreadable", "signature-text", func(m *message) { resign(m, func(raw []byte) string { return std(raw)[:8] + "\n" + std(raw)[8:] }) }},
		{"signature-with-space", "a space where a plus was", "unreadable", "signature-text", func(m *message) { resign(m, func(raw []byte) string { return " " + std(raw)[1:] }) }},
		{"signature-escaped-twice", "escaped once too often", "unreadable", "signature-text", func(m *message) { m.set("oauth_signature", escaped(m.get("oauth_signature"))) }},
		{"signature-not-base64", "no base64", "unreadable", "signature-text", func(m *message) { m.set("oauth_signature", "?") }},
		{"no-signature", "no signature", "unreadable", "oauth-missing", func(m *message) { m.drop("oauth_signature") }},
		{"no-consumer", "no login", "unreadable", "oauth-missing", func(m *message) { m.drop("oauth_consumer_key") }},
		{"no-nonce", "no nonce", "unreadable", "oauth-missing", func(m *message) { m.drop("oauth_nonce") }},
		{"no-timestamp", "no timestamp", "unreadable", "oauth-missing", func(m *message) { m.drop("oauth_timestamp") }},
		{"no-method", "no signature method", "unreadable", "oauth-missing", func(m *message) { m.drop("oauth_signature_method") }},
		{"unknown-method", "a signature method that does not exist here", "unreadable", "signature-method", func(m *message) { m.set("oauth_signature_method", "PLAINTEXT") }},
		{"header-empty", "an empty header", "unreadable", "header-scheme", func(m *message) { m.rawHeader = " " }},
		{"header-bearer", "another scheme", "unreadable", "header-scheme", func(m *message) { m.rawHeader = "Bearer x" }},
		{"header-twice-a-nonce", "a parameter twice", "unreadable", "header-duplicate", func(m *message) { m.header = append(m.header, pair{"oauth_nonce", "n1"}) }},
	}
}

func messageOf(r recipe) message {
	return message{method: r.method, url: r.uri, body: append([]pair{}, r.body...), header: signed(r.oauth, r.signature()), secret: r.secret}
}

func (m message) received() received {
	out := received{Method: m.method, URL: m.url, Body: m.rawBody, Authorization: m.rawHeader, Secret: m.secret}
	if out.Body == "" {
		out.Body = formBody(m.body)
	}
	if out.Authorization == "" {
		out.Authorization = headerText(m.header)
	}
	return out
}

// verifyVectors are right requests with one change each, for both methods.
func verifyVectors(s *sheet) {
	body := []pair{{"payload", "ImEiOyJiIgo+Pz8/"}}
	body[0][1] += "fn5+fg=="
	for _, method := range []string{"HMAC-SHA1", "RSA-SHA256"} {
		s.source = byLoops + ", HMAC and RSA of the Go standard library"
		for _, c := range changes() {
			r := right("POST", gatewayURL, append([]pair{}, body...), oauth(method, "merchant", "n1", "1767225600"), "s3cret")
			if method == "RSA-SHA256" {
				r.sum = rsaSum
			}
			m := messageOf(r)
			c.make(&m)
			in := m.received()
			if method == "RSA-SHA256" {
				in.Secret, in.PublicKey = "", testkeys.Public
			}
			s.add(draft{id: "verify-" + slug(method) + "-" + c.id, op: "verify", reason: c.reason, clauses: "5.2 5.3 5.5 L66 L67", invalid: c.want != "ok", input: in, expect: verdict{Signature: c.want, Code: c.code}})
		}
	}
}
