package gallery

import (
	"cmp"
	"crypto"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/fuzz/laws"
	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/diagnose"
)

// signing is our own code with another signer.
func signing(change func(*signer)) damage {
	s := rightSigner()
	if change != nil {
		change(&s)
	}
	return func(i *laws.Impl) {
		i.Encode, i.BaseString, i.Sign, i.FormatHeader = s.encode, s.base, s.sign, s.format
	}
}

// collecting is a signer that collects something else.
func collecting(change func(body, oauth, query []gen.Pair) (b, o, q []gen.Pair)) damage {
	return signing(func(s *signer) {
		right := s.collect
		s.collect = func(body, oauth, query []gen.Pair) []gen.Pair { return right(change(body, oauth, query)) }
	})
}

// encoding is a signer with another percent-encoder.
func encoding(change func(string) string) damage {
	return signing(func(s *signer) { s.encode = change })
}

func sorting(compare func(a, b entry) int) damage {
	return signing(func(s *signer) { s.compare = compare })
}

func locating(uri func(address) string) damage {
	return signing(func(s *signer) { s.uri = uri })
}

// writing is a signer that writes the signature otherwise, and a verifier that reads it so.
func writing(text func([]byte) string, read func(string) ([]byte, error)) damage {
	return func(i *laws.Impl) {
		signing(func(s *signer) { s.text = text })(i)
		right := i.Verify
		i.Verify = func(r gen.SignRequest, k laws.SignKey, o laws.SignOptions) laws.SignVerdict {
			return right(respelled(r, func(text string) string {
				if raw, err := read(text); err == nil {
					return base64.StdEncoding.EncodeToString(raw)
				}
				return text
			}), k, o)
		}
	}
}

// believing is an implementation whose verifier accepts what its own signer makes, and what fits
// says is right for a base string.
func believing(change func(*signer), fits func(s signer, base string, k laws.SignKey, raw []byte) bool) damage {
	s := rightSigner()
	change(&s)
	return func(i *laws.Impl) {
		signing(change)(i)
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

// keyOf is the RSA key of a PEM text; nil for another text.
func keyOf(k laws.SignKey) *rsa.PublicKey {
	block, _ := pem.Decode([]byte(k.PEM))
	if block == nil {
		return nil
	}
	key, err := x509.ParsePKCS1PrivateKey(block.Bytes)
	if err != nil {
		return nil
	}
	return &key.PublicKey
}

// keeping is percent-encoding that leaves some characters as they are.
func keeping(chars string) func(string) string {
	return func(text string) string {
		out := percent(text)
		for _, c := range chars {
			out = strings.ReplaceAll(out, fmt.Sprintf("%%%02X", c), string(c))
		}
		return out
	}
}

func lowerHex(text string) string {
	out := []byte(percent(text))
	for i, c := range out {
		if c == '%' {
			copy(out[i+1:i+3], strings.ToLower(string(out[i+1:i+3])))
		}
	}
	return string(out)
}

func latin1(text string) string {
	var raw []byte
	for _, r := range text {
		if r > 0xff {
			r = '?'
		}
		raw = append(raw, byte(r))
	}
	return percent(string(raw))
}

// signatureRows are wrong about signatures.
func signatureRows() []Member {
	return slices.Concat(encodingRows(), collectionRows(), addressRows(), keyRows(), verifierRows(), diagnosisRows())
}

func encodingRows() []Member {
	return []Member{
		{"plus-for-space", "space as `+`", by("P02"), "`a b`", encoding(func(text string) string { return strings.ReplaceAll(percent(text), "%20", "+") })},
		{"lower-case-hex", "`%2f`", by("P02"), "`/`", encoding(lowerHex)},
		{"tilde-encoded", "`%7E`", by("P02"), "`~`", encoding(func(text string) string { return strings.ReplaceAll(percent(text), "~", "%7E") })},
		{"star-kept", "`!*'()` unencoded", by("P02"), "`*`", encoding(keeping("!*'()"))},
		{"slash-kept", "`/` unencoded", by("P02"), "`/`", encoding(keeping("/"))},
		{"latin-1", "characters as Latin-1 bytes", by("P01", "B08"), "`é`", encoding(latin1)},
		{"raw-name-sort", "sorted before encoding", by("B03"), "`é`, `z`", sorting(func(a, b entry) int {
			return cmp.Or(strings.Compare(a.raw.Name, b.raw.Name), strings.Compare(a.raw.Value, b.raw.Value))
		})},
		{"joined-sort", "sorted as `name=value`", by("B03"), "`a`, `a-b`", sorting(func(a, b entry) int {
			return strings.Compare(a.encoded.Name+"="+a.encoded.Value, b.encoded.Name+"="+b.encoded.Value)
		})},
		{"any-case-sort", "case-insensitive order", by("B08", "B03"), "`B`, `a`", sorting(func(a, b entry) int {
			return cmp.Or(strings.Compare(strings.ToLower(a.encoded.Name), strings.ToLower(b.encoded.Name)), byEncoded(a, b))
		})},
		{"unsorted", "order as given", by("B01"), "two parameters", sorting(nil)},
		{"values-unsorted", "equal names in given order", by("B01", "B03"), "`a=2`, `a=1`", sorting(func(a, b entry) int { return strings.Compare(a.encoded.Name, b.encoded.Name) })},
		{"names-raw", "names not encoded", by("B04", "B08"), "`a[b]`", signing(func(s *signer) {
			s.compare = nil
			right := s.collect
			s.collect = func(body, oauth, query []gen.Pair) []gen.Pair {
				list := right(body, oauth, query)
				for i := range list {
					list[i].Value = percent(list[i].Value)
				}
				slices.SortFunc(list, func(a, b gen.Pair) int {
					return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Value, b.Value))
				})
				return list
			}
			s.encode = same
		})},
		{"encoded-once", "parameter string not encoded again", by("B06"), "payload with `+`", signing(func(s *signer) { s.element = same })},
		{"encoded-thrice", "values encoded before collection", by("B06"), "same", collecting(func(body, oauth, query []gen.Pair) (b, o, q []gen.Pair) {
			return mapped(body, percent), oauth, query
		})},
		{"base-string-newline", "LF at the end", by("B04"), "any", signing(func(s *signer) { s.finish = func(base string) string { return base + "\n" } })},
	}
}

func mapped(list []gen.Pair, change func(string) string) []gen.Pair {
	var out []gen.Pair
	for _, p := range list {
		out = append(out, gen.Pair{Name: p.Name, Value: change(p.Value)})
	}
	return out
}

// adding is a signer that signs one parameter of the header, or a new one, more.
func adding(names ...string) damage {
	return signing(func(s *signer) {
		right := s.collect
		s.collect = func(body, oauth, query []gen.Pair) []gen.Pair {
			list := right(body, oauth, query)
			for _, p := range oauth {
				if slices.Contains(names, p.Name) {
					list = append(list, p)
				}
			}
			return list
		}
	})
}

func collectionRows() []Member {
	return []Member{
		{"duplicates-dropped", "one value per name", by("B02"), "`a=1`, `a=2`", collecting(func(body, oauth, query []gen.Pair) (b, o, q []gen.Pair) {
			for i, p := range body {
				if !slices.ContainsFunc(body[:i], func(earlier gen.Pair) bool { return earlier.Name == p.Name }) {
					b = append(b, p)
				}
			}
			return b, oauth, query
		})},
		{"body-left-out", "body parameters unsigned", by("B08", "S02"), "payload changed", believing(func(s *signer) {
			right := s.collect
			s.collect = func(_, oauth, query []gen.Pair) []gen.Pair { return right(nil, oauth, query) }
		}, func(s signer, base string, k laws.SignKey, raw []byte) bool {
			own, err := s.raw(base, k)
			return err == nil && hmac.Equal(own, raw)
		})},
		{"realm-signed", "realm in the set", by("B02"), "realm", adding("realm")},
		{"signature-signed", "oauth_signature in the set", by("B02"), "any", adding("oauth_signature")},
		{"version-left-out", "oauth_version unsigned", by("H03", "B08"), "any", collecting(func(body, oauth, query []gen.Pair) (b, o, q []gen.Pair) {
			return body, slices.DeleteFunc(slices.Clone(oauth), func(p gen.Pair) bool { return p.Name == "oauth_version" }), query
		})},
		{"empty-token-signed", "`oauth_token=` added", by("B08"), "any", collecting(func(body, oauth, query []gen.Pair) (b, o, q []gen.Pair) {
			return body, append(slices.Clone(oauth), gen.Pair{Name: "oauth_token"}), query
		})},
		{"carried-twice-signed-twice", "body copy signed again", by("B05"), "HMAC, both places", signing(func(s *signer) {
			s.collect = func(body, oauth, query []gen.Pair) []gen.Pair {
				return slices.Concat(withoutCopies(body, nil), slices.DeleteFunc(slices.Clone(oauth), unsigned), withoutSignature(query))
			}
		})},
	}
}

func addressRows() []Member {
	return []Member{
		{"query-kept", "query stays in the URL", by("U05"), "`?a=1`", locating(func(a address) string {
			if a.query == "" {
				return baseURI(a)
			}
			return baseURI(a) + "?" + a.query
		})},
		{"default-port-kept", "`:443` stays", by("U03"), "https", locating(func(a address) string { return a.origin(true) + cmp.Or(a.path, "/") })},
		{"any-port-dropped", "`:8443` lost", by("U03"), "https", locating(func(a address) string { return a.origin(false) + cmp.Or(a.path, "/") })},
		{"cross-port-dropped", "443 lost for http", by("U03"), "http", locating(func(a address) string {
			return a.origin(a.port != "443" && a.port != "80") + cmp.Or(a.path, "/")
		})},
		{"host-case-kept", "upper-case host", by("U02"), "`Host`", locating(func(a address) string {
			return strings.ToLower(a.scheme) + "://" + a.host + strings.TrimPrefix(baseURI(a), a.origin(false))
		})},
		{"path-decoded", "`%2F` in the path decoded", by("U02"), "`/a%2Fb`", locating(func(a address) string {
			a.path = decode(a.path)
			return baseURI(a)
		})},
		{"empty-path-kept", "no `/`", by("U04"), "`https://h`", locating(func(a address) string { return a.origin(!a.isDefault()) + a.path })},
	}
}

func keyRows() []Member {
	return []Member{
		{"secret-without-ampersand", "HMAC key without `&`", by("S04"), "any", signing(func(s *signer) {
			s.key = func(secret, token string) string { return percent(secret) + percent(token) }
		})},
		{"secret-raw", "secret not encoded", by("S04"), "`a+b`", signing(func(s *signer) {
			s.key = func(secret, token string) string { return secret + "&" + token }
		})},
		{"sha1-for-sha256", "another hash", by("S03", "S05"), "any", believing(func(s *signer) {
			s.rsa = func(key *rsa.PrivateKey, base string) ([]byte, error) {
				sum := sha1.Sum([]byte(base))
				return rsa.SignPKCS1v15(nil, key, crypto.SHA1, sum[:])
			}
		}, func(_ signer, base string, k laws.SignKey, raw []byte) bool {
			key, sum := keyOf(k), sha1.Sum([]byte(base))
			return key != nil && rsa.VerifyPKCS1v15(key, crypto.SHA1, sum[:], raw) == nil
		})},
		{"pss-padding", "another padding", by("S03", "S05"), "any", believing(func(s *signer) {
			s.rsa = func(key *rsa.PrivateKey, base string) ([]byte, error) {
				sum := sha256.Sum256([]byte(base))
				return rsa.SignPSS(rand.Reader, key, crypto.SHA256, sum[:], nil)
			}
		}, func(_ signer, base string, k laws.SignKey, raw []byte) bool {
			key, sum := keyOf(k), sha256.Sum256([]byte(base))
			return key != nil && rsa.VerifyPSS(key, crypto.SHA256, sum[:], raw, nil) == nil
		})},
		{"hex-signature", "the signature as hex", by("S06", "S07"), "any", writing(hex.EncodeToString, hex.DecodeString)},
		{"base64-of-hex", "base64 of the hex text", by("S06", "S07"), "any", writing(func(raw []byte) string {
			return base64.StdEncoding.EncodeToString([]byte(hex.EncodeToString(raw)))
		}, func(text string) ([]byte, error) {
			inner, err := base64.StdEncoding.DecodeString(text)
			if err != nil {
				return nil, err
			}
			return hex.DecodeString(string(inner))
		})},
		{"url-safe-base64", "the URL-safe alphabet", by("S06", "S07"), "any", writing(base64.URLEncoding.EncodeToString, base64.URLEncoding.DecodeString)},
		{"wrapped-base64", "a line break in the signature", by("S06", "S07"), "any", writing(func(raw []byte) string {
			return base64.StdEncoding.EncodeToString(raw) + "\n"
		}, base64.StdEncoding.DecodeString)},
		{"header-signature-raw", "signature not encoded in the header", by("H01"), "`+` in it", signing(func(s *signer) {
			s.header = func(name, value string) string {
				if name == "oauth_signature" {
					return value
				}
				return percent(value)
			}
		})},
		{"sign-empty-on-error", "empty signature, no error", by("S10"), "broken key", func(i *laws.Impl) {
			right := i.Sign
			i.Sign = func(r gen.SignRequest, c gen.SignChoices, k laws.SignKey) (string, error) {
				text, _ := right(r, c, k)
				return text, nil
			}
		}},
	}
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

// respelled is a request whose signature is written otherwise.
func respelled(r gen.SignRequest, change func(string) string) gen.SignRequest {
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
		{"header-splits-on-comma", "quoted comma splits", by("H01"), "realm `a, b`", func(i *laws.Impl) {
			i.ParseHeader = func(text string) (laws.SignHeader, error) {
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
			}
		}},
		{"verify-ignores-body", "accepts a changed body", by("S02"), "one parameter more", verifying(func(right func(gen.SignRequest) laws.SignVerdict, r gen.SignRequest, _ laws.SignKey) laws.SignVerdict {
			v := right(r)
			if !v.Acceptable && len(r.Params) > 0 {
				r.Params = r.Params[:len(r.Params)-1]
				v = right(r)
			}
			return v
		})},
		{"verify-any-method", "accepts another method", by("S02"), "GET for POST", verifying(func(right func(gen.SignRequest) laws.SignVerdict, r gen.SignRequest, _ laws.SignKey) laws.SignVerdict {
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
			tag, _ := rightSigner().raw(base, k)
			return right(respelled(r, func(text string) string {
				if raw, err := base64.StdEncoding.DecodeString(text); err == nil && len(raw) > 0 && strings.HasPrefix(string(tag), string(raw)) {
					return base64.StdEncoding.EncodeToString(tag)
				}
				return text
			}))
		})},
		{"verify-lenient-base64", "unpadded accepted", by("S06"), "any", verifying(func(right func(gen.SignRequest) laws.SignVerdict, r gen.SignRequest, _ laws.SignKey) laws.SignVerdict {
			return right(respelled(r, func(text string) string { return text + strings.Repeat("=", (4-len(text)%4)%4) }))
		})},
		{"fresh-into-signature", "old timestamp reported as mismatch", by("S08"), "clock +1 h", verifying(func(right func(gen.SignRequest) laws.SignVerdict, r gen.SignRequest, _ laws.SignKey) laws.SignVerdict {
			v := right(r)
			if v.Stale {
				v.Signature = signature.VerdictMismatch.String()
			}
			return v
		})},
		{"diagnose-guesses", "reports a mistake without reproducing it", by("D03", "D06"), "random signature", diagnosing(func(d *laws.SignDiagnosis) {
			if !d.Match && len(d.Causes) == 0 {
				d.Causes = []diagnose.Cause{{IDs: []string{"plus-for-space"}, Text: "x", Fix: "y"}}
			}
		})},
		{"diagnose-first-hit", "a pair where one mistake suffices", by("D04"), "plus-for-space", diagnosing(func(d *laws.SignDiagnosis) {
			for i, c := range d.Causes {
				if len(c.IDs) == 1 {
					d.Causes[i].IDs = slices.Sorted(slices.Values([]string{c.IDs[0], "rsa-pss"}))
				}
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

// diagnosing is our own code with its diagnosis changed.
func diagnosing(change func(*laws.SignDiagnosis)) damage {
	return func(i *laws.Impl) {
		right := i.Diagnose
		i.Diagnose = func(r gen.SignRequest, k laws.SignKey) laws.SignDiagnosis {
			d := right(r, k)
			change(&d)
			return d
		}
	}
}

// diagnosisRows are for the laws of signatures that no member breaks, and for the ways to leak.
func diagnosisRows() []Member {
	right := laws.Ours()
	reencoded := func(change func(string) string) damage {
		return func(i *laws.Impl) { i.Encode = func(text string) string { return change(right.Encode(text)) } }
	}
	return []Member{
		wrong("P03", "what is encoded depends on the length", func(i *laws.Impl) {
			i.Encode = func(text string) string {
				if len(text) > 3 {
					return strings.ReplaceAll(right.Encode(text), "~", "%7E")
				}
				return right.Encode(text)
			}
		}),
		wrong("P04", "what is encoded already is left alone", func(i *laws.Impl) {
			i.Encode = func(text string) string {
				if back, err := right.Decode(text); err == nil && back != text {
					return text
				}
				return right.Encode(text)
			}
		}),
		wrong("P05", "escapes that do not keep the order of bytes", reencoded(func(text string) string { return strings.ReplaceAll(text, "%25", "~25") })),
		wrong("P06", "url.QueryEscape", reencoded(func(text string) string { return strings.ReplaceAll(text, "%20", "+") })),
		wrong("U01", "a normalised URL is changed again", func(i *laws.Impl) {
			i.BaseString = func(r gen.SignRequest, oauth []gen.Pair) (string, error) {
				base, err := right.BaseString(r, oauth)
				return strings.Replace(base, "%2F%2F", "%2F%2Fwww.", 1), err
			}
		}),
		wrong("B07", "a byte that is not encoded", func(i *laws.Impl) {
			i.BaseString = func(r gen.SignRequest, oauth []gen.Pair) (string, error) {
				base, err := right.BaseString(r, oauth)
				return strings.ReplaceAll(base, "%2526", "%25\xff"), err
			}
		}),
		wrong("H02", "the order of the header matters", func(i *laws.Impl) {
			i.ParseHeader = func(text string) (laws.SignHeader, error) {
				h, err := right.ParseHeader(text)
				if len(h.Params) > 0 && h.Params[0].Name != "oauth_consumer_key" {
					h.Params = h.Params[1:]
				}
				return h, err
			}
		}),
		wrong("H04", "an open quote is closed", func(i *laws.Impl) {
			i.ParseHeader = func(text string) (laws.SignHeader, error) {
				h, err := right.ParseHeader(text)
				if err != nil {
					if mended, again := right.ParseHeader(text + `"`); again == nil {
						return mended, nil
					}
				}
				return h, err
			}
		}),
		wrong("H05", "a header of any size", func(i *laws.Impl) {
			i.ParseHeader = func(text string) (laws.SignHeader, error) {
				if len(text) > 8<<10 {
					return laws.SignHeader{}, nil
				}
				return right.ParseHeader(text)
			}
		}),
		wrong("S01", "verifies nothing", func(i *laws.Impl) {
			i.Verify = func(gen.SignRequest, laws.SignKey, laws.SignOptions) laws.SignVerdict {
				return laws.SignVerdict{Signature: "mismatch"}
			}
		}),
		wrong("S05", "everything verifies", func(i *laws.Impl) {
			i.Verify = func(r gen.SignRequest, k laws.SignKey, o laws.SignOptions) laws.SignVerdict {
				return laws.SignVerdict{Signature: "ok", Acceptable: true}
			}
		}),
		wrong("S05", "another length is not said to be one", func(i *laws.Impl) {
			i.Verify = func(r gen.SignRequest, k laws.SignKey, o laws.SignOptions) laws.SignVerdict {
				v := right.Verify(r, k, o)
				v.Codes = slices.DeleteFunc(v.Codes, func(c string) bool { return c == "signature-length" })
				return v
			}
		}),
		wrong("S08", "the edge of the window is outside", func(i *laws.Impl) {
			i.Verify = func(r gen.SignRequest, k laws.SignKey, o laws.SignOptions) laws.SignVerdict {
				if o.Window > 1 {
					o.Window--
				}
				return right.Verify(r, k, o)
			}
		}),
		wrong("S08", "a use that nobody signed is remembered", func(i *laws.Impl) {
			i.Verify = func(r gen.SignRequest, k laws.SignKey, o laws.SignOptions) laws.SignVerdict {
				v := right.Verify(r, k, o)
				h, _ := right.ParseHeader(r.Authorization)
				for _, p := range h.Params {
					if p.Name == "oauth_consumer_key" {
						v.Consumer = p.Value
					}
				}
				return v
			}
		}),
		wrong("S09", "PKCS#8 is not read", func(i *laws.Impl) {
			i.Sign = func(r gen.SignRequest, c gen.SignChoices, k laws.SignKey) (string, error) {
				if strings.HasPrefix(k.PEM, "-----BEGIN PRIVATE") {
					return "", errors.New("refused")
				}
				return right.Sign(r, c, k)
			}
		}),
		wrong("S01", "what a key of 4096 bits signed does not verify", func(i *laws.Impl) {
			i.Verify = func(r gen.SignRequest, k laws.SignKey, o laws.SignOptions) laws.SignVerdict {
				if len(k.PEM) > 2500 {
					return laws.SignVerdict{Signature: "mismatch"}
				}
				return right.Verify(r, k, o)
			}
		}),
		wrong("S02", "an RSA signature of a known consumer is not looked at", func(i *laws.Impl) {
			i.Verify = func(r gen.SignRequest, k laws.SignKey, o laws.SignOptions) laws.SignVerdict {
				v := right.Verify(r, k, o)
				if k.PEM != "" && v.Signature == "mismatch" {
					v.Signature, v.Acceptable = "ok", true
				}
				return v
			}
		}),
		wrong("S03", "signatures of 256 bytes alone are written", func(i *laws.Impl) {
			i.Sign = func(r gen.SignRequest, c gen.SignChoices, k laws.SignKey) (string, error) {
				text, err := right.Sign(r, c, k)
				if len(k.PEM) > 2500 {
					text = strings.Replace(text, "%3D", "", 1)
				}
				return text, err
			}
		}),
		wrong("S10", "a key that cannot be read signs nothing, without an error", func(i *laws.Impl) {
			i.Sign = func(r gen.SignRequest, c gen.SignChoices, k laws.SignKey) (string, error) {
				text, err := right.Sign(r, c, k)
				if k.PEM != "" {
					err = nil
				}
				return text, err
			}
		}),
		wrong("D01", "a right signature is explained", func(i *laws.Impl) {
			i.Diagnose = func(r gen.SignRequest, k laws.SignKey) laws.SignDiagnosis {
				return laws.SignDiagnosis{Causes: []diagnose.Cause{{IDs: []string{"unsorted"}}}}
			}
		}),
		wrong("D02", "single mistakes are not found", diagnosing(func(d *laws.SignDiagnosis) { d.Causes = nil })),
		wrong("D03", "causes that were not tried", diagnosing(func(d *laws.SignDiagnosis) {
			if !d.Match {
				d.Causes = append(d.Causes, diagnose.Cause{IDs: []string{"secrets-swapped"}}, diagnose.Cause{IDs: []string{"path-only"}})
			}
		})),
		wrong("D05", "pairs are not found", diagnosing(func(d *laws.SignDiagnosis) {
			d.Causes = slices.DeleteFunc(d.Causes, func(c diagnose.Cause) bool { return len(c.IDs) == 2 })
		})),
		wrong("D07", "RSA needs the private key", func(i *laws.Impl) {
			i.Diagnose = func(r gen.SignRequest, k laws.SignKey) laws.SignDiagnosis {
				if strings.Contains(k.PEM, "PUBLIC") {
					return laws.SignDiagnosis{}
				}
				return right.Diagnose(r, k)
			}
		}),
		wrong("D08", "the place is not decoded", func(i *laws.Impl) {
			i.Compare = func(a, b string) *diagnose.Difference {
				d := right.Compare(a, b)
				if d != nil {
					d.Byte = d.Offset
				}
				return d
			}
		}),
		wrong("D07", "with the public key only the URL is diagnosed", func(i *laws.Impl) {
			i.Diagnose = func(r gen.SignRequest, k laws.SignKey) laws.SignDiagnosis {
				d := right.Diagnose(r, k)
				if strings.Contains(k.PEM, "PUBLIC") {
					d.Causes = slices.DeleteFunc(d.Causes, func(c diagnose.Cause) bool { return !strings.Contains(c.IDs[0], "slash") })
				}
				return d
			}
		}),
		wrong("D08", "only values are compared", func(i *laws.Impl) {
			i.Compare = func(a, b string) *diagnose.Difference {
				if d := right.Compare(a, b); d != nil && d.Layer == "parameter-value" {
					return d
				}
				return nil
			}
		}),
		wrong("D09", "the trace ends early", func(i *laws.Impl) {
			i.Trace = func(r gen.SignRequest) (laws.SignTrace, error) {
				trace, err := right.Trace(r)
				trace.BaseString = trace.Parameters
				return trace, err
			}
		}),
		wrong("K06", "an echo of the body", func(i *laws.Impl) {
			i.Diagnose = func(r gen.SignRequest, k laws.SignKey) laws.SignDiagnosis {
				d := right.Diagnose(r, k)
				for _, param := range r.Params {
					d.Known = append(d.Known, param.Value)
				}
				return d
			}
		}),
		wrong("K06", "a secret in an error", func(i *laws.Impl) {
			i.Diagnose = func(r gen.SignRequest, k laws.SignKey) laws.SignDiagnosis {
				return laws.SignDiagnosis{Findings: []string{hex.EncodeToString([]byte("S3cretControlKey"))}}
			}
		}),
		wrong("K06", "a key file in an error", func(i *laws.Impl) {
			i.Sign = func(r gen.SignRequest, c gen.SignChoices, k laws.SignKey) (string, error) {
				text, err := right.Sign(r, c, k)
				if err != nil {
					err = errors.New("not a key: " + k.PEM)
				}
				return text, err
			}
		}),
		wrong("K07", "a request that prints itself", func(i *laws.Impl) {
			i.ShowSigned = func(r gen.SignRequest, c gen.SignChoices, k laws.SignKey) []string {
				shown := right.ShowSigned(r, c, k)
				for _, p := range r.Params {
					shown = append(shown, p.Value)
				}
				return shown
			}
		}),
	}
}
