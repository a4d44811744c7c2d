// Package form reads application/x-www-form-urlencoded texts, bodies and queries, byte-exactly:
// nothing is dropped, and what cannot be read is an error with its place.
//
// The grammar is that of clause 5.2.1: parameters separated by &, name and value by the first =,
// both percent-encoded, + for a space (L68). [Next] reads one character of a stream; [Parse] reads a text in memory.
package form

import (
	"errors"
	"strconv"
	"strings"
)

// A Kind is what [Next] has read.
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

// isHex reports whether c is a hexadecimal digit.
func isHex(c byte) bool { return c-'0' < 10 || 'a' <= c|0x20 && c|0x20 <= 'f' }

func unhex(c byte) byte {
	if c-'0' < 10 {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}

// A Pair is one parameter, name and value. Bytes need not be UTF-8.
type Pair struct{ Name, Value string }

// MaxParameters is the limit on the parameters of a body or a query (L56d).
const MaxParameters = 10_000

// What can be wrong with a form.
var (
	ErrEscape = errors.New("a percent sign is not followed by two hexadecimal digits")
	ErrLimit  = errors.New("there are more parameters than the limit")
)

// An Error is a fault of a form with its place. Its text has nothing of the form.
type Error struct {
	Err    error // [ErrEscape] or [ErrLimit]
	Offset int   // of the percent sign, or of the first parameter too many
}

// Error returns the fault and the place.
func (e *Error) Error() string { return e.Err.Error() + " (at byte " + strconv.Itoa(e.Offset) + ")" }

// Unwrap returns the fault.
func (e *Error) Unwrap() error { return e.Err }

// Parse returns the parameters of a text in order, decoded, at most most of them; empty ones between two &
// are left out. What needs no decoding shares the memory of text. The error is an [*Error], and then there are no parameters.
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
		p := cut(segment)
		value := at + len(p.Name) + 1
		bad := -1
		if p.Name, bad = Decode(p.Name, true); bad >= 0 {
			return nil, &Error{ErrEscape, at + bad}
		}
		if p.Value, bad = Decode(p.Value, true); bad >= 0 {
			return nil, &Error{ErrEscape, value + bad}
		}
		pairs = append(pairs, p)
		at += len(segment)
	}
	return pairs, nil
}

func cut(segment string) Pair {
	name, value, _ := strings.Cut(segment, "=")
	return Pair{name, value}
}

// Split returns the parameters of a text as they were sent: nothing is decoded.
func Split(text string) []Pair {
	var pairs []Pair
	for segment := range strings.SplitSeq(text, "&") {
		if segment != "" {
			pairs = append(pairs, cut(segment))
		}
	}
	return pairs
}

// Decode decodes percent escapes once, and plus signs as spaces if plus is set. It returns the text
// itself if there is nothing to decode, and the offset of the first percent sign that is not followed by two
// hexadecimal digits; -1 if all are.
func Decode(text string, plus bool) (string, int) {
	percent, space := index(text, 0, '%'), len(text) // the next of each
	if plus {
		space = index(text, 0, '+')
	}
	if min(percent, space) == len(text) {
		return text, -1
	}
	var out strings.Builder
	out.Grow(len(text))
	plain := 0 // where a run of unescaped characters begins
	for {
		i := min(percent, space)
		out.WriteString(text[plain:i])
		switch {
		case i == len(text):
			return out.String(), -1
		case i == space:
			out.WriteByte(' ')
			plain = i + 1
			space = index(text, plain, '+')
		default:
			c, size, kind := escape(text[i:])
			if kind != Char {
				return "", i
			}
			out.WriteByte(c)
			plain = i + size
			percent = index(text, plain, '%')
		}
	}
}

// index returns the index of the first c in text at or after from, or the length of text.
func index(text string, from int, c byte) int {
	if i := strings.IndexByte(text[from:], c); i >= 0 {
		return from + i
	}
	return len(text)
}
