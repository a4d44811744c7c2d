package fuzz

import (
	"bytes"
	"io"
	"slices"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/kit/laws"
	"github.com/chargecast/chargecast/internal/kit/plain"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
	"github.com/chargecast/chargecast/signature"
)

// adapted is an implementation as laws ask it.
func adapted(i Impl) laws.Impl {
	a := laws.Impl{Name: i.Name}
	a.Cites = i.Cites
	if i.Forecast != nil {
		a.Forecast = func(j gen.Job) (laws.Forecast, error) {
			f, err := i.Forecast(Job{j.Profile, j.State, j.AsOf, j.Policy})
			return forecastFor(f), err
		}
	}
	if i.Simulate != nil {
		a.Simulate = func(p engine.Policy, s engine.Simulation, yield func(engine.Effect) bool) (engine.Stored, error) {
			l, err := i.Simulate(p, s)
			for _, e := range l.Effects {
				if !yield(e) {
					break
				}
			}
			end := s.Stored
			end.State = engine.State{Status: l.End.Status, Repeat: l.End.Repeat, Stop: l.End.Stop}
			return end, err
		}
	}
	adaptPayloads(&a, i)
	adaptSignatures(&a, i)
	if i.DaysIn != nil {
		a.DaysIn = func(year int, month time.Month) int { return i.DaysIn(year, int(month)) }
	}
	a.ParseDotted, a.ParseAmount, a.Sum = i.ParseDate, i.ParseAmount, i.Sum
	return a
}

func forecastFor(f Forecast) laws.Forecast {
	a := laws.Forecast{Charges: f.Charges}
	if f.Stop != nil {
		a.Stop = func() plain.Stop { return plain.StopOf(f.Stop()) }
	}
	if f.End != nil {
		a.End = func(d calendar.Date) laws.End {
			e := f.End(d)
			return laws.End{Status: e.Status, Repeat: e.Repeat, Stop: plain.StopOf(e.Stop)}
		}
	}
	return a
}

func adaptPayloads(a *laws.Impl, i Impl) {
	if i.Validate != nil {
		a.ReadPayload = func(src io.Reader, o rules.Options, yield func(plain.PayloadStep) bool) plain.PayloadEnd {
			csv, err := io.ReadAll(src)
			if err != nil || o.Currency != "" || o.Strict || len(o.Severity) > 0 || o.Input == rules.InputBase64 || o.Input == rules.InputForm {
				panic(ErrNotSupported) // what the function cannot be told
			}
			var problems []laws.Problem
			for _, f := range i.Validate(bytes.Clone(csv)) {
				problems = append(problems, laws.Problem{Code: string(f.Code), Severity: f.Severity, Row: f.Place.Row, Column: f.Subject})
			}
			return laws.ReadByProblems(csv, o, problems, false, yield)
		}
	}
	if i.Decode != nil {
		a.DecodePayload = func(wire []byte, o rules.Options) ([]byte, []plain.Finding) {
			_, found := laws.Ours().DecodePayload(wire, o)
			isError := func(f plain.Finding) bool { return f.Severity == ledger.SeverityError }
			form, ok := laws.FormOf(wire, o.Input)
			if !ok {
				panic(ErrNotSupported)
			}
			csv, err := i.Decode(form)
			switch {
			case err == nil:
				return csv, slices.DeleteFunc(found, isError) // warnings are not judged
			case slices.ContainsFunc(found, isError): // refused by both
				return nil, found
			}
			return nil, []plain.Finding{{Severity: ledger.SeverityError, Text: "the implementation refuses"}}
		}
	}
}

func adaptSignatures(a *laws.Impl, i Impl) {
	a.Encode = i.Encode
	if i.BaseString != nil {
		a.BaseString = func(r gen.SignRequest, oauth []gen.Pair) (string, error) {
			return i.BaseString(requestFor(r), paramsFor(oauth))
		}
	}
	if i.Sign != nil {
		a.Sign = func(r gen.SignRequest, c gen.SignChoices, key laws.SignKey) (string, error) {
			return i.Sign(requestFor(r), Signer{key.Method, key.Secret, key.PEM, c.ConsumerKey, c.Nonce, c.Timestamp, c.Realm})
		}
	}
	if i.Verify != nil {
		a.Verify = func(r gen.SignRequest, key laws.SignKey, o laws.SignOptions) laws.SignVerdict {
			if o != (laws.SignOptions{}) {
				panic(ErrNotSupported)
			}
			v := laws.SignVerdict{Signature: "mismatch"}
			if i.Verify(requestFor(r), Signer{Method: key.Method, Secret: key.Secret, PEM: key.PEM}) {
				h, _ := signature.ParseHeader(r.Authorization)
				v = laws.SignVerdict{Signature: "ok", Acceptable: true}
				for _, p := range h.Params {
					if p.Name() == "oauth_consumer_key" {
						v.Consumer = p.Value()
					}
				}
			}
			return v
		}
	}
	if i.Sign != nil || i.Verify != nil { // what is read and written beside a request is not judged
		ours := laws.Ours()
		a.FormatHeader, a.ParseHeader = ours.FormatHeader, ours.ParseHeader
	}
}

func requestFor(r gen.SignRequest) Request {
	return Request{URL: r.URL, Params: paramsFor(r.Params), Authorization: r.Authorization}
}

func paramsFor(pairs []gen.Pair) (list []Param) {
	for _, p := range pairs {
		list = append(list, Param{p.Name, p.Value})
	}
	return list
}
