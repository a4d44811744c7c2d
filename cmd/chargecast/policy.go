package main

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// A policyFlag is --policy, and where a command has it --readings.
type policyFlag struct {
	text     string
	policy   engine.Policy
	named    ledger.Because // the keys that text names
	readings string         // a file
}

func (p *policyFlag) String() string { return p.text }
func (*policyFlag) Type() string     { return "KEY=VALUE,..." }

// Set takes the flag more than once; the settings are then one list.
func (p *policyFlag) Set(s string) error {
	if s == "" { // what reconcile prints where nothing was observed
		return nil
	}
	text := s
	if p.text != "" {
		text = p.text + "," + s
	}
	policy, err := engine.ParsePolicy(text)
	if e, ok := errors.AsType[*engine.Error](err); ok {
		return policyError(text, e)
	}
	p.text, p.policy = text, policy
	for part := range strings.SplitSeq(s, ",") {
		key, _, _ := strings.Cut(part, "=")
		for c := range engine.Keys() {
			if c.Key() == key {
				p.named = p.named.With(c)
			}
		}
	}
	return nil
}

// over returns a policy with the values of the keys that the flag names.
func (p *policyFlag) over(base engine.Policy) engine.Policy {
	for c := range p.named.All() {
		base = base.WithReading(c, slices.Index(c.Entry().Values(), p.policy.Reading(c).Value))
	}
	return base
}

// settle records the readings in force: those of --readings, over which --policy wins.
func (p *policyFlag) settle(a *app, h *header) (err error) {
	h.Observed, err = a.readings(p.readings)
	h.Policy = p.over(h.Observed.Policy(engine.Policy{}))
	return err
}

// readings reads a file of readings; without a path there are none.
func (a *app) readings(path string) (record.Readings, error) {
	if path == "" {
		return record.Readings{}, nil
	}
	if isStdin(path) {
		return record.Readings{}, usage("--readings reads a file, not stdin", "give the file that reconcile --save-readings wrote")
	}
	const remedy = "give the file that chargecast reconcile --save-readings wrote"
	text, err := a.readAll(path, record.MaxReadings, limitBytes, remedy)
	if err != nil {
		return record.Readings{}, err
	}
	r, err := record.ParseReadings(text)
	if f, ok := errors.AsType[ledger.Finding](err); ok {
		if f.Place.File = nameOf(path); f.Place.Line == 0 {
			return r, unreadable(f.Place.File+": "+findingText(f), remedy)
		}
		return r, unreadable(findingText(f), remedy)
	}
	return r, err
}

// policyError says what is wrong with a setting, and which keys or values there are. Settings are
// numbered over all the flags given so far, unless there is only one.
func policyError(text string, e *engine.Error) error {
	items := strings.Split(text, ",")
	item := len(items) - 1 // the last one with the key
	for ; item > 0; item-- {
		if e.Field == "item "+strconv.Itoa(item+1) || strings.HasPrefix(items[item], e.Field+"=") {
			break
		}
	}
	key, value, _ := strings.Cut(items[item], "=")
	which := ""
	if len(items) > 1 {
		which = "setting " + strconv.Itoa(item+1) + ": "
	}
	possible := strings.Split(e.Want, ",")
	choices := "use " + strings.Join(possible, ", ")
	switch e.Code {
	case engine.ErrPolicyKey:
		return usage(which+"no such key"+didYouMean(key, possible, ""), choices)
	case engine.ErrPolicyValue:
		return usage(which+"no such value of "+e.Field+didYouMean(value, possible, ""), choices)
	case engine.ErrPolicyTwice:
		return usage(which+e.Field+" is given twice", "keep one of the two")
	}
	return usage(which+"not written KEY=VALUE", "the keys are "+strings.Join(possible, ", "))
}

// readingsVar adds --readings to a policy.
func readingsVar(c *cobra.Command, p *policyFlag) {
	c.Flags().StringVar(&p.readings, "readings", "", "interpretations that charges have shown, from this `FILE` of reconcile --save-readings")
}

func policyVar(c *cobra.Command) *policyFlag {
	p := new(policyFlag)
	c.Flags().Var(p, "policy", "how to interpret what the document leaves open; chargecast assumptions lists the keys and values")
	return p
}
