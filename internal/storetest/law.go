package storetest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/internal/testpayload"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/rules"
	"github.com/chargecast/chargecast/signature"
)

// A scripted profile is one with the events and outcomes that it had, as a script of a simulation
// has them.
type scripted struct {
	row     map[string]string
	created calendar.Date
	script  record.Script
}

// policies are readings that change what a gateway has to remember between days.
var policies = [...]string{
	"", "", "", "month-end=skip", "month-end=overflow,start-past=catch-up", "resume-missed=catch-up", "resume-missed=catch-up,resume-anchor=resume-date",
	"run-missed=catch-up,manual-takes-slot=yes", "manual-counts=no", "manual-when-stopped=allow,max-counts=repeats-after-first",
	"resume-counter=reset,finish-bound=exclusive", "start-past=count-missed", "start-past=reanchor,max-zero=unlimited",
}

// RunLaw checks, with random sequences of requests, events, outcomes, clock moves and, as far as
// the maker allows, restarts, faults that end the gateway between two days, and kills in the middle
// of a clock move, that the charges of a gateway with these stores are those of
// [engine.Engine.Simulate] with the same script. The gateway takes each day apart, and looks only
// at profiles that are due; the simulation takes each profile apart. A failure names the sequence,
// which is the same in each run. Sequences are not shrunk: removing a step changes all later ones.
func RunLaw(t *testing.T, m Maker, sequences int) {
	charged := 0
	for seed := range uint64(sequences) {
		name := fmt.Sprintf("sequence %d", seed)
		if !t.Run(name, func(t *testing.T) { charged += playSequence(t, m, seed) }) {
			return // the next ones would say the same
		}
	}
	if charged < 20*sequences {
		t.Errorf("%d charges in %d sequences say little", charged, sequences)
	}
}

// A player plays one sequence and notes it as scripts.
type player struct {
	*testing.T
	r       *rand.Rand
	maker   Maker
	config  gateway.Config
	gw      *gateway.Gateway
	scripts []*scripted
	now     calendar.Date

	login, endpoint string // of the merchant that posts; empty: m1 at 1001
}

func playSequence(t *testing.T, m Maker, seed uint64) int {
	r := rand.New(rand.NewPCG(seed, 7))
	policy, err := engine.ParsePolicy(policies[r.IntN(len(policies))])
	if err != nil {
		t.Fatal(err)
	}
	start := calendar.MustParse("2026-01-28").AddDays(r.IntN(5))
	p := &player{T: t, r: r, maker: m, now: start, config: gateway.Config{
		Store: m.New(t), AsOf: start, Policy: policy, Seed: seed, Key: make([]byte, 32), Callbacks: gateway.CallbacksOff,
	}}
	p.open()
	defer func() { _ = p.gw.Close() }()
	_, err = p.gw.Register(t.Context(), gateway.Registration{Login: "m1", Endpoint: "1001", Currency: "EUR", ControlKey: lawKey})
	if err != nil {
		t.Fatal(err)
	}
	if seed%4 == 1 {
		for range 30 {
			where := gateway.FaultWhere{Day: start.AddDays(1 + r.IntN(300))}
			if _, err := p.gw.AddFault(t.Context(), gateway.Fault{Kind: gateway.FaultRestart, Where: where, Times: 1}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for range 25 {
		p.step()
		p.restart()
		p.kill()
	}
	p.advance(40)
	return p.compare(policy, seed)
}

func (p *player) open() {
	gw, err := gateway.New(p.Context(), p.config)
	for errors.Is(err, gateway.Restarting) { // another fault on the way
		gw, err = gateway.New(p.Context(), p.config)
	}
	if err != nil {
		p.Fatal(err)
	}
	p.gw = gw
}

// restart now and then ends the gateway and starts another one on what its store kept.
func (p *player) restart() {
	if p.maker.Reopen == nil || p.r.IntN(12) > 0 {
		return
	}
	if err := p.gw.Close(); err != nil {
		p.Fatal(err)
	}
	p.config.Store = p.maker.Reopen(p.T, p.config.Store)
	p.open()
}

func (p *player) step() {
	switch k := p.r.IntN(10); {
	case k < 2 || len(p.scripts) == 0:
		p.create()
	case k < 5:
		p.advance(p.r.IntN(20))
	case k < 6:
		p.outcome()
	default:
		p.event(p.scripts[p.r.IntN(len(p.scripts))])
	}
}

// create sends a request of a few rows.
func (p *player) create() {
	var rows []map[string]string
	for range 1 + p.r.IntN(3) {
		row := map[string]string{"client-orderid": fmt.Sprintf("order-%03d", len(p.scripts)), "start-date": "", "period": "", "interval": ""}
		if p.r.IntN(5) > 0 {
			row["period"], row["interval"] = p.pick("day", "week", "month", "month"), p.pick("1", "1", "2", "3")
		}
		if p.r.IntN(4) > 0 {
			row["start-date"] = dotted(p.now.AddDays(p.r.IntN(60) - 15))
		}
		if p.r.IntN(3) == 0 {
			row["finish-date"] = dotted(p.now.AddDays(p.r.IntN(60) - 2))
		}
		if p.r.IntN(2) == 0 {
			row["max-repeats-number"] = p.pick("0", "1", "2", "3", "5", "8")
		}
		switch p.r.IntN(3) {
		case 0:
			row["amount"], row["amount-from"], row["amount-to"] = "", "1.00", "25.00"
		case 1:
			row["amount"], row["amount-sequence"] = "", "1.00,2.50,7"
		}
		rows = append(rows, row)
		p.scripts = append(p.scripts, &scripted{row: row, created: p.now})
	}
	p.post(rows...)
}

func (p *player) pick(words ...string) string { return words[p.r.IntN(len(words))] }

// dotted returns a day as the columns of a payload have it.
func dotted(d calendar.Date) string {
	text := d.String()
	return text[8:] + "." + text[5:7] + "." + text[:4]
}

func (p *player) advance(days int) {
	p.now = p.now.AddDays(days)
	if p.r.IntN(2) == 0 {
		p.advanceTo(p.now.AddDays(-days / 2))
	}
	p.advanceTo(p.now)
}

func (p *player) advanceTo(day calendar.Date) {
	_, err := p.gw.Advance(p.Context(), day)
	if errors.Is(err, gateway.Restarting) { // the next one goes on by itself
		if p.maker.Reopen != nil {
			err = p.gw.Close()
			p.config.Store = p.maker.Reopen(p.T, p.config.Store)
		} else {
			err = nil
		}
		p.open()
	}
	if err != nil {
		p.Fatal(err)
	}
}

// outcome decides an attempt that is still to come, in the script and at the gateway.
func (p *player) outcome() {
	l := p.scripts[p.r.IntN(len(p.scripts))]
	profile := p.profile(l)
	repeat := profile.Stored.State.Repeat + uint64(p.r.IntN(3))
	if _, decided := l.script.Outcomes[repeat]; decided {
		return
	}
	for _, c := range p.charges() { // a script decides the past, too
		if c.ClientOrderID == l.row["client-orderid"] && c.Charge.Repeat == repeat {
			return
		}
	}
	if l.script.Outcomes == nil {
		l.script.Outcomes = map[uint64]engine.Outcome{}
	}
	l.script.Outcomes[repeat] = engine.OutcomeDeclined
	_, err := p.gw.AddOutcome(p.Context(), gateway.Outcome{ClientOrderID: l.row["client-orderid"], Repeat: &repeat, Outcome: engine.OutcomeDeclined})
	if err != nil {
		p.Fatal(err)
	}
}

func (p *player) profile(l *scripted) gateway.Profile {
	for _, profile := range p.profiles() {
		if profile.ClientOrderID == l.row["client-orderid"] {
			return profile
		}
	}
	p.Fatal("no such profile")
	return gateway.Profile{}
}

// event applies an event, and notes it whatever becomes of it.
func (p *player) event(l *scripted) {
	e := engine.Event{Date: p.now, Kind: engine.EventStop}
	switch p.r.IntN(7) {
	case 0, 1:
		e.Kind = engine.EventResume
	case 2, 3:
		e.Kind = engine.EventCharge
	case 4:
		e.Kind, e.Update = engine.EventUpdate, p.update()
	case 5:
		e.Kind = engine.EventResumeByAPI
	}
	l.script.Steps = append(l.script.Steps, engine.Step{Event: e, After: true})
	_, err := p.gw.Apply(p.Context(), p.profile(l).ID, e)
	if _, refused := err.(*gateway.Refused); err != nil && !refused {
		p.Fatal(err)
	}
}

func (p *player) update() engine.Update {
	set := map[string]string{}
	switch p.r.IntN(5) {
	case 0:
		set["start-date"] = dotted(p.now.AddDays(p.r.IntN(20) - 5))
	case 1:
		set["finish-date"] = dotted(p.now.AddDays(p.r.IntN(30)))
	case 2:
		set["max-repeats-number"] = p.pick("", "1", "4", "9")
	case 3:
		set["period"], set["interval"] = "week", "1"
	case 4:
		set["amount"], set["amount-from"], set["amount-to"], set["amount-sequence"] = "5.55", "", "", ""
	}
	update, findings := rules.ParseUpdate(func(yield func(string, string) bool) {
		for name, value := range set {
			if !yield(name, value) {
				return
			}
		}
	}, rules.UpdateOptions{})
	if findings.Err() != nil {
		p.Fatal(findings)
	}
	return update
}

// compare simulates every profile.
func (p *player) compare(policy engine.Policy, seed uint64) (charged int) {
	got := map[string][]string{}
	for _, c := range p.charges() {
		got[c.ClientOrderID] = append(got[c.ClientOrderID], line(&c.Charge))
	}
	for _, l := range p.scripts {
		id := l.row["client-orderid"]
		var want []string
		after, err := engine.New(policy).Simulate(engine.Simulation{
			Stored: engine.Stored{Profile: p.typed(l.row)}, AsOf: l.created, Until: p.now, Steps: l.script.Steps, Outcomes: l.script.Outcomes, Seed: seed,
		}, func(e engine.Effect) bool {
			if e.Kind == engine.EffectCharge {
				want = append(want, line(&e.Charge))
			}
			return true
		})
		if err != nil {
			p.Fatal(err)
		}
		if g, w := strings.Join(got[id], "\n"), strings.Join(want, "\n"); g != w {
			p.Errorf("%s %v created %s, steps %+v:\ngateway\n%s\nengine\n%s", id, l.row, l.created, l.script.Steps, g, w)
		}
		state := p.profile(l).Stored.State
		if state.Status != after.State.Status || state.Repeat != after.State.Repeat || state.Stop != after.State.Stop {
			p.Errorf("%s: the gateway has %+v, the engine %+v", id, state, after.State)
		}
		charged += len(want)
	}
	return charged
}

func line(c *engine.Charge) string {
	return fmt.Sprint(c.Date, c.Slot, c.Repeat, c.Min, c.Max, c.Manual, c.Outcome, c.CardExpired, c.Because)
}

// typed reads a row as package rules does.
func (p *player) typed(row map[string]string) engine.Profile {
	r := rules.NewReader(bytes.NewReader(testpayload.Payload(nil, row)), rules.Options{AsOf: p.now})
	for row := range r.Rows() {
		if row != nil {
			return row.Profile()
		}
	}
	p.Fatal("the row cannot be used")
	return engine.Profile{}
}

// lawKey is the control key of the one merchant.
const lawKey = "control-key-of-m1"

// post sends rows as one request, which is to be accepted.
func (p *player) post(rows ...map[string]string) {
	body := testpayload.Body(testpayload.Payload(nil, rows...))
	login, endpoint := cmp.Or(p.login, "m1"), cmp.Or(p.endpoint, "1001")
	target := "http://gateway.test/paynet/api/v4/create-recurring-payments/" + endpoint
	const formType = "application/x-www-form-urlencoded"
	secret, err := signature.NewHMACKey(lawKey)
	if err != nil {
		p.Fatal(err)
	}
	signed, _, err := signature.Sign(signature.NewRequest("POST", target).WithBody(formType, body),
		signature.OAuth{ConsumerKey: login, Nonce: "n", Timestamp: "1"}, secret)
	if err != nil {
		p.Fatal(err)
	}
	r := httptest.NewRequest("POST", target, strings.NewReader(body))
	r.Header.Set("Content-Type", formType)
	r.Header.Set("Authorization", signed.Authorization())
	answer := httptest.NewRecorder()
	p.gw.ServeHTTP(answer, r)
	if answer.Code != http.StatusOK {
		p.Fatalf("a request was answered with %d", answer.Code)
	}
}

// profiles and charges are all that the gateway has, the oldest first.
func (p *player) profiles() []gateway.Profile {
	return all(p, func(tx gateway.Tx) gateway.Table[gateway.Profile] { return tx.Profiles() })
}

func (p *player) charges() []gateway.Charge { return all(p, gateway.Tx.Charges) }

func all[T gateway.Keyed](p *player, table func(gateway.Tx) gateway.Table[T]) (list []T) {
	p.Helper()
	err := p.gw.View(p.Context(), func(tx gateway.Tx) (err error) {
		list, err = table(tx).List(gateway.Query{OldestFirst: true})
		return err
	})
	if err != nil {
		p.Fatal(err)
	}
	return list
}

// A killable store is one whose process is killed after some transactions: no other one takes
// place.
type killable struct {
	gateway.Store
	left int
}

var errKilled = errors.New("storetest: killed")

// Update lets one of the transactions that are left take place.
func (m *killable) Update(ctx context.Context, do func(gateway.Tx) error) error {
	if m.left == 0 {
		return errKilled
	}
	m.left--
	return m.Store.Update(ctx, do)
}

// kill now and then kills the gateway while it moves the clock. The next one goes on with the move,
// unless it had not started.
func (p *player) kill() {
	if p.maker.Kill == nil || p.r.IntN(12) > 0 {
		return
	}
	config := p.config
	m := &killable{config.Store, 100} // more than a start needs
	config.Store = m
	killed, err := gateway.New(p.Context(), config)
	if err != nil {
		p.Fatal(err)
	}
	m.left = p.r.IntN(8)
	to := p.now.AddDays(1 + p.r.IntN(15))
	_, err = killed.Advance(p.Context(), to)
	if err != nil && !errors.Is(err, errKilled) && !errors.Is(err, gateway.Restarting) {
		p.Fatal(err)
	}
	p.config.Store = p.maker.Kill(p.T, p.config.Store)
	p.open()
	now, err := p.gw.Now(p.Context())
	if err != nil || now != p.now && now != to {
		p.Fatalf("killed on the way from %s to %s, the clock is at %s, %v", p.now, to, now, err)
	}
	p.now = now
}

// RunDay checks that a gateway with a store charges many profiles that are due on the same days:
// each once a day, in order of id, also on the day after the store was opened again.
func RunDay(t *testing.T, m Maker, profiles int) {
	start := calendar.MustParse("2026-01-01")
	p := &player{T: t, maker: m, now: start, config: gateway.Config{
		Store: m.New(t), AsOf: start, Key: make([]byte, 32), Callbacks: gateway.CallbacksOff,
	}}
	p.open()
	defer func() { _ = p.gw.Close() }()
	_, err := p.gw.Register(t.Context(), gateway.Registration{Login: "m1", Endpoint: "1001", ControlKey: lawKey})
	if err != nil {
		t.Fatal(err)
	}
	rows := make([]map[string]string, profiles)
	for i := range rows {
		rows[i] = map[string]string{"client-orderid": fmt.Sprintf("order-%06d", i), "start-date": "02.01.2026", "period": "day", "interval": "1"}
	}
	p.post(rows...)
	for day := range 2 {
		to := start.AddDays(day + 1)
		a, err := p.gw.Advance(t.Context(), to)
		if err != nil || a.Charges != profiles || a.Stops != 0 || a.Now != to {
			t.Fatalf("the run of %s: %+v, %v", to, a, err)
		}
		charges := p.charges()
		if len(charges) != (day+1)*profiles {
			t.Fatalf("%d charges up to %s, not %d", len(charges), to, (day+1)*profiles)
		}
		for i, c := range charges[day*profiles:] {
			id := gateway.ID(i + 1)
			if c.Profile != id || c.Charge.Date != to || c.Charge.Repeat != uint64(day) || c.ID != gateway.ID(day*profiles)+id {
				t.Fatalf("charge %d of %s is %+v", i, to, c)
			}
		}
		if day == 0 && m.Reopen != nil {
			if err := p.gw.Close(); err != nil {
				t.Fatal(err)
			}
			p.config.Store = m.Reopen(t, p.config.Store)
			p.open()
		}
	}
}
