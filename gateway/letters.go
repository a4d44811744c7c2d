package gateway

import (
	"net/url"
	"strconv"
	"strings"
)

// sandboxHeader marks what the document does not show and this package sends.
const sandboxHeader = "X-Chargecast-Sandbox"

// maxTemplate is the longest content of a callback.
const maxTemplate = 16 << 10

// check refuses a template that could not be sent.
func (t *CallbackTemplate) check() error {
	switch {
	case t.Body == "" && t.ContentType != "":
		return inField("callback", "the template has a content type and no body", "send both")
	case len(t.Body) > maxTemplate || len(t.ContentType) > 256:
		return inField("callback", "the template is longer than 16 KiB", "send a shorter one")
	case strings.ContainsFunc(t.ContentType, func(c rune) bool { return c < ' ' || c >= 0x7f }):
		return inField("callback", "the content type has characters that are not allowed in a header", "send one such as application/json")
	}
	return nil
}

// A letter says that a profile of a merchant has a callback to be sent.
type letter struct {
	profile ID
	login   string
}

// callback makes the callback of a charge (6).
func (k *keeper) callback(p *Profile, c *Charge) error {
	if p.Callback == "" || k.g.config.Callbacks == CallbacksOff {
		return nil
	}
	m, err := k.merchant(p.Login)
	if err != nil {
		return err
	}
	table := k.tx.Callbacks()
	id, err := table.NextID()
	if err != nil {
		return err
	}
	contentType, body := m.Callback.fill(parametersOf(p, c))
	b := Callback{
		ID: id, Charge: c.ID, Profile: p.ID, Login: p.Login, URL: p.Callback, ContentType: contentType, Body: body,
		State: CallbackPending, At: k.g.config.Now(),
	}
	if err := k.mishap(p, &b, c.Date); err != nil {
		return err
	}
	if err := k.overtake(&b); err != nil {
		return err
	}
	k.done.callbacks++
	if b.State == CallbackPending && !b.Held {
		k.letters = append(k.letters, letter{p.ID, p.Login})
	}
	return table.Put(b)
}

// merchant returns the merchant with a login; the last one is remembered.
func (k *keeper) merchant(login string) (*Merchant, error) {
	if k.last.Login != login {
		m, err := merchantOf(k.tx, login)
		if err != nil {
			return nil, err
		}
		k.last = m
	}
	return &k.last, nil
}

// parametersOf are the parameters of a callback: ours, since the document shows none.
func parametersOf(p *Profile, c *Charge) [][2]string {
	return [][2]string{
		{"client-orderid", p.OrderID},
		{"recurring-payment-id", p.ID.String()},
		{"status", c.Outcome.String()},
		{"amount", c.Min.String()},
		{"currency", c.Currency},
		{"repeat", strconv.FormatUint(c.Repeat, 10)},
		{"date", c.Date.String()},
	}
}

// fill returns the content of a callback with these parameters: a form, unless there is a template.
func (t *CallbackTemplate) fill(parameters [][2]string) (contentType, body string) {
	if t.Body == "" {
		var b strings.Builder
		for i, p := range parameters {
			if i > 0 {
				b.WriteByte('&')
			}
			b.WriteString(p[0] + "=" + strings.ReplaceAll(url.QueryEscape(p[1]), "+", "%20"))
		}
		return "application/x-www-form-urlencoded", b.String()
	}
	var pairs []string
	for _, p := range parameters {
		pairs = append(pairs, "{"+p[0]+"}", p[1])
	}
	contentType = t.ContentType
	if contentType == "" {
		contentType = "text/plain; charset=utf-8"
	}
	return contentType, strings.NewReplacer(pairs...).Replace(t.Body)
}
