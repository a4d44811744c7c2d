package store

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/ledger"
)

var _ gateway.Store = (*Store)(nil)

// seeded makes a store whose clock shows a day, and closes it.
func seeded(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.db")
	s, err := Open(t.Context(), path)
	check(t, err)
	check(t, s.Update(t.Context(), func(tx gateway.Tx) error {
		return tx.SetClock(gateway.Clock{Now: calendar.MustParse("2026-02-28")})
	}))
	check(t, s.Close())
	return path
}

func check(t *testing.T, err error) {
	if err != nil {
		t.Helper()
		t.Fatal(err)
	}
}

// today is the day of a store that is opened with a schema of these steps.
func today(t *testing.T, path string, steps []string) string {
	t.Helper()
	s, err := open(t.Context(), path, steps)
	check(t, err)
	defer func() { check(t, s.Close()) }()
	var c gateway.Clock
	check(t, s.View(t.Context(), func(tx gateway.Tx) (err error) {
		c, err = tx.Clock()
		return err
	}))
	return c.Now.String()
}

func files(t *testing.T, path string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	check(t, err)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// refused opens a store that cannot be opened, and checks that the error has a remedy and no path.
func refused(t *testing.T, path, want string, steps []string) {
	t.Helper()
	s, err := open(t.Context(), path, steps)
	if err == nil {
		_ = s.Close()
	}
	f, ok := errors.AsType[ledger.Finding](err)
	if !ok || f.Code != gateway.StoreFailed || !strings.Contains(f.Message, want) || f.Help == "" || strings.Contains(f.Message, path) {
		t.Errorf("%v, not %q", err, want)
	}
}

func TestOlderStoreIsMigratedAfterACopy(t *testing.T) {
	t.Parallel()
	path := seeded(t)
	later := append(migrations(), "CREATE TABLE added (id INTEGER PRIMARY KEY) STRICT; INSERT INTO added VALUES (7);", "ALTER TABLE added ADD COLUMN more TEXT;")
	for range 2 { // the second time there is nothing to do
		if day := today(t, path, later); day != "2026-02-28" {
			t.Errorf("the clock shows %s", day)
		}
	}
	if names := files(t, path); !slices.Equal(names, []string{"s.db", "s.db.lock", "s.db.v3-copy1"}) {
		t.Errorf("the directory has %v", names)
	}
	if day := today(t, path+".v3-copy1", migrations()); day != "2026-02-28" {
		t.Errorf("the copy shows %s", day)
	}
	refused(t, path, "the store has version 5, and this program knows versions up to 3", migrations())
}

// TestNoncesOfTheFirstVersion are still known.
func TestNoncesOfTheFirstVersion(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "s.db")
	s, err := open(t.Context(), path, migrations()[:1])
	check(t, err)
	use := [32]byte{1}
	_, err = s.writer.conn.ExecContext(t.Context(), "INSERT INTO nonces (login, hash) VALUES ('m1', ?)", use[:])
	check(t, err)
	check(t, s.Close())
	s, err = open(t.Context(), path, migrations())
	check(t, err)
	defer func() { check(t, s.Close()) }()
	check(t, s.Update(t.Context(), func(tx gateway.Tx) error {
		first, err := tx.UseNonce("m1", use, time.Unix(1e9, 0), time.Time{}, 100)
		if first {
			t.Error("a nonce is new again")
		}
		return err
	}))
}

func TestFailedMigrationChangesNothing(t *testing.T) {
	t.Parallel()
	path := seeded(t)
	later := append(migrations(), "DROP TABLE clock;", "INSERT INTO none VALUES (1);")
	refused(t, path, "the store failed", later)
	refused(t, path, "the store failed", later)
	if day := today(t, path, migrations()); day != "2026-02-28" {
		t.Errorf("the clock shows %s", day)
	}
	if names := files(t, path); !slices.Contains(names, "s.db.v3-copy2") {
		t.Errorf("a copy replaced another one: %v", names)
	}
}

func TestForeignDatabaseIsRefusedAndLeftAlone(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "other.db")
	db, err := connect(path, 1)
	check(t, err)
	_, err = db.ExecContext(t.Context(), "CREATE TABLE t (a); INSERT INTO t VALUES (1)")
	check(t, err)
	check(t, db.Close())
	before, err := os.ReadFile(path)
	check(t, err)
	refused(t, path, "a database of another program", migrations())
	after, err := os.ReadFile(path)
	if check(t, err); string(after) != string(before) {
		t.Error("the file was changed")
	}
}

func TestOneProcessAtATimeHasAStoreOpen(t *testing.T) {
	t.Parallel()
	path := seeded(t)
	s, err := Open(t.Context(), path)
	check(t, err)
	link := filepath.Join(t.TempDir(), "link.db")
	check(t, os.Symlink(path, link))
	for _, name := range []string{path, link} {
		refused(t, name, "another process has the store open", migrations())
	}
	check(t, s.Update(t.Context(), func(tx gateway.Tx) error { return tx.SetClock(gateway.Clock{Epoch: 1}) }))
	check(t, s.Close())
	check(t, s.Close())
	today(t, link, migrations())
}

func TestStoreLockedByAnotherProgram(t *testing.T) {
	t.Parallel()
	path := seeded(t)
	db, err := connect(path, 1)
	check(t, err)
	defer func() { _ = db.Close() }()
	for _, statement := range []string{"PRAGMA locking_mode=EXCLUSIVE", "BEGIN EXCLUSIVE"} {
		_, err = db.ExecContext(t.Context(), statement)
		check(t, err)
	}
	refused(t, path, "another program has locked the store", migrations())
}

func TestDamagedRecordIsAnError(t *testing.T) {
	t.Parallel()
	path := seeded(t)
	db, err := sql.Open("sqlite", fileURI(path))
	check(t, err)
	_, err = db.ExecContext(t.Context(), "UPDATE clock SET record = '{'")
	if err == nil {
		t.Fatal("the schema takes a text for a record")
	}
	_, err = db.ExecContext(t.Context(), "UPDATE clock SET record = x'7b'")
	check(t, err)
	check(t, db.Close())
	s, err := Open(t.Context(), path)
	check(t, err)
	defer func() { _ = s.Close() }()
	err = s.View(context.Background(), func(tx gateway.Tx) error { _, err := tx.Clock(); return err })
	if !errors.Is(err, gateway.StoreFailed) {
		t.Errorf("%v", err)
	}
}

// TestQueriesUseTheirIndexes: what runs for every day and every profile must not read whole tables.
func TestQueriesUseTheirIndexes(t *testing.T) {
	t.Parallel()
	path := seeded(t)
	db, err := connect(path, 1)
	check(t, err)
	defer func() { _ = db.Close() }()
	for query, index := range map[string]string{
		"SELECT due FROM profiles WHERE due IS NOT NULL ORDER BY due LIMIT 1":                          "profiles_due",
		"SELECT record FROM profiles WHERE due = ? AND due IS NOT NULL AND id > ? ORDER BY id LIMIT ?": "profiles_due (due=? AND id>?)",
		"SELECT record FROM charges WHERE profile = ? ORDER BY id DESC LIMIT ?":                        "charges_profile (profile=?)",
		"SELECT record FROM callbacks WHERE status = ? AND id > ? ORDER BY id ASC LIMIT ?":             "callbacks_status (status=? AND id>?)",
		"SELECT record FROM outcomes WHERE status = ? ORDER BY id DESC":                                "outcomes_status (status=?)",
	} {
		rows, err := db.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+query, make([]any, strings.Count(query, "?"))...)
		check(t, err)
		var plan strings.Builder
		for rows.Next() {
			var id, parent, unused int
			var detail string
			check(t, rows.Scan(&id, &parent, &unused, &detail))
			plan.WriteString(detail + "\n")
		}
		check(t, rows.Err())
		if !strings.Contains(plan.String(), index) || strings.Contains(plan.String(), "TEMP B-TREE") {
			t.Errorf("%s:\n%s", query, plan.String())
		}
	}
}

// TestAHardLinkIsRefused: under another name the store would have another lock.
func TestAHardLinkIsRefused(t *testing.T) {
	t.Parallel()
	path := seeded(t)
	if err := os.Link(path, path+".other"); err != nil {
		t.Skip("no hard links: ", err)
	}
	if runtime.GOOS == "windows" {
		t.Skip("the number of names is not known there")
	}
	refused(t, path+".other", "another name", migrations())
	check(t, os.Remove(path+".other"))
	if day := today(t, path, migrations()); day != "2026-02-28" {
		t.Error(day)
	}
}

// TestTheFileItselfIsLocked: a store that has another path, as by a bind mount, is not opened
// twice.
func TestTheFileItselfIsLocked(t *testing.T) {
	t.Parallel()
	path := seeded(t)
	s, err := Open(t.Context(), path)
	check(t, err)
	if _, free, err := lockFile(path); runtime.GOOS == "linux" && (free || err != nil) {
		t.Errorf("free %v, %v", free, err)
	}
	check(t, s.Close())
	f, free, err := lockFile(path)
	if err != nil || !free {
		t.Errorf("after the end: free %v, %v", free, err)
	}
	if f != nil {
		refused(t, path, "another process has the store open", migrations())
		check(t, f.Close())
	}
	s, err = Open(t.Context(), path)
	check(t, err)
	check(t, s.Close())
}
