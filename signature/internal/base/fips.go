package base

import (
	"crypto/fips140"
	"crypto/md5"
	"crypto/sha1"
)

// Under GODEBUG=fips140=only package crypto panics where SHA-1 or MD5 is used. A secret is refused then.
// What only explains a request protects nothing, and is computed all the same.

// SHA1 returns the SHA-1 of what is explained.
func SHA1(text []byte) (sum [sha1.Size]byte) {
	fips140.WithoutEnforcement(func() { sum = sha1.Sum(text) })
	return sum
}

// MD5 returns the MD5 of what is explained.
func MD5(text []byte) (sum [md5.Size]byte) {
	fips140.WithoutEnforcement(func() { sum = md5.Sum(text) })
	return sum
}
