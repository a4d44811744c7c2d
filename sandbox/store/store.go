package store

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"runtime"
	"sync"

	"github.com/chargecast/chargecast/gateway"
)

// A Store is a [gateway.Store] in a file of SQLite.
type Store struct {
	path   string
	lock   *sql.DB  // of the lock file, with a transaction that is never ended
	file   *os.File // the store itself, locked; nil where that is not possible
	writer *writer
	reader *sql.DB
	disk   disk

	mu     sync.RWMutex // held for reading by whoever uses the store
	closed bool
}

// A writer is the one connection that changes the store, with the statements that it has prepared.
type writer struct {
	db    *sql.DB
	mu    sync.Mutex
	conn  *sql.Conn
	stmts statements
}

// statements are prepared once for each connection.
type statements struct {
	conn *sql.Conn
	made map[string]*sql.Stmt
}

func (s *statements) of(ctx context.Context, query string) (*sql.Stmt, error) {
	if stmt := s.made[query]; stmt != nil {
		return stmt, nil
	}
	stmt, err := s.conn.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	s.made[query] = stmt
	return stmt, nil
}

// Path returns the file that the store is in, with symbolic links resolved.
func (s *Store) Path() string { return s.path }

// Update implements [gateway.Store].
func (s *Store) Update(ctx context.Context, do func(gateway.Tx) error) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := s.usable(ctx); err != nil {
		return err
	}
	s.writer.mu.Lock()
	defer s.writer.mu.Unlock()
	// A transaction that has begun is not torn off by a client that goes away.
	size, err := s.writer.update(context.WithoutCancel(ctx), do)
	s.disk.note(err, size)
	return err
}

// usable returns why the store cannot be used; s.mu is held.
func (s *Store) usable(ctx context.Context) error {
	if s.closed {
		return finding(gateway.Closed, "the store is closed", "open it again")
	}
	return ctx.Err()
}

// update also returns how many bytes were to be written.
func (w *writer) update(ctx context.Context, do func(gateway.Tx) error) (size int, err error) {
	if _, err := w.conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return 0, failed(err)
	}
	done := false
	defer func() { // also when do panics
		if !done {
			if _, undo := w.conn.ExecContext(ctx, "ROLLBACK"); undo != nil {
				err = errors.Join(err, failed(undo))
			}
		}
	}()
	t := &tx{ctx: ctx, stmts: &w.stmts, write: true}
	if err := do(t); err != nil {
		return t.size, err
	}
	if err := t.flush(); err != nil {
		return t.size, err
	}
	if _, err := w.conn.ExecContext(ctx, "COMMIT"); err != nil {
		return t.size, failed(err)
	}
	done = true
	return t.size, nil
}

// View implements [gateway.Store].
func (s *Store) View(ctx context.Context, do func(gateway.Tx) error) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := s.usable(ctx); err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx)
	conn, err := s.reader.Conn(ctx)
	if err != nil {
		return failed(err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := conn.ExecContext(ctx, "BEGIN"); err != nil {
		return failed(err)
	}
	t := &tx{ctx: ctx, stmts: &statements{conn: conn, made: map[string]*sql.Stmt{}}}
	defer func() {
		for _, stmt := range t.stmts.made {
			_ = stmt.Close()
		}
		_, _ = conn.ExecContext(ctx, "ROLLBACK")
	}()
	return do(t)
}

// Close implements [gateway.Store]. It waits for the calls that are under way.
func (s *Store) Close() error {
	defer s.disk.end()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	return s.release()
}

// release closes what is open, the lock last.
func (s *Store) release() error {
	var list []error
	if s.reader != nil {
		list = append(list, s.reader.Close())
	}
	if w := s.writer; w != nil {
		for _, stmt := range w.stmts.made {
			list = append(list, stmt.Close())
		}
		list = append(list, w.conn.Close(), w.db.Close())
	}
	if s.file != nil {
		list = append(list, s.file.Close()) // after SQLite has given up its locks, which this ends too
	}
	if s.lock != nil {
		list = append(list, s.lock.Close())
	}
	if err := errors.Join(list...); err != nil {
		return failed(err)
	}
	return nil
}

// readers is how many views take place at the same time.
func readers() int { return max(4, runtime.GOMAXPROCS(0)) }
