// Package testkeys has the key files of the tests: the RSA key that tests, laws and vectors sign
// with, and a longer one. None of them is in use anywhere.
package testkeys

import "embed"

// PKCS1 and PKCS8 are one RSA private key of 2048 bits in its two forms, as PEM.
var (
	//go:embed pkcs1.pem
	PKCS1 string
	//go:embed pkcs8.pem
	PKCS8 string
)

// Long is another RSA private key, of 4096 bits as in the document (5.4), as PKCS#1 in PEM.
//
//go:embed pkcs1-4096.pem
var Long string

// Public is the public half of the first key, as PEM.
//
//go:embed spki.pem
var Public string

//go:embed *.pem *.der *.p12 *.pub
var files embed.FS

// File is a key file by its name. A name that no file has is an error.
func File(name string) ([]byte, error) { return files.ReadFile(name) }
