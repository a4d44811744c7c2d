package facade

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/chargecast/chargecast/rules"
	"github.com/chargecast/chargecast/signature"
)

// validate answers with the problems of a payload, whose columns are all judged.
func (s *Server) validate(q *request) (object, error) {
	problems := []json.RawMessage{}
	r := rules.NewReader(bytes.NewReader(q.CSV.bytes), rules.Options{AsOf: q.AsOf, Currency: q.Currency})
	for _, found := range r.Rows() {
		for _, f := range found {
			problems = append(problems, f.AppendJSON(nil))
		}
	}
	sum := r.Summary()
	return object{"problems": problems, "rows": sum.Rows, "valid": sum.Valid}, nil
}

// decode answers with the CSV of a form body.
func (s *Server) decode(q *request) (object, error) {
	var csv bytes.Buffer
	found, err := rules.Decode(&csv, bytes.NewReader(q.Form.bytes), rules.Options{AsOf: q.AsOf, Input: rules.InputForm})
	if err == nil {
		err = found.Err()
	}
	return object{"csv": coded(csv.Bytes())}, err
}

// encode answers with a percent-encoded text.
func (s *Server) encode(q *request) (object, error) {
	return object{"text": signature.Encode(string(q.Bytes.bytes))}, nil
}

// baseString answers with the base string of a request. Its params that begin with oauth_ come in
// the header, in which a signature is not signed.
func (s *Server) baseString(q *request) (object, error) {
	h, body := signature.Header{}, [][2]text{}
	for _, p := range q.Params {
		if strings.HasPrefix(string(p[0]), "oauth_") {
			h.Params = append(h.Params, signature.NewParam(string(p[0]), string(p[1])))
		} else {
			body = append(body, p)
		}
	}
	if len(h.Params) == 0 {
		h.Realm = new("")
	}
	r := signature.NewRequest(q.Method, string(q.URL)).WithParams(params(body)...).WithAuthorization(h.String())
	trace, err := signature.NewTrace(r)
	return object{"base_string": text(trace.BaseString())}, err
}

func params(pairs [][2]text) (list []signature.Param) {
	for _, p := range pairs {
		list = append(list, signature.NewParam(string(p[0]), string(p[1])))
	}
	return list
}

// signed is the request of sign and verify, without its header. A body is one of params, or the
// given form.
func (q *request) signed() signature.Request {
	r := signature.NewRequest(q.Method, string(q.URL))
	if q.Form.given {
		return r.WithBody("application/x-www-form-urlencoded", string(q.Form.bytes))
	}
	if q.CSV.given {
		return r.WithParams(append(params(q.Params), signature.Payload(q.CSV.bytes))...)
	}
	return r.WithParams(params(q.Params)...)
}

// sign answers with the signature and the header of a request.
func (s *Server) sign(q *request) (object, error) {
	key, err := q.signingKey()
	if err != nil {
		return nil, err
	}
	o := signature.OAuth{ConsumerKey: string(q.OAuth.ConsumerKey), Nonce: string(q.OAuth.Nonce), Timestamp: string(q.OAuth.Timestamp), InBody: q.InBody}
	if q.OAuth.Realm != nil {
		o.Realm = new(string(*q.OAuth.Realm))
	}
	r := q.signed()
	signed, found, err := signature.Sign(r, o, key)
	if err != nil {
		return nil, err
	}
	h, err := signature.ParseHeader(signed.Authorization())
	if err != nil {
		return nil, err
	}
	trace, err := signature.NewTrace(signed)
	return object{
		"signature": text(h.Value("oauth_signature")), "authorization": text(signed.Authorization()), "base_string": text(trace.BaseString()),
		"body": text(signed.Body()), "findings": notNil(found),
	}, err
}

// notNil is a list that is an empty array in JSON, not null.
func notNil[S ~[]T, T any](list S) S {
	if list == nil {
		return S{}
	}
	return list
}

// signingKey is the key of sign.
func (q *request) signingKey() (signature.SigningKey, error) {
	switch {
	case q.SignatureMethod != "" && q.SignatureMethod != "RSA-SHA256" && q.SignatureMethod != "HMAC-SHA1":
		return nil, refused("not-supported", "there is no such signature method", "use RSA-SHA256 or HMAC-SHA1")
	case q.Secret != nil && q.SignatureMethod != "RSA-SHA256":
		return signature.NewHMACKey(string(*q.Secret))
	}
	return signature.ParsePrivateKey([]byte(q.PrivateKey))
}

// verifyingKey is the key by which a request is judged, and the one that can sign it again; nil
// where it is a public one.
func (q *request) verifyingKey() (signature.VerifyingKey, signature.SigningKey, error) {
	if q.Secret != nil && q.SignatureMethod != "RSA-SHA256" {
		key, err := signature.NewHMACKey(string(*q.Secret))
		if err != nil { // a nil key in an interface is a key
			return nil, nil, err
		}
		return key, key, nil
	}
	pem := []byte(string(q.PublicKey) + string(q.PrivateKey))
	if strings.Contains(string(pem), "PRIVATE KEY") {
		private, err := signature.ParsePrivateKey(pem)
		if err != nil {
			return nil, nil, err
		}
		return private.Public(), private, nil
	}
	public, err := signature.ParsePublicKey(pem)
	if err != nil {
		return nil, nil, err
	}
	return public, nil, nil
}

// verify answers with the verdict on a signature alone.
func (s *Server) verify(q *request) (object, error) {
	const unreadable = "unreadable"
	r := q.signed()
	if q.Authorization != nil {
		r = r.WithAuthorization(string(*q.Authorization))
	}
	key, _, err := q.verifyingKey()
	if err != nil {
		return nil, err
	}
	v, _ := signature.Verify(r, signature.Options{}, key)
	if v.Signature == 0 {
		return object{"signature": unreadable}, nil
	}
	return object{"signature": v.Signature.String()}, nil
}
