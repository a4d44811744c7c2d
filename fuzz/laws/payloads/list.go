// Package payloads is the laws of payloads, their wire forms, repairs and responses: groups V, W, F
// and the masks of K.
package payloads

import (
	"slices"

	"github.com/chargecast/chargecast/fuzz/laws"
)

// Laws are the laws of payloads and their wire forms. A group is one file.
func Laws() []laws.Law {
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
