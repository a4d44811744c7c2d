package conform

import (
	"crypto/hmac"
	"crypto/sha1"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/kit/laws"
	"github.com/chargecast/chargecast/internal/oracle"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature"
)

// encode percent-encodes a text by the program.
func (p *Program) encode(plain string) string {
	var got encodeReply
	if refusal := p.must("encode", &encodeRequest{Bytes: bytes64(plain)}, &got); refusal != "" {
		p.broken("the program refuses to encode: every byte string has an encoding")
	}
	if got.Text == nil {
		p.mistaken("the reply lacks text")
	}
	return string(*got.Text)
}

// baseString makes a base string by the program.
func (p *Program) baseString(r gen.SignRequest, oauth []gen.Pair) (string, error) {
	_, err := laws.Ours().BaseString(r, oauth)
	ask := baseStringRequest{Method: r.Method, URL: text(r.URL), Params: paramsOf(r.Params)}
	if ask.Method == "" {
		ask.Method = "POST"
	}
	for _, pair := range oauth {
		// The realm is of the header alone, and two signatures are a fault of their own.
		again := pair.Name == "oauth_signature" && slices.ContainsFunc(r.Params, func(p gen.Pair) bool { return p.Name == pair.Name })
		if pair.Name != "realm" && !again {
			ask.Params = append(ask.Params, param{text(pair.Name), text(pair.Value)})
		}
	}
	var got baseStringReply
	refusal := p.must("base-string", &ask, &got)
	if refusal != "" {
		return "", p.error(refusal, err)
	}
	if got.BaseString == nil {
		p.mistaken("the reply lacks base_string")
	}
	return string(*got.BaseString), nil
}

func paramsOf(pairs []gen.Pair) []param {
	list := []param{}
	for _, p := range pairs {
		list = append(list, param{text(p.Name), text(p.Value)})
	}
	return list
}

// error is the error for a refusal: ours where we refuse too.
func (p *Program) error(refusal string, ours error) error {
	code, coded := errors.AsType[ledger.Code](ours)
	if ours != nil && (!p.Codes || coded && string(code) == refusal) {
		return ours
	}
	return errors.Join(errRefused, errors.New("code "+laws.Cut(refusal, 100)))
}

// question is a request as sign and verify have it.
func question(r gen.SignRequest, key laws.SignKey) signRequest {
	ask := signRequest{
		baseStringRequest: baseStringRequest{Method: r.Method, URL: text(r.URL), Params: paramsOf(r.Params)},
		SignatureMethod:   key.Method,
	}
	if ask.Method == "" {
		ask.Method = "POST"
	}
	if key.Method == "HMAC-SHA1" {
		ask.Secret = new(text(key.Secret))
	}
	return ask
}

// sign signs a request by the program.
func (p *Program) sign(r gen.SignRequest, c gen.SignChoices, key laws.SignKey) (string, error) {
	ask := question(r, key)
	if key.Method != "HMAC-SHA1" {
		ask.PrivateKey = key.PEM
	}
	ask.OAuth = oauthMember{ConsumerKey: text(c.ConsumerKey), Nonce: text(c.Nonce), Timestamp: text(c.Timestamp)}
	if c.Realm != nil {
		ask.OAuth.Realm = new(text(*c.Realm))
	}
	var got signReply
	if refusal := p.must("sign", &ask, &got); refusal != "" {
		_, err := laws.Ours().Sign(r, c, key)
		return "", p.error(refusal, err)
	}
	if got.Signature == nil || got.Authorization == nil {
		p.mistaken("the reply lacks signature or authorization")
	}
	h, err := signature.ParseHeader(string(*got.Authorization))
	if err == nil {
		for _, of := range h.Params {
			if of.Name() == "oauth_signature" && of.Value() != string(*got.Signature) {
				p.broken("the signature of the reply is not that of its authorization")
			}
		}
	}
	if string(*got.Signature) == withRawSecret(r, c, key) {
		panic(laws.Abort{Kind: laws.AbortUnspecified, Text: clause.L64.String()})
	}
	return string(*got.Authorization), nil
}

// withRawSecret is the other reading of L64: the signature under the secret as it is, where that is
// not the one under its encoding. The document says only "the consumer secret"; RFC 5849 is plain.
// Empty where there is no such signature.
func withRawSecret(r gen.SignRequest, c gen.SignChoices, key laws.SignKey) string {
	if key.Method != "HMAC-SHA1" || oracle.Encode(key.Secret) == key.Secret {
		return ""
	}
	base, err := laws.Ours().BaseString(r, laws.Chosen(c, key.Method))
	if err != nil {
		return ""
	}
	mac := hmac.New(sha1.New, []byte(key.Secret+"&"))
	mac.Write([]byte(base))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// verify verifies a request by the program. Timestamp and nonce are not judged.
func (p *Program) verify(r gen.SignRequest, key laws.SignKey, o laws.SignOptions) laws.SignVerdict {
	ask := question(r, key)
	if o != (laws.SignOptions{}) {
		panic(laws.ErrNotSupported)
	}
	if key.Method != "HMAC-SHA1" {
		var ok bool
		if ask.PublicKey, ok = publicPEM(key.PEM); !ok {
			panic(laws.ErrNotSupported)
		}
	}
	h, _ := signature.ParseHeader(r.Authorization)
	ask.OAuth = headerMember(h)
	ask.Authorization = new(text(r.Authorization))
	var got verifyReply
	if refusal := p.must("verify", &ask, &got); refusal != "" {
		return laws.SignVerdict{}
	}
	if !slices.Contains([]string{"ok", "mismatch", "unreadable"}, got.Signature) {
		p.mistaken("the verdict is not ok, mismatch or unreadable")
	}
	v := laws.SignVerdict{Signature: got.Signature, Acceptable: got.Signature == "ok"}
	if v.Acceptable {
		v.Consumer = string(ask.OAuth.ConsumerKey)
	}
	return v
}

// headerMember is what a header says of itself.
func headerMember(h signature.Header) (o oauthMember) {
	for _, p := range h.Params {
		switch p.Name() {
		case "oauth_consumer_key":
			o.ConsumerKey = text(p.Value())
		case "oauth_nonce":
			o.Nonce = text(p.Value())
		case "oauth_timestamp":
			o.Timestamp = text(p.Value())
		}
	}
	if h.Realm != nil {
		o.Realm = new(text(*h.Realm))
	}
	return o
}

// publicPEM is the public half of a key in PEM.
func publicPEM(private string) (string, bool) {
	block, _ := pem.Decode([]byte(private))
	if block == nil {
		return "", false
	}
	if strings.HasSuffix(block.Type, "PUBLIC KEY") {
		return private, true
	}
	key, err := x509.ParsePKCS1PrivateKey(block.Bytes)
	if err != nil {
		return "", false
	}
	der, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	return string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})), err == nil
}
