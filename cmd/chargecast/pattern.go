package main

import (
	"strings"
	"unicode/utf8"
)

// A pattern selects client-orderids: the one that equals its text, and where the text has *, ? or [,
// also those that it matches as the shell matches names, a slash being a character like any other.
type pattern struct {
	text  string
	terms []patternTerm // nil for a text without *, ? and [
}

// A patternTerm matches one character, or any number of them.
type patternTerm struct {
	star   bool
	negate bool
	ranges [][2]rune // one of these matches
}

var anyRune = [][2]rune{{0, utf8.MaxRune}}

// newPattern reads a pattern as path.Match does. What is not well formed is only the id that it
// equals. A backslash takes the next character as it is.
func newPattern(text string) pattern {
	p := pattern{text: text}
	if !strings.ContainsAny(text, "*?[") {
		return p
	}
	var terms []patternTerm
	for rest := text; rest != ""; {
		var t patternTerm
		ok := true
		switch rest[0] {
		case '*':
			t.star, rest = true, rest[1:]
		case '?':
			t.ranges, rest = anyRune, rest[1:]
		case '[':
			t, rest, ok = class(rest[1:])
		default:
			var c rune
			c, rest, ok = literal(rest)
			t.ranges = [][2]rune{{c, c}}
		}
		if !ok {
			return p
		}
		terms = append(terms, t)
	}
	p.terms = terms
	return p
}

// literal takes one character off, which a backslash makes a character like any other.
func literal(s string) (c rune, rest string, ok bool) {
	if s != "" && s[0] == '\\' {
		s = s[1:]
	}
	c, n := utf8.DecodeRuneInString(s)
	return c, s[n:], n > 0
}

// class reads what comes between [ and ], which must be something.
func class(s string) (t patternTerm, rest string, ok bool) {
	if s != "" && s[0] == '^' {
		t.negate, s = true, s[1:]
	}
	for {
		switch {
		case s == "":
			return t, s, false
		case s[0] == ']':
			return t, s[1:], len(t.ranges) > 0
		case s[0] == '-':
			return t, s, false
		}
		var r [2]rune
		if r[0], s, ok = literal(s); !ok {
			return t, s, false
		}
		r[1] = r[0]
		if s != "" && s[0] == '-' {
			if s = s[1:]; s == "" || s[0] == ']' || s[0] == '-' {
				return t, s, false
			}
			if r[1], s, ok = literal(s); !ok {
				return t, s, false
			}
		}
		t.ranges = append(t.ranges, r)
	}
}

func (t *patternTerm) takes(c rune) bool {
	for _, r := range t.ranges {
		if r[0] <= c && c <= r[1] {
			return !t.negate
		}
	}
	return t.negate
}

// isGlob reports whether the pattern may match another id than its text.
func (p *pattern) isGlob() bool { return p.terms != nil }

// matches reports whether the pattern selects an id. Its work is at most the product of both lengths:
// of several stars only the last that was met is tried again.
func (p *pattern) matches(id string) bool {
	if id == p.text {
		return true
	}
	if !p.isGlob() {
		return false
	}
	n, star, rest := 0, -1, ""
	for id != "" {
		c, size := utf8.DecodeRuneInString(id)
		switch {
		case n < len(p.terms) && p.terms[n].star:
			star, rest = n, id
			n++
		case n < len(p.terms) && p.terms[n].takes(c):
			id = id[size:]
			n++
		case star >= 0: // the star takes one more
			_, size := utf8.DecodeRuneInString(rest)
			rest = rest[size:]
			id, n = rest, star+1
		default:
			return false
		}
	}
	for n < len(p.terms) && p.terms[n].star {
		n++
	}
	return n == len(p.terms)
}
