package gateway

import (
	"context"
	"sync"

	"github.com/chargecast/chargecast/calendar"
)

// NewMemory returns a store in memory. What it keeps ends with the process.
func NewMemory() Store {
	m := &memory{due: dueIndex{lists: map[calendar.Date]*dueList{}}}
	m.profiles.changed = func(p Profile) { m.due.add(p.Due, p.ID) }
	m.charges.byProfile, m.callbacks.byProfile = map[ID][]ID{}, map[ID][]ID{}
	m.nonces = map[nonce]struct{}{}
	m.states = map[ID]memState{}
	m.parts = []memPart{&m.merchants, &m.profiles, &m.charges, &m.requests, &m.callbacks, &m.outcomes, &m.snapshots}
	return m
}

type memory struct {
	mu     sync.RWMutex
	closed bool

	clock     Clock
	merchants memTable[Merchant]
	profiles  memTable[Profile]
	due       dueIndex
	charges   memTable[Charge]
	requests  memTable[Request]
	callbacks memTable[Callback]
	outcomes  memTable[Outcome]
	snapshots memTable[Snapshot]
	nonces    map[nonce]struct{}
	states    map[ID]memState
	parts     []memPart // the tables
}

// A nonce is one use of a nonce by a merchant.
type nonce struct {
	login string
	use   [32]byte
}

// A memState is the state of one merchant or of all.
type memState struct {
	login     string
	clock     Clock
	merchants memCopy[Merchant]
	profiles  memCopy[Profile]
	charges   memCopy[Charge]
	requests  memCopy[Request]
	callbacks memCopy[Callback]
	outcomes  memCopy[Outcome]
	nonces    []nonce
}

func (m *memory) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	return nil
}

func (m *memory) View(ctx context.Context, do func(Tx) error) error {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if err := m.usable(ctx); err != nil {
		return err
	}
	return do(&memTx{memory: m})
}

func (m *memory) usable(ctx context.Context) error {
	if m.closed {
		return found(Closed, "", "")
	}
	return ctx.Err()
}

// A memPart is a table as a transaction begins and ends it.
type memPart interface {
	begin()
	commit()
	rollback()
}

func (m *memory) Update(ctx context.Context, do func(Tx) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.usable(ctx); err != nil {
		return err
	}
	for _, p := range m.parts {
		p.begin()
	}
	tx := &memTx{memory: m, write: true, clockBefore: m.clock}
	done := false
	defer func() { // also when do panics
		for _, p := range m.parts {
			if done {
				p.commit()
			} else {
				p.rollback()
			}
		}
		if !done {
			tx.rollback()
		}
	}()
	if err := do(tx); err != nil {
		return err
	}
	done = true
	return nil
}

// A memTx is one transaction.
type memTx struct {
	*memory
	write        bool
	clockBefore  Clock
	noncesBefore map[nonce]struct{} // if all were replaced
	used         []nonce            // before that
	saved        []ID
}

// rollback undoes what is not in a table.
func (t *memTx) rollback() {
	t.clock = t.clockBefore
	if t.noncesBefore != nil {
		t.nonces = t.noncesBefore
	}
	for _, n := range t.used {
		delete(t.nonces, n)
	}
	for _, id := range t.saved {
		delete(t.states, id)
	}
}

func (t *memTx) writable() error {
	if !t.write {
		return found(ReadOnly, "", "")
	}
	return nil
}

func (t *memTx) Clock() (Clock, error) { return t.clock, nil }

func (t *memTx) SetClock(c Clock) error {
	if err := t.writable(); err != nil {
		return err
	}
	t.clock = c
	return nil
}

func (t *memTx) Merchants() Table[Merchant] { return memView[Merchant]{&t.merchants, t.write} }
func (t *memTx) Charges() Table[Charge]     { return memView[Charge]{&t.charges, t.write} }
func (t *memTx) Requests() Table[Request]   { return memView[Request]{&t.requests, t.write} }
func (t *memTx) Callbacks() Table[Callback] { return memView[Callback]{&t.callbacks, t.write} }
func (t *memTx) Outcomes() Table[Outcome]   { return memView[Outcome]{&t.outcomes, t.write} }
func (t *memTx) Snapshots() Table[Snapshot] { return memView[Snapshot]{&t.snapshots, t.write} }
func (t *memTx) Profiles() ProfileTable {
	return memProfiles{memView[Profile]{&t.profiles, t.write}, &t.due}
}

func (t *memTx) UseNonce(login string, use [32]byte) (bool, error) {
	if err := t.writable(); err != nil {
		return false, err
	}
	n := nonce{login, use}
	if _, ok := t.nonces[n]; ok {
		return false, nil
	}
	t.nonces[n] = struct{}{}
	if t.noncesBefore == nil {
		t.used = append(t.used, n)
	}
	return true, nil
}
