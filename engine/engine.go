package engine

import (
	"github.com/chargecast/chargecast/calendar"
)

// An Engine answers under one policy. It is a small value that may be copied and shared. The zero
// Engine takes the default reading of every silence.
type Engine struct{ policy Policy }

// New returns the engine of a policy. A policy with an unknown value is refused by each method,
// with [ErrPolicy].
func New(p Policy) Engine { return Engine{p} }

// Check reports whether s can be used as of a day: the gate of every other method, which refuses
// with the same error. It is nil or an [*Error] that names the first field at fault: of the
// arguments, of the policy, of the profile (2.1, 2.2), of the state, in this order. A Stored that
// an engine with another policy made is [ErrPolicyDiffers], with the first key that differs;
// [Stored.Under] moves it to another policy. An amount of zero passes: whether it is an error is a
// rule of the payload, whose severity can be set (L36).
func (e Engine) Check(s Stored, asOf calendar.Date) error {
	if err := s.check(asOf, e.policy); err != nil {
		return err
	}
	return nil
}

// TakesAsNew reports whether a profile is forecast as if it had never been charged though its
// start-date is before as-of: it has an automatic schedule and no state, and the policy counts
// nothing of the days before (L03).
func (e Engine) TakesAsNew(s Stored, asOf calendar.Date) bool {
	p := &s.Profile
	state := s.State.withoutPolicy()
	return state.IsZero() && e.policy.StartPast != StartPastCountMissed && p.Automatic() && !p.Start.IsZero() && p.Start.Before(asOf)
}
