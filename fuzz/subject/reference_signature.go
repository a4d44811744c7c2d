package subject

import "strings"

// The stage oracle makes a signature stage by stage with plain loops. It shares no code
// with package signature.

// SlowEncode percent-encodes one byte after another.
func SlowEncode(text string) string {
	const plain, digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~", "0123456789ABCDEF"
	out := make([]byte, 0, 3*len(text))
	for i := range len(text) {
		if c := text[i]; strings.IndexByte(plain, c) >= 0 {
			out = append(out, c)
		} else {
			out = append(out, '%', digits[c/16], digits[c%16])
		}
	}
	return string(out)
}
