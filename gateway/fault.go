package gateway

import (
	"context"
	"errors"
	"io"
	"math"
	"net/http"
	"slices"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/cardtext"
	"github.com/chargecast/chargecast/internal/enum"
)

// A FaultKind says what goes wrong. The zero value is none.
type FaultKind uint8

// The kinds.
const (
	FaultAnswerLost        FaultKind = iota + 1 // a request is accepted and committed, then the connection is cut
	FaultAnswerLate                             // a request is accepted, and answered after Ms
	FaultRefusedLate                            // a request is read whole, and refused after Ms
	FaultCut                                    // the connection is cut before anything is committed
	FaultSlow                                   // the body of a request is read at BytesS
	FaultCallbackTwice                          // a callback is delivered once more than needed
	FaultCallbackLate                           // a callback is sent Days of the clock later
	FaultCallbackLost                           // a callback is never sent
	FaultCallbackReordered                      // a callback is sent after the next one of the merchant
	FaultCallbackEarly                          // a callback is sent before the create request is answered
	FaultRestart                                // the process ends between two days
	FaultDecline                                // a charge is declined
)

var faultWords = enum.Words{Type: "FaultKind", Words: []string{
	"", "answer-lost", "answer-late", "refused-late", "cut", "slow", "callback-twice", "callback-late", "callback-lost",
	"callback-reordered", "callback-early", "restart", "decline",
}}

// FaultKinds lists every kind.
func FaultKinds() []FaultKind {
	list := make([]FaultKind, 0, len(faultWords.Words)-1)
	for k := FaultAnswerLost; k <= FaultDecline; k++ {
		list = append(list, k)
	}
	return list
}

// String returns the word, such as "answer-lost"; it is empty for none, and a text such as
// "FaultKind(99)" for a value that is none of these.
func (k FaultKind) String() string { return faultWords.String(uint8(k)) }

// MarshalText returns the word; a value that is not a FaultKind is an error.
func (k FaultKind) MarshalText() ([]byte, error) { return faultWords.Marshal(uint8(k)) }

// UnmarshalText reads what MarshalText writes. On an error k is unchanged.
func (k *FaultKind) UnmarshalText(text []byte) error {
	return faultWords.Unmarshal(text, (*uint8)(k))
}

// A Fault is something that goes wrong on purpose, for each event that it selects: the same
// requests and days meet the same faults.
type Fault struct {
	ID     ID         `api:"id,out"`
	Kind   FaultKind  `api:"kind,needed"`
	Login  string     `api:"login,null" doc:"Any merchant without it"`
	Where  FaultWhere `api:"where,null"`
	Times  int        `api:"times,count" default:"1" doc:"For how many events; 0: for all, until it is removed"`
	Ms     int        `api:"ms,count" doc:"Of answer-late and refused-late"`
	Days   int        `api:"days,count" doc:"Of callback-late"`
	BytesS int        `api:"bytes_s,count" doc:"Of slow"`
	Used   int        `api:"used,out" doc:"For how many events it was used"`
	Seen   int        // how many requests there were since it was made, if Where names one by its number
}

var faultForm = formOf[Fault]()

// A FaultWhere selects the events of a fault. The zero value selects everything.
type FaultWhere struct {
	Profile string        `api:"profile,null" doc:"client-orderid; kept and shown masked where it has 12 and more digits in a row"`                          // empty for any
	Hash    string        `json:",omitempty"`                                                                                                                // the keyed hash of a client-orderid that is kept masked; empty for others
	Day     calendar.Date `api:"day,null" doc:"Of restart: the day after whose run the process ends"`                                                        // zero for any
	Request int           `api:"request,count,null" limits:"minimum=1" doc:"The n-th request of the merchant since the fault was made, whatever its answer"` // 0 for any
}

// The statuses of outcomes and faults in a [Key].
const (
	statusActive = "active"
	statusSpent  = "spent"
)

// Key returns the key; its status is "active" or "spent".
func (f Fault) Key() Key {
	k := Key{ID: f.ID, Login: f.Login, Status: statusActive, Text: f.Where.Profile}
	if f.isSpent() {
		k.Status = statusSpent
	}
	return k
}

func (f *Fault) isSpent() bool { return f.Times > 0 && f.Used >= f.Times }

// activeFaults are the faults in one transaction. How often they were used is written by flush,
// once.
type activeFaults struct {
	g       *Gateway
	tx      Tx
	list    []Fault // the oldest first
	before  []Fault
	fetched bool
}

func (a *activeFaults) fetch() error {
	if a.fetched {
		return nil
	}
	list, err := a.tx.Faults().List(Query{Status: statusActive, OldestFirst: true})
	if err != nil {
		return err
	}
	a.list, a.before, a.fetched = list, slices.Clone(list), true
	return nil
}

// count counts a request of a merchant for the faults that name one by its number: those of slow
// apart, since they are asked first.
func (a *activeFaults) count(login string, slow bool) error {
	if err := a.fetch(); err != nil {
		return err
	}
	for i := range a.list {
		if f := &a.list[i]; f.Where.Request != 0 && (f.Login == "" || f.Login == login) && (f.Kind == FaultSlow) == slow {
			f.Seen++
		}
	}
	return nil
}

// use returns the first fault of a kind that selects an event, and counts that; nil for none. An
// event concerns a merchant, a day, and profiles, by client-orderid; each may be left out.
func (a *activeFaults) use(kind FaultKind, login string, day calendar.Date, orders ...string) (*Fault, error) {
	if err := a.fetch(); err != nil {
		return nil, err
	}
	for i := range a.list {
		f := &a.list[i]
		if f.Kind == kind && !f.isSpent() && (f.Login == "" || f.Login == login) &&
			(f.Where.Request == 0 || f.Where.Request == f.Seen) &&
			(f.Where.Day.IsZero() || f.Where.Day == day) &&
			(f.Where.Profile == "" || a.isAmong(f.Where, orders)) {
			f.Used++
			return f, nil
		}
	}
	return nil, nil
}

func (a *activeFaults) isAmong(where FaultWhere, orders []string) bool {
	return slices.ContainsFunc(orders, func(id string) bool { return a.g.selects(where.Profile, where.Hash, id) })
}

// flush writes what changed.
func (a *activeFaults) flush() error {
	for i := range a.list {
		if a.list[i] == a.before[i] {
			continue
		}
		if err := a.tx.Faults().Put(a.list[i]); err != nil {
			return err
		}
	}
	a.before = slices.Clone(a.list)
	return nil
}

// selector returns a client-orderid that selects profiles as it is kept: one that may be a card
// number, which the profile itself does not show, is masked, and its keyed hash selects those that
// are shown whole.
func (g *Gateway) selector(orderID string) (shown, hash string) {
	if shown = cardtext.Mask(orderID); shown != orderID {
		hash = g.seal.Hash(orderID)
	}
	return shown, hash
}

// selects reports whether what selector returned selects a profile.
func (g *Gateway) selects(shown, hash, orderID string) bool {
	return shown == orderID || hash != "" && shown == cardtext.Mask(orderID) && hash == g.seal.Hash(orderID)
}

// callbackFault applies the first fault that selects a callback, which is about to be stored.
func (t *transaction) callbackFault(p *Profile, b *Callback, now calendar.Date) error {
	for _, kind := range [...]FaultKind{FaultCallbackLost, FaultCallbackLate, FaultCallbackReordered, FaultCallbackTwice, FaultCallbackEarly} {
		if kind == FaultCallbackEarly && !t.creates {
			continue
		}
		f, err := t.faults.use(kind, p.Login, now, p.ClientOrderID)
		if err != nil {
			return err
		}
		if f == nil {
			continue
		}
		b.Fault = kind
		switch kind {
		case FaultCallbackLost:
			b.State = CallbackFailed
		case FaultCallbackLate:
			b.HeldBy, b.Day = f.ID, now.AddDays(min(f.Days, calendar.MaxDate().Sub(now)))
		case FaultCallbackReordered:
			b.HeldBy = f.ID
		case FaultCallbackTwice:
			b.Again = 1
		case FaultCallbackEarly:
			t.early = true
		}
		return nil
	}
	return nil
}

// release makes a callback one that can be sent.
func (b *Callback) release() { b.HeldBy, b.Day, b.After = 0, calendar.Date{}, 0 }

// heldCallbacks are those that faults delay, in order of id.
func heldCallbacks(tx Tx) ([]Callback, error) {
	return tx.Callbacks().List(Query{Status: statusHeld, OldestFirst: true})
}

func (t *transaction) readHeld() (err error) {
	if !t.heldRead {
		t.held, err = heldCallbacks(t.tx)
		t.heldRead = err == nil
	}
	return err
}

// releaseIf lets the delayed callbacks be sent for which a condition is true.
func (t *transaction) releaseIf(is func(*Callback) bool) error {
	if err := t.readHeld(); err != nil {
		return err
	}
	var rest []Callback
	for _, b := range t.held {
		if !is(&b) {
			rest = append(rest, b)
			continue
		}
		b.release()
		t.deliveries = append(t.deliveries, b.delivery())
		if err := t.tx.Callbacks().Put(b); err != nil {
			return err
		}
	}
	t.held = rest
	return nil
}

// overtake lets the delayed callback of the same merchant that waits for a next one wait for this
// one: until it is tried, or not at all if it never will be.
func (t *transaction) overtake(next *Callback) error {
	if err := t.readHeld(); err != nil {
		return err
	}
	for i := range t.held {
		b := &t.held[i]
		if b.Login != next.Login || !b.Day.IsZero() || b.After != 0 {
			continue
		}
		if next.State == CallbackFailed {
			return t.releaseIf(func(o *Callback) bool { return o.ID == b.ID })
		}
		b.After = next.ID
		return t.tx.Callbacks().Put(*b)
	}
	return nil
}

// releaseAfter releases the callback that waits until another one was tried, and returns it as one
// to be sent.
func releaseAfter(tx Tx, tried ID) (list []delivery, err error) {
	held, err := heldCallbacks(tx)
	for _, b := range held {
		if b.After == tried {
			b.release()
			list = append(list, b.delivery())
			err = errors.Join(err, tx.Callbacks().Put(b))
		}
	}
	return list, err
}

// releaseDue releases what was to be late up to a day and, at the end of an advance, what found no
// next one.
func (t *transaction) releaseDue(now calendar.Date, ended bool) error {
	return t.releaseIf(func(b *Callback) bool {
		if b.Day.IsZero() {
			return ended && b.After == 0
		}
		return !b.Day.After(now)
	})
}

// nextFault returns the earliest day after now on which Advance must stop although no profile may
// be due: the process is to end after it, or a late callback is to be sent on it. It is zero for
// none.
func (t *transaction) nextFault(now calendar.Date) (first calendar.Date, err error) {
	if err := errors.Join(t.faults.fetch(), t.readHeld()); err != nil {
		return first, err
	}
	earlier := func(day calendar.Date) {
		if day.After(now) && (first.IsZero() || day.Before(first)) {
			first = day
		}
	}
	for i := range t.faults.list {
		if f := &t.faults.list[i]; f.Kind == FaultRestart && !f.isSpent() {
			if earlier(f.Where.Day); f.Where.Day.IsZero() && now != calendar.MaxDate() {
				earlier(now.AddDays(1))
			}
		}
	}
	for i := range t.held {
		earlier(t.held[i].Day)
	}
	return first, nil
}

// useFault returns the fault of some kinds that selects a create request, which nothing is against;
// the zero Fault for none.
func (v *createRequest) useFault(t *transaction, now calendar.Date, kinds ...FaultKind) (Fault, error) {
	for _, kind := range kinds {
		f, err := t.faults.use(kind, v.merchant.Login, now, v.batch.orders...)
		if err != nil {
			return Fault{}, err
		}
		if f != nil {
			return *f, nil
		}
	}
	return Fault{}, nil
}

// slow lets the body be read slowly if a fault selects the request.
func (v *createRequest) slow() error {
	if !v.mayBeSlow || v.r.Body == nil {
		return nil
	}
	return v.g.store.Update(v.r.Context(), func(tx Tx) error {
		c, err := tx.Clock()
		if err != nil {
			return err
		}
		s := activeFaults{g: v.g, tx: tx}
		if err := s.count(v.merchant.Login, true); err != nil {
			return err
		}
		f, err := s.use(FaultSlow, v.merchant.Login, c.Now)
		if err != nil {
			return err
		}
		if f != nil {
			v.r.Body = &slowBody{v.r.Body, v, f.BytesS}
			v.record.Fault = FaultSlow
		}
		return s.flush()
	})
}

// A slowBody is read at a number of bytes a second.
type slowBody struct {
	io.ReadCloser
	v    *createRequest
	rate int
}

func (s *slowBody) Read(b []byte) (int, error) {
	n, err := s.ReadCloser.Read(b[:min(len(b), max(1, s.rate/10))])
	s.v.sleep(time.Duration(n) * time.Second / time.Duration(s.rate))
	return n, err
}

// sleep waits, unless the client or the gateway goes away.
func (v *createRequest) sleep(d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-v.r.Context().Done():
	case <-v.g.closing:
	}
}

// finish answers a request as its fault has it. Callbacks are sent once it is answered, unless a
// fault wants them earlier.
func (v *createRequest) finish(w http.ResponseWriter, reason Reason) {
	if t := v.kept; t != nil {
		send := func() {
			v.g.courier.send(t.deliveries)
			v.release()
		}
		if t.early {
			send()
			ctx, cancel := context.WithTimeout(v.r.Context(), callbackTimeout)
			_ = v.g.courier.wait(ctx, v.g.courier.mark(t.deliveries[len(t.deliveries)-1].callback)) // one that is not tried in time is not waited for
			cancel()
		} else {
			defer send()
		}
	}
	switch v.fault.Kind {
	case FaultCut, FaultAnswerLost:
		panic(http.ErrAbortHandler)
	case FaultAnswerLate, FaultRefusedLate:
		v.sleep(time.Duration(v.fault.Ms) * time.Millisecond)
	}
	v.answer(w, reason)
	if v.kept != nil && len(v.kept.deliveries) > 0 {
		_ = http.NewResponseController(w).Flush() // a writer that cannot has sent it, or keeps it
	}
}

// AddFault adds a fault and returns it with its id. The error has the code [NotFound] for a login
// that no merchant has, and [InputForm] for what cannot be used.
func (g *Gateway) AddFault(ctx context.Context, f Fault) (Fault, error) {
	if err := f.check(); err != nil {
		return Fault{}, err
	}
	f.Where.Profile, f.Where.Hash = g.selector(f.Where.Profile)
	err := g.store.Update(ctx, func(tx Tx) error {
		if err := knows(tx, f.Login); err != nil {
			return err
		}
		id, err := tx.Faults().NextID()
		if err != nil {
			return err
		}
		f.ID, f.Used, f.Seen = id, 0, 0
		return tx.Faults().Put(f)
	})
	if err != nil {
		return Fault{}, err
	}
	return f, nil
}

// RemoveFault removes a fault, and lets the callbacks be sent that it delays. The error has the
// code [NotFound] for an id that no fault has.
func (g *Gateway) RemoveFault(ctx context.Context, id ID) error {
	var t *transaction
	err := g.store.Update(ctx, func(tx Tx) error {
		t = g.transaction(tx)
		if err := tx.Faults().Delete(id); err != nil {
			return err
		}
		return t.releaseIf(func(b *Callback) bool { return b.HeldBy == id })
	})
	if err == nil {
		g.settle(t)
	}
	return err
}

// maxFaultMs is the longest that an answer may be late: a day, in milliseconds.
const maxFaultMs = 86_400_000

// check refuses what could select nothing, or what its kind has no use for.
func (f *Fault) check() error {
	isRequest := f.Kind >= FaultAnswerLost && f.Kind <= FaultSlow
	isLate := f.Kind == FaultAnswerLate || f.Kind == FaultRefusedLate
	switch {
	case f.Kind == 0 || f.Kind > FaultDecline:
		return inField("kind", "the kind is missing or unknown", "send one of those that openapi.json names")
	case f.Times < 0 || f.Times > math.MaxInt32:
		return inField("times", "the number of times is negative or above 2147483647", "send for how many events, 0 for all until it is removed")
	case f.Ms < 0 || f.Ms > maxFaultMs || f.Ms > 0 && !isLate:
		return inField("ms", "milliseconds are for answers that are late, up to a day", "leave ms out, or send kind answer-late or refused-late")
	case f.Kind == FaultCallbackLate && (f.Days < 1 || f.Days > 3660), f.Kind != FaultCallbackLate && f.Days != 0:
		return inField("days", "days are for callback-late alone, from 1 to 3660", "send how many days of the clock a callback is late")
	case f.Kind == FaultSlow && (f.BytesS < 1 || f.BytesS > math.MaxInt32), f.Kind != FaultSlow && f.BytesS != 0:
		return inField("bytes_s", "bytes_s is for slow alone, from 1 to 2147483647", "send how many bytes of a body are read in a second")
	case f.Where.Request < 0 || f.Where.Request > math.MaxInt32 || f.Where.Request > 0 && !isRequest:
		return inField("where", "only faults of requests can name one by its number", "leave where.request out, or send it from 1")
	case !f.Where.Day.IsZero() && f.Kind != FaultRestart:
		return inField("where", "only restart has a day", "leave where.day out")
	case f.Where.Profile != "" && (f.Kind == FaultSlow || f.Kind == FaultRestart):
		return inField("where", "no profile is known when it happens", "leave where.profile out")
	case f.Kind == FaultRestart && f.Login != "":
		return inField("login", "all merchants share the process", "leave login out")
	case len(f.Where.Profile) > 512:
		return inField("where", "the client-orderid is longer than 512 bytes", "send the client-orderid of the profile")
	}
	return nil
}
