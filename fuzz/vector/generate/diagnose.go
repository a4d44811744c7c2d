package main

import (
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
)

// A mistake is a known mistake made by hand in a recipe; the slot says which exclude one another.
type mistake struct {
	id, slot string
	make     func(r *recipe)
}

func replaced(pairs ...string) func(string) string {
	r := strings.NewReplacer(pairs...)
	return func(text string) string { return r.Replace(escaped(text)) }
}

func lowerHex(text string) string {
	out := []byte(escaped(text))
	for i := 0; i+2 < len(out); i++ {
		if out[i] == '%' {
			copy(out[i+1:], strings.ToLower(string(out[i+1:i+3])))
			i += 2
		}
	}
	return string(out)
}

func eachValue(list []pair, change func(string) string) []pair {
	out := slices.Clone(list)
	for i := range out {
		out[i][1] = change(out[i][1])
	}
	return out
}

func without(list []pair, name string) []pair {
	return slices.DeleteFunc(slices.Clone(list), func(p pair) bool { return p[0] == name })
}

func mistakes() []mistake {
	list := []mistake{
		{"not-decoded", "input", func(r *recipe) { r.body = eachValue(r.body, escaped) }},
		{"oauth-encoded-twice", "oauth input", func(r *recipe) { r.oauth = eachValue(r.oauth, escaped) }},
		{"values-not-encoded", "values", func(r *recipe) { r.rawValues = true }},
		{"names-not-encoded", "names", func(r *recipe) { r.rawNames = true }},
		{"parameters-not-encoded-again", "third", func(r *recipe) { r.bareThird = true }},
		{"url-not-encoded", "second", func(r *recipe) { r.bareURI = true }},
		{"base-encoded-whole", "base", func(r *recipe) { r.finish = escaped }},
		{"payload-plus-to-space", "payload", func(r *recipe) {
			r.body = eachValue(r.body, func(v string) string {
				if strings.HasPrefix(v, "Im") {
					return strings.ReplaceAll(v, "+", " ")
				}
				return v
			})
		}},
		{"body-omitted", "body", func(r *recipe) { r.body = nil }},
		{"oauth-twice", "twice", func(r *recipe) { r.body = append(slices.Clone(r.body), r.oauth...) }},
		{"version-omitted", "version", func(r *recipe) { r.oauth = without(r.oauth, "oauth_version") }},
		{"empty-token-added", "token", func(r *recipe) { r.oauth = append(slices.Clone(r.oauth), pair{"oauth_token", ""}) }},
		{"signature-signed", "signature", func(r *recipe) { r.oauth = append(slices.Clone(r.oauth), pair{"oauth_signature", ""}) }},
		{"timestamp-milliseconds", "milliseconds", func(r *recipe) {
			r.oauth = slices.Clone(r.oauth)
			for i := range r.oauth {
				if r.oauth[i][0] == "oauth_timestamp" {
					r.oauth[i][1] += "000"
				}
			}
		}},
		{"empty-values-dropped", "empty", func(r *recipe) {
			r.body = slices.DeleteFunc(slices.Clone(r.body), func(p pair) bool { return p[1] == "" })
		}},
		{"sort-joined-pairs", "order", func(r *recipe) {
			r.before = func(a, b slowParam) bool { return a.name+"="+a.value < b.name+"="+b.value }
		}},
		{"sort-raw-names", "order", func(r *recipe) {
			r.before = func(a, b slowParam) bool {
				return a.rawName < b.rawName || a.rawName == b.rawName && a.rawValue < b.rawValue
			}
		}},
		{"sort-ignoring-case", "order", func(r *recipe) {
			r.before = func(a, b slowParam) bool {
				return strings.ToLower(a.name) < strings.ToLower(b.name) || strings.EqualFold(a.name, b.name) && strings.ToLower(a.value) < strings.ToLower(b.value)
			}
		}},
		{"unsorted", "order", func(r *recipe) { r.before = nil }},
		{"method-lowercase", "method", func(r *recipe) { r.method = "post" }},
		{"method-get", "method", func(r *recipe) { r.method = "GET" }},
		{"http-for-https", "scheme", func(r *recipe) { r.uri = "http" + strings.TrimPrefix(r.uri, "https") }},
		{"trailing-slash-added", "slash", func(r *recipe) { r.uri += "/" }},
		{"default-port-kept", "port", func(r *recipe) { r.uri = strings.Replace(r.uri, ".com/", ".com:443/", 1) }},
		{"path-only", "url", func(r *recipe) { r.uri = r.uri[strings.Index(r.uri, "/paynet"):] }},
		{"base-newline", "end", func(r *recipe) { r.finish = func(base string) string { return base + "\n" } }},
		{"secret-not-encoded", "key", func(r *recipe) { r.key = func(secret string) string { return secret + "&" } }},
		{"key-ampersand-missing", "key", func(r *recipe) { r.key = escaped }},
		{"secret-newline", "key", func(r *recipe) { r.key = func(secret string) string { return escaped(secret+"\n") + "&" } }},
		{"secrets-swapped", "key", func(r *recipe) { r.key = func(secret string) string { return "&" + escaped(secret) } }},
		{"token-secret-null", "key", func(r *recipe) { r.key = func(secret string) string { return escaped(secret) + "&null" } }},
		{"signature-hex", "text", func(r *recipe) { r.text = hex.EncodeToString }},
		{"signature-base64-of-hex", "text", func(r *recipe) {
			r.text = func(sum []byte) string { return base64.StdEncoding.EncodeToString([]byte(hex.EncodeToString(sum))) }
		}},
		{"signature-wrapped", "text", func(r *recipe) {
			r.text = func(sum []byte) string { return base64.StdEncoding.EncodeToString(sum) + "\n" }
		}},
		{"signature-encoded-twice", "text", func(r *recipe) {
			r.text = func(sum []byte) string { return escaped(base64.StdEncoding.EncodeToString(sum)) }
		}},
		{"signature-unpadded", "text", func(r *recipe) { r.text = base64.RawStdEncoding.EncodeToString }},
		{"signature-urlsafe", "text", func(r *recipe) { r.text = base64.RawURLEncoding.EncodeToString }},
	}
	for _, e := range []struct {
		id     string
		encode func(string) string
	}{
		{"plus-for-space", replaced("%20", "+")}, {"asterisk-unencoded", replaced("%2A", "*")},
		{"marks-unencoded", replaced("%21", "!", "%2A", "*", "%27", "'", "%28", "(", "%29", ")")},
		{"tilde-encoded", replaced("~", "%7E")}, {"slash-unencoded", replaced("%2F", "/")}, {"lowercase-hex", lowerHex},
	} {
		list = append(list, mistake{e.id, "encoding", func(r *recipe) { r.encode = e.encode }})
	}
	return list
}

// diagnosed is the input whose parameters are given as pairs, as the public vectors have it.
type diagnosed struct {
	Method      string `json:"method"`
	URL         string `json:"url"`
	ContentType string `json:"content_type"`
	BodyParams  []pair `json:"body_params"`
	OAuthParams []pair `json:"oauth_params"`
	Signature   string `json:"signature"`
	Secret      string `json:"consumer_secret"`
	Token       string `json:"token_secret"`
}

type causes struct {
	Match  bool       `json:"match"`
	Causes [][]string `json:"causes"`
}

// diagnoseVectors are requests signed with a mistake, and pairs of two.
func diagnoseVectors(s *sheet) {
	s.source = byLoops + ", each known mistake made by hand"
	bodies := []struct {
		id   string
		body []pair
	}{
		{"rich", []pair{{"payload", "ImEiOyJi+Ij8/fg=="}, {"note", "a b~c!*'()/é"}, {"Note", "x"}, {"note-1", ""}, {"é", "1"}, {"b", "2"}, {"a=b", "%41"}}},
		{"other", []pair{{"payload", "ImQiOyJl+Lz8/fg=="}, {"z z", "q r*~/!("}, {"Z", ""}, {"z", "10"}, {"z-", "9"}, {"ü", "%C3"}}},
	}
	for _, b := range bodies {
		plain := right("POST", gatewayURL, b.body, oauth("HMAC-SHA1", "mer/chant", "n 1", "1767225600"), "s3 cret&")
		good := plain
		for n := 2; !strings.Contains(good.signature(), "+") || !strings.Contains(good.signature(), "/"); n++ {
			good.oauth = oauth("HMAC-SHA1", "mer/chant", "n "+strconv.Itoa(n), "1767225600") // for the forms of base64
		}
		unpadded := strings.TrimRight(plain.signature(), "=")
		if strings.ContainsAny(unpadded, "+/") {
			s.fail("%s: the two alphabets of base64 differ", b.id)
		}
		s.diagnosed("diagnose-base64-alphabet-unknown-"+b.id, "unpadded, and without a letter that tells the alphabet: both causes are named", plain, unpadded,
			[][]string{{"signature-unpadded"}, {"signature-urlsafe"}})
		all := mistakes()
		for i, one := range all {
			r := good
			one.make(&r)
			if r.signature() == good.signature() {
				s.fail("%s changes nothing on %s", one.id, b.id)
			}
			s.diagnosed("diagnose-"+one.id+"-"+b.id, "a known mistake: "+one.id, good, r.signature(), singles(good, r.signature()))
			if b.id == "rich" {
				// With the mistake a third of the list on.
				s.diagnosedPair(good, one, all[(i+len(all)/3)%len(all)])
			}
		}
		s.diagnosed("diagnose-right-"+b.id, "a right signature has no cause", good, good.signature(), nil)
		other := good
		other.secret = "another"
		s.diagnosed("diagnose-another-secret-"+b.id, "a signature with another secret: no known mistake", good, other.signature(), [][]string{})
	}
}

// singles are the mistakes that alone give a signature: different ones can give the same.
func singles(good recipe, signature string) [][]string {
	var found [][]string
	for _, m := range mistakes() {
		r := good
		if m.make(&r); r.signature() == signature {
			found = append(found, []string{m.id})
		}
	}
	slices.SortFunc(found, slices.Compare)
	return found
}

// diagnosedPair adds two mistakes at once, where they are of different slots, each changes something that
// the other leaves, and it does not matter which is made first.
func (s *sheet) diagnosedPair(good recipe, one, two mistake) {
	if two.slot == one.slot || !joins(one) || !joins(two) {
		return
	}
	made := func(list ...mistake) string {
		r := good
		for _, m := range list {
			m.make(&r)
		}
		return r.signature()
	}
	both := made(one, two)
	if both == made(one) || both == made(two) || len(singles(good, both)) > 0 {
		return
	}
	var found [][]string
	for _, x := range mistakes() {
		for _, y := range mistakes() {
			if x.slot == one.slot && y.slot == two.slot && made(x, y) == both {
				ids := []string{x.id, y.id}
				slices.Sort(ids)
				found = append(found, ids)
			}
		}
	}
	slices.SortFunc(found, slices.Compare)
	names := one.id + ", " + two.id
	s.diagnosed("diagnose-"+one.id+"-with-"+two.id, "two known mistakes at once: "+names, good, both, found)
}

// joins reports whether a mistake is one of the recipe, independent of the order in which it is made.
func joins(m mistake) bool {
	switch m.id {
	case "oauth-twice", "oauth-encoded-twice", "timestamp-milliseconds", "version-omitted", "empty-token-added", "signature-signed", "base-newline", "base-encoded-whole":
		return false
	}
	return true
}

func (s *sheet) diagnosed(id, reason string, good recipe, signature string, want [][]string) {
	d := draft{id: id, op: "diagnose", reason: reason, clauses: "5.2 5.3", invalid: want != nil}
	d.input = diagnosed{good.method, good.uri, "application/x-www-form-urlencoded", good.body, good.oauth, signature, good.secret, ""}
	if want == nil {
		want = [][]string{}
	}
	d.expect = causes{!d.invalid, want}
	s.add(d)
}
