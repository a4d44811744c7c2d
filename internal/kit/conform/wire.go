package conform

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"unicode/utf8"
)

// A text travels as a JSON string, or as {"b64":"…"} where it is not valid UTF-8.
type text string

// Bytes travel as {"b64":"…"} always.
type bytes64 []byte

type encoded struct {
	Base64 *[]byte `json:"b64"`
}

// MarshalJSON never fails.
func (t text) MarshalJSON() ([]byte, error) {
	if utf8.ValidString(string(t)) {
		return json.Marshal(string(t))
	}
	return bytes64(t).MarshalJSON()
}

// UnmarshalJSON takes both forms.
func (t *text) UnmarshalJSON(data []byte) error {
	var plain *string
	if json.Unmarshal(data, &plain) == nil && plain != nil {
		*t = text(*plain)
		return nil
	}
	var e encoded
	if err := json.Unmarshal(data, &e); err != nil || e.Base64 == nil {
		return errors.New(`a text is a string or {"b64":"…"}`)
	}
	*t = text(*e.Base64)
	return nil
}

// MarshalJSON never fails.
func (b bytes64) MarshalJSON() ([]byte, error) {
	return []byte(`{"b64":"` + base64.StdEncoding.EncodeToString(b) + `"}`), nil
}

// A param is a name and a value, as [name, value].
type param [2]text

// A message is a request: what all requests have, and what one operation adds.
type message struct {
	ID int    `json:"id"`
	Op string `json:"op"`
}

func (m *message) head() *message { return m }

// A request is any of the requests below.
type request interface{ head() *message }

type helloRequest struct {
	message

	Protocol string `json:"protocol"`
}

type helloReply struct {
	Name string   `json:"name"`
	Ops  []string `json:"ops"`
}

// A forecastRequest is one of simulate too, which has a script.
type forecastRequest struct {
	message

	Columns map[string]string  `json:"columns"`
	AsOf    string             `json:"as_of"`
	Until   string             `json:"until"`
	Policy  map[string]string  `json:"policy"`
	State   json.RawMessage    `json:"state"`
	Script  *[]json.RawMessage `json:"script,omitempty"`
}

type stopReply struct {
	Date    string   `json:"date"`
	Reasons []string `json:"reasons"`
}

// A recordReply is a charge, an event or an end, as cli.md has them.
type recordReply struct {
	Type    string     `json:"type"`
	Repeat  *uint64    `json:"repeat"`
	Date    string     `json:"date"`
	Slot    string     `json:"slot"`
	Amount  *string    `json:"amount"`
	Min     *string    `json:"min"`
	Max     *string    `json:"max"`
	Kind    string     `json:"kind"`
	Outcome string     `json:"outcome"`
	Do      string     `json:"do"`
	Result  string     `json:"result"`
	Status  string     `json:"status"`
	Stop    *stopReply `json:"stop"`
}

type forecastReply struct {
	Charges *[]recordReply `json:"charges"`
	End     *recordReply   `json:"end"`
}

type simulateReply struct {
	Records *[]recordReply `json:"records"`
}

type validateRequest struct {
	message

	CSV bytes64 `json:"csv"`
}

type problemReply struct {
	Code     string `json:"code"`
	Severity string `json:"severity"`
	Row      int    `json:"row"`
	Column   string `json:"column"`
}

type validateReply struct {
	Problems *[]problemReply `json:"problems"`
}

type decodeRequest struct {
	message

	Form bytes64 `json:"form"`
}

type decodeReply struct {
	CSV *text `json:"csv"`
}

type encodeRequest struct {
	message

	Bytes bytes64 `json:"bytes"`
}

type encodeReply struct {
	Text *text `json:"text"`
}

type baseStringRequest struct {
	message

	Method string  `json:"method"`
	URL    text    `json:"url"`
	Params []param `json:"params"`
}

type baseStringReply struct {
	BaseString *text `json:"base_string"`
}

type oauthMember struct {
	ConsumerKey text  `json:"consumer_key"`
	Nonce       text  `json:"nonce"`
	Timestamp   text  `json:"timestamp"`
	Realm       *text `json:"realm"`
}

// A signRequest is one of verify too, which has an authorization.
type signRequest struct {
	baseStringRequest

	OAuth           oauthMember `json:"oauth"`
	SignatureMethod string      `json:"signature_method"`
	Secret          *text       `json:"secret,omitempty"`
	PrivateKey      string      `json:"private_key,omitempty"`
	PublicKey       string      `json:"public_key,omitempty"`
	InBody          bool        `json:"in_body"`
	Authorization   *text       `json:"authorization,omitempty"`
}

type signReply struct {
	Signature     *text `json:"signature"`
	Authorization *text `json:"authorization"`
}

type verifyReply struct {
	Signature string `json:"signature"`
}
