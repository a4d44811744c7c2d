package main

import (
	"maps"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/strictjson"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// A comparing is the flags of assumptions --compare.
type comparing struct {
	today
	selection
	path   string
	until  dayFlag
	policy *policyFlag
}

func (q *comparing) register(c *cobra.Command) {
	c.Flags().StringVar(&q.path, "compare", "", "payload `FILE`: show what other readings would change in its forecast")
	c.Flags().Var(&q.until, "until", "the last day of that forecast, included")
	q.today.register(c)
	q.selection.register(c)
	q.policy = policyVar(c)
}

// A comparison is what other readings would change in the forecast of a payload. It
// keeps sums for each reading and currency, nothing for each profile.
type comparison struct {
	header   *header
	profiles int
	was      currencySums
	others   []*otherReading
	found    []engine.Sensitivity // of one profile after the other
}

// An otherReading is one value of a key that is not in force.
type otherReading struct {
	clause   ledger.Clause
	value    string
	first    calendar.Date   // the first day that it changes
	profiles int             // that it changes
	refused  int             // … of which it refuses these
	was, is  currencySums    // of the profiles that it changes
	touched  map[string]bool // their currencies
}

// currencySums are what charges come to by currency, of which there are not more than maxCurrencies.
type currencySums map[string]amount.Total

// maxCurrencies is more than the world has: a column of junk must not fill the memory.
const maxCurrencies = 1000

func (s currencySums) add(currency string, t amount.Total) {
	sum, known := s[currency]
	if t.IsZero() || !known && len(s) == maxCurrencies {
		return
	}
	sum.Merge(t.WithoutDraws())
	s[currency] = sum
}

func newComparison(h *header) *comparison {
	c := &comparison{header: h, was: currencySums{}}
	for clause := range engine.Keys() {
		for _, r := range clause.Entry().Readings {
			if r.Value != h.policy.Reading(clause).Value {
				c.others = append(c.others, &otherReading{clause: clause, value: r.Value, was: currencySums{}, is: currencySums{}, touched: map[string]bool{}})
			}
		}
	}
	return c
}

// add counts a profile in.
func (c *comparison) add(row *joined) error {
	h := c.header
	var total amount.Total
	var err error
	c.found, total, err = engine.New(h.policy).Sensitivities(c.found[:0], row.stored(), h.asOf, h.window())
	if err != nil {
		return err
	}
	c.profiles++
	row.cardMatters = true
	c.was.add(row.Currency, total)
	for i := range c.found {
		s := &c.found[i]
		for _, o := range c.others {
			if o.clause == s.Clause && o.value == s.Value {
				o.change(row.Currency, s)
			}
		}
	}
	return nil
}

func (o *otherReading) change(currency string, s *engine.Sensitivity) {
	o.profiles++
	if s.Refused != "" {
		o.refused++
	}
	if o.first.IsZero() || s.First.Before(o.first) {
		o.first = s.First
	}
	if len(o.touched) < maxCurrencies {
		o.touched[currency] = true
	}
	o.was.add(currency, s.Old)
	o.is.add(currency, s.New)
}

// wouldBe returns what all profiles of a currency would come to under another reading: those that
// it does not change come to what they did.
func (c *comparison) wouldBe(o *otherReading, currency string) amount.Total {
	sums, left, now := c.was[currency], o.was[currency], o.is[currency]
	sums.Charges -= left.Charges
	if sums.Min.Sub(left.Min) != nil || sums.Max.Sub(left.Max) != nil || sums.Charges == 0 {
		return now // there are no others
	}
	sums.Merge(now)
	return sums
}

// compare reads the payload and writes what other readings would change.
func (q *comparing) compare(a *app, format, colour string) error {
	a.log.quiet = q.quiet
	asOf, err := q.day(a)
	if err != nil {
		return err
	}
	h := &header{schema: record.SchemaCompare, asOf: asOf, zone: q.zone, policy: q.policy.policy, profiles: q.profiles, excluded: q.excluded}
	if h.until, err = q.until.lastDay("until", asOf); err != nil {
		return err
	}
	if h.until.IsZero() || h.until.Before(asOf) {
		return usage("--compare needs --until, a day not before the as-of date", "such as --until "+aYearFrom(asOf).String())
	}
	c := newComparison(h)
	return q.read(a, []string{q.path}, h, reading{row: c.add, end: func() {
		if format == "json" {
			a.out.b = c.appendJSON(a.out.b)
		} else {
			a.out.b = c.appendText(a.out.b, a.text(colour))
		}
		a.out.endLine()
	}})
}

func (c *comparison) appendText(dst []byte, p paint) []byte {
	dst = p.bold(dst, "Other readings")
	dst = append(dst, " as of "+c.header.asOf.String()+" ("+c.header.zone+") to "+c.header.until.String()+", "...)
	dst = append(dst, counted(strconv.Itoa(c.profiles), "profile")+"\n"...)
	if others := otherReadings(c.header.policy); others != "" {
		dst = append(dst, "Compared with "+others+"; the others by default\n"...)
	}
	same := 0
	for _, o := range c.others {
		if o.profiles == 0 {
			same++
			continue
		}
		now := c.header.policy.Reading(o.clause).Value
		dst = append(dst, '\n')
		dst = p.bold(dst, o.clause.Entry().Key+"="+o.value)
		dst = append(dst, " instead of "+now+" ("+o.clause.String()+", "+o.clause.Basis().String()+")\n  first on "+o.first.String()+", "...)
		dst = append(dst, counted(strconv.Itoa(o.profiles), "profile")+" changed"...)
		if o.refused > 0 {
			dst = append(dst, ", "+strconv.Itoa(o.refused)+" of them refused"...)
		}
		dst = append(dst, '\n')
		for _, currency := range slices.Sorted(maps.Keys(o.touched)) {
			dst = append(dst, "  "+pad(visible(currency), 5)+inWords(c.was[currency])+", would be "+inWords(c.wouldBe(o, currency))+"\n"...)
		}
	}
	if same == len(c.others) {
		return append(dst, "\nNo other reading changes anything here.\n"...)
	}
	return append(dst, "\n"+strconv.Itoa(same)+" other readings change nothing here\n"...)
}

// inWords is a sum in a line of text.
func inWords(s amount.Total) string {
	if s.Charges == 0 {
		return "nothing"
	}
	return counted(strconv.FormatUint(s.Charges, 10), "charge") + " " + between(s.Min.String(), s.Max.String(), isFixed(s)) + meanOf(s)
}

func (c *comparison) appendJSON(dst []byte) []byte {
	dst = append(c.header.record().AppendJSON(append(dst, `{"header":`...)), `,"profiles":`...)
	dst = strconv.AppendInt(dst, int64(c.profiles), 10)
	dst = append(dst, `,"changes":[`...)
	sep := "\n"
	for _, o := range c.others {
		if o.profiles > 0 {
			dst = c.appendChange(append(dst, sep...), o)
			sep = ",\n"
		}
	}
	return append(dst, "]}\n"...)
}

func (c *comparison) appendChange(dst []byte, o *otherReading) []byte {
	for _, f := range [...]struct{ name, value string }{
		{`{"clause":`, o.clause.String()},
		{`,"basis":`, o.clause.Basis().String()},
		{`,"key":`, o.clause.Entry().Key},
		{`,"value":`, o.value},
		{`,"instead_of":`, c.header.policy.Reading(o.clause).Value},
		{`,"first":`, o.first.String()},
	} {
		dst = strictjson.AppendString(append(dst, f.name...), f.value)
	}
	dst = strconv.AppendInt(append(dst, `,"profiles":`...), int64(o.profiles), 10)
	dst = strconv.AppendInt(append(dst, `,"refused":`...), int64(o.refused), 10)
	dst = append(dst, `,"totals":[`...)
	for i, currency := range slices.Sorted(maps.Keys(o.touched)) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strictjson.AppendString(append(dst, `{"currency":`...), currency)
		was, _ := c.was[currency].MarshalJSON() // whose error is always nil
		is, _ := c.wouldBe(o, currency).MarshalJSON()
		dst = append(append(append(append(append(dst, `,"was":`...), was...), `,"is":`...), is...), '}')
	}
	return append(dst, "]}"...)
}
