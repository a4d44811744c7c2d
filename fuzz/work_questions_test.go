package fuzz_test

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/oracle"
	"github.com/chargecast/chargecast/rules"
	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/diagnose"
)

// A question is asked at two sizes. The statements executed at the large one are at most
// times those at the small one, and a few more.
type question struct {
	name         string
	small, large int
	times        float64
	ask          func(t *testing.T, size int)
}

const (
	near, far = 70, 7000 * 365 // days
	constant  = 1.2            // what depends on no size: a far date takes other branches than a near one
	double    = 2.1            // what grows with the input
	sorting   = 2.4            // what is put in order
)

func questions() []question {
	list := []question{
		{"grid at a distance", near, far, constant, gridAt},
		{"grid with gaps at a distance", far / 2, far, double, gapsAt},
		{"window at a distance", near, far, constant, windowAt},
		{"comparison in charges", 500, 1000, double, comparisonTo},
		{"charges in number", 500, 1000, double, chargesInNumber},
		{"paid slots in number", 500, 1000, double, paidInNumber},
		{"sequence of elements", 500, 1000, double, sequenceOf},
		{"simulated days", 500, 1000, double, simulatedDays},
		{"digits of an amount", 1 << 10, 1 << 16, constant, digitsOf},
		{"oauth parameters of a body", 500, 1000, sorting, oauthParameters},
		{"rows of a payload", 50, 100, double, func(t *testing.T, size int) { judge(t, rowsOf(size)) }},
	}
	for _, shape := range hungryShapes {
		list = append(list, question{"again and again " + strconv.QuoteToASCII(shape), 1 << 11, 1 << 12, double, func(t *testing.T, size int) {
			judge(t, rowsOf(1)+strings.Repeat(shape, size/len(shape)))
		}})
	}
	return list
}

// hungryShapes are what a bad reader does more and more work for, when they come again and
// again: cells, quotes and line ends that make findings, or seem to be about to end.
var hungryShapes = []string{"x\n", ";", "\"", "\"\"", "\n", "\r", "a\"b\n", "\"a\nb\"\n", "\"a\";", "\x00", "\xff", "é", ",", "\"\";\"\n"}

var units = []calendar.Unit{calendar.UnitDay, calendar.UnitWeek, calendar.UnitMonth}

// start is the last day of a month, so that the result depends on the month end.
func start() calendar.Date { return calendar.MinDate().AddDays(30) }

func gridAt(t *testing.T, days int) {
	for _, unit := range units {
		for end := calendar.MonthEndClamp; end <= calendar.MonthEndOverflow; end++ {
			if unit != calendar.UnitMonth || end != calendar.MonthEndSkip {
				askSchedule(t, start(), unit, end, days)
			}
		}
	}
}

// gapsAt asks about schedules on days that months lack, whose months are counted one by one.
func gapsAt(t *testing.T, days int) {
	for back := range 3 {
		askSchedule(t, start().AddDays(-back), calendar.UnitMonth, calendar.MonthEndSkip, days)
	}
}

// askSchedule asks a schedule about a date so many days after its start.
func askSchedule(t *testing.T, start calendar.Date, unit calendar.Unit, end calendar.MonthEnd, days int) {
	s, err := calendar.NewSchedule(start, unit, 1, end)
	if err != nil {
		t.Fatal(err)
	}
	d := start.AddDays(days)
	k, _ := s.Index(d)
	s.At(k)
	s.Count(calendar.Window{From: start, To: d})
}

func profile(unit calendar.Unit) engine.Profile {
	return engine.Profile{
		ID: "order-1", Kind: engine.KindSource, Unit: unit, Interval: 1, Start: start(), Currency: "EUR",
		Amounts: amount.Fixed(amount.MustParse("10.00")),
	}
}

func forecast(t *testing.T, p engine.Profile) *engine.Plan {
	plan, err := engine.New(engine.Policy{}).Compile(engine.Stored{Profile: p}, start())
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

func windowAt(t *testing.T, days int) {
	w := calendar.Window{From: start().AddDays(days), To: start().AddDays(days + 70)}
	for _, unit := range units {
		f := forecast(t, profile(unit))
		for range f.Charges(w) {
		}
		f.Count(w)
		f.Total(w)
		f.End(w.From)
		f.State(w.From)
		if _, err := engine.New(engine.Policy{}).Explain(engine.Simulation{Stored: engine.Stored{Profile: profile(unit)}, AsOf: start()}, w.From); err != nil {
			t.Fatal(err)
		}
	}
}

// comparisonTo compares the readings of profiles that rest on many of them: grids under other month
// ends, from other anchors, with missed days charged or counted, and with a finish-date.
func comparisonTo(t *testing.T, days int) {
	asOf := start().AddDays(60)
	for _, unit := range units {
		for _, interval := range []int{1, 12} {
			p := profile(unit)
			p.Interval, p.Finish, p.MaxRepeats = interval, calendar.MaxDate(), engine.AtMost(5_000_000)
			if _, _, err := engine.New(engine.Policy{}).Sensitivities(nil, engine.Stored{Profile: p}, asOf, calendar.Through(asOf, asOf.AddDays(days))); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func chargesInNumber(t *testing.T, n int) {
	for range forecast(t, profile(calendar.UnitDay)).Next(n) {
	}
}

// paidInNumber goes on with a profile that was charged n times.
func paidInNumber(t *testing.T, n int) {
	asOf := start().AddDays(n)
	state := engine.State{Status: engine.StatusActive, Repeat: uint64(n), Anchor: start(), RanThrough: asOf.AddDays(-1)}
	for i := range n {
		state.Paid = append(state.Paid, start().AddDays(i))
	}
	f, err := engine.New(engine.Policy{}).Compile(engine.Stored{Profile: profile(calendar.UnitDay), State: state}, asOf)
	if err != nil {
		t.Fatal(err)
	}
	for range f.Next(10) {
	}
	f.Total(calendar.Window{})
	f.State(asOf.AddDays(10))
}

func sequenceOf(t *testing.T, n int) {
	elements := slices.Repeat([]amount.Amount{amount.MustParse("1.00"), amount.MustParse("2.50")}, n/2)
	q, err := amount.Sequence(elements)
	if err != nil {
		t.Fatal(err)
	}
	p := profile(calendar.UnitDay)
	p.Amounts = q
	forecast(t, p).Total(calendar.Window{})
}

func simulatedDays(t *testing.T, n int) {
	s := engine.Simulation{AsOf: start(), Until: start().AddDays(n)}
	s.Stored.Profile = profile(calendar.UnitWeek)
	if _, err := engine.New(engine.Policy{}).Simulate(s, func(engine.Effect) bool { return true }); err != nil {
		t.Fatal(err)
	}
}

func digitsOf(t *testing.T, n int) {
	for _, text := range []string{strings.Repeat("9", n), strings.Repeat("0", n), "0." + strings.Repeat("0", n)} {
		if _, err := amount.Parse(text); err == nil {
			t.Fatal("a very long amount is accepted")
		}
	}
}

// oauthParameters checks a request with n parameters of OAuth's names in its body, before anything is authenticated (S5, h309).
func oauthParameters(t *testing.T, n int) {
	var body strings.Builder
	for i := range n {
		body.WriteString("oauth_" + strconv.Itoa(i) + "=&")
	}
	key, err := signature.NewHMACKey("secret")
	if err != nil {
		t.Fatal(err)
	}
	r := signature.NewRequest("", "https://example.com/paynet/api/v4/create-recurring-profiles/1").
		WithBody("application/x-www-form-urlencoded", body.String()).
		WithAuthorization(`OAuth oauth_consumer_key="k",oauth_nonce="n",oauth_signature="x",oauth_signature_method="HMAC-SHA1",oauth_timestamp="1",oauth_version="1.0"`)
	if _, err := signature.Verify(r, signature.Options{}, key); err == nil {
		t.Fatal("a wrong signature is accepted")
	}
	_, _ = signature.NewTrace(r)
	_, _ = diagnose.Request(t.Context(), r, key, diagnose.Options{})
}

// rowsOf is a payload of rows without fault.
func rowsOf(n int) string {
	var b bytes.Buffer
	b.WriteString(`"rp_card_type";"client-orderid";"credit-card-number";"amount";"currency"` + "\n")
	for range n {
		b.WriteString(`"DST";"order-1";"4111111111111111";"10.00";"EUR"` + "\n")
	}
	return b.String()
}

func judge(t *testing.T, text string) {
	r := rules.NewReader(strings.NewReader(text), rules.Options{Input: rules.InputCSV, AsOf: start()})
	for range r.Rows() {
	}
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
}

// walkTo goes through the days of a grid one by one, as the oracle does and the library
// must not.
func walkTo(_ *testing.T, days int) {
	first := oracle.At(31)
	for d := range (oracle.Grid{Anchor: first, Unit: oracle.ByDay, Interval: 1}).Days() {
		if d > first.Day+oracle.Day(days) {
			break
		}
	}
}

// lookBack compares each line of a text with all before it.
func lookBack(_ *testing.T, n int) {
	g := oracle.Grid{Anchor: oracle.At(31), Unit: oracle.ByDay, Interval: 1}
	for i := range n {
		for j := range i {
			g.Due(oracle.At(oracle.Day(31 + j)))
		}
	}
}
