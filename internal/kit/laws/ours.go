package laws

import (
	"errors"
	"sync"
	"time"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/kit/plain"
	"github.com/chargecast/chargecast/rules"
	"github.com/chargecast/chargecast/signature"
)

// Ours is chargecast itself.
func Ours() Impl {
	return Impl{
		Name:          "chargecast",
		CalendarImpl:  ourCalendar(),
		AmountImpl:    ourAmounts(),
		EngineImpl:    ourEngine(),
		SignatureImpl: ourSignatures(),
		PayloadImpl:   ourPayloads(),
	}
}

// payloadDate reads a date as the columns of a payload do.
func payloadDate(text string) (calendar.Date, error) {
	u, findings := rules.ParseUpdate(func(yield func(string, string) bool) { yield(rules.ColumnStartDate.String(), text) }, rules.UpdateOptions{})
	if err := findings.Err(); err != nil || u.Start.Value.IsZero() {
		return calendar.Date{}, errors.Join(errNoDate, err)
	}
	return u.Start.Value, nil
}

var errNoDate = errors.New("not a date of a payload")

func ourCalendar() CalendarImpl {
	return CalendarImpl{
		DaysIn:      calendar.DaysIn,
		NewDate:     calendar.New,
		DateOf:      calendar.Of,
		ParseDate:   calendar.Parse,
		ParseDotted: payloadDate,
		FormatDate:  calendar.Date.String,
		NewGrid: func(start calendar.Date, unit calendar.Unit, interval int, end calendar.MonthEnd) (Grid, error) {
			s, err := calendar.NewSchedule(start, unit, interval, end)
			if err != nil {
				return nil, err
			}
			return s, nil
		},
	}
}

func ourAmounts() AmountImpl {
	return AmountImpl{
		ParseAmount:    amount.Parse,
		FormatAmount:   amount.Amount.String,
		CompareAmounts: amount.Amount.Compare,
		Sum: func(list []amount.Amount) string {
			var s amount.Sum
			for _, a := range list {
				s.Add(a)
			}
			return s.String()
		},
		Bounds: func(s amount.Choice, repeat uint64) (min, max amount.Amount) { return s.Bounds(repeat) },
		Draw: func(r amount.Choice, seed uint64, profile string, repeat uint64) amount.Amount {
			return r.Draw(amount.NewSeed(seed, profile), repeat)
		},
		TotalOf: func(s amount.Choice, first, n uint64) plain.Total {
			var t amount.Total
			t.AddRun(s, first, n)
			return plain.TotalOf(t)
		},
		MinorUnits:  amount.MinorUnits,
		FromDecimal: amount.FromDecimal,
		Quantiles:   ourQuantiles,
	}
}

func ourQuantiles(runs []gen.RangeRun, percents []string) (texts []string, normal bool) {
	var total amount.Total
	for _, r := range runs {
		total.AddRun(r.Choice(), 0, r.N)
	}
	var q []amount.Percent
	for _, text := range percents {
		p, err := amount.ParsePercent(text)
		if err != nil {
			return nil, false
		}
		q = append(q, p)
	}
	sums, err := total.Quantiles(q...)
	if err != nil {
		return nil, false
	}
	for _, s := range sums {
		texts = append(texts, s.String())
	}
	return texts, total.Normal()
}

func ourEngine() EngineImpl {
	return EngineImpl{
		Cites:    true,
		Forecast: ourForecast,
		Simulate: plain.Simulate,
	}
}

// ourForecast is a plan of the library in the words of the kit.
func ourForecast(j gen.Job) (Forecast, error) {
	plan, err := engine.New(j.Policy).Compile(j.Stored(), j.AsOf)
	if err != nil {
		return Forecast{}, err
	}
	return Forecast{
		Charges: plan.Charges,
		Stop:    func() plain.Stop { return plain.StopOf(plan.Stop()) },
		End: func(d calendar.Date) End {
			e := plan.End(d)
			return End{e.Status, e.Repeat, plain.StopOf(e.Stop)}
		},
	}, nil
}

func ourPayloads() PayloadImpl {
	return PayloadImpl{ReadPayload: plain.ReadPayload, DecodePayload: plain.DecodePayload}
}

func made(r gen.SignRequest) signature.Request {
	return signature.NewRequest(r.Method, r.URL).WithParams(paramsOf(r.Params)...).WithAuthorization(r.Authorization)
}

func paramsOf(pairs []gen.Pair) []signature.Param {
	list := make([]signature.Param, len(pairs))
	for i, p := range pairs {
		list[i] = signature.NewParam(p.Name, p.Value)
	}
	return list
}

func oauthOf(c gen.SignChoices) signature.OAuth {
	return signature.OAuth{ConsumerKey: c.ConsumerKey, Nonce: c.Nonce, Timestamp: c.Timestamp, Realm: c.Realm}
}

// pairsOf are parameters of the library in the words of the kit.
func pairsOf(params []signature.Param) []gen.Pair {
	var list []gen.Pair
	for _, p := range params {
		list = append(list, gen.Pair{Name: p.Name(), Value: p.Value()})
	}
	return list
}

// A keyring loads each key once: checking an RSA key takes longer than signing with it.
type keyring struct{ private, public sync.Map } // by the text of the PEM

func (ring *keyring) signing(k SignKey) (signature.SigningKey, error) {
	if k.Method == "HMAC-SHA1" {
		return signature.NewHMACKey(k.Secret)
	}
	if key, ok := ring.private.Load(k.PEM); ok {
		return key.(signature.SigningKey), nil
	}
	key, err := signature.ParsePrivateKey([]byte(k.PEM))
	if err != nil {
		return nil, err
	}
	ring.private.Store(k.PEM, key)
	return key, nil
}

func (ring *keyring) verifying(k SignKey) (signature.VerifyingKey, error) {
	if k.Method == "HMAC-SHA1" {
		return signature.NewHMACKey(k.Secret)
	}
	if key, ok := ring.public.Load(k.PEM); ok {
		return key.(signature.VerifyingKey), nil
	}
	key, err := signature.ParsePublicKey([]byte(k.PEM))
	if err != nil {
		return nil, err
	}
	ring.public.Store(k.PEM, key)
	return key, nil
}

func ourSignatures() SignatureImpl {
	ring := new(keyring)
	return SignatureImpl{
		Encode: signature.Encode, Decode: signature.Decode, BaseString: ourBaseString,
		FormatHeader: func(h SignHeader) string {
			return signature.Header{Realm: h.Realm, Params: paramsOf(h.Params)}.String()
		},
		ParseHeader: func(text string) (SignHeader, error) {
			h, err := signature.ParseHeader(text)
			return SignHeader{h.Realm, pairsOf(h.Params)}, err
		},
		Sign: ring.sign, Verify: ring.verify,
	}
}

// ourBaseString is the last stage of a trace: the library has no other door to a base string that
// is not signed.
func ourBaseString(r gen.SignRequest, oauth []gen.Pair) (string, error) {
	h := signature.Header{Params: paramsOf(oauth)}
	if len(oauth) == 0 {
		h.Realm = new("")
	}
	r.Authorization = h.String()
	trace, err := signature.NewTrace(made(r))
	return trace.BaseString(), err
}

func (ring *keyring) sign(r gen.SignRequest, c gen.SignChoices, k SignKey) (string, error) {
	key, err := ring.signing(k)
	if err != nil {
		return "", err
	}
	signed, _, err := signature.Sign(made(r), oauthOf(c), key)
	return signed.Authorization(), err
}

func (ring *keyring) verify(r gen.SignRequest, k SignKey, o SignOptions) SignVerdict {
	key, err := ring.verifying(k)
	if err != nil {
		return SignVerdict{Codes: []string{err.Error()}}
	}
	v, err := signature.Verify(made(r), signature.Options{Now: time.Unix(o.Now, 0), Window: time.Duration(o.Window) * time.Second, NonceMin: o.NonceMin, NonceMax: o.NonceMax}, key)
	verdict := SignVerdict{Signature: v.Signature.String(), Acceptable: err == nil, Stale: v.Stale, Consumer: v.ConsumerKey, Codes: []string{}}
	for _, f := range v.Findings {
		verdict.Codes = append(verdict.Codes, string(f.Code))
	}
	if (v.Use == signature.Use{}) != (v.ConsumerKey == "") {
		verdict.Consumer += " without its use"
	}
	return verdict
}
