package signature

import (
	"crypto/hmac"
	"crypto/sha1"
	"strings"
	"testing"
)

// TestMACAgainstStandardLibrary: keys around one block, the longest that is used as it is, and texts
// around two blocks; a key serves any number of texts.
func TestMACAgainstStandardLibrary(t *testing.T) {
	letters := []byte(strings.Repeat("key and text \x00\xff", 20))
	for size := range 3 * sha1.BlockSize {
		key := newMACKey(letters[:size])
		for length := range 2*sha1.BlockSize + 2 {
			text := letters[:length]
			mac := hmac.New(sha1.New, letters[:size])
			mac.Write(text)
			if sum := key.sum(text); !hmac.Equal(sum[:], mac.Sum(nil)) {
				t.Fatalf("a key of %d bytes, a text of %d: %x", size, length, sum)
			}
		}
	}
}
