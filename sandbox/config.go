package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"

	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/ledger"
)

// maxConfig is the longest configuration in bytes.
const maxConfig = 16 << 20

// A configuration is the file of the flag --config. Each merchant is what POST merchants takes.
type configuration struct {
	Merchants []json.RawMessage `json:"merchants"`
}

// register registers the merchants of the configuration that are not there yet.
func (b *boot) register(ctx context.Context, gw *gateway.Gateway) error {
	for i, m := range b.config.Merchants {
		if err := b.registerOne(ctx, gw, m); err != nil {
			return placed(err, i+1)
		}
	}
	return nil
}

// placed says at which merchant of the configuration an error is.
func placed(err error, n int) error {
	if f, ok := errors.AsType[*failure](err); ok {
		return &failure{f.code, fmt.Sprintf("--config: merchant %d: %s", n, f.text), f.help}
	}
	return err
}

// readConfig reads the configuration; without a file it is empty.
func readConfig(path string) (c configuration, err error) {
	if path == "" {
		return c, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return c, &failure{exitUnreadable, "--config: the file cannot be opened", "name a file that can be read"}
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, maxConfig+1))
	switch {
	case err != nil:
		return c, &failure{exitUnreadable, "--config: the file cannot be read", "name a file that can be read"}
	case len(text) > maxConfig:
		return c, &failure{exitUsage, "--config: the file is longer than 16 MiB", "register the merchants by the admin interface"}
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if d.Decode(&c) != nil || d.Decode(new(json.RawMessage)) != io.EOF {
		return c, &failure{exitUsage, "--config: the file is not a JSON object with the member merchants alone, a list", `write {"merchants":[{"login":"m1","endpoint":"1234"}]}`}
	}
	return c, nil
}

// registerOne posts one merchant to the admin interface, in memory, so that both read the same.
func (b *boot) registerOne(ctx context.Context, gw *gateway.Gateway, text []byte) error {
	var m struct {
		Login string `json:"login"`
	}
	if json.Unmarshal(text, &m) == nil && m.Login != "" {
		known, err := knows(ctx, gw, m.Login)
		if err != nil || known {
			return err
		}
	}
	const path = "/_sandbox/v1/merchants"
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+b.hosts[0]+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	r.RequestURI = path
	a := &response{header: http.Header{}}
	gw.ServeHTTP(a, r)
	if a.status == http.StatusCreated {
		return nil
	}
	var problem struct{ Title, Detail, Field string }
	if json.Unmarshal(a.body.Bytes(), &problem) != nil || problem.Title == "" {
		return &failure{exitFailed, "the merchant could not be registered", "see the log"}
	}
	if problem.Field != "" {
		problem.Title = problem.Field + ": " + problem.Title
	}
	return &failure{exitUsage, problem.Title, problem.Detail}
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

// A response is that of a handler, in memory.
type response struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (a *response) Header() http.Header         { return a.header }
func (a *response) WriteHeader(status int)      { a.status = status }
func (a *response) Write(b []byte) (int, error) { return a.body.Write(b) }

func findingOf(err error) (ledger.Finding, bool) { return errors.AsType[ledger.Finding](err) }
