package gateway

import (
	"github.com/chargecast/chargecast/internal/enum"
)

// A ResponseMode says what a create request is answered with. The zero value is ResponseEmpty.
type ResponseMode uint8

// The modes.
const (
	ResponseEmpty      ResponseMode = iota // an empty body (4.1, 7)
	ResponseParameters                     // response parameters (2.3, X1): our reading of them
)

var responseWords = enum.Words{Type: "ResponseMode", Words: []string{"empty", "parameters"}}

// String returns "empty" or "parameters", and a text such as "ResponseMode(9)" for a value that is
// neither.
func (m ResponseMode) String() string { return responseWords.String(uint8(m)) }

// MarshalText returns the word; a value that is not a ResponseMode is an error.
func (m ResponseMode) MarshalText() ([]byte, error) { return responseWords.Marshal(uint8(m)) }

// UnmarshalText reads what MarshalText writes. On an error m is unchanged.
func (m *ResponseMode) UnmarshalText(text []byte) error {
	return responseWords.Unmarshal(text, (*uint8)(m))
}

// A Merchant is who may send requests, as a store keeps it. Registrations are for
// [Gateway.Register].
type Merchant struct {
	ID       ID
	Login    string `api:"login"`         // the oauth_consumer_key (5.1)
	Endpoint string `api:"endpoint"`      // the last part of the request's path (4.1)
	Currency string `api:"currency,null"` // that of the project; empty: not known and not checked (L56)
	// PublicKey is the RSA public key as PEM; empty for none.
	PublicKey string
	// Fingerprint identifies the public key; empty for none.
	Fingerprint string `api:"public_key,null" doc:"Its fingerprint"`
	// ControlKey is the merchant control key (5.3), sealed with the key of the gateway; nil for
	// none.
	ControlKey   []byte
	WindowS      int          `api:"window_s"`      // the largest distance of a timestamp from the real time, in seconds; 0: any (L63)
	CheckReplays bool         `api:"check_replays"` // a nonce can be used only once (L63)
	Response     ResponseMode `api:"response"`
	// Callback replaces the content of callbacks; the zero value is ours.
	Callback CallbackTemplate `api:"callback,omitzero"`
}

// A CallbackTemplate is the content of a merchant's callbacks, which the document does not show
// (6). In Body each name in braces, such as {client-orderid}, is replaced by the value of that
// parameter; the names are those of the form that is sent without a template.
type CallbackTemplate struct {
	ContentType string `api:"content_type"`
	Body        string `api:"body,needed" doc:"Names in braces, such as {client-orderid}, are replaced by the values of the form that is sent without a template"`
}

// Key returns the key; its text is the endpoint.
func (m Merchant) Key() Key { return Key{ID: m.ID, Login: m.Login, Text: m.Endpoint} }
