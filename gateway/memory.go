package gateway

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/chargecast/chargecast/calendar"
)

// NewMemory returns a store in memory. What it keeps ends with the process.
func NewMemory() Store {
	m := &memory{nonces: nonces{}, states: map[ID]memState{}}
	m.profiles.due.lists = map[calendar.Date]*dueList{}
	m.profiles.changed = func(p Profile) { m.profiles.due.add(p.Due, p.ID) }
	m.charges.byProfile, m.callbacks.byProfile = map[ID][]ID{}, map[ID][]ID{}
	m.tables = []memPart{&m.snapshots, &m.merchants, &m.profiles.memTable, &m.charges, &m.requests, &m.callbacks, &m.outcomes, &m.faults}
	return m
}

type memory struct {
	mu     sync.RWMutex
	closed bool

	clock     Clock
	merchants memTable[Merchant]
	profiles  memProfiles
	charges   memTable[Charge]
	requests  memTable[Request]
	callbacks memTable[Callback]
	outcomes  memTable[Outcome]
	faults    memTable[Fault]
	snapshots memTable[Snapshot]
	tables    []memPart // all of them: the snapshots, the merchants, then what a reset clears
	nonces    nonces
	states    map[ID]memState
}

// The tables from the first of these on are in a state, and those from the second on are what a reset clears.
const (
	stateTables = 1
	ownTables   = 2
)

// Nonces are the uses of nonces by login, those of each merchant in the order in which they came, and which there are.
type nonces map[string]nonceUses

type nonceUses struct {
	list []nonceUse
	has  map[[32]byte]struct{}
}

type nonceUse struct {
	use [32]byte
	at  time.Time
}

// forget drops the uses before a time, or, if that is zero, all but the last ones.
func (n nonces) forget(login string, before time.Time) {
	u, gone := n[login], 0
	for gone < len(u.list) && (before.IsZero() && len(u.list)-gone > MaxNonces || u.list[gone].at.Before(before)) {
		delete(u.has, u.list[gone].use)
		gone++
	}
	u.list = u.list[gone:]
	n[login] = u
}

// copyOf copies the uses of a merchant; of all for an empty login.
func (n nonces) copyOf(login string) nonces {
	c := nonces{}
	for of, u := range n {
		if login == "" || of == login {
			c[of] = nonceUses{slices.Clone(u.list), maps.Clone(u.has)}
		}
	}
	return c
}

// A memState is the state of one merchant or of all.
type memState struct {
	login  string
	clock  Clock
	tables []memCopy
	nonces nonces
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

// A memPart is a table, whatever its records are.
type memPart interface {
	begin()
	commit()
	rollback()
	copyOf(login string) memCopy
	replace(login string, c memCopy, onward bool)
}

func (m *memory) Update(ctx context.Context, do func(Tx) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.usable(ctx); err != nil {
		return err
	}
	for _, p := range m.tables {
		p.begin()
	}
	tx := &memTx{memory: m, write: true, clockBefore: m.clock}
	done := false
	defer func() { // also when do panics
		for _, p := range m.tables {
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
	for _, n := range tx.used {
		m.nonces.forget(n.login, n.forget)
	}
	done = true
	return nil
}

// A memTx is one transaction.
type memTx struct {
	*memory
	write        bool
	clockBefore  Clock
	noncesBefore nonces // if they were replaced
	used         []usedNonce
	saved        []ID
	dropped      map[ID]memState
}

// A usedNonce says who used one, and what need not be known any more once the transaction has taken place.
type usedNonce struct {
	login  string
	forget time.Time
	undo   bool // it is in what the nonces were before
}

// rollback undoes what is not in a table.
func (t *memTx) rollback() {
	t.clock = t.clockBefore
	if t.noncesBefore != nil {
		t.nonces = t.noncesBefore
	}
	for _, n := range slices.Backward(t.used) {
		if u := t.nonces[n.login]; n.undo {
			last := len(u.list) - 1
			delete(u.has, u.list[last].use)
			u.list = u.list[:last]
			t.nonces[n.login] = u
		}
	}
	maps.Copy(t.states, t.dropped)
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

func (t *memTx) Merchants() Table[Merchant] { return &t.merchants }
func (t *memTx) Profiles() ProfileTable     { return &t.profiles }
func (t *memTx) Charges() Table[Charge]     { return &t.charges }
func (t *memTx) Requests() Table[Request]   { return &t.requests }
func (t *memTx) Callbacks() Table[Callback] { return &t.callbacks }
func (t *memTx) Outcomes() Table[Outcome]   { return &t.outcomes }
func (t *memTx) Faults() Table[Fault]       { return &t.faults }
func (t *memTx) Snapshots() Table[Snapshot] { return &t.snapshots }

func (t *memTx) UseNonce(login string, use [32]byte, at, forget time.Time) (bool, error) {
	if err := t.writable(); err != nil {
		return false, err
	}
	u := t.nonces[login]
	if _, ok := u.has[use]; ok {
		return false, nil
	}
	if u.has == nil {
		u.has = map[[32]byte]struct{}{}
	}
	u.has[use] = struct{}{}
	u.list = append(u.list, nonceUse{use, at})
	t.nonces[login] = u
	t.used = append(t.used, usedNonce{login, forget, t.noncesBefore == nil})
	return true, nil
}

func (t *memTx) Clear(login string) error {
	if err := t.writable(); err != nil {
		return err
	}
	for _, table := range t.tables[ownTables:] {
		table.replace(login, memCopy{}, login == "" && len(t.states) > 0)
	}
	t.replaceNonces(login, nil)
	return nil
}

func (t *memTx) SaveState(id ID, login string) error {
	if err := t.writable(); err != nil {
		return err
	}
	s := memState{login: login, clock: t.clock, nonces: t.nonces.copyOf(login)}
	for _, table := range t.tables[stateTables:] {
		s.tables = append(s.tables, table.copyOf(login))
	}
	t.states[id] = s
	t.saved = append(t.saved, id)
	return nil
}

func (t *memTx) DropState(id ID) error {
	if err := t.writable(); err != nil {
		return err
	}
	if s, ok := t.states[id]; ok {
		if t.dropped == nil {
			t.dropped = map[ID]memState{}
		}
		t.dropped[id] = s
		delete(t.states, id)
	}
	return nil
}

func (t *memTx) RestoreState(id ID) error {
	if err := t.writable(); err != nil {
		return err
	}
	s, ok := t.states[id]
	if !ok {
		return found(NotFound, "", "")
	}
	if s.login == "" {
		s.clock.Epoch = t.clock.Epoch
		t.clock = s.clock
	}
	for i, table := range t.tables[stateTables:] {
		c := s.tables[i]
		for _, o := range t.states {
			if o.login != "" { // no id begins again that the state of a merchant has
				c.last = max(c.last, o.tables[i].last)
			}
		}
		table.replace(s.login, c, false)
	}
	t.replaceNonces(s.login, s.nonces)
	return nil
}

// replaceNonces replaces the nonces of a merchant; of all for an empty login.
func (t *memTx) replaceNonces(login string, by nonces) {
	if t.noncesBefore == nil {
		t.noncesBefore = t.nonces
	}
	t.nonces = t.nonces.copyOf("")
	maps.DeleteFunc(t.nonces, func(of string, _ nonceUses) bool { return login == "" || login == of })
	maps.Copy(t.nonces, by.copyOf(""))
}
