package rules

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// The quick scan finds the same values as the slow one, whatever a value holds, is followed by, and
// wherever the text ends. A stream that gives one byte at a time is read by the slow scan, which sees
// no more than it needs.
func TestQuickScanFindsWhatTheSlowOneFinds(t *testing.T) { // L43
	fills := []string{"", `""`, `"";""`, `""""`, ";", "ä", "\n", "\r\n", "\x7f", " "}
	ends := []string{"", "\n", "\r\n", "\n\n", ";", ";\n", `;""`, ";1\n", ";1;2\r\n", `;"";"x"` + "\n", "x\n", `"`, "\r", "\rx", " ;\n"}
	for size := range 19 {
		for at := range size + 1 {
			for _, fill := range fills {
				value := `"` + strings.Repeat("a", at) + fill + strings.Repeat("b", size-at) + `"`
				for _, end := range ends {
					for _, text := range []string{value + end, `"1";` + value + end + value + ";" + value + "\n", value + ";" + value + end} {
						if quick, slow := scanned(text, len(text)), scanned(text, 1); quick != slow {
							t.Fatalf("%q\nquick %s\nslow  %s", text, quick, slow)
						}
					}
				}
			}
		}
	}
}

// scanned is all that the scanner says of the records of a text that comes in pieces of a size.
func scanned(text string, size int) string {
	s := newScanner(&pieces{[]byte(text), size}, Options{}.withDefaults())
	var b strings.Builder
	for s.next() {
		fmt.Fprintf(&b, "%q %v %v %v %+v %d %d %d;", s.raw, s.cells, s.width, s.plain, s.fault, s.at, s.row, s.left)
		if s.plain != isPlain(bytes.Clone(s.raw)) {
			b.WriteString("not plain;")
		}
	}
	return b.String()
}
