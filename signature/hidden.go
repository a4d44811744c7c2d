package signature

import (
	"fmt"
	"io"
	"log/slog"
	"sync/atomic"
)

// hidden keeps a value out of every output. Types embed it; their zero value holds nothing.
//
// The methods serve wherever a package calls them. None is called where a hidden value is in an
// unexported field of another type: there package fmt prints what a pointer points to for a verb that
// does not fit a pointer, such as %s, and packages that print whole structures, as tests do to compare
// them, follow each pointer with reflection. An atomic pointer cannot be followed: to reflection it is
// an address without a type.
type hidden[T interface{ mask() string }] struct{ v *atomic.Pointer[T] }

// hide returns a hidden value, which is allocated together with the pointer to it.
func hide[T interface{ mask() string }](value T) hidden[T] {
	kept := &struct {
		value   T
		pointer atomic.Pointer[T]
	}{value: value}
	kept.pointer.Store(&kept.value)
	return hidden[T]{&kept.pointer}
}

// hideAll returns hidden values, which are allocated together: none is freed before all are.
func hideAll[T interface{ mask() string }](values []T) []hidden[T] {
	kept := make([]struct {
		value   T
		pointer atomic.Pointer[T]
	}, len(values))
	list := make([]hidden[T], len(values))
	for i := range values {
		kept[i].value = values[i]
		kept[i].pointer.Store(&kept[i].value)
		list[i] = hidden[T]{&kept[i].pointer}
	}
	return list
}

// reveal returns the value; nil if h holds nothing. The value must not be changed.
func (h hidden[T]) reveal() *T {
	if h.v == nil {
		return nil
	}
	return h.v.Load()
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
