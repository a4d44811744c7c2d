package rules

import (
	"hash/maphash"
	"slices"
	"strconv"
)

// OrderIDs remember the client-orderids of the rows that Readers have read, one after the other: with the same OrderIDs
// in [Options.IDs] a client-orderid that an earlier payload has is a repetition, too (L47). The zero value has none.
// They must not be copied, nor used by two goroutines at once.
type OrderIDs struct{ hidden func() *orderIDs }

// ids returns what is remembered; most is how many at most, for the first payload.
func (o *OrderIDs) ids(most int) *orderIDs {
	if o.hidden == nil {
		ids := &orderIDs{most: most}
		o.hidden = func() *orderIDs { return ids }
	}
	return o.hidden()
}

// orderIDs remember a hash and the row of each id; rows count over all payloads. Most files have them in rising order: one
// above the highest so far cannot be a repetition, so that it need not be remembered, nor looked for.
type orderIDs struct {
	most int // how many are remembered; negative: none
	seed maphash.Seed
	seen map[uint64]int32 // row by hash
	list []seenID         // those that are not in seen yet: nothing was looked for since
	last string           // the highest id
	lost bool             // one was not remembered
	n    int              // rows that were compared with all before them
	cut  bool             // a row was compared with some of those before it only

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

// meet returns the earlier row with an id; 0 where there is none, and then remembers the row if there is room. full
// reports that this is the first row that is not compared with all before it, or that cannot be remembered.
func (t *orderIDs) meet(id string, row int) (earlier int, full bool) {
	if t.most < 0 {
		t.cut = true
		return 0, false
	}
	if t.seen == nil {
		t.seed, t.seen = maphash.MakeSeed(), map[uint64]int32{}
	}
	hash := maphash.String(t.seed, id)
	room := len(t.seen)+len(t.list) < t.most
	if isAbove(id, t.last) {
		t.last = id
		t.lost = t.lost || !room
	} else if earlier := t.rowOf(hash); earlier != 0 {
		return int(earlier), false
	} else if !t.cut && (t.lost || !room) {
		t.cut, full = true, true
		t.n = len(t.seen)
	}
	if room {
		if len(t.list) == cap(t.list) { // twice as much: a list of so many is not to be copied often
			t.list = slices.Grow(t.list, max(16, len(t.list)))
		}
		t.list = append(t.list, seenID{hash, int32(row)})
	}
	if !t.cut {
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

// forget takes back that a row has an id.
func (t *orderIDs) forget(id string, row int) {
	if hash := maphash.String(t.seed, id); t.seen != nil && t.rowOf(hash) == int32(row) {
		delete(t.seen, hash)
		t.n--
	}
}

// nameOf returns what a row is called in a finding about the last payload.
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

// isAbove is an order of texts: by length, then by bytes.
func isAbove(a, b string) bool {
	if len(a) != len(b) {
		return len(a) > len(b)
	}
	return a > b
}

// checkOrderID warns of a client-orderid that an earlier row had, or that looks like a card number
// but is not that of the row, which would be masked (L47).
func (r *reader) checkOrderID() {
	id := r.read.orderID
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
		limited(r.report(LimitOrderIDs, ColumnOrderID, wholeValue), int64(r.ids.most), "row")
	}
}
