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

// String returns the word, such as "answer-lost"; it is empty for none, and a text such as "FaultKind(99)" for a value
// that is none of these.
func (k FaultKind) String() string { return faultWords.String(uint8(k)) }

// MarshalText returns the word; a value that is not a FaultKind is an error.
func (k FaultKind) MarshalText() ([]byte, error) { return faultWords.Marshal(uint8(k)) }

// UnmarshalText reads what MarshalText writes. On an error k is unchanged.
func (k *FaultKind) UnmarshalText(text []byte) error {
	return faultWords.Unmarshal(text, (*uint8)(k))
}

// A Fault is something that goes wrong on purpose. Each event that it may strike is counted, and a number drawn from the
// seed of the gateway, the fault's id and that count decides whether it is struck: the same requests and days are struck by
// the same faults.
type Fault struct {
	ID     ID         `api:"id,out"`
	Kind   FaultKind  `api:"kind,needed"`
	Login  string     `api:"login,null" doc:"Any merchant without it"`
	Where  FaultWhere `api:"where,null"`
	Times  int        `api:"times,count" default:"1" doc:"How many events it strikes; 0: all, until it is removed"`
	Chance float64    `api:"chance" default:"1" limits:"exclusiveMinimum=0 maximum=1" doc:"Of an event to be struck"`
	Ms     int        `api:"ms,count" doc:"Of answer-late and refused-late"`
	Days   int        `api:"days,count" doc:"Of callback-late"`
	BytesS int        `api:"bytes_s,count" doc:"Of slow"`
	Used   int        `api:"used,out" doc:"How many events it has struck"`
	Seen   int        // how many events it might have struck; of a fault with Where.Request, all requests
	Held   []ID       `json:",omitempty"` // the callbacks that it keeps back
}

var faultForm = formOf[Fault]()

// A FaultWhere selects what a fault may strike. The zero value selects everything.
type FaultWhere struct {
	Profile string        `api:"profile,null" doc:"client-orderid; kept and shown masked where it has 12 and more digits in a row"`     // empty for any
	Hash    string        `json:",omitempty"`                                                                                           // the keyed hash of a client-orderid that is kept masked; empty for others
	Day     calendar.Date `api:"day,null"`                                                                                              // the clock's day; zero for any
	Request int           `api:"request,count,null" limits:"minimum=1" doc:"The n-th request of the merchant since the fault was made"` // 0 for any
}

// The statuses of outcomes and faults in a [Key].
const (
	statusActive = "active"
	statusSpent  = "spent"
)

// Key returns the key; its status is "active" or "spent". A fault that keeps callbacks back is active.
func (f Fault) Key() Key {
	k := Key{ID: f.ID, Login: f.Login, Status: statusActive, Text: f.Where.Profile}
	if f.isSpent() && len(f.Held) == 0 {
		k.Status = statusSpent
	}
	return k
}

func (f *Fault) isSpent() bool { return f.Times > 0 && f.Used >= f.Times }

// strikes are the faults in one transaction. What they strike and keep back is written by flush, once.
type strikes struct {
	g       *Gateway
	tx      Tx
	active  []Fault // the oldest first
	before  []Fault
	fetched bool
}

func (s *strikes) fetch() error {
	if s.fetched {
		return nil
	}
	list, err := s.tx.Faults().List(Query{Status: statusActive, OldestFirst: true})
	if err != nil {
		return err
	}
	s.active, s.before, s.fetched = list, slices.Clone(list), true
	return nil
}

// strike returns the first fault of a kind that strikes an event; nil for none. An event concerns a merchant, a day, and
// profiles, by client-orderid; each may be left out.
func (s *strikes) strike(kind FaultKind, login string, day calendar.Date, orders ...string) (*Fault, error) {
	if err := s.fetch(); err != nil {
		return nil, err
	}
	for i := range s.active {
		f := &s.active[i]
		if f.Kind != kind || f.isSpent() || f.Login != "" && f.Login != login {
			continue
		}
		ordinal := f.Where.Request != 0
		if ordinal {
			f.Seen++
		}
		if ordinal && f.Seen != f.Where.Request || !f.Where.Day.IsZero() && f.Where.Day != day || f.Where.Profile != "" && !s.isAmong(f.Where, orders) {
			continue
		}
		if !ordinal {
			f.Seen++
		}
		if draw(s.g.config.Seed, uint64(f.ID), uint64(f.Seen)) < f.Chance {
			f.Used++
			return f, nil
		}
	}
	return nil, nil
}

func (s *strikes) isAmong(where FaultWhere, orders []string) bool {
	return slices.ContainsFunc(orders, func(id string) bool { return s.g.selects(where.Profile, where.Hash, id) })
}

// draw returns a number from 0 up to 1 that depends on others alone, evenly spread.
func draw(of ...uint64) float64 {
	var h uint64
	for _, n := range of { // SplitMix64
		h += n + 0x9e3779b97f4a7c15
		h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
		h = (h ^ h>>27) * 0x94d049bb133111eb
		h ^= h >> 31
	}
	const digits = 53 // of a float64
	return float64(h>>(64-digits)) / (1 << digits)
}

// next returns the earliest day after now on which a fault may do something: end the process, for which each day is drawn
// unless it names one, or let a callback go. It is zero for none. Nothing else may be due on it.
func (s *strikes) next(now calendar.Date) (first calendar.Date, err error) {
	if err := s.fetch(); err != nil {
		return first, err
	}
	earlier := func(day calendar.Date) {
		if day.After(now) && (first.IsZero() || day.Before(first)) {
			first = day
		}
	}
	for i := range s.active {
		f := &s.active[i]
		switch isRestart := f.Kind == FaultRestart && !f.isSpent(); {
		case isRestart && !f.Where.Day.IsZero():
			earlier(f.Where.Day)
		case isRestart && now != calendar.MaxDate():
			earlier(now.AddDays(1))
		}
		if f.Kind != FaultCallbackLate {
			continue
		}
		for _, id := range f.Held {
			b, err := s.tx.Callbacks().Get(id)
			if err != nil && !errors.Is(err, NotFound) {
				return first, err
			}
			earlier(b.Day)
		}
	}
	return first, nil
}

// flush writes what changed.
func (s *strikes) flush() error {
	for i := range s.active {
		f, was := &s.active[i], &s.before[i]
		if f.Used == was.Used && f.Seen == was.Seen && slices.Equal(f.Held, was.Held) {
			continue
		}
		if err := s.tx.Faults().Put(*f); err != nil {
			return err
		}
	}
	s.before = slices.Clone(s.active)
	return nil
}

// selector returns a client-orderid that selects profiles as it is kept: one that may be a card number, which the profile itself
// does not show, is masked, and its keyed hash selects those that are shown whole.
func (g *Gateway) selector(orderID string) (shown, hash string) {
	if shown = cardtext.Mask(orderID); shown != orderID {
		hash = g.seal.cardHash(orderID)
	}
	return shown, hash
}

// selects reports whether what selector returned selects a profile.
func (g *Gateway) selects(shown, hash, orderID string) bool {
	return shown == orderID || hash != "" && shown == cardtext.Mask(orderID) && hash == g.seal.cardHash(orderID)
}

// mishap lets faults strike a callback that is about to be stored.
func (k *keeper) mishap(p *Profile, b *Callback, now calendar.Date) error {
	for _, kind := range [...]FaultKind{FaultCallbackLost, FaultCallbackLate, FaultCallbackReordered, FaultCallbackTwice, FaultCallbackEarly} {
		if kind == FaultCallbackEarly && !k.creates {
			continue
		}
		f, err := k.faults.strike(kind, p.Login, now, p.ClientOrderID)
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
			b.Held, b.Day = true, now.AddDays(min(f.Days, calendar.MaxDate().Sub(now)))
		case FaultCallbackReordered:
			b.Held = true
		case FaultCallbackTwice:
			b.Again = 1
		case FaultCallbackEarly:
			k.early = true
		}
		if b.Held {
			f.Held = append(slices.Clip(f.Held), b.ID)
		}
		return nil
	}
	return nil
}

// overtake makes a new callback let go one of the same merchant that waits for the next one.
func (k *keeper) overtake(b *Callback) error {
	if err := k.faults.fetch(); err != nil {
		return err
	}
	for i := range k.faults.active {
		f := &k.faults.active[i]
		if f.Kind != FaultCallbackReordered {
			continue
		}
		for n, id := range f.Held {
			held, err := k.tx.Callbacks().Get(id)
			if err != nil && !errors.Is(err, NotFound) {
				return err
			}
			if err != nil || held.Login != b.Login || id == b.ID {
				continue
			}
			f.Held = slices.Delete(slices.Clone(f.Held), n, n+1)
			if b.State == CallbackFailed { // it is never sent
				return k.letGo(id)
			}
			b.Releases = id
			return nil
		}
	}
	return nil
}

// letGo lets a callback that was kept back be sent. One that was dropped meanwhile is left out.
func (k *keeper) letGo(id ID) error {
	b, err := release(k.tx, id)
	if err == nil && b.Held {
		k.letters = append(k.letters, b.letter())
	}
	return err
}

// release makes a callback one that can be sent, and returns it as it was.
func release(tx Tx, id ID) (Callback, error) {
	b, err := tx.Callbacks().Get(id)
	if errors.Is(err, NotFound) || err == nil && !b.Held {
		return Callback{}, nil
	}
	if err != nil {
		return Callback{}, err
	}
	now := b
	now.Held = false
	return b, tx.Callbacks().Put(now)
}

// letGoUntil lets go what was to be late up to a day and, at the end of an advance, what found no next one.
func (k *keeper) letGoUntil(now calendar.Date, ended bool) error {
	if err := k.faults.fetch(); err != nil {
		return err
	}
	for i := range k.faults.active {
		f := &k.faults.active[i]
		var rest []ID
		for _, id := range f.Held {
			b, err := k.tx.Callbacks().Get(id)
			switch {
			case errors.Is(err, NotFound):
				continue
			case err != nil:
				return err
			case f.Kind == FaultCallbackLate && b.Day.After(now), f.Kind == FaultCallbackReordered && !ended:
				rest = append(rest, id)
				continue
			}
			if err := k.letGo(id); err != nil {
				return err
			}
		}
		f.Held = rest
	}
	return nil
}

// strikeRequest lets the faults of some kinds strike a create request that nothing is against.
func (v *visit) strikeRequest(k *keeper, now calendar.Date, kinds ...FaultKind) (Fault, error) {
	for _, kind := range kinds {
		f, err := k.faults.strike(kind, v.merchant.Login, now, v.batch.orders...)
		if err != nil {
			return Fault{}, err
		}
		if f != nil {
			return *f, nil
		}
	}
	return Fault{}, nil
}

// slow lets the body be read slowly if a fault strikes the request.
func (v *visit) slow() error {
	if !v.mayBeSlow || v.r.Body == nil {
		return nil
	}
	return v.g.store.Update(v.r.Context(), func(tx Tx) error {
		c, err := tx.Clock()
		if err != nil {
			return err
		}
		s := strikes{g: v.g, tx: tx}
		f, err := s.strike(FaultSlow, v.merchant.Login, c.Now)
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
	v    *visit
	rate int
}

func (s *slowBody) Read(b []byte) (int, error) {
	n, err := s.ReadCloser.Read(b[:min(len(b), max(1, s.rate/10))])
	s.v.sleep(time.Duration(n) * time.Second / time.Duration(s.rate))
	return n, err
}

// sleep waits, unless the client or the gateway goes away.
func (v *visit) sleep(d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-v.r.Context().Done():
	case <-v.g.closing:
	}
}

// finish answers a request as its fault has it. Callbacks are sent once it is answered, unless a fault wants them earlier.
func (v *visit) finish(w http.ResponseWriter, reason Reason) {
	if k := v.kept; k != nil {
		send := func() {
			v.g.courier.send(k.letters)
			v.release()
		}
		if k.early {
			send()
			ctx, cancel := context.WithTimeout(v.r.Context(), callbackTimeout)
			_ = v.g.courier.wait(ctx, v.g.courier.mark(k.letters[len(k.letters)-1].callback)) // one that is not tried in time is not waited for
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
	if v.kept != nil && len(v.kept.letters) > 0 {
		_ = http.NewResponseController(w).Flush() // a writer that cannot has sent it, or keeps it
	}
}

// AddFault adds a fault and returns it with its id. The error has the code [NotFound] for a login that no merchant has, and
// [InputForm] for what cannot be used.
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
		f.ID, f.Used, f.Seen, f.Held = id, 0, 0, nil
		return tx.Faults().Put(f)
	})
	if err != nil {
		return Fault{}, err
	}
	return f, nil
}

// RemoveFault removes a fault, and lets go the callbacks that it keeps back. The error has the code [NotFound] for an id that
// no fault has.
func (g *Gateway) RemoveFault(ctx context.Context, id ID) error {
	var k *keeper
	err := g.store.Update(ctx, func(tx Tx) error {
		k = g.keeper(tx)
		f, err := tx.Faults().Get(id)
		if err != nil {
			return err
		}
		for _, held := range f.Held {
			if err := k.letGo(held); err != nil {
				return err
			}
		}
		return tx.Faults().Delete(id)
	})
	if err == nil {
		g.settle(k)
	}
	return err
}

// maxFaultMs is the longest that an answer may be late: a day, in milliseconds.
const maxFaultMs = 86_400_000

// check refuses what could strike nothing, or what its kind has no use for.
func (f *Fault) check() error {
	isRequest := f.Kind >= FaultAnswerLost && f.Kind <= FaultSlow
	isLate := f.Kind == FaultAnswerLate || f.Kind == FaultRefusedLate
	switch {
	case f.Kind == 0 || f.Kind > FaultDecline:
		return inField("kind", "the kind is missing or unknown", "send one of those that openapi.json names")
	case f.Times < 0 || f.Times > math.MaxInt32:
		return inField("times", "the number of times is negative or above 2147483647", "send how many events it strikes, 0 for all until it is removed")
	case !(f.Chance > 0 && f.Chance <= 1):
		return inField("chance", "the chance is not above 0 and at most 1", "send 1 to strike every event, or leave it out")
	case f.Ms < 0 || f.Ms > maxFaultMs || f.Ms > 0 && !isLate:
		return inField("ms", "milliseconds are for answers that are late, up to a day", "leave ms out, or send kind answer-late or refused-late")
	case f.Kind == FaultCallbackLate && (f.Days < 1 || f.Days > 3660), f.Kind != FaultCallbackLate && f.Days != 0:
		return inField("days", "days are for callback-late alone, from 1 to 3660", "send how many days of the clock a callback is late")
	case f.Kind == FaultSlow && (f.BytesS < 1 || f.BytesS > math.MaxInt32), f.Kind != FaultSlow && f.BytesS != 0:
		return inField("bytes_s", "bytes_s is for slow alone, from 1 to 2147483647", "send how many bytes of a body are read in a second")
	case f.Where.Request < 0 || f.Where.Request > math.MaxInt32 || f.Where.Request > 0 && !isRequest:
		return inField("where", "only what strikes requests can name one", "leave where.request out, or send it from 1")
	case f.Where.Profile != "" && (f.Kind == FaultSlow || f.Kind == FaultRestart):
		return inField("where", "it strikes before a profile is known", "leave where.profile out")
	case f.Kind == FaultRestart && f.Login != "":
		return inField("login", "all merchants share the process", "leave login out")
	case len(f.Where.Profile) > 512:
		return inField("where", "the client-orderid is longer than 512 bytes", "send the client-orderid of the profile")
	}
	return nil
}
