package store

import "strings"

// applicationID marks the files of this package in their header.
const applicationID = 0x63684367 // "chCg"

// kinds are the tables of records, whose columns are the same.
var kinds = [...]string{"merchants", "profiles", "charges", "requests", "callbacks", "outcomes", "snapshots", "faults"}

// ownKinds are those that a snapshot of one merchant or a reset replaces, the merchants aside.
var ownKinds = [...]string{"profiles", "charges", "requests", "callbacks", "outcomes", "faults"}

// columns are those of a record beside its id.
const columns = "login, profile, status, text, due, record"

const tableOfRecords = `CREATE TABLE $KIND (
	id INTEGER PRIMARY KEY, login TEXT NOT NULL, profile INTEGER NOT NULL, status TEXT NOT NULL,
	text TEXT NOT NULL, due TEXT, record BLOB NOT NULL
) STRICT;`

// version1 is everything but the tables of records. A state is what a snapshot keeps: the same
// columns with the state's id in front. The indexes serve the queries of package gateway: what is
// due, what belongs to a profile, which callbacks are pending, which outcomes apply.
const version1 = `
CREATE TABLE clock (id INTEGER PRIMARY KEY CHECK (id = 1), record BLOB NOT NULL) STRICT;
CREATE TABLE counters (kind TEXT PRIMARY KEY, last INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE nonces (login TEXT NOT NULL, hash BLOB NOT NULL, PRIMARY KEY (login, hash)) STRICT, WITHOUT ROWID;
CREATE TABLE states (id INTEGER PRIMARY KEY, login TEXT NOT NULL, clock BLOB NOT NULL) STRICT;
CREATE TABLE state_counters (
	state INTEGER NOT NULL, kind TEXT NOT NULL, last INTEGER NOT NULL, PRIMARY KEY (state, kind)
) STRICT, WITHOUT ROWID;
CREATE TABLE state_nonces (
	state INTEGER NOT NULL, login TEXT NOT NULL, hash BLOB NOT NULL, PRIMARY KEY (state, login, hash)
) STRICT, WITHOUT ROWID;
CREATE TABLE state_records (
	state INTEGER NOT NULL, kind TEXT NOT NULL, id INTEGER NOT NULL, login TEXT NOT NULL, profile INTEGER NOT NULL,
	status TEXT NOT NULL, text TEXT NOT NULL, due TEXT, record BLOB NOT NULL, PRIMARY KEY (state, kind, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX profiles_due ON profiles (due, id) WHERE due IS NOT NULL;
CREATE INDEX charges_profile ON charges (profile, id);
CREATE INDEX callbacks_profile ON callbacks (profile, id);
CREATE INDEX callbacks_status ON callbacks (status, id);
CREATE INDEX outcomes_status ON outcomes (status, id);
`

// version2 adds faults, the order and time of nonces, and an index that finds the first pending
// callback of a profile.
const version2 = `
ALTER TABLE nonces RENAME TO nonces1;
CREATE TABLE nonces (
	login TEXT NOT NULL, hash BLOB NOT NULL, n INTEGER NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (login, hash)
) STRICT, WITHOUT ROWID;
INSERT INTO nonces SELECT login, hash, row_number() OVER (PARTITION BY login), 0 FROM nonces1;
DROP TABLE nonces1;
CREATE INDEX nonces_n ON nonces (login, n);
CREATE INDEX nonces_at ON nonces (login, at);
ALTER TABLE state_nonces ADD COLUMN n INTEGER NOT NULL DEFAULT 0;
ALTER TABLE state_nonces ADD COLUMN at INTEGER NOT NULL DEFAULT 0;
DROP INDEX callbacks_profile;
CREATE INDEX callbacks_profile ON callbacks (profile, status, id);
CREATE INDEX faults_status ON faults (status, id);
`

// version3 drops what snapshots of one merchant kept, and lets the callbacks be sent that a fault
// delayed: it is written otherwise.
const version3 = `
DELETE FROM state_counters WHERE state IN (SELECT id FROM states WHERE login <> '');
DELETE FROM state_nonces WHERE state IN (SELECT id FROM states WHERE login <> '');
DELETE FROM state_records WHERE state IN (SELECT id FROM states WHERE login <> '');
DELETE FROM states WHERE login <> '';
DELETE FROM snapshots WHERE login <> '';
UPDATE callbacks SET status = 'pending' WHERE status = 'held';
UPDATE state_records SET status = 'pending' WHERE kind = 'callbacks' AND status = 'held';
`

// migrations are the statements that lead from each version of the schema to the next one. A store
// of version n has had the first n of them. Never change one that was released: add another.
func migrations() []string {
	var first strings.Builder
	of := func(kind string) string { return strings.ReplaceAll(tableOfRecords, "$KIND", kind) }
	const last = len(kinds) - 1 // the kinds before faults
	for _, kind := range kinds[:last] {
		first.WriteString(of(kind))
	}
	return []string{first.String() + version1, of(kinds[last]) + version2, version3}
}
