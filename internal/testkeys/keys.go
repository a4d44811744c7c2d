// Package testkeys has the key files of the tests: the one RSA key that tests, laws and vectors
// sign with, and the files that a loader has to refuse. None of them is in use anywhere.
package testkeys

import _ "embed" // the files

// PKCS1 and PKCS8 are one RSA private key of 2048 bits in its two forms, as PEM.
var (
	//go:embed pkcs1.pem
	PKCS1 string
	//go:embed pkcs8.pem
	PKCS8 string
)

// Public is the public half of that key, as PEM.
//
//go:embed spki.pem
var Public string
