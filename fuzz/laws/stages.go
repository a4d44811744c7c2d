package laws

import (
	"crypto"
	"crypto/hmac"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/internal/testkeys"
	"github.com/chargecast/chargecast/signature/diagnose"
)

// slowDecode undoes one encoding that is known to be right.
func slowDecode(text string) string {
	out, err := url.PathUnescape(text)
	if err != nil {
		return "not encoded"
	}
	return out
}

// key is the case's HMAC key.
func key(c gen.SignCase) SignKey {
	return SignKey{Method: "HMAC-SHA1", Secret: c.Secret, TokenSecret: c.Token}
}

// signedRequest is the case's request with a header.
func signedRequest(c gen.SignCase, h SignHeader) gen.SignRequest {
	r := c.Request()
	r.Authorization = slowHeaderText(h)
	return r
}

// slowHeaderText writes a header.
func slowHeaderText(h SignHeader) string {
	var parts []string
	if h.Realm != nil {
		parts = append(parts, `realm="`+strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(*h.Realm)+`"`)
	}
	for _, p := range h.Params {
		parts = append(parts, gen.SlowEncode(p.Name)+`="`+gen.SlowEncode(p.Value)+`"`)
	}
	return "OAuth " + strings.Join(parts, ", ")
}

// slowHeader is a header with the right signature, in order of name.
func slowHeader(c gen.SignCase) SignHeader {
	return headerWith(c, slowly(c).signature())
}

func headerWith(c gen.SignCase, text string) SignHeader {
	params := append(c.OAuth("HMAC-SHA1"), gen.Pair{Name: "oauth_signature", Value: text})
	slices.SortFunc(params, func(a, b gen.Pair) int { return strings.Compare(a.Name, b.Name) })
	return SignHeader{Realm: c.Realm, Params: params}
}

// A caseKey is a key that a case is signed with, and what the oracle signs with it.
type caseKey struct {
	SignKey

	sum func(base string) []byte
}

// hmacKey is the case's own key.
func hmacKey(c gen.SignCase) caseKey {
	return caseKey{key(c), func(base string) []byte {
		s := slowly(c)
		s.finish = func(string) string { return base }
		return s.sum()
	}}
}

// rsaKeyOf is one of the RSA keys for tests: in every fourth case the long one, which takes four times as long to sign.
func rsaKeyOf(c gen.SignCase) caseKey {
	file := testkeys.PKCS1
	if c.Pick>>32%4 == 0 {
		file = testkeys.Long
	}
	return caseKey{rsaKey(file), func(base string) []byte { return standardSum(file, base) }}
}

// other is a key that is not this one.
func (k caseKey) other(c gen.SignCase) SignKey {
	o := k.SignKey
	switch {
	case k.PEM == testkeys.Long:
		o.PEM = testkeys.PKCS1
	case k.PEM != "":
		o.PEM = testkeys.Long
	case c.Pick>>40%3 == 0:
		o.Secret += "x"
	case c.Pick>>40%3 == 1 && c.Profile == "rfc5849":
		o.TokenSecret += "x"
	default:
		o.Secret = "x" + o.Secret
	}
	return o
}

// baseUnder is the oracle's base string of the case under a signature method.
func baseUnder(c gen.SignCase, method string) string {
	s := slowly(c)
	s.oauth = c.OAuth(method)
	return s.base()
}

// headerUnder is a header with a signature of a method.
func headerUnder(c gen.SignCase, method, text string) SignHeader {
	h := headerWith(c, text)
	for i := range h.Params {
		if h.Params[i].Name == "oauth_signature_method" {
			h.Params[i].Value = method
		}
	}
	return h
}

// rsaKey is the test key in one of its forms: the private key for signing, which serves to verify
// too.
func rsaKey(pem string) SignKey { return SignKey{Method: "RSA-SHA256", PEM: pem} }

// rsaBase is the base string of the case under RSA-SHA256.
func rsaBase(c gen.SignCase) string {
	s := slowly(c)
	s.oauth = c.OAuth("RSA-SHA256")
	return s.base()
}

// standardKeys are the keys for tests as package rsa has them, by their files.
var standardKeys = sync.OnceValue(func() map[string]*rsa.PrivateKey {
	keys := map[string]*rsa.PrivateKey{}
	for _, file := range []string{testkeys.PKCS1, testkeys.Long} {
		block, _ := pem.Decode([]byte(file))
		key, err := x509.ParsePKCS1PrivateKey(block.Bytes)
		if err != nil {
			panic(err)
		}
		keys[file] = key
	}
	return keys
})

// standardSum is the signature of a base string by package rsa.
func standardSum(file, base string) []byte {
	digest := sha256.Sum256([]byte(base))
	sum, err := rsa.SignPKCS1v15(nil, standardKeys()[file], crypto.SHA256, digest[:])
	if err != nil {
		panic(err)
	}
	return sum
}

func pairValue(list []gen.Pair, name string) string {
	for _, p := range list {
		if p.Name == name {
			return p.Value
		}
	}
	return ""
}

// A slowParam is a parameter, raw and as it enters the third element.
type slowParam struct{ rawName, rawValue, name, value string }

// slowStages are the stages of one signature. A known mistake changes one of them.
type slowStages struct {
	body, oauth, query  []gen.Pair
	encode, element     func(string) string
	rawNames, rawValues bool
	before              func(a, b slowParam) bool // nil: no sorting
	method, uri         string
	bareURI, bareThird  bool
	finish              func(base string) string
	key                 string
	text                func(sum []byte) string
}

func byEncoded(a, b slowParam) bool {
	return a.name < b.name || a.name == b.name && a.value < b.value
}

func unchanged(text string) string { return text }

// slowly are the right stages of a case under HMAC-SHA1 and the profile RFC5849.
func slowly(c gen.SignCase) slowStages {
	return slowStages{
		body: c.Body, oauth: c.OAuth("HMAC-SHA1"), query: c.Query, encode: gen.SlowEncode, element: gen.SlowEncode, before: byEncoded,
		method: c.Method, uri: slowURI(c), finish: unchanged, key: gen.SlowEncode(c.Secret) + "&" + gen.SlowEncode(c.Token),
		text: base64.StdEncoding.EncodeToString,
	}
}

// slowURI is the base URI from the parts of the URL.
func slowURI(c gen.SignCase) string {
	return c.Scheme + "://" + c.Host + slowPort(c) + slowPath(c)
}

func slowPort(c gen.SignCase) string {
	if c.Port == 0 || c.Scheme == "http" && c.Port == 80 || c.Scheme == "https" && c.Port == 443 {
		return ""
	}
	return ":" + strconv.Itoa(c.Port)
}

func slowPath(c gen.SignCase) string {
	if c.Path == "" {
		return "/"
	}
	return c.Path
}

// third is the third element before its encoding.
func (s slowStages) third() string {
	list := make([]slowParam, 0, len(s.body)+len(s.oauth)+len(s.query))
	for _, part := range [...][]gen.Pair{s.body, s.oauth, s.query} {
		for _, p := range part {
			one := slowParam{p.Name, p.Value, p.Name, p.Value}
			if !s.rawNames {
				one.name = s.encode(p.Name)
			}
			if !s.rawValues {
				one.value = s.encode(p.Value)
			}
			list = append(list, one)
		}
	}
	for i := range list {
		for j := i; j > 0 && s.before != nil && s.before(list[j], list[j-1]); j-- {
			list[j], list[j-1] = list[j-1], list[j]
		}
	}
	var out []byte
	for i, p := range list {
		if i > 0 {
			out = append(out, '&')
		}
		out = append(append(append(out, p.name...), '='), p.value...)
	}
	return string(out)
}

func (s slowStages) base() string {
	uri, third := s.uri, s.third()
	if !s.bareURI {
		uri = s.element(uri)
	}
	if !s.bareThird {
		third = s.element(third)
	}
	return s.finish(s.element(s.method) + "&" + uri + "&" + third)
}

func (s slowStages) sum() []byte {
	mac := hmac.New(sha1.New, []byte(s.key))
	mac.Write([]byte(s.base()))
	return mac.Sum(nil)
}

func (s slowStages) signature() string { return s.text(s.sum()) }

// A slowMistake is a known mistake made by hand.
type slowMistake struct {
	id   string
	make func(c gen.SignCase, s *slowStages)
}

// slot is what the mistake excludes others of, by the library's table.
func (m slowMistake) slot() string { return slots()[m.id] }

var slots = sync.OnceValue(func() map[string]string {
	list := map[string]string{}
	for m := range diagnose.Mistakes() {
		list[m.ID] = m.Slot
	}
	return list
})

// replaced is an encoder that goes on from the right one.
func replaced(pairs ...string) func(string) string {
	r := strings.NewReplacer(pairs...)
	return func(text string) string { return r.Replace(gen.SlowEncode(text)) }
}

func wrongly(id string, encode func(string) string) []slowMistake {
	return []slowMistake{
		{id, func(_ gen.SignCase, s *slowStages) { s.encode = encode }},
		{id, func(_ gen.SignCase, s *slowStages) { s.encode, s.element = encode, encode }},
	}
}

// mapped changes a list of parameters without touching the original.
func mapped(list []gen.Pair, change func(gen.Pair) gen.Pair) []gen.Pair {
	out := make([]gen.Pair, len(list))
	for i, p := range list {
		out[i] = change(p)
	}
	return out
}

func encodedValue(p gen.Pair) gen.Pair {
	return gen.Pair{Name: p.Name, Value: gen.SlowEncode(p.Value)}
}

func lowerHex(text string) string {
	out := []byte(gen.SlowEncode(text))
	for i := 0; i+2 < len(out); i++ {
		if out[i] == '%' {
			copy(out[i+1:], strings.ToLower(string(out[i+1:i+3])))
			i += 2
		}
	}
	return string(out)
}

// slowMistakes are the mistakes that the oracle can make.
func slowMistakes() []slowMistake {
	var all []slowMistake
	all = append(all, wrongly("plus-for-space", replaced("%20", "+"))...)
	all = append(all, wrongly("asterisk-unencoded", replaced("%2A", "*"))...)
	all = append(all, wrongly("marks-unencoded", replaced("%21", "!", "%2A", "*", "%27", "'", "%28", "(", "%29", ")"))...)
	all = append(all, wrongly("tilde-encoded", replaced("~", "%7E"))...)
	all = append(all, wrongly("slash-unencoded", replaced("%2F", "/"))...)
	all = append(all, wrongly("lowercase-hex", lowerHex)...)
	stage := func(id string, make func(gen.SignCase, *slowStages)) {
		all = append(all, slowMistake{id, make})
	}
	stage("not-decoded", func(_ gen.SignCase, s *slowStages) {
		s.body, s.query = mapped(s.body, encodedValue), mapped(s.query, encodedValue)
	})
	stage("oauth-encoded-twice", func(_ gen.SignCase, s *slowStages) { s.oauth = mapped(s.oauth, encodedValue) })
	stage("values-not-encoded", func(_ gen.SignCase, s *slowStages) { s.rawValues = true })
	stage("names-not-encoded", func(_ gen.SignCase, s *slowStages) { s.rawNames = true })
	stage("parameters-not-encoded-again", func(_ gen.SignCase, s *slowStages) { s.bareThird = true })
	stage("url-not-encoded", func(_ gen.SignCase, s *slowStages) { s.bareURI = true })
	stage("base-encoded-whole", func(_ gen.SignCase, s *slowStages) {
		then := s.finish
		s.finish = func(base string) string { return then(gen.SlowEncode(base)) }
	})
	stage("body-omitted", func(_ gen.SignCase, s *slowStages) { s.body = nil })
	stage("realm-signed", func(c gen.SignCase, s *slowStages) {
		s.oauth = append([]gen.Pair{{Name: "realm", Value: realmOf(c)}}, s.oauth...)
	})
	stage("oauth-twice", func(_ gen.SignCase, s *slowStages) { s.body = append(append([]gen.Pair{}, s.body...), s.oauth...) })
	stage("version-omitted", func(_ gen.SignCase, s *slowStages) {
		var kept []gen.Pair
		for _, p := range s.oauth {
			if p.Name != "oauth_version" {
				kept = append(kept, p)
			}
		}
		s.oauth = kept
	})
	stage("empty-token-added", func(_ gen.SignCase, s *slowStages) {
		s.oauth = append(append([]gen.Pair{}, s.oauth...), gen.Pair{Name: "oauth_token"})
	})
	stage("timestamp-milliseconds", func(_ gen.SignCase, s *slowStages) {
		s.oauth = mapped(s.oauth, func(p gen.Pair) gen.Pair {
			if p.Name == "oauth_timestamp" {
				p.Value += "000"
			}
			return p
		})
	})
	stage("payload-plus-to-space", func(_ gen.SignCase, s *slowStages) {
		s.body = mapped(s.body, func(p gen.Pair) gen.Pair {
			if p.Name == "payload" {
				p.Value = strings.ReplaceAll(p.Value, "+", " ")
			}
			return p
		})
	})
	consumer := func(id string, change func(string) string) {
		stage(id, func(_ gen.SignCase, s *slowStages) {
			s.oauth = mapped(s.oauth, func(p gen.Pair) gen.Pair {
				if p.Name == "oauth_consumer_key" {
					p.Value = change(p.Value)
				}
				return p
			})
		})
	}
	consumer("consumer-key-space", func(key string) string { return key + " " })
	consumer("consumer-key-case", strings.ToUpper)
	stage("oauth-unsigned", func(_ gen.SignCase, s *slowStages) { s.oauth = nil })
	stage("body-final-newline", func(_ gen.SignCase, s *slowStages) {
		if last := len(s.body) - 1; last >= 0 {
			s.body = append([]gen.Pair{}, s.body...)
			s.body[last].Value += "\n"
		}
	})
	sorted := func(id string, before func(a, b slowParam) bool) {
		stage(id, func(_ gen.SignCase, s *slowStages) { s.before = before })
	}
	sorted("sort-joined-pairs", func(a, b slowParam) bool { return a.name+"="+a.value < b.name+"="+b.value })
	sorted("sort-raw-names", func(a, b slowParam) bool {
		return a.rawName < b.rawName || a.rawName == b.rawName && a.rawValue < b.rawValue
	})
	sorted("duplicates-unsorted", func(a, b slowParam) bool { return a.name < b.name })
	sorted("sort-ignoring-case", func(a, b slowParam) bool {
		return strings.ToLower(a.name) < strings.ToLower(b.name) || strings.EqualFold(a.name, b.name) && strings.ToLower(a.value) < strings.ToLower(b.value)
	})
	sorted("unsorted", nil)
	stage("method-lowercase", func(_ gen.SignCase, s *slowStages) { s.method = strings.ToLower(s.method) })
	stage("method-get", func(c gen.SignCase, s *slowStages) {
		s.method = "POST"
		if c.Method == "POST" {
			s.method = "GET"
		}
	})
	stage("http-for-https", func(c gen.SignCase, s *slowStages) {
		other := map[string]string{"http": "https", "https": "http"}[c.Scheme]
		s.uri = other + strings.TrimPrefix(s.uri, c.Scheme)
	})
	stage("host-other", func(c gen.SignCase, s *slowStages) {
		s.uri = strings.Replace(s.uri, "://"+c.Host, "://localhost", 1)
	})
	stage("path-other", func(c gen.SignCase, s *slowStages) {
		path := slowPath(c)
		if second := strings.IndexByte(path[1:], '/'); second >= 0 { // without its first segment
			s.uri = strings.TrimSuffix(s.uri, path) + path[second+1:]
		}
	})
	stage("path-only", func(c gen.SignCase, s *slowStages) { s.uri = slowPath(c) })
	stage("base-newline", func(_ gen.SignCase, s *slowStages) {
		then := s.finish
		s.finish = func(base string) string { return then(base) + "\n" }
	})
	stage("bom-in-base", func(_ gen.SignCase, s *slowStages) {
		then := s.finish
		s.finish = func(base string) string { return "\xef\xbb\xbf" + then(base) }
	})
	keyed := func(id string, key func(gen.SignCase) string) {
		stage(id, func(c gen.SignCase, s *slowStages) { s.key = key(c) })
	}
	keyed("secret-not-encoded", func(c gen.SignCase) string { return c.Secret + "&" + c.Token })
	keyed("key-ampersand-missing", func(c gen.SignCase) string { return gen.SlowEncode(c.Secret) + gen.SlowEncode(c.Token) })
	keyed("secret-newline", func(c gen.SignCase) string {
		return gen.SlowEncode(c.Secret+"\r\n") + "&" + gen.SlowEncode(c.Token)
	})
	keyed("secrets-swapped", func(c gen.SignCase) string { return gen.SlowEncode(c.Token) + "&" + gen.SlowEncode(c.Secret) })
	keyed("token-secret-null", func(c gen.SignCase) string { return gen.SlowEncode(c.Secret) + "&%28null%29" })
	written := func(id string, text func([]byte) string) {
		stage(id, func(_ gen.SignCase, s *slowStages) { s.text = text })
	}
	written("signature-hex", func(sum []byte) string { return hex.EncodeToString(sum) })
	written("signature-base64-of-hex", func(sum []byte) string { return base64.StdEncoding.EncodeToString([]byte(hex.EncodeToString(sum))) })
	written("signature-wrapped", func(sum []byte) string { return base64.StdEncoding.EncodeToString(sum) + "\n" })
	written("signature-encoded-twice", func(sum []byte) string { return gen.SlowEncode(base64.StdEncoding.EncodeToString(sum)) })
	written("signature-unpadded", base64.RawStdEncoding.EncodeToString)
	written("signature-urlsafe", base64.URLEncoding.EncodeToString)
	return all
}

// realmOf is the value of the case's realm, empty if it has none.
func realmOf(c gen.SignCase) string {
	if c.Realm == nil {
		return ""
	}
	return *c.Realm
}

func signatureText(sum []byte) string { return base64.StdEncoding.EncodeToString(sum) }
