package main

import (
	"errors"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // the zones of --zone, on machines that have none

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
)

// A today is the flags that say which day is the current date.
type today struct {
	asOf dateFlag
	zone string
}

func (t *today) register(c *cobra.Command) {
	c.Flags().Var(&t.asOf, "as-of", "the current date (default today in --zone)")
	c.Flags().StringVar(&t.zone, "zone", "UTC", "time `ZONE` that today is taken in, such as Europe/Berlin")
}

// day is the current date: the only place where the command looks at the clock.
func (t *today) day(a *app) (calendar.Date, error) {
	zone, err := zoneOf(t.zone)
	if err != nil {
		return calendar.Date{}, err
	}
	if !t.asOf.IsZero() {
		return t.asOf.Date, nil
	}
	return calendar.Of(a.now().In(zone)), nil
}

// zoneOf finds a zone by its name in the time-zone database. What package time takes
// besides, the empty name and "Local", would let the machine decide.
func zoneOf(name string) (*time.Location, error) {
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || part[0] < 'A' || part[0] > 'Z' {
			return nil, errZone()
		}
	}
	zone, err := time.LoadLocation(name)
	if err != nil || name == "Local" {
		return nil, errZone()
	}
	return zone, nil
}

func errZone() error {
	return usage("--zone: no such time zone", "use a name of the time-zone database, such as UTC, Europe/Berlin or America/New_York")
}

// A horizon is how far an output reaches: to a day, or for a number of charges of each
// profile, or whichever ends first. It begins on the as-of date or on a later day.
type horizon struct {
	from  dayFlag
	until dayFlag
	next  countFlag
}

func (h *horizon) register(c *cobra.Command) {
	c.Flags().Var(&h.until, "until", "last day, included: 2026-06-30, 2026-06, +90d, +2w, +3m, +1y from as-of")
	c.Flags().Var(&h.next, "next", "the first `N` charges of each profile")
}

// registerFrom adds --from for the commands whose window may begin later.
func (h *horizon) registerFrom(c *cobra.Command) {
	c.Flags().Var(&h.from, "from", "first day, written like --until: charges before it are left out")
}

// settle checks the horizon and, for people, chooses one where there is none.
func (h *horizon) settle(head *header, forPeople bool) error {
	if err := h.bound(head); err != nil || !head.until.IsZero() || head.next > 0 {
		return err
	}
	until := aYearFrom(head.window().From)
	if !forPeople {
		return usage("--until or --next is needed, since some profiles never end", "such as --until "+until.String()+" or --next 12")
	}
	head.until, head.untilChosen = until, true
	return nil
}

// bound records the requested horizon in the header.
func (h *horizon) bound(head *header) (err error) {
	head.next = int(h.next)
	if head.from, err = h.from.firstDay("from", head.asOf); err != nil {
		return err
	}
	if head.until, err = h.until.lastDay("until", head.asOf); err != nil {
		return err
	}
	switch {
	case !head.until.IsZero() && head.until.Before(head.asOf):
		return usage("--until lies before the as-of date", "as of "+head.asOf.String()+", until "+head.until.String())
	case head.from.IsZero():
		return nil
	case head.from.Before(head.asOf):
		return usage("--from lies before the as-of date", "as of "+head.asOf.String()+", from "+head.from.String())
	case !head.until.IsZero() && head.until.Before(head.from):
		return usage("--from lies after --until", "from "+head.from.String()+", until "+head.until.String())
	}
	return nil
}

// aYearFrom is the last of the twelve months that begin on a day.
func aYearFrom(d calendar.Date) calendar.Date {
	if next, ok := after(d, calendar.UnitMonth, 12); ok {
		return next.AddDays(-1)
	}
	return calendar.Last()
}

// window is the days that the header's horizon spans.
func (h *header) window() calendar.Window {
	from := h.asOf
	if h.from.After(from) {
		from = h.from
	}
	if h.until.IsZero() {
		return calendar.Window{From: from}
	}
	return calendar.Through(from, h.until)
}

// before is the days from the as-of date on whose charges --from leaves out; empty without it.
func (h *header) before() calendar.Window {
	return calendar.Window{From: h.asOf, To: h.window().From}
}

// A policyFlag is --policy.
type policyFlag struct {
	text   string
	policy engine.Policy
}

func (p *policyFlag) String() string { return p.text }
func (*policyFlag) Type() string     { return "KEY=VALUE,..." }

// Set takes the flag more than once; the settings are then one list.
func (p *policyFlag) Set(s string) error {
	if s == "" {
		return errNoText
	}
	text := s
	if p.text != "" {
		text = p.text + "," + s
	}
	policy, err := engine.ParsePolicy(text)
	if e, ok := errors.AsType[*engine.PolicyError](err); ok {
		return policyError(text, e)
	}
	p.text, p.policy = text, policy
	return nil
}

// policyError says what is wrong with a setting, and which keys or values there are. Settings are
// numbered over all the flags given so far, unless there is only one.
func policyError(text string, e *engine.PolicyError) error {
	items := strings.Split(text, ",")
	key, value, _ := strings.Cut(items[e.Item-1], "=")
	which := ""
	if len(items) > 1 {
		which = "setting " + strconv.Itoa(e.Item) + ": "
	}
	choices := "use " + strings.Join(e.Choices, ", ")
	switch e.Code {
	case engine.ErrPolicyKey:
		return usage(which+"no such key"+didYouMean(key, e.Choices, ""), choices)
	case engine.ErrPolicyValue:
		return usage(which+"no such value of "+e.Key+didYouMean(value, e.Choices, ""), choices)
	case engine.ErrPolicyTwice:
		return usage(which+e.Key+" is given twice", "keep one of the two")
	}
	return usage(which+"not written KEY=VALUE", "the keys are "+strings.Join(e.Choices, ", "))
}

func policyVar(c *cobra.Command) *policyFlag {
	p := new(policyFlag)
	c.Flags().Var(p, "policy", "other readings of what is left open; chargecast assumptions lists them")
	return p
}
