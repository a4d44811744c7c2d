package main

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/program"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/rules"
)

// A header is the header of an output, and what else is settled before the first row or known after the last.
type header struct {
	record.Header

	forms      []string      // the form of each file, as far as they are read
	leftOut    uint64        // rows with errors
	unsendable uint64        // rows with errors in columns that are not judged
	saysNew    bool          // a message counts the profiles that are taken as new
	unused     func() uint64 // counts the lines of a script that had no effect; nil in a forecast

	quantiles   []amount.Percent // of totals with random amounts
	untilChosen bool             // Until is this program's choice, not the user's
}

// newHeader returns a header of the selected profiles. A client-orderid as typed could be a card number.
func (s *selection) newHeader(h record.Header) *header {
	h.Profiles, h.Excluded = masked(s.profiles), masked(s.excluded)
	return &header{Header: h}
}

// commonForm returns the form of all files; empty if they differ.
func commonForm(forms []string) string {
	if forms = slices.Compact(slices.Clone(forms)); len(forms) == 1 {
		return forms[0]
	}
	return ""
}

func masked(ids []string) []string {
	var list []string
	for _, id := range ids {
		list = append(list, rules.Mask(0, id))
	}
	return list
}

// A today is the flag that says which day is the current date.
type today struct{ asOf dayFlag }

func (t *today) register(c *cobra.Command) {
	t.asOf.dayOnly = true
	c.Flags().Var(&t.asOf, "as-of", "the current date (default: today)")
}

// day is the current date: the only place where the command looks at the clock.
func (t *today) day(a *app) (calendar.Date, error) {
	if t.asOf.isSet() {
		return t.asOf.first, nil
	}
	return calendar.Of(a.now()), nil
}

// zone is that of the current date.
func (t *today) zone(a *app) string {
	if t.asOf.isSet() {
		return "UTC"
	}
	return a.now().Location().String()
}

// A horizon is how far an output goes: to a day, or for a number of charges of each
// profile, or whichever ends first. It begins on the as-of date or on a later day.
type horizon struct {
	from  dayFlag
	until dayFlag
	next  program.Flag[int64]
}

func (h *horizon) register(c *cobra.Command) {
	c.Flags().Var(&h.until, "until", "last day, included: 2026-06-30, 2026-Q3, or +1y")
	h.next = program.Count()
	c.Flags().Var(&h.next, "next", "the first `N` charges of each profile")
}

// registerFrom adds --from, and the end of each profile as a value of --until.
func (h *horizon) registerFrom(c *cobra.Command) {
	h.until.mayEnd = true
	c.Flags().Lookup("until").Usage = "last day, included: 2026-06-30, 2026-Q3, +3m, +1y or end"
	c.Flags().Var(&h.from, "from", "first day, written like --until; leaves out earlier charges")
}

// settle checks the horizon and, for people, chooses one where there is none.
func (h *horizon) settle(head *header, forPeople bool) error {
	if err := h.bound(head); err != nil || !head.Until.IsZero() || head.Next > 0 || head.ToEnd {
		return err
	}
	until := aYearFrom(head.window().From)
	if !forPeople {
		return usage("--until or --next is needed, since some profiles never end", "such as --until "+until.String()+" or --next 12")
	}
	head.Until, head.untilChosen = until, true
	return nil
}

// bound records the requested horizon in the header.
func (h *horizon) bound(head *header) (err error) {
	head.Next, head.ToEnd = int(h.next.V), h.until.isEnd
	if head.ToEnd && head.Next > 0 {
		return usage("--until end and --next exclude each other", "give one of the two")
	}
	if head.From, err = h.from.firstDay("from", head.AsOf); err != nil {
		return err
	}
	if head.Until, err = h.until.lastDay("until", head.AsOf); err != nil {
		return err
	}
	switch {
	case !head.Until.IsZero() && head.Until.Before(head.AsOf):
		return usage("--until lies before the as-of date", "as of "+head.AsOf.String()+", until "+head.Until.String())
	case head.From.IsZero():
		return nil
	case head.From.Before(head.AsOf):
		return usage("--from lies before the as-of date", "as of "+head.AsOf.String()+", from "+head.From.String())
	case !head.Until.IsZero() && head.Until.Before(head.From):
		return usage("--from lies after --until", "from "+head.From.String()+", until "+head.Until.String())
	}
	return nil
}

// aYearFrom is the last of the twelve months that begin on a day.
func aYearFrom(d calendar.Date) calendar.Date {
	if next, ok := after(d, calendar.UnitMonth, 12); ok {
		return next.AddDays(-1)
	}
	return calendar.MaxDate()
}

// window is the days that the header's horizon spans.
func (h *header) window() calendar.Window {
	from := h.AsOf
	if h.From.After(from) {
		from = h.From
	}
	if h.Until.IsZero() {
		return calendar.Window{From: from}
	}
	return calendar.Through(from, h.Until)
}

// before is the days from the as-of date on whose charges --from leaves out; empty without it.
func (h *header) before() calendar.Window {
	return calendar.Window{From: h.AsOf, To: h.window().From}
}

// A percentsFlag is --quantiles: different percentages in order.
type percentsFlag []amount.Percent

func (*percentsFlag) Type() string { return "PERCENTAGES" }

func (p *percentsFlag) String() string {
	texts := make([]string, len(*p))
	for i, q := range *p {
		texts[i] = q.String()
	}
	return strings.Join(texts, ",")
}

func (p *percentsFlag) Set(s string) error {
	for text := range strings.SplitSeq(s, ",") {
		q, err := amount.ParsePercent(text)
		if err != nil {
			return errors.New("write percentages from 0 to 100 with at most two decimals, and commas between them, such as 5,50,97.5")
		}
		if slices.Contains(*p, q) {
			return errors.New(q.String() + " is given twice")
		}
		*p = append(*p, q)
	}
	slices.Sort(*p)
	if len(*p) > maxPercents {
		return errors.New("at most " + strconv.Itoa(maxPercents) + " percentages are possible")
	}
	return nil
}

// maxPercents bounds the work for a total.
const maxPercents = 101
