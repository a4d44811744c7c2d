package gen

import (
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/internal/oracle"
)

// A SignCase is a request to be signed, in its parts, so that an oracle need not parse
// anything, and the secrets to sign it with.
type SignCase struct {
	Scheme, Host    string // in lower case
	Port            int    // 0: none
	Path            string // with its first slash; empty: none
	Typed           bool   // scheme and host are typed in upper case
	Body            []Pair
	Consumer, Nonce string
	Timestamp       string
	Secret          string
	Realm           *string
	// Pick chooses what a law does to the case.
	Pick uint64
}

// URL is the request's URL as typed.
func (c SignCase) URL() string {
	url := c.Scheme + "://" + c.Host
	if c.Port != 0 {
		url += ":" + strconv.Itoa(c.Port)
	}
	if c.Typed {
		url = strings.ToUpper(url)
	}
	return url + c.Path
}

// Request is the case as an implementation is handed it.
func (c SignCase) Request() SignRequest {
	return SignRequest{Method: "POST", URL: c.URL(), Params: c.Body}
}

// Oracle is the case as the oracle signs it, under a method.
func (c SignCase) Oracle(method string) oracle.SignRequest {
	r := oracle.SignRequest{
		Method: "POST", Scheme: c.Scheme, Host: c.Host, Port: c.Port, Path: c.Path,
		Body: c.Body, OAuth: c.OAuth(method), Secret: c.Secret,
	}
	if c.Realm != nil {
		r.Realm = *c.Realm
	}
	return r
}

// OAuth is the five parameters, in order of name.
func (c SignCase) OAuth(method string) []Pair {
	return []Pair{{Name: "oauth_consumer_key", Value: c.Consumer}, {Name: "oauth_nonce", Value: c.Nonce},
		{Name: "oauth_signature_method", Value: method}, {Name: "oauth_timestamp", Value: c.Timestamp}, {Name: "oauth_version", Value: "1.0"}}
}

// Choices is what a signer chooses.
func (c SignCase) Choices() SignChoices {
	return SignChoices{ConsumerKey: c.Consumer, Nonce: c.Nonce, Timestamp: c.Timestamp, Realm: c.Realm}
}

// SignCases draws requests whose texts are made to trip encoders, sorters and URL
// readers.
func SignCases(r Chooser) SignCase {
	c := SignCase{Scheme: Pick(r, "https", "http"), Host: Pick(r, "h", "gate.example.com", "[2001:db8::1]", "10.0.0.1")}
	c.Port = Pick(r, 0, 0, 80, 443, 8443, r.In(1, 65_535))
	c.Path = Pick(r, "", "/", "/p/77", "/a%2Fb/..//c;x", "/~u/%7e", "/paynet/api/v4/create-recurring-payments/11%2F22")
	c.Typed = r.Chance(30)
	c.Body = r.params(5, 75)
	if r.Chance(60) {
		c.Body = append(c.Body, Pair{Name: "payload", Value: base64.StdEncoding.EncodeToString([]byte(r.signText()))})
	}
	c.Consumer, c.Nonce = "m"+r.signText(), "n"+r.signText()
	c.Timestamp = strconv.Itoa(r.In(1, 2_000_000_000))
	c.Secret = "s" + r.signText()
	if r.Chance(30) {
		c.Realm = new(Pick(r, "", "x", `a, b="c"\`))
	}
	c.Pick = r.Uint64()
	return c
}

// params makes parameters, some of one name. None is named as an OAuth parameter.
func (r Chooser) params(most, chance int) []Pair {
	var list []Pair
	for r.More(len(list), most, chance) {
		p := Pair{Name: Pick(r, "a", "a", "a-b", "A", "a1", "a=b", "c@", "c2", "note", "é", "\uff21", "\U00010000", r.signText()), Value: Pick(r, "", "1", "2", "10", "010", r.signText())}
		list = append(list, p)
	}
	return list
}

// SignTexts draws texts that trip encoders.
func SignTexts(r Chooser) string { return r.literal(Chooser.signText) }

func (r Chooser) signText() string {
	var b strings.Builder
	for range r.Times(0, 6) {
		b.WriteString(Pick(r, "a", "Z", "09", "-._~", " ", "+", "%", "%2f", "/", "=", "&", "!*'()", "é", "e\u0301", "\u212a", "\ufeff", "\U0001f4a9", "\xff", "\xe2\x82", "\x00", "\r\n", ";", "ab=="))
	}
	return b.String()
}

// A Pair is a parameter, name and value decoded.
type Pair = oracle.Pair

// A SignRequest is a request: one of decoded body parameters, signed if Authorization is not empty.
type SignRequest struct {
	Method, URL   string
	Params        []Pair
	Authorization string
}

// SignChoices are what a signer chooses.
type SignChoices struct {
	ConsumerKey, Nonce, Timestamp string
	Realm                         *string
}
