package oracle

import (
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"
)

// A Mistake is a known mistake of package signature/diagnose, made by hand. One id may have several spellings.
type Mistake struct {
	ID   string
	Slot string // mistakes of one slot exclude each other
	Make func(r SignRequest, s *Stages)
}

// replaced is an encoder that goes on from the right one.
func replaced(pairs ...string) func(string) string {
	r := strings.NewReplacer(pairs...)
	return func(text string) string { return r.Replace(Encode(text)) }
}

func wrongly(id string, encode func(string) string) []Mistake {
	return []Mistake{
		{id, "encoding", func(_ SignRequest, s *Stages) { s.Encode = encode }},
		{id, "encoding", func(_ SignRequest, s *Stages) { s.Encode, s.Element = encode, encode }},
	}
}

// mapped changes a list of parameters without touching the original.
func mapped(list []Pair, change func(Pair) Pair) []Pair {
	out := make([]Pair, len(list))
	for i, p := range list {
		out[i] = change(p)
	}
	return out
}

func encodedValue(p Pair) Pair {
	return Pair{Name: p.Name, Value: Encode(p.Value)}
}

func lowerHex(text string) string {
	out := []byte(Encode(text))
	for i := 0; i+2 < len(out); i++ {
		if out[i] == '%' {
			copy(out[i+1:], strings.ToLower(string(out[i+1:i+3])))
			i += 2
		}
	}
	return string(out)
}

// Mistakes are the mistakes that the oracle can make.
func Mistakes() []Mistake {
	var all []Mistake
	all = append(all, wrongly("plus-for-space", replaced("%20", "+"))...)
	all = append(all, wrongly("asterisk-unencoded", replaced("%2A", "*"))...)
	all = append(all, wrongly("marks-unencoded", replaced("%21", "!", "%2A", "*", "%27", "'", "%28", "(", "%29", ")"))...)
	all = append(all, wrongly("tilde-encoded", replaced("~", "%7E"))...)
	all = append(all, wrongly("slash-unencoded", replaced("%2F", "/"))...)
	all = append(all, wrongly("lowercase-hex", lowerHex)...)
	stage := func(id, slot string, make func(SignRequest, *Stages)) {
		all = append(all, Mistake{id, slot, make})
	}
	stage("not-decoded", "input", func(_ SignRequest, s *Stages) {
		s.Body = mapped(s.Body, encodedValue)
	})
	stage("oauth-encoded-twice", "oauth input", func(_ SignRequest, s *Stages) { s.OAuth = mapped(s.OAuth, encodedValue) })
	stage("values-not-encoded", "values", func(_ SignRequest, s *Stages) { s.RawValues = true })
	stage("names-not-encoded", "names", func(_ SignRequest, s *Stages) { s.RawNames = true })
	stage("parameters-not-encoded-again", "third", func(_ SignRequest, s *Stages) { s.BareThird = true })
	stage("url-not-encoded", "second", func(_ SignRequest, s *Stages) { s.BareURI = true })
	stage("base-encoded-whole", "base", func(_ SignRequest, s *Stages) {
		then := s.Finish
		s.Finish = func(base string) string { return then(Encode(base)) }
	})
	stage("body-omitted", "body", func(_ SignRequest, s *Stages) { s.Body = nil })
	stage("realm-signed", "realm", func(r SignRequest, s *Stages) {
		s.OAuth = append([]Pair{{Name: "realm", Value: r.Realm}}, s.OAuth...)
	})
	stage("oauth-twice", "twice", func(_ SignRequest, s *Stages) { s.Body = append(append([]Pair{}, s.Body...), s.OAuth...) })
	stage("version-omitted", "version", func(_ SignRequest, s *Stages) {
		var kept []Pair
		for _, p := range s.OAuth {
			if p.Name != "oauth_version" {
				kept = append(kept, p)
			}
		}
		s.OAuth = kept
	})
	stage("empty-token-added", "token", func(_ SignRequest, s *Stages) {
		s.OAuth = append(append([]Pair{}, s.OAuth...), Pair{Name: "oauth_token"})
	})
	stage("signature-signed", "signature", func(_ SignRequest, s *Stages) {
		s.OAuth = append(append([]Pair{}, s.OAuth...), Pair{Name: "oauth_signature"})
	})
	stage("empty-values-dropped", "empty", func(_ SignRequest, s *Stages) {
		empty := func(p Pair) bool { return p.Value == "" }
		for _, list := range [...]*[]Pair{&s.Body, &s.OAuth} {
			*list = slices.DeleteFunc(slices.Clone(*list), empty)
		}
	})
	stage("timestamp-milliseconds", "milliseconds", func(_ SignRequest, s *Stages) {
		s.OAuth = mapped(s.OAuth, func(p Pair) Pair {
			if p.Name == "oauth_timestamp" {
				p.Value += "000"
			}
			return p
		})
	})
	stage("payload-plus-to-space", "payload", func(_ SignRequest, s *Stages) {
		s.Body = mapped(s.Body, func(p Pair) Pair {
			if p.Name == "payload" {
				p.Value = strings.ReplaceAll(p.Value, "+", " ")
			}
			return p
		})
	})
	consumer := func(id string, change func(string) string) {
		stage(id, "consumer key", func(_ SignRequest, s *Stages) {
			s.OAuth = mapped(s.OAuth, func(p Pair) Pair {
				if p.Name == "oauth_consumer_key" {
					p.Value = change(p.Value)
				}
				return p
			})
		})
	}
	consumer("consumer-key-space", func(key string) string { return key + " " })
	consumer("consumer-key-case", strings.ToUpper)
	stage("oauth-unsigned", "oauth unsigned", func(_ SignRequest, s *Stages) { s.OAuth = nil })
	stage("body-final-newline", "body end", func(_ SignRequest, s *Stages) {
		if last := len(s.Body) - 1; last >= 0 {
			s.Body = append([]Pair{}, s.Body...)
			s.Body[last].Value += "\n"
		}
	})
	sorted := func(id string, before func(a, b Sorted) bool) {
		stage(id, "order", func(_ SignRequest, s *Stages) { s.Before = before })
	}
	sorted("sort-joined-pairs", func(a, b Sorted) bool { return a.Name+"="+a.Value < b.Name+"="+b.Value })
	sorted("sort-raw-names", func(a, b Sorted) bool {
		return a.RawName < b.RawName || a.RawName == b.RawName && a.RawValue < b.RawValue
	})
	sorted("sort-ignoring-case", func(a, b Sorted) bool {
		return strings.ToLower(a.Name) < strings.ToLower(b.Name) || strings.EqualFold(a.Name, b.Name) && strings.ToLower(a.Value) < strings.ToLower(b.Value)
	})
	sorted("unsorted", nil)
	stage("method-lowercase", "method", func(_ SignRequest, s *Stages) { s.Method = strings.ToLower(s.Method) })
	stage("method-get", "method", func(_ SignRequest, s *Stages) { s.Method = "GET" })
	stage("http-for-https", "scheme", func(r SignRequest, s *Stages) {
		other := map[string]string{"http": "https", "https": "http"}[r.Scheme]
		s.URI = other + strings.TrimPrefix(s.URI, r.Scheme)
	})
	stage("host-other", "host", func(r SignRequest, s *Stages) {
		s.URI = strings.Replace(s.URI, "://"+r.Host, "://localhost", 1)
	})
	stage("path-other", "path", func(r SignRequest, s *Stages) {
		path := r.path()
		if second := strings.IndexByte(path[1:], '/'); second >= 0 { // without its first segment
			s.URI = strings.TrimSuffix(s.URI, path) + path[second+1:]
		}
	})
	stage("trailing-slash-added", "slash", func(_ SignRequest, s *Stages) { s.URI += "/" })
	stage("default-port-kept", "port", func(r SignRequest, s *Stages) {
		port := map[string]string{"http": ":80", "https": ":443"}[r.Scheme]
		if r.port() == "" {
			s.URI = strings.Replace(s.URI, "://"+r.Host, "://"+r.Host+port, 1)
		}
	})
	stage("path-only", "url", func(r SignRequest, s *Stages) { s.URI = r.path() })
	stage("base-newline", "end", func(_ SignRequest, s *Stages) {
		then := s.Finish
		s.Finish = func(base string) string { return then(base) + "\n" }
	})
	stage("bom-in-base", "base start", func(_ SignRequest, s *Stages) {
		then := s.Finish
		s.Finish = func(base string) string { return "\xef\xbb\xbf" + then(base) }
	})
	keyed := func(id string, key func(SignRequest) string) {
		stage(id, "key", func(r SignRequest, s *Stages) { s.Key = key(r) })
	}
	keyed("secret-not-encoded", func(r SignRequest) string { return r.Secret + "&" })
	keyed("key-ampersand-missing", func(r SignRequest) string { return Encode(r.Secret) })
	for _, end := range [...]string{"\n", "\r\n"} {
		keyed("secret-newline", func(r SignRequest) string { return Encode(r.Secret+end) + "&" })
	}
	secret := func(id string, changes ...func(string) string) {
		for _, change := range changes {
			keyed(id, func(r SignRequest) string { return Encode(change(r.Secret)) + "&" })
			keyed(id, func(r SignRequest) string { return change(r.Secret) + "&" })
		}
	}
	around := func(before, behind string) func(string) string {
		return func(s string) string { return before + s + behind }
	}
	secret("secret-space", around("", " "), around("", "\t"), around(" ", ""))
	secret("secret-quotes", around(`"`, `"`), around("'", "'"))
	secret("secret-bom", around("\ufeff", ""))
	secret("secret-name", around("SECRET=", ""))
	secret("secret-case", strings.ToUpper)
	keyed("secrets-swapped", func(r SignRequest) string { return "&" + Encode(r.Secret) })
	for _, null := range [...]string{"null", "%28null%29"} {
		keyed("token-secret-null", func(r SignRequest) string { return Encode(r.Secret) + "&" + null })
	}
	written := func(id string, text func([]byte) string) {
		stage(id, "text", func(_ SignRequest, s *Stages) { s.Text = text })
	}
	written("signature-hex", hex.EncodeToString)
	written("signature-base64-of-hex", func(sum []byte) string { return base64.StdEncoding.EncodeToString([]byte(hex.EncodeToString(sum))) })
	written("signature-wrapped", func(sum []byte) string { return base64.StdEncoding.EncodeToString(sum) + "\n" })
	written("signature-encoded-twice", func(sum []byte) string { return Encode(base64.StdEncoding.EncodeToString(sum)) })
	written("signature-unpadded", base64.RawStdEncoding.EncodeToString)
	written("signature-urlsafe", base64.URLEncoding.EncodeToString)
	written("signature-urlsafe", base64.RawURLEncoding.EncodeToString)
	return all
}
