package main

import (
	"strings"
	"testing"

	"github.com/chargecast/chargecast/internal/termtext"
)

// TestCommandCanBePasted: an example that is wider than the terminal is broken as a shell allows: with the line
// breaks taken out it has the same words, none of a quoted text is divided, and every line fits.
func TestCommandCanBePasted(t *testing.T) {
	for _, command := range []string{
		"  chargecast version",
		`  chargecast verify --url "$URL" --payload profiles.csv --authorization "$HEADER" --secret-file control-key.txt -o json`,
		"  chargecast forecast --next 1 --profile 'a  long pattern with * and spaces' --profile \"it's another one, with many words\" payload.csv",
		"    --payload profiles.csv --consumer-key merchant-login --key key.pem --nonce 0123456789 --timestamp 1767225600 --realm x",
	} {
		for columns := 60; columns < 140; columns++ {
			text := string(appendCommand(nil, command, columns))
			for line := range strings.Lines(text) {
				if termtext.Cells(strings.TrimSuffix(line, "\n")) > columns {
					t.Errorf("%d columns: %q", columns, line)
				}
			}
			if joined := strings.ReplaceAll(text, " \\\n    ", " "); joined != command+"\n" {
				t.Errorf("%d columns: %q", columns, text)
			}
		}
	}
	if text := string(appendCommand(nil, "  chargecast sign --url https://gate.example.com/", 36)); text != "  chargecast sign \\\n    --url https://gate.example.com/\n" {
		t.Errorf("a flag apart from its value: %q", text)
	}
}
