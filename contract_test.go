package chargecast_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/gateway/client"
	"github.com/chargecast/chargecast/gateway/gatewaytest"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/rules"
	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/oauthhttp"
)

// The functions of this file use each name that programs rely on in its shape. They are compiled and not run; TestContract only
// refers to them. Package fuzz has such a file of its own.

func TestContract(*testing.T) {
	_, _, _, _, _ = forecastOne, keepProfiles, payloads, signedRequests, testIntegration
}

// is compiles where values have, or can be assigned to, a type.
func is[T any](...T) {}

func forecastOne(p engine.Profile, today calendar.Date) error {
	e := engine.New(engine.Policy{})
	plan, err := e.Compile(engine.Stored{Profile: p}, today)
	year := calendar.Window{From: today, To: today.AddMonths(12)}
	seed := amount.NewSeed(1, p.ID)
	is[amount.Seed](seed)
	var charge engine.Charge
	for charge = range plan.Charges(year) {
		is[amount.Amount](charge.Min, charge.Max, charge.Amount(seed))
		is[calendar.Date](charge.Date, charge.Slot)
		is[uint64](charge.Repeat)
		is[ledger.Because](charge.Because)
	}
	_, _ = record.Charge{Charge: charge}, gateway.Charge{Charge: charge}
	is[calendar.Date](calendar.MinDate(), calendar.MaxDate())
	is[bool](year.Contains(today), charge.Outcome == engine.OutcomeUnknown)
	for outcome := range map[engine.Outcome]string{engine.OutcomeApproved: "", engine.OutcomeDeclined: ""} {
		_ = engine.Simulation{Outcomes: map[uint64]engine.Outcome{charge.Repeat: outcome}}
	}
	p = engine.Profile{
		ID: "rent-31", Kind: engine.KindSource, Amounts: amount.Fixed(amount.MustParse("850.00")), Currency: "EUR", Unit: calendar.UnitMonth, Interval: 1,
		Start: calendar.MustParse("2026-01-31"), Finish: today, MaxRepeats: engine.AtMost(12),
	}
	choice, err2 := amount.Range(charge.Min, charge.Max, p.Currency)
	is[bool](choice.Draw(seed, charge.Repeat).Equal(charge.Min))
	policy, err3 := engine.ParsePolicy("month-end=overflow")
	is[engine.Policy](policy)
	is[calendar.Unit](calendar.UnitDay, calendar.UnitWeek)
	is[calendar.Window](calendar.Through(today, today))
	return errors.Join(err, err2, err3)
}

func keepProfiles(p engine.Profile, day calendar.Date) error {
	e := engine.New(engine.Policy{})
	s, err := e.Create(p, day)
	s, runs, err2 := e.Advance(s, day)
	s, effects, err3 := e.Handle(s, engine.Event{Date: day, Kind: engine.EventUpdate, Update: engine.SetAmounts(p.Amounts)})
	is[engine.EventKind](engine.EventStop, engine.EventResume, engine.EventCharge, engine.EventRun, engine.EventNoRun, engine.EventResumeByAPI)
	_ = engine.Update{Amount: engine.To(p.Amounts.Elements()[0]), Finish: engine.Remove[calendar.Date](), MaxRepeats: engine.To(engine.AtMost(3))}
	for _, effect := range append(runs, effects...) {
		switch effect.Kind {
		case engine.EffectCharge:
			is[string](effect.Charge.Key())
		case engine.EffectStop:
			is[engine.Stop](effect.Stop)
		case engine.EffectEvent:
			is[engine.EventKind](effect.Event)
			is[engine.Result](effect.Result)
			is[*engine.Error](effect.Refusal)
		}
		is[calendar.Date](effect.Date)
		is[ledger.Because](effect.Because)
	}
	policy, known := s.Policy()
	is[bool](known, s.Equal(s.Under(policy)), s.State.IsZero(), s.State.Equal(engine.State{Repeat: 3}))
	var failed *engine.Error
	if errors.As(err, &failed) && (errors.Is(err, engine.ErrEventOrder) || errors.Is(err, engine.ErrPolicyDiffers) || errors.Is(err, engine.ErrNotCreated)) {
		is[calendar.Date](failed.Day, failed.Last)
		is[string](failed.Field, failed.Have, failed.Want)
		is[ledger.Code](failed.Code)
		is[engine.Status](failed.Status)
		is[ledger.Because](failed.Because)
	}
	b, err4 := e.NewBook(engine.Scope{AsOf: day, Window: calendar.Through(day, day)})
	err5 := errors.Join(b.Add(s), b.AddCharge("EUR", engine.Charge{}), b.Merge(b), b.UnmarshalJSON(nil))
	_, err6 := b.MarshalJSON()
	for total := range b.Totals(engine.ByMonth) {
		sums, err := total.Quantiles(amount.Percent(5), 95)
		is[amount.Sum](sums...)
		is[error](err)
		is[bool](total.Normal())
		is[calendar.Date](total.Period)
	}
	return errors.Join(err, err2, err3, err4, err5, err6)
}

func payloads(file *bytes.Buffer, p engine.Profile, today calendar.Date) error {
	w := rules.NewWriter(file, rules.Options{AsOf: today})
	err := w.Write(rules.Values{rules.ColumnOrderID: "rent-31", rules.ColumnAmount: "850.00"})
	err2 := w.WriteProfile(p, rules.Values{rules.ColumnEmail: "jane@example.com"})
	is[ledger.Findings](w.Findings())
	report, err3 := rules.Validate(file, rules.Options{AsOf: today})
	is[bool](report.OK())
	is[rules.Summary](report.Summary)
	is[int](report.Rows)
	update, findings := rules.ParseUpdate(func(yield func(column, value string) bool) { yield("amount", "1.00") }, rules.UpdateOptions{ISO: true})
	is[engine.Update](update)
	is[ledger.Findings](findings)
	return errors.Join(err, err2, err3)
}

func signedRequests(ctx context.Context, secret string, pem []byte, oauth signature.OAuth) error {
	private, err := signature.ParsePrivateKey(pem)
	public, err2 := signature.ParsePublicKey(pem)
	shared, err3 := signature.NewHMACKey(secret)
	is[ledger.Findings](private.Findings(), public.Findings(), shared.Findings())
	is[signature.SigningKey](private, shared)
	m := client.New(client.Merchant{URL: "https://gateway.example.com", Login: "merchant", Key: shared})
	answer, err4 := m.Create(ctx, &bytes.Buffer{})
	is[client.Answer](answer)
	is[bool](errors.Is(err4, client.ErrRejected), errors.Is(err4, client.ErrUnknown))
	is[http.Handler](client.Callbacks(func(_ context.Context, c client.Callback) error {
		is[uint64](c.Repeat)
		is[calendar.Date](c.Date)
		is[amount.Amount](c.Amount)
		is[string](c.ClientOrderID, c.RecurringPaymentID, c.Currency, c.Status)
		return nil
	}))
	is[http.RoundTripper](&oauthhttp.Transport{ConsumerKey: "merchant", Key: shared})
	params := []signature.Param{signature.NewParam("name", "value")}
	base, err5 := signature.BaseString("POST", "https://gateway.example.com", params)
	request, findings, err6 := signature.Sign(signature.NewRequest("POST", "https://gateway.example.com").WithParams(params...), oauth, shared)
	is[string](base, request.Authorization())
	is[signature.Request](request)
	is[ledger.Findings](findings)
	verified, err7 := signature.Verify(request, signature.Options{Now: time.Time{}, Window: time.Minute}, public, shared)
	var finding ledger.Finding
	is[signature.Verdict](verified.Signature)
	is[bool](errors.Is(err7, signature.SignatureWrong), errors.As(err7, &finding))
	return errors.Join(err, err2, err3, err4, err5, err6, err7)
}

// books are those of an integration.
type books struct{}

func (books) Create(context.Context, gatewaytest.Order) error { return nil }

func (books) Booked() []gatewaytest.Booking {
	return []gatewaytest.Booking{{Profile: "rent-31", Repeat: 0, Date: "2026-01-31", Amount: "850.00", Outcome: "approved"}}
}

func testIntegration(t *testing.T, day calendar.Date, handler http.Handler) {
	gw := gatewaytest.New(t)
	gw.Advance(day)
	gw.Receive(handler)
	is[*gateway.Gateway](gw.Gateway())
	for _, request := range gw.Requests() {
		_ = request.Diagnosis
	}
	is[gateway.FaultKind](gatewaytest.AllFaults...)
	integrate := func(*gatewaytest.Gateway) gatewaytest.Books { return books{} }
	is[gatewaytest.Report](gatewaytest.Simulate(t, gatewaytest.Plan{Faults: gatewaytest.AllFaults}, integrate))
	is[*gatewaytest.Gateway](gatewaytest.Options{AsOf: "2026-01-01"}.New(t))
}
