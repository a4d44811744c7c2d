package store

import (
	"encoding/json"

	"github.com/chargecast/chargecast/gateway"
)

func (t *tx) Clear(login string) error {
	if err := t.writable(); err != nil {
		return err
	}
	var states int
	if _, err := t.one("SELECT count(*) FROM states", nil, &states); err != nil {
		return err
	}
	for _, kind := range ownKinds {
		if err := t.drop(kind, login); err != nil {
			return err
		}
		if login == "" && states == 0 {
			if _, err := t.last(kind); err != nil {
				return err
			}
			t.setLast(kind, 0)
		}
	}
	return t.drop("nonces", login)
}

// drop deletes the rows of a merchant, or all of them.
func (t *tx) drop(kind, login string) error {
	_, err := t.exec("DELETE FROM "+kind+" WHERE ?1 = '' OR login = ?1", login)
	return err
}

// stateKinds are the kinds that a state holds: all but the snapshots.
func stateKinds() []string { return append([]string{"merchants"}, ownKinds[:]...) }

func (t *tx) SaveState(id gateway.ID) error {
	if err := t.writable(); err != nil {
		return err
	}
	c, err := t.Clock()
	if err != nil {
		return err
	}
	clock, err := json.Marshal(c)
	if err != nil {
		return undecodable()
	}
	if err := t.flush(); err != nil {
		return err
	}
	if err := t.DropState(id); err != nil {
		return err
	}
	state := int64(id)
	if _, err := t.exec("INSERT INTO states (id, login, clock) VALUES (?, '', ?)", state, clock); err != nil {
		return err
	}
	queries := []string{
		"INSERT INTO state_counters SELECT ?, kind, last FROM counters WHERE kind <> 'snapshots'",
		"INSERT INTO state_nonces SELECT ?, login, hash, n, at FROM nonces",
	}
	for _, kind := range stateKinds() {
		queries = append(queries, "INSERT INTO state_records SELECT ?, '"+kind+"', id, "+columns+" FROM "+kind)
	}
	for _, query := range queries {
		if _, err := t.exec(query, state); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) DropState(id gateway.ID) error {
	if err := t.writable(); err != nil {
		return err
	}
	for _, from := range []string{"state_counters WHERE state", "state_nonces WHERE state", "state_records WHERE state", "states WHERE id"} {
		if _, err := t.exec("DELETE FROM "+from+" = ?", int64(id)); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) RestoreState(id gateway.ID) error {
	if err := t.writable(); err != nil {
		return err
	}
	var clock []byte
	ok, err := t.one("SELECT clock FROM states WHERE id = ?", []any{int64(id)}, &clock)
	if err != nil {
		return err
	}
	if !ok {
		return notFound()
	}
	if err := t.restoreClock(clock); err != nil {
		return err
	}
	for _, kind := range stateKinds() {
		if err := t.drop(kind, ""); err != nil {
			return err
		}
		query := "INSERT INTO " + kind + " (id, " + columns + ") SELECT id, " + columns + " FROM state_records WHERE state = ? AND kind = '" + kind + "'"
		if _, err := t.exec(query, int64(id)); err != nil {
			return err
		}
		var last int64
		if _, err := t.one("SELECT last FROM state_counters WHERE state = ? AND kind = ?", []any{int64(id), kind}, &last); err != nil {
			return err
		}
		if _, err := t.last(kind); err != nil {
			return err
		}
		t.setLast(kind, gateway.ID(last))
	}
	if err := t.drop("nonces", ""); err != nil {
		return err
	}
	_, err = t.exec("INSERT INTO nonces SELECT login, hash, n, at FROM state_nonces WHERE state = ?", int64(id))
	return err
}

// restoreClock restores the clock, its epoch aside.
func (t *tx) restoreClock(record []byte) error {
	now, err := t.Clock()
	if err != nil {
		return err
	}
	var c gateway.Clock
	if err := decode(record, &c); err != nil {
		return err
	}
	c.Epoch = now.Epoch
	return t.SetClock(c)
}
