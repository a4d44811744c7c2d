package signature_test

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base64"
	"encoding/hex"
	"testing"
)

// macOf is HMAC-SHA1 by the standard library.
func macOf(key, text string) []byte {
	mac := hmac.New(sha1.New, []byte(key))
	mac.Write([]byte(text))
	return mac.Sum(nil)
}

func hexOf(raw []byte) string { return hex.EncodeToString(raw) }

func mustBase64(t *testing.T, text string) []byte {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}
