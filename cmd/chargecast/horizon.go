package main

import (
	"errors"
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
// profile, or whichever ends first.
type horizon struct {
	until dateFlag
	next  countFlag
}

func (h *horizon) register(c *cobra.Command) {
	c.Flags().Var(&h.until, "until", "the last day, included")
	c.Flags().Var(&h.next, "next", "the first `N` charges of each profile")
}

// settle checks the horizon and, for people, chooses one where there is none.
func (h *horizon) settle(head *header, forPeople bool) error {
	head.until, head.next = h.until.Date, int(h.next)
	switch {
	case !head.until.IsZero() && head.until.Before(head.asOf):
		return usage("--until lies before the as-of date", "as of "+head.asOf.String()+"; both are written YYYY-MM-DD")
	case !head.until.IsZero() || head.next > 0:
		return nil
	case !forPeople:
		return usage("--until or --next is needed, since some profiles never end",
			"such as --until "+aYearFrom(head.asOf).String()+" or --next 12")
	}
	head.until, head.untilChosen = aYearFrom(head.asOf), true
	return nil
}

// aYearFrom is the last of the twelve months that begin on a day.
func aYearFrom(d calendar.Date) calendar.Date {
	months, err := calendar.NewSchedule(d, calendar.UnitMonth, 12, calendar.MonthEndClamp)
	if err != nil {
		return d
	}
	if next, ok := months.At(1); ok {
		return next.AddDays(-1)
	}
	return calendar.Last()
}

// window is the days that the header's horizon spans.
func (h *header) window() calendar.Window {
	if h.until.IsZero() {
		return calendar.Window{From: h.asOf}
	}
	return calendar.Through(h.asOf, h.until)
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
	text := s
	if p.text != "" {
		text = p.text + "," + s
	}
	policy, err := engine.ParsePolicy(text)
	if e, ok := errors.AsType[*engine.PolicyError](err); ok {
		// The item counts over all the flags given so far.
		return errors.New(e.Error() + policyHint(text, e))
	}
	p.text, p.policy = text, policy
	return nil
}

// policyHint names the key or value that a mistyped one must have meant.
func policyHint(text string, e *engine.PolicyError) string {
	items := strings.Split(text, ",")
	if e.Item < 1 || e.Item > len(items) || errors.Is(e, engine.ErrPolicyForm) {
		return ""
	}
	key, value, _ := strings.Cut(items[e.Item-1], "=")
	word := key
	if e.Key != "" {
		word = value
	}
	return didYouMean(word, e.Choices, "")
}

func policyVar(c *cobra.Command) *policyFlag {
	p := new(policyFlag)
	c.Flags().Var(p, "policy", "other readings of what is left open; chargecast assumptions lists them")
	return p
}
