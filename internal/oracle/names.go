package oracle

import (
	"math"
	"strings"
)

// Nearest is the name of a list that is nearest to a name, how far it is, and whether no other is as near.
func Nearest(name string, list []string) (nearest string, distance int, unique bool) {
	distance = math.MaxInt
	name = folded(name)
	for _, other := range list {
		switch d := editDistance(name, folded(other)); {
		case d < distance:
			nearest, distance, unique = other, d, true
		case d == distance:
			unique = false
		}
	}
	return nearest, distance, unique
}

// folded is a name without the differences that do not count: case, and which mark
// is between words.
func folded(name string) string { return foldMarks.Replace(strings.ToLower(name)) }

var foldMarks = strings.NewReplacer("_", "-", " ", "-")

// editDistance is the number of letters to insert, delete, replace or swap with their
// neighbour, by the whole table of its definition.
func editDistance(a, b string) int {
	var d [40][40]uint8
	for i := range len(a) + 1 {
		for j := range len(b) + 1 {
			if i == 0 || j == 0 {
				d[i][j] = uint8(i + j)
				continue
			}
			replaced := d[i-1][j-1]
			if a[i-1] != b[j-1] {
				replaced++
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, replaced)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return int(d[len(a)][len(b)])
}
