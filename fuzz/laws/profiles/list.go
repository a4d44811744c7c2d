// Package profiles is the laws of profiles, their forecasts, events and books: groups R, T, Y, E, O
// and X, and the secrets of what is read.
package profiles

import (
	"slices"

	"github.com/chargecast/chargecast/fuzz/laws"
)

// Laws are the laws of profiles and what becomes of them. A group is one file.
func Laws() []laws.Law {
	return slices.Concat(
		planLaws(),
		repeatLaws(),
		stopLaws(),
		windowLaws(),
		policyLaws(),
		eventLaws(),
		stateLaws(),
		advanceLaws(),
		explainLaws(),
		secretLaws(),
		compareLaws(),
		portfolioLaws(),
	)
}
