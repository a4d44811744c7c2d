package main

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/book"
	"github.com/chargecast/chargecast/internal/program"
	"github.com/chargecast/chargecast/internal/sensitivity"
	"github.com/chargecast/chargecast/internal/strictjson"
	"github.com/chargecast/chargecast/internal/tallyjson"
	"github.com/chargecast/chargecast/internal/words"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

func newAssumptions(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "assumptions",
		Short: "Shows what the document leaves open and how it is interpreted",
		Long: `assumptions lists what the document leaves open or contradicts, how chargecast
interprets it, what that is based on, and the policy key and values that select
another interpretation. chargecast explain shows one entry (L16b) or key.

The basis is stated (the document says so), inferred (it follows from its wording)
or assumed (the document is silent). --readings adds what actual charges have
shown.

With --compare it reads a payload and shows for each key what another value would
change in the forecast to --until: the first day, the number of profiles, and the
totals of the whole payload in the currencies concerned.`,
		Example: `  chargecast assumptions
  chargecast assumptions --compare payload.csv --until +1y`,
		Args: noArguments,
	}
	q := new(comparing)
	q.register(c)
	format := program.Output(c, "table", "json")
	colour := colourFlag(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		if q.path != "" {
			return q.compare(a, format.V, colour.V)
		}
		if set := firstSet(c, "until", "profile", "exclude", "state", "charged", "severity", "quiet", "input", "as-of", "policy"); set != "" {
			return usage("--"+set+" is for --compare", "chargecast assumptions --compare FILE --until DATE")
		}
		observed, err := a.readings(q.policy.readings)
		if err != nil {
			return err
		}
		if format.V == "json" {
			out := ledgerRecord{Schema: "chargecast.assumptions/1"}
			for e := range openEntries {
				out.Entries = append(out.Entries, entryOf(e, observed))
			}
			a.out.b = append(a.out.b, program.JSON(out)...)
		} else {
			a.out.b = appendLedger(a.out.b, observed, a.text(colour.V))
		}
		a.out.endLine()
		return nil
	}
	return c
}

// openEntries yields the entries of the ledger that are no clause of the document itself.
func openEntries(yield func(ledger.Entry) bool) {
	for e := range ledger.Entries() {
		if e.Clause.String()[0] >= 'A' && !yield(e) {
			return
		}
	}
}

// A ledgerRecord is the ledger.
type ledgerRecord struct {
	Schema  string        `json:"schema"`
	Entries []entryRecord `json:"entries"`
}

// An entryRecord is an entry of the ledger, or a clause of the document.
type entryRecord struct {
	ledger.Entry
	Default  string          `json:"default,omitempty"`
	Observed *observedRecord `json:"observed,omitempty"`
}

func entryOf(e ledger.Entry, observed record.Readings) entryRecord {
	to := entryRecord{Entry: e}
	if e.Key != "" {
		to.Default = e.Clause.Entry().Readings[0].Value
	}
	if r, ok := observed.Of(e.Clause); ok {
		to.Observed = &observedRecord{e.Readings[r.Value].Value, shownBy{r.Profile, r.Date}}
	}
	return to
}

// An observedRecord is a value of a key that charges have shown.
type observedRecord struct {
	Value   string  `json:"value"`
	ShownBy shownBy `json:"shown_by"`
}

type shownBy struct {
	Profile string        `json:"profile"`
	Date    calendar.Date `json:"date"`
}

func appendLedger(dst []byte, observed record.Readings, p paint) []byte {
	dst = append(dst, "What the document leaves open, and how it is read. --policy KEY=VALUE selects another reading.\n"...)
	seen := false
	for e := range openEntries {
		dst = append(dst, '\n')
		dst = p.bold(dst, e.Clause.String())
		dst = append(dst, "  "+e.Question+" ("+e.Where+", "+e.Basis.String()+")\n"...)
		if e.Key == "" {
			dst = p.wrapped(dst, "      ", e.Readings[0].Text)
			continue
		}
		width := 0
		for _, r := range e.Readings {
			width = max(width, len(e.Key)+1+len(r.Value))
		}
		for i, r := range e.Readings {
			mark := "    "
			if i == 0 {
				mark = "  * " // the default
			}
			setting, text := e.Key+"="+r.Value, r.Text
			if shown, ok := observed.Of(e.Clause); ok && shown.Value == i {
				mark, seen = mark[:2]+"="+mark[3:], true
				if i == 0 {
					mark = " *= "
				}
				text += " Observed: " + visible(shown.Profile) + " showed it on " + shown.Date.String() + "."
			}
			dst = append(dst, mark...)
			dst = p.bold(dst, setting)
			dst = append(dst, strings.Repeat(" ", width-len(setting)+2)...)
			dst = p.hanging(dst, 4+width+2, text)
		}
	}
	if dst = append(dst, "\n* the default"...); seen {
		dst = append(dst, "   = observed in charges that took place"...)
	}
	return append(dst, '\n')
}

// A comparing is the flags of assumptions --compare.
type comparing struct {
	today
	selection
	path   string
	until  dayFlag
	policy *policyFlag
}

func (q *comparing) register(c *cobra.Command) {
	c.Flags().StringVar(&q.path, "compare", "", "show what each other value would change for the payload `FILE`")
	c.Flags().Var(&q.until, "until", "with --compare: the last day of the forecast, included")
	q.today.register(c)
	q.selection.register(c)
	q.policy = policyVar(c)
	readingsVar(c, q.policy)
}

// A comparison is what other readings would change in the forecast of a payload. It
// keeps sums for each reading and currency, nothing for each profile.
type comparison struct {
	header   *header
	profiles int
	was      map[string]amount.Total // by currency
	changes  sensitivity.Changes
	found    []engine.Sensitivity // of one profile after the other
}

// add counts a profile in.
func (c *comparison) add(row *book.Profile) error {
	h := c.header
	var total amount.Total
	var err error
	c.found, total, err = engine.New(h.Policy).Sensitivities(c.found[:0], row.Stored, h.AsOf, h.window())
	if err != nil {
		return err
	}
	c.profiles++
	c.changes.Add(row.Currency, c.found)
	sum, known := c.was[row.Currency]
	if !total.IsZero() && (known || len(c.was) < sensitivity.MaxCurrencies) {
		sum.Merge(total.WithoutDraws())
		c.was[strings.Clone(row.Currency)] = sum
	}
	return nil
}

// wouldBe returns what all profiles of a currency would come to under another reading: those that
// it does not change come to what they did.
func (c *comparison) wouldBe(of *sensitivity.Change, currency string) amount.Total {
	sums, changed := c.was[currency], of.Money[currency]
	sums.Charges -= changed.Was.Charges
	if sums.Min.Sub(changed.Was.Min) != nil || sums.Max.Sub(changed.Was.Max) != nil || sums.Charges == 0 {
		return changed.Is // there are no others
	}
	sums.Merge(changed.Is)
	return sums
}

// unchanging counts the other readings that change nothing.
func (c *comparison) unchanging() (n int) {
	for key := range engine.Keys() {
		n += len(key.Entry().Readings) - 1
	}
	return n - len(c.changes)
}

// compare reads the payload and writes what other readings would change.
func (q *comparing) compare(a *app, format, colour string) error {
	a.log.quiet = q.quiet
	asOf, err := q.day(a)
	if err != nil {
		return err
	}
	h := q.newHeader(record.Header{Schema: record.SchemaCompare, AsOf: asOf, Zone: q.zone(a)})
	if err := q.policy.settle(a, h); err != nil {
		return err
	}
	if h.Until, err = q.until.lastDay("until", asOf); err != nil {
		return err
	}
	if h.Until.IsZero() || h.Until.Before(asOf) {
		return usage("--compare needs --until, a day not before the as-of date", "such as --until "+aYearFrom(asOf).String())
	}
	c := &comparison{header: h, was: map[string]amount.Total{}, changes: sensitivity.Changes{}}
	return q.read(a, []string{q.path}, h, rowHandler{row: c.add, end: func(whole bool) {
		if !whole {
			return
		}
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
	dst = append(dst, " as of "+c.header.AsOf.String()+" to "+c.header.Until.String()+", "...)
	dst = append(dst, counted(strconv.Itoa(c.profiles), "profile")+"\n"...)
	if others := otherReadings(c.header.Policy); others != "" {
		dst = append(dst, "Compared with "+others+"; the others by default\n"...)
	}
	for _, r := range c.changes.Sorted() {
		of := c.changes[r]
		dst = append(dst, '\n')
		dst = p.bold(dst, r.Clause.Key()+"="+r.Value)
		dst = append(dst, " instead of "+c.header.Policy.Reading(r.Clause).Value+" ("+r.Clause.String()+", "+c.header.Observed.BasisOf(r.Clause, c.header.Policy).String()+")\n"...)
		dst = append(dst, "  first on "+of.First.String()+", "+counted(strconv.Itoa(of.Profiles), "profile")+" changed"...)
		if of.Refused > 0 {
			dst = append(dst, ", "+strconv.Itoa(of.Refused)+" of them refused"...)
		}
		dst = append(dst, '\n')
		for _, currency := range of.Currencies() {
			dst = append(dst, "  "+pad(visible(currency), 5)+words.Sums(c.was[currency])+", would be "+words.Sums(c.wouldBe(of, currency))+"\n"...)
		}
	}
	if len(c.changes) == 0 {
		return append(dst, "\nNo other reading changes anything here.\n"...)
	}
	return append(dst, "\n"+strconv.Itoa(c.unchanging())+" other readings change nothing here\n"...)
}

// A comparisonJSON is what other readings would change.
type comparisonJSON struct {
	Header   json.RawMessage `json:"header"`
	Profiles int             `json:"profiles"`
	Changes  []changeJSON    `json:"changes"`
}

type changeJSON struct {
	Clause    string        `json:"clause"`
	Basis     ledger.Basis  `json:"basis"`
	Key       string        `json:"key"`
	Value     string        `json:"value"`
	InsteadOf string        `json:"instead_of"`
	First     calendar.Date `json:"first"`
	Profiles  int           `json:"profiles"`
	Refused   int           `json:"refused"`
	Totals    []wouldJSON   `json:"totals"`
}

type wouldJSON struct {
	Currency string          `json:"currency"`
	Was      tallyjson.Total `json:"was"`
	Is       tallyjson.Total `json:"is"`
}

var comparisonForm = strictjson.FormOf[comparisonJSON]()

func (c *comparison) appendJSON(dst []byte) []byte {
	out := comparisonJSON{Header: c.header.Header.AppendJSON(nil), Profiles: c.profiles}
	for _, r := range c.changes.Sorted() {
		of := c.changes[r]
		to := changeJSON{
			Clause: r.Clause.String(), Basis: c.header.Observed.BasisOf(r.Clause, c.header.Policy), Key: r.Clause.Key(), Value: r.Value,
			InsteadOf: c.header.Policy.Reading(r.Clause).Value, First: of.First, Profiles: of.Profiles, Refused: of.Refused,
		}
		for _, currency := range of.Currencies() {
			was, is := c.was[currency], c.wouldBe(of, currency)
			to.Totals = append(to.Totals, wouldJSON{currency, tallyjson.OfTotal(&was), tallyjson.OfTotal(&is)})
		}
		out.Changes = append(out.Changes, to)
	}
	return append(comparisonForm.Append(dst, &out), '\n')
}
