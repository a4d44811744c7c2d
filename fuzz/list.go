package fuzz

import (
	"slices"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/laws"
)

// Laws are all laws, in the order of their groups.
func Laws() []Law { return laws.Laws() }

// Find gives the law with an id.
func Find(id string) (Law, bool) { return laws.Find(id) }

// Known reports whether an id or a pattern, as [Options] have them, names any law.
func Known(pattern string) bool {
	o := Options{Laws: []string{pattern}}
	return slices.ContainsFunc(Laws(), func(l Law) bool { return o.Wants(l.ID) })
}

// What is wrong with a token.
var (
	ErrToken        = laws.ErrToken
	ErrTokenVersion = laws.ErrTokenVersion
	ErrTokenLaw     = laws.ErrTokenLaw
)

// Replay gives the law and the case that a token names.
func Replay(token string) (Law, *Case, error) { return laws.Replay(token) }

// ReplayUnder gives the law and the case that a token names in a run with [Options.Policy].
func ReplayUnder(token string, policy *engine.Policy) (Law, *Case, error) {
	return laws.ReplayUnder(token, policy)
}
