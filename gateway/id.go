package gateway

import (
	"strconv"
)

// An ID names one record of a kind: a number from 1, counted by the store, so that the same
// requests give the same ids. The zero ID is none.
type ID uint64

// String returns the number in digits; "0" for none.
func (id ID) String() string { return strconv.FormatUint(uint64(id), 10) }

// MarshalText returns what [ID.String] returns.
func (id ID) MarshalText() ([]byte, error) { return strconv.AppendUint(nil, uint64(id), 10), nil }

// UnmarshalText reads what [ID.MarshalText] writes; other texts are a [ledger.Finding] with
// [NotFound], since no record has such an id. On an error id is unchanged.
func (id *ID) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 10, 63)
	if err != nil || string(text) != ID(n).String() {
		return found(NotFound, "", "")
	}
	*id = ID(n)
	return nil
}
