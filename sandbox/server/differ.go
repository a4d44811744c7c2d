package server

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/sandbox/admin"
	"github.com/chargecast/chargecast/signature"
)

// compare says in the log what a merchant has otherwise than the configuration: names, and no values, of which some are secret. What
// the configuration would make is found out in a gateway of its own in memory.
func (b *boot) compare(ctx context.Context, is gateway.Merchant, text []byte) error {
	memory := gateway.NewMemory()
	gw, err := gateway.New(ctx, gateway.Config{Store: memory, Key: b.sealing, ReasonHeader: true})
	if err != nil {
		return err
	}
	defer func() { _ = gw.Close() }()
	if err := b.post(ctx, gw, "merchants", text); err != nil {
		return err
	}
	list, err := merchants(ctx, gw, gateway.Query{})
	if err != nil {
		return err
	}
	want := list[0]
	var names []string
	for _, member := range [...]struct {
		name    string
		differs bool
	}{
		{"endpoint", is.Endpoint != want.Endpoint},
		{"currency", is.Currency != want.Currency},
		{"public_key", is.Fingerprint != want.Fingerprint},
		{"window_s", is.WindowS != want.WindowS},
		{"check_replays", is.CheckReplays != want.CheckReplays},
		{"response", is.Response != want.Response},
		{"callback", is.Callback != want.Callback},
	} {
		if member.differs {
			names = append(names, member.name)
		}
	}
	sealed := want.ControlKey
	if want.ControlKey = is.ControlKey; len(sealed) > 0 && len(is.ControlKey) > 0 {
		err = memory.Update(ctx, func(tx gateway.Tx) error { return tx.Merchants().Put(want) })
		if err != nil {
			return err
		}
	}
	if (len(sealed) > 0) != (len(is.ControlKey) > 0) || len(sealed) > 0 && !signs(ctx, gw, &want, text) {
		names = append(names, "control_key")
	}
	if len(names) > 0 {
		b.log.Warn("--config: a merchant is otherwise in the store, and stays so: change it with PATCH "+admin.Prefix+"merchants/LOGIN, its keys with POST …/keys",
			"login", is.Login, "differs", strings.Join(names, ","))
	}
	return nil
}

// signs reports whether the control key of a configuration is that of the merchant: what is signed with it is not refused for its
// signature.
func signs(ctx context.Context, gw *gateway.Gateway, m *gateway.Merchant, text []byte) bool {
	var config struct {
		ControlKey string `json:"control_key"`
	}
	if json.Unmarshal(text, &config) != nil {
		return false
	}
	key, err := signature.NewSecret(config.ControlKey, "")
	if err != nil {
		return false
	}
	const body = "payload="
	path := "/paynet/api/v4/create-recurring-payments/" + m.Endpoint
	signed, err := signature.Sign(signature.NewRequest("POST", "http://gateway"+path).WithBody(formType, body), signature.OAuth{
		ConsumerKey: m.Login, Nonce: "n", Timestamp: signature.Timestamp(time.Now()),
	}, key, signature.ProfileGateway)
	if err != nil {
		return false
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://gateway"+path, strings.NewReader(body))
	if err != nil {
		return false
	}
	r.RequestURI = path
	r.Header = http.Header{"Content-Type": {formType}, "Authorization": {signed.Authorization()}}
	a := reasonOnly{}
	gw.ServeHTTP(a, r)
	return http.Header(a).Get("X-Chargecast-Reason") == string(gateway.ReasonPayload)
}

// reasonOnly is the header of an answer, of which the rest is dropped.
type reasonOnly http.Header

func (r reasonOnly) Header() http.Header         { return http.Header(r) }
func (r reasonOnly) WriteHeader(int)             {}
func (r reasonOnly) Write(b []byte) (int, error) { return len(b), nil }

// missing says in the log that the store has no outcome or fault such as the n-th of the configuration, whose merchant is there.
func (b *boot) missing(ctx context.Context, gw *gateway.Gateway, path, what string, n int, text []byte) error {
	var want map[string]any
	if err := json.Unmarshal(text, &want); err != nil {
		return nil // it is refused when its merchant is new
	}
	cursor := ""
	for {
		page, err := admin.Request{
			Method: http.MethodGet, Path: path + "?limit=1000&login=" + url.QueryEscape(loginOf(text)) + cursor, Host: b.hosts[0],
		}.Do(ctx, gw)
		if err != nil {
			return err
		}
		var list map[string]any
		if err := json.Unmarshal(page, &list); err != nil {
			return err
		}
		records, _ := list[path].([]any)
		for _, r := range records {
			if is, ok := r.(map[string]any); ok && has(is, want) {
				return nil
			}
		}
		next, more := list["cursor"].(string)
		if !more || next == "" {
			break
		}
		cursor = "&cursor=" + url.QueryEscape(next)
	}
	b.log.Warn("--config: the store has no such "+what+", and stays so, since its merchant is there: add it with POST "+admin.Prefix+path,
		what, strconv.Itoa(n), "login", loginOf(text))
	return nil
}

// has reports whether a record has what another one says.
func has(is, want map[string]any) bool {
	for name, value := range want {
		if part, ok := value.(map[string]any); ok {
			if of, ok := is[name].(map[string]any); !ok || !has(of, part) {
				return false
			}
		} else if !reflect.DeepEqual(is[name], value) {
			return false
		}
	}
	return true
}
