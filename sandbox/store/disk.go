package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"time"

	lib "modernc.org/sqlite/lib"

	"github.com/chargecast/chargecast/gateway"
)

// A disk is what is known of the disk since something was refused. A small transaction may find
// room in the pages that a full one leaves, so none proves that there is room again: that takes a
// trial, of the size of what was refused.
type disk struct {
	mu      sync.Mutex
	refusal error // nil for none
	refused int   // how often something was
	room    int   // how many bytes it was
	tried   time.Time
	trial   chan struct{} // closed at its end; nil for none under way
}

// What a trial writes is between these sizes.
const (
	leastTrial = 256 << 10
	mostTrial  = 4 << 20
)

const (
	trialEvery = time.Second
	trialWait  = 50 * time.Millisecond // for its end
)

// note notes how a transaction of so many bytes ended.
func (d *disk) note(err error, size int) {
	f, ok := errors.AsType[failure](err)
	if !ok || f.code == lib.SQLITE_TOOBIG {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.refused++
	d.refusal, d.room = f.Finding, max(d.room, 2*size) // in the log of SQLite, and in the database
}

// Writable returns nil if the store can be written, as far as is known, and else what the disk
// refused the last write with. Once something was refused, that lasts until a trial succeeds. One
// takes place when this is called, each second at most.
func (s *Store) Writable(ctx context.Context) error {
	d := &s.disk
	d.mu.Lock()
	if d.refusal == nil {
		d.mu.Unlock()
		return nil
	}
	if d.trial == nil && time.Since(d.tried) >= trialEvery {
		d.tried, d.trial = time.Now(), make(chan struct{})
		go s.try(context.WithoutCancel(ctx), d.refused, min(max(d.room, leastTrial), mostTrial))
	}
	trial := d.trial
	d.mu.Unlock()
	if trial != nil {
		select {
		case <-trial:
		case <-time.After(trialWait):
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.refusal
}

// try writes a file of a size beside the store, and something into the store.
func (s *Store) try(ctx context.Context, refused, size int) {
	s.dropTrial()
	err := fits(s.trialFile(), size)
	if err == nil {
		err = s.Update(ctx, func(tx gateway.Tx) error {
			c, err := tx.Clock()
			if err != nil {
				return err
			}
			return tx.SetClock(c)
		})
	}
	d := &s.disk
	d.mu.Lock()
	defer d.mu.Unlock()
	if err == nil && d.refused == refused { // nothing was refused meanwhile
		d.refusal, d.room = nil, 0
	}
	close(d.trial)
	d.trial = nil
}

// end waits for the trial under way.
func (d *disk) end() {
	d.mu.Lock()
	trial := d.trial
	d.mu.Unlock()
	if trial != nil {
		<-trial
	}
}

// trialFile is what a trial writes, beside the store. A process that was killed may leave it.
func (s *Store) trialFile() string {
	dir, name := filepath.Split(s.path)
	return filepath.Join(dir, ".chargecast-trial-"+name)
}

// dropTrial removes what an earlier trial left, if it left something.
func (s *Store) dropTrial() { _ = os.Remove(s.trialFile()) }

// fits returns an error if there is no room for a new file of a size.
func fits(path string, size int) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, size))
	return errors.Join(err, f.Close(), os.Remove(path))
}
