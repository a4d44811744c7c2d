package store

import (
	"errors"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/ledger"
)

func finding(code ledger.Code, message, help string) error {
	return ledger.Finding{Code: code, Severity: ledger.SeverityError, Message: message, Help: help}
}

// codeOf returns the primary result code of SQLite; -1 for an error of something else.
func codeOf(err error) int {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code() & 0xff
	}
	return -1
}

// A failure is what SQLite failed with, as a finding.
type failure struct {
	ledger.Finding
	code int
}

func (f failure) Unwrap() error { return f.Finding }

// failures are the messages for result codes. What SQLite says by itself may quote values.
var failures = [...]struct {
	code          int
	message, help string
}{
	{lib.SQLITE_FULL, "the disk is full", "make room, and try again"},
	{lib.SQLITE_IOERR, "the file cannot be read or written", "check the disk, and try again"},
	{lib.SQLITE_READONLY, "the file cannot be written", "check its permissions and those of its directory"},
	{lib.SQLITE_CANTOPEN, "the file or one beside it cannot be opened", "check the permissions of the directory"},
	{lib.SQLITE_PERM, "the file cannot be opened", "check its permissions"},
	{lib.SQLITE_BUSY, "another program has locked the file", "end it, and try again"},
	{lib.SQLITE_LOCKED, "another program has locked the file", "end it, and try again"},
	{lib.SQLITE_NOTADB, "the file is damaged, or not a store", "restore a copy, or name another file"},
	{lib.SQLITE_CORRUPT, "the file is damaged, or not a store", "restore a copy, or name another file"},
	{lib.SQLITE_TOOBIG, "a record is too large", "send less in one request"},
}

// failed returns a finding for an error of SQLite.
func failed(err error) error {
	if err == nil {
		return nil
	}
	code := codeOf(err)
	message, help := "the store failed", "start again; if it fails again, restore a copy"
	for i := range failures {
		if f := &failures[i]; f.code == code {
			message, help = message+": "+f.message, f.help
		}
	}
	return failure{ledger.Finding{Code: gateway.StoreFailed, Severity: ledger.SeverityError, Message: message, Help: help}, code}
}

// opening is failed for what happens when a store is opened.
func opening(err error) error {
	switch codeOf(err) {
	case lib.SQLITE_NOTADB, lib.SQLITE_CORRUPT, lib.SQLITE_ERROR:
		return damaged()
	case lib.SQLITE_BUSY, lib.SQLITE_LOCKED:
		return finding(gateway.StoreFailed, "another program has locked the store", "end it, and try again")
	}
	return failed(err)
}

func damaged() error {
	return finding(gateway.StoreFailed, "the store is damaged, or the file is not a store", "restore a copy, or name another file")
}
