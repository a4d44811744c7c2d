package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"

	"github.com/chargecast/chargecast/gateway"
)

// A migrator brings a store to the version of this program.
type migrator struct {
	ctx   context.Context
	conn  *sql.Conn
	path  string
	steps []string
}

func (m *migrator) run() error {
	version, err := m.check()
	if err != nil {
		return err
	}
	if err := m.exec("PRAGMA journal_mode=WAL"); err != nil {
		return opening(err)
	}
	switch {
	case version == len(m.steps):
		return nil
	case version > len(m.steps):
		return finding(gateway.StoreFailed, fmt.Sprintf("the store has version %d, and this program knows versions up to %d", version, len(m.steps)),
			"use the program that made the store, or a later one")
	case version > 0:
		if err := m.copy(version); err != nil {
			return err
		}
	}
	return m.migrate(version)
}

// check reads the version of the store, 0 for an empty file, and refuses a damaged file and one of
// another program.
func (m *migrator) check() (version int, err error) {
	var id, tables int
	for query, to := range map[string]*int{
		"PRAGMA application_id": &id, "PRAGMA user_version": &version, "SELECT count(*) FROM sqlite_schema": &tables,
	} {
		if err := m.conn.QueryRowContext(m.ctx, query).Scan(to); err != nil {
			return 0, opening(err)
		}
	}
	if id != applicationID && (id != 0 || version != 0 || tables != 0) {
		return 0, finding(gateway.StoreFailed, "the file is a database of another program", "name another file")
	}
	if id == applicationID && version < 1 {
		return 0, damaged()
	}
	var state string
	if err := m.conn.QueryRowContext(m.ctx, "PRAGMA quick_check(1)").Scan(&state); err != nil {
		return 0, opening(err)
	}
	if state != "ok" {
		return 0, damaged()
	}
	return version, nil
}

// copy copies the store to a file beside it, and makes sure that it is on the disk.
func (m *migrator) copy(version int) error {
	name, err := copyName(m.path, version)
	if err != nil {
		return err
	}
	if _, err := m.conn.ExecContext(m.ctx, "VACUUM INTO ?", name); err != nil {
		return failed(err)
	}
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return unwritable(err)
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return unwritable(err)
	}
	return nil
}

// migrate takes all steps from a version in one transaction.
func (m *migrator) migrate(version int) error {
	if err := m.exec("BEGIN IMMEDIATE"); err != nil {
		return opening(err)
	}
	statements := append(append([]string{}, m.steps[version:]...),
		fmt.Sprintf("PRAGMA application_id=%d", applicationID), fmt.Sprintf("PRAGMA user_version=%d", len(m.steps)), "COMMIT")
	for _, s := range statements {
		if err := m.exec(s); err != nil {
			return errors.Join(failed(err), m.exec("ROLLBACK"))
		}
	}
	return nil
}

func (m *migrator) exec(statement string) error {
	_, err := m.conn.ExecContext(m.ctx, statement)
	return err
}
