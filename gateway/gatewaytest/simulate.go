package gatewaytest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/internal/testpayload"
)

// An Order is what the integration under test is to sell: one recurring payment profile.
type Order struct {
	ID      string            // the client-orderid
	Columns map[string]string // of the payload, by name, client-orderid and server_callback_url too; others are empty
}

// A Booking is one charge in the books of the integration under test.
type Booking struct {
	Profile string // the client-orderid
	Date    string // YYYY-MM-DD
	Amount  string // as the callback says it
	Outcome string // "approved" or "declined"
	Repeat  int
}

// Books are the integration under test.
type Books interface {
	// Create sells an order: it sends a create request. Once it returns nil there is a profile; with
	// an error there may be none, or one. It is called once for each order.
	Create(context.Context, Order) error
	// Booked returns what is booked, in any order. It is called once, at the end.
	Booked() []Booking
}

// AllFaults is every kind of fault.
var AllFaults = gateway.FaultKinds()

// A Plan says over which schedules an integration is run.
type Plan struct {
	Years  int                 // how far the clock goes in a schedule; 0: 1
	Seeds  int                 // how many schedules; 0: 100
	First  uint64              // the seed of the first one; the next have those after it
	Faults []gateway.FaultKind // what may go wrong; none: nothing

	// Timeout is how much real time a schedule may take before the process ends with its seed and the
	// stacks of all goroutines. It takes a few milliseconds, but time stands still where a lock is
	// held while a request is sent. 0: the timeout of the test.
	Timeout time.Duration
}

// A Report is what a simulation found.
type Report struct {
	Schedules int             // how many were run
	Seed      uint64          // of the one that fails
	Wrong     []string        // what is wrong in it, shrunk; none if every schedule is right
	Faults    []gateway.Fault // the fewest faults with which it fails
	Timeline  string          // what happened, a line each
}

// OK reports whether every schedule is right.
func (r *Report) OK() bool { return len(r.Wrong) == 0 }

// String is the report as text: what is wrong, the seed that shows it again, and the timeline.
func (r *Report) String() string {
	if r.OK() {
		return fmt.Sprintf("%d schedules are right", r.Schedules)
	}
	return fmt.Sprintf("the schedule with seed %d goes wrong (show it again: Plan{Seeds: 1, First: %d, …}):\n  %s\n%s",
		r.Seed, r.Seed, strings.Join(r.Wrong, "\n  "), r.Timeline)
}

// Simulate runs an integration over schedules of creates, days, events and faults, and compares its
// books with the gateway: each charge is booked once, none is invented, amount, date and outcome
// are right, and each profile is created once. The first schedule that goes wrong is shrunk to the
// fewest faults and steps, and fails the test with its timeline.
//
// Each schedule has a bubble of package synctest, in which minutes pass at once, and a new
// integration, made by integrate. There it registers a merchant, sends its requests with
// [Gateway.Client] and receives callbacks by [Gateway.Receive]. What it does in the background has
// an hour to end, in the time of the bubble, before it is asked what is booked; goroutines that go
// on must end with [Gateway.Context]. It must not hold a lock that its receiver needs while it
// sends a request: time would stand still until the test times out, or Plan.Timeout has passed.
func Simulate(t *testing.T, p Plan, integrate func(*Gateway) Books) Report {
	t.Helper()
	r := p.find(t, integrate)
	if !r.OK() {
		t.Error(r.String())
	}
	return r
}

// find is [Simulate] for what is meant to go wrong: it fails no test.
func (p Plan) find(t *testing.T, integrate func(*Gateway) Books) Report {
	t.Helper()
	if p.Years == 0 {
		p.Years = 1
	}
	if p.Seeds == 0 {
		p.Seeds = 100
	}
	var r Report
	for n := range p.Seeds {
		s := p.schedule(p.First + uint64(n))
		r.Schedules++
		if wrong, _ := s.play(t, integrate); len(wrong) > 0 {
			s = s.shrink(func(s schedule) bool { wrong, _ := s.play(t, integrate); return len(wrong) > 0 })
			r.Seed, r.Faults = s.seed, s.faults
			r.Wrong, r.Timeline = s.play(t, integrate)
			return r
		}
	}
	return r
}

// A schedule is what happens in one run.
type schedule struct {
	seed    uint64
	steps   []scheduled // in order of day
	faults  []gateway.Fault
	until   calendar.Date
	timeout time.Duration
}

// A scheduled step is an order, or an event on one of the orders before.
type scheduled struct {
	day   calendar.Date
	order Order
	of    string // the order of an event; empty for an order
	event engine.Event
	set   map[string]string // of an event: the columns of an update; nil for another one
	says  string
}

const simulationStart = "2026-01-01"

// callbackURL is where callbacks of a schedule go. Nothing listens there: they are delivered in
// memory.
const callbackURL = "https://shop.test/callbacks"

// schedule draws the schedule of a seed.
func (p Plan) schedule(seed uint64) schedule {
	r := rand.New(rand.NewPCG(seed, 1))
	start := calendar.MustParse(simulationStart)
	s := schedule{seed: seed, until: start.AddDays(365 * p.Years), timeout: p.Timeout}
	var ids []string
	for n := range 1 + r.IntN(3) {
		id := "order-" + strconv.Itoa(n+1)
		ids = append(ids, id)
		day := start.AddDays(r.IntN(100))
		s.steps = append(s.steps, scheduled{day: day, order: Order{id, orderColumns(r, id, day)}, says: "an order is placed: " + id})
	}
	for range r.IntN(5) {
		of := s.steps[r.IntN(len(ids))]
		e := scheduled{day: of.day.AddDays(r.IntN(200)), of: of.order.ID}
		switch r.IntN(4) {
		case 0:
			e.event, e.says = engine.Event{Kind: engine.EventStop}, "stopped"
		case 1:
			e.event, e.says = engine.Event{Kind: engine.EventResume}, "resumed"
		case 2:
			e.event, e.says = engine.Event{Kind: engine.EventCharge}, "charged by hand"
		case 3:
			e.set = map[string]string{"amount": fmt.Sprintf("%d.50", 1+r.IntN(30)), "amount-from": "", "amount-to": ""}
			e.says = "given another amount"
		}
		e.says = of.order.ID + " is " + e.says
		s.steps = append(s.steps, e)
	}
	slices.SortStableFunc(s.steps, func(a, b scheduled) int { return a.day.Compare(b.day) })
	for range r.IntN(maxFaults + 1) {
		if len(p.Faults) > 0 {
			s.faults = append(s.faults, drawFault(r, p.Faults[r.IntN(len(p.Faults))], ids, start))
		}
	}
	return s
}

// maxFaults is the most faults of a schedule.
const maxFaults = 5

// orderColumns draws an order.
func orderColumns(r *rand.Rand, id string, day calendar.Date) map[string]string {
	c := testpayload.With(map[string]string{"client-orderid": id, "interval": "1", "server_callback_url": callbackURL})
	delete(c, "amount")
	text := day.AddDays(r.IntN(20)).String()
	c["start-date"] = text[8:] + "." + text[5:7] + "." + text[:4]
	switch r.IntN(5) {
	case 0:
		c["period"], c["max-repeats-number"] = "day", strconv.Itoa(2+r.IntN(6))
	case 1:
		c["period"], c["max-repeats-number"] = "week", strconv.Itoa(2+r.IntN(8))
	default:
		c["period"], c["max-repeats-number"] = "month", strconv.Itoa(1+r.IntN(12))
	}
	if r.IntN(3) == 0 {
		c["amount-from"], c["amount-to"] = "1.00", "25.00"
	} else {
		c["amount"] = fmt.Sprintf("%d.%02d", r.IntN(50), 10+r.IntN(90))
	}
	return c
}

// drawFault draws a fault of a kind.
func drawFault(r *rand.Rand, kind gateway.FaultKind, ids []string, start calendar.Date) gateway.Fault {
	f := gateway.Fault{Kind: kind, Times: 1 + r.IntN(3)}
	switch kind {
	case gateway.FaultAnswerLost, gateway.FaultAnswerLate, gateway.FaultRefusedLate, gateway.FaultCut, gateway.FaultSlow:
		if r.IntN(2) == 0 {
			f.Where.Request = 1 + r.IntN(3)
		}
	case gateway.FaultRestart:
		f.Where.Day, f.Times = start.AddDays(1+r.IntN(300)), 1
	default:
		if r.IntN(2) == 0 {
			f.Where.Profile = ids[r.IntN(len(ids))]
		}
	}
	switch kind {
	case gateway.FaultAnswerLate, gateway.FaultRefusedLate:
		f.Ms = []int{20, 2_000, 90_000}[r.IntN(3)]
	case gateway.FaultCallbackLate:
		f.Days = 1 + r.IntN(40)
	case gateway.FaultSlow:
		f.BytesS = 500
	}
	return f
}

// shrink returns the smallest schedule found that fails as well: with the fewest faults, then with
// the fewest steps.
func (s schedule) shrink(fails func(schedule) bool) schedule {
	for smaller := true; smaller; {
		smaller = false
		for i := len(s.faults) - 1; i >= 0; i-- {
			less := s
			less.faults = slices.Delete(slices.Clone(s.faults), i, i+1)
			if fails(less) {
				s, smaller = less, true
			}
		}
		for i := len(s.steps) - 1; i >= 0; i-- {
			less := s
			less.steps = slices.Delete(slices.Clone(s.steps), i, i+1)
			if fails(less) {
				s, smaller = less, true
			}
		}
		for i, f := range s.faults {
			less := s
			less.faults = slices.Clone(s.faults)
			less.faults[i].Times = 1
			if f.Times > 1 && fails(less) {
				s, smaller = less, true
			}
		}
	}
	return s
}

// A run is a schedule under way.
type run struct {
	schedule
	gw                        *Gateway
	books                     Books
	mu                        sync.Mutex
	lines                     []string
	lastCallback, lastRequest gateway.ID // that were looked at

	created map[string]error
}

// play runs the schedule in a bubble, and returns what is wrong and what happened.
func (s schedule) play(t *testing.T, integrate func(*Gateway) Books) (wrong []string, timeline string) {
	t.Helper()
	if s.timeout > 0 {
		watch := time.AfterFunc(s.timeout, func() { // outside the bubble
			debug.SetTraceback("all")
			panic(fmt.Sprintf("gatewaytest: the schedule with seed %d takes longer than Plan.Timeout: perhaps a lock is held while a request is sent", s.seed))
		})
		defer watch.Stop()
	}
	synctest.Test(t, func(t *testing.T) {
		r := &run{schedule: s, created: map[string]error{}}
		r.gw = Options{AsOf: simulationStart, Seed: s.seed, Pauses: simulatedPauses(), simulation: r}.New(t)
		r.gw.pause = betweenDeliveries * 8 / 5 // callbacks have been delivered, and nobody knows
		r.books = integrate(r.gw)
		r.play(t)
		wrong, timeline = r.compare(), strings.Join(r.lines, "\n")
	})
	return wrong, timeline
}

func simulatedPauses() []time.Duration {
	return []time.Duration{time.Second, 5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute}
}

func (r *run) play(t *testing.T) {
	for i := range r.faults {
		f, err := r.gw.Gateway().AddFault(t.Context(), r.faults[i])
		r.gw.check(err)
		r.say("a fault is made: %s", describe(&f))
	}
	for i := range r.steps {
		step := &r.steps[i]
		r.advance(step.day)
		r.say("%s", step.says)
		if step.of == "" {
			r.order(t, step.order)
		} else {
			r.apply(t, step)
		}
		r.gw.check(r.gw.Gateway().Settle(t.Context()))
		r.sayFaults()
	}
	r.advance(r.until)
	r.say("the faults end")
	for id := range r.faults {
		r.gw.check(r.gw.Gateway().RemoveFault(t.Context(), gateway.ID(id+1)))
	}
	r.gw.check(r.gw.Gateway().Settle(t.Context()))
	time.Sleep(time.Hour) // what the integration does in the background
	synctest.Wait()
}

// order lets the integration sell an order.
func (r *run) order(t *testing.T, o Order) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	err := r.books.Create(ctx, o)
	r.created[o.ID] = err
	if err == nil {
		r.say("the integration says that %s is created", o.ID)
	} else {
		r.say("the integration says that %s failed", o.ID)
	}
}

// apply applies an event to the profiles of its order.
func (r *run) apply(t *testing.T, step *scheduled) {
	for _, p := range r.gw.Profiles() {
		if p.ClientOrderID != step.of {
			continue
		}
		var err error
		if step.set != nil {
			_, err = r.gw.Gateway().Update(t.Context(), p.ID, maps.All(step.set))
		} else {
			_, err = r.gw.Gateway().Apply(t.Context(), p.ID, step.event)
		}
		if _, refused := errors.AsType[*gateway.Refused](err); refused {
			r.say("… which is refused")
		} else {
			r.gw.check(err)
		}
	}
}

func (r *run) advance(to calendar.Date) {
	now, err := r.gw.Gateway().Now(r.gw.t.Context())
	r.gw.check(err)
	for now.Before(to) { // from one day on which something happens to the next: callbacks come on their day
		if now = r.nextDay(now); now.After(to) {
			now = to
		}
		before := r.charged()
		r.gw.Advance(now)
		if n := r.charged() - before; n > 0 {
			r.say("the clock has come to %s: %d charged", now, n)
		}
		r.sayFaults()
	}
}

// charged returns how many charges there are, which is the id of the last one.
func (r *run) charged() (n gateway.ID) {
	r.gw.check(r.gw.Gateway().View(r.gw.t.Context(), func(tx gateway.Tx) error {
		last, err := tx.Charges().List(gateway.Query{Limit: 1})
		if len(last) > 0 {
			n = last[0].ID
		}
		return err
	}))
	return n
}

// sayFaults writes which requests and callbacks met a fault since the last time.
func (r *run) sayFaults() {
	var lines []string
	r.gw.check(r.gw.Gateway().View(r.gw.t.Context(), func(tx gateway.Tx) error {
		requests, err := tx.Requests().List(gateway.Query{Past: r.lastRequest, OldestFirst: true})
		if err != nil {
			return err
		}
		for _, q := range requests {
			if r.lastRequest = q.ID; q.Fault != 0 {
				lines = append(lines, fmt.Sprintf("fault: %s of request %d", q.Fault, q.ID))
			}
		}
		list, err := tx.Callbacks().List(gateway.Query{Past: r.lastCallback, OldestFirst: true})
		for _, b := range list {
			r.lastCallback = b.ID
			if b.Fault == 0 {
				continue
			}
			c, err := tx.Charges().Get(b.Charge)
			if err != nil {
				return err
			}
			lines = append(lines, fmt.Sprintf("fault: %s of the callback of %s repeat %d", b.Fault, c.ClientOrderID, c.Charge.Repeat))
		}
		return err
	}))
	for _, line := range lines {
		r.say("%s", line)
	}
}

// nextDay is the next day on which a profile is due.
func (r *run) nextDay(now calendar.Date) (next calendar.Date) {
	r.gw.check(r.gw.Gateway().View(r.gw.t.Context(), func(tx gateway.Tx) (err error) {
		next, err = tx.Profiles().NextDue()
		return err
	}))
	if !next.After(now) {
		return calendar.MaxDate()
	}
	return next
}

// say writes a line of the timeline.
func (r *run) say(format string, args ...any) {
	now, err := r.gw.Gateway().Now(r.gw.t.Context())
	r.gw.check(err)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lines = append(r.lines, "  "+now.String()+"  "+time.Now().UTC().Format("15:04:05.000")+"  "+fmt.Sprintf(format, args...))
}

// describe is a fault in words.
func describe(f *gateway.Fault) string {
	text := f.Kind.String()
	if f.Where.Profile != "" {
		text += " of " + f.Where.Profile
	}
	if !f.Where.Day.IsZero() {
		text += " after " + f.Where.Day.String()
	}
	if f.Where.Request != 0 {
		text += fmt.Sprintf(" at request %d", f.Where.Request)
	}
	if f.Ms != 0 {
		text += fmt.Sprintf(" by %d ms", f.Ms)
	}
	if f.Days != 0 {
		text += fmt.Sprintf(" by %d days", f.Days)
	}
	if f.Times > 1 {
		text += fmt.Sprintf(", %d times", f.Times)
	}
	return text
}

// betweenDeliveries is how long a callback is under way, and how long its answer is.
const betweenDeliveries = time.Millisecond

// deliver delivers a callback in memory. Two never come at the same time: profiles take turns, so
// that the same schedule has the same timeline.
func (r *run) deliver(to *http.Handler, q *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(q.Body)
	if err != nil {
		return nil, err
	}
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, err
	}
	turn, _ := strconv.Atoi(form.Get("recurring-payment-id"))
	if !wait(q.Context(), betweenDeliveries+time.Duration(turn)*10*time.Microsecond) {
		return nil, q.Context().Err()
	}
	if to == nil {
		return nil, io.ErrUnexpectedEOF
	}
	received := q.Clone(q.Context())
	received.Body = io.NopCloser(strings.NewReader(string(body)))
	response, err := inMemory{*to}.RoundTrip(received)
	status := "no answer"
	if err == nil {
		status = strconv.Itoa(response.StatusCode)
	}
	r.say("callback: %s repeat %s of %s, %s %s → %s", form.Get("client-orderid"), form.Get("repeat"), form.Get("date"), form.Get("amount"), form.Get("status"), status)
	if !wait(q.Context(), betweenDeliveries) {
		r.say("… the answer is lost")
		return nil, q.Context().Err()
	}
	return response, err
}

// wait waits, and reports false if ctx ended before.
func wait(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// request answers a create request of the integration, and writes that down.
func (r *run) request(serve func() (*http.Response, error)) (*http.Response, error) {
	response, err := serve()
	if err != nil {
		r.say("request: no answer")
	} else {
		r.say("request → %d", response.StatusCode)
	}
	return response, err
}

// compare says what is wrong in the books.
func (r *run) compare() (wrong []string) {
	profiles := map[string]int{}
	for _, p := range r.gw.Profiles() {
		profiles[p.ClientOrderID]++
	}
	for _, id := range slices.Sorted(maps.Keys(r.created)) {
		switch n := profiles[id]; {
		case n > 1:
			wrong = append(wrong, fmt.Sprintf("%s was created %d times", id, n))
		case n == 0 && r.created[id] == nil:
			wrong = append(wrong, id+" was not created, and the integration says that it was")
		}
	}
	for _, id := range slices.Sorted(maps.Keys(profiles)) {
		if _, ordered := r.created[id]; !ordered {
			wrong = append(wrong, id+" was created, and never ordered")
		}
	}
	books := map[Booking]int{}
	for _, b := range r.books.Booked() {
		books[b]++
	}
	charged := map[Booking]int{}
	for _, c := range r.gw.Charges() {
		charged[Booking{c.ClientOrderID, c.Charge.Date.String(), c.Charge.Min.String(), c.Charge.Outcome.String(), int(c.Charge.Repeat)}]++
	}
	all := map[Booking]bool{}
	for b := range books {
		all[b] = true
	}
	for b := range charged {
		all[b] = true
	}
	for _, b := range slices.SortedFunc(maps.Keys(all), compareBookings) {
		what := fmt.Sprintf("%s repeat %d of %s, %s %s", b.Profile, b.Repeat, b.Date, b.Amount, b.Outcome)
		switch n, want := books[b], charged[b]; {
		case n < want:
			wrong = append(wrong, what+": charged, and not booked")
		case want == 0:
			wrong = append(wrong, what+": booked, and not charged")
		case n > want:
			wrong = append(wrong, fmt.Sprintf("%s: booked %d times", what, n))
		}
	}
	return wrong
}

func compareBookings(a, b Booking) int {
	return strings.Compare(fmt.Sprintf("%s %s %06d %s %s", a.Profile, a.Date, a.Repeat, a.Amount, a.Outcome), fmt.Sprintf("%s %s %06d %s %s", b.Profile, b.Date, b.Repeat, b.Amount, b.Outcome))
}
