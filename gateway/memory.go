package gateway

import (
	"cmp"
	"container/heap"
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

// A memTable is a table in memory: its records in order of id, and what undoes the changes of the
// transaction that is under way.
type memTable[T Keyed] struct {
	writable bool // a transaction that may change it is under way, and no other one
	rows     []T
	last     ID // the last id that was given
	undo     []undone[T]
	was      ID // last, before the transaction
	// whole is the content before the first change of all records at once, and of how many changes
	// before that; nil for no such change.
	whole     []T
	wholeUndo int
	replaced  bool
	// byProfile are the places of the records of a profile; nil for a table that is not asked by
	// profile.
	byProfile map[ID][]ID
	// changed, which may be nil, is called for each record that comes or comes back.
	changed func(T)
}

// An undone is a change: of a record that was added (old is nil), replaced or deleted.
type undone[T any] struct {
	id      ID
	old     *T
	deleted bool
}

func (t *memTable[T]) find(id ID) (int, bool) {
	if n := len(t.rows); n > 0 && t.rows[n-1].Key().ID < id {
		return n, false
	}
	return slices.BinarySearchFunc(t.rows, id, func(v T, id ID) int { return cmp.Compare(v.Key().ID, id) })
}

func (t *memTable[T]) NextID() (ID, error) {
	if !t.writable {
		return 0, found(ReadOnly, "", "")
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
	if !t.writable {
		return found(ReadOnly, "", "")
	}
	k := v.Key()
	i, ok := t.find(k.ID)
	if ok {
		old := t.rows[i]
		t.undo = append(t.undo, undone[T]{id: k.ID, old: &old})
		t.rows[i] = v
	} else {
		t.undo = append(t.undo, undone[T]{id: k.ID})
		t.rows = slices.Insert(t.rows, i, v)
		t.last = max(t.last, k.ID)
		t.index(k)
	}
	if t.changed != nil {
		t.changed(v)
	}
	return nil
}

func (t *memTable[T]) Delete(id ID) error {
	if !t.writable {
		return found(ReadOnly, "", "")
	}
	i, ok := t.find(id)
	if !ok {
		return found(NotFound, "", "")
	}
	old := t.rows[i]
	t.undo = append(t.undo, undone[T]{id, &old, true})
	if i == 0 { // the oldest ones go first, and often
		t.rows[0] = *new(T)
		t.rows = t.rows[1:]
		return nil
	}
	t.rows = slices.Delete(t.rows, i, i+1)
	return nil
}

// index notes a new record under its profile.
func (t *memTable[T]) index(k Key) {
	if t.byProfile != nil && k.Profile != 0 {
		t.byProfile[k.Profile] = append(t.byProfile[k.Profile], k.ID)
	}
}

func (t *memTable[T]) List(q Query) ([]T, error) {
	if q.Profile != 0 && t.byProfile != nil {
		return t.listProfile(q), nil
	}
	var list []T
	from, end, step := len(t.rows)-1, -1, -1
	if q.OldestFirst {
		from, end, step = 0, len(t.rows), 1
	}
	if q.Past != 0 {
		i, ok := t.find(q.Past)
		switch {
		case !q.OldestFirst:
			from = i - 1
		case ok:
			from = i + 1
		default:
			from = i
		}
	}
	for i := from; i != end && (q.Limit == 0 || len(list) < q.Limit); i += step {
		if q.Selects(t.rows[i].Key()) {
			list = append(list, t.rows[i])
		}
	}
	return list, nil
}

// listProfile lists the records of one profile, which were added in order of id.
func (t *memTable[T]) listProfile(q Query) []T {
	ids := t.byProfile[q.Profile]
	var list []T
	for n := range ids {
		id := ids[n]
		if !q.OldestFirst {
			id = ids[len(ids)-1-n]
		}
		if q.Past != 0 && (q.OldestFirst && id <= q.Past || !q.OldestFirst && id >= q.Past) {
			continue
		}
		if q.Limit > 0 && len(list) == q.Limit {
			break
		}
		if i, ok := t.find(id); ok && q.Selects(t.rows[i].Key()) {
			list = append(list, t.rows[i])
		}
	}
	return list
}

func (t *memTable[T]) begin() { t.writable, t.was = true, t.last }

// commit forgets how to undo; a large transaction leaves no large memory behind.
func (t *memTable[T]) commit() {
	clear(t.undo)
	t.undo = t.undo[:0]
	if cap(t.undo) > 4096 {
		t.undo = nil
	}
	t.whole, t.replaced, t.writable = nil, false, false
}

// rollback undoes the changes, the last one first.
func (t *memTable[T]) rollback() {
	if t.replaced {
		t.set(t.whole)
		t.undo = t.undo[:t.wholeUndo]
	}
	for _, u := range slices.Backward(t.undo) {
		i, _ := t.find(u.id)
		switch {
		case u.old == nil:
			k := t.rows[i].Key()
			t.rows = slices.Delete(t.rows, i, i+1)
			if ids := t.byProfile[k.Profile]; len(ids) > 0 {
				t.byProfile[k.Profile] = ids[:len(ids)-1]
			}
			continue
		case u.deleted:
			t.rows = slices.Insert(t.rows, i, *u.old)
		default:
			t.rows[i] = *u.old
		}
		if t.changed != nil {
			t.changed(*u.old)
		}
	}
	t.last = t.was
	t.commit()
}

// A memCopy is the content of a table at one time.
type memCopy struct {
	rows any // a list of the records; nil for none
	last ID
}

// copyOf copies the records of a merchant; of all for an empty login.
func (t *memTable[T]) copyOf(login string) memCopy {
	var rows []T
	for _, v := range t.rows {
		if login == "" || v.Key().Login == login {
			rows = append(rows, v)
		}
	}
	return memCopy{rows, t.last}
}

// replace replaces the records of a merchant; of all for an empty login, with the next id unless onward.
func (t *memTable[T]) replace(login string, c memCopy, onward bool) {
	if !t.replaced {
		t.whole, t.wholeUndo, t.replaced = t.rows, len(t.undo), true
	}
	rows, _ := c.rows.([]T)
	if login != "" {
		t.set(t.among(login, rows))
		return
	}
	t.set(slices.Clone(rows))
	if !onward {
		t.last = c.last
	}
}

// among merges records of a merchant, in order of id, with those of all others.
func (t *memTable[T]) among(login string, of []T) (rows []T) {
	for _, v := range t.rows {
		k := v.Key()
		if k.Login == login {
			continue
		}
		for len(of) > 0 && of[0].Key().ID <= k.ID {
			rows, of = append(rows, of[0]), of[1:]
		}
		rows = append(rows, v)
	}
	return append(rows, of...)
}

// set makes rows the records, and builds the indexes again.
func (t *memTable[T]) set(rows []T) {
	t.rows = rows
	if t.byProfile != nil {
		t.byProfile = map[ID][]ID{}
	}
	for _, v := range rows {
		t.index(v.Key())
		if t.changed != nil {
			t.changed(v)
		}
	}
}

// A dueIndex lists profiles by the day on which they are due. Every profile that is stored is
// added, and none is removed: an entry that is no longer right is found out when its day is read.
type dueIndex struct {
	days  dayHeap
	lists map[calendar.Date]*dueList
}

type dueList struct {
	ids    []ID
	sorted bool
}

func (x *dueIndex) add(day calendar.Date, id ID) {
	if day.IsZero() {
		return
	}
	l := x.lists[day]
	if l == nil {
		l = new(dueList)
		x.lists[day] = l
		heap.Push(&x.days, day)
	}
	if n := len(l.ids); n > 0 && l.ids[n-1] == id {
		return // as after each of several events on a day
	}
	l.sorted = l.sorted && id > l.ids[len(l.ids)-1] || len(l.ids) == 0
	l.ids = append(l.ids, id)
}

// sort puts the ids in order, each once.
func (l *dueList) sort() {
	if !l.sorted {
		slices.Sort(l.ids)
		l.ids = slices.Compact(l.ids)
		l.sorted = true
	}
}

// drop forgets the earliest day.
func (x *dueIndex) drop() {
	delete(x.lists, heap.Pop(&x.days).(calendar.Date))
}

// A dayHeap is a heap of days, the earliest first.
type dayHeap []calendar.Date

func (h dayHeap) Len() int           { return len(h) }
func (h dayHeap) Less(i, j int) bool { return h[i].Before(h[j]) }
func (h dayHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *dayHeap) Push(d any)        { *h = append(*h, d.(calendar.Date)) }
func (h *dayHeap) Pop() any {
	last := len(*h) - 1
	d := (*h)[last]
	*h = (*h)[:last]
	return d
}

// memProfiles are the profiles, and when they are due.
type memProfiles struct {
	memTable[Profile]
	due dueIndex
}

func (t *memProfiles) NextDue() (calendar.Date, error) {
	if !t.writable { // another view may be looking at the index, which stays as it is
		for _, day := range slices.SortedFunc(slices.Values(t.due.days), calendar.Date.Compare) {
			if t.anyDue(day) {
				return day, nil
			}
		}
		return calendar.Date{}, nil
	}
	for len(t.due.days) > 0 {
		if day := t.due.days[0]; t.anyDue(day) {
			return day, nil
		}
		t.due.drop()
	}
	return calendar.Date{}, nil
}

func (t *memProfiles) anyDue(day calendar.Date) bool {
	return slices.ContainsFunc(t.due.lists[day].ids, func(id ID) bool { return t.isDue(id, day) })
}

func (t *memProfiles) isDue(id ID, day calendar.Date) bool {
	i, ok := t.find(id)
	return ok && t.rows[i].Due == day
}

func (t *memProfiles) Due(day calendar.Date, after ID, limit int) ([]Profile, error) {
	l := t.due.lists[day]
	if l == nil {
		return nil, nil
	}
	ids := l.ids
	if t.writable {
		l.sort()
		ids = l.ids
	} else if !l.sorted {
		ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	}
	from, ok := slices.BinarySearch(ids, after)
	if ok {
		from++
	}
	var list []Profile
	for _, id := range ids[from:] {
		if len(list) == limit {
			break
		}
		if t.isDue(id, day) {
			p, err := t.Get(id)
			if err != nil {
				return nil, err
			}
			list = append(list, p)
		}
	}
	return list, nil
}
