package main

import (
	"math/rand/v2"
	"path"
	"strings"
	"testing"
)

// TestPatternsArePathPatterns compares random patterns and ids, without slashes, with path.Match.
func TestPatternsArePathPatterns(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	text := func(alphabet []string, most int) string {
		var b strings.Builder
		for range rng.IntN(most) {
			b.WriteString(alphabet[rng.IntN(len(alphabet))])
		}
		return b.String()
	}
	hits, bad := 0, 0
	for range 60_000 {
		of := text([]string{"a", "b", "é", "*", "*", "?", "[", "]", "[a-b]", "[^a]", "^", "-", `\`}, 8)
		id := text([]string{"a", "b", "c", "é", "-", "*", "]"}, 6)
		want, err := path.Match(of, id)
		p := newPattern(of)
		if err != nil {
			bad++
			want = false
		}
		want = want && p.isGlob() || id == of
		if want {
			hits++
		}
		// path.Match reports a fault only where it gets to it.
		if got := p.matches(id); got != want && !(err == nil && !p.isGlob()) {
			t.Fatalf("pattern %q, id %q: got %t, want %t (%v)", of, id, got, want, err)
		}
	}
	if hits < 2000 || bad < 2000 {
		t.Errorf("only %d hits and %d faults", hits, bad)
	}
}

// TestPatternsInIds holds what path.Match does not say.
func TestPatternsInIds(t *testing.T) {
	for _, c := range []struct {
		pattern, id string
		want        bool
		reason      string
	}{
		{"a/*", "a/b/c", true, "a slash is a character like any other"},
		{"a?c", "a/c", true, "also for ?"},
		{"a*b", "a*b", true, "the id that equals the text"},
		{"a[1", "a[1", true, "an id with a bracket that nothing closes"},
		{"a[1", "a1", false, "not a valid pattern"},
		{`a\*b`, "a*b", true, "a star is escaped"},
		{`a\*b`, "axb", false, "and then matches itself alone"},
		{`a\b`, `a\b`, true, "without *, ? or [ there is no escape"},
		{`a\b`, "ab", false, "so that an id with a backslash is only itself"},
		{"*", "", true, "a star takes nothing, too"},
		{"", "a", false, "an empty text is not a pattern"},
		{strings.Repeat("a*", 2000) + "b", strings.Repeat("a", 20_000), false, "many stars do not multiply the work"},
	} {
		p := newPattern(c.pattern)
		if got := p.matches(c.id); got != c.want {
			t.Errorf("%s: %.20q and %.20q: got %t", c.reason, c.pattern, c.id, got)
		}
	}
}
