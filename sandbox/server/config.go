package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/internal/program"
	"github.com/chargecast/chargecast/internal/seal"
	"github.com/chargecast/chargecast/internal/strictjson"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/sandbox/admin"
)

// maxConfig is the longest configuration in bytes.
const maxConfig = 16 << 20

// A configuration is the file of the flag --config. Each record is what the admin interface takes.
type configuration struct {
	Merchants []json.RawMessage `json:"merchants"`
	Outcomes  []json.RawMessage `json:"outcomes"`
	Faults    []json.RawMessage `json:"faults"`
}

var configForm = strictjson.FormOf[configuration]()

// register registers the merchants of the configuration that are not there yet, with their outcomes
// and faults; those of no merchant belong to a store without any. A merchant that is there stays as
// it is, which is said in the log if it differs.
func (b *boot) register(ctx context.Context, gw *gateway.Gateway) error {
	before, err := merchants(ctx, gw, gateway.Query{})
	if err != nil {
		return err
	}
	added := map[string]bool{"": len(before) == 0}
	for i, text := range b.config.Merchants {
		login := loginOf(text)
		if at := slices.IndexFunc(before, func(m gateway.Merchant) bool { return m.Login == login }); at >= 0 && login != "" {
			if err := b.compare(ctx, before[at], text); err != nil {
				return placed(err, "merchant", i+1)
			}
			continue
		}
		if err := b.post(ctx, gw, "merchants", text); err != nil {
			return placed(err, "merchant", i+1)
		}
		added[login] = true
	}
	for _, list := range [...]struct {
		path, what string
		records    []json.RawMessage
	}{{"outcomes", "outcome", b.config.Outcomes}, {"faults", "fault", b.config.Faults}} {
		for i, text := range list.records {
			if !added[loginOf(text)] {
				if err := b.missing(ctx, gw, list.path, list.what, i+1, text); err != nil {
					return err
				}
				continue
			}
			if err := b.post(ctx, gw, list.path, text); err != nil {
				return placed(err, list.what, i+1)
			}
		}
	}
	return nil
}

func loginOf(text []byte) string {
	var m struct{ Login string }
	_ = json.Unmarshal(text, &m) // what cannot be read is refused when it is posted
	return m.Login
}

// placed says at which record of the configuration an error is.
func placed(err error, what string, n int) error {
	if f, ok := errors.AsType[*program.Failure](err); ok {
		return &program.Failure{Code: f.Code, Text: fmt.Sprintf("--config: %s %d: %s", what, n, f.Text), Help: f.Help}
	}
	return err
}

// readConfig reads the configuration; without a file it is empty. A file such as a pipe may keep it
// waiting: then it ends with ctx.
func readConfig(ctx context.Context, path string) (c configuration, err error) {
	if path == "" {
		return c, nil
	}
	done := make(chan struct{})
	var read struct {
		c   configuration
		err error
	}
	go func() {
		defer close(done)
		read.c, read.err = openConfig(path)
	}()
	select {
	case <-done:
		return read.c, read.err
	case <-ctx.Done():
		return c, nil
	}
}

func openConfig(path string) (c configuration, err error) {
	f, err := os.Open(path)
	if err != nil {
		return c, program.Unreadable("--config: the file cannot be opened", "name a file that can be read")
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, maxConfig+1))
	switch {
	case err != nil:
		return c, program.Unreadable("--config: the file cannot be read", "name a file that can be read")
	case len(text) > maxConfig:
		return c, program.Usage("--config: the file is longer than 16 MiB", "register the merchants by the admin interface")
	}
	if configForm.Read(text, &c) != nil {
		return c, program.Usage("--config: the file is not a JSON object of lists: merchants, outcomes, faults", `write {"merchants":[{"login":"m1","endpoint":"1001"}]}`)
	}
	return c, nil
}

// post posts a record to the admin interface, in memory, so that both read the same.
func (b *boot) post(ctx context.Context, gw *gateway.Gateway, to string, text []byte) error {
	_, err := admin.Request{Method: http.MethodPost, Path: to, Body: text, Host: b.hosts[0]}.Do(ctx, gw)
	p, ok := errors.AsType[*admin.Problem](err)
	switch {
	case !ok:
		return err
	case p.Field != "":
		return program.Usage(p.Field+": "+p.Title, p.Detail)
	}
	return program.Usage(p.Title, p.Detail)
}

// knows reports whether a merchant has a login.
func knows(ctx context.Context, gw *gateway.Gateway, login string) (bool, error) {
	list, err := merchants(ctx, gw, gateway.Query{Login: login})
	return slices.ContainsFunc(list, func(m gateway.Merchant) bool { return m.Login == login }), err
}

func merchants(ctx context.Context, gw *gateway.Gateway, q gateway.Query) (list []gateway.Merchant, err error) {
	err = gw.View(ctx, func(tx gateway.Tx) (err error) {
		list, err = tx.Merchants().List(q)
		return err
	})
	return list, err
}

func findingOf(err error) (ledger.Finding, bool) { return errors.AsType[ledger.Finding](err) }

// compare says in the log what a merchant has otherwise than the configuration: names, and no
// values, of which some are secret. What the configuration would make is found out in a gateway of
// its own in memory.
func (b *boot) compare(ctx context.Context, is gateway.Merchant, text []byte) error {
	memory, err := gateway.New(ctx, gateway.Config{})
	if err != nil {
		return err
	}
	defer func() { _ = memory.Close() }()
	if err := b.post(ctx, memory, "merchants", text); err != nil {
		return err
	}
	list, err := merchants(ctx, memory, gateway.Query{})
	if err != nil {
		return err
	}
	want := list[0]
	var config struct {
		ControlKey string `json:"control_key"`
	}
	if err := json.Unmarshal(text, &config); err != nil {
		return err
	}
	sealer, err := seal.New(b.base.Key)
	if err != nil {
		return err
	}
	controlKey, isReadable := "", true
	if len(is.ControlKey) > 0 {
		controlKey, isReadable = sealer.Open(is.Login, is.ControlKey)
	}
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
		{"control_key", !isReadable || controlKey != config.ControlKey},
	} {
		if member.differs {
			names = append(names, member.name)
		}
	}
	if len(names) > 0 {
		b.log.Warn("--config: a merchant is otherwise in the store, and stays so: change it with PATCH "+admin.Prefix+"merchants/LOGIN, its keys with POST …/keys",
			"login", is.Login, "differs", strings.Join(names, ","))
	}
	return nil
}

// missing says in the log that the store has no outcome or fault such as the n-th of the
// configuration, whose merchant is there.
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
