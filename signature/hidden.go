package signature

import (
	"fmt"
	"io"
	"log/slog"
	"sync/atomic"

	"github.com/chargecast/chargecast/internal/veil"
)

// hidden keeps a value out of every output. Types embed it; their zero value holds nothing.
type hidden[T interface{ mask() string }] struct{ v veil.Pointer[T] }

// kept is a value that is hidden, and what leads to it.
type kept[T any] struct {
	value  T
	beside atomic.Pointer[T]
}

// hide returns a hidden value.
func hide[T interface{ mask() string }](value T) hidden[T] {
	k := &kept[T]{value: value}
	return hidden[T]{veil.Over(&k.value, &k.beside)}
}

// hideAll returns hidden values, which are allocated together: none is freed before all are.
func hideAll[T interface{ mask() string }](values []T) []hidden[T] {
	all, list := make([]kept[T], len(values)), make([]hidden[T], len(values))
	for i, value := range values {
		all[i].value = value
		list[i] = hidden[T]{veil.Over(&all[i].value, &all[i].beside)}
	}
	return list
}

// reveal returns the value; nil if h holds nothing. The value must not be changed.
func (h hidden[T]) reveal() *T { return h.v.Value() }

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
