package record

import (
	"encoding/binary"
	"hash/maphash"
)

// blockSize is how much memory texts take at once.
const blockSize = 1 << 20

// texts keeps texts by number, in blocks, with about ten bytes more than they have.
type texts struct {
	places []uint64 // of each text: block and offset
	blocks [][]byte
}

// add keeps the text that the parts make, and returns its number.
func (t *texts) add(parts ...[]byte) int {
	size := 0
	for _, part := range parts {
		size += len(part)
	}
	last := len(t.blocks) - 1
	if last < 0 || cap(t.blocks[last])-len(t.blocks[last]) < size+binary.MaxVarintLen64 {
		t.blocks = append(t.blocks, make([]byte, 0, max(blockSize, size+binary.MaxVarintLen64)))
		last++
	}
	b := t.blocks[last]
	t.places = append(t.places, uint64(last)<<32|uint64(len(b)))
	b = binary.AppendUvarint(b, uint64(size))
	for _, part := range parts {
		b = append(b, part...)
	}
	t.blocks[last] = b
	return len(t.places) - 1
}

// at returns a text, which is not to be changed.
func (t *texts) at(n int) []byte {
	place := t.places[n]
	text, _ := cutText(t.blocks[place>>32][place&(1<<32-1):])
	return text
}

// cutText splits off a text behind its length.
func cutText(b []byte) (text, rest []byte) {
	n, size := binary.Uvarint(b)
	end := size + int(n)
	return b[size:end:end], b[end:]
}

// names keeps a text for each name and finds it by the name. A map of strings would take four times
// as much memory.
type names struct {
	texts
	seed  maphash.Seed
	slots []uint32 // 1 + the number of the name, by hash; 0 is free
}

// find returns the number of a name.
func (s *names) find(name string) (n int, ok bool) {
	if len(s.slots) == 0 {
		return 0, false
	}
	for at := s.slot(name); ; at = (at + 1) & (len(s.slots) - 1) {
		n := s.slots[at]
		if n == 0 {
			return 0, false
		}
		if known, _ := cutText(s.at(int(n - 1))); string(known) == name {
			return int(n - 1), true
		}
	}
}

// add keeps a name that is not there yet, with its text, and returns its number.
func (s *names) add(name string, text []byte) int {
	if len(s.slots) == 0 {
		s.seed = maphash.MakeSeed()
	}
	if n := len(s.places); 4*(n+1) > 3*len(s.slots) {
		s.slots = make([]uint32, max(16, 2*len(s.slots)))
		for i := range n {
			s.enter(i)
		}
	}
	n := s.texts.add(binary.AppendUvarint(nil, uint64(len(name))), []byte(name), text)
	s.enter(n)
	return n
}

// enter puts a number into the first free slot of its name.
func (s *names) enter(n int) {
	name, _ := s.entry(n)
	at := s.slot(name)
	for s.slots[at] != 0 {
		at = (at + 1) & (len(s.slots) - 1)
	}
	s.slots[at] = uint32(n + 1)
}

// slot returns where the search for a name begins.
func (s *names) slot(name string) int {
	return int(maphash.String(s.seed, name) & uint64(len(s.slots)-1))
}

// entry returns a name and its text, which is not to be changed.
func (s *names) entry(n int) (name string, text []byte) {
	known, text := cutText(s.at(n))
	return string(known), text
}
