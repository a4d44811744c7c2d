package signature

import (
	"crypto/fips140"
	"crypto/md5"
	"crypto/sha1"
)

// Under GODEBUG=fips140=only package crypto panics where SHA-1 or MD5 is used. A [Secret] is refused then.
// What only explains a request protects nothing, and is computed all the same.

// sha1Of returns the SHA-1 of what is explained.
func sha1Of(text []byte) (sum [sha1.Size]byte) {
	fips140.WithoutEnforcement(func() { sum = sha1.Sum(text) })
	return sum
}

// md5Of returns the MD5 of what is explained.
func md5Of(text []byte) (sum [md5.Size]byte) {
	fips140.WithoutEnforcement(func() { sum = md5.Sum(text) })
	return sum
}
