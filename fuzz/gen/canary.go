package gen

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"slices"
)

// A Canary is a text that must not show, in front of and behind other text.
type Canary struct{ Before, Secret, After string }

// Canaries draws card numbers of the ranges kept for tests and other secrets, inside
// texts that a reader might accept otherwise.
func Canaries(r Chooser) Canary {
	c := Canary{Secret: Pick(r, "4111111111111111", "5500005555555559", "340000000000009", "987-65-4320", "S3cretControlKey", "-----BEGIN RSA PRIVATE KEY-----")}
	c.Before = Pick(r, "", "", "1.00,", "31.01.", "2026-01-", "{\"profile\":\"", "{\"repeat\":", "{\"date\":\"", "{\"do\":\"", "month-end=", "1.", "{\"")
	c.After = Pick(r, "", "", "\"}", "}", ".50", ",", "\":1}", "=clamp", "\x00")
	return c
}

// FormsOf are the ways in which a secret could show: raw, reversed, in hex, percent-encoded
// and in base64 at three alignments.
func FormsOf(secret string) []string {
	reversed := []byte(secret)
	slices.Reverse(reversed)
	forms := []string{secret, string(reversed), hex.EncodeToString([]byte(secret)), url.QueryEscape(secret)}
	for shift := range 3 {
		text := base64.StdEncoding.EncodeToString(append(make([]byte, shift), secret...))
		forms = append(forms, text[4*((shift+2)/3):len(text)-4])
	}
	return forms
}
