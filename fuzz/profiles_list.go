package fuzz

import "slices"

// Laws are the laws of profiles and what becomes of them. A group is one file.
func ProfileLaws() []Law {
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
