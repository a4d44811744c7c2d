package server

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"runtime"
	"slices"
	"strconv"
	"time"

	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/internal/program"
	"github.com/chargecast/chargecast/sandbox/pages"
	"github.com/chargecast/chargecast/sandbox/store"
)

// shutdownTimeout is how long requests may still take when the program ends.
const shutdownTimeout = 10 * time.Second

// A ready line is the only one on stdout.
type ready struct {
	Type      string `json:"type"`
	URL       string `json:"url"`
	PublicURL string `json:"public_url,omitempty"`
}

// serve runs the server until ctx ends. The port is taken first, so that a second start does not
// touch the store; the ready line is written when the store is open, migrated and settled.
func (s *settings) serve(ctx context.Context, stdout, stderr io.Writer) error {
	log := slog.New(slog.NewTextHandler(stderr, nil))
	if s.log.V == "json" {
		log = slog.New(slog.NewJSONHandler(stderr, nil))
	}
	config, err := readConfig(ctx, s.configFile)
	if err != nil || ctx.Err() != nil {
		return err // nil: ended by a signal while it waited for the file
	}
	l, err := s.open()
	if err != nil {
		return err
	}
	defer func() { _ = l.Close() }()
	at := l.Addr().(*net.TCPAddr)
	b := &boot{settings: s, config: config, log: log, hosts: hosts(s.listen, s.hostNames, at), ends: make(chan struct{}, 1), url: urlOf(at)}
	gw, err := b.gateway(ctx)
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil // ended by a signal before it was ready
	}
	if err != nil {
		return err
	}
	server := gateway.NewServer(pages.New(gw, pages.Options{URL: b.target(), Demo: b.command}))
	done := make(chan error, 1)
	go func() { done <- server.Serve(l) }()
	log.Info("ready", "url", b.url) // nobody may read stdout
	line, err := json.Marshal(ready{"ready", b.url, s.base.PublicURL})
	if err == nil {
		_, err = stdout.Write(append(line, '\n'))
	}
	if err != nil {
		err = program.Internal("the ready line cannot be written to stdout", "keep stdout open")
	} else {
		select {
		case <-ctx.Done():
			log.Info("ending")
		case err = <-done:
		case <-b.ends:
			log.Warn("ending, as a fault wants it: the next start goes on")
			err = errRestart
		}
	}
	return errors.Join(err, end(server, gw))
}

// end lets the requests under way finish, and closes the store. An advance of the clock ends after
// the day that it is at; the next start goes on with it.
func end(server *gateway.Server, gw *gateway.Gateway) error {
	ctx, cancel := context.WithTimeout(context.Background(), shutdownTimeout)
	defer cancel()
	_ = server.Shutdown(ctx) // what it leaves is closed below
	err := gw.Close()
	_ = server.Close()
	return err
}

// A boot is what leads to a gateway.
type boot struct {
	*settings
	config configuration
	log    *slog.Logger
	hosts  []string
	url    string
	ends   chan struct{} // has one if a fault ends the program

	command string // sends the demo payload; empty for none
}

// gateway opens the store and what belongs to it.
func (b *boot) gateway(ctx context.Context) (*gateway.Gateway, error) {
	c := b.base
	c.Hosts, c.Log = b.hosts, b.log
	if slices.Contains(b.hostNames, anyHost) {
		c.Hosts = nil
	}
	c.Restart = func() {
		select {
		case b.ends <- struct{}{}:
		default:
		}
	}
	if b.store == memoryStore {
		gw, err := gateway.New(ctx, c)
		if err != nil {
			return nil, b.unusable(err)
		}
		return gw, b.closeIf(gw, b.register(ctx, gw))
	}
	s, err := store.Open(ctx, b.store)
	if err != nil {
		return nil, err
	}
	c.Store = s
	if info, err := os.Stat(s.Path()); err == nil && info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		b.log.Warn("others can read the store: make it yours alone, as in chmod 600", "file", s.Path())
	}
	if b.base.Key, err = b.key(ctx, s, s.Path()+".key"); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	c.Key = b.base.Key
	gw, err := gateway.New(ctx, c)
	if err != nil {
		return nil, errors.Join(b.unusable(err), s.Close())
	}
	if err := b.agrees(gw); err != nil {
		return nil, errors.Join(err, gw.Close())
	}
	return gw, b.closeIf(gw, b.prepare(ctx, gw, s.Path()))
}

// prepare registers the merchants, and says on which day the clock is.
func (b *boot) prepare(ctx context.Context, gw *gateway.Gateway, path string) error {
	if err := b.register(ctx, gw); err != nil {
		return err
	}
	if err := b.demo(ctx, gw, path); err != nil {
		return err
	}
	now, err := gw.Now(ctx)
	if err != nil {
		return err
	}
	if b.hasAsOf && now != b.settings.base.AsOf {
		b.log.Warn("the store has a clock of its own: --as-of is for a new store only", "now", now.String())
	}
	b.log.Info("store open", "file", path, "now", now.String())
	return nil
}

// agrees refuses flags that say otherwise than the store, also where they say what would be the
// default.
func (b *boot) agrees(gw *gateway.Gateway) error {
	if b.hasPolicy && b.base.Policy != gw.Policy() {
		return program.Usage("--policy: the store was made with another policy: "+gw.Policy().String(), "leave --policy out, or name another store")
	}
	if b.hasSeed && b.base.Seed != gw.Seed() {
		return program.Usage("--seed: the store was made with another seed: "+strconv.FormatUint(gw.Seed(), 10), "leave --seed out, or name another store")
	}
	return nil
}

// closeIf closes a gateway that cannot be used.
func (b *boot) closeIf(gw *gateway.Gateway, err error) error {
	if err != nil {
		err = errors.Join(err, gw.Close())
	}
	return err
}

// unusable makes an error of usage of what a flag caused.
func (b *boot) unusable(err error) error {
	if errors.Is(err, gateway.Restarting) {
		return errRestart
	}
	if f, ok := findingOf(err); ok && f.Code == gateway.InputForm {
		return program.Usage(f.Message, f.Help)
	}
	return err
}
