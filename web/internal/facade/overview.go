package facade

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/book"
	"github.com/chargecast/chargecast/internal/sensitivity"
	"github.com/chargecast/chargecast/internal/tallyjson"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// mostListed is how many charges, profiles, cards and problems of a code an overview lists where it
// is not said.
const mostListed = 500

// A listed profile is one with what it comes to.
type listed struct {
	Profile string          `json:"profile"`
	Row     int             `json:"row"`
	Total   json.RawMessage `json:"total,omitempty"`
	End     json.RawMessage `json:"end"`
	Card    string          `json:"card_expires,omitempty"`
}

// An overviewing reads a payload once and keeps what a page shows.
type overviewing struct {
	*payload
	sum      record.ForecastSummary
	sums     *engine.Book
	listed   []listed
	charges  []json.RawMessage
	events   []json.RawMessage
	cards    []listed
	profiles int
	plan     engine.Plan
	shown    ledger.Because // what the listed charges rest on
	failed   error
}

// overview answers with all that a page shows of a payload: the first charges, profiles and
// problems with how many there are, and totals by day, month and quarter of all.
func (s *Server) overview(q *request) (object, error) {
	if q.Most <= 0 {
		q.Most = mostListed
	}
	b, err := s.open(q)
	if err == nil {
		err = b.check()
	}
	if err != nil {
		return nil, err
	}
	b.most = q.Most
	o := &overviewing{payload: b, listed: []listed{}, charges: []json.RawMessage{}, events: []json.RawMessage{}, cards: []listed{}}
	if o.sums, err = engine.New(b.policy).NewBook(engine.Scope{AsOf: b.asOf, Window: b.window()}); err != nil {
		return nil, err
	}
	input := ""
	add := o.add
	if b.script != nil {
		add = o.live
	}
	b.rows(func(form string) { input = form }, add)
	if o.failed != nil {
		return nil, o.failed
	}
	if b.script != nil {
		o.sum.Unused = new(b.script.UnusedLines())
		b.script.Finish("script")
	}
	return o.reply(input), nil
}

func (o *overviewing) reply(input string) object {
	schema := record.SchemaForecast
	if o.script != nil {
		schema = record.SchemaSimulate
	}
	h := o.header(schema, input)
	o.sum.LeftOut, o.sum.Unsendable = o.leftOut, o.unsent
	totals := func(by engine.By) []json.RawMessage {
		list := []json.RawMessage{}
		for t := range o.sums.Totals(by) {
			r := record.TotalOf(by, &t)
			r.Tally = r.WithoutDraws()
			list = append(list, r.AppendJSON(nil))
		}
		return list
	}
	days := totals(engine.ByDay)
	whole := map[string]amount.Total{}
	for t := range o.sums.Totals(engine.ByDay) {
		o.sum.Charges += t.Charges
		o.sum.CardExpired += t.CardExpired.Charges
		sum := whole[t.Currency]
		sum.Merge(t.Tally.Total.WithoutDraws())
		whole[t.Currency] = sum
	}
	sums := []object{}
	for _, currency := range slices.Sorted(maps.Keys(whole)) {
		sum := whole[currency]
		sums = append(sums, object{"currency": currency, "total": tallyjson.OfTotal(&sum)})
	}
	reply := o.payload.reply(new(bytes.Buffer))
	delete(reply, "records")
	reply["header"], reply["summary"] = json.RawMessage(h.AppendJSON(nil)), json.RawMessage(o.sum.AppendJSON(nil))
	reply["charges"], reply["events"], reply["profiles"], reply["cards"] = o.charges, o.events, o.listed, o.cards
	reply["days"], reply["months"], reply["quarters"] = days, totals(engine.ByMonth), totals(engine.ByQuarter)
	reply["sums"], reply["currencies"] = sums, len(whole)
	reply["counts"], reply["rows"], reply["valid"] = o.counts, o.summary.Rows, o.summary.Valid
	reply["unreadable"], reply["input"] = o.summary.Unreadable, input
	reply["readings"] = o.readings()
	return reply
}

// readings are the policy keys on which the listed charges rest, with their values.
func (o *overviewing) readings() []object {
	list := []object{}
	for c := range engine.Keys() {
		e := c.Entry()
		choices := []choice{}
		for _, r := range e.Readings {
			choices = append(choices, choice{r.Value, r.Text})
		}
		list = append(list, object{
			"key": e.Key, "clause": c.String(), "question": e.Question, "value": o.policy.Reading(c).Value, "default": e.Readings[0].Value,
			"basis": o.observed.BasisOf(c, o.policy).String(), "matters": o.shown.Has(c), "choices": choices,
		})
	}
	return list
}

// add counts a profile in, and lists it while there is room.
func (o *overviewing) add(p *book.Profile) error {
	stored := p.Stored
	listed := o.profiles < o.request.Most
	if err := o.sums.Add(stored); err != nil {
		return err
	}
	o.count(p, stored)
	expires := stored.Profile.CardExpires
	expired := !expires.IsZero() && !expires.After(o.window().Last())
	if !listed && len(o.charges) >= o.request.Most && (!expired || len(o.cards) >= o.request.Most) {
		return nil
	}
	if err := engine.New(o.policy).Recompile(&o.plan, stored, o.asOf); err != nil {
		return err
	}
	end, w := o.plan.End(o.window().Last()), o.window()
	l := o.entry(p, o.plan.Tally(w, 0), &end)
	if listed {
		o.listed = append(o.listed, l)
	}
	if expired && len(o.cards) < o.request.Most && o.plan.Tally(w, 0).CardExpired.Charges > 0 {
		o.cards = append(o.cards, l)
	}
	for c := range o.plan.Charges(w) {
		if len(o.charges) >= o.request.Most {
			break
		}
		o.list(p, &c)
	}
	return nil
}

func (o *overviewing) count(p *book.Profile, stored engine.Stored) {
	o.profiles++
	o.sum.Profiles++
	if engine.New(o.policy).TakesAsNew(stored, o.asOf) {
		o.sum.TakenAsNew++
	}
}

// entry is a profile of the list.
func (o *overviewing) entry(p *book.Profile, t amount.Tally, end *engine.End) listed {
	l := listed{Profile: p.ShownID, Row: p.Number}
	if expires := p.Profile().CardExpires; !expires.IsZero() {
		l.Card = expires.String()[:len("2026-03")]
	}
	if !t.IsZero() {
		r := record.Total{By: engine.ByProfile, Value: p.ShownID, Currency: p.Currency, Tally: t.WithoutDraws()}
		l.Total = r.AppendJSON(nil)
	}
	l.End = record.End{Subject: subjectOf(p), End: *end}.AppendJSON(nil)
	return l
}

// list adds a charge to the list, with its basis.
func (o *overviewing) list(p *book.Profile, c *engine.Charge) {
	o.shown = o.shown.And(c.Because)
	basis := o.observed.Basis(c.Because, o.policy).String()
	plain := *c
	plain.Because = ledger.Because{}
	line := record.Charge{Subject: subjectOf(p), Charge: plain}.AppendJSON(nil)
	line = append(line[:len(line)-1], `,"basis":`...)
	line = append(append(line, appendJSON(basis)...), `,"on":`...)
	o.charges = append(o.charges, append(append(line, appendJSON(c.Because.String())...), '}'))
}

// live counts the simulation of a profile in.
func (o *overviewing) live(p *book.Profile) error {
	e, sim := engine.New(o.policy), o.simulation(p)
	if _, err := e.Compile(sim.Stored, o.asOf); err != nil {
		return err
	}
	listed := o.profiles < o.request.Most
	var sum amount.Tally
	after, err := e.Simulate(sim, func(effect engine.Effect) bool {
		switch effect.Kind {
		case engine.EffectEvent:
			if len(o.events) < o.request.Most {
				o.events = append(o.events, record.EventOf(subjectOf(p), &effect).AppendJSON(nil))
			}
		case engine.EffectCharge:
			c := &effect.Charge
			o.script.Attempted(p.OrderID(), c.Repeat)
			if !o.window().Contains(c.Date) {
				break
			}
			c.AddTo(&sum)
			if err := o.sums.AddCharge(p.Currency, *c); err != nil {
				o.failed = err
			}
			if len(o.charges) < o.request.Most {
				o.list(p, c)
			}
		case engine.EffectStop:
		}
		return true
	})
	if err != nil {
		return err
	}
	o.count(p, sim.Stored)
	end, err := e.End(after, o.window().Last())
	if err == nil && listed {
		o.listed = append(o.listed, o.entry(p, sum, &end))
	}
	return err
}

// compare answers with what each other reading would change: the first day, the profiles, and by
// currency what the profiles that it changes come to under both.
func (s *Server) compare(q *request) (object, error) {
	b, err := s.open(q)
	if err == nil {
		err = b.check()
	}
	if err != nil {
		return nil, err
	}
	b.most = 1
	changes := sensitivity.Changes{}
	var found []engine.Sensitivity
	b.rows(nil, func(p *book.Profile) (err error) {
		found, _, err = engine.New(b.policy).Sensitivities(found[:0], p.Stored, b.asOf, b.window())
		changes.Add(p.Currency, found)
		return err
	})
	list := []object{}
	for _, r := range changes.Sorted() {
		c, totals := changes[r], []object{}
		for _, currency := range c.Currencies() {
			m := c.Money[currency]
			totals = append(totals, object{"currency": currency, "was": tallyjson.OfTotal(&m.Was), "is": tallyjson.OfTotal(&m.Is)})
		}
		list = append(list, object{
			"key": r.Clause.Key(), "value": r.Value, "clause": r.Clause.String(), "instead_of": b.policy.Reading(r.Clause).Value,
			"first": c.First, "profiles": c.Profiles, "refused": c.Refused, "totals": totals,
		})
	}
	return object{"records": list}, nil
}
