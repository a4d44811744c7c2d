package gateway

import (
	"context"
	"errors"
	"iter"
	"maps"
	"time"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

// Package engine alone decides what happens to a profile. This file stores what it decides.

// A tally counts what a transaction did.
type tally struct{ charges, stops, callbacks int }

// A transaction stores the effects on profiles in one transaction of the store.
type transaction struct {
	g          *Gateway
	tx         Tx
	outcome    decider
	faults     activeFaults
	creates    bool // it keeps what a create request does
	early      bool // a callback is to be sent before the request is answered
	plan       engine.Plan
	done       tally
	last       Merchant   // the merchant of the last callback
	deliveries []delivery // the callbacks that were made, to be sent once the transaction is durable

	held     []Callback // those that faults delay
	heldRead bool
}

func (g *Gateway) transaction(tx Tx) *transaction {
	return &transaction{g: g, tx: tx, outcome: decider{g: g, tx: tx}, faults: activeFaults{g: g, tx: tx}}
}

// flush writes what outcomes and faults have decided.
func (t *transaction) flush() error { return errors.Join(t.outcome.flush(), t.faults.flush()) }

// schedule finds on which day something will next happen to a profile, whose run of the day now has
// taken place.
func (t *transaction) schedule(p *Profile, now calendar.Date) error {
	p.Next, p.Due = calendar.Date{}, calendar.Date{}
	if p.Stored.State.Status != engine.StatusActive || now == calendar.MaxDate() {
		return nil
	}
	if err := engine.New(t.g.config.Policy).Recompile(&t.plan, p.Stored.Under(t.g.config.Policy), now.AddDays(1)); err != nil {
		return err
	}
	for c := range t.plan.Next(1) {
		p.Next = c.Date
	}
	p.Due = p.Next
	if stop := t.plan.Stop().Date; !stop.IsZero() && (p.Due.IsZero() || stop.Before(p.Due)) {
		p.Due = stop
	}
	return nil
}

// keep stores a profile with the effects of an event or a run on the day now. The effects get what
// a simulation adds to them: outcomes and drawn amounts.
func (t *transaction) keep(p *Profile, effects []engine.Effect, now calendar.Date) ([]Charge, error) {
	if err := t.schedule(p, now); err != nil {
		return nil, err
	}
	if err := t.tx.Profiles().Put(*p); err != nil {
		return nil, err
	}
	var charges []Charge
	for i := range effects {
		switch e := &effects[i]; e.Kind {
		case engine.EffectStop:
			t.done.stops++
		case engine.EffectCharge:
			c, err := t.charge(p, &e.Charge)
			if err != nil {
				return nil, err
			}
			charges = append(charges, c)
		case engine.EffectEvent:
		}
	}
	return charges, nil
}

// charge stores an attempt and its callback, and completes it in place.
func (t *transaction) charge(p *Profile, c *engine.Charge) (Charge, error) {
	a := c.Amount(amount.NewSeed(t.g.config.Seed, p.Stored.Profile.ID))
	c.Min, c.Max = a, a
	c.Outcome = engine.OutcomeApproved
	decided, err := t.outcome.decide(p, c)
	if err == nil && !decided {
		var f *Fault
		if f, err = t.faults.use(FaultDecline, p.Login, c.Date, p.ClientOrderID); f != nil {
			c.Outcome = engine.OutcomeDeclined
		}
	}
	if err != nil {
		return Charge{}, err
	}
	table := t.tx.Charges()
	id, err := table.NextID()
	if err != nil {
		return Charge{}, err
	}
	made := Charge{
		ID: id, Profile: p.ID, Login: p.Login, ClientOrderID: p.ClientOrderID, Currency: p.Stored.Profile.Currency,
		Callback: shownURL(p.Callback), Charge: *c,
	}
	if err := table.Put(made); err != nil {
		return Charge{}, err
	}
	t.done.charges++
	return made, t.callback(p, &made)
}

// current returns the state of a stored profile on a day up to which nothing happened to it. A
// gateway that is opened with another policy goes on under that one.
func current(s engine.Stored, now calendar.Date, pol engine.Policy) (engine.Stored, error) {
	s = s.Under(pol)
	if s.State.RanThrough == now {
		return s, nil
	}
	s, effects, err := engine.New(pol).Advance(s, now)
	if err == nil && len(effects) > 0 {
		err = errors.New("gateway: a day on which a profile was due was left out")
	}
	return s, err
}

// An Applied is what an event did.
type Applied struct {
	At      time.Time // the machine's time
	Effects []engine.Effect
	Charges []Charge // the charges among the effects, in order
	Profile Profile
}

// A Refused is the error of an event that was refused: the status of the profile forbids it, or its
// result would break a rule.
type Refused struct {
	ledger.Finding // with the code EventRefused
	Refusal        *engine.Error
}

// Unwrap returns the finding and the refusal.
func (r *Refused) Unwrap() []error { return []error{r.Finding, r.Refusal} }

// Apply applies an event to a profile on the day that the clock shows, after that day's run; the
// date of the event is set. The error is a [*Refused] that changes nothing, or has the code
// [NotFound].
func (g *Gateway) Apply(ctx context.Context, id ID, e engine.Event) (Applied, error) {
	return g.apply(ctx, id, e, func(*Profile) error { return nil })
}

// apply applies an event, and what else it changes if it is accepted.
func (g *Gateway) apply(ctx context.Context, id ID, e engine.Event, also func(*Profile) error) (Applied, error) {
	a := Applied{At: g.config.Now()}
	var t *transaction
	err := g.store.Update(ctx, func(tx Tx) error {
		clock, err := tx.Clock()
		if err != nil {
			return err
		}
		if a.Profile, err = tx.Profiles().Get(id); err != nil {
			return err
		}
		now, pol := clock.Now, g.config.Policy
		stored, err := current(a.Profile.Stored, now, pol)
		if err != nil {
			return err
		}
		e.Date = now
		if e.Kind == engine.EventResumeByAPI {
			return resumeByAPI(stored, now, pol)
		}
		stored, a.Effects, err = engine.New(pol).Handle(stored, e)
		if refusal, ok := errors.AsType[*engine.Error](err); ok && len(a.Effects) > 0 {
			return refused(refusal)
		}
		if err != nil {
			return err
		}
		if e.Kind == engine.EventUpdate && a.Profile.First == nil {
			first := a.Profile.Stored.Profile
			a.Profile.First = &first
		}
		a.Profile.Stored = stored
		if err := also(&a.Profile); err != nil {
			return err
		}
		t = g.transaction(tx)
		if a.Charges, err = t.keep(&a.Profile, a.Effects, now); err != nil {
			return err
		}
		return t.flush()
	})
	if err != nil {
		return Applied{}, err
	}
	g.settle(t)
	return a, nil
}

// resumeByAPI returns the refusal of a resume through the API (clause 3), which is an event of
// scripts alone.
func resumeByAPI(s engine.Stored, now calendar.Date, pol engine.Policy) error {
	step := engine.Step{Event: engine.Event{Date: now, Kind: engine.EventResumeByAPI}, After: true}
	var refusal *engine.Error
	_, err := engine.New(pol).Simulate(engine.Simulation{Stored: s, AsOf: now, Until: now, Steps: []engine.Step{step}}, func(e engine.Effect) bool {
		refusal = e.Refusal
		return true
	})
	if err != nil {
		return err
	}
	return refused(refusal)
}

func refused(r *engine.Error) error {
	f := found(EventRefused, r.Error(), "")
	f.Because = r.Because
	for c := range r.Because.All() {
		f.Clause, f.Basis = c, r.Because.Basis()
		break
	}
	return &Refused{f, r}
}

// refusedOn returns the finding about an update that a clause refuses.
func refusedOn(message, help string, on ledger.Clause) ledger.Finding {
	f := found(EventRefused, message, help)
	f.Clause, f.Basis, f.Because = on, on.Basis(), ledger.On(on)
	return f
}

// settle runs after commit.
func (g *Gateway) settle(t *transaction) {
	g.metrics.tally(t.done)
	g.courier.send(t.deliveries)
}

// Update sets columns of a profile, by name and value as in the payload; an empty value removes
// one. Values are judged as those of a payload are. A name that no column has, a column that an
// update cannot set (see [rules.ParseUpdate]), one that is required and would be empty, and a
// callback address that is not one of http or https make it a [*Refused], or an error with
// [EventRefused], which changes nothing. Otherwise it is [Gateway.Apply] with an update of the
// schedule.
func (g *Gateway) Update(ctx context.Context, id ID, set iter.Seq2[string, string]) (Applied, error) {
	columns := maps.Collect(set)
	update, findings := rules.ParseUpdate(set, rules.UpdateOptions{})
	for _, f := range findings {
		if f.Severity == ledger.SeverityError && len(update.Unreadable) == 0 || f.Code == rules.ColumnUnknown || f.Code == rules.URLForm {
			refused := refusedOn(f.Message, f.Help, f.Clause)
			refused.Kind, refused.Subject = f.Kind, f.Subject
			if !f.Because.IsZero() {
				refused.Because = f.Because
			}
			return Applied{}, refused
		}
	}
	e := engine.Event{Kind: engine.EventUpdate, Update: update}
	return g.apply(ctx, id, e, func(p *Profile) error { return g.set(p, columns) })
}

// set sets columns on which no charge depends.
func (g *Gateway) set(p *Profile, columns map[string]string) error {
	all, err := p.Columns.Values()
	if err != nil {
		return err
	}
	callbacks := [...]string{rules.ColumnServerCallbackURL.String(), rules.ColumnNotifyURL.String()}
	p.Private = g.hashPrivate(p.Private, func(c rules.Column) string { return columns[c.String()] })
	for name, value := range columns {
		c, ok := rules.ColumnOf(name)
		if !ok {
			continue // refused before
		}
		if isFreeText(c) {
			value = g.hideHashed(value, p.Private)
			if c != rules.ColumnZipCode {
				value = hideCodes(value)
			}
		}
		all[name] = rules.Mask(c, value)
		if name == callbacks[0] || name == callbacks[1] {
			if value != "" || all[callbacks[0]]+all[callbacks[1]] == "" {
				p.Callback, p.CallbackTo = shownURL(value), g.sealAddress(p.Login, value)
			}
		}
	}
	for name, value := range all {
		if c, ok := rules.ColumnOf(name); ok && isFreeText(c) {
			all[name] = g.hideHashed(value, p.Private)
		}
	}
	if all[callbacks[0]] != "" && all[callbacks[1]] != "" {
		f := refusedOn("the profile would have two callback addresses", "set one of the two columns, and the other to an empty text", clause.L55)
		f.Kind, f.Subject = ledger.SubjectColumn, callbacks[0]
		return f
	}
	var text []byte
	for spec := range rules.Columns() {
		value := all[spec.Name]
		if value != "" {
			text = appendColumn(text, spec.Name, value)
		}
		if _, set := columns[spec.Name]; set && value == "" && spec.Need == "R" && (!spec.SourceOnly || p.Stored.Profile.Kind == engine.KindSource) {
			f := refusedOn("the column is required", "set it to a value, or leave it out", clause.Doc21)
			f.Kind, f.Subject = ledger.SubjectColumn, spec.Name
			return f
		}
	}
	p.Columns = Columns(text)
	return nil
}
