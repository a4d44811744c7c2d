package fuzz

import (
	"errors"
	"fmt"
	"slices"
	"strings"

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

// A Verdict is what became of one case. The zero Verdict is a case that holds.
type Verdict struct {
	Message     string // what the law reports; empty when it holds
	NotCovered  bool   // the implementation does not support what the case asks for
	Unspecified string // the policy key of which the answer fits another value
}

// Judge checks a law on one case. A panic is a report.
func Judge(l Law, c *Case, impl Impl) Verdict {
	replies := func() uint64 {
		if impl.Replies == nil {
			return 0
		}
		return impl.Replies()
	}
	var r recorder
	before := replies()
	r.check(l, c, impl.refusing())
	v := Verdict{Message: strings.Join(r.reports, "\n")}
	if v.Message != "" {
		return v
	}
	v.NotCovered = r.abort.Kind == AbortNotSupported || impl.Replies != nil && replies() == before
	if r.abort.Kind == AbortUnspecified {
		v.Unspecified = r.abort.Text
	}
	return v
}

// stopped notes what a case panicked with.
func (r *recorder) stopped(p any) {
	a, ok := p.(Abort)
	switch {
	case !ok:
		r.Errorf("panic: %v", p)
	case a.Kind == AbortFailed:
		r.Errorf("%s", a.Text)
	default:
		r.abort = a
	}
}

// refusing is the implementation with ErrNotSupported turned into the end of the case.
func (i Impl) refusing() Impl {
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

// Under is the case with one policy in place of the one that its generator chose; a case without a
// policy stays as it is. Shrinking keeps the policy.
func (c *Case) Under(p engine.Policy) *Case {
	o := *c
	o.fixed = &p
	o.Value = fixedPolicy(c.Value, p)
	return &o
}

// Policy is the policy of [Case.Under]; nil without.
func (c *Case) Policy() *engine.Policy { return c.fixed }

func fixedPolicy(value any, p engine.Policy) any {
	switch v := value.(type) {
	case PlanCase:
		v.Policy = p
		return v
	case LogCase:
		v.Policy = p
		return v
	}
	return value
}

// unchanged tells whether a simpler case came to the same again, because its policy is fixed.
func (c *Case) unchanged(o *Case) bool {
	return c.fixed != nil && fmt.Sprintf("%+v", c.Value) == fmt.Sprintf("%+v", o.Value)
}

// count adds the verdict on one case.
func (r *Result) count(v Verdict) {
	if v.NotCovered {
		return
	}
	r.Cases++
	if v.Unspecified == "" {
		return
	}
	r.Unspecified++
	if i, found := slices.BinarySearch(r.Keys, v.Unspecified); !found {
		r.Keys = slices.Insert(r.Keys, i, v.Unspecified)
	}
}

// Text is the payload as it is written.
func (c PayloadCase) Text() []byte { return c.write().text }
