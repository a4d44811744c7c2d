package gateway

import (
	"context"
	"math"
	"slices"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/engine"
)

// An Outcome decides how attempts end. Of its selectors each may be left out; of several outcomes
// that apply to an attempt, the newest with uses left decides, and without one the attempt is
// approved.
type Outcome struct {
	ID            ID             `api:"id,out"`
	Login         string         `api:"login,null"`
	ClientOrderID string         `json:"OrderID" api:"profile,null" doc:"client-orderid; kept and shown masked where it has 12 and more digits in a row"` // empty for any
	Hash          string         `json:",omitempty"`                                                                                                      // the keyed hash of a client-orderid that is kept masked; empty for others
	Repeat        *uint64        `api:"repeat,count" doc:"The repeat index"`                                                                              // nil for any
	Last4         string         `api:"last4,null" pattern:"^([0-9]{4})?$"`                                                                               // the last four digits of the card; empty for any
	Amount        amount.Amount  `api:"amount,null"`                                                                                                      // compared by value; zero for any
	Outcome       engine.Outcome `api:"outcome,needed"`
	Times         int            `api:"times,count" doc:"How many attempts it decides; 0 for all until it is removed"`
	Used          int            `api:"used,out" doc:"How many attempts it has decided"`
}

var outcomeForm = formOf[Outcome]()

// Key returns the key; its status is "active" or "spent".
func (o Outcome) Key() Key {
	k := Key{ID: o.ID, Login: o.Login, Status: statusActive, Text: o.ClientOrderID}
	if o.Times > 0 && o.Used >= o.Times {
		k.Status = statusSpent
	}
	return k
}

// decides reports whether the outcome applies to an attempt.
func (g *Gateway) decides(o *Outcome, p *Profile, c *engine.Charge) bool {
	switch {
	case o.Times > 0 && o.Used >= o.Times,
		o.Login != "" && o.Login != p.Login,
		o.ClientOrderID != "" && !g.selects(o.ClientOrderID, o.Hash, p.ClientOrderID),
		o.Repeat != nil && *o.Repeat != c.Repeat,
		o.Last4 != "" && o.Last4 != p.Card.Last4,
		!o.Amount.IsZero() && o.Amount.Compare(c.Min) != 0:
		return false
	}
	return true
}

// A decider decides the attempts of one transaction.
type decider struct {
	g       *Gateway
	tx      Tx
	active  []Outcome // the newest first
	fetched bool
	used    []int // of active
}

// decide sets the outcome of an attempt, whose amount is known, and reports whether an outcome
// applies to it.
func (d *decider) decide(p *Profile, c *engine.Charge) (bool, error) {
	if !d.fetched {
		list, err := d.tx.Outcomes().List(Query{Status: statusActive})
		if err != nil {
			return false, err
		}
		d.active, d.fetched = list, true
	}
	for i := range d.active {
		if o := &d.active[i]; d.g.decides(o, p, c) {
			c.Outcome = o.Outcome
			o.Used++
			d.used = append(d.used, i)
			return true, nil
		}
	}
	return false, nil
}

// flush writes how often the outcomes were used.
func (d *decider) flush() error {
	slices.Sort(d.used)
	for _, i := range slices.Compact(d.used) {
		if err := d.tx.Outcomes().Put(d.active[i]); err != nil {
			return err
		}
	}
	d.used = nil
	return nil
}

// check refuses what could decide nothing.
func (o *Outcome) check() error {
	switch {
	case o.Outcome == engine.OutcomeUnknown, o.Outcome > engine.OutcomeDeclined:
		return inField("outcome", "unknown outcome", "send approved or declined")
	case o.Times < 0 || o.Times > math.MaxInt32:
		return inField("times", "the number of times is negative or above 2147483647", "send how many attempts it decides, 0 for all until it is removed")
	case o.Last4 != "" && (len(o.Last4) != 4 || !isName(o.Last4, 4, func(c byte) bool { return '0' <= c && c <= '9' })):
		return inField("last4", "the value is not four digits", "send the last four digits of the card")
	case len(o.ClientOrderID) > 512:
		return inField("profile", "the client-orderid is longer than 512 bytes", "send the client-orderid of the profile")
	}
	return nil
}

// AddOutcome adds an outcome and returns it with its id. The error has the code [NotFound] for a
// login that no merchant has, and [InputForm] for what cannot be used.
func (g *Gateway) AddOutcome(ctx context.Context, o Outcome) (Outcome, error) {
	if err := o.check(); err != nil {
		return Outcome{}, err
	}
	o.ClientOrderID, o.Hash = g.selector(o.ClientOrderID)
	err := g.store.Update(ctx, func(tx Tx) error {
		if err := knows(tx, o.Login); err != nil {
			return err
		}
		id, err := tx.Outcomes().NextID()
		if err != nil {
			return err
		}
		o.ID, o.Used = id, 0
		return tx.Outcomes().Put(o)
	})
	if err != nil {
		return Outcome{}, err
	}
	return o, nil
}

// RemoveOutcome removes an outcome. The error has the code [NotFound] for an id that no outcome
// has.
func (g *Gateway) RemoveOutcome(ctx context.Context, id ID) error {
	return g.store.Update(ctx, func(tx Tx) error { return tx.Outcomes().Delete(id) })
}
