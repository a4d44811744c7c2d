package reconcile

import (
	"io"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"
)

// aLine is a line with its end.
var aLine = regexp.MustCompile(`[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$`)

// TestLastLines: a text without its last lines is what it says, for every short text however it
// arrives.
func TestLastLines(t *testing.T) {
	const length, letters = 5, "a\r\n"
	var walk func(string)
	walk = func(text string) {
		lines := aLine.FindAllString(text, -1)
		for n := 1; n <= 3; n++ {
			want := strings.Join(lines[:max(0, len(lines)-n)], "")
			for _, r := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text)), iotest.DataErrReader(strings.NewReader(text))} {
				got, err := io.ReadAll(&headText{src: r, skip: n})
				if string(got) != want || err != nil {
					t.Fatalf("%q without %d: %q, want %q, %v", text, n, got, want, err)
				}
			}
		}
		for i := 0; i < len(letters) && len(text) < length; i++ {
			walk(text + letters[i:i+1])
		}
	}
	walk("")
}
