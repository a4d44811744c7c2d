package rules

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// quickly reads the cells from i on as far as they are like the pattern, or quoted and
// well within the limits, and in the buffer with the byte after them: nearly all of
// them. It returns where the first other cell begins; -1 when the record is taken.
func (s *scanner) quickly(i int) int {
	w := s.buf[s.start:s.end]
	if most := min(s.maxRow, s.maxCell); len(w) > most {
		w = w[:most]
	}
	cells, whole := s.cells, i == 0
	var odd uint64
	more := true // a value begins at i; otherwise the last one ended before i
	for more && len(cells) < s.maxColumns {
		next := s.maxColumns
		if s.run < len(s.known.runs) {
			next = s.known.runs[s.run].first
		}
		if next > len(cells) {
			cells, i, odd, more = quotedFrom(w, i, cells, next, odd)
			if more && len(cells) < next {
				break
			}
			continue
		}
		after, ok := s.known.follows(w, i, s.run)
		if !ok {
			s.run = noRun
			continue
		}
		cells = s.overRun(cells, i)
		if i, more = after, w[after] == ';'; more {
			i++
		}
	}
	s.cells, s.width = cells, len(cells)
	if more {
		return i
	}
	n := rowEnd(w, i)
	if n == 0 {
		s.width--
		s.cells = cells[:s.width]
		return cells[s.width].start()
	}
	s.takeAs(whole && odd&byteTops == 0 || isPlain(w[:i]), i, n)
	return -1
}

// overRun appends the cells of the next run of the pattern, which begins at byte i. What
// they are is left to place: nobody may ask.
func (s *scanner) overRun(cells []cell, i int) []cell {
	run := &s.known.runs[s.run]
	run.at = i
	s.run++
	s.unplaced = s.run
	return slices.Grow(cells, run.end-run.first)[:run.end]
}

// placed are the cells of the record, all of them.
func (s *scanner) placed() []cell {
	for k := range s.known.runs[:s.unplaced] {
		s.known.place(s.cells, k)
	}
	s.unplaced = 0
	return s.cells
}

// rowEnd is how many bytes the line end at i has; 0 where there is none.
func rowEnd(w []byte, i int) int {
	switch {
	case w[i] == '\n':
		return 1
	case w[i] == '\r' && i+1 < len(w) && w[i+1] == '\n':
		return 2
	}
	return 0
}

// quotedFrom appends the quoted cells from i on, until there are most of them or one does
// not end in w with a byte after it. It returns where the next value begins, or with more
// false that none does: i is behind the last one. To odd it adds that of their contents.
func quotedFrom(w []byte, i int, cells []cell, most int, odd uint64) (_ []cell, _ int, _ uint64, more bool) {
	for len(cells) < most && i < len(w) && w[i] == '"' {
		at, escaped := i+1, false
		var x, found uint64
		for {
			if len(w)-at <= 8 {
				return cells, i, odd, true
			}
			x = binary.LittleEndian.Uint64(w[at:])
			found = quotesIn(x)
			if found == 0 {
				odd |= oddBytes(x)
				at += 8
				continue
			}
			at += bits.TrailingZeros64(found) / 8
			if w[at+1] != '"' {
				break
			}
			odd |= oddBytes(x)
			escaped = true
			at += 2
		}
		cells = append(cells, cell{int32(i + 1), int32(at), true, escaped})
		i = at + 1
		if w[i] != ';' {
			below := found&-found - 1 // all before the quote, and what of the quote is not its top bit
			return cells, i, odd | oddBytes(x&below|' '*byteOnes&^below), false
		}
		odd |= oddBytes(x) // what follows is of the record too, but for short cells before its end
		i++
	}
	return cells, i, odd, true
}

const (
	byteOnes = 0x0101010101010101
	byteTops = 0x8080808080808080
)

// oddBytes has the top bit of a byte set where that byte is no printable ASCII, and
// perhaps in bytes beside one: without bytes above 127 no sum carries, without bytes
// below space no difference borrows.
func oddBytes(x uint64) uint64 { return x | (x - ' '*byteOnes) | (x + byteOnes) }

// quotesIn has the top bit of the first byte of x set that is a quote; what is above
// it means nothing.
func quotesIn(x uint64) uint64 {
	x ^= '"' * byteOnes
	return (x - byteOnes) &^ x & byteTops
}

// isPlain reports whether b is printable ASCII and nothing else, eight bytes at a time.
func isPlain(b []byte) bool {
	var odd uint64
	for ; len(b) >= 8; b = b[8:] {
		odd |= oddBytes(binary.LittleEndian.Uint64(b))
	}
	for _, c := range b {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return odd&byteTops == 0
}
