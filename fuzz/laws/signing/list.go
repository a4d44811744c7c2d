// Package signing is the laws of signatures: groups P, U, B, H, S and D, and the secrets of
// signing.
package signing

import (
	"slices"

	"github.com/chargecast/chargecast/fuzz/laws"
)

// Laws are the laws of signatures. A group is one file.
func Laws() []laws.Law {
	return slices.Concat(
		signatureLaws(),
		signatureRestLaws(),
	)
}
