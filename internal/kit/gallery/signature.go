package gallery

import (
	"cmp"
	"crypto"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/kit/laws"
	"github.com/chargecast/chargecast/internal/oracle"
	"github.com/chargecast/chargecast/signature"
)

// A signer is the oracle's, with one of its steps changed.
type signer struct {
	// change changes what is signed. The request is as it was sent, including parameters that are never signed, and duplicates.
	change func(r oracle.SignRequest, s *oracle.Stages)
	rsa    func(key *rsa.PrivateKey, base string) ([]byte, error)
}

func rightSigner() signer {
	return signer{change: func(oracle.SignRequest, *oracle.Stages) {}, rsa: func(key *rsa.PrivateKey, base string) ([]byte, error) {
		sum := sha256.Sum256([]byte(base))
		return rsa.SignPKCS1v15(nil, key, crypto.SHA256, sum[:])
	}}
}

// stages are those of a request.
func (s signer) stages(r oracle.SignRequest) oracle.Stages {
	signed := r
	signed.OAuth = slices.DeleteFunc(slices.Clone(r.OAuth), unsigned)
	signed.Body = slices.DeleteFunc(slices.Clone(r.Body), func(p gen.Pair) bool {
		return p.Name == "oauth_signature" || strings.HasPrefix(p.Name, "oauth_") && slices.Contains(r.OAuth, p)
	})
	stages := signed.Stages()
	s.change(r, &stages)
	return stages
}

func unsigned(p gen.Pair) bool {
	return p.Name == "oauth_signature" || !strings.HasPrefix(p.Name, "oauth_")
}

// base makes the base string of a request that our own code takes.
func (s signer) base(r gen.SignRequest, oauth []gen.Pair) (string, error) {
	if _, err := laws.Ours().BaseString(r, oauth); err != nil {
		return "", err
	}
	parts := partsOf(r.URL)
	parts.Method, parts.Body, parts.OAuth = cmp.Or(strings.ToUpper(r.Method), "POST"), r.Params, oauth
	return s.stages(parts).Base(), nil
}

// partsOf are the parts of a URL.
func partsOf(raw string) oracle.SignRequest {
	var r oracle.SignRequest
	scheme, rest, _ := strings.Cut(raw, "://")
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		rest, r.Path = rest[:i], rest[i:]
	}
	host := rest[strings.LastIndexByte(rest, '@')+1:]
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		r.Port, _ = strconv.Atoi(host[i+1:])
		host = host[:i]
	}
	r.Scheme, r.Host = strings.ToLower(scheme), strings.ToLower(host)
	return r
}

func decode(text string) string {
	out, err := oracle.Decode(text)
	if err != nil {
		return text
	}
	return out
}

func (s signer) sign(r gen.SignRequest, c gen.SignChoices, k laws.SignKey) (string, error) {
	if _, err := laws.Ours().Sign(r, c, k); err != nil {
		return "", err
	}
	oauth := gen.SignCase{Consumer: c.ConsumerKey, Nonce: c.Nonce, Timestamp: c.Timestamp}.OAuth(k.Method)
	base, err := s.base(r, oauth)
	if err != nil {
		return "", err
	}
	raw, err := s.raw(base, k)
	if err != nil {
		return "", err
	}
	text := s.stages(oracle.SignRequest{}).Text(raw)
	return laws.SignHeader{Realm: c.Realm, Params: slices.Insert(oauth, 2, gen.Pair{Name: "oauth_signature", Value: text})}.String(), nil
}

func (s signer) raw(base string, k laws.SignKey) ([]byte, error) {
	if k.Method == "HMAC-SHA1" {
		return oracle.HMACSHA1(s.stages(oracle.SignRequest{Secret: k.Secret}).Key, base), nil
	}
	key, err := oracle.PrivateKey(k.PEM)
	if err != nil {
		return nil, err
	}
	return s.rsa(key, base)
}

// signing is our own code with another signer.
func signing(change func(r oracle.SignRequest, s *oracle.Stages)) damage {
	s := rightSigner()
	if change != nil {
		s.change = change
	}
	return s.put
}

// put makes it the signer of an implementation.
func (s signer) put(i *laws.Impl) {
	i.Encode, i.BaseString, i.Sign = s.stages(oracle.SignRequest{}).Encode, s.base, s.sign
}

// mistaken is a signer that makes a known mistake.
func mistaken(id string) func(oracle.SignRequest, *oracle.Stages) {
	all := oracle.Mistakes()
	return all[slices.IndexFunc(all, func(m oracle.Mistake) bool { return m.ID == id })].Make
}

// making is our own code whose signer makes a known mistake.
func making(id string) damage { return signing(mistaken(id)) }

// writing is a signer that makes a known mistake in writing the signature, and a verifier that reads it so.
func writing(id string, read func(string) ([]byte, error)) damage {
	return func(i *laws.Impl) {
		making(id)(i)
		right := i.Verify
		i.Verify = func(r gen.SignRequest, k laws.SignKey, o laws.SignOptions) laws.SignVerdict {
			return right(otherSpelling(r, func(text string) string {
				if raw, err := read(text); err == nil {
					return base64.StdEncoding.EncodeToString(raw)
				}
				return text
			}), k, o)
		}
	}
}

// trusting is an implementation whose verifier accepts what its own signer makes, and what fits
// says is right for a base string.
func trusting(s signer, fits func(s signer, base string, k laws.SignKey, raw []byte) bool) damage {
	return func(i *laws.Impl) {
		s.put(i)
		right := i.Verify
		i.Verify = func(r gen.SignRequest, k laws.SignKey, o laws.SignOptions) laws.SignVerdict {
			v := right(r, k, o)
			oauth := signedOf(r)
			base, err := s.base(r, oauth)
			if err != nil {
				return v
			}
			for _, p := range oauth {
				raw, err := base64.StdEncoding.DecodeString(p.Value)
				if p.Name == "oauth_signature" && err == nil && fits(s, base, k, raw) {
					consumer := oauth[slices.IndexFunc(oauth, func(p gen.Pair) bool { return p.Name == "oauth_consumer_key" })].Value
					return laws.SignVerdict{Signature: "ok", Acceptable: true, Consumer: consumer}
				}
			}
			return v
		}
	}
}

// hashing is a signer with another RSA signature, and a verifier that takes it.
func hashing(sign func(key *rsa.PrivateKey, base string) ([]byte, error), verify func(key *rsa.PublicKey, base string, raw []byte) error) damage {
	s := rightSigner()
	s.rsa = sign
	return trusting(s, func(_ signer, base string, k laws.SignKey, raw []byte) bool {
		key, err := oracle.PrivateKey(k.PEM)
		return err == nil && verify(&key.PublicKey, base, raw) == nil
	})
}

// signatureRows are wrong about signatures.
func signatureRows() []Member {
	return slices.Concat(signerRows(), verifierRows())
}

func signerRows() []Member {
	return []Member{
		{"plus-for-space", "space as `+`", by("P02"), "`a b`", making("plus-for-space")},
		{"lower-case-hex", "`%2f`", by("P02"), "`/`", making("lowercase-hex")},
		{"tilde-encoded", "`%7E`", by("P02"), "`~`", making("tilde-encoded")},
		{"star-kept", "`!*'()` unencoded", by("P02"), "`*`", making("marks-unencoded")},
		{"slash-kept", "`/` unencoded", by("P02"), "`/`", making("slash-unencoded")},
		{"latin-1", "characters as Latin-1 bytes", by("P01", "B08"), "`é`", signing(func(_ oracle.SignRequest, s *oracle.Stages) { s.Encode = latin1 })},
		{"raw-name-sort", "sorted before encoding", by("B08"), "`é`, `z`", making("sort-raw-names")},
		{"joined-sort", "sorted as `name=value`", by("B08"), "`a`, `a-b`", making("sort-joined-pairs")},
		{"any-case-sort", "case-insensitive order", by("B08"), "`B`, `a`", making("sort-ignoring-case")},
		{"unsorted", "order as given", by("B08"), "two parameters", making("unsorted")},
		{"values-unsorted", "equal names in given order", by("B08"), "`a=2`, `a=1`", signing(func(_ oracle.SignRequest, s *oracle.Stages) {
			s.Before = func(a, b oracle.Sorted) bool { return a.Name < b.Name }
		})},
		{"names-raw", "names not encoded", by("B08"), "`a[b]`", making("names-not-encoded")},
		{"encoded-once", "parameter string not encoded again", by("B08"), "payload with `+`", making("parameters-not-encoded-again")},
		{"encoded-thrice", "values encoded before collection", by("B08"), "same", making("not-decoded")},
		{"base-string-newline", "LF at the end", by("B08"), "any", making("base-newline")},
		{"duplicates-dropped", "one value per name", by("B02"), "`a=1`, `a=2`", signing(func(_ oracle.SignRequest, s *oracle.Stages) {
			var first []gen.Pair
			for _, p := range s.Body {
				if !slices.ContainsFunc(first, func(earlier gen.Pair) bool { return earlier.Name == p.Name }) {
					first = append(first, p)
				}
			}
			s.Body = first
		})},
		{"body-left-out", "body parameters unsigned", by("B08", "S02"), "payload changed", trusting(signer{mistaken("body-omitted"), rightSigner().rsa}, func(s signer, base string, k laws.SignKey, raw []byte) bool {
			own, err := s.raw(base, k)
			return err == nil && hmac.Equal(own, raw)
		})},
		{"realm-signed", "realm in the set", by("B02"), "realm", adding("realm")},
		{"signature-signed", "oauth_signature in the set", by("B02"), "any", adding("oauth_signature")},
		{"version-left-out", "oauth_version unsigned", by("B08"), "any", making("version-omitted")},
		{"empty-token-signed", "`oauth_token=` added", by("B08"), "any", making("empty-token-added")},
		{"carried-twice-signed-twice", "body copy signed again", by("B05"), "HMAC, both places", signing(func(r oracle.SignRequest, s *oracle.Stages) {
			s.Body = slices.DeleteFunc(slices.Clone(r.Body), func(p gen.Pair) bool { return p.Name == "oauth_signature" })
		})},
		{"query-kept", "a query is signed", by("U05"), "`?a=1`", func(i *laws.Impl) {
			right := i.Sign
			i.Sign = func(r gen.SignRequest, c gen.SignChoices, k laws.SignKey) (string, error) {
				r.URL, _, _ = strings.Cut(r.URL, "?")
				return right(r, c, k)
			}
		}},
		{"default-port-kept", "`:443` stays", by("B08"), "https", making("default-port-kept")},
		{"any-port-dropped", "`:8443` lost", by("B08"), "https", locating(func(r oracle.SignRequest) string {
			r.Port = 0
			return r.URI()
		})},
		{"cross-port-dropped", "443 lost for http", by("B08"), "http", locating(func(r oracle.SignRequest) string {
			if r.Port == 443 || r.Port == 80 {
				r.Port = 0
			}
			return r.URI()
		})},
		{"host-case-kept", "upper-case host", by("B08"), "`Host`", func(i *laws.Impl) {
			right := i.BaseString
			i.BaseString = func(r gen.SignRequest, oauth []gen.Pair) (string, error) {
				base, err := right(r, oauth)
				_, typed, _ := strings.Cut(r.URL, "://")
				host := typed[:len(partsOf(r.URL).Host)]
				return strings.Replace(base, oracle.Encode(strings.ToLower(host)), oracle.Encode(host), 1), err
			}
		}},
		{"path-decoded", "`%2F` in the path decoded", by("B08"), "`/a%2Fb`", locating(func(r oracle.SignRequest) string {
			r.Path = decode(r.Path)
			return r.URI()
		})},
		{"empty-path-kept", "no `/`", by("B08"), "`https://h`", locating(func(r oracle.SignRequest) string {
			if r.Path == "" {
				return strings.TrimSuffix(r.URI(), "/")
			}
			return r.URI()
		})},
		{"secret-without-ampersand", "HMAC key without `&`", by("S04"), "any", making("key-ampersand-missing")},
		{"secret-raw", "secret not encoded", by("S04"), "`a+b`", making("secret-not-encoded")},
		{"sha1-for-sha256", "another hash", by("S03", "S05"), "any", hashing(func(key *rsa.PrivateKey, base string) ([]byte, error) {
			sum := sha1.Sum([]byte(base))
			return rsa.SignPKCS1v15(nil, key, crypto.SHA1, sum[:])
		}, func(key *rsa.PublicKey, base string, raw []byte) error {
			sum := sha1.Sum([]byte(base))
			return rsa.VerifyPKCS1v15(key, crypto.SHA1, sum[:], raw)
		})},
		{"pss-padding", "another padding", by("S03", "S05"), "any", hashing(func(key *rsa.PrivateKey, base string) ([]byte, error) {
			sum := sha256.Sum256([]byte(base))
			return rsa.SignPSS(rand.Reader, key, crypto.SHA256, sum[:], nil)
		}, func(key *rsa.PublicKey, base string, raw []byte) error {
			sum := sha256.Sum256([]byte(base))
			return rsa.VerifyPSS(key, crypto.SHA256, sum[:], raw, nil)
		})},
		{"hex-signature", "the signature as hex", by("S06", "S07"), "any", writing("signature-hex", hex.DecodeString)},
		{"base64-of-hex", "base64 of the hex text", by("S06", "S07"), "any", writing("signature-base64-of-hex", func(text string) ([]byte, error) {
			inner, err := base64.StdEncoding.DecodeString(text)
			if err != nil {
				return nil, err
			}
			return hex.DecodeString(string(inner))
		})},
		{"url-safe-base64", "the URL-safe alphabet", by("S06", "S07"), "any", writing("signature-urlsafe", base64.URLEncoding.DecodeString)},
		{"wrapped-base64", "a line break in the signature", by("S06", "S07"), "any", writing("signature-wrapped", base64.StdEncoding.DecodeString)},
		{"header-signature-raw", "signature not encoded in the header", by("H01"), "`+` in it", func(i *laws.Impl) {
			i.FormatHeader = func(h laws.SignHeader) string {
				text := h.String()
				for _, p := range h.Params {
					if p.Name == "oauth_signature" {
						text = strings.Replace(text, oracle.Encode(p.Value), p.Value, 1)
					}
				}
				return text
			}
		}},
		{"sign-empty-on-error", "empty signature, no error", by("S10"), "broken key", signed(func(text string, _ error, _ laws.SignKey) (string, error) { return text, nil })},
	}
}

func latin1(text string) string {
	var raw []byte
	for _, r := range text {
		if r > 0xff {
			r = '?'
		}
		raw = append(raw, byte(r))
	}
	return oracle.Encode(string(raw))
}

// adding is a signer that signs one parameter of the header more.
func adding(name string) damage {
	return signing(func(r oracle.SignRequest, s *oracle.Stages) {
		for _, p := range r.OAuth {
			if p.Name == name {
				s.OAuth = append(s.OAuth, p)
			}
		}
	})
}

// locating is a signer with another second element.
func locating(uri func(r oracle.SignRequest) string) damage {
	return signing(func(r oracle.SignRequest, s *oracle.Stages) { s.URI = uri(r) })
}

// verifying is our own code with another verifier.
func verifying(change func(right func(gen.SignRequest) laws.SignVerdict, r gen.SignRequest, k laws.SignKey) laws.SignVerdict) damage {
	return func(i *laws.Impl) {
		right := i.Verify
		i.Verify = func(r gen.SignRequest, k laws.SignKey, o laws.SignOptions) laws.SignVerdict {
			return change(func(r gen.SignRequest) laws.SignVerdict { return right(r, k, o) }, r, k)
		}
	}
}

// deciding is our own code whose verdicts are changed.
func deciding(change func(v *laws.SignVerdict, r gen.SignRequest, k laws.SignKey)) damage {
	return verifying(func(right func(gen.SignRequest) laws.SignVerdict, r gen.SignRequest, k laws.SignKey) laws.SignVerdict {
		v := right(r)
		change(&v, r, k)
		return v
	})
}

// signed is our own code whose signatures and refusals are changed.
func signed(change func(text string, err error, k laws.SignKey) (string, error)) damage {
	return func(i *laws.Impl) {
		right := i.Sign
		i.Sign = func(r gen.SignRequest, c gen.SignChoices, k laws.SignKey) (string, error) {
			text, err := right(r, c, k)
			return change(text, err, k)
		}
	}
}

// headed is our own code that reads headers otherwise.
func headed(read func(right func(string) (laws.SignHeader, error), text string) (laws.SignHeader, error)) damage {
	return func(i *laws.Impl) {
		right := i.ParseHeader
		i.ParseHeader = func(text string) (laws.SignHeader, error) { return read(right, text) }
	}
}

// otherSpelling is a request whose signature is written otherwise.
func otherSpelling(r gen.SignRequest, change func(string) string) gen.SignRequest {
	h, err := laws.Ours().ParseHeader(r.Authorization)
	if err != nil {
		return r
	}
	for i, p := range h.Params {
		if p.Name == "oauth_signature" {
			h.Params[i].Value = change(p.Value)
		}
	}
	r.Authorization = laws.Ours().FormatHeader(h)
	return r
}

func verifierRows() []Member {
	return []Member{
		{"header-splits-on-comma", "quoted comma splits", by("H01", "H02"), "realm `a, b`", headed(func(_ func(string) (laws.SignHeader, error), text string) (laws.SignHeader, error) {
			var h laws.SignHeader
			for part := range strings.SplitSeq(strings.TrimPrefix(text, "OAuth "), ",") {
				name, value, ok := strings.Cut(strings.TrimSpace(part), "=")
				if value = strings.Trim(value, `"`); !ok {
					return h, errors.New("no value")
				}
				if name == "realm" {
					h.Realm = &value
					continue
				}
				h.Params = append(h.Params, gen.Pair{Name: decode(name), Value: decode(value)})
			}
			return h, nil
		})},
		{"verify-ignores-body", "accepts a changed body", by("S02"), "one parameter more", verifying(func(right func(gen.SignRequest) laws.SignVerdict, r gen.SignRequest, _ laws.SignKey) laws.SignVerdict {
			v := right(r)
			if !v.Acceptable && len(r.Params) > 0 {
				r.Params = r.Params[:len(r.Params)-1]
				v = right(r)
			}
			return v
		})},
		{"verify-any-method", "accepts another method", by("U05"), "GET for POST", verifying(func(right func(gen.SignRequest) laws.SignVerdict, r gen.SignRequest, _ laws.SignKey) laws.SignVerdict {
			v := right(r)
			for _, r.Method = range []string{"POST", "GET", "PUT"} {
				if other := right(r); other.Acceptable {
					return other
				}
			}
			return v
		})},
		{"verify-prefix", "accepts a truncated tag", by("S05"), "one byte", verifying(func(right func(gen.SignRequest) laws.SignVerdict, r gen.SignRequest, k laws.SignKey) laws.SignVerdict {
			base, err := laws.Ours().BaseString(r, signedOf(r))
			if err != nil || k.Method != "HMAC-SHA1" {
				return right(r)
			}
			tag := oracle.HMACSHA1(oracle.SignRequest{Secret: k.Secret}.Stages().Key, base)
			return right(otherSpelling(r, func(text string) string {
				if raw, err := base64.StdEncoding.DecodeString(text); err == nil && len(raw) > 0 && strings.HasPrefix(string(tag), string(raw)) {
					return base64.StdEncoding.EncodeToString(tag)
				}
				return text
			}))
		})},
		{"verify-lenient-base64", "unpadded accepted", by("S06"), "any", verifying(func(right func(gen.SignRequest) laws.SignVerdict, r gen.SignRequest, _ laws.SignKey) laws.SignVerdict {
			return right(otherSpelling(r, func(text string) string { return text + strings.Repeat("=", (4-len(text)%4)%4) }))
		})},
		{"fresh-into-signature", "old timestamp reported as mismatch", by("S08"), "clock +1 h", deciding(func(v *laws.SignVerdict, _ gen.SignRequest, _ laws.SignKey) {
			if v.Stale {
				v.Signature = signature.VerdictMismatch.String()
			}
		})},
	}
}

// signedOf are the OAuth parameters of a request's header.
func signedOf(r gen.SignRequest) []gen.Pair {
	h, err := laws.Ours().ParseHeader(r.Authorization)
	if err != nil {
		return nil
	}
	return h.Params
}
