package gateway

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
)

// A problem is an error of the admin interface as RFC 9457 writes it. Code is stable.
type problem struct {
	Type     string            `json:"type"`
	Title    string            `json:"title"`
	Status   int               `json:"status"`
	Detail   string            `json:"detail,omitempty"`
	Code     ledger.Code       `json:"code"`
	Field    string            `json:"field,omitempty"`
	Because  []json.RawMessage `json:"because,omitempty"`
	Findings ledger.Findings   `json:"findings,omitempty"`
}

// problem answers with an error. What package store or engine failed with stays in the log.
func (c *call) problem(err error) {
	p := problem{Type: "about:blank", Status: http.StatusInternalServerError, Code: StoreFailed, Title: found(StoreFailed, "", "").Message}
	var f ledger.Finding
	switch list := (ledger.Findings)(nil); {
	case errors.As(err, &list) && len(list) > 0:
		f = found(InputForm, list[0].Message, list[0].Help)
		f.Subject = list[0].Subject
		p.Findings = list
	case errors.As(err, &f):
	default:
		c.g.config.Log.Error("a request to the admin interface failed", "error", err)
	}
	if f.Code != "" {
		p.Code, p.Title, p.Detail, p.Field = f.Code, f.Message, f.Help, f.Subject
		p.Status = cmp.Or(statuses[f.Code], http.StatusBadRequest)
	}
	if r, ok := errors.AsType[*Refused](err); ok {
		p.Because = reasons(r.Refusal.Because, c.g.config.Policy)
		if r.Refusal.Code != "" {
			p.Code = r.Refusal.Code
		}
		p.Field = r.Refusal.Field
	}
	text, err := marshal(p)
	if err != nil {
		text = []byte("{}") // not reached: a problem has only texts
	}
	c.write(p.Status, "application/problem+json", text)
}

// A reason is a clause with the text of the reading in force, as records of the command have it.
type reason struct {
	Clause string `json:"clause"`
	Basis  string `json:"basis"`
	Text   string `json:"text"`
}

func reasons(b ledger.Because, pol engine.Policy) []json.RawMessage {
	list := []json.RawMessage{}
	for clause := range b.All() {
		text, err := marshal(reason{clause.String(), clause.Basis().String(), pol.Reading(clause).Text})
		if err == nil {
			list = append(list, text)
		}
	}
	return list
}
