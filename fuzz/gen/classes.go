package gen

import "strings"

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

// Hits counts the pairs of classes that were met.
type Hits [dimCount][maxClasses][dimCount][maxClasses]int

// ClassesOf are the classes of a case, or of each of its parts.
func ClassesOf(v any) []Classes {
	switch v := v.(type) {
	case classified:
		return []Classes{v.classes()}
	case classifiedRows:
		return v.rowClasses()
	}
	return nil
}

// Add counts the pairs of a case, or of each of its parts.
func (h *Hits) Add(list []Classes) {
	for _, c := range list {
		h.addClasses(c)
	}
}

func (h *Hits) addClasses(c Classes) {
	var met [dimCount * maxClasses]struct{ dim, class int }
	n := 0
	for dim, set := range c {
		for class := range maxClasses {
			if set>>class&1 == 1 {
				met[n].dim, met[n].class = dim, class
				n++
			}
		}
	}
	for i, a := range met[:n] {
		for _, b := range met[i+1 : n] {
			h[a.dim][a.class][b.dim][b.class]++
		}
	}
}

// Merge counts what others have counted.
func (h *Hits) Merge(o *Hits) {
	for i := range h {
		for x := range h[i] {
			for j := range h[i][x] {
				for y := range h[i][x][j] {
					h[i][x][j][y] += o[i][x][j][y]
				}
			}
		}
	}
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
func (h *Hits) Missing() []string {
	var missing []string
	for i := range dimensions {
		for j := i + 1; j < len(dimensions); j++ {
			for x, a := range dimensions[i].classes {
				for y, b := range dimensions[j].classes {
					if possible(i, x, j, y) && h[i][x][j][y] == 0 {
						missing = append(missing, strings.Join([]string{dimensions[i].name, a, dimensions[j].name, b}, " · "))
					}
				}
			}
		}
	}
	return missing
}
