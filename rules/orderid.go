package rules

import (
	"encoding/binary"
	"math/bits"
	"strconv"
)

// judgeOrderID warns of a client-orderid that an earlier row had (L47).
func (r *Reader) judgeOrderID() {
	r.rec.OrderID = r.now(OrderID)
	if earlier := r.ids.meet(hashOf(r.rec.OrderID), r.row); earlier != 0 {
		if p := r.on(OrderIDDuplicate, OrderID); p != nil {
			p.say("client-orderid stood in row " + strconv.Itoa(earlier) + " already")
		}
	}
}

// hashOf mixes the bytes of s into 64 bits, eight bytes at a time.
func hashOf(s string) uint64 {
	const k1, k2 = 0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9
	h := uint64(len(s)) * k1
	for ; len(s) > 8; s = s[8:] {
		h = folded(h^word(s[:8]), k2) + k1
	}
	var last [8]byte
	copy(last[:], s)
	h = folded(h^binary.LittleEndian.Uint64(last[:]), k2) + k1
	return folded(h, k1) ^ h
}

// word is the first eight bytes of s as a number.
func word(s string) uint64 {
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// folded is both halves of a product in one.
func folded(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return high ^ low
}

// orderIDs remembers the hash and row of every client-orderid, 8 bytes an entry. The
// entries are in parts by the top bits of the hash, each a small table of its own that
// grows alone, so that no growth needs the memory of the whole twice. An entry holds the
// next 41 bits and 23 bits of the row: 53 bits tell two values apart. That a warning is
// false has a chance of about n²/2⁵⁴ for n rows.
type orderIDs struct {
	most  int  // how many entries it may hold; negative: none
	n     int  // how many it holds
	cut   bool // it met more than it may hold
	parts [][]uint64
	small []uint64 // memory for parts that begin
}

const (
	partBits = 12
	partSize = 16 // entries of a part that begins
	rowBits  = 23
	rowMask  = 1<<rowBits - 1
)

// meet gives the earlier row with the hash; 0 where there is none, and then remembers
// the row.
func (t *orderIDs) meet(hash uint64, row int) (earlier int) {
	if t.parts == nil {
		if t.most < 0 {
			t.cut = true
			return 0
		}
		t.parts = make([][]uint64, 1<<partBits)
	}
	part := &t.parts[hash>>(64-partBits)]
	tag := hash << partBits &^ rowMask
	for {
		slot, earlier, ok := find(*part, tag)
		switch {
		case earlier != 0:
			return earlier
		case t.n >= t.most || row > rowMask:
			t.cut = true
			return 0
		case ok:
			(*part)[slot] = tag | uint64(row)
			t.n++
			return 0
		case len(*part) >= 128 && len(*part) > 8*(t.n>>partBits):
			// This part is full and the others are not: ids chosen to collide.
			t.cut = true
			return 0
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
func (t *orderIDs) begun() []uint64 {
	if len(t.small) == 0 {
		t.small = make([]uint64, 64*partSize)
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
