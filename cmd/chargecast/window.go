package main

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/program"
	"github.com/chargecast/chargecast/ledger"
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

// A dayFlag is a day as a flag says it: 2026-06-30, 30.06.2026, and for a window also the month 2026-06, the quarter
// 2026-Q3, or a distance from the as-of date such as +90d. The zero value is a flag that was not given.
type dayFlag struct {
	text        string
	first, last calendar.Date // of the day, the month or the quarter; zero for a distance
	distance    int           // in units
	unit        calendar.Unit // UnitNone for no distance
	dayOnly     bool          // the flag is a day, and bounds no window
	mayEnd      bool          // it may be "end", of each profile
	isEnd       bool          // … and is
}

func (d *dayFlag) String() string { return d.text }
func (*dayFlag) Type() string     { return "DATE" }

func (d *dayFlag) isSet() bool { return d.text != "" }

// distanceUnits are the letters of a distance, in days or months.
var distanceUnits = [...]struct {
	letter byte
	unit   calendar.Unit
	of     int
}{
	{'d', calendar.UnitDay, 1},
	{'w', calendar.UnitDay, 7},
	{'m', calendar.UnitMonth, 1},
	{'y', calendar.UnitMonth, 12},
}

// maxDistance is more than the calendar has, in any unit.
const maxDistance = 9_999_999

func (d *dayFlag) Set(s string) error {
	of := dayFlag{text: s, dayOnly: d.dayOnly, mayEnd: d.mayEnd}
	var err error
	switch quarter, isQuarter := cutQuarter(s); {
	case d.mayEnd && s == "end":
		of.isEnd = true
	case d.dayOnly:
		of.first, err = parseDay(s)
		of.last = of.first
	case s != "" && s[0] == '+':
		err = of.setDistance(s[1:])
	case isQuarter:
		err = of.setMonths(s[:len("2026")]+quarter, 3)
	case len(s) == len("2026-06"):
		err = of.setMonths(s, 1)
	default:
		of.first, err = parseDay(s)
		of.last = of.first
	}
	switch {
	case errors.Is(err, calendar.ErrNotADay):
		return noSuchDay(isoOf(s), err)
	case err != nil && d.dayOnly:
		return usage("not a date", "write a day as 2026-01-31 or 31.01.2026")
	case err != nil:
		return usage("not a date", "write a day as 2026-01-31 or 31.01.2026, a month as 2026-01, a quarter as 2026-Q1, or a distance from the as-of date as +90d, +2w, +3m or +1y")
	}
	*d = of
	return nil
}

// cutQuarter returns the first month of a quarter, "2026-Q3", as "-07".
func cutQuarter(s string) (month string, ok bool) {
	if len(s) != len("2026-Q3") || s[4:6] != "-Q" || s[6] < '1' || s[6] > '4' {
		return "", false
	}
	return [...]string{"-01", "-04", "-07", "-10"}[s[6]-'1'], true
}

// setMonths sets so many months, of which the first is written 2026-06.
func (d *dayFlag) setMonths(month string, n int) (err error) {
	if d.first, err = calendar.Parse(month + "-01"); err != nil {
		return err
	}
	d.last = calendar.MaxDate()
	if next, ok := after(d.first, calendar.UnitMonth, n); ok {
		d.last = next.AddDays(-1)
	}
	return nil
}

// isoOf returns a day that is written as in payloads, 31.01.2026, or without zeros, 31.1.2026, in ISO form, and any other text as it is.
func isoOf(s string) string {
	day, rest, _ := strings.Cut(s, ".")
	month, year, ok := strings.Cut(rest, ".")
	if !ok || day == "" || len(day) > 2 || month == "" || len(month) > 2 {
		return s
	}
	return year + "-" + ("0" + month)[len(month)-1:] + "-" + ("0" + day)[len(day)-1:]
}

// parseDay reads a day in one of the two forms.
func parseDay(s string) (calendar.Date, error) { return calendar.Parse(isoOf(s)) }

// noSuchDay refuses a day that the calendar does not have, of which s is the text in ISO form: the
// help is about the part that is wrong.
func noSuchDay(s string, err error) error {
	help := "the calendar goes from 0001-01-01 to 9999-12-31"
	wrong, _ := errors.AsType[*calendar.Error](err)
	switch {
	case wrong == nil:
	case wrong.Part == "month":
		help = "months go from 01 to 12"
	case wrong.Part == "day":
		// The day alone is wrong, so that the month has a first one.
		if first, err := calendar.Parse(s[:len("2026-02-")] + "01"); err == nil {
			year, month, _ := first.Date()
			help = month.String() + " " + first.String()[:len("2026")] + " has " + strconv.Itoa(calendar.DaysIn(year, month)) + " days"
		}
	}
	return usage("no such day", help)
}

var errDistance = errors.New("not a distance")

func (d *dayFlag) setDistance(s string) error {
	if s == "" {
		return errDistance
	}
	n, ok := program.WholeNumber(s[:len(s)-1])
	for _, u := range distanceUnits {
		if ok && u.letter == s[len(s)-1] {
			d.distance, d.unit = int(min(n, maxDistance))*u.of, u.unit
			return nil
		}
	}
	return errDistance
}

// firstDay returns the day that the flag says, of a month the first.
func (d *dayFlag) firstDay(name string, asOf calendar.Date) (calendar.Date, error) {
	return d.resolve(name, d.first, asOf)
}

// lastDay returns the day that the flag says, of a month the last, and of a distance the day before its end, so that a
// year has no day twice; the zero Date if it was not given.
func (d *dayFlag) lastDay(name string, asOf calendar.Date) (calendar.Date, error) {
	end, err := d.resolve(name, d.last, asOf)
	switch {
	case err != nil || d.unit == calendar.UnitNone:
		return end, err
	case d.distance == 0:
		return end, usage("--"+name+" ends before it begins", "a distance from the as-of date is at least one day, such as +1d, which is that date")
	}
	return end.AddDays(-1), nil
}

func (d *dayFlag) resolve(name string, written, asOf calendar.Date) (calendar.Date, error) {
	switch {
	case d.unit == calendar.UnitNone:
		return written, nil
	case d.distance == 0:
		return asOf, nil
	}
	day, ok := after(asOf, d.unit, d.distance)
	if !ok {
		return day, usage("--"+name+" is after the last day of the calendar, 9999-12-31", "give a shorter distance from the as-of date, "+asOf.String())
	}
	return day, nil
}

// after returns the day so many units after another, clamped to the end of the month; false if it is
// after the calendar.
func after(d calendar.Date, unit calendar.Unit, distance int) (calendar.Date, bool) {
	steps, err := calendar.NewSchedule(d, unit, distance, calendar.MonthEndClamp)
	if err != nil {
		return calendar.Date{}, false
	}
	return steps.At(1)
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
