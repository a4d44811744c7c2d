package gateway

import (
	"context"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/chargecast/chargecast/internal/enum"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature"
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
	CheckReplays bool         `api:"check_replays"` // a nonce can be used only once with the same timestamp (L63)
	Response     ResponseMode `api:"response"`
	// Callback replaces the content of callbacks; the zero value is ours.
	Callback CallbackTemplate `api:"callback,omitzero"`
}

// A CallbackTemplate is the content of a merchant's callbacks, which the document does not show
// (6). In Body each name in braces, such as {client-orderid}, is replaced by the value of that
// parameter; the names are those of the form that is sent without a template. The values are
// escaped as in a JSON string if the body is JSON, percent-encoded if ContentType is that of a
// form, and otherwise written as they are.
type CallbackTemplate struct {
	ContentType string `api:"content_type"`
	Body        string `api:"body,needed" doc:"Names in braces, such as {client-orderid}, are replaced by the values of the form that is sent without a template, escaped as JSON or a form needs it; another name is refused"`
}

// Key returns the key; its text is the endpoint.
func (m Merchant) Key() Key { return Key{ID: m.ID, Login: m.Login, Text: m.Endpoint} }

// A Registration is what a merchant is registered with.
type Registration struct {
	Login        string           `api:"login,needed" doc:"The oauth_consumer_key: 1 to 128 printable ASCII characters without a slash"`
	Endpoint     string           `api:"endpoint,needed" pattern:"^[A-Za-z0-9._~-]{1,64}$" doc:"The last part of the path"`
	Currency     string           `api:"currency,null" pattern:"^[A-Z]{3}$" doc:"Of the project; not known and not checked without it"` // (L56)
	ControlKey   string           `api:"control_key,null" doc:"For HMAC-SHA1; never given back"`
	PublicKey    string           `api:"public_key,null" doc:"An RSA public key as PEM, for RSA-SHA256"`
	WindowS      int              `api:"window_s" limits:"minimum=0 maximum=1073741824" doc:"The largest distance of a timestamp from the real time, in seconds; 0: any"`
	CheckReplays bool             `api:"check_replays" doc:"A nonce can be used only once with the same timestamp"`
	Response     ResponseMode     `api:"response" doc:"What create requests are answered with"`
	Callback     CallbackTemplate `api:"callback"`
}

// What a merchant is registered with, what can be changed later, and the keys, which have a place
// of their own.
var (
	registrationForm = formOf[Registration]()
	changeForm       = registrationForm.Only("endpoint", "currency", "window_s", "check_replays", "response", "callback")
	keysForm         = registrationForm.Only("control_key", "public_key")
)

// String returns the login, and not the keys.
func (r Registration) String() string { return "registration of " + strconv.Quote(r.Login) }

// Format writes what String returns, under every verb.
func (r Registration) Format(w fmt.State, _ rune) { _, _ = io.WriteString(w, r.String()) }

// MarshalText returns what String returns: a registration is read from the JSON of the admin
// interface, and never written.
func (r Registration) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// LogValue returns what String returns.
func (r Registration) LogValue() slog.Value { return slog.StringValue(r.String()) }

// Register registers a merchant. The error has the code [Exists] for a login or an endpoint that is
// taken, [KeyUnusable] for a key that package signature refuses, [InputForm] for anything else that
// cannot be used.
func (g *Gateway) Register(ctx context.Context, r Registration) (Merchant, error) {
	m := Merchant{
		Login: r.Login, Endpoint: r.Endpoint, Currency: r.Currency, WindowS: r.WindowS,
		CheckReplays: r.CheckReplays, Response: r.Response, Callback: r.Callback,
	}
	if err := r.check(); err != nil {
		return Merchant{}, err
	}
	if err := g.setKeys(&m, r.ControlKey, r.PublicKey); err != nil {
		return Merchant{}, err
	}
	err := g.store.Update(ctx, func(tx Tx) error {
		switch _, err := merchantOf(tx, m.Login); {
		case err == nil:
			return found(Exists, "", "")
		case !errors.Is(err, NotFound):
			return err
		}
		if err := m.hasOwnEndpoint(tx); err != nil {
			return err
		}
		id, err := tx.Merchants().NextID()
		if err != nil {
			return err
		}
		m.ID = id
		return tx.Merchants().Put(m)
	})
	if err != nil {
		return Merchant{}, err
	}
	return m, nil
}

// SetKeys replaces the keys of a merchant; an empty text leaves a key as it is. Errors are those of
// [Gateway.Register], or [NotFound].
func (g *Gateway) SetKeys(ctx context.Context, login, controlKey, publicKey string) (Merchant, error) {
	var m Merchant
	err := g.store.Update(ctx, func(tx Tx) (err error) {
		if m, err = merchantOf(tx, login); err != nil {
			return err
		}
		if err := g.setKeys(&m, controlKey, publicKey); err != nil {
			return err
		}
		return tx.Merchants().Put(m)
	})
	if err != nil {
		return Merchant{}, err
	}
	return m, nil
}

func (r *Registration) check() error {
	switch {
	case !isName(r.Login, 128, func(c byte) bool { return ' ' < c && c < 0x7f && c != '/' && c != '\\' }):
		return inField("login", "the login is not 1 to 128 printable ASCII characters without a slash", "send the oauth_consumer_key of the merchant")
	case r.Login == "." || r.Login == "..", r.Endpoint == "." || r.Endpoint == "..":
		return inField("login", "the login or the endpoint is . or .., which have a meaning in a path", "choose a name")
	case !isName(r.Endpoint, 64, isUnreserved):
		return inField("endpoint", "the endpoint is not 1 to 64 letters, digits and - . _ ~", "send the last part of the path")
	case r.Currency != "" && (len(r.Currency) != 3 || !isName(r.Currency, 3, func(c byte) bool { return 'A' <= c && c <= 'Z' })):
		return inField("currency", "the currency is not three upper-case letters", "send a code such as EUR, or leave it out")
	case r.WindowS < 0 || r.WindowS > 1<<30:
		return inField("window_s", "the window is negative or longer than 34 years", "send seconds from 0 to 1073741824; 0 switches the check off")
	case r.Response > ResponseParameters:
		return inField("response", "unknown response mode", "send empty or parameters")
	}
	return r.Callback.check()
}

func isName(text string, most int, allowed func(byte) bool) bool {
	for i := range len(text) {
		if !allowed(text[i]) {
			return false
		}
	}
	return 0 < len(text) && len(text) <= most
}

func isUnreserved(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || strings.IndexByte("-._~", c) >= 0
}

// setKeys sets the keys that are given.
func (g *Gateway) setKeys(m *Merchant, controlKey, publicKey string) error {
	if controlKey != "" {
		if len(controlKey) > 1024 || !utf8.ValidString(controlKey) {
			return inField("control_key", "the control key is longer than 1024 bytes or not UTF-8", "send it as text")
		}
		m.ControlKey = g.seal.Seal(m.Login, controlKey)
	}
	if publicKey == "" {
		return nil
	}
	key, err := signature.ParsePublicKey([]byte(publicKey))
	if err != nil {
		return keyError(err)
	}
	if key.Findings().Has(signature.KeyPrivateNotNeeded) {
		return keyField("the key is a private one, which belongs to its owner alone", "send its public half: openssl rsa -in key.pem -pubout")
	}
	block, _ := pem.Decode([]byte(publicKey))
	if block == nil {
		return keyField("the key cannot be read as PEM", "send an RSA public key as PEM")
	}
	// Nothing around the block is kept.
	m.PublicKey = string(pem.EncodeToMemory(&pem.Block{Type: block.Type, Bytes: block.Bytes}))
	m.Fingerprint = key.Fingerprint()
	return nil
}

func keyField(message, help string) error {
	f := found(KeyUnusable, message, help)
	f.Kind, f.Subject = ledger.SubjectField, "public_key"
	return f
}

// keyError is what package signature says of a key, with its own words.
func keyError(err error) error {
	if f, ok := errors.AsType[ledger.Finding](err); ok {
		return keyField(f.Message, f.Help)
	}
	if list, ok := errors.AsType[ledger.Findings](err); ok && len(list) > 0 {
		return keyField(list[0].Message, list[0].Help)
	}
	return found(KeyUnusable, "", "")
}

// merchantOf returns the merchant with a login.
func merchantOf(tx Tx, login string) (Merchant, error) {
	return onlyMerchant(tx, Query{Login: login}, func(m Merchant) bool { return m.Login == login })
}

// hasOwnEndpoint returns an error if another merchant has the endpoint.
func (m *Merchant) hasOwnEndpoint(tx Tx) error {
	other, err := onlyMerchant(tx, Query{Search: m.Endpoint}, func(o Merchant) bool { return o.Endpoint == m.Endpoint && o.ID != m.ID })
	switch {
	case err == nil:
		return found(Exists, "another merchant has this endpoint", "change the endpoint of "+other.Login)
	case errors.Is(err, NotFound):
		return nil
	}
	return err
}

func onlyMerchant(tx Tx, q Query, is func(Merchant) bool) (Merchant, error) {
	list, err := tx.Merchants().List(q)
	if err != nil {
		return Merchant{}, err
	}
	for _, m := range list {
		if is(m) {
			return m, nil
		}
	}
	return Merchant{}, found(NotFound, "no such merchant", "list the merchants for their logins")
}

// keyCache holds loaded keys: reading one costs as much as verifying with it.
type keyCache struct {
	mu     sync.Mutex
	public map[string]*signature.PublicKey // by PEM
	secret map[string]*signature.HMACKey   // by sealed text
}

// maxCached is the most keys of a kind in the cache.
const maxCached = 1024

// verifyingKey returns the key of a merchant for a signature method; nil, and a finding, if there
// is none that can be used.
func (g *Gateway) verifyingKey(m *Merchant, method string) (signature.VerifyingKey, error) {
	hmac := method == signature.MethodHMACSHA1.String()
	if method != signature.MethodRSASHA256.String() && !hmac {
		hmac = m.PublicKey == "" // for the finding about the method
	}
	if hmac {
		return g.secretOf(m)
	}
	return g.publicOf(m)
}

func (g *Gateway) publicOf(m *Merchant) (signature.VerifyingKey, error) {
	if m.PublicKey == "" {
		return nil, noKey("the merchant has no public key registered", "register it, or sign with HMAC-SHA1")
	}
	g.keys.mu.Lock()
	defer g.keys.mu.Unlock()
	if key := g.keys.public[m.PublicKey]; key != nil {
		return key, nil
	}
	key, err := signature.ParsePublicKey([]byte(m.PublicKey))
	if err != nil {
		return nil, err
	}
	if g.keys.public == nil || len(g.keys.public) >= maxCached {
		g.keys.public = map[string]*signature.PublicKey{}
	}
	g.keys.public[m.PublicKey] = key
	return key, nil
}

func (g *Gateway) secretOf(m *Merchant) (signature.VerifyingKey, error) {
	if len(m.ControlKey) == 0 {
		return nil, noKey("the merchant has no control key registered", "register it, or sign with RSA-SHA256")
	}
	g.keys.mu.Lock()
	defer g.keys.mu.Unlock()
	name := m.Login + "/" + string(m.ControlKey)
	if key := g.keys.secret[name]; key != nil {
		return key, nil
	}
	text, ok := g.seal.Open(m.Login, m.ControlKey)
	if !ok {
		return nil, noKey("the control key was encrypted with a key that the gateway does not have", "start the gateway with its key file, or register the control key again")
	}
	key, err := signature.NewHMACKey(text)
	if err != nil {
		return nil, err
	}
	if g.keys.secret == nil || len(g.keys.secret) >= maxCached {
		g.keys.secret = map[string]*signature.HMACKey{}
	}
	g.keys.secret[name] = key
	return key, nil
}

func noKey(message, help string) error {
	return found(signature.KeyMissing, message, help)
}

// changeMerchant lets a function set members of what a merchant is registered with, keys aside. The
// login stays. Errors are those of [Gateway.Register], or [NotFound], or what the function returns.
func (g *Gateway) changeMerchant(ctx context.Context, login string, change func(*Registration) error) (Merchant, error) {
	var m Merchant
	err := g.store.Update(ctx, func(tx Tx) (err error) {
		if m, err = merchantOf(tx, login); err != nil {
			return err
		}
		r := Registration{
			Login: m.Login, Endpoint: m.Endpoint, Currency: m.Currency, WindowS: m.WindowS, CheckReplays: m.CheckReplays,
			Response: m.Response, Callback: m.Callback,
		}
		if err := change(&r); err != nil {
			return err
		}
		if err := r.check(); err != nil {
			return err
		}
		m.Endpoint, m.Currency, m.WindowS, m.CheckReplays = r.Endpoint, r.Currency, r.WindowS, r.CheckReplays
		m.Response, m.Callback = r.Response, r.Callback
		if err := m.hasOwnEndpoint(tx); err != nil {
			return err
		}
		return tx.Merchants().Put(m)
	})
	if err != nil {
		return Merchant{}, err
	}
	return m, nil
}

// Unregister removes a merchant without profiles, and whatever else is its own. The error has the
// code [HasProfiles] for one that has some, and [NotFound] for a login that no merchant has.
func (g *Gateway) Unregister(ctx context.Context, login string) error {
	return g.store.Update(ctx, func(tx Tx) error {
		m, err := merchantOf(tx, login)
		if err != nil {
			return err
		}
		list, err := tx.Profiles().List(Query{Login: login, Limit: 1})
		if err != nil {
			return err
		}
		if len(list) > 0 {
			return found(HasProfiles, "", "")
		}
		if err := tx.Clear(login); err != nil {
			return err
		}
		return tx.Merchants().Delete(m.ID)
	})
}

// knows returns an error for a login that no merchant has; the empty one means all.
func knows(tx Tx, login string) error {
	if login == "" {
		return nil
	}
	_, err := merchantOf(tx, login)
	return err
}
