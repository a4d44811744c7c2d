package fuzz

import "slices"

// Laws are the laws of payloads and their wire forms. A group is one file.
func PayloadLaws() []Law {
	return slices.Concat(
		maskLaws(),
		payloadLaws(),
		tableLaws(),
		payloadTextLaws(),
		payloadStreamLaws(),
		fixLaws(),
		payloadJudgeLaws(),
		wireLaws(),
	)
}
