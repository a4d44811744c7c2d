package subject

// The stage oracle makes a signature stage by stage with plain loops. It shares no code
// with package signature.

// SlowEncode percent-encodes one byte after another.
func SlowEncode(text string) string {
	const digits = "0123456789ABCDEF"
	out := make([]byte, 0, 3*len(text))
	for i := range len(text) {
		switch c := text[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '.', c == '_', c == '~':
			out = append(out, c)
		default:
			out = append(out, '%', digits[c/16], digits[c%16])
		}
	}
	return string(out)
}
