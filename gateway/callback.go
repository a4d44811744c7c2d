package gateway

import (
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/cardtext"
	"github.com/chargecast/chargecast/internal/enum"
	"github.com/chargecast/chargecast/internal/strictjson"
)

// A CallbackState is how far a callback is. The zero value is none.
type CallbackState uint8

// The states.
const (
	CallbackPending CallbackState = iota + 1
	CallbackDelivered
	CallbackFailed // after its last attempt; it can be sent again
)

var callbackWords = enum.Words{Type: "CallbackState", Words: []string{"", "pending", "delivered", "failed"}}

// String returns "pending", "delivered" or "failed"; it is empty for none.
func (s CallbackState) String() string { return callbackWords.String(uint8(s)) }

// MarshalText returns the word; a value that is not a CallbackState is an error.
func (s CallbackState) MarshalText() ([]byte, error) { return callbackWords.Marshal(uint8(s)) }

// UnmarshalText reads what MarshalText writes. On an error s is unchanged.
func (s *CallbackState) UnmarshalText(text []byte) error {
	return callbackWords.Unmarshal(text, (*uint8)(s))
}

// A Callback informs a merchant of one attempt with a final status (6). What is sent is ours: the
// document does not show it.
type Callback struct {
	ID          ID            `api:"id"`
	Charge      ID            `api:"charge_id"`
	Profile     ID            `api:"profile_id"`
	Login       string        `api:"login"`
	URL         string        `api:"url" doc:"Masked"`
	To          []byte        `json:",omitempty"` // the same in full, sealed with the key of the gateway; nil in a store of version 2 and before
	Attempts    []Attempt     `api:"attempts" doc:"The last 50"`
	State       CallbackState `api:"state"`
	Round       int           // attempts since it was made or sent again
	Next        time.Time     `api:"next_attempt,null" doc:"In the machine's time"` // zero for none
	At          time.Time     `api:"at" doc:"When it was made, in the machine's time"`
	Fault       FaultKind     `api:"fault,omitzero"` // the kind of its fault; zero for none
	ContentType string        `api:"content_type"`
	Body        string        `api:"body" doc:"What is sent, masked"` // in full where it is kept

	HeldBy ID            `json:",omitempty"` // the fault that delays it; 0: it can be sent
	Day    calendar.Date // … until this day of the clock; zero: until After was tried
	After  ID            `json:",omitempty"` // … until this callback was tried; 0: there is no next one of the merchant yet
	Again  int           `json:",omitempty"` // how many deliveries more it gets
}

// An Attempt is one attempt to deliver a callback.
type Attempt struct {
	At     time.Time `api:"at"`
	Status int       `api:"status" doc:"0: no answer"`
	Error  string    `api:"error,omitzero" words:"timeout|not-loopback|connection|other-key" doc:"Why there was no answer"`
	Answer string    `json:",omitempty" api:"answer,omitzero" doc:"The beginning of its body, masked"`
}

var callbackForm = formOf[Callback]()

// shown is a callback as it may be shown.
func (b Callback) shown() Callback {
	b.URL, b.Body, b.At = shownURL(b.URL), cardtext.MaskEscaped(b.Body), b.At.UTC()
	if !b.Next.IsZero() {
		b.Next = b.Next.UTC()
	}
	b.Attempts = slices.Clone(b.Attempts)
	for i := range b.Attempts {
		b.Attempts[i].At = b.Attempts[i].At.UTC()
	}
	return b
}

// Key returns the key; its status is the state, or "held" for a callback that a fault delays.
func (c Callback) Key() Key {
	k := Key{ID: c.ID, Login: c.Login, Profile: c.Profile, Status: c.State.String()}
	if c.HeldBy != 0 {
		k.Status = statusHeld
	}
	return k
}

// statusHeld is the status of a callback that a fault delays in a [Key].
const statusHeld = "held"

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
	var names []string
	for _, p := range sample {
		names = append(names, "{"+p[0]+"}")
	}
	for _, name := range inBraces.FindAllString(t.Body, -1) {
		if !slices.Contains(names, name) {
			return inField("callback", "the template names a value that a callback does not have", "use "+strings.Join(names, ", "))
		}
	}
	return nil
}

// inBraces finds what a template names.
var inBraces = regexp.MustCompile(`\{[A-Za-z][A-Za-z0-9_-]*\}`)

// sample are parameters that show whether a template becomes JSON.
var sample = parametersOf(&Profile{ClientOrderID: "a", ID: 1}, &Charge{Currency: "EUR", Charge: engine.Charge{Min: amount.MustParse("9.90"), Date: calendar.MaxDate()}})

// escape returns how values are written into the template: as in a form or a JSON string if that is
// what it is, otherwise as they are.
func (t *CallbackTemplate) escape() func(string) string {
	media, _, _ := strings.Cut(t.ContentType, ";")
	switch asIs := func(text string) string { return text }; {
	case strings.EqualFold(strings.TrimSpace(media), formType):
		return escapeForm
	case json.Valid([]byte(t.replace(sample, asIs))):
		return func(text string) string {
			quoted := strictjson.AppendString(nil, text)
			return string(quoted[1 : len(quoted)-1])
		}
	default:
		return asIs
	}
}

// escapeForm writes a value of a form.
func escapeForm(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }

// replace fills in the parameters.
func (t *CallbackTemplate) replace(parameters [][2]string, escape func(string) string) string {
	var pairs []string
	for _, p := range parameters {
		pairs = append(pairs, "{"+p[0]+"}", escape(p[1]))
	}
	return strings.NewReplacer(pairs...).Replace(t.Body)
}

const formType = "application/x-www-form-urlencoded"

// A delivery says that a profile of a merchant has a callback to be sent.
type delivery struct {
	profile  ID
	login    string
	callback ID
}

func (c *Callback) delivery() delivery { return delivery{c.Profile, c.Login, c.ID} }

// callback makes the callback of a charge (6).
func (t *transaction) callback(p *Profile, c *Charge) error {
	if p.Callback == "" || t.g.config.Callbacks == CallbacksOff {
		return nil
	}
	m, err := t.merchant(p.Login)
	if err != nil {
		return err
	}
	table := t.tx.Callbacks()
	id, err := table.NextID()
	if err != nil {
		return err
	}
	contentType, body := m.Callback.fill(parametersOf(p, c))
	b := Callback{
		ID: id, Charge: c.ID, Profile: p.ID, Login: p.Login, URL: shownURL(p.Callback), To: p.CallbackTo, ContentType: contentType, Body: body,
		State: CallbackPending, At: t.g.config.Now(),
	}
	if b.To == nil {
		b.To = t.g.seal.Seal(p.Login, p.Callback)
	}
	if err := t.callbackFault(p, &b, c.Charge.Date); err != nil {
		return err
	}
	if err := t.overtake(&b); err != nil {
		return err
	}
	t.done.callbacks++
	switch {
	case b.HeldBy != 0:
		t.held = append(t.held, b)
	case b.State == CallbackPending:
		t.deliveries = append(t.deliveries, b.delivery())
	}
	return table.Put(b)
}

// merchant returns the merchant with a login; the last one is remembered.
func (t *transaction) merchant(login string) (*Merchant, error) {
	if t.last.Login != login {
		m, err := merchantOf(t.tx, login)
		if err != nil {
			return nil, err
		}
		t.last = m
	}
	return &t.last, nil
}

// parametersOf are the parameters of a callback: ours, since the document shows none.
func parametersOf(p *Profile, c *Charge) [][2]string {
	return [][2]string{
		{"client-orderid", p.ClientOrderID},
		{"recurring-payment-id", p.ID.String()},
		{"status", c.Charge.Outcome.String()},
		{"amount", c.Charge.Min.String()},
		{"currency", c.Currency},
		{"repeat", strconv.FormatUint(c.Charge.Repeat, 10)},
		{"date", c.Charge.Date.String()},
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
			b.WriteString(p[0] + "=" + escapeForm(p[1]))
		}
		return formType, b.String()
	}
	contentType = t.ContentType
	if contentType == "" {
		contentType = "text/plain; charset=utf-8"
	}
	return contentType, t.replace(parameters, t.escape())
}
