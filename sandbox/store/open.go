package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	lib "modernc.org/sqlite/lib"

	"github.com/chargecast/chargecast/gateway"
)

// Open opens the store in a file, and creates it, readable by its owner alone, if it is not there.
// A store of an older version is migrated after a copy of it was made beside it. The error is a
// [ledger.Finding] with [gateway.StoreFailed], with a remedy, for a file that another process has
// open, that is damaged or of something else, that a later version made, or that cannot be written.
func Open(ctx context.Context, path string) (*Store, error) { return open(ctx, path, migrations()) }

func open(ctx context.Context, path string, steps []string) (*Store, error) {
	path, err := create(path)
	if err != nil {
		return nil, err
	}
	s := &Store{path: path}
	if err := s.open(ctx, steps); err != nil {
		_ = s.release()
		return nil, err
	}
	return s, nil
}

// create makes an empty file if there is none, and returns its path without symbolic links: the
// same file has the same lock by whatever name.
func create(path string) (string, error) {
	if err := makeEmpty(path); err != nil {
		return "", err
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", unwritable(err)
	}
	if !info.Mode().IsRegular() {
		return "", finding(gateway.StoreFailed, "the store is not a regular file", "name a file, or :memory:")
	}
	if names(info) > 1 { // each name would have a lock of its own
		return "", finding(gateway.StoreFailed, "the store has another name, by a hard link", "remove the other name, or make a copy")
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return "", unwritable(err)
	}
	if path, err = filepath.Abs(path); err != nil {
		return "", unwritable(err)
	}
	return path, nil
}

// makeEmpty makes an empty file that its owner alone can read, if there is none. One that is there
// is not opened: closing it would give up the locks that this process has on it.
func makeEmpty(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		return unwritable(err)
	}
	return nil
}

func unwritable(err error) error {
	reason := "it cannot be opened"
	switch {
	case errors.Is(err, fs.ErrPermission):
		reason = "permission denied"
	case errors.Is(err, fs.ErrNotExist):
		reason = "no such directory"
	case errors.Is(err, fs.ErrInvalid):
		reason = "the name is not valid"
	}
	return finding(gateway.StoreFailed, "the store cannot be written: "+reason, "name a file in a directory that can be written, or :memory:")
}

func (s *Store) open(ctx context.Context, steps []string) error {
	if err := s.takeLock(ctx); err != nil {
		return err
	}
	s.dropTrial()
	db, err := connect(s.path, 1, "foreign_keys(1)", "synchronous(FULL)", "busy_timeout(5000)")
	if err != nil {
		return failed(err)
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return errors.Join(opening(err), db.Close())
	}
	s.writer = &writer{db: db, conn: conn, stmts: statements{conn, map[string]*sql.Stmt{}}}
	m := &migrator{ctx: ctx, conn: conn, path: s.path, steps: steps}
	if err := m.run(); err != nil {
		return err
	}
	if s.reader, err = connect(s.path, readers(), "query_only(1)", "busy_timeout(5000)"); err != nil {
		return failed(err)
	}
	return nil
}

// takeLock locks the file beside the store, and the store itself, for as long as the process has
// the store open.
func (s *Store) takeLock(ctx context.Context) error {
	path := s.path + ".lock"
	if err := makeEmpty(path); err != nil {
		return err
	}
	var err error
	if s.lock, err = connect(path, 1, "busy_timeout(0)", "journal_mode(MEMORY)"); err != nil {
		return failed(err)
	}
	if _, err := s.lock.ExecContext(ctx, "BEGIN EXCLUSIVE"); err != nil {
		if codeOf(err) == lib.SQLITE_BUSY {
			return finding(gateway.StoreFailed, "another process has the store open", "end it, or name another file")
		}
		return finding(gateway.StoreFailed, "the lock of the store cannot be taken", "remove the file that ends with .lock if no process has the store open")
	}
	file, free, err := lockFile(s.path)
	if err != nil {
		return unwritable(err)
	}
	if !free {
		return finding(gateway.StoreFailed, "another process has the store open", "end it, or name another file")
	}
	s.file = file
	return nil
}

// connect returns a pool of at most n connections that never end by themselves.
func connect(path string, n int, pragmas ...string) (*sql.DB, error) {
	query := url.Values{"_pragma": pragmas}
	db, err := sql.Open("sqlite", fileURI(path)+"?"+query.Encode())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(n)
	db.SetMaxIdleConns(n)
	return db, nil
}

// fileURI names a file so that no byte of its path means something else.
func fileURI(path string) string {
	path = filepath.ToSlash(path)
	if path[0] != '/' {
		path = "/" + path // a drive of Windows
	}
	return "file:" + (&url.URL{Path: path}).EscapedPath()
}

// copyName returns the first free name for a copy of the store of a version.
func copyName(path string, version int) (string, error) {
	for n := 1; n <= 1000; n++ {
		name := fmt.Sprintf("%s.v%d-copy%d", path, version, n)
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", unwritable(err)
		}
		return name, f.Close()
	}
	return "", finding(gateway.StoreFailed, "there are a thousand copies of the store beside it", "move them away")
}
