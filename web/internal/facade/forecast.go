package facade

import (
	"bytes"
	"encoding/json"
	"sort"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/book"
	"github.com/chargecast/chargecast/record"
)

// forecast answers with the charges and the end of one row, or with the records of a payload.
func (s *Server) forecast(q *request) (object, error) {
	q.By, q.Script = engine.ByCharge, nil
	b, err := s.open(q)
	if err == nil {
		err = b.check()
	}
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	o := &output{payload: b, explain: q.Explain}
	if err := o.forecast(&out); err != nil {
		return nil, err
	}
	if q.Columns == nil {
		return b.reply(&out), nil
	}
	if err := b.firstError(); err != nil {
		return nil, err
	}
	charges, end := []json.RawMessage{}, json.RawMessage("null")
	for _, line := range lines(out.Bytes()) {
		switch typeOf(line) {
		case "charge":
			charges = append(charges, line)
		case "end":
			end = line
		}
	}
	return object{"charges": charges, "end": end}, nil
}

// reply is the reply of an output: its records, and the problems of the payload.
func (b *payload) reply(out *bytes.Buffer) object {
	problems := []json.RawMessage{}
	for _, f := range b.problems {
		problems = append(problems, f.AppendJSON(nil))
	}
	return object{"records": lines(out.Bytes()), "problems": problems}
}

// typeOf is the type of a record.
func typeOf(line []byte) string {
	var r struct {
		Type string `json:"type"`
	}
	_ = json.Unmarshal(line, &r)
	return r.Type
}

// An output writes the records of a forecast or a simulation.
type output struct {
	*payload
	explain bool
	w       *record.Writer
	sums    *engine.Book // for totals by period; else nil
	sum     record.ForecastSummary
	plan    engine.Plan
	failed  error
}

func (o *output) forecast(out *bytes.Buffer) error {
	q := o.request
	if err := o.newSums(); err != nil {
		return err
	}
	input := ""
	o.rows(func(form string) {
		if input = form; o.sums == nil {
			o.begin(out, record.SchemaForecast, input, 0)
		}
	}, func(p *book.Profile) error {
		stored := p.Stored
		if o.sums != nil && q.Next == 0 {
			err := o.sums.Add(stored)
			if err == nil {
				o.count(nil, stored)
			}
			return err
		}
		if err := engine.New(o.policy).Recompile(&o.plan, stored, o.asOf); err != nil {
			return err
		}
		o.write(p, stored)
		return nil
	})
	o.finish(out, record.SchemaForecast, input, 0)
	return nil
}

// newSums makes what totals by period are added up in.
func (o *output) newSums() (err error) {
	if by := o.request.By; !by.Period(calendar.MinDate()).IsZero() {
		o.sums, err = engine.New(o.policy).NewBook(engine.Scope{AsOf: o.asOf, Window: o.window(), Explain: o.explain})
	}
	return err
}

func (o *output) begin(out *bytes.Buffer, schema record.Schema, input string, seed uint64) {
	h := o.header(schema, input)
	h.Seed = seed
	o.w = record.NewWriter(out, h, record.Options{Explain: o.explain})
}

// write writes the charges and the end of a profile, or adds them up.
func (o *output) write(p *book.Profile, stored engine.Stored) {
	w, n, last := o.window(), o.request.Next, o.window().Last()
	charges := o.plan.Charges(w)
	if n > 0 && o.plan.Count(w) >= n {
		last = dayOf(&o.plan, w, n)
	} else {
		n = 0
	}
	total := o.plan.Tally(w, o.request.Next)
	o.count(&total, stored)
	by := o.request.By
	if by == engine.ByCharge {
		o.w.Start(record.Profile{Subject: subjectOf(p)})
	}
	made := 0
	for c := range charges {
		switch {
		case by == engine.ByCharge:
			_ = o.w.Charge(&c)
		case o.sums != nil:
			if err := o.sums.AddCharge(p.Currency, c); err != nil {
				o.failed = err
			}
		}
		if made++; made == n {
			break
		}
	}
	switch {
	case by == engine.ByCharge:
		end := o.plan.End(last)
		_ = o.w.End(&end)
	case by == engine.ByProfile && !total.IsZero():
		t := record.Total{By: engine.ByProfile, Value: p.ShownID, Currency: p.Currency, Tally: total.WithoutDraws()}
		_ = o.w.Total(&t)
	}
}

// dayOf is the day of charge number n, counted from 1, of those in a window, which has as many.
func dayOf(plan *engine.Plan, w calendar.Window, n int) calendar.Date {
	first := w.First()
	days := sort.Search(w.Last().Sub(first), func(days int) bool {
		return plan.Count(calendar.Through(first, first.AddDays(days))) >= n
	})
	return first.AddDays(days)
}

// count counts a profile; charges is nil where the sums have them.
func (o *output) count(charges *amount.Tally, stored engine.Stored) {
	if o.sums == nil {
		o.sum.Count(charges)
	} else {
		o.sum.Profiles++
	}
	if engine.New(o.policy).TakesAsNew(stored, o.asOf) {
		o.sum.TakenAsNew++
	}
}

// finish ends an output: the totals, and the summary of one that was read as a whole.
func (o *output) finish(out *bytes.Buffer, schema record.Schema, input string, seed uint64) {
	whole := !o.summary.Unreadable && o.failed == nil
	if whole && o.sums != nil {
		o.begin(out, schema, input, seed)
		for t := range o.sums.Totals(engine.ByDay) {
			o.sum.Charges += t.Charges
			o.sum.CardExpired += t.CardExpired.Charges
		}
		for t := range o.sums.Totals(o.request.By) {
			r := record.TotalOf(o.request.By, &t)
			r.Tally = r.WithoutDraws()
			_ = o.w.Total(&r)
		}
	}
	if o.w == nil {
		return
	}
	if o.sum.LeftOut, o.sum.Unsendable = o.leftOut, o.unsent; whole {
		_ = o.w.Write(o.sum)
	}
	_ = o.w.Close()
}

// totals answers with the totals by a unit of time, or by profile.
func (s *Server) totals(q *request) (object, error) {
	if q.By == engine.ByCharge {
		q.By = engine.ByMonth
	}
	b, err := s.open(q)
	if err == nil {
		err = b.check()
	}
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	o := &output{payload: b, explain: q.Explain}
	if b.script != nil {
		err = o.simulate(&out)
	} else {
		err = o.forecast(&out)
	}
	if err != nil {
		return nil, err
	}
	if q.Columns != nil {
		if err := b.firstError(); err != nil {
			return nil, err
		}
	}
	if o.failed != nil {
		return nil, o.failed
	}
	return b.reply(&out), nil
}

// simulate answers with what happens under a script.
func (s *Server) simulate(q *request) (object, error) {
	q.By = engine.ByCharge
	b, err := s.open(q)
	if err == nil {
		err = b.check()
	}
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	o := &output{payload: b, explain: q.Explain}
	if err := o.simulate(&out); err != nil {
		return nil, err
	}
	if q.Columns != nil {
		if err := b.firstError(); err != nil {
			return nil, err
		}
	}
	return b.reply(&out), nil
}

// simulation is the days of a profile with its script.
func (b *payload) simulation(p *book.Profile) engine.Simulation {
	script := b.script.Of(p.OrderID())
	return engine.Simulation{
		Stored: p.Stored, AsOf: b.asOf, Until: b.window().Last(), Seed: b.request.Seed, Steps: script.Steps, Outcomes: script.Outcomes,
	}
}

func (o *output) simulate(out *bytes.Buffer) error {
	q := o.request
	if err := o.newSums(); err != nil {
		return err
	}
	input := ""
	o.rows(func(form string) {
		if input = form; o.sums == nil {
			o.begin(out, record.SchemaSimulate, input, q.Seed)
		}
	}, o.live)
	o.sum.Unused = new(o.script.UnusedLines())
	o.finish(out, record.SchemaSimulate, input, q.Seed)
	o.script.Finish("script")
	return nil
}

// live writes the simulation of a profile.
func (o *output) live(p *book.Profile) error {
	q, e := o.request, engine.New(o.policy)
	sim := o.simulation(p)
	if _, err := e.Compile(sim.Stored, o.asOf); err != nil {
		return err
	}
	by, made, last := q.By, 0, sim.Until
	var sum amount.Tally
	if by == engine.ByCharge {
		o.w.Start(record.Profile{Subject: subjectOf(p)})
	}
	after, err := e.Simulate(sim, func(effect engine.Effect) bool {
		switch effect.Kind {
		case engine.EffectEvent:
			if by == engine.ByCharge {
				_ = o.w.Event(&effect)
			}
		case engine.EffectCharge:
			c := &effect.Charge
			o.script.Attempted(p.OrderID(), c.Repeat)
			if !o.window().Contains(c.Date) {
				break
			}
			made++
			c.AddTo(&sum)
			switch {
			case by == engine.ByCharge:
				_ = o.w.Charge(c)
			case o.sums != nil:
				if err := o.sums.AddCharge(p.Currency, *c); err != nil {
					o.failed = err
				}
			}
			if made == q.Next {
				last = c.Date
			}
		case engine.EffectStop:
		}
		return q.Next == 0 || made < q.Next
	})
	if err != nil {
		return err
	}
	end, err := e.End(after, last)
	if err != nil {
		return err
	}
	o.count(&sum, sim.Stored)
	switch {
	case by == engine.ByCharge:
		_ = o.w.End(&end)
	case by == engine.ByProfile && !sum.IsZero():
		t := record.Total{By: engine.ByProfile, Value: p.ShownID, Currency: p.Currency, Tally: sum.WithoutDraws()}
		_ = o.w.Total(&t)
	}
	return nil
}
