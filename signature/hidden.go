package signature

import (
	"fmt"
	"io"
	"log/slog"
)

// hidden keeps a value out of every output. Types embed it; their zero value holds nothing.
//
// The methods serve wherever a package calls them. Package fmt calls none where a hidden value is in
// an unexported field of another type: there it prints a pointer as an address, but for a verb that
// does not fit a pointer, such as %s, it prints what the pointer points to. What v points to is a
// pointer again, and that one is printed as an address in every case.
type hidden[T interface{ mask() string }] struct{ v **T }

// hide returns a hidden value, which is allocated together with the pointer to it.
func hide[T interface{ mask() string }](value T) hidden[T] {
	kept := &struct {
		value   T
		pointer *T
	}{value: value}
	kept.pointer = &kept.value
	return hidden[T]{&kept.pointer}
}

// hideAll returns hidden values, which are allocated together: none is freed before all are.
func hideAll[T interface{ mask() string }](values []T) []hidden[T] {
	kept := make([]struct {
		value   T
		pointer *T
	}, len(values))
	list := make([]hidden[T], len(values))
	for i := range values {
		kept[i].value = values[i]
		kept[i].pointer = &kept[i].value
		list[i] = hidden[T]{&kept[i].pointer}
	}
	return list
}

// reveal returns the value; nil if h holds nothing. The value must not be changed.
func (h hidden[T]) reveal() *T {
	if h.v == nil {
		return nil
	}
	return *h.v
}

// String returns a text that stands for the value.
func (h hidden[T]) String() string {
	if v := h.reveal(); v != nil {
		return (*v).mask() + " (hidden)"
	}
	var zero T
	return zero.mask() + " (none)"
}

// Format writes what String returns, under every verb.
func (h hidden[T]) Format(w fmt.State, _ rune) { _, _ = io.WriteString(w, h.String()) }

// MarshalText returns what String returns: the value has no text form that can be read back.
func (h hidden[T]) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// LogValue returns what String returns.
func (h hidden[T]) LogValue() slog.Value { return slog.StringValue(h.String()) }
