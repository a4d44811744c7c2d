package gatewaytest_test

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/csv"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/gateway/gatewaytest"
	"github.com/chargecast/chargecast/rules"
	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/oauthhttp"
)

// A shop is an integration: right, unless it has a flaw.
type shop struct {
	flaw       flaw
	gw         *gatewaytest.Gateway
	client     *http.Client
	url        string
	reconciles bool

	mu     sync.Mutex
	booked []gatewaytest.Booking
	seen   map[string]bool // what was booked, by key
	last   string          // the key of the last callback
	next   map[string]int  // the repeat that comes next, by order
	known  map[string]bool // orders that were created
	ended  map[string]bool
	orders map[string]gatewaytest.Order
}

// A flaw is what is wrong with an integration.
type flaw string

const (
	right            flaw = ""
	declinedAsPaid   flaw = "books a declined charge as paid"
	declinedDropped  flaw = "does not book declined charges"
	declinedEnds     flaw = "takes a declined charge for the end of the profile"
	keyDate          flaw = "knows a callback again by order and date"
	keyAmount        flaw = "knows a callback again by order and amount"
	keyRepeat        flaw = "knows a callback again by its repeat alone"
	keyLast          flaw = "knows a callback again only if it was the last one"
	seenFirst        flaw = "knows a callback before it has booked it"
	noKey            flaw = "knows no callback again"
	noKeyAndError    flaw = "books a callback, and answers 500 when the order is new"
	retryLost        flaw = "sends a create again when the answer is lost"
	retryNewID       flaw = "sends a create again with another id when the answer is lost"
	retryLate        flaw = "sends a create again when the answer takes more than a second"
	createdAnyway    flaw = "takes a lost answer for a created profile"
	ignoresStatus    flaw = "takes a refusal for a created profile"
	orderTrusted     flaw = "books only the repeat that comes next"
	highestTrusted   flaw = "takes a repeat below the highest for an old one"
	knownOnly        flaw = "books only for orders whose create was answered"
	callbacksTrusted flaw = "never asks what was charged"
	ownDate          flaw = "books on the day on which the callback comes"
	ownAmount        flaw = "books the amount that was ordered"
	ownSchedule      flaw = "books what should be charged, and reads no callback"
	twoSources       flaw = "books what the callbacks say and what the gateway says"
	floatAmount      flaw = "keeps amounts as numbers with a binary point"
	firstAmount      flaw = "books each charge with the amount of the first"
)

// The gallery: each member with the kinds of faults that may happen, and a seed that shows its
// flaw. What loses a callback is looked for where none gets lost: there every integration does that
// never asks.
var gallery = []struct {
	flaw flaw
	seed uint64
}{
	{declinedAsPaid, 12}, {declinedDropped, 12}, {declinedEnds, 12}, {keyDate, 235}, {keyAmount, 1}, {keyRepeat, 1},
	{keyLast, 24}, {seenFirst, 26}, {noKey, 6}, {noKeyAndError, 0}, {retryLost, 5}, {retryNewID, 5}, {retryLate, 16},
	{createdAnyway, 9}, {ignoresStatus, 4}, {orderTrusted, 5}, {highestTrusted, 5}, {knownOnly, 5}, {callbacksTrusted, 1},
	{ownDate, 1}, {ownAmount, 23}, {ownSchedule, 0}, {twoSources, 0}, {floatAmount, 1}, {firstAmount, 0},
}

// plan is the plan on which a flaw is looked for.
func (f flaw) plan() gatewaytest.Plan {
	if f == callbacksTrusted || f == twoSources {
		return gatewaytest.Plan{Faults: gatewaytest.AllFaults}
	}
	isLost := func(k gateway.FaultKind) bool { return k == gateway.FaultCallbackLost }
	return gatewaytest.Plan{Faults: slices.DeleteFunc(slices.Clone(gatewaytest.AllFaults), isLost)}
}

// open returns what makes an integration with the flaw.
func (f flaw) open(reconciles bool) func(*gatewaytest.Gateway) gatewaytest.Books {
	return func(gw *gatewaytest.Gateway) gatewaytest.Books {
		s := newShop(gw.Merchant(), gw.Client())
		s.flaw, s.reconciles = f, reconciles || f == twoSources
		gw.Receive(s)
		return s
	}
}

// newShop returns an integration without a flaw.
func newShop(m gatewaytest.Merchant, c *http.Client) *shop {
	key, err := signature.NewHMACKey(m.ControlKey)
	if err != nil {
		panic(err)
	}
	return &shop{
		gw: c.Transport.(*gatewaytest.Gateway), url: m.URL, reconciles: true, seen: map[string]bool{}, next: map[string]int{},
		known: map[string]bool{}, ended: map[string]bool{}, orders: map[string]gatewaytest.Order{},
		client: &http.Client{Transport: &oauthhttp.Transport{Base: c.Transport, ConsumerKey: m.Login, Key: key}},
	}
}

var errRefused = errors.New("the order was refused")

// Create sends one create request: one whose answer is lost may have created the profile, and is
// never sent again.
func (s *shop) Create(ctx context.Context, o gatewaytest.Order) error {
	s.mu.Lock()
	s.orders[o.ID] = o
	s.mu.Unlock()
	patience := 30 * time.Second
	if s.flaw == retryLate {
		patience = time.Second
	}
	status, err := s.send(ctx, o, patience)
	if err != nil {
		switch {
		case s.flaw == retryLost, s.flaw == retryLate && errors.Is(err, context.DeadlineExceeded):
			status, err = s.send(ctx, o, time.Hour)
		case s.flaw == retryNewID:
			o.Columns = maps.Clone(o.Columns)
			o.Columns["client-orderid"] += "-again"
			status, err = s.send(ctx, o, time.Hour)
		case s.flaw == createdAnyway:
			err, status = nil, http.StatusOK
		}
	}
	switch {
	case err != nil:
		return err
	case status != http.StatusOK && s.flaw != ignoresStatus:
		return errRefused
	}
	s.mu.Lock()
	s.known[o.ID] = true
	s.mu.Unlock()
	return nil
}

func (s *shop) send(ctx context.Context, o gatewaytest.Order, patience time.Duration) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var row []string
	for spec := range rules.Columns() {
		row = append(row, o.Columns[spec.Name])
	}
	payload := rules.AppendRecord(rules.AppendHeader(nil), row...)
	body := "payload=" + url.QueryEscape(base64.StdEncoding.EncodeToString(payload))
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url, strings.NewReader(body))
	if err != nil {
		return 0, err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := s.client.Do(r)
	if err != nil {
		return 0, err
	}
	return response.StatusCode, response.Body.Close()
}

// ServeHTTP receives a callback. One that was booked before is not booked again; any order will do.
func (s *shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.ParseForm() != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	repeat, err := strconv.Atoi(r.PostForm.Get("repeat"))
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	now, err := s.gw.Gateway().Now(r.Context())
	if err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	b := gatewaytest.Booking{
		Profile: r.PostForm.Get("client-orderid"), Date: r.PostForm.Get("date"), Amount: r.PostForm.Get("amount"),
		Outcome: r.PostForm.Get("status"), Repeat: repeat,
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	key := fmt.Sprint(b.Profile, " ", b.Repeat)
	switch s.flaw {
	case keyDate:
		key = b.Profile + " " + b.Date
	case keyAmount:
		key = b.Profile + " " + b.Amount
	case keyRepeat:
		key = strconv.Itoa(b.Repeat)
	}
	again := s.seen[key]
	switch s.flaw {
	case noKey, noKeyAndError:
		again = false
	case keyLast:
		again = key == s.last
	case orderTrusted:
		again = b.Repeat != s.next[b.Profile]
	case highestTrusted:
		again = b.Repeat < s.next[b.Profile]
	case knownOnly:
		again = again || !s.known[b.Profile]
	case declinedEnds:
		again = again || s.ended[b.Profile]
	case declinedDropped:
		again = again || b.Outcome == "declined"
	case ownSchedule:
		again = true
	}
	isNew := !s.seen[b.Profile]
	s.seen[key], s.seen[b.Profile], s.last = true, true, key
	if again {
		return
	}
	s.next[b.Profile] = max(s.next[b.Profile], b.Repeat+1)
	switch s.flaw {
	case declinedAsPaid:
		b.Outcome = "approved"
	case declinedEnds:
		s.ended[b.Profile] = b.Outcome == "declined"
	case ownDate:
		b.Date = now.String()
	case ownAmount:
		b.Amount = cmp.Or(s.orders[b.Profile].Columns["amount"], b.Amount)
	case floatAmount:
		f, _ := strconv.ParseFloat(b.Amount, 64)
		b.Amount = strconv.FormatFloat(f, 'g', -1, 64)
	case firstAmount:
		for _, first := range s.booked {
			if first.Profile == b.Profile {
				b.Amount = first.Amount
				break
			}
		}
	}
	if s.flaw == seenFirst {
		go func() {
			time.Sleep(700 * time.Microsecond)
			if s.mu.Lock(); r.Context().Err() == nil { // the gateway is still there
				s.booked = append(s.booked, b)
			}
			s.mu.Unlock()
		}()
		return
	}
	s.booked = append(s.booked, b)
	if s.flaw == noKeyAndError && isNew {
		w.WriteHeader(http.StatusInternalServerError)
	}
}

// Booked asks the gateway what was charged, and books what came by no callback.
func (s *shop) Booked() []gatewaytest.Booking {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.flaw == ownSchedule {
		s.bookSchedule()
	}
	if !s.reconciles {
		return s.booked
	}
	response, err := s.gw.Client().Get(s.gw.URL + "/_sandbox/v1/charges?format=actuals")
	if err != nil {
		panic(err)
	}
	defer func() { _ = response.Body.Close() }()
	lines, err := csv.NewReader(response.Body).ReadAll()
	if err != nil {
		panic(err)
	}
	slices.SortStableFunc(lines[1:], func(a, b []string) int { return cmp.Or(cmp.Compare(len(a[6]), len(b[6])), strings.Compare(a[6], b[6])) })
	repeats := map[string]int{}
	for _, line := range lines[1:] {
		b := gatewaytest.Booking{Profile: line[0], Date: line[1], Amount: line[2], Outcome: line[4], Repeat: repeats[line[0]]}
		repeats[b.Profile]++
		if !s.seen[fmt.Sprint(b.Profile, " ", b.Repeat)] || s.flaw == twoSources {
			s.booked = append(s.booked, b)
		}
	}
	return s.booked
}

// bookSchedule books what the orders say, as if nothing could go wrong.
func (s *shop) bookSchedule() {
	for id := range s.known {
		c := s.orders[id].Columns
		day, err := time.Parse("02.01.2006", c["start-date"])
		if err != nil {
			panic(err)
		}
		most, _ := strconv.Atoi(c["max-repeats-number"])
		for n := range most {
			date := day.AddDate(0, n, 0)
			switch c["period"] {
			case "day":
				date = day.AddDate(0, 0, n)
			case "week":
				date = day.AddDate(0, 0, 7*n)
			}
			s.booked = append(s.booked, gatewaytest.Booking{Profile: id, Date: date.Format(time.DateOnly), Amount: c["amount"], Outcome: "approved", Repeat: n})
		}
	}
}

// TestTheRightIntegration survives: one that asks what was charged, whatever goes wrong, and one
// that does not, where no callback gets lost. CHARGECAST_SCHEDULES sets another number of
// schedules, of which the second has a third; with -v each block of them says that it is through.
func TestTheRightIntegration(t *testing.T) {
	t.Parallel()
	const block = 10_000
	schedules := numberOf(t, "CHARGECAST_SCHEDULES", 300)
	for _, c := range []struct {
		reconciles bool
		faults     []gateway.FaultKind
		first      uint64
		seeds      int
	}{{true, gatewaytest.AllFaults, 0, schedules - schedules/3}, {false, right.plan().Faults, 1 << 32, schedules / 3}} {
		for done := 0; done < c.seeds; done += block {
			p := gatewaytest.Plan{Faults: c.faults, First: c.first + uint64(done), Seeds: min(block, c.seeds-done)}
			t.Run(fmt.Sprintf("seeds %d to %d", p.First, p.First+uint64(p.Seeds-1)), func(t *testing.T) {
				t.Parallel()
				if r := gatewaytest.Simulate(t, p, right.open(c.reconciles)); r.OK() {
					t.Log(r.String())
				}
			})
		}
	}
}

// TestGallery: the stored seed of each wrong integration shows what is wrong with it. With
// CHARGECAST_SEARCH each is looked for anew, within 1,000 schedules.
func TestGallery(t *testing.T) {
	t.Parallel()
	if len(gallery) != 25 {
		t.Errorf("%d wrong integrations", len(gallery))
	}
	for _, g := range gallery {
		p := g.flaw.plan()
		p.First, p.Seeds = g.seed, 1
		if os.Getenv("CHARGECAST_SEARCH") != "" {
			p.First, p.Seeds = 0, 1000
		}
		r := p.Find(t, g.flaw.open(false))
		if r.OK() || len(r.Faults) > 5 {
			t.Errorf("an integration that %s: %s", g.flaw, r.String())
		}
		t.Logf("an integration that %s: seed %d, %d faults", g.flaw, r.Seed, len(r.Faults))
	}
}

// TestTheSameSeedHasTheSameTimeline, byte for byte, and says what happened.
func TestTheSameSeedHasTheSameTimeline(t *testing.T) {
	t.Parallel()
	for _, g := range gallery[:12] {
		p := g.flaw.plan()
		p.First, p.Seeds = g.seed, 1
		one, two := p.Find(t, g.flaw.open(false)), p.Find(t, g.flaw.open(false))
		if one.String() != two.String() || !strings.Contains(one.Timeline, "callback: ") {
			t.Errorf("%s\nnot\n%s", two.String(), one.String())
		}
	}
}

// numberOf is how much of something a test does, unless a variable of the environment says
// otherwise.
func numberOf(t *testing.T, variable string, usual int) int {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s is not a number from 1", variable)
	}
	return n
}
