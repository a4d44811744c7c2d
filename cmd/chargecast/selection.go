package main

import (
	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/rules"
)

// A selection is the flags that say which rows of a payload count, and from which state
// they go on.
type selection struct {
	input    *choice
	profiles idsFlag
	excluded idsFlag
	state    string
	severity severityFlag
	quiet    bool
	limits   limits
	workers  workers
}

func (s *selection) register(c *cobra.Command) {
	s.registerProfiles(c)
	s.registerPayload(c)
}

func (s *selection) registerProfiles(c *cobra.Command) {
	c.Flags().Var(&s.profiles, "profile", "only profiles with this client-orderid or pattern (* ? [a-z]); may be repeated")
	c.Flags().Var(&s.excluded, "exclude", "leave out profiles with this client-orderid or pattern; may be repeated")
}

// registerPayload adds the flags that say how rows are read and where they go on.
func (s *selection) registerPayload(c *cobra.Command) {
	c.Flags().StringVar(&s.state, "state", "", "`FILE` with the states of stored profiles, JSON lines")
	s.input = inputFlag(c)
	s.registerFindings(c)
	s.limits.register(c)
	s.workers.register(c)
}

// registerFindings adds the flags that say what is said of a payload.
func (s *selection) registerFindings(c *cobra.Command) {
	c.Flags().Var(&s.severity, "severity", "another severity for a code: error, warning or off; may be repeated")
	c.Flags().BoolVar(&s.quiet, "quiet", false, "leave warnings out of the messages")
}

func inputFlag(c *cobra.Command) *choice {
	f := oneOf("auto", "csv", "base64", "form")
	c.Flags().Var(f, "input", "form of the payload; auto recognises it")
	return f
}

// options are those under which a command reads a payload to forecast it. What the
// policy says of a start-date is about the creation of a profile (Y10), and a profile
// with a state exists: that is for the engine to judge.
func (s *selection) options(asOf calendar.Date, policy engine.Policy) rules.Options {
	form := inputNamed(s.input.value)
	if s.state != "" {
		policy = policy.WithReading(clause.L02, 0).WithReading(clause.L03, 0)
	}
	return s.limits.bound(rules.Options{AsOf: asOf, Policy: policy, Input: form, Severity: s.severity})
}

// inputNamed returns the form of a payload that a flag, which takes no other words, names.
func inputNamed(word string) (form rules.Input) {
	_ = form.UnmarshalText([]byte(word))
	return form
}
