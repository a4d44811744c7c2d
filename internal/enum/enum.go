// Package enum gives small numbers their words: one table of words a type serves String,
// MarshalText and UnmarshalText, and no value makes any of them panic.
package enum

import (
	"errors"
	"strconv"
)

// ErrUnnamed is returned for a number without a word and for a word without a number.
var ErrUnnamed = errors.New("unknown value: use the named constants")

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

// Unmarshal stores the number of a word; on an error it stores nothing.
func (w *Words) Unmarshal(text []byte, to *uint8) error {
	for i, word := range w.Words {
		if word == string(text) {
			*to = uint8(i)
			return nil
		}
	}
	return ErrUnnamed
}
