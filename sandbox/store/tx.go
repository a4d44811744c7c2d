package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"github.com/chargecast/chargecast/gateway"
)

// A tx is one transaction.
type tx struct {
	ctx   context.Context
	stmts *statements
	write bool
	size  int // bytes that were to be written
	// counters are the last ids by kind, as far as they were needed; changed are those to be written.
	counters map[string]gateway.ID
	changed  map[string]bool
}

func (t *tx) writable() error {
	if !t.write {
		return finding(gateway.ReadOnly, "a view of the store cannot change it", "use Update")
	}
	return nil
}

// exec runs a statement, and returns how many rows it changed.
func (t *tx) exec(query string, args ...any) (int64, error) {
	stmt, err := t.stmts.of(t.ctx, query)
	if err != nil {
		return 0, failed(err)
	}
	for _, arg := range args {
		switch v := arg.(type) {
		case []byte:
			t.size += len(v)
		case string:
			t.size += len(v)
		}
	}
	result, err := stmt.ExecContext(t.ctx, args...)
	if err != nil {
		return 0, failed(err)
	}
	n, err := result.RowsAffected()
	return n, failed(err)
}

// one reads the only row of a query, and reports whether there is one.
func (t *tx) one(query string, args []any, to ...any) (bool, error) {
	stmt, err := t.stmts.of(t.ctx, query)
	if err != nil {
		return false, failed(err)
	}
	err = stmt.QueryRowContext(t.ctx, args...).Scan(to...)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, failed(err)
}

func (t *tx) Clock() (gateway.Clock, error) {
	var c gateway.Clock
	var record []byte
	ok, err := t.one("SELECT record FROM clock WHERE id = 1", nil, &record)
	if err != nil || !ok {
		return c, err
	}
	return c, decode(record, &c)
}

func (t *tx) SetClock(c gateway.Clock) error {
	if err := t.writable(); err != nil {
		return err
	}
	record, err := json.Marshal(c)
	if err != nil {
		return undecodable()
	}
	_, err = t.exec("INSERT INTO clock (id, record) VALUES (1, ?1) ON CONFLICT (id) DO UPDATE SET record = ?1", record)
	return err
}

// encode returns a record: the binary form of what has one, the JSON of all else.
func encode(v any) ([]byte, error) {
	switch v := v.(type) {
	case *gateway.Profile:
		return encodeProfile(v)
	case *gateway.Charge:
		return encodeCharge(v)
	default:
		return json.Marshal(v)
	}
}

// decode reads a record, and keeps nothing of it.
func decode(record []byte, to any) error {
	var err error
	switch to := to.(type) {
	case *gateway.Profile:
		err = decodeProfile(record, to)
	case *gateway.Charge:
		err = decodeCharge(record, to)
	default:
		err = json.Unmarshal(record, to)
	}
	if err != nil {
		return undecodable()
	}
	return nil
}

func undecodable() error {
	return finding(gateway.StoreFailed, "a record of the store is damaged", "restore a copy")
}

func (t *tx) Merchants() gateway.Table[gateway.Merchant] {
	return table[gateway.Merchant]{t, "merchants"}
}
func (t *tx) Charges() gateway.Table[gateway.Charge]   { return table[gateway.Charge]{t, "charges"} }
func (t *tx) Requests() gateway.Table[gateway.Request] { return table[gateway.Request]{t, "requests"} }
func (t *tx) Callbacks() gateway.Table[gateway.Callback] {
	return table[gateway.Callback]{t, "callbacks"}
}
func (t *tx) Outcomes() gateway.Table[gateway.Outcome] { return table[gateway.Outcome]{t, "outcomes"} }
func (t *tx) Faults() gateway.Table[gateway.Fault]     { return table[gateway.Fault]{t, "faults"} }
func (t *tx) Snapshots() gateway.Table[gateway.Snapshot] {
	return table[gateway.Snapshot]{t, "snapshots"}
}
func (t *tx) Profiles() gateway.ProfileTable { return profiles{table[gateway.Profile]{t, "profiles"}} }

func (t *tx) UseNonce(login string, use [32]byte, at, forget time.Time, keep int) (bool, error) {
	if err := t.writable(); err != nil {
		return false, err
	}
	n, err := t.exec(`INSERT INTO nonces (login, hash, n, at)
		SELECT ?1, ?2, coalesce((SELECT max(n) FROM nonces WHERE login = ?1), 0) + 1, ?3 WHERE true ON CONFLICT DO NOTHING`, login, use[:], at.Unix())
	if err != nil || n == 0 {
		return false, err
	}
	if forget.IsZero() {
		_, err = t.exec("DELETE FROM nonces WHERE login = ?1 AND n <= (SELECT max(n) FROM nonces WHERE login = ?1) - ?2", login, keep)
	} else {
		_, err = t.exec("DELETE FROM nonces WHERE login = ? AND at < ?", login, forget.Unix())
	}
	return true, err
}

// last returns the last id that was given to a record of a kind.
func (t *tx) last(kind string) (gateway.ID, error) {
	if id, ok := t.counters[kind]; ok {
		return id, nil
	}
	var n int64
	if _, err := t.one("SELECT last FROM counters WHERE kind = ?", []any{kind}, &n); err != nil {
		return 0, err
	}
	if t.counters == nil {
		t.counters, t.changed = map[string]gateway.ID{}, map[string]bool{}
	}
	t.counters[kind] = gateway.ID(n)
	return gateway.ID(n), nil
}

// setLast notes the last id of a kind; flush writes it.
func (t *tx) setLast(kind string, id gateway.ID) {
	t.counters[kind] = id
	t.changed[kind] = true
}

// flush writes the last ids.
func (t *tx) flush() error {
	for _, kind := range kinds {
		if !t.changed[kind] {
			continue
		}
		_, err := t.exec("INSERT INTO counters (kind, last) VALUES (?1, ?2) ON CONFLICT (kind) DO UPDATE SET last = ?2", kind, int64(t.counters[kind]))
		if err != nil {
			return err
		}
	}
	t.counters, t.changed = nil, nil
	return nil
}
