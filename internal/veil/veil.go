// Package veil keeps values with secrets in them out of every output.
//
// Methods such as Format and MarshalText serve wherever a package calls them. None is called where a value is in an
// unexported field of another type: there package fmt prints what a pointer points to, for a verb that does not fit a
// pointer, such as %s, and packages that print whole structures, as tests do to compare them, follow each pointer with
// reflection. An atomic pointer cannot be followed: to reflection it is an address without a type.
package veil

import "sync/atomic"

// A Pointer is the way to a value behind a veil. The zero Pointer leads to nothing.
type Pointer[T any] struct{ beside *atomic.Pointer[T] }

// Over returns the way to a value. Room for an atomic pointer is allocated beside the value, and together with it.
func Over[T any](value *T, beside *atomic.Pointer[T]) Pointer[T] {
	beside.Store(value)
	return Pointer[T]{beside}
}

// Value returns what is behind the veil; nil for nothing. It must not be changed.
func (p Pointer[T]) Value() *T {
	if p.beside == nil {
		return nil
	}
	return p.beside.Load()
}
