package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

func TestWrapped(t *testing.T) {
	for _, c := range []struct {
		reason  string
		columns int
		in      string
		want    string
	}{
		{"a file or a pipe keeps whole lines", 0, "one two three", "one two three"},
		{"what fits stays, spaces too", 13, "one  two  tre", "one  two  tre"},
		{"a break is at a space", 8, "one two three", "one two\n  three"},
		{"the indent stays and grows by two", 11, "  help: do this", "  help: do\n    this"},
		{"a long word stays whole", 5, "a longword b", "a\n  longword\n  b"},
		{"characters count, not bytes", 7, "éé éé éé", "éé éé\n  éé"},
		{"each line by itself", 7, "one\ntwo three", "one\ntwo\n  three"},
	} {
		if got := wrapped(c.in, c.columns); got != c.want {
			t.Errorf("%s: got %q, want %q", c.reason, got, c.want)
		}
	}
}

// TestHelpFitsTheTerminal: no line of a help is wider than the terminal, and each flag is still there.
func TestHelpFitsTheTerminal(t *testing.T) {
	for _, command := range []string{"", "forecast", "simulate", "validate", "payload fix", "sign"} {
		var out bytes.Buffer
		a := newApp(strings.NewReader(""), &out, new(bytes.Buffer))
		a.helpColumns = 60
		root := newRoot(a)
		root.SetArgs(append(strings.Fields(command), "--help"))
		if err := errors.Join(root.Execute(), a.out.flush()); err != nil || !strings.Contains(out.String(), "show this help") {
			t.Errorf("%s: %v, %s", command, err, out.String())
		}
		for line := range strings.Lines(out.String()) {
			if n := len([]rune(strings.TrimSpace(line))); n > 60 && strings.Count(strings.TrimSpace(line), " ") > 1 {
				t.Errorf("%s: %d columns: %s", command, n, line)
			}
		}
	}
}
