// Package fault is the shape of errors that the rooms of values share: which rule was broken, where,
// and what to do about it.
package fault

import (
	"strconv"
	"strings"
)

// A Fault is a rule that an input breaks: a constant error for errors.Is. Its text has the form
// "package: rule; remedy".
type Fault string

// Error returns the text.
func (f Fault) Error() string { return string(f) }

// An Error says which rule was broken, and where. It never contains what was refused: a card number
// in the wrong column must not reach a log. It unwraps to its Fault.
type Error struct {
	Fault Fault
	// Part names what is wrong where several values were given. It is empty where the whole is.
	Part string
	// Offset is the number of bytes before what is wrong in the text that was read. It is -1 where no
	// text was read or no place in it is to blame.
	Offset int
}

// Refuse returns the error of a part that has no place in a text.
func Refuse(f Fault, part string) *Error { return &Error{Fault: f, Part: part, Offset: -1} }

// Error returns one line: package, part, rule, place and remedy.
func (e *Error) Error() string {
	line, text, _ := strings.Cut(string(e.Fault), ": ")
	rule, remedy, _ := strings.Cut(text, "; ")
	if e.Part != "" {
		line += ": " + e.Part
	}
	line += ": " + rule
	if e.Offset >= 0 {
		line += " at byte " + strconv.Itoa(e.Offset)
	}
	return line + "; " + remedy
}

// Unwrap returns the Fault.
func (e *Error) Unwrap() error { return e.Fault }
