package facade

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/chargecast/chargecast/internal/capture"
	"github.com/chargecast/chargecast/internal/check"
	"github.com/chargecast/chargecast/rules"
	"github.com/chargecast/chargecast/signature"
)

// checkWords are the page's.
var checkWords = check.Words{Key: "give a public key, or the secret", Compare: "let your software print its base string, the text that it signs, and give it below", Address: "try its URL", Payload: "below"}

// check answers with what is wrong with a request: its signature, cause, address and payload, and
// what to send instead.
func (s *Server) check(q *request) (object, error) {
	o := check.Options{
		Words: checkWords, Only: q.Only, BaseString: string(q.BaseString.bytes), Verify: signature.Options{Now: time.Unix(0, 0)},
		Payload: rules.Options{AsOf: q.AsOf, Currency: q.Currency},
	}
	if s.Now != nil {
		o.Verify.Now = s.Now()
	}
	r, err := q.checked(&o)
	if err != nil {
		return nil, err
	}
	if q.Only != "payload" && (q.Secret != nil || q.PublicKey != "" || q.PrivateKey != "") {
		if o.Key, o.Signer, err = q.verifyingKey(); err != nil {
			return nil, inPart(err, "key")
		}
	}
	c, err := check.Judge(r, o)
	if err != nil {
		return nil, err
	}
	reply := object{
		"records": []json.RawMessage{appendJSON(c.Record(nil))}, "conclusion": c.Conclusion(), "known": notNilStrings(c.Diagnosis.Known),
		"not_tried": notNilStrings(c.Diagnosis.NotTried), "authorization": c.Header,
	}
	if c.Diagnosed {
		reply["headline"] = c.Diagnosis.Headline()
		if base := c.Diagnosis.BaseString(); base != "" {
			reply["base_string"] = capture.MaskedBase(base, -1)
		}
	}
	return reply, nil
}

func notNilStrings(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// checked returns the request that is captured, or the one of its parts.
func (q *request) checked(o *check.Options) (signature.Request, error) {
	r := q.signed()
	if q.Request.given {
		captured, found, err := capture.Parse(q.Request.bytes, capture.Options{Entry: q.Entry, AnyHost: q.URL != ""})
		if wrong, ok := errors.AsType[*capture.EntryError](err); ok {
			return r, refused("entry", wrong.Message, wrong.Help)
		}
		if err != nil {
			return r, err
		}
		o.Captured, o.Findings, o.URL, o.Fixed = true, found, captured.URL, []string{"method", "body"}
		r = signature.NewRequest(captured.Method, captured.URL).WithBody(captured.ContentType, string(captured.Body)).WithAuthorization(captured.Authorization)
		if q.URL != "" {
			r = r.WithURL(string(q.URL))
		} else {
			o.Fixed = append(o.Fixed, "URL")
		}
	}
	if q.Authorization != nil {
		r = r.WithAuthorization(string(*q.Authorization))
	}
	return r, nil
}
