package fuzz

import "slices"

// Laws are the laws of dates and amounts. A group is one file.
func ValueLaws() []Law {
	return slices.Concat(
		calendarLaws(),
		gridLaws(),
		amountLaws(),
		drawLaws(),
		quantileLaws(),
	)
}
