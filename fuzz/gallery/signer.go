package gallery

import (
	"cmp"
	"crypto"
	"crypto/hmac"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"net/url"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/fuzz/laws"
)

// A signer is a signer in stages, written plainly. Its members change one of them.
type signer struct {
	encode  func(string) string // names and values
	element func(string) string // the elements of the base string
	collect func(body, oauth, query []gen.Pair) []gen.Pair
	compare func(a, b entry) int // nil: not sorted
	uri     func(u address) string
	finish  func(base string) string
	key     func(secret, token string) string
	text    func(raw []byte) string
	rsa     func(key *rsa.PrivateKey, base string) ([]byte, error)
	header  func(name, value string) string
}

// An entry is a parameter, raw and encoded.
type entry struct{ raw, encoded gen.Pair }

// An address is the parts of a URL, as typed.
type address struct{ scheme, host, port, path, query string }

func rightSigner() signer {
	s := signer{
		encode: percent, element: percent, compare: byEncoded, uri: baseURI, finish: same, text: base64.StdEncoding.EncodeToString, rsa: signSHA256,
		key:    func(secret, token string) string { return percent(secret) + "&" + percent(token) },
		header: func(_, value string) string { return percent(value) },
	}
	s.collect = func(body, oauth, query []gen.Pair) []gen.Pair {
		return slices.Concat(withoutCopies(body, oauth), slices.DeleteFunc(slices.Clone(oauth), unsigned), withoutSignature(query))
	}
	return s
}

func same(text string) string { return text }

func percent(text string) string {
	const plain, digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~", "0123456789ABCDEF"
	var out []byte
	for _, c := range []byte(text) {
		if strings.IndexByte(plain, c) >= 0 {
			out = append(out, c)
		} else {
			out = append(out, '%', digits[c>>4], digits[c&15])
		}
	}
	return string(out)
}

// withoutSignature leaves the signature out of a query.
func withoutSignature(query []gen.Pair) []gen.Pair {
	return slices.DeleteFunc(slices.Clone(query), func(p gen.Pair) bool { return p.Name == "oauth_signature" })
}

func unsigned(p gen.Pair) bool {
	return p.Name == "oauth_signature" || !strings.HasPrefix(p.Name, "oauth_")
}

// withoutCopies leaves out of a body what the header has too, and the signature.
func withoutCopies(body, oauth []gen.Pair) []gen.Pair {
	return slices.DeleteFunc(slices.Clone(body), func(p gen.Pair) bool {
		return p.Name == "oauth_signature" || strings.HasPrefix(p.Name, "oauth_") && slices.Contains(oauth, p)
	})
}

func byEncoded(a, b entry) int {
	return cmp.Or(strings.Compare(a.encoded.Name, b.encoded.Name), strings.Compare(a.encoded.Value, b.encoded.Value))
}

func addressOf(raw string) address {
	var a address
	var rest string
	raw, _, _ = strings.Cut(raw, "#")
	raw, a.query, _ = strings.Cut(raw, "?")
	a.scheme, rest, _ = strings.Cut(raw, "://")
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		rest, a.path = rest[:i], rest[i:]
	}
	rest = rest[strings.LastIndexByte(rest, '@')+1:]
	a.host = rest
	if i := strings.LastIndexByte(rest, ':'); i > strings.LastIndexByte(rest, ']') {
		a.host, a.port = rest[:i], rest[i+1:]
	}
	return a
}

func (a address) origin(port bool) string {
	text := strings.ToLower(a.scheme) + "://" + strings.ToLower(a.host)
	if port && a.port != "" {
		text += ":" + a.port
	}
	return text
}

func (a address) isDefault() bool {
	return a.port == map[string]string{"http": "80", "https": "443"}[strings.ToLower(a.scheme)]
}

func baseURI(a address) string { return a.origin(!a.isDefault()) + cmp.Or(a.path, "/") }

// base makes the base string of a request that our own code takes.
func (s signer) base(r gen.SignRequest, oauth []gen.Pair) (string, error) {
	if _, err := laws.Ours().BaseString(r, oauth); err != nil {
		return "", err
	}
	a := addressOf(r.URL)
	var query []gen.Pair
	for part := range strings.SplitSeq(a.query, "&") {
		if name, value, _ := strings.Cut(part, "="); part != "" {
			query = append(query, gen.Pair{Name: decode(name), Value: decode(value)})
		}
	}
	var list []entry
	for _, p := range s.collect(r.Params, oauth, query) {
		list = append(list, entry{p, gen.Pair{Name: s.encode(p.Name), Value: s.encode(p.Value)}})
	}
	if s.compare != nil {
		slices.SortStableFunc(list, s.compare)
	}
	var joined []string
	for _, e := range list {
		joined = append(joined, e.encoded.Name+"="+e.encoded.Value)
	}
	method := cmp.Or(strings.ToUpper(r.Method), "POST")
	return s.finish(s.element(method) + "&" + percent(s.uri(a)) + "&" + s.element(strings.Join(joined, "&"))), nil
}

func decode(text string) string {
	out, err := url.PathUnescape(text)
	if err != nil {
		return text
	}
	return out
}

func (s signer) sign(r gen.SignRequest, c gen.SignChoices, k laws.SignKey) (string, error) {
	if _, err := laws.Ours().Sign(r, c, k); err != nil {
		return "", err
	}
	oauth := []gen.Pair{{Name: "oauth_consumer_key", Value: c.ConsumerKey}, {Name: "oauth_nonce", Value: c.Nonce}, {Name: "oauth_signature_method", Value: k.Method},
		{Name: "oauth_timestamp", Value: c.Timestamp}, {Name: "oauth_version", Value: "1.0"}}
	base, err := s.base(r, oauth)
	if err != nil {
		return "", err
	}
	raw, err := s.raw(base, k)
	if err != nil {
		return "", err
	}
	return s.format(laws.SignHeader{Realm: c.Realm, Params: slices.Insert(oauth, 2, gen.Pair{Name: "oauth_signature", Value: s.text(raw)})}), nil
}

func (s signer) raw(base string, k laws.SignKey) ([]byte, error) {
	if k.Method == "HMAC-SHA1" {
		mac := hmac.New(sha1.New, []byte(s.key(k.Secret, k.TokenSecret)))
		mac.Write([]byte(base))
		return mac.Sum(nil), nil
	}
	block, _ := pem.Decode([]byte(k.PEM))
	key, err := x509.ParsePKCS1PrivateKey(block.Bytes)
	if err != nil {
		other, err := x509.ParsePKCS8PrivateKey(block.Bytes)
		if err != nil {
			return nil, err
		}
		key = other.(*rsa.PrivateKey)
	}
	return s.rsa(key, base)
}

func (s signer) format(h laws.SignHeader) string {
	var parts []string
	if h.Realm != nil {
		parts = append(parts, `realm="`+strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(*h.Realm)+`"`)
	}
	for _, p := range h.Params {
		parts = append(parts, percent(p.Name)+`="`+s.header(p.Name, p.Value)+`"`)
	}
	return "OAuth " + strings.Join(parts, ", ")
}

func signSHA256(key *rsa.PrivateKey, base string) ([]byte, error) {
	sum := sha256.Sum256([]byte(base))
	return rsa.SignPKCS1v15(nil, key, crypto.SHA256, sum[:])
}
