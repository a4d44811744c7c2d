package laws

import (
	"errors"
	"fmt"
)

// ErrNotSupported is what a function of an [Impl] returns, alone or wrapped, for what the
// implementation does not offer, such as a reading of a policy: the case is then not covered. A
// function without an error result panics with it.
var ErrNotSupported = errors.New("not supported")

// errAbsent is what a function panics with that the implementation does not have.
var errAbsent = fmt.Errorf("absent: %w", ErrNotSupported)

// An AbortKind says why a case ended early.
type AbortKind uint8

// The kinds of an [Abort].
const (
	AbortUnspecified AbortKind = iota + 1 // the answer fits another reading of a silence of the document
	AbortFailed                           // the case fails whatever the law says
)

// An Abort is the value that a function of an [Impl] panics with to end a case. Text is the message of an
// AbortFailed, and of an AbortUnspecified the policy key, or the ledger entry where it has none.
type Abort struct {
	Kind AbortKind
	Text string
}
