package store

import (
	"encoding/json"

	"github.com/chargecast/chargecast/gateway"
)

// ofLogin selects what belongs to a merchant, or everything for an empty login (parameter 2).
const ofLogin = " (?2 = '' OR login = ?2)"

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

func (t *tx) SaveState(id gateway.ID, login string) error {
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
	if _, err := t.exec("INSERT INTO states (id, login, clock) VALUES (?, ?, ?)", state, login, clock); err != nil {
		return err
	}
	if _, err := t.exec("INSERT INTO state_counters SELECT ?, kind, last FROM counters WHERE kind <> 'snapshots'", state); err != nil {
		return err
	}
	if _, err := t.exec("INSERT INTO state_nonces SELECT ?1, login, hash, n, at FROM nonces WHERE"+ofLogin, state, login); err != nil {
		return err
	}
	for _, kind := range stateKinds() {
		if _, err := t.exec("INSERT INTO state_records SELECT ?1, '"+kind+"', id, "+columns+" FROM "+kind+" WHERE"+ofLogin, state, login); err != nil {
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
	var login string
	var clock []byte
	ok, err := t.one("SELECT login, clock FROM states WHERE id = ?", []any{int64(id)}, &login, &clock)
	if err != nil {
		return err
	}
	if !ok {
		return notFound()
	}
	if login == "" {
		if err := t.restoreClock(id, clock); err != nil {
			return err
		}
	}
	for _, kind := range stateKinds() {
		if err := t.drop(kind, login); err != nil {
			return err
		}
		query := "INSERT INTO " + kind + " (id, " + columns + ") SELECT id, " + columns + " FROM state_records WHERE state = ? AND kind = '" + kind + "'"
		if _, err := t.exec(query, int64(id)); err != nil {
			return err
		}
	}
	if err := t.drop("nonces", login); err != nil {
		return err
	}
	_, err = t.exec("INSERT INTO nonces SELECT login, hash, n, at FROM state_nonces WHERE state = ?", int64(id))
	return err
}

// restoreClock restores the clock, its epoch aside, and the last ids: none that the state of a merchant has begins again.
func (t *tx) restoreClock(id gateway.ID, record []byte) error {
	now, err := t.Clock()
	if err != nil {
		return err
	}
	var c gateway.Clock
	if err := decode(record, &c); err != nil {
		return err
	}
	c.Epoch = now.Epoch
	if err := t.SetClock(c); err != nil {
		return err
	}
	for _, kind := range stateKinds() {
		var last int64
		const query = `SELECT coalesce(max(last), 0) FROM state_counters JOIN states ON states.id = state WHERE kind = ? AND (state = ? OR login <> '')`
		if _, err := t.one(query, []any{kind, int64(id)}, &last); err != nil {
			return err
		}
		if _, err := t.last(kind); err != nil {
			return err
		}
		t.setLast(kind, gateway.ID(last))
	}
	return nil
}
