package rules

import (
	"encoding/binary"
	"math/bits"
)

// quickly reads the cells from i on as far as they are like the pattern, or quoted and
// well within the limits, and in the buffer with a few bytes after them: nearly all of
// them. It returns where the first other cell begins; -1 when the record is taken.
func (s *scanner) quickly(i int) int {
	end := s.start + min(s.end-s.start, s.maxRow, s.maxCell)
	w := s.buf[s.start:end:end]
	cells, n, whole := s.cells[:cap(s.cells)], len(s.cells), i == 0
	limit := min(s.maxColumns, len(cells)) // the slow way makes room for more
	runs, k := s.known.runs, s.run
	var odd uint64
	ended := false // the last value ended before i; otherwise one begins there
	for !ended {
		end = limit
		if k < len(runs) {
			end = min(runs[k].first, limit)
		}
		if n < end {
			var read int
			read, i, odd, ended = quotedFrom(w, i, cells[n:end], odd)
			if n += read; ended {
				break
			}
			if n < end {
				var c cell
				if c, odd, ended = doubledFrom(w, i, odd); c.to == 0 {
					break
				}
				cells[n] = c
				n++
				if i = c.end(); !ended {
					i++
				}
				continue
			}
		}
		if k >= len(runs) || runs[k].first > n {
			break
		}
		run := &runs[k]
		after := run.follows(w, i)
		if after == 0 {
			s.unplaced, k = k, noRun
			continue
		}
		run.at = i
		n, i, ended = run.end, after, run.last
		k++
	}
	if s.run = k; k < noRun {
		s.unplaced = k
	}
	s.cells, s.width = cells[:n], n
	if !ended {
		return i
	}
	ends := rowEnd(w, i)
	if ends == 0 {
		s.width--
		s.cells = cells[:s.width]
		return cells[s.width].start()
	}
	s.takeAs(whole && odd&byteTops == 0 || isPlain(w[:i]), i, ends)
	return -1
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

// between is what is between two quoted values, as the low bytes of a word.
const between, betweenBits = '"' | ';'<<8 | '"'<<16, 1<<24 - 1

// quotedFrom reads quoted values without doubled quotes from i on, until into is full or one does not
// end in w with a few bytes after it. It returns how many it read and where the next value begins,
// or, when the record has ended, where it did. To odd it adds that of their contents.
func quotedFrom(w []byte, i int, into []cell, odd uint64) (n, next int, _ uint64, ended bool) {
	w = w[:len(w):len(w)]
	if i < 0 || i >= len(w) || w[i] != '"' {
		return 0, i, odd, false
	}
	at := i + 1
	for n < len(into) {
		from := at
		var x, found uint64
		for {
			if at < 0 || at >= len(w)-8 {
				return n, from - 1, odd, false
			}
			x = binary.LittleEndian.Uint64(w[at : at+8])
			if found = quotesIn(x); found != 0 {
				break
			}
			odd |= oddBytes(x)
			at += 8
		}
		at += bits.TrailingZeros64(found) / 8
		if uint(at) >= uint(len(w)-4) {
			return n, from - 1, odd, false
		}
		after := binary.LittleEndian.Uint32(w[at : at+4])
		if after&betweenBits != between {
			if after>>8&0xFF == '"' {
				return n, from - 1, odd, false
			}
			into[n] = cell{int32(from), int32(at), formQuoted}
			if after>>8&0xFF == ';' {
				return n + 1, at + 2, odd | oddBytes(x), false
			}
			return n + 1, at + 1, odd | oddBefore(x, found), true
		}
		into[n] = cell{int32(from), int32(at), formQuoted}
		n++
		odd |= oddBytes(x) // what follows is of the record too, but for short cells before its end
		at += 3
	}
	return n, at - 1, odd, false
}

// doubledFrom reads the quoted value at i, in which some quotes may be doubled; the zero cell where it
// does not end in w with a few bytes after it. The record may end there.
func doubledFrom(w []byte, i int, odd uint64) (_ cell, _ uint64, ended bool) {
	if i >= len(w) || w[i] != '"' {
		return cell{}, odd, false
	}
	c := cell{from: int32(i + 1), form: formQuoted}
	for at := i + 1; at < len(w)-8; {
		x := binary.LittleEndian.Uint64(w[at:])
		found := quotesIn(x)
		if found == 0 {
			odd |= oddBytes(x)
			at += 8
			continue
		}
		at += bits.TrailingZeros64(found) / 8
		c.to = int32(at)
		switch w[at+1] {
		case '"':
			odd |= oddBytes(x)
			c.form = formDoubled
			at += 2
		case ';':
			return c, odd | oddBytes(x), false
		default:
			return c, odd | oddBefore(x, found), true
		}
	}
	return cell{}, odd, false
}

const (
	byteOnes = 0x0101010101010101
	byteTops = 0x8080808080808080
)

// oddBytes has the top bit of a byte set where that byte is no printable ASCII, and
// perhaps in bytes beside one: without bytes above 127 no sum carries, without bytes
// below space no difference borrows.
func oddBytes(x uint64) uint64 { return (x - ' '*byteOnes) | (x + byteOnes) }

// oddBefore is oddBytes of the bytes of x before the first quote, which quotesIn found.
func oddBefore(x, found uint64) uint64 {
	below := found&-found - 1 // all before the quote, and what of the quote is not its top bit
	return oddBytes(x&below | ' '*byteOnes&^below)
}

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
