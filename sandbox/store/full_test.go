package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/ledger"
)

// setPages sets how many pages the database may have: one that has as many meets a full disk.
func setPages(t *testing.T, s *Store, n int) {
	t.Helper()
	_, err := s.writer.conn.ExecContext(t.Context(), fmt.Sprintf("PRAGMA max_page_count = %d", n))
	check(t, err)
}

// TestFullDisk: a transaction that finds no room changes nothing and says what to do, and once
// there is room the store goes on as if nothing had been.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	path := seeded(t)
	s, err := Open(t.Context(), path)
	check(t, err)
	fill := func(n int) error {
		return s.Update(t.Context(), func(tx gateway.Tx) error {
			for range n {
				id, err := tx.Charges().NextID()
				if err != nil {
					return err
				}
				if err := tx.Charges().Put(gateway.Charge{ID: id, ClientOrderID: strings.Repeat("x", 1000)}); err != nil {
					return err
				}
			}
			return tx.SetClock(gateway.Clock{Now: calendar.MustParse("2026-03-31")})
		})
	}
	setPages(t, s, 1) // it becomes the number that there is
	for range 3 {
		err := fill(100)
		f, ok := errors.AsType[ledger.Finding](err)
		if !ok || f.Code != gateway.StoreFailed || !strings.Contains(f.Message, "the disk is full") || f.Help == "" {
			t.Fatalf("%v", err)
		}
	}
	state := func() (n int, now string) {
		check(t, s.View(t.Context(), func(tx gateway.Tx) error {
			list, err := tx.Charges().List(gateway.Query{})
			if err != nil {
				return err
			}
			c, err := tx.Clock()
			n, now = len(list), c.Now.String()
			return err
		}))
		return n, now
	}
	if n, now := state(); n != 0 || now != "2026-02-28" {
		t.Errorf("%d charges, the clock at %s", n, now)
	}
	setPages(t, s, 1<<30)
	check(t, fill(100))
	check(t, s.Close())
	s, err = Open(t.Context(), path)
	check(t, err)
	defer func() { check(t, s.Close()) }()
	if n, now := state(); n != 100 || now != "2026-03-31" {
		t.Errorf("%d charges, the clock at %s", n, now)
	}
}

// TestGatewayOnAFullDisk: it refuses what it cannot keep, and goes on once there is room.
func TestGatewayOnAFullDisk(t *testing.T) {
	t.Parallel()
	s, err := Open(t.Context(), seeded(t))
	check(t, err)
	gw, err := gateway.New(t.Context(), gateway.Config{Store: s, Key: make([]byte, 32)})
	check(t, err)
	defer func() { check(t, gw.Close()) }()
	setPages(t, s, 1)
	full := 0
	for range 300 { // until the pages that there are have no room left
		_, err := gw.Register(t.Context(), gateway.Registration{Login: fmt.Sprint("m", full), Endpoint: fmt.Sprint(full), ControlKey: strings.Repeat("k", 1000)})
		if err != nil {
			break
		}
		full++
	}
	_, failed := gw.Register(t.Context(), gateway.Registration{Login: "late", Endpoint: "late", ControlKey: strings.Repeat("k", 1000)})
	if !errors.Is(failed, gateway.StoreFailed) {
		t.Fatalf("%d merchants have room, then %v", full, failed)
	}
	setPages(t, s, 1<<30)
	if _, err := gw.Register(t.Context(), gateway.Registration{Login: "late", Endpoint: "late", ControlKey: "k"}); err != nil {
		t.Error(err)
	}
	if a, err := gw.Advance(t.Context(), calendar.MustParse("2026-03-05")); err != nil || a.Now.String() != "2026-03-05" {
		t.Error(a, err)
	}
}

// TestATrialThatWasKilled: what it left goes at the next start, and nothing else does.
func TestATrialThatWasKilled(t *testing.T) {
	t.Parallel()
	path := seeded(t)
	dir := filepath.Dir(path)
	for _, name := range []string{".chargecast-trial-s.db", ".chargecast-trial-other.db", ".chargecast-trial"} {
		check(t, os.WriteFile(filepath.Join(dir, name), make([]byte, 1000), 0o600))
	}
	s, err := Open(t.Context(), path)
	check(t, err)
	if got := strings.Join(files(t, path), " "); strings.Contains(got, ".chargecast-trial-s.db") || !strings.HasPrefix(got, ".chargecast-trial .chargecast-trial-other.db s.db") {
		t.Errorf("there are %s", got)
	}
	check(t, os.WriteFile(s.trialFile(), nil, 0o600)) // one that could not be removed then
	s.disk.note(failed(errors.New("no room")), 0)
	if err := s.Writable(t.Context()); err != nil {
		time.Sleep(trialWait)
		s.disk.end()
		err = s.Writable(t.Context())
		check(t, err)
	}
	check(t, s.Close())
	if _, err := os.Stat(s.trialFile()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a trial leaves its file: %v", err)
	}
}
