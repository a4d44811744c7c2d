package fuzz

import "slices"

// Laws are the laws of signatures. A group is one file.
func SigningLaws() []Law {
	return slices.Concat(
		signatureLaws(),
		signatureRestLaws(),
	)
}
