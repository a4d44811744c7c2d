package rules

import (
	"math"
	"math/bits"
	"slices"
)

// judgeOrderID warns of a client-orderid that an earlier row had, or that looks like a card number
// but is not that of the row, which would be masked (L47).
func (r *Reader) judgeOrderID() {
	if likeCard(r.rec.OrderID) && r.rec.OrderID != r.now(ColumnCardNumber) {
		r.on(OrderIDLikeCard, ColumnOrderID)
	}
	if earlier := r.ids.meet(r.rec.OrderID, r.before+r.row); earlier != 0 {
		if p := r.on(OrderIDDuplicate, ColumnOrderID); p != nil {
			p.say("client-orderid is also that of " + r.nameOf(earlier))
		}
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

// orderIDs remembers every client-orderid, by its hash and row. Most files have them in
// rising order: as long as each is above the highest, none can be a repetition, and they
// are only noted one behind the other. One that is not above is looked for among those noted
// while they are few; the first after that puts all of them into a table.
type orderIDs struct {
	most int  // how many the table may hold; negative: none
	n    int  // how many rows were compared with all before them, or are in the table
	cut  bool // it met more than it may hold

	last  string // the highest, while there is no table
	risen []*rowHashes
	table *idTable

	list *listedIDs // where it is not nil, the ids are listed here and nothing else
}

// listedIDs are the ids of a chunk, which are compared with those before it when its turn comes.
type listedIDs struct {
	ids         rowHashes // behind row 0, whether they rise or not
	first, last string
	unordered   bool // one of them is not above the one before it
}

// mostListed is how many rows a chunk may have.
const mostListed = math.MaxUint16

func (l *listedIDs) clear() {
	*l = listedIDs{ids: rowHashes{hashes: l.ids.hashes[:0], after: l.ids.after[:0]}}
}

// clone is l with memory of its own, and no more than it needs.
func (l *listedIDs) clone() listedIDs {
	c := *l
	c.ids.hashes, c.ids.after = slices.Clone(l.ids.hashes), slices.Clone(l.ids.after)
	return c
}

func (l *listedIDs) add(id string, row int) {
	if l.ids.n == 0 {
		l.first = id
	} else {
		l.unordered = l.unordered || !isAbove(id, l.last)
	}
	l.last = id
	l.ids.n++
	l.ids.hashes, l.ids.after = append(l.ids.hashes, hashOf(id)), append(l.ids.after, uint16(row))
}

// meetAll is meet for the ids of a chunk of rows that come after the first so many. The result is false
// where one of them is a repetition, and where meet would compare them with few: then each has to be
// met by itself. The list is of no further use.
func (t *orderIDs) meetAll(l *listedIDs, before int) (single bool) {
	switch {
	case l.ids.n == 0:
		return true
	case t.most < 0:
		t.cut = true
		return true
	case t.table == nil && !l.unordered && isAbove(l.first, t.last):
		t.noteAll(&l.ids, before)
		t.last = l.last
		return true
	case t.table == nil && t.n < min(firstRisen, t.most):
		return false
	case t.table == nil:
		t.settle()
	}
	single = true
	for i, hash := range l.ids.hashes {
		if t.look(hash, before+int(l.ids.after[i])) != 0 {
			single = false
		}
	}
	return single
}

// noteAll is note for the ids of a chunk. Those that note has room for stay the last ones, so that it
// need not make room again after each chunk.
func (t *orderIDs) noteAll(ids *rowHashes, before int) {
	if t.n+ids.n <= t.most && before+int(ids.after[ids.n-1]) <= rowMask {
		t.n += ids.n
		at := len(t.risen)
		if at > 0 && t.risen[at-1].n < len(t.risen[at-1].hashes) {
			at--
		}
		t.risen = slices.Insert(t.risen, at, &rowHashes{first: before, n: ids.n, hashes: ids.hashes, after: ids.after})
		return
	}
	for i, hash := range ids.hashes {
		t.note(hash, before+int(ids.after[i]))
	}
}

// rowHashes are the hashes of the ids of some rows, and how far each row is behind the first. The
// memory for the first rows is small: most payloads have few.
type rowHashes struct {
	first, n int
	hashes   []uint64
	after    []uint16
}

const firstRisen, moreRisen = 4, 4096 // rows

func newRowHashes(first, rows int) *rowHashes {
	return &rowHashes{first: first, hashes: make([]uint64, rows), after: make([]uint16, rows)}
}

// meet returns the earlier row with the id; 0 where there is none, and then remembers the
// row.
func (t *orderIDs) meet(id string, row int) (earlier int) {
	if t.list != nil {
		t.list.add(id, row)
		return 0
	}
	if t.most < 0 {
		t.cut = true
		return 0
	}
	if t.table == nil {
		if isAbove(id, t.last) {
			t.note(hashOf(id), row)
			t.last = id
			return 0
		}
		if t.n < min(firstRisen, t.most) && row <= rowMask {
			return t.meetFew(hashOf(id), row)
		}
		t.settle()
	}
	return t.look(hashOf(id), row)
}

// meetFew is meet without a table, which takes 100 kB: too much for a payload of few rows.
func (t *orderIDs) meetFew(hash uint64, row int) (earlier int) {
	for _, r := range t.risen {
		if k := slices.Index(r.hashes[:r.n], hash); k >= 0 {
			return r.first + int(r.after[k])
		}
	}
	t.note(hash, row)
	return 0
}

// isAbove is an order of texts: by length, then by bytes.
func isAbove(a, b string) bool {
	if len(a) != len(b) {
		return len(a) > len(b)
	}
	return a > b
}

// note remembers a row whose id is above all before it, by the hash of that.
func (t *orderIDs) note(hash uint64, row int) {
	if t.n++; t.n > t.most || row > rowMask {
		return // not for the table
	}
	var end *rowHashes
	rows := firstRisen
	if k := len(t.risen); k > 0 {
		end = t.risen[k-1]
		rows = min(16*len(end.hashes), moreRisen)
	}
	if end == nil || end.n == len(end.hashes) || row-end.first > math.MaxUint16 {
		end = newRowHashes(row, rows)
		t.risen = append(t.risen, end)
	}
	end.hashes[end.n], end.after[end.n] = hash, uint16(row-end.first)
	end.n++
}

// settle puts what was noted into the table, and frees it piece by piece.
func (t *orderIDs) settle() {
	t.table = new(idTable)
	noted := t.n
	t.n, t.last = 0, ""
	for i, r := range t.risen {
		t.risen[i] = nil
		for k, hash := range r.hashes[:r.n] {
			t.look(hash, r.first+int(r.after[k]))
		}
	}
	t.risen = nil
	t.cut = t.cut || t.n < noted
}

// look returns the earlier row with the hash from the table; 0 where there is none, and
// then puts the row there.
func (t *orderIDs) look(hash uint64, row int) (earlier int) {
	room := t.n < t.most && row <= rowMask
	earlier, entered := t.table.meet(hash, row, room, t.n>>partBits)
	switch {
	case earlier == row: // it was entered by meetAll
		return 0
	case earlier != 0:
	case entered:
		t.n++
	default:
		t.cut = true
	}
	return earlier
}

// An idTable holds hashes with their rows, 8 bytes an entry. The entries are in parts by
// the top bits of the hash, each a small table of its own that grows alone, so that no
// growth needs the memory of the whole twice. An entry holds the next 41 bits and 23
// bits of the row: 53 bits distinguish two values. A warning is false with a chance of
// about n²/2⁵⁴ for n rows.
type idTable struct {
	parts [1 << partBits][]uint64
	small []uint64 // memory for parts that begin
	made  int      // how many parts were made at once the last time
}

const (
	partBits = 12
	partSize = 16 // entries of a part that begins
	rowBits  = 23
	rowMask  = 1<<rowBits - 1
)

// meet returns the earlier row with the hash, or enters the row if there is room. The
// parts hold average entries each.
func (t *idTable) meet(hash uint64, row int, room bool, average int) (earlier int, entered bool) {
	part := &t.parts[hash>>(64-partBits)]
	tag := hash << partBits &^ rowMask
	for {
		slot, earlier, ok := find(*part, tag)
		switch {
		case earlier != 0 || !room:
			return earlier, false
		case ok:
			(*part)[slot] = tag | uint64(row)
			return 0, true
		case len(*part) >= 128 && len(*part) > 8*average:
			return 0, false // full, and the others are not: ids chosen to collide
		}
		if *part == nil {
			*part = t.begun()
		} else {
			*part = grown(*part)
		}
	}
}

// find looks for a tag in a part: the row of an equal one, else the slot for it. It is
// not ok when the part is full.
func find(part []uint64, tag uint64) (slot, earlier int, ok bool) {
	slot = int(tag >> 32 * uint64(len(part)) >> 32)
	for range part {
		switch e := part[slot]; {
		case e == 0:
			return slot, 0, true
		case e&^rowMask == tag:
			return slot, int(e & rowMask), true
		}
		if slot++; slot == len(part) {
			slot = 0
		}
	}
	return 0, 0, false
}

// begun is a part without entries. They are many, so they are made many at a time.
func (t *idTable) begun() []uint64 {
	if len(t.small) == 0 {
		t.made = min(max(4, 2*t.made), 64)
		t.small = make([]uint64, t.made*partSize)
	}
	part := t.small[:partSize:partSize]
	t.small = t.small[partSize:]
	return part
}

// grown is a larger part with the same entries: twice as large while that is little,
// then by a quarter.
func grown(part []uint64) []uint64 {
	size := 2 * len(part)
	if len(part) >= 64 {
		size = len(part) + len(part)/4
	}
	larger := make([]uint64, size)
	for _, e := range part {
		if e != 0 {
			slot, _, _ := find(larger, e&^rowMask)
			larger[slot] = e
		}
	}
	return larger
}
