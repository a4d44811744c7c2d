package reconcile_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/oracle"
	"github.com/chargecast/chargecast/reconcile"
	"github.com/chargecast/chargecast/record"
)

// A GatewayCase is a gateway with readings of its own: the profiles that it has, and what a bank says that it charged.
type GatewayCase struct {
	Rows          []GatewayRow
	AsOf, Through calendar.Date
	Lag           int
	Policy        engine.Policy // of the gateway
	Lines         []GatewayLine
	Shuffle       uint64 // draws another order of rows and lines
	Extra         int    // draws a key
}

// A GatewayRow is a profile and what happens to it besides its runs.
type GatewayRow struct {
	gen.Job
	Steps     []engine.Step
	Declined  []uint64
	Disturbed bool // its lines are not what was charged
}

// A GatewayLine is a line of a bank's file: a charge, or a day on which there was none.
type GatewayLine struct {
	Number   int // from 1; it names the line in any order
	Profile  string
	Date     calendar.Date
	Amount   amount.Amount
	Negative bool
	Currency string
	Declined bool
	None     bool
}

// Script is what happens to the row as the engine takes it.
func (r GatewayRow) Script() record.Script {
	return gen.LogCase{Steps: r.Steps, Declined: r.Declined}.Script()
}

// Simulation is the row as the engine simulates it.
func (c *GatewayCase) Simulation(r *GatewayRow) engine.Simulation {
	script := r.Script()
	return engine.Simulation{
		Stored: r.Stored(), AsOf: c.AsOf, Until: c.Through, Steps: script.Steps, Outcomes: script.Outcomes, Undrawn: true,
	}
}

// Life is what a gateway with a policy does with a row up to Through; none where it refuses the row.
func (c *GatewayCase) Life(r *GatewayRow, p engine.Policy) []oracle.Record {
	m := gen.Lived(p, c.Simulation(r), oracle.Right())
	if m == nil {
		return nil
	}
	return m.Records
}

// Charges are those of a life.
func (c *GatewayCase) Charges(r *GatewayRow, p engine.Policy) []engine.Charge {
	return gen.ChargesFromOracle(c.Life(r, p))
}

// String is the case with its rows and lines one a line.
func (c GatewayCase) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "as-of=%v through=%v lag=%d policy=%v", c.AsOf, c.Through, c.Lag, c.Policy)
	for _, r := range c.Rows {
		l := gen.LogCase{PlanCase: gen.PlanCase{Job: r.Job}, Steps: r.Steps, Declined: r.Declined}
		fmt.Fprintf(&b, "\n%s: %v", r.Profile.ID, l)
	}
	for _, l := range c.Lines {
		fmt.Fprintf(&b, "\n%v", l)
	}
	return b.String()
}

// String is the line as a file has it.
func (l GatewayLine) String() string {
	text := l.Amount.String()
	if l.Negative {
		text = "-" + text
	}
	outcome := ""
	switch {
	case l.None:
		text, outcome = "", "none"
	case l.Declined:
		outcome = "declined"
	}
	return strings.Join([]string{l.Profile, l.Date.String(), text, l.Currency, outcome}, ";")
}

const (
	gatewayDays    = 90  // of a gateway case
	gatewayEdge    = 900 // days from the ends of the calendar where only one row is drawn: others cannot be moved there
	mostGateway    = 48  // policies that can be told apart on a row
	mostOfTemplate = 12  // … of a book
)

// Gateways draws gateways of one to four profiles with any policy, and what they charged.
func Gateways(r gen.Chooser) GatewayCase {
	c := gateway(r, 4, 3, mostGateway)
	for i := range c.Rows {
		for _, l := range statement(r, &c, &c.Rows[i]) {
			c.line(l)
		}
		nones(r, &c, &c.Rows[i])
	}
	return c
}

// gateway draws a case without lines.
func gateway(r gen.Chooser, rows, steps, most int) GatewayCase {
	c := GatewayCase{Policy: anyPolicy(r)}
	days := r.In(0, gatewayDays)
	if r.Chance(30) {
		c.Lag = r.In(1, 9)
	}
	for len(c.Rows) == 0 || r.More(len(c.Rows), rows, 55) {
		p := gen.Plans(r)
		p.C = days
		l := gen.LogCase{PlanCase: p}
		for r.More(len(l.Steps), steps, 40) {
			s := engine.Step{Event: r.Event(l), After: r.Chance(50)}
			s.Date = gen.Moved(l.AsOf, r.In(0, days))
			l.Steps = append(l.Steps, s)
		}
		if r.Chance(25) {
			l.Declined = []uint64{uint64(r.In(0, 5))}
		}
		if len(c.Rows) == 0 {
			c.AsOf, c.Through = l.AsOf, gen.Moved(l.AsOf, days)
		}
		row := rowOf(l, c.AsOf)
		row.Profile.ID = "p" + strconv.Itoa(len(c.Rows)+1)
		c.plainer(&row, most)
		c.Rows = append(c.Rows, row)
		if c.AsOf.Sub(calendar.MinDate()) < gatewayEdge || calendar.MaxDate().Sub(c.AsOf) < gatewayEdge {
			break
		}
	}
	c.Shuffle, c.Extra = r.Uint64(), r.Below(len(slices.Collect(engine.Keys())))
	return c
}

// rowOf is the log as a row, moved to another day of creation.
func rowOf(l gen.LogCase, asOf calendar.Date) GatewayRow {
	row := GatewayRow{Job: l.Job, Steps: l.Steps, Declined: l.Declined}
	if by := asOf.Sub(l.AsOf); by != 0 {
		if l.AsOf.Sub(calendar.MinDate()) < gatewayEdge || calendar.MaxDate().Sub(l.AsOf) < gatewayEdge {
			row.State, row.Profile.Start, row.Profile.Finish, row.AsOf = engine.State{}, asOf, calendar.Date{}, asOf
			row.Steps = nil
			return row
		}
		gen.MoveDays(&row.Job, by)
		for i := range row.Steps {
			row.Steps[i].Date = row.Steps[i].Date.AddDays(by)
		}
	}
	return row
}

// plainer leaves out steps and state of a row on which too many policies can be told apart.
func (c *GatewayCase) plainer(row *GatewayRow, most int) {
	for {
		s := c.Simulation(row)
		n := 1
		for _, key := range reconcile.PolicyKeys(&s) {
			n *= len(key.Entry().Readings)
		}
		switch {
		case n <= most:
			return
		case len(row.Steps) > 0:
			row.Steps = row.Steps[:len(row.Steps)-1]
		case row.State.Status != 0:
			row.State = engine.State{}
		case !row.Profile.Finish.IsZero():
			row.Profile.Finish = calendar.Date{}
		default:
			row.Profile.MaxRepeats = engine.Limit{}
			return
		}
	}
}

// anyPolicy is any of all.
func anyPolicy(r gen.Chooser) engine.Policy {
	var p engine.Policy
	for key := range engine.Keys() {
		if r.Chance(50) {
			p = p.WithReading(key, r.Below(len(key.Entry().Values())))
		}
	}
	return r.Asked(p)
}

func (c *GatewayCase) line(l GatewayLine) {
	l.Number = len(c.Lines) + 1
	c.Lines = append(c.Lines, l)
}

// statement is what a bank says of a row: every charge, perhaps late where it can be taken for no other one.
func statement(r gen.Chooser, c *GatewayCase, row *GatewayRow) (list []GatewayLine) {
	charges := c.Charges(row, c.Policy)
	for i, charge := range charges {
		l := GatewayLine{Profile: row.Profile.ID, Date: charge.Date, Amount: gen.Pick(r, charge.Min, charge.Max)}
		if charge.Outcome == engine.OutcomeDeclined {
			if l.Declined = true; r.Chance(50) {
				continue
			}
		}
		alone := (i == 0 || charges[i-1].Date.Before(charge.Date)) && (i+1 == len(charges) || charges[i+1].Date.Sub(charge.Date) > c.Lag)
		if alone && c.Lag > 0 && r.Chance(30) {
			l.Date = gen.Moved(l.Date, r.In(0, c.Lag))
		}
		if r.Chance(20) {
			l.Currency = row.Profile.Currency
		}
		list = append(list, l)
	}
	return list
}

// nones are days on which somebody looked and nothing was charged.
func nones(r gen.Chooser, c *GatewayCase, row *GatewayRow) {
	for r.Chance(20) {
		day := gen.Moved(c.AsOf, r.In(0, gatewayDays))
		if !slices.ContainsFunc(c.Lines, func(l GatewayLine) bool { return l.Profile == row.Profile.ID && l.Date == day }) {
			c.line(GatewayLine{Profile: row.Profile.ID, Date: day, None: true})
		}
	}
}

// DisturbedGateways draws as [Gateways], but lines are lost, doubled, moved and altered, and there are such as no charge
// of any policy makes.
func DisturbedGateways(r gen.Chooser) GatewayCase {
	c := gateway(r, 4, 2, mostGateway)
	for i := range c.Rows {
		row := &c.Rows[i]
		for _, l := range statement(r, &c, row) {
			if r.Chance(85) {
				c.line(l)
				continue
			}
			row.Disturbed = true
			for _, d := range disturbed(r, l) {
				c.line(d)
			}
		}
	}
	for r.Chance(30) {
		l := GatewayLine{Profile: c.Rows[r.Below(len(c.Rows))].Profile.ID, Date: gen.Moved(c.AsOf, r.Around(-5, gatewayDays+9)), Amount: gen.Minor(int64(r.In(0, 3)), 0)}
		switch r.Below(4) {
		case 0:
			l.Profile = "nobody"
		case 1:
			l.Currency = "XTS"
		case 2:
			l.Negative = true
		}
		c.line(l)
	}
	for i := range c.Rows {
		nones(r, &c, &c.Rows[i])
	}
	return c
}

// disturbed is what becomes of a line: it is lost, doubled, moved or altered.
func disturbed(r gen.Chooser, l GatewayLine) []GatewayLine {
	switch r.Below(4) {
	case 0:
		return nil
	case 1:
		return []GatewayLine{l, l}
	case 2:
		l.Date = gen.Moved(l.Date, r.Around(-9, 9))
	case 3:
		l.Amount = gen.Minor(777, 2)
	}
	return []GatewayLine{l}
}

// bookRows is how many profiles a book has that is disturbed.
const bookRows = 200

// DisturbedBooks draws books of 200 profiles of which up to a tenth of the lines are lost, doubled, moved or altered.
func DisturbedBooks(r gen.Chooser) GatewayCase {
	c := gateway(r, 6, 1, mostOfTemplate)
	kinds := c.Rows
	c.Rows, c.Lag = nil, 0
	var statements [][]GatewayLine
	for i := range kinds {
		statements = append(statements, statement(r, &c, &kinds[i]))
	}
	chance := r.In(0, 9)
	lines, altered := 0, 0
	for n := range bookRows {
		row := kinds[n%len(kinds)]
		row.Profile.ID = "p" + strconv.Itoa(n+1)
		for _, l := range statements[n%len(kinds)] {
			l.Profile = row.Profile.ID
			if lines++; 10*(altered+1) > lines || !r.Chance(chance) {
				c.line(l)
				continue
			}
			altered++
			row.Disturbed = true
			for _, d := range disturbed(r, l) {
				c.line(d)
			}
		}
		c.Rows = append(c.Rows, row)
	}
	return c
}

// A ProbeCase asks for an experiment, and says which readings the gateway has.
type ProbeCase struct {
	AsOf   calendar.Date
	Policy engine.Policy // of the gateway
	Row    uint64        // draws a row of the experiment
}

// Probes draws experiments.
func Probes(r gen.Chooser) ProbeCase {
	c := ProbeCase{AsOf: r.Date(), Policy: anyPolicy(r), Row: r.Uint64()}
	if first := calendar.MinDate().AddDays(99); c.AsOf.Before(first) {
		c.AsOf = first
	}
	if last := calendar.MaxDate().AddDays(-800); c.AsOf.After(last) {
		c.AsOf = last
	}
	return c
}

// An ObservedCase is a forecast under readings some of which were observed.
type ObservedCase struct {
	gen.PlanCase
	Observed record.Readings
}

// ObservedPlans draws as gen.Plans, with readings.
func ObservedPlans(r gen.Chooser) ObservedCase {
	c := ObservedCase{PlanCase: gen.Plans(r)}
	var list []record.ObservedReading
	for key := range engine.Keys() {
		values := key.Entry().Values()
		if i := r.Below(len(values)); r.Chance(30) && values[i] != "reject" {
			list = append(list, record.ObservedReading{Key: key, Value: i, Profile: "shown-by", Date: c.AsOf})
		}
	}
	c.Observed, _ = record.NewReadings(list...) // each key once, with one of its values
	return c
}
