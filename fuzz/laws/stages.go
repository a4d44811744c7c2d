package laws

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/fuzz/gen"
)

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
	slot string
	make func(c gen.SignCase, s *slowStages)
}

// replaced is an encoder that goes on from the right one.
func replaced(pairs ...string) func(string) string {
	r := strings.NewReplacer(pairs...)
	return func(text string) string { return r.Replace(gen.SlowEncode(text)) }
}

func wrongly(id string, encode func(string) string) []slowMistake {
	return []slowMistake{
		{id, "encoding", func(_ gen.SignCase, s *slowStages) { s.encode = encode }},
		{id, "encoding", func(_ gen.SignCase, s *slowStages) { s.encode, s.element = encode, encode }},
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
	stage := func(id, slot string, make func(gen.SignCase, *slowStages)) {
		all = append(all, slowMistake{id, slot, make})
	}
	stage("not-decoded", "input", func(_ gen.SignCase, s *slowStages) {
		s.body, s.query = mapped(s.body, encodedValue), mapped(s.query, encodedValue)
	})
	stage("oauth-encoded-twice", "oauth input", func(_ gen.SignCase, s *slowStages) { s.oauth = mapped(s.oauth, encodedValue) })
	stage("values-not-encoded", "values", func(_ gen.SignCase, s *slowStages) { s.rawValues = true })
	stage("names-not-encoded", "names", func(_ gen.SignCase, s *slowStages) { s.rawNames = true })
	stage("parameters-not-encoded-again", "third", func(_ gen.SignCase, s *slowStages) { s.bareThird = true })
	stage("url-not-encoded", "second", func(_ gen.SignCase, s *slowStages) { s.bareURI = true })
	stage("base-encoded-whole", "base", func(_ gen.SignCase, s *slowStages) {
		then := s.finish
		s.finish = func(base string) string { return then(gen.SlowEncode(base)) }
	})
	stage("body-omitted", "body", func(_ gen.SignCase, s *slowStages) { s.body = nil })
	stage("realm-signed", "realm", func(c gen.SignCase, s *slowStages) {
		s.oauth = append([]gen.Pair{{Name: "realm", Value: realmOf(c)}}, s.oauth...)
	})
	stage("oauth-twice", "twice", func(_ gen.SignCase, s *slowStages) { s.body = append(append([]gen.Pair{}, s.body...), s.oauth...) })
	stage("version-omitted", "version", func(_ gen.SignCase, s *slowStages) {
		var kept []gen.Pair
		for _, p := range s.oauth {
			if p.Name != "oauth_version" {
				kept = append(kept, p)
			}
		}
		s.oauth = kept
	})
	stage("empty-token-added", "token", func(_ gen.SignCase, s *slowStages) {
		s.oauth = append(append([]gen.Pair{}, s.oauth...), gen.Pair{Name: "oauth_token"})
	})
	stage("timestamp-milliseconds", "milliseconds", func(_ gen.SignCase, s *slowStages) {
		s.oauth = mapped(s.oauth, func(p gen.Pair) gen.Pair {
			if p.Name == "oauth_timestamp" {
				p.Value += "000"
			}
			return p
		})
	})
	stage("payload-plus-to-space", "payload", func(_ gen.SignCase, s *slowStages) {
		s.body = mapped(s.body, func(p gen.Pair) gen.Pair {
			if p.Name == "payload" {
				p.Value = strings.ReplaceAll(p.Value, "+", " ")
			}
			return p
		})
	})
	consumer := func(id string, change func(string) string) {
		stage(id, "consumer key", func(_ gen.SignCase, s *slowStages) {
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
	stage("oauth-unsigned", "oauth unsigned", func(_ gen.SignCase, s *slowStages) { s.oauth = nil })
	stage("body-final-newline", "body end", func(_ gen.SignCase, s *slowStages) {
		if last := len(s.body) - 1; last >= 0 {
			s.body = append([]gen.Pair{}, s.body...)
			s.body[last].Value += "\n"
		}
	})
	sorted := func(id string, before func(a, b slowParam) bool) {
		stage(id, "order", func(_ gen.SignCase, s *slowStages) { s.before = before })
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
	stage("method-lowercase", "method", func(_ gen.SignCase, s *slowStages) { s.method = strings.ToLower(s.method) })
	stage("method-get", "method", func(c gen.SignCase, s *slowStages) {
		s.method = "POST"
		if c.Method == "POST" {
			s.method = "GET"
		}
	})
	stage("http-for-https", "scheme", func(c gen.SignCase, s *slowStages) {
		other := map[string]string{"http": "https", "https": "http"}[c.Scheme]
		s.uri = other + strings.TrimPrefix(s.uri, c.Scheme)
	})
	stage("host-other", "host", func(c gen.SignCase, s *slowStages) {
		s.uri = strings.Replace(s.uri, "://"+c.Host, "://localhost", 1)
	})
	stage("path-other", "path", func(c gen.SignCase, s *slowStages) {
		path := slowPath(c)
		if second := strings.IndexByte(path[1:], '/'); second >= 0 { // without its first segment
			s.uri = strings.TrimSuffix(s.uri, path) + path[second+1:]
		}
	})
	stage("path-only", "url", func(c gen.SignCase, s *slowStages) { s.uri = slowPath(c) })
	stage("base-newline", "end", func(_ gen.SignCase, s *slowStages) {
		then := s.finish
		s.finish = func(base string) string { return then(base) + "\n" }
	})
	stage("bom-in-base", "base start", func(_ gen.SignCase, s *slowStages) {
		then := s.finish
		s.finish = func(base string) string { return "\xef\xbb\xbf" + then(base) }
	})
	keyed := func(id string, key func(gen.SignCase) string) {
		stage(id, "key", func(c gen.SignCase, s *slowStages) { s.key = key(c) })
	}
	keyed("secret-not-encoded", func(c gen.SignCase) string { return c.Secret + "&" + c.Token })
	keyed("key-ampersand-missing", func(c gen.SignCase) string { return gen.SlowEncode(c.Secret) + gen.SlowEncode(c.Token) })
	keyed("secret-newline", func(c gen.SignCase) string {
		return gen.SlowEncode(c.Secret+"\r\n") + "&" + gen.SlowEncode(c.Token)
	})
	keyed("secrets-swapped", func(c gen.SignCase) string { return gen.SlowEncode(c.Token) + "&" + gen.SlowEncode(c.Secret) })
	keyed("token-secret-null", func(c gen.SignCase) string { return gen.SlowEncode(c.Secret) + "&%28null%29" })
	written := func(id string, text func([]byte) string) {
		stage(id, "text", func(_ gen.SignCase, s *slowStages) { s.text = text })
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
