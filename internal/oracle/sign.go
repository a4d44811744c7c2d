package oracle

import (
	"crypto"
	"crypto/hmac"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"sync"
)

// A Pair is a parameter: a name and a value, as they are before any encoding.
type Pair struct{ Name, Value string }

// A SignRequest is what is signed, in its parts.
type SignRequest struct {
	Method, Scheme, Host string // the host as it is signed, in lower case
	Port                 int    // 0: none is written
	Path                 string
	Body, OAuth          []Pair
	Realm                string
	Secret               string // of HMAC
}

// Encode percent-encodes one byte after another (5.2, step 2).
func Encode(text string) string {
	const plain, digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~", "0123456789ABCDEF"
	out := make([]byte, 0, 3*len(text))
	for i := range len(text) {
		if c := text[i]; strings.IndexByte(plain, c) >= 0 {
			out = append(out, c)
		} else {
			out = append(out, '%', digits[c/16], digits[c%16])
		}
	}
	return string(out)
}

// Decode undoes one encoding.
func Decode(text string) (string, error) { return url.PathUnescape(text) }

// HeaderText is an Authorization header of parameters, each name and value encoded once (5.5), behind a realm, which is quoted
// and not encoded, unless that is nil.
func HeaderText(realm *string, list ...Pair) string {
	var items []string
	if realm != nil {
		items = append(items, `realm="`+strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(*realm)+`"`)
	}
	for _, p := range list {
		items = append(items, Encode(p.Name)+`="`+Encode(p.Value)+`"`)
	}
	return "OAuth " + strings.Join(items, ", ")
}

// HMACSHA1 is the sum of a text under a key.
func HMACSHA1(key, text string) []byte {
	mac := hmac.New(sha1.New, []byte(key))
	mac.Write([]byte(text))
	return mac.Sum(nil)
}

var errKey = errors.New("no key of RSA in PEM")

// keys are those that were read before, by their text: to check a key takes longer than to sign with it.
var keys sync.Map

// PrivateKey reads a private RSA key in PEM of PKCS #1 or #8.
func PrivateKey(text string) (*rsa.PrivateKey, error) {
	if key, ok := keys.Load(text); ok {
		return key.(*rsa.PrivateKey), nil
	}
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		return nil, errKey
	}
	key, err := x509.ParsePKCS1PrivateKey(block.Bytes)
	if err != nil {
		other, err := x509.ParsePKCS8PrivateKey(block.Bytes)
		if err != nil {
			return nil, err
		}
		key, _ = other.(*rsa.PrivateKey)
	}
	if key == nil {
		return nil, errKey
	}
	keys.Store(text, key)
	return key, nil
}

// SignRSA is the RSA-SHA256 signature of a text with a private key in PEM.
func SignRSA(key, text string) ([]byte, error) {
	private, err := PrivateKey(key)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(text))
	return rsa.SignPKCS1v15(nil, private, crypto.SHA256, sum[:])
}

// VerifyRSA reports whether a signature is that of a text, by a public key in PEM of PKIX.
func VerifyRSA(key []byte, text string, signature []byte) (bool, error) {
	block, _ := pem.Decode(key)
	if block == nil {
		return false, errKey
	}
	read, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		return false, err
	}
	public, ok := read.(*rsa.PublicKey)
	if !ok {
		return false, errKey
	}
	sum := sha256.Sum256([]byte(text))
	return rsa.VerifyPKCS1v15(public, crypto.SHA256, sum[:], signature) == nil, nil
}

// A Sorted is a parameter, raw and as it enters the third element.
type Sorted struct{ RawName, RawValue, Name, Value string }

// Stages are the steps of one signature, each open to a mistake (5.2, 5.3).
type Stages struct {
	Body, OAuth         []Pair
	Encode              func(string) string // names and values
	Element             func(string) string // the three elements
	RawNames, RawValues bool
	Before              func(a, b Sorted) bool // nil: no sorting
	Method, URI         string
	BareURI, BareThird  bool
	Finish              func(base string) string
	Key                 string // of HMAC
	Text                func(sum []byte) string
}

// Stages are the right ones of a request, under HMAC-SHA1.
func (r SignRequest) Stages() Stages {
	return Stages{
		Body: r.Body, OAuth: r.OAuth, Encode: Encode, Element: Encode, Before: byEncoded,
		Method: r.Method, URI: r.URI(), Finish: func(base string) string { return base },
		Key: Encode(r.Secret) + "&", Text: base64.StdEncoding.EncodeToString,
	}
}

func byEncoded(a, b Sorted) bool { return a.Name < b.Name || a.Name == b.Name && a.Value < b.Value }

// URI is the URL as it is signed.
func (r SignRequest) URI() string { return r.Scheme + "://" + r.Host + r.port() + r.path() }

func (r SignRequest) port() string {
	if r.Port == 0 || r.Scheme == "http" && r.Port == 80 || r.Scheme == "https" && r.Port == 443 {
		return ""
	}
	return ":" + strconv.Itoa(r.Port)
}

func (r SignRequest) path() string {
	if r.Path == "" {
		return "/"
	}
	return r.Path
}

// Third is the third element before its encoding: the parameters, sorted and joined.
func (s Stages) Third() string {
	list := make([]Sorted, 0, len(s.Body)+len(s.OAuth))
	for _, part := range [...][]Pair{s.Body, s.OAuth} {
		for _, p := range part {
			one := Sorted{p.Name, p.Value, p.Name, p.Value}
			if !s.RawNames {
				one.Name = s.Encode(p.Name)
			}
			if !s.RawValues {
				one.Value = s.Encode(p.Value)
			}
			list = append(list, one)
		}
	}
	for i := range list {
		for j := i; j > 0 && s.Before != nil && s.Before(list[j], list[j-1]); j-- {
			list[j], list[j-1] = list[j-1], list[j]
		}
	}
	var out []byte
	for i, p := range list {
		if i > 0 {
			out = append(out, '&')
		}
		out = append(append(append(out, p.Name...), '='), p.Value...)
	}
	return string(out)
}

// Base is the base string.
func (s Stages) Base() string {
	uri, third := s.URI, s.Third()
	if !s.BareURI {
		uri = s.Element(uri)
	}
	if !s.BareThird {
		third = s.Element(third)
	}
	return s.Finish(s.Element(s.Method) + "&" + uri + "&" + third)
}

// Sum is HMAC-SHA1 of the base string.
func (s Stages) Sum() []byte { return HMACSHA1(s.Key, s.Base()) }

// Signature is the sum as a text.
func (s Stages) Signature() string { return s.Text(s.Sum()) }
