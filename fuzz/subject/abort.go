package subject

import (
	"errors"

	"github.com/chargecast/chargecast/engine"
)

// ErrNotSupported is what a function of an [Impl] returns, alone or wrapped, for what the
// implementation does not offer, such as a reading of a policy. The case is then not covered. A
// function without an error result panics with an [Abort].
var ErrNotSupported = errors.New("not supported")

// An AbortKind says why a case ended early.
type AbortKind uint8

// The kinds of an [Abort].
const (
	AbortNotSupported AbortKind = iota + 1 // the case is not covered
	AbortUnspecified                       // the answer fits another reading of a silence of the document
	AbortFailed                            // the case fails whatever the law says
)

// An Abort is the value that a function of an [Impl] panics with to end a case. Text is the policy
// key of an AbortUnspecified, the message of an AbortFailed, else empty.
type Abort struct {
	Kind AbortKind
	Text string
}

// Refusing is the implementation with ErrNotSupported turned into the end of the case.
func (i Impl) Refusing() Impl {
	i.Forecast = refusing1(i.Forecast)
	if simulate := i.Simulate; simulate != nil {
		i.Simulate = func(s engine.Simulation, yield func(engine.Effect) bool) (engine.Stored, error) {
			end, err := simulate(s, yield)
			return end, supported(err)
		}
	}
	if apply := i.Apply; apply != nil {
		i.Apply = func(s engine.Stored, e engine.Event, p engine.Policy) ([]engine.Effect, engine.Stored, error) {
			effects, next, err := apply(s, e, p)
			return effects, next, supported(err)
		}
	}
	if base := i.BaseString; base != nil {
		i.BaseString = func(r SignRequest, oauth []Pair) (string, error) {
			text, err := base(r, oauth)
			return text, supported(err)
		}
	}
	if sign := i.Sign; sign != nil {
		i.Sign = func(r SignRequest, c SignChoices, key SignKey) (string, error) {
			text, err := sign(r, c, key)
			return text, supported(err)
		}
	}
	return i
}

func refusing1[A, B any](f func(A) (B, error)) func(A) (B, error) {
	if f == nil {
		return nil
	}
	return func(a A) (B, error) {
		b, err := f(a)
		return b, supported(err)
	}
}

// supported ends the case if the error says that something is not supported.
func supported(err error) error {
	if errors.Is(err, ErrNotSupported) {
		panic(Abort{Kind: AbortNotSupported})
	}
	return err
}
