package gen

import (
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/chargecast/chargecast/rules"
)

// dimensions are what the must-hit classes are pairs of, with their classes (G03).
var dimensions = [...]struct {
	name    string
	classes []string
}{
	{"unit", []string{"none", "day", "week", "month"}},
	{"interval", []string{"none", "1", "2", "12", "large", "other"}},
	{"anchor day", []string{"28 or less", "29", "30", "31", "29.02"}},
	{"month end", []string{"clamp", "skip", "next-first", "overflow"}},
	{"stop", []string{"none", "max", "finish", "both", "both on one day"}},
	{"amounts", []string{"fixed", "range", "sequence"}},
	{"start", []string{"before, as-of on grid", "before, as-of off grid", "as-of", "after", "absent"}},
	{"events", []string{"none", "stop", "update", "resume", "manual", "several on one day"}},
	{"outcomes", []string{"all approved", "first declined", "mixed"}},

	{"row", []string{"SRC", "DST"}},
	{"row's schedule", []string{"none", "day", "week", "month"}},
	{"row's stop", []string{"none", "max", "finish", "both"}},
	{"row's amounts", []string{"fixed", "range", "sequence"}},
	{"row's faults", []string{"none", "one", "several"}},
	{"characters", []string{"1 byte", "2 bytes", "3 bytes", "4 bytes"}},
	{"header", []string{"all columns", "some columns", "all in any order", "some in any order"}},
	{"line ends", []string{"LF", "CRLF", "mixed", "none at the end"}},
	{"values", []string{"always quoted", "quoted where they must be"}},
	{"lines", []string{"rows only", "blank lines", "byte-order mark"}},
}

// The dimensions by index.
const (
	dimUnit = iota
	dimInterval
	dimAnchor
	dimMonthEnd
	dimStop
	dimAmounts
	dimStart
	dimEvents
	dimOutcomes

	// From here on they are of the rows of payloads.
	dimRow
	dimRowSchedule
	dimRowStop
	dimRowAmounts
	dimRowFaults
	dimCharacters
	dimHeader
	dimLineEnds
	dimValues
	dimLines
	dimCount
)

// maxClasses is the largest number of classes of a dimension.
const maxClasses = 6

// A Classes value says for each dimension which of its classes a case belongs to, one bit
// a class.
type Classes [dimCount]uint8

// classified is a value of a case that belongs to classes.
type classified interface{ classes() Classes }

// classifiedRows is a value whose parts each belong to classes.
type classifiedRows interface{ rowClasses() []Classes }

// A Class is what a case may meet: a pair of classes, or where a case belongs to none how many bits one of its first
// choices takes. It is comparable.
type Class struct {
	dim, class, dim2, class2 uint8
	form                     bool // of the choice dim, which takes class bits
}

// A Mark is what a case says of itself in one word: its classes, or a Class of its choices.
type Mark struct {
	classes Classes
	form    Class
}

// mostForms is how many of its first choices a case without classes is told by.
const mostForms = 16

// MarksOf are the marks of a case; of each of its parts where they have classes of their own.
func MarksOf(v any, choices []uint64) (marks []Mark) {
	switch v := v.(type) {
	case classified:
		return []Mark{{classes: v.classes()}}
	case classifiedRows:
		for _, c := range v.rowClasses() {
			marks = append(marks, Mark{classes: c})
		}
		return marks
	}
	for i, x := range choices[:min(len(choices), mostForms)] {
		marks = append(marks, Mark{form: Class{uint8(i), uint8(bits.Len64(x)), 0, 0, true}})
	}
	return marks
}

// Classes are those that a case with the mark meets.
func (m Mark) Classes(yield func(Class) bool) {
	if m.form.form {
		yield(m.form)
		return
	}
	var met [dimCount * maxClasses]struct{ dim, class uint8 }
	n := 0
	for dim, set := range m.classes {
		for class := range maxClasses {
			if set>>class&1 == 1 {
				met[n].dim, met[n].class = uint8(dim), uint8(class)
				n++
			}
		}
	}
	for i, a := range met[:n] {
		for _, b := range met[i+1 : n] {
			if !yield(Class{a.dim, a.class, b.dim, b.class, false}) {
				return
			}
		}
	}
}

// Hits counts the cases that met each class.
type Hits map[Class]int

// Merge counts what others have counted.
func (h Hits) Merge(o Hits) {
	for c, n := range o {
		h[c] += n
	}
}

// Possible is how many pairs there are of the dimensions that any case had; 0 for cases without classes, which may have any number.
func (h Hits) Possible() int { return h.pairs() + len(h.Unmet()) }

// pairs is how many pairs were met.
func (h Hits) pairs() (n int) {
	for c := range h {
		if !c.form {
			n++
		}
	}
	return n
}

// possible reports whether a pair of classes can be met at all.
func possible(i, x, j, y int) bool {
	if i < dimRow && j >= dimRow {
		return false // of plans and of payloads
	}
	if i == dimRow && j == dimRowSchedule {
		return x == 0 || y == 0 // only SRC has one
	}
	if i == dimUnit && j == dimInterval {
		return (x == 0) == (y == 0) // both or neither (2.2.3)
	}
	if i == dimUnit && j == dimStart {
		return x != 0 || y != 0 // no grid to be on
	}
	if i == dimInterval && j == dimStart {
		return x != 0 || y != 0
	}
	if i == dimUnit && j == dimStop || i == dimInterval && j == dimStop {
		return x != 0 || y != 4 // no charge that could fall on finish-date
	}
	return true
}

// Missing are the pairs of classes that were not met, as text.
func (h Hits) Missing() []string { return h.missing(func(int, int) bool { return true }) }

// Unmet are those of them that are pairs of dimensions that any case had.
func (h Hits) Unmet() []string {
	had := map[[2]int]bool{}
	for c := range h {
		if !c.form {
			had[[2]int{int(c.dim), int(c.dim2)}] = true
		}
	}
	return h.missing(func(i, j int) bool { return had[[2]int{i, j}] })
}

func (h Hits) missing(of func(dim, dim2 int) bool) []string {
	var missing []string
	for i := range dimensions {
		for j := i + 1; j < len(dimensions); j++ {
			if !of(i, j) {
				continue
			}
			for x, a := range dimensions[i].classes {
				for y, b := range dimensions[j].classes {
					if possible(i, x, j, y) && h[Class{uint8(i), uint8(x), uint8(j), uint8(y), false}] == 0 {
						missing = append(missing, strings.Join([]string{dimensions[i].name, a, dimensions[j].name, b}, " · "))
					}
				}
			}
		}
	}
	return missing
}

// rowClasses are the classes of each row, without its faults, and of the way in which it
// is written.
func (c PayloadCase) rowClasses() []Classes {
	var file Classes
	file[dimHeader] = 1 << (bit(len(c.Columns) < len(documentNames)-1) + 2*bit(!slices.IsSorted(c.Columns)))
	file[dimLineEnds] = 1<<c.Ends | uint8(bit(c.Open))<<3
	file[dimValues] = 1 << bit(c.Bare)
	file[dimLines] = uint8(bit(!c.Blank && !c.Mark) | bit(c.Blank && len(c.Rows) > 1)<<1 | bit(c.Mark)<<2)
	var list []Classes
	for _, row := range c.Rows {
		list = append(list, row.classes(file))
	}
	return list
}

// classes are those of one row of a file.
func (l PayloadLine) classes(file Classes) Classes {
	c, cells := file, &l.Clean
	c[dimRow] = 1 << bit(cells[rules.ColumnCardType] == OnDST)
	c[dimRowSchedule] = 1 << slices.Index([]string{"", "day", "week", "month"}, cells[rules.ColumnPeriod])
	c[dimRowStop] = 1 << (bit(cells[rules.ColumnMaxRepeatsNumber] != "") + 2*bit(cells[rules.ColumnFinishDate] != ""))
	c[dimRowAmounts] = 1
	switch {
	case cells[rules.ColumnAmountFrom] != "":
		c[dimRowAmounts] = 1 << 1
	case cells[rules.ColumnAmountSequence] != "":
		c[dimRowAmounts] = 1 << 2
	}
	c[dimRowFaults] = 1 << min(len(l.Faults), 2)
	for _, r := range strings.Join(cells[:], "") {
		c[dimCharacters] |= 1 << (max(utf8.RuneLen(r), 1) - 1)
	}
	return c
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
