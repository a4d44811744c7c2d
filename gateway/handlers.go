package gateway

import (
	"context"
	_ "embed" // the description of the interface
	"net/http"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
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
	if err := c.g.store.writable(c.r.Context()); err != nil {
		return err
	}
	return c.answer(http.StatusOK, map[string]string{"status": "ok"})
}

func (c *call) metrics() error {
	c.write(http.StatusOK, "text/plain; version=0.0.4; charset=utf-8", c.g.metrics.appendText(nil, c.g.store.writable(c.r.Context()) == nil))
	return nil
}

// list answers with a page of records: a list under a name, and the cursor of the next page or
// null. Those that keep is false for are left out; nil keeps all.
func list[T Keyed, V any](c *call, name string, q Query, table func(Tx) Table[T], keep func(*T) bool, view func(*T) V) error {
	var rows []T
	err := c.g.store.View(c.r.Context(), func(tx Tx) error {
		for more := q; ; {
			found, err := table(tx).List(more)
			if err != nil {
				return err
			}
			for i := range found {
				if keep == nil || keep(&found[i]) {
					rows = append(rows, found[i])
				}
			}
			if len(found) < more.Limit || len(rows) >= q.Limit {
				return nil
			}
			more.Past = found[len(found)-1].Key().ID
		}
	})
	if err != nil {
		return err
	}
	var cursor *ID
	if len(rows) >= q.Limit {
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
	return list(c, "merchants", q, Tx.Merchants, nil, viewMerchant)
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

func (c *call) patchMerchant() error {
	if _, err := readInput(c, changeMembers); err != nil { // before the merchant is looked up
		return err
	}
	m, err := c.g.Change(c.r.Context(), c.id, func(r *Registration) (err error) {
		*r, err = readOver(c, changeMembers, *r)
		return err
	})
	if err != nil {
		return err
	}
	return c.answer(http.StatusOK, viewMerchant(&m))
}

func (c *call) deleteMerchant() error {
	if err := c.g.Unregister(c.r.Context(), c.id); err != nil {
		return err
	}
	c.w.WriteHeader(http.StatusNoContent)
	return nil
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
	return list(c, "profiles", q, table, nil, viewProfile)
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
	return c.applied(func(id ID) (Applied, error) { return c.g.Update(c.r.Context(), id, e.columns()) })
}

// apply applies an event to the profile in the path.
func (c *call) apply(e engine.Event) error {
	return c.applied(func(id ID) (Applied, error) { return c.g.Apply(c.r.Context(), id, e) })
}

// applied answers with what an event did to the profile in the path.
func (c *call) applied(apply func(ID) (Applied, error)) error {
	id, err := c.recordID()
	if err != nil {
		return err
	}
	a, err := apply(id)
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
	clock, settled, err := c.g.Progress(c.r.Context())
	if err != nil {
		return err
	}
	v := clockView{Now: clock.Now}
	if to := clock.Target; !to.IsZero() {
		v.To, v.Done = &to, new(bool)
	} else if last := c.g.last.Load(); last != nil && last.Epoch == clock.Epoch {
		v.To, v.Done = &last.Target, &settled
	}
	return c.answer(http.StatusOK, v)
}

// A clockView is the day of the clock and, if it moves or was moved without waiting, where to.
type clockView struct {
	Now  calendar.Date  `json:"now"`
	To   *calendar.Date `json:"to,omitempty"`
	Done *bool          `json:"done,omitempty"`
}

func (c *call) deleteClock() error {
	now, err := c.g.GiveUp(c.r.Context())
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
	if d.NoWait {
		clock, err := c.g.StartAdvance(c.r.Context(), d.To)
		if err != nil {
			return err
		}
		return c.answer(http.StatusAccepted, clockView{Now: clock.Now, To: &d.To})
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
	return list(c, "outcomes", q, Tx.Outcomes, nil, viewOutcome)
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

func (c *call) deleteOutcome() error { return c.remove(c.g.RemoveOutcome) }

// remove removes the record in the path.
func (c *call) remove(do func(context.Context, ID) error) error {
	id, err := c.recordID()
	if err != nil {
		return err
	}
	if err := do(c.r.Context(), id); err != nil {
		return err
	}
	c.w.WriteHeader(http.StatusNoContent)
	return nil
}

func (c *call) listFaults() error {
	q, err := c.page()
	if err != nil {
		return err
	}
	return list(c, "faults", q, Tx.Faults, nil, viewFault)
}

func (c *call) postFault() error {
	f, err := readOver(c, faultMembers, Fault{Times: 1, Chance: 1})
	if err != nil {
		return err
	}
	if f, err = c.g.AddFault(c.r.Context(), f); err != nil {
		return err
	}
	return c.answer(http.StatusCreated, viewFault(&f))
}

func (c *call) deleteFault() error { return c.remove(c.g.RemoveFault) }

func (c *call) listRequests() error {
	q, err := c.page()
	if err != nil {
		return err
	}
	if q.Status, err = c.oneOf("status", "200", "403", "421"); err != nil {
		return err
	}
	reasons := make([]string, 0, len(judged))
	for _, r := range judged {
		reasons = append(reasons, string(r))
	}
	reason, err := c.oneOf("reason", reasons...)
	if err != nil {
		return err
	}
	isWithin, err := c.days()
	if err != nil {
		return err
	}
	keep := func(r *Request) bool { return (reason == "" || r.Reason == Reason(reason)) && isWithin(r.Date) }
	return list(c, "requests", q, Tx.Requests, keep, func(r *Request) requestView { return viewRequest(r, false) })
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
	return list(c, "callbacks", q, Tx.Callbacks, nil, viewCallback)
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
	if format, err := c.oneOf("format", "actuals"); err != nil || format != "" {
		if err != nil {
			return err
		}
		return c.actuals(q)
	}
	isWithin, err := c.days()
	if err != nil {
		return err
	}
	return list(c, "charges", q, Tx.Charges, func(charge *Charge) bool { return isWithin(charge.Date) }, func(charge *Charge) chargeView { return viewCharge(charge, nil) })
}

type snapshotView struct {
	ID  ID            `json:"id"`
	Now calendar.Date `json:"now"`
}

type listedSnapshot struct {
	snapshotView
	Login *string `json:"login"` // the merchant whose state it is; null for everything
}

func viewSnapshot(s *Snapshot) listedSnapshot {
	return listedSnapshot{snapshotView{s.ID, s.Now}, orNull(s.Login)}
}

func (c *call) listSnapshots() error {
	q, err := c.page()
	if err != nil {
		return err
	}
	return list(c, "snapshots", q, Tx.Snapshots, nil, viewSnapshot)
}

func (c *call) deleteSnapshot() error { return c.remove(c.g.DropSnapshot) }

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
