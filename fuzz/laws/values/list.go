// Package values is the laws of dates and amounts: groups C and A.
package values

import (
	"slices"

	"github.com/chargecast/chargecast/fuzz/laws"
)

// Laws are the laws of dates and amounts. A group is one file.
func Laws() []laws.Law {
	return slices.Concat(
		calendarLaws(),
		gridLaws(),
		amountLaws(),
		drawLaws(),
		quantileLaws(),
	)
}
