package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/strictjson"
	"github.com/chargecast/chargecast/ledger"
)

// A route is one operation of the admin interface. In its path, {id} stands for one segment.
type route struct {
	method, path string
	id, does     string
	query        []parameter
	in           any // what it reads, as a description has it; nil for nothing
	status       int
	out          any // what it answers with
	fails        []int
	handle       func(*call) (answer, error)
}

// isOfMerchant reports whether {id} stands for the login of a merchant.
func (rt *route) isOfMerchant() bool { return strings.HasPrefix(rt.path, adminPrefix+"merchants/") }

// A parameter is one of a query.
type parameter struct {
	name, doc string
	of        any      // a value of its type; nil for a text
	words     []string // the values that it can have; nil for any
	most      int      // of a number from 1
	usual     any      // without it; nil for none
}

func namesOf(list []parameter) []string {
	names := make([]string, len(list))
	for i := range list {
		names[i] = list[i].name
	}
	return names
}

// The parameters of queries.
var (
	ofLogin   = parameter{name: "login", doc: "Records of this merchant only"}
	ofProfile = parameter{name: "profile_id", doc: "Records of this profile only", of: ID(0)}
	fromDay   = parameter{name: "from", doc: "The first day of the clock", of: calendar.Date{}}
	untilDay  = parameter{name: "until", doc: "The last day of the clock", of: calendar.Date{}}
	limit     = parameter{name: "limit", doc: "The most records in an answer", of: 0, most: maxPage, usual: 100}
	cursor    = parameter{name: "cursor", doc: "The cursor of the previous answer", of: ID(0)}
	lists     = []parameter{ofLogin, limit, cursor}
	ofStatus  = parameter{name: "status", doc: "Records with this status only", words: []string{engine.StatusActive.String(), engine.StatusStopped.String()}}
	search    = parameter{name: "q", doc: "A part of the client-orderid, or the id"}
	ofAnswer  = parameter{name: "status", doc: "Requests that were answered with this status only", words: []string{"200", "403", "421"}}
	ofReason  = parameter{name: "reason", doc: "Requests that were refused for this reason only", words: words(judged[:])}
	ofState   = parameter{name: "state", doc: "Records with this state only", words: callbackWords.Words[1:]}
	asActuals = parameter{name: "format", doc: "actuals: CSV as chargecast reconcile reads it, unpaged, in the order in which the profiles were created", words: []string{"actuals"}}
)

// words returns texts as strings.
func words[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = string(v)
	}
	return out
}

// routes is the one table of operations, from which openapi.json is made; nothing writes to it.
var routes = [...]route{
	{"GET", "/healthz", "health", "Whether the store is open and can be written", nil, nil, 200, healthView{}, []int{503}, (*call).health},
	{"GET", "/metrics", "metrics", "Counters since the start, as Prometheus reads them", nil, nil, 200, plainText("text/plain"), nil, (*call).metrics},
	{"GET", adminPrefix + "openapi.json", "openapi", "This description", nil, nil, 200, json.RawMessage(nil), nil, (*call).openAPI},
	{"GET", adminPrefix + "merchants", "listMerchants", "Merchants", lists, nil, 200, pageOf{"merchants", merchantView{}}, nil, listed("merchants", Tx.Merchants, merchantForm, viewMerchant)},
	{"POST", adminPrefix + "merchants", "registerMerchant", "Register a merchant", nil, Registration{}, 201, merchantView{}, []int{400, 409, 422}, (*call).postMerchant},
	{"PATCH", adminPrefix + "merchants/{id}", "changeMerchant", "Change the merchant with this login; what is left out stays, and a currency of null is removed", nil, partOf{Registration{}, changeForm.Names()}, 200, merchantView{}, []int{400, 404, 409}, (*call).patchMerchant},
	{"DELETE", adminPrefix + "merchants/{id}", "removeMerchant", "Remove the merchant with this login, which has no profiles", nil, nil, 204, nil, []int{404, 409}, (*call).deleteMerchant},
	{"POST", adminPrefix + "merchants/{id}/keys", "setKeys", "Replace the keys of the merchant with this login", nil, partOf{Registration{}, keysForm.Names()}, 200, merchantView{}, []int{404, 422}, (*call).postKeys},
	{"GET", adminPrefix + "profiles", "listProfiles", "Profiles", append([]parameter{ofStatus, search}, lists...), nil, 200, pageOf{"profiles", profileView{}}, nil, (*call).listProfiles},
	{"GET", adminPrefix + "profiles/{id}", "getProfile", "A profile with its columns masked, its charges, and what comes next", nil, nil, 200, profileDetail{}, []int{404}, (*call).getProfile},
	{"POST", adminPrefix + "profiles/{id}/stop", "stopProfile", "Stop the profile through the update operation (L23)", nil, struct{}{}, 200, appliedView{}, []int{400, 404, 409}, (*call).postStop},
	{"POST", adminPrefix + "profiles/{id}/update", "updateProfile", "Change columns through the update operation (3)", nil, updateInput{}, 200, appliedView{}, []int{400, 404, 409}, (*call).postUpdate},
	{"POST", adminPrefix + "profiles/{id}/resume", "resumeProfile", "Resume the profile, as the page of the web UI does (3)", nil, resumeInput{}, 200, appliedView{}, []int{400, 404, 409}, (*call).postResume},
	{"POST", adminPrefix + "profiles/{id}/charge", "chargeProfile", "Charge the profile by hand (2.2.10)", nil, struct{}{}, 200, appliedView{}, []int{400, 404, 409}, (*call).postCharge},
	{"GET", adminPrefix + "clock", "getClock", "The day that the clock shows, whose run has taken place", nil, nil, 200, clockView{}, nil, (*call).getClock},
	{"POST", adminPrefix + "clock", "advanceClock", "Run every day up to this one, at most 366 days after the one that the clock shows, for all merchants; answers once each new callback was tried", nil, clockInput{}, 200, Advanced{}, []int{400, 409}, (*call).postClock},
	{"GET", adminPrefix + "outcomes", "listOutcomes", "Outcomes", lists, nil, 200, pageOf{"outcomes", Outcome{}}, nil, listed("outcomes", Tx.Outcomes, outcomeForm, as)},
	{"POST", adminPrefix + "outcomes", "addOutcome", "Decide how attempts end", nil, Outcome{}, 201, Outcome{}, []int{400, 404}, (*call).postOutcome},
	{"DELETE", adminPrefix + "outcomes/{id}", "removeOutcome", "Remove an outcome", nil, nil, 204, nil, []int{404}, removed((*Gateway).RemoveOutcome)},
	{"GET", adminPrefix + "faults", "listFaults", "Faults", lists, nil, 200, pageOf{"faults", Fault{}}, nil, listed("faults", Tx.Faults, faultForm, as)},
	{"POST", adminPrefix + "faults", "addFault", "Let something go wrong: for each event that is selected, as often as times says", nil, Fault{}, 201, Fault{}, []int{400, 404}, (*call).postFault},
	{"DELETE", adminPrefix + "faults/{id}", "removeFault", "Remove a fault; callbacks that it delays are sent", nil, nil, 204, nil, []int{404}, removed((*Gateway).RemoveFault)},
	{"GET", adminPrefix + "requests", "listRequests", "The last 10,000 requests, each refused one with its cause", append([]parameter{ofAnswer, ofReason, fromDay, untilDay}, lists...), nil, 200, pageOf{"requests", requestView{}}, nil, (*call).listRequests},
	{"GET", adminPrefix + "requests/{id}", "getRequest", "A request with its headers and parameters masked, and the diagnosis of its signature", nil, nil, 200, requestView{}, []int{404}, (*call).getRequest},
	{"GET", adminPrefix + "callbacks", "listCallbacks", "Callbacks", append([]parameter{ofState, ofProfile}, lists...), nil, 200, pageOf{"callbacks", Callback{}}, nil, (*call).listCallbacks},
	{"POST", adminPrefix + "callbacks/{id}/resend", "resendCallback", "Send a callback again", nil, nil, 200, Callback{}, []int{404}, (*call).postResend},
	{"GET", adminPrefix + "charges", "listCharges", "Attempts to charge", append([]parameter{ofProfile, asActuals, fromDay, untilDay}, lists...), nil, 200, anyOf{pageOf{"charges", chargeView{}}, plainText("text/csv")}, nil, (*call).listCharges},
	{"GET", adminPrefix + "snapshots", "listSnapshots", "Snapshots", lists, nil, 200, pageOf{"snapshots", Snapshot{}}, nil, listed("snapshots", Tx.Snapshots, snapshotForm, as)},
	{"POST", adminPrefix + "snapshots", "takeSnapshot", "Save the state of all merchants", nil, struct{}{}, 201, Snapshot{}, []int{400}, (*call).postSnapshot},
	{"DELETE", adminPrefix + "snapshots/{id}", "removeSnapshot", "Forget a snapshot", nil, nil, 204, nil, []int{404}, removed((*Gateway).DropSnapshot)},
	{"POST", adminPrefix + "snapshots/{id}/restore", "restoreSnapshot", "Restore a snapshot exactly", nil, nil, 200, clockView{}, []int{404}, (*call).postRestore},
	{"POST", adminPrefix + "reset", "reset", "Delete profiles, charges, requests, callbacks, outcomes and faults of all merchants; merchants and keys stay", nil, resetInput{}, 200, clockView{}, []int{400}, (*call).postReset},
}

type healthView struct {
	Status string `api:"status" words:"ok"`
}

var healthForm = formOf[healthView]()

func (c *call) openAPI() (answer, error) { return answer{text: c.g.description()}, nil }

func (c *call) health() (a answer, err error) {
	if c.g.closed() {
		return a, found(Closed, "", "")
	}
	if _, err := c.g.Now(c.r.Context()); err != nil {
		return a, found(Closed, "the store cannot be read", "see the log")
	}
	if err := c.g.store.Writable(c.r.Context()); err != nil {
		why := "see the log, and make room on the disk"
		if f, ok := errors.AsType[ledger.Finding](err); ok && f.Help != "" {
			why = f.Message + ": " + f.Help
		}
		return a, found(Closed, "the store cannot be written", why)
	}
	return answerWith(healthForm, healthView{"ok"}, nil)
}

func (c *call) metrics() (answer, error) {
	writable := c.g.store.Writable(c.r.Context()) == nil
	return answer{contentType: "text/plain; version=0.0.4; charset=utf-8", text: c.g.metrics.appendText(nil, writable)}, nil
}

// maxPage is the most records of an answer.
const maxPage = 1000

// list answers with a page of records: a list under a name, and the cursor of the next page or
// null. Those that keep is false for are left out; nil keeps all.
func list[T Keyed, V any](c *call, name string, q Query, table func(Tx) Table[T], keep func(*T) bool, f *strictjson.Form[V], view func(*T) V) (a answer, err error) {
	var rows []T
	err = c.g.store.View(c.r.Context(), func(tx Tx) error {
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
		return a, err
	}
	cursor := "null"
	if len(rows) >= q.Limit {
		rows = rows[:q.Limit-1]
		cursor = strconv.Quote(rows[len(rows)-1].Key().ID.String())
	}
	a.text = append(a.text, `{"`+name+`":[`...)
	for i := range rows {
		if i > 0 {
			a.text = append(a.text, ',')
		}
		v := view(&rows[i])
		a.text = f.Append(a.text, &v)
	}
	a.text = append(a.text, `],"cursor":`+cursor+"}\n"...)
	return a, nil
}

// listed is the operation that lists a kind of records.
func listed[T Keyed, V any](name string, table func(Tx) Table[T], f *strictjson.Form[V], view func(*T) V) func(*call) (answer, error) {
	return func(c *call) (a answer, err error) {
		q, err := c.page()
		if err != nil {
			return a, err
		}
		return list(c, name, q, table, nil, f, view)
	}
}

// as views a record as it is.
func as[T any](v *T) T { return *v }

func (c *call) postMerchant() (a answer, err error) {
	r, err := readInput(c, registrationForm, Registration{})
	if err != nil {
		return a, err
	}
	return c.merchant(c.g.Register(c.r.Context(), r))
}

// merchant answers with a merchant.
func (c *call) merchant(m Merchant, err error) (answer, error) {
	return answerWith(merchantForm, viewMerchant(&m), err)
}

func (c *call) patchMerchant() (a answer, err error) {
	if _, err := readInput(c, changeForm, Registration{}); err != nil { // before the merchant is looked up
		return a, err
	}
	return c.merchant(c.g.changeMerchant(c.r.Context(), c.id, func(r *Registration) (err error) {
		*r, err = readInput(c, changeForm, *r)
		if v, ok := strictjson.Member(c.body, "currency"); ok && v.Kind == strictjson.KindNull {
			r.Currency = "" // null removes it; elsewhere it is as if the member was left out
		}
		return err
	}))
}

func (c *call) deleteMerchant() (answer, error) {
	return answer{}, c.g.Unregister(c.r.Context(), c.id)
}

func (c *call) postKeys() (a answer, err error) {
	r, err := readInput(c, keysForm, Registration{})
	if err != nil {
		return a, err
	}
	return c.merchant(c.g.SetKeys(c.r.Context(), c.id, r.ControlKey, r.PublicKey))
}

func (c *call) listProfiles() (a answer, err error) {
	q, err := c.page()
	if err != nil {
		return a, err
	}
	q.Status, q.Search = c.query.Get(ofStatus.name), c.query.Get(search.name)
	table := func(tx Tx) Table[Profile] { return tx.Profiles() }
	return list(c, "profiles", q, table, nil, profileForm, viewProfile)
}

func (c *call) getProfile() (a answer, err error) {
	var p Profile
	var charges []Charge
	var now calendar.Date
	err = c.g.store.View(c.r.Context(), func(tx Tx) error {
		clock, err := tx.Clock()
		if err != nil {
			return err
		}
		now = clock.Now
		if p, err = tx.Profiles().Get(c.record); err != nil {
			return err
		}
		charges, err = tx.Charges().List(Query{Profile: c.record, Limit: maxListed})
		return err
	})
	if err != nil {
		return a, err
	}
	v, err := c.g.detail(&p, charges, now)
	return answerWith(detailForm, v, err)
}

// nothing is the input of what needs none.
var nothing = formOf[struct{}]()

func (c *call) postStop() (answer, error) { return c.plainEvent(engine.Event{Kind: engine.EventStop}) }
func (c *call) postCharge() (answer, error) {
	return c.plainEvent(engine.Event{Kind: engine.EventCharge})
}

func (c *call) plainEvent(e engine.Event) (a answer, err error) {
	if _, err := readInput(c, nothing, struct{}{}); err != nil {
		return a, err
	}
	return c.applied(c.g.Apply(c.r.Context(), c.record, e))
}

type resumeInput struct {
	Via string `api:"via,needed" words:"ui|api" doc:"ui is the page of the web UI; api is refused"`
}

var resumeForm = formOf[resumeInput]()

func (c *call) postResume() (a answer, err error) {
	in, err := readInput(c, resumeForm, resumeInput{})
	if err != nil {
		return a, err
	}
	e := engine.Event{Kind: engine.EventResume}
	switch in.Via {
	case "ui":
	case "api":
		e.Kind = engine.EventResumeByAPI
	default:
		return a, inField("via", "via is missing: a profile can be resumed in the web UI only (clause 3)", `send {"via":"ui"}, which means the web UI`)
	}
	return c.applied(c.g.Apply(c.r.Context(), c.record, e))
}

type updateInput struct {
	Set map[string]string `api:"set,needed" doc:"Columns as in the payload; an empty text removes a value"`
}

var updateForm = formOf[updateInput]()

func (c *call) postUpdate() (a answer, err error) {
	in, err := readInput(c, updateForm, updateInput{})
	if err != nil {
		return a, err
	}
	if len(in.Set) == 0 {
		return a, inField("set", "the update has no column", `send {"set":{"finish-date":"31.12.2026"}}; an empty text removes a value`)
	}
	return c.applied(c.g.Update(c.r.Context(), c.record, sortedPairs(in.Set)))
}

// sortedPairs yields a map in order of its keys, so that the first of several errors is always the
// same.
func sortedPairs(m map[string]string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for _, k := range slices.Sorted(maps.Keys(m)) {
			if !yield(k, m[k]) {
				return
			}
		}
	}
}

// applied answers with what an event did.
func (c *call) applied(done Applied, err error) (answer, error) {
	if err != nil {
		return answer{}, err
	}
	v, err := c.g.viewApplied(&done)
	return answerWith(appliedForm, v, err)
}

// A clockView is the day that the clock shows.
type clockView struct {
	Now calendar.Date `api:"now"`
}

var clockForm = formOf[clockView]()

// now answers with the day that the clock shows.
func (c *call) now(day calendar.Date, err error) (answer, error) {
	return answerWith(clockForm, clockView{day}, err)
}

func (c *call) getClock() (answer, error) { return c.now(c.g.Now(c.r.Context())) }

type clockInput struct {
	To calendar.Date `api:"to,needed"`
}

var clockInputs = formOf[clockInput]()

// maxClockDays is how far the clock goes in one call.
const maxClockDays = 366

func (c *call) postClock() (a answer, err error) {
	in, err := readInput(c, clockInputs, clockInput{})
	if err != nil {
		return a, err
	}
	now, err := c.g.Now(c.r.Context())
	if err != nil {
		return a, err
	}
	if in.To.IsDay() && in.To.Sub(now) > maxClockDays {
		return a, inField("to", "the day is more than 366 days after the one that the clock shows", "send a day up to "+now.AddDays(maxClockDays).String()+", and go on from there")
	}
	done, err := c.g.Advance(c.r.Context(), in.To)
	return answerWith(advancedForm, done, err)
}

func (c *call) postOutcome() (a answer, err error) {
	o, err := readInput(c, outcomeForm, Outcome{})
	if err != nil {
		return a, err
	}
	o, err = c.g.AddOutcome(c.r.Context(), o)
	return answerWith(outcomeForm, o, err)
}

// removed is the operation that removes the record in the path.
func removed(do func(*Gateway, context.Context, ID) error) func(*call) (answer, error) {
	return func(c *call) (answer, error) { return answer{}, do(c.g, c.r.Context(), c.record) }
}

func (c *call) postFault() (a answer, err error) {
	const unset = -1 // no number that can be sent
	f, err := readInput(c, faultForm, Fault{Times: 1, Where: FaultWhere{Request: unset}})
	switch {
	case err != nil:
		return a, err
	case f.Where.Request == unset:
		f.Where.Request = 0
	case f.Where.Request == 0:
		return a, inField("where", "requests are counted from 1", "leave where.request out for any")
	}
	f, err = c.g.AddFault(c.r.Context(), f)
	return answerWith(faultForm, f, err)
}

func (c *call) listRequests() (a answer, err error) {
	q, err := c.page()
	if err != nil {
		return a, err
	}
	isWithin, err := c.days()
	if err != nil {
		return a, err
	}
	reason := Reason(c.query.Get(ofReason.name))
	q.Status = c.query.Get(ofAnswer.name)
	keep := func(r *Request) bool { return (reason == "" || r.Reason == reason) && isWithin(r.Date) }
	left := maxListDiagnoses
	return list(c, "requests", q, Tx.Requests, keep, requestForm, func(r *Request) requestView {
		if left > 0 && r.isDiagnosable() && c.g.raw.isShort(r.ID) {
			left--
			if diagnosed, err := c.g.Request(c.r.Context(), r.ID); err == nil {
				r = &diagnosed
			}
		}
		v := viewRequest(r)
		v.Headers, v.Params, v.Diagnosis = nil, nil, nil
		return v
	})
}

// maxListDiagnoses is how many signatures are diagnosed for one list of requests: each of the
// others has its cause once it was read.
const maxListDiagnoses = 20

func (c *call) getRequest() (answer, error) {
	r, err := c.g.Request(c.r.Context(), c.record)
	return answerWith(requestForm, viewRequest(&r), err)
}

func (c *call) listCallbacks() (a answer, err error) {
	q, err := c.page()
	if err != nil {
		return a, err
	}
	q.Status = c.query.Get(ofState.name)
	return list(c, "callbacks", q, Tx.Callbacks, nil, callbackForm, func(b *Callback) Callback { return b.shown() })
}

func (c *call) postResend() (answer, error) {
	b, err := c.g.Resend(c.r.Context(), c.record)
	return answerWith(callbackForm, b.shown(), err)
}

func (c *call) listCharges() (a answer, err error) {
	q, err := c.page()
	if err != nil {
		return a, err
	}
	if c.query.Get(asActuals.name) != "" {
		return c.actuals(q)
	}
	isWithin, err := c.days()
	if err != nil {
		return a, err
	}
	keep := func(charge *Charge) bool { return isWithin(charge.Charge.Date) }
	return list(c, "charges", q, Tx.Charges, keep, chargeForm, func(charge *Charge) chargeView { return viewCharge(charge, nil) })
}

func (c *call) postSnapshot() (a answer, err error) {
	if _, err := readInput(c, nothing, struct{}{}); err != nil {
		return a, err
	}
	s, err := c.g.Snapshot(c.r.Context())
	return answerWith(snapshotForm, s, err)
}

func (c *call) postRestore() (answer, error) { return c.now(c.g.Restore(c.r.Context(), c.record)) }

type resetInput struct {
	To calendar.Date `api:"to,null" doc:"The day that the clock then shows; today without it"`
}

var resetForm = formOf[resetInput]()

func (c *call) postReset() (a answer, err error) {
	in, err := readInput(c, resetForm, resetInput{})
	if err != nil {
		return a, err
	}
	return c.now(c.g.Reset(c.r.Context(), in.To))
}
