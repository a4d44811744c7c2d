package gateway

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sort"
	"sync"
	"time"

	"github.com/chargecast/chargecast/calendar"
)

// NewMemory returns a store in memory. What it keeps ends with the process.
func NewMemory() Store {
	m := &memory{nonces: map[string]nonceUses{}, states: map[ID]memState{}}
	m.charges.index, m.callbacks.index, m.outcomes.index, m.faults.index = memIndex{}, memIndex{}, memIndex{}, memIndex{}
	m.profiles.due = map[calendar.Date]idSet{}
	for _, t := range m.tables() {
		t.join(m)
	}
	return m
}

// A memory is the store, and its one transaction at a time.
type memory struct {
	mu      sync.RWMutex
	closed  bool
	writing bool     // Update holds mu
	undo    []func() // what the transaction that is under way changed, undone

	clock     Clock
	merchants memTable[Merchant]
	profiles  memTable[Profile]
	charges   memTable[Charge]
	requests  memTable[Request]
	callbacks memTable[Callback]
	outcomes  memTable[Outcome]
	faults    memTable[Fault]
	snapshots memTable[Snapshot]
	nonces    map[string]nonceUses // by login
	states    map[ID]memState
}

// A memState is what a snapshot keeps.
type memState struct {
	clock   Clock
	restore []func() // of each table, and of the nonces
}

// A memPart is a table, whatever its records are.
type memPart interface {
	join(m *memory)
	mark()
	reset()
	save() (restore func())
	clear(login string, again bool)
}

// tables are all tables: the snapshots, the merchants, then what a reset clears.
func (m *memory) tables() []memPart {
	return []memPart{&m.snapshots, &m.merchants, &m.profiles, &m.charges, &m.requests, &m.callbacks, &m.outcomes, &m.faults}
}

// The tables from the first of these on are in a state, and those from the second on are what a
// reset clears.
const (
	stateTables = 1
	ownTables   = 2
)

func (m *memory) Writable(context.Context) error { return nil }

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
	return do(m)
}

func (m *memory) usable(ctx context.Context) error {
	if m.closed {
		return found(Closed, "", "")
	}
	return ctx.Err()
}

func (m *memory) Update(ctx context.Context, do func(Tx) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.usable(ctx); err != nil {
		return err
	}
	for _, t := range m.tables() {
		t.mark()
	}
	m.writing = true
	done := false
	defer func() { // also when do panics
		if !done {
			for _, undo := range slices.Backward(m.undo) {
				undo()
			}
			for _, t := range m.tables() {
				t.reset()
			}
		}
		clear(m.undo)
		if m.undo, m.writing = m.undo[:0], false; cap(m.undo) > maxUndo {
			m.undo = nil
		}
	}()
	if err := do(m); err != nil {
		return err
	}
	done = true
	return nil
}

// maxUndo is how much room for undoing is kept for the next transaction.
const maxUndo = 4096

func (m *memory) writable() error {
	if !m.writing {
		return found(ReadOnly, "", "")
	}
	return nil
}

// later runs a function if the transaction fails.
func (m *memory) later(undo func()) { m.undo = append(m.undo, undo) }

func (m *memory) Clock() (Clock, error) { return m.clock, nil }

func (m *memory) SetClock(c Clock) error {
	if err := m.writable(); err != nil {
		return err
	}
	before := m.clock
	m.later(func() { m.clock = before })
	m.clock = c
	return nil
}

func (m *memory) Merchants() Table[Merchant] { return &m.merchants }
func (m *memory) Profiles() ProfileTable     { return memProfiles{&m.profiles} }
func (m *memory) Charges() Table[Charge]     { return &m.charges }
func (m *memory) Requests() Table[Request]   { return &m.requests }
func (m *memory) Callbacks() Table[Callback] { return &m.callbacks }
func (m *memory) Outcomes() Table[Outcome]   { return &m.outcomes }
func (m *memory) Faults() Table[Fault]       { return &m.faults }
func (m *memory) Snapshots() Table[Snapshot] { return &m.snapshots }

// nonceUses are the uses of nonces of one merchant in the order in which they came, and which there
// are.
type nonceUses struct {
	list []nonceUse
	has  map[[32]byte]struct{}
}

type nonceUse struct {
	use [32]byte
	at  int64 // in whole seconds, as freshness is counted
}

func (m *memory) UseNonce(login string, use [32]byte, at, forget time.Time, keep int) (bool, error) {
	if err := m.writable(); err != nil {
		return false, err
	}
	before := m.nonces[login]
	if _, ok := before.has[use]; ok {
		return false, nil
	}
	u := before
	if u.has == nil {
		u.has = map[[32]byte]struct{}{}
	}
	u.has[use] = struct{}{}
	u.list = append(u.list, nonceUse{use, at.Unix()})
	var gone int
	for forget.IsZero() && len(u.list)-gone > keep || !forget.IsZero() && gone < len(u.list) && u.list[gone].at < forget.Unix() {
		delete(u.has, u.list[gone].use)
		gone++
	}
	dropped := u.list[:gone]
	u.list = u.list[gone:]
	m.nonces[login] = u
	m.later(func() {
		for _, n := range dropped {
			u.has[n.use] = struct{}{}
		}
		delete(u.has, use)
		m.nonces[login] = before
	})
	return true, nil
}

// setNonces replaces the uses of all merchants.
func (m *memory) setNonces(by map[string]nonceUses) {
	before := m.nonces
	m.later(func() { m.nonces = before })
	m.nonces = by
}

func copyNonces(of map[string]nonceUses) map[string]nonceUses {
	c := map[string]nonceUses{}
	for login, u := range of {
		c[login] = nonceUses{slices.Clone(u.list), maps.Clone(u.has)}
	}
	return c
}

func (m *memory) Clear(login string) error {
	if err := m.writable(); err != nil {
		return err
	}
	for _, t := range m.tables()[ownTables:] {
		t.clear(login, login == "" && len(m.states) == 0)
	}
	rest := map[string]nonceUses{}
	if login != "" {
		rest = maps.Clone(m.nonces)
		delete(rest, login)
	}
	m.setNonces(rest)
	return nil
}

func (m *memory) SaveState(id ID) error {
	if err := m.writable(); err != nil {
		return err
	}
	s := memState{clock: m.clock}
	for _, t := range m.tables()[stateTables:] {
		s.restore = append(s.restore, t.save())
	}
	nonces := copyNonces(m.nonces)
	s.restore = append(s.restore, func() { m.setNonces(copyNonces(nonces)) })
	m.setState(id, &s)
	return nil
}

func (m *memory) DropState(id ID) error {
	if err := m.writable(); err != nil {
		return err
	}
	m.setState(id, nil)
	return nil
}

// setState keeps a state; nil: none.
func (m *memory) setState(id ID, s *memState) {
	before, had := m.states[id]
	m.later(func() {
		if delete(m.states, id); had {
			m.states[id] = before
		}
	})
	if delete(m.states, id); s != nil {
		m.states[id] = *s
	}
}

func (m *memory) RestoreState(id ID) error {
	if err := m.writable(); err != nil {
		return err
	}
	s, ok := m.states[id]
	if !ok {
		return found(NotFound, "", "")
	}
	s.clock.Epoch = m.clock.Epoch
	for _, restore := range s.restore {
		restore()
	}
	return m.SetClock(s.clock)
}

// A memTable is the records of one kind in order of id, with what finds them faster.
type memTable[T Keyed] struct {
	m    *memory
	rows []T
	last ID // the last id that was given
	was  ID // last, before the transaction

	index memIndex // by profile and status; nil for a table that no query asks for either
	// due has the ids of the records that are due on a day; nil for a table of others. days are these
	// days in order.
	due  map[calendar.Date]idSet
	days []calendar.Date
}

// A memIndex has the ids of the records of a profile or with a status; of a profile with a status,
// too.
type memIndex map[indexKey]idSet

type indexKey struct {
	profile ID
	status  string
}

// An idSet is ids in order.
type idSet []ID

func (s idSet) with(id ID) idSet {
	if n := len(s); n == 0 || s[n-1] < id {
		return append(s, id)
	}
	i, _ := slices.BinarySearch(s, id)
	return slices.Insert(s, i, id)
}

func (s idSet) without(id ID) idSet {
	if s[0] == id { // the oldest ones go first, and often
		return s[1:]
	}
	i, _ := slices.BinarySearch(s, id)
	return slices.Delete(s, i, i+1)
}

func (t *memTable[T]) join(m *memory) { t.m = m }

// mark notes the last id, and reset brings it back.
func (t *memTable[T]) mark()  { t.was = t.last }
func (t *memTable[T]) reset() { t.last = t.was }

func (t *memTable[T]) find(id ID) (int, bool) {
	if n := len(t.rows); n > 0 && t.rows[n-1].Key().ID < id {
		return n, false
	}
	return slices.BinarySearchFunc(t.rows, id, func(v T, id ID) int { return cmp.Compare(v.Key().ID, id) })
}

func (t *memTable[T]) NextID() (ID, error) {
	if err := t.m.writable(); err != nil {
		return 0, err
	}
	t.last++
	return t.last, nil
}

func (t *memTable[T]) Get(id ID) (T, error) {
	if i, ok := t.find(id); ok {
		return t.rows[i], nil
	}
	var none T
	return none, found(NotFound, "", "")
}

func (t *memTable[T]) Put(v T) error {
	if err := t.m.writable(); err != nil {
		return err
	}
	id := v.Key().ID
	i, ok := t.find(id)
	if !ok {
		t.insert(i, v)
		t.last = max(t.last, id)
		t.m.later(func() { t.remove(id) })
		return nil
	}
	old := t.rows[i]
	t.replace(i, v)
	t.m.later(func() {
		i, _ := t.find(id)
		t.replace(i, old)
	})
	return nil
}

func (t *memTable[T]) Delete(id ID) error {
	if err := t.m.writable(); err != nil {
		return err
	}
	i, ok := t.find(id)
	if !ok {
		return found(NotFound, "", "")
	}
	old := t.rows[i]
	t.remove(id)
	t.m.later(func() {
		i, _ := t.find(id)
		t.insert(i, old)
	})
	return nil
}

func (t *memTable[T]) insert(i int, v T) {
	t.rows = slices.Insert(t.rows, i, v)
	t.enter(v.Key())
}

func (t *memTable[T]) replace(i int, v T) {
	from, to := t.rows[i].Key(), v.Key()
	t.rows[i] = v
	if from != to {
		t.leave(from)
		t.enter(to)
	}
}

func (t *memTable[T]) remove(id ID) {
	i, _ := t.find(id)
	t.leave(t.rows[i].Key())
	if i == 0 {
		t.rows[0] = *new(T)
		t.rows = t.rows[1:]
		return
	}
	t.rows = slices.Delete(t.rows, i, i+1)
}

// keys are those of the index under which a record is.
func (t *memTable[T]) keys(k Key) (list []indexKey) {
	if t.index == nil {
		return nil
	}
	if k.Status != "" {
		list = append(list, indexKey{0, k.Status})
	}
	if k.Profile != 0 {
		list = append(list, indexKey{k.Profile, ""})
	}
	if len(list) == 2 {
		list = append(list, indexKey{k.Profile, k.Status})
	}
	return list
}

// enter notes a record in the index, and leave forgets it.
func (t *memTable[T]) enter(k Key) {
	for _, key := range t.keys(k) {
		t.index[key] = t.index[key].with(k.ID)
	}
	if t.due == nil || k.Due.IsZero() {
		return
	}
	if len(t.due[k.Due]) == 0 {
		i, _ := slices.BinarySearchFunc(t.days, k.Due, calendar.Date.Compare)
		t.days = slices.Insert(t.days, i, k.Due)
	}
	t.due[k.Due] = t.due[k.Due].with(k.ID)
}

func (t *memTable[T]) leave(k Key) {
	for _, key := range t.keys(k) {
		if t.index[key] = t.index[key].without(k.ID); len(t.index[key]) == 0 {
			delete(t.index, key)
		}
	}
	if t.due == nil || k.Due.IsZero() {
		return
	}
	if t.due[k.Due] = t.due[k.Due].without(k.ID); len(t.due[k.Due]) == 0 {
		delete(t.due, k.Due)
		i, _ := slices.BinarySearchFunc(t.days, k.Due, calendar.Date.Compare)
		t.days = slices.Delete(t.days, i, i+1)
	}
}

func (t *memTable[T]) List(q Query) (list []T, err error) {
	key := indexKey{q.Profile, q.Status}
	if t.index == nil || key == (indexKey{}) {
		ids := func(i int) ID { return t.rows[i].Key().ID }
		return pick(q, len(t.rows), ids, func(i int) *T { return &t.rows[i] }), nil
	}
	ids := t.index[key]
	return pick(q, len(ids), func(i int) ID { return ids[i] }, func(i int) *T {
		at, _ := t.find(ids[i])
		return &t.rows[at]
	}), nil
}

// pick returns what a query selects of n records in order of id.
func pick[T Keyed](q Query, n int, id func(int) ID, row func(int) *T) (list []T) {
	from, end, step := n-1, -1, -1
	if q.OldestFirst {
		from, end, step = 0, n, 1
	}
	switch {
	case q.Past == 0:
	case q.OldestFirst:
		from = sort.Search(n, func(i int) bool { return id(i) > q.Past })
	default:
		from = sort.Search(n, func(i int) bool { return id(i) >= q.Past }) - 1
	}
	for i := from; i != end && (q.Limit == 0 || len(list) < q.Limit); i += step {
		if v := row(i); q.Selects((*v).Key()) {
			list = append(list, *v)
		}
	}
	return list
}

// set makes rows the records and last the last id, and builds the indexes again.
func (t *memTable[T]) set(rows []T, last ID) {
	before := *t
	t.m.later(func() {
		t.rows, t.last, t.index, t.due, t.days = before.rows, before.last, before.index, before.due, before.days
	})
	t.rows, t.last, t.days = rows, last, nil
	if t.index != nil {
		t.index = memIndex{}
	}
	if t.due != nil {
		t.due = map[calendar.Date]idSet{}
	}
	for _, v := range rows {
		t.enter(v.Key())
	}
}

// save returns what brings back the records as they are now.
func (t *memTable[T]) save() func() {
	rows, last := slices.Clone(t.rows), t.last
	return func() { t.set(slices.Clone(rows), last) }
}

// clear removes the records of a merchant; of all for an empty login, and then ids may begin again.
func (t *memTable[T]) clear(login string, again bool) {
	var rest []T
	for _, v := range t.rows {
		if login != "" && v.Key().Login != login {
			rest = append(rest, v)
		}
	}
	last := t.last
	if again {
		last = 0
	}
	t.set(rest, last)
}

// memProfiles are the profiles, by the days on which they are due too.
type memProfiles struct{ *memTable[Profile] }

func (t memProfiles) NextDue() (calendar.Date, error) {
	if len(t.days) == 0 {
		return calendar.Date{}, nil
	}
	return t.days[0], nil
}

func (t memProfiles) Due(day calendar.Date, after ID, limit int) (list []Profile, err error) {
	ids := t.due[day]
	from, ok := slices.BinarySearch(ids, after)
	if ok {
		from++
	}
	for _, id := range ids[from:min(len(ids), from+limit)] {
		i, _ := t.find(id)
		list = append(list, t.rows[i])
	}
	return list, nil
}
