package report

import (
	"math/big"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/record"
)

// share returns how many of n steps a sum takes of the largest one, rounded; at least 1 if it is
// not zero. A largest sum of zero has none.
func share(s, largest amount.Sum, n int) int {
	switch {
	case s.IsZero() || largest.IsZero():
		return 0
	case s.Compare(largest) >= 0:
		return n
	}
	scale := max(s.Scale(), largest.Scale())
	part, whole := units(s, scale), units(largest, scale)
	part.Mul(part, big.NewInt(int64(2*n))).Add(part, whole)
	part.Quo(part, whole.Lsh(whole, 1))
	return max(1, int(part.Int64()))
}

// units returns a sum as a whole number of units of 10^-scale.
func units(s amount.Sum, scale int) *big.Int {
	digits := strings.Replace(s.String(), ".", "", 1) + strings.Repeat("0", scale-s.Scale())
	n, _ := new(big.Int).SetString(digits, 10)
	return n
}

// eighths are the parts of a full block.
var eighths = [...]string{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"}

const barColour = "\x1b[38;5;67m"

// bar appends a bar for a sum: solid to its lower bound, light from there to its upper one.
func (l *line) bar(s record.Sums, largest amount.Sum, width int) *line {
	low, high := share(s.Min, largest, 8*width), share(s.Max, largest, 8*width)
	solid := strings.Repeat("█", low/8) + eighths[low%8]
	light := ""
	if high > low {
		light = strings.Repeat("░", max(0, (high+7)/8-(low+7)/8))
	}
	return l.with(l.With(l.b, barColour, solid+light), solid+light)
}
