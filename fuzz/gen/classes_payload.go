package gen

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/chargecast/chargecast/rules"
)

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
