package main

import (
	"crypto"
	"crypto/hmac"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"strings"

	"github.com/chargecast/chargecast/internal/testkeys"
)

// A pair is a name and a value.
type pair [2]string

// escaped percent-encodes one byte after another (5.2, step 2).
func escaped(text string) string {
	const plain, digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~", "0123456789ABCDEF"
	var out strings.Builder
	for i := range len(text) {
		if c := text[i]; strings.IndexByte(plain, c) >= 0 {
			out.WriteByte(c)
		} else {
			out.Write([]byte{'%', digits[c/16], digits[c%16]})
		}
	}
	return out.String()
}

// A slowParam is a parameter, raw and as it enters the third element.
type slowParam struct{ rawName, rawValue, name, value string }

// A recipe is the stages of one signature. A mistake changes one of them.
type recipe struct {
	body, oauth []pair
	encode      func(string) string
	element     func(string) string
	rawNames    bool
	rawValues   bool
	before      func(a, b slowParam) bool // nil: no sorting
	method, uri string
	bareURI     bool
	bareThird   bool
	finish      func(base string) string
	secret      string
	key         func(secret string) string
	sum         func(key, base string) []byte
	text        func(sum []byte) string
}

func right(method, uri string, body, oauth []pair, secret string) recipe {
	return recipe{
		body: body, oauth: oauth, encode: escaped, element: escaped, before: byEncoded, method: method, uri: uri,
		finish: func(base string) string { return base }, secret: secret,
		key: func(secret string) string { return escaped(secret) + "&" }, sum: sha1Sum, text: base64.StdEncoding.EncodeToString,
	}
}

func byEncoded(a, b slowParam) bool { return a.name < b.name || a.name == b.name && a.value < b.value }

func sha1Sum(key, base string) []byte {
	mac := hmac.New(sha1.New, []byte(key))
	mac.Write([]byte(base))
	return mac.Sum(nil)
}

// third is the third element before its encoding.
func (r recipe) third() string {
	var list []slowParam
	for _, part := range [][]pair{r.body, r.oauth} {
		for _, p := range part {
			one := slowParam{p[0], p[1], p[0], p[1]}
			if !r.rawNames {
				one.name = r.encode(p[0])
			}
			if !r.rawValues {
				one.value = r.encode(p[1])
			}
			list = append(list, one)
		}
	}
	for i := range list {
		for j := i; j > 0 && r.before != nil && r.before(list[j], list[j-1]); j-- {
			list[j], list[j-1] = list[j-1], list[j]
		}
	}
	var joined []string
	for _, p := range list {
		joined = append(joined, p.name+"="+p.value)
	}
	return strings.Join(joined, "&")
}

func (r recipe) base() string {
	uri, third := r.uri, r.third()
	if !r.bareURI {
		uri = r.element(uri)
	}
	if !r.bareThird {
		third = r.element(third)
	}
	return r.finish(r.element(r.method) + "&" + uri + "&" + third)
}

func (r recipe) signature() string { return r.text(r.sum(r.key(r.secret), r.base())) }

// rsaSum signs with the test key by the standard library.
func rsaSum(_, base string) []byte {
	block, _ := pem.Decode([]byte(testkeys.PKCS1))
	key, err := x509.ParsePKCS1PrivateKey(block.Bytes)
	if err != nil {
		panic(err)
	}
	sum := sha256.Sum256([]byte(base))
	out, err := rsa.SignPKCS1v15(nil, key, crypto.SHA256, sum[:])
	if err != nil {
		panic(err)
	}
	return out
}

// oauth are the five parameters.
func oauth(method, consumer, nonce, timestamp string) []pair {
	return []pair{{"oauth_consumer_key", consumer}, {"oauth_nonce", nonce}, {"oauth_signature_method", method}, {"oauth_timestamp", timestamp}, {"oauth_version", "1.0"}}
}

// headerText is an Authorization header of parameters, each encoded once.
func headerText(list []pair) string {
	var items []string
	for _, p := range list {
		items = append(items, escaped(p[0])+`="`+escaped(p[1])+`"`)
	}
	return "OAuth " + strings.Join(items, ", ")
}

func signed(list []pair, signature string) []pair {
	return append(append([]pair{}, list...), pair{"oauth_signature", signature})
}
