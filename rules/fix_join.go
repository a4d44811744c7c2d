package rules

import (
	"strings"
	"unicode/utf8"
)

// closers are the typographic quotes that may end what a quote begins.
var closers = map[rune]string{'“': "”", '”': "”", '„': "“”", '«': "»", '»': "«", '‘': "’", '‚': "‘’"}

// joined returns the values of the current record, in an encoding, with those put together that a
// separator inside typographic quotes divides; nil if there are none.
func (x *fixing) joined(code textCode) (list []cell) {
	if isASCII(x.sc.raw) {
		return nil
	}
	before := x.code
	x.code = code
	defer func() { x.code = before }()
	found := false
	for f := 0; f < len(x.sc.cells); f++ {
		c := x.sc.cells[f]
		if last := x.closing(f); last > f {
			c.to, f, found = x.sc.cells[last].to, last, true
		}
		list = append(list, c)
	}
	if !found {
		return nil
	}
	return list
}

// closing returns the value that ends the typographic quotes which value f begins; f itself if it
// begins none, or ends them, or if it is not certain where they end.
func (x *fixing) closing(f int) int {
	s := x.trimmed(f)
	first, _ := utf8.DecodeRuneInString(s)
	ends := closers[first]
	if x.sc.cells[f].quoted() || ends == "" || inMarks(s) {
		return f
	}
	for g := f + 1; g < len(x.sc.cells) && !x.sc.cells[g].quoted(); g++ {
		t := x.trimmed(g)
		last, _ := utf8.DecodeLastRuneInString(t)
		if !strings.ContainsRune(ends, last) {
			// Where other quotes begin it is not certain; and no value is looked at again and again.
			if begun, _ := utf8.DecodeRuneInString(t); closers[begun] != "" {
				return f
			}
			continue
		}
		if _, whole := unmarked(x.together(f, g)); whole {
			return g
		}
		return f
	}
	return f
}

// together is the text from value f to value g of the current record.
func (x *fixing) together(f, g int) string {
	list := make([]string, 0, g-f+1)
	for ; f <= g; f++ {
		list = append(list, x.trimmed(f))
	}
	return strings.Join(list, ";")
}

// trimmed is value f of the current record without the spaces around it.
func (x *fixing) trimmed(f int) string {
	s, _ := x.content(f)
	return strings.TrimFunc(s, isSpace)
}

// join puts values together that a separator inside typographic quotes divides, if the current record
// has as many values as the header then, and not otherwise.
func (x *fixing) join(code textCode) bool {
	list := x.joined(code)
	if len(list) != len(x.fields) {
		return false
	}
	x.sc.cells, x.sc.width = list, len(list)
	x.marks = true
	return true
}
