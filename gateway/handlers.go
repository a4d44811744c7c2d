package gateway

import (
	_ "embed" // the description of the interface
	"net/http"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

//go:embed openapi.json
var openAPI []byte

func (c *call) openAPI() error {
	c.write(http.StatusOK, "application/json", openAPI)
	return nil
}

func (c *call) health() error {
	if c.g.closed() {
		return found(Closed, "", "")
	}
	if _, err := c.g.Now(c.r.Context()); err != nil {
		return found(Closed, "the store cannot be read", "see the log")
	}
	return c.answer(http.StatusOK, map[string]string{"status": "ok"})
}

func (c *call) metrics() error {
	c.write(http.StatusOK, "text/plain; version=0.0.4; charset=utf-8", c.g.metrics.appendText(nil))
	return nil
}

// list answers with a page of records: a list under a name, and the cursor of the next page or
// null.
func list[T Keyed, V any](c *call, name string, q Query, table func(Tx) Table[T], view func(*T) V) error {
	var rows []T
	err := c.g.store.View(c.r.Context(), func(tx Tx) (err error) {
		rows, err = table(tx).List(q)
		return err
	})
	if err != nil {
		return err
	}
	var cursor *ID
	if len(rows) == q.Limit {
		rows = rows[:q.Limit-1]
		cursor = orNull(rows[len(rows)-1].Key().ID)
	}
	views := make([]V, len(rows))
	for i := range rows {
		views[i] = view(&rows[i])
	}
	return c.answer(http.StatusOK, map[string]any{name: views, "cursor": cursor})
}

func (c *call) listMerchants() error {
	q, err := c.page()
	if err != nil {
		return err
	}
	return list(c, "merchants", q, Tx.Merchants, viewMerchant)
}

func (c *call) postMerchant() error {
	r, err := readInput(c, merchantMembers)
	if err != nil {
		return err
	}
	m, err := c.g.Register(c.r.Context(), r)
	if err != nil {
		return err
	}
	return c.answer(http.StatusCreated, viewMerchant(&m))
}

func (c *call) postKeys() error {
	r, err := readInput(c, keyMembers)
	if err != nil {
		return err
	}
	m, err := c.g.SetKeys(c.r.Context(), c.id, r.ControlKey, r.PublicKey)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, viewMerchant(&m))
}

func (c *call) listProfiles() error {
	q, err := c.page()
	if err != nil {
		return err
	}
	if q.Status, err = c.oneOf("status", engine.StatusActive.String(), engine.StatusStopped.String()); err != nil {
		return err
	}
	q.Search = c.query.Get("q")
	table := func(tx Tx) Table[Profile] { return tx.Profiles() }
	return list(c, "profiles", q, table, viewProfile)
}

func (c *call) getProfile() error {
	id, err := c.recordID()
	if err != nil {
		return err
	}
	var p Profile
	var charges []Charge
	var now calendar.Date
	err = c.g.store.View(c.r.Context(), func(tx Tx) error {
		clock, err := tx.Clock()
		if err != nil {
			return err
		}
		now = clock.Now
		if p, err = tx.Profiles().Get(id); err != nil {
			return err
		}
		charges, err = tx.Charges().List(Query{Profile: id, Limit: maxListed})
		return err
	})
	if err != nil {
		return err
	}
	v, err := c.g.detail(&p, charges, now)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, v)
}

func (c *call) postStop() error {
	if _, err := readInput(c, noMembers); err != nil {
		return err
	}
	return c.apply(engine.Event{Do: engine.DoStop})
}

func (c *call) postCharge() error {
	if _, err := readInput(c, noMembers); err != nil {
		return err
	}
	return c.apply(engine.Event{Do: engine.DoCharge})
}

func (c *call) postResume() error {
	e, err := readInput(c, resumeMembers)
	if err != nil {
		return err
	}
	if e.via == 0 {
		return inField("via", "via is missing: a profile can be resumed in the web UI only (clause 3)", `send {"via":"ui"}, which means the web UI`)
	}
	return c.apply(engine.Event{Do: engine.DoResume, Via: e.via})
}

func (c *call) postUpdate() error {
	e, err := readInput(c, updateMembers)
	if err != nil {
		return err
	}
	if len(e.set) == 0 {
		return inField("set", "the update has no column", `send {"set":{"finish-date":"31.12.2026"}}; an empty text removes a value`)
	}
	update, findings := rules.ParseUpdate(e.columns())
	if findings.Count(ledger.SeverityError) > 0 && len(update.Unreadable) == 0 {
		return findings
	}
	return c.apply(engine.Event{Do: engine.DoUpdate, Set: update})
}

// apply applies an event to the profile in the path.
func (c *call) apply(e engine.Event) error {
	id, err := c.recordID()
	if err != nil {
		return err
	}
	a, err := c.g.Apply(c.r.Context(), id, e)
	if err != nil {
		return err
	}
	effects, err := c.g.effectRecords(&a)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, map[string]any{"effects": effects, "profile": viewProfile(&a.Profile)})
}

func (c *call) getClock() error {
	now, err := c.g.Now(c.r.Context())
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, dayView{now})
}

// A dayView is the day that the clock shows.
type dayView struct {
	Now calendar.Date `json:"now"`
}

type advancedView struct {
	Now       calendar.Date `json:"now"`
	Charges   int           `json:"charges"`
	Stops     int           `json:"stops"`
	Callbacks int           `json:"callbacks"`
}

func (c *call) postClock() error {
	d, err := readInput(c, clockMembers)
	if err != nil {
		return err
	}
	a, err := c.g.Advance(c.r.Context(), d.To)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, advancedView(a))
}

func (c *call) listOutcomes() error {
	q, err := c.page()
	if err != nil {
		return err
	}
	return list(c, "outcomes", q, Tx.Outcomes, viewOutcome)
}

func (c *call) postOutcome() error {
	o, err := readInput(c, outcomeMembers)
	if err != nil {
		return err
	}
	if o, err = c.g.AddOutcome(c.r.Context(), o); err != nil {
		return err
	}
	return c.answer(http.StatusCreated, viewOutcome(&o))
}

func (c *call) deleteOutcome() error {
	id, err := c.recordID()
	if err != nil {
		return err
	}
	if err := c.g.RemoveOutcome(c.r.Context(), id); err != nil {
		return err
	}
	c.w.WriteHeader(http.StatusNoContent)
	return nil
}

func (c *call) listRequests() error {
	q, err := c.page()
	if err != nil {
		return err
	}
	if q.Status, err = c.oneOf("status", "200", "403", "421"); err != nil {
		return err
	}
	return list(c, "requests", q, Tx.Requests, func(r *Request) requestView { return viewRequest(r, false) })
}

func (c *call) getRequest() error {
	id, err := c.recordID()
	if err != nil {
		return err
	}
	r, err := c.g.Request(c.r.Context(), id)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, viewRequest(&r, true))
}

func (c *call) listCallbacks() error {
	q, err := c.page()
	if err != nil {
		return err
	}
	if q.Status, err = c.oneOf("state", callbackWords.Words[1:]...); err != nil {
		return err
	}
	return list(c, "callbacks", q, Tx.Callbacks, viewCallback)
}

func (c *call) postResend() error {
	id, err := c.recordID()
	if err != nil {
		return err
	}
	b, err := c.g.Resend(c.r.Context(), id)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, viewCallback(&b))
}

func (c *call) listCharges() error {
	q, err := c.page()
	if err != nil {
		return err
	}
	return list(c, "charges", q, Tx.Charges, func(charge *Charge) chargeView { return viewCharge(charge, nil) })
}

type snapshotView struct {
	ID  ID            `json:"id"`
	Now calendar.Date `json:"now"`
}

func (c *call) postSnapshot() error {
	d, err := readInput(c, snapshotMembers)
	if err != nil {
		return err
	}
	s, err := c.g.Snapshot(c.r.Context(), d.Login)
	if err != nil {
		return err
	}
	return c.answer(http.StatusCreated, snapshotView{s.ID, s.Now})
}

func (c *call) postRestore() error {
	id, err := c.recordID()
	if err != nil {
		return err
	}
	now, err := c.g.Restore(c.r.Context(), id)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, dayView{now})
}

func (c *call) postReset() error {
	d, err := readInput(c, resetMembers)
	if err != nil {
		return err
	}
	now, err := c.g.Reset(c.r.Context(), d.Login, d.To)
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, dayView{now})
}
