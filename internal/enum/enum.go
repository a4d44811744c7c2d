// Package enum converts small numbers to words and back, for String, MarshalText and UnmarshalText of a type. No value
// makes it panic.
package enum

import (
	"errors"
	"slices"
	"strconv"
	"strings"
)

// ErrUnnamed is returned for a number without a word and for a word without a number.
var ErrUnnamed = errors.New("unknown value: use the named constants")

// An Unknown is the error of a word without a number. It does not show the word.
type Unknown struct{ Possible []string } // the words that there are, without an empty one

// Error lists the words.
func (e *Unknown) Error() string { return "unknown value: use " + strings.Join(e.Possible, ", ") }

// Unwrap returns [ErrUnnamed].
func (e *Unknown) Unwrap() error { return ErrUnnamed }

// Words are the words of a type, by number.
type Words struct {
	Type  string // the name of the type, for numbers without a word
	Words []string
}

// String returns the word of n, or a text such as "Status(7)".
func (w *Words) String(n uint8) string {
	if int(n) < len(w.Words) {
		return w.Words[n]
	}
	return w.Type + "(" + strconv.Itoa(int(n)) + ")"
}

// Has reports whether n has a word.
func (w *Words) Has(n uint8) bool { return int(n) < len(w.Words) }

// Marshal returns the word of n as text.
func (w *Words) Marshal(n uint8) ([]byte, error) {
	if !w.Has(n) {
		return nil, ErrUnnamed
	}
	return []byte(w.Words[n]), nil
}

// Unmarshal stores the number of a word; on an error, which is an [*Unknown], it stores nothing.
func (w *Words) Unmarshal(text []byte, to *uint8) error {
	for i, word := range w.Words {
		if word == string(text) {
			*to = uint8(i)
			return nil
		}
	}
	return &Unknown{slices.DeleteFunc(slices.Clone(w.Words), func(word string) bool { return word == "" })}
}
