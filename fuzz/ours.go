package fuzz

import (
	"bytes"
	"errors"
	"time"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/kit/laws"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
	"github.com/chargecast/chargecast/signature"
)

// Ours is chargecast itself.
func Ours() Impl {
	ours := laws.Ours()
	return Impl{
		Name: "chargecast", Cites: true,
		Forecast: func(j Job) (Forecast, error) {
			plan, err := engine.New(j.Policy).Compile(engine.Stored{Profile: j.Profile, State: j.State}, j.AsOf)
			if err != nil {
				return Forecast{}, err
			}
			return Forecast{Charges: plan.Charges, Stop: plan.Stop, End: plan.End}, nil
		},
		Simulate: func(p engine.Policy, s engine.Simulation) (Life, error) {
			var l Life
			end, err := engine.New(p).Simulate(s, func(e engine.Effect) bool {
				l.Effects = append(l.Effects, e)
				return true
			})
			l.End = engine.End{Status: end.State.Status, Repeat: end.State.Repeat, Stop: end.State.Stop}
			return l, err
		},
		Validate: func(csv []byte) (list ledger.Findings) {
			for _, found := range rules.NewReader(bytes.NewReader(csv), rules.Options{AsOf: gen.JudgedOn(), Input: rules.InputCSV}).Rows() {
				list = append(list, found...)
			}
			return list
		},
		Decode: func(form []byte) ([]byte, error) {
			var csv bytes.Buffer
			found, err := rules.Decode(&csv, bytes.NewReader(form), rules.Options{AsOf: gen.JudgedOn(), Input: rules.InputForm})
			return csv.Bytes(), errors.Join(err, found.Err())
		},
		Encode:     signature.Encode,
		BaseString: func(r Request, oauth []Param) (string, error) { return ours.BaseString(signedRequest(r), pairs(oauth)) },
		Sign: func(r Request, by Signer) (string, error) {
			return ours.Sign(signedRequest(r), gen.SignChoices{ConsumerKey: by.ConsumerKey, Nonce: by.Nonce, Timestamp: by.Timestamp, Realm: by.Realm}, laws.SignKey{Method: by.Method, Secret: by.Secret, PEM: by.PEM})
		},
		Verify: func(r Request, by Signer) bool {
			return ours.Verify(signedRequest(r), laws.SignKey{Method: by.Method, Secret: by.Secret, PEM: by.PEM}, laws.SignOptions{}).Signature == "ok"
		},
		DaysIn:      func(year, month int) int { return calendar.DaysIn(year, time.Month(month)) },
		ParseDate:   ours.ParseDotted,
		ParseAmount: amount.Parse,
		Sum:         ours.Sum,
	}
}

func signedRequest(r Request) gen.SignRequest {
	return gen.SignRequest{Method: "POST", URL: r.URL, Params: pairs(r.Params), Authorization: r.Authorization}
}

func pairs(params []Param) (list []gen.Pair) {
	for _, p := range params {
		list = append(list, gen.Pair{Name: p.Name, Value: p.Value})
	}
	return list
}
