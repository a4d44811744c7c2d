package main

import "testing"

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
