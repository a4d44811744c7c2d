package rules

import (
	"encoding/binary"
	"math/bits"
)

// quickly reads the cells from i on while they agree with the pattern, or are quoted, well within
// the limits, and in the buffer with a few bytes after them: nearly all cells. It returns where the
// first other cell begins; -1 when the record is taken.
func (s *scanner) quickly(i int) int {
	last := s.start + min(s.end-s.start, s.maxRow, s.maxCell)
	w := s.buf[s.start:last:last]
	cells, n, whole := s.cells[:cap(s.cells)], len(s.cells), i == 0
	limit := min(s.maxColumns, len(cells)) // the slow way makes room for more
	runs, k := s.known.runs, s.run
	var odd uint64
	ended := false // the last value ended before i; otherwise one begins there
	for !ended {
		end := limit // the values up to there are in no run
		if k < len(runs) {
			end = min(runs[k].first, limit)
		}
		if n < end {
			var read int
			read, i, odd = quotedFrom(w, i, cells[n:end], odd)
			n += read
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

// placed returns all cells of the record, those of the runs put in their places.
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

// between is the text between two quoted values, as the low bytes of a word.
const between, betweenBits = '"' | ';'<<8 | '"'<<16, 1<<24 - 1

// quotedFrom reads quoted values without doubled quotes from i on, until into is full or one is not
// followed by another quoted value, in w and with a few bytes after it. It returns how many it read and
// where the next value begins, and adds the odd bytes of the values to odd.
func quotedFrom(w []byte, i int, into []cell, odd uint64) (n, next int, _ uint64) {
	w = w[:len(w):len(w)]
	if i < 0 || i >= len(w) || w[i] != '"' {
		return 0, i, odd
	}
	at := i + 1
	for n < len(into) {
		from := at
		var x, found uint64
		for {
			if at < 0 || at >= len(w)-8 {
				return n, from - 1, odd
			}
			x = binary.LittleEndian.Uint64(w[at : at+8])
			if found = quotesIn(x); found != 0 {
				break
			}
			odd |= oddBytes(x)
			at += 8
		}
		at += bits.TrailingZeros64(found) / 8
		if at < 0 || at >= len(w)-4 || binary.LittleEndian.Uint32(w[at:at+4])&betweenBits != between {
			return n, from - 1, odd
		}
		into[n] = cell{int32(from), int32(at), formQuoted}
		n++
		odd |= oddBytes(x) // what follows is of the record too, but for short cells before its end
		at += 3
	}
	return n, at - 1, odd
}

// doubledFrom reads the quoted value at i, which may have doubled quotes. It returns the zero cell if
// the value does not end in w with a few bytes after it; ended reports whether the record ends there.
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

// oddBytes returns a word with a top bit set if a byte of x is not printable ASCII. The lowest such byte
// shows: no byte before it makes the sum carry or the difference borrow.
func oddBytes(x uint64) uint64 { return (x - ' '*byteOnes) | (x + byteOnes) }

// oddBefore is oddBytes for the bytes of x before its first quote; found is what quotesIn returned.
func oddBefore(x, found uint64) uint64 {
	below := found&-found - 1 // all before the quote, and what of the quote is not its top bit
	return oddBytes(x&below | ' '*byteOnes&^below)
}

// quotesIn returns a word whose lowest bit set is the top bit of the first quote in x; 0 if there is
// none. The bits above it mean nothing.
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
