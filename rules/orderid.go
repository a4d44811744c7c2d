package rules

import (
	"hash/maphash"
	"slices"
	"strconv"
)

// OrderIDs remember the client-orderids of several payloads: with the same OrderIDs in [Options.IDs] of each Reader, one
// after the other, a client-orderid of an earlier payload is a repetition, too (L47). The zero value is empty.
// They must not be copied, nor used by two goroutines at once.
type OrderIDs struct{ hidden func() *orderIDs }

// ids returns the table; most, the limit, is that of the first payload.
func (o *OrderIDs) ids(most int) *orderIDs {
	if o.hidden == nil {
		ids := &orderIDs{most: most}
		o.hidden = func() *orderIDs { return ids }
	}
	return o.hidden()
}

// orderIDs have a hash and the row of each id; rows are counted over all payloads. In most files the ids rise: one
// above the highest so far cannot be a repetition, so that it need be neither remembered nor looked for.
type orderIDs struct {
	most    int // how many are remembered; negative: none
	seed    maphash.Seed
	seen    map[uint64]int32 // row by hash
	list    []seenID         // those that are not in seen yet, since nothing was looked for
	last    string           // the highest id
	lost    bool             // one was not remembered
	n       int              // rows that were compared with all before them
	partial bool             // a row was compared with some of those before it only

	files []idFile
	rows  int // of all
}

// A seenID is the hash of an id, and its row.
type seenID struct {
	hash uint64
	row  int32
}

// An idFile is a payload, and how many rows those before it have.
type idFile struct {
	name   string
	before int
}

// meet returns the earlier row with an id, or 0, and then remembers the row unless the table is full. full is true once,
// for the first row that is not compared with all before it, or not remembered.
func (t *orderIDs) meet(id string, row int) (earlier int, full bool) {
	if t.most < 0 {
		t.partial = true
		return 0, false
	}
	if t.seen == nil {
		t.seed, t.seen = maphash.MakeSeed(), map[uint64]int32{}
	}
	hash := maphash.String(t.seed, id)
	hasSpace := len(t.seen)+len(t.list) < t.most
	if isAbove(id, t.last) {
		t.last = id
		t.lost = t.lost || !hasSpace
	} else if earlier := t.rowOf(hash); earlier != 0 {
		return int(earlier), false
	} else if !t.partial && (t.lost || !hasSpace) {
		t.partial, full = true, true
		t.n = len(t.seen)
	}
	if hasSpace {
		if len(t.list) == cap(t.list) { // to twice the size: append grows long lists by less
			t.list = slices.Grow(t.list, max(16, len(t.list)))
		}
		t.list = append(t.list, seenID{hash, int32(row)})
	}
	if !t.partial {
		t.n++
	}
	return 0, full
}

// rowOf returns the row whose id has a hash; 0 for none.
func (t *orderIDs) rowOf(hash uint64) int32 {
	for _, id := range t.list {
		t.seen[id.hash] = id.row
	}
	t.list = t.list[:0]
	return t.seen[hash]
}

// forget removes the id of a row.
func (t *orderIDs) forget(id string, row int) {
	if hash := maphash.String(t.seed, id); t.seen != nil && t.rowOf(hash) == int32(row) {
		delete(t.seen, hash)
		t.n--
	}
}

// nameOf returns the name of a row in a finding about the last payload.
func (t *orderIDs) nameOf(row int) string {
	i := len(t.files) - 1
	for i > 0 && row <= t.files[i].before {
		i--
	}
	name := "row " + strconv.Itoa(row-t.files[i].before)
	if i < len(t.files)-1 && t.files[i].name != "" {
		name += " of " + t.files[i].name
	}
	return name
}

// isAbove compares by length, then by bytes.
func isAbove(a, b string) bool {
	if len(a) != len(b) {
		return len(a) > len(b)
	}
	return a > b
}

// checkOrderID warns of a client-orderid that an earlier row has, or that looks like a card number other than that of its
// row, which is masked (L47).
func (r *reader) checkOrderID() {
	id := r.parsed.orderID
	if id == "" {
		return
	}
	if likeCard(id) && id != r.now(ColumnCardNumber) {
		r.report(OrderIDLikeCard, ColumnOrderID, wholeValue)
	}
	earlier, full := r.ids.meet(id, r.before+r.number)
	if earlier > 0 {
		r.report(OrderIDDuplicate, ColumnOrderID, wholeValue).Message = "client-orderid is also that of " + r.ids.nameOf(earlier)
	}
	if full {
		addLimit(r.report(LimitOrderIDs, ColumnOrderID, wholeValue), int64(r.ids.most), "row")
	}
}
