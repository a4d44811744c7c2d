package rules

import "math/bits"

// judgeOrderID warns of a client-orderid that an earlier row had, or that looks like a card number
// but is not that of the row, which would be masked (L47).
func (r *Reader) judgeOrderID() {
	if likeCard(r.rec.OrderID) && r.rec.OrderID != r.now(ColumnCardNumber) {
		r.on(OrderIDLikeCard, ColumnOrderID)
	}
	earlier, full := r.ids.meet(r.rec.OrderID, r.before+r.row)
	if earlier != 0 {
		if p := r.on(OrderIDDuplicate, ColumnOrderID); p != nil {
			p.say("client-orderid is also that of " + r.nameOf(earlier))
		}
	}
	if full {
		r.on(LimitOrderIDs, ColumnOrderID).number(int64(r.ids.most), "row")
	}
}

// noteOrderID takes the client-orderid, spaces around it included.
func (r *Reader) noteOrderID(_ Column, s string) { r.rec.OrderID = s }

// hashOf mixes the bytes of s into 64 bits, eight bytes at a time; the last eight may
// overlap those before them.
func hashOf(s string) uint64 {
	const k1, k2 = 0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9
	h := uint64(len(s)) * k1
	if len(s) < 8 {
		var last uint64
		for i := range len(s) {
			last = last<<8 | uint64(s[i])
		}
		h = folded(h^last, k2) + k1
		return folded(h, k1) ^ h
	}
	end := word(s[len(s)-8:])
	for ; len(s) > 8; s = s[8:] {
		h = folded(h^word(s), k2) + k1
	}
	h = folded(h^end, k2) + k1
	return folded(h, k1) ^ h
}

// word is the first eight bytes of s as a number.
func word(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// folded is both halves of a product in one.
func folded(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return high ^ low
}

// orderIDs remembers every client-orderid, by its hash and row. Most files have them in rising order: as long as each
// is above the highest, none can be a repetition, and they are only noted. The first that is not puts all into a map.
type orderIDs struct {
	most int  // how many are remembered; negative: none
	n    int  // how many rows were compared with all before them
	cut  bool // an id came that is compared with some of those before it only

	last  string         // the highest, while they rise
	risen [][]idOfRow    // in pieces, of which none is moved when there are more
	seen  map[uint64]int // row by hash; nil while they rise

	list *listedIDs // where it is not nil, the ids are listed here and nothing else
}

// An idOfRow is the hash of a row's id.
type idOfRow struct {
	hash uint64
	row  int
}

// listedIDs are the ids of a chunk, which are compared with those before it when its turn comes.
type listedIDs struct {
	ids         []idOfRow // behind row 0
	first, last string
	unordered   bool // one of them is not above the one before it
}

func (l *listedIDs) add(id string, row int) {
	if len(l.ids) == 0 {
		l.first = id
	} else {
		l.unordered = l.unordered || !isAbove(id, l.last)
	}
	l.last = id
	l.ids = append(l.ids, idOfRow{hashOf(id), row})
}

// meet returns the earlier row with the id; 0 where there is none, and then remembers the row. full reports that it is
// the first that is not compared with all before it, or that cannot be remembered.
func (t *orderIDs) meet(id string, row int) (earlier int, full bool) {
	switch {
	case t.list != nil:
		t.list.add(id, row)
		return 0, false
	case t.most < 0:
		t.cut = true
		return 0, false
	case t.seen == nil && isAbove(id, t.last):
		t.note(idOfRow{hashOf(id), row})
		t.last = id
		return 0, false
	}
	wasCut := t.cut
	t.settle()
	earlier = t.look(idOfRow{hashOf(id), row})
	return earlier, t.cut && !wasCut
}

// meetAll is meet for the ids of a chunk of rows that come after the first so many. The result is false where one of
// them is a repetition, and where meet would say that it is full: then each has to be met by itself.
func (t *orderIDs) meetAll(l *listedIDs, before int) (single bool) {
	switch {
	case len(l.ids) == 0:
		return true
	case t.most < 0:
		t.cut = true
		return true
	case t.seen == nil && !l.unordered && isAbove(l.first, t.last):
		for _, id := range l.ids {
			t.note(idOfRow{id.hash, before + id.row})
		}
		t.last = l.last
		return true
	case t.seen == nil || !t.cut && t.n+len(l.ids) > t.most:
		return false
	}
	single = true
	for _, id := range l.ids {
		if t.look(idOfRow{id.hash, before + id.row}) != 0 {
			single = false
		}
	}
	return single
}

// How many ids a piece of those that rise has.
const (
	leastRisen = 8
	mostRisen  = 4 << 10
)

// note remembers a row whose id is above all before it.
func (t *orderIDs) note(id idOfRow) {
	if t.n++; t.n <= t.most {
		last := len(t.risen) - 1
		if last < 0 || len(t.risen[last]) == cap(t.risen[last]) {
			t.risen = append(t.risen, make([]idOfRow, 0, min(max(t.n, leastRisen), mostRisen)))
			last++
		}
		t.risen[last] = append(t.risen[last], id)
	}
}

// settle puts what was noted into the map.
func (t *orderIDs) settle() {
	if t.seen != nil {
		return
	}
	t.seen = make(map[uint64]int, min(t.n, t.most))
	t.cut = t.cut || t.n > t.most
	t.n = 0
	for _, ids := range t.risen {
		for _, id := range ids {
			t.look(id)
		}
	}
	t.risen, t.last = nil, ""
}

// look returns the earlier row with the hash; 0 where there is none, and then remembers the row if there is room.
func (t *orderIDs) look(id idOfRow) (earlier int) {
	switch earlier, known := t.seen[id.hash]; {
	case known && earlier == id.row: // it was entered by meetAll
		return 0
	case known:
		return earlier
	case t.n < t.most:
		t.seen[id.hash] = id.row
		t.n++
	default:
		t.cut = true
	}
	return 0
}

// isAbove is an order of texts: by length, then by bytes.
func isAbove(a, b string) bool {
	if len(a) != len(b) {
		return len(a) > len(b)
	}
	return a > b
}
