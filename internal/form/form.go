// Package form reads application/x-www-form-urlencoded texts, bodies and queries, byte-exactly:
// nothing is dropped, and what cannot be read is an error with its place.
//
// The grammar is that of clause 5.2.1: parameters separated by &, name and value by the first =,
// both percent-encoded, + for a space (L68). [Next] is the grammar, one character at a time, for
// who reads a stream; [Parse] reads a text in memory.
package form

import (
	"errors"
	"strconv"
	"strings"
)

// A Kind says what [Next] has read.
type Kind uint8

// The kinds.
const (
	Char      Kind = iota // a character of a name or value, as it is or as an escape
	Space                 // a bare +, which means a space
	End                   // & ends the parameter
	BadEscape             // a percent sign without two hexadecimal digits
	CutEscape             // the same, but w ends within the escape: more may follow
)

// Next returns the character that w begins with and how many bytes it takes. An = and a ; are
// characters like others. Only a Char and a Space have a character, and only these and an End have
// a size. w must not be empty.
func Next[T string | []byte](w T) (c byte, size int, kind Kind) {
	switch w[0] {
	case '&':
		return 0, 1, End
	case '+':
		return ' ', 1, Space
	case '%':
		return escape(w)
	}
	return w[0], 1, Char
}

func escape[T string | []byte](w T) (c byte, size int, kind Kind) {
	switch {
	case len(w) >= len("%XX") && isHex(w[1]) && isHex(w[2]):
		return unhex(w[1])<<4 | unhex(w[2]), len("%XX"), Char
	case len(w) == 1, len(w) == 2 && isHex(w[1]):
		return 0, 0, CutEscape
	}
	return 0, 0, BadEscape
}

func isHex(c byte) bool { return c-'0' < 10 || 'a' <= c|0x20 && c|0x20 <= 'f' }

func unhex(c byte) byte {
	if c-'0' < 10 {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}

// A Pair is one parameter, name and value decoded. Bytes need not be UTF-8.
type Pair struct {
	Name, Value string
	Offset      int // of the name in the text
	ValueOffset int // of the value; 0 where there is no =
	Spaces      int // how many spaces are written +
}

// MaxParameters is how many parameters of a body or a query are read (L56d), by all who read one.
const MaxParameters = 10_000

// What can be wrong with a form.
var (
	ErrEscape = errors.New("a percent sign is not followed by two hexadecimal digits")
	ErrLimit  = errors.New("there are more parameters than the limit")
)

// An Error is a fault of a form with its place. It shows nothing of the form.
type Error struct {
	Err    error // [ErrEscape] or [ErrLimit]
	Offset int   // of the percent sign, or of the first parameter too many
}

// Error returns the fault and the place.
func (e *Error) Error() string { return e.Err.Error() + " (at byte " + strconv.Itoa(e.Offset) + ")" }

// Unwrap returns the fault.
func (e *Error) Unwrap() error { return e.Err }

// Parse returns the parameters of a text in order, at most most of them; empty ones between two &
// are left out. What needs no decoding is a part of the text. The error is an [*Error], and then there are no parameters.
func Parse(text string, most int) ([]Pair, error) {
	var pairs []Pair
	for at := 0; at < len(text); at++ {
		segment, _, _ := strings.Cut(text[at:], "&")
		if segment == "" {
			continue
		}
		if len(pairs) == most {
			return nil, &Error{ErrLimit, at}
		}
		name, value, valued := strings.Cut(segment, "=")
		p := Pair{Offset: at, Spaces: strings.Count(segment, "+")}
		if valued {
			p.ValueOffset = at + len(name) + 1
		}
		bad := -1
		if p.Name, bad = Decode(name); bad >= 0 {
			return nil, &Error{ErrEscape, p.Offset + bad}
		}
		if p.Value, bad = Decode(value); bad >= 0 {
			return nil, &Error{ErrEscape, p.ValueOffset + bad}
		}
		pairs = append(pairs, p)
		at += len(segment)
	}
	return pairs, nil
}

// Decode returns a name or value decoded, and a negative number or the place of an escape that cannot be read.
// There is no & in it.
func Decode(text string) (string, int) {
	if !strings.ContainsAny(text, "%+") {
		return text, -1
	}
	var b strings.Builder
	b.Grow(max(0, len(text)-2*strings.Count(text, "%")))
	for at := 0; at < len(text); {
		c, size, kind := Next(text[at:])
		if kind != Char && kind != Space {
			return "", at
		}
		b.WriteByte(c)
		at += size
	}
	return b.String(), -1
}
