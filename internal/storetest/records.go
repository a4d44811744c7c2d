package storetest

import (
	"reflect"
	"strconv"
	"testing"
	"time"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

var day = calendar.MustParse

func profile(id gateway.ID, login, due string) gateway.Profile {
	p := gateway.Profile{
		ID: id, Request: 7, Login: login, Row: 3, ClientOrderID: "order-" + id.String(),
		Card:     gateway.Card{Masked: "411111******1111", Last4: "1111", Hash: "00ff"},
		Columns:  "city=Köln;%20\"a\"\u2028 currency=EUR",
		Callback: "http://127.0.0.1:1/cb?***", CallbackTo: []byte{0, 1, 255}, Private: "3:00ff", Created: day("2026-01-01"), Next: day("2026-02-28"),
		Stored: engine.Stored{
			Profile: engine.Profile{
				ID: "order-" + id.String(), Kind: engine.KindSource, Start: day("2026-01-31"), Unit: calendar.UnitMonth, Interval: 2,
				Finish: day("2027-01-01"), MaxRepeats: engine.AtMost(5), Amounts: amount.Fixed(amount.MustParse("9.90")),
				Currency: "EUR", CardExpires: day("2030-12-31"),
			},
			State: engine.State{
				Status: engine.StatusActive, Repeat: 1, Anchor: day("2026-01-31"), RanThrough: day("2026-02-01"),
				Paid: []calendar.Date{day("2026-01-31")}, Missed: []calendar.Window{{From: day("2026-01-03"), To: day("2026-01-05")}},
				Last: day("2026-02-01"), Manual: 2, Because: ledger.On(clause.L02, clause.L16b),
			},
		}.Under(engine.Policy{RunMissed: engine.MissedCatchUp}),
	}
	if due != "" {
		p.Due = day(due)
	}
	return p
}

func stopped(p gateway.Profile) gateway.Profile {
	p.Stored.State.Status = engine.StatusStopped
	p.Stored.State.Stop = engine.Stop{Date: day("2026-02-01"), Reasons: engine.ReasonAPI | engine.ReasonFinishDate, Because: ledger.On(clause.L23)}
	return p
}

func charge(id, of gateway.ID, login string) gateway.Charge {
	return gateway.Charge{
		ID: id, Profile: of, Login: login, ClientOrderID: "order-" + of.String(), Currency: "EUR", Callback: "http://127.0.0.1:1/cb?token=***",
		Charge: engine.Charge{
			Repeat: 1 << 62, Slot: day("2026-01-30"), Date: day("2026-01-31"), Min: amount.MustParse("1.50"), Max: amount.MustParse("1.50"),
			Manual: true, Nth: 1, Outcome: engine.OutcomeDeclined, CardExpired: true, Because: ledger.On(clause.Doc221, clause.X8),
		},
	}
}

func callback(id, of gateway.ID, login string, state gateway.CallbackState) gateway.Callback {
	return gateway.Callback{
		ID: id, Charge: id + 10, Profile: of, Login: login, URL: "http://127.0.0.1:1/cb?***", To: []byte{0, 255}, ContentType: "text/plain", Body: "a=b\n",
		State: state, Attempts: []gateway.Attempt{{At: time.Unix(1e9, 5).UTC(), Status: 503}, {At: time.Unix(1e9+1, 0).UTC(), Error: "timeout"}},
		Round: 2, Next: time.Unix(1e9+9, 0).UTC(), At: time.Unix(1e9-1, 0).UTC(),
	}
}

func request(id gateway.ID, login string, status int) gateway.Request {
	return gateway.Request{
		ID: id, Date: day("2026-01-31"), Login: login, Method: "POST", URI: "/paynet/", Headers: []gateway.Header{{Name: "Host", Value: "h"}},
		Params: []gateway.Param{{Name: "payload", Bytes: 5}}, Status: status, Reason: gateway.ReasonMismatch,
		Findings: ledger.Findings{{
			Code: "signature-wrong", Severity: ledger.SeverityError, Basis: ledger.Stated, Clause: clause.Doc53, Because: ledger.On(clause.L57),
			Place: ledger.Place{Profile: "order-1", Row: 1, Line: 2, Col: 3, Offset: 4, Wire: true}, Kind: ledger.SubjectParameter,
			Subject: "oauth_signature", Message: "a message", Help: "a remedy",
		}},
		Errors: 1, Profiles: 2, First: 3, At: time.Unix(1e9-2, 7).UTC(), Fault: gateway.FaultAnswerLate,
		Diagnosis: &gateway.Diagnosis{
			Causes: []gateway.Cause{{IDs: []string{"a", "b"}, Text: "t", Fix: "f"}}, Known: []string{"k"}, NotTried: []string{"n"}, Unavailable: "u",
			Bases: &gateway.BaseStrings{Right: "POST&a", Signed: "GET&a", Start: 1, Offset: 2, Text: "t"},
		},
	}
}

func merchant(id gateway.ID) gateway.Merchant {
	return gateway.Merchant{
		ID: id, Login: "m" + id.String(), Endpoint: strconv.Itoa(1000 + int(id)), Currency: "EUR", PublicKey: "PEM", Fingerprint: "SHA256:00",
		ControlKey: []byte{0, 1, 255}, WindowS: 300, CheckReplays: true, Response: gateway.ResponseParameters,
		Callback: gateway.CallbackTemplate{ContentType: "application/json", Body: "{}"},
	}
}

func outcome(id gateway.ID, login string) gateway.Outcome {
	repeat := uint64(0)
	return gateway.Outcome{
		ID: id, Login: login, ClientOrderID: "order-1", Hash: "h3", Repeat: &repeat, Last4: "1111", Amount: amount.MustParse("9.90"),
		Outcome: engine.OutcomeDeclined, Times: 2, Used: 1,
	}
}

func fault(id gateway.ID, login string) gateway.Fault {
	return gateway.Fault{
		ID: id, Kind: gateway.FaultCallbackLate, Login: login, Where: gateway.FaultWhere{Profile: "order-1", Hash: "h4", Day: day("2026-02-01"), Request: 3},
		Times: 2, Ms: 4, Days: 5, BytesS: 6, Used: 1, Seen: 7,
	}
}

// full checks that no field of a record is zero, so that a test with it misses none.
func full(t *testing.T, record any, except ...string) {
	t.Helper()
	v := reflect.ValueOf(record)
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		skip := false
		for _, e := range except {
			skip = skip || e == name
		}
		if v.Type().Field(i).IsExported() && v.Field(i).IsZero() && !skip {
			t.Errorf("%T.%s has no value in the test", record, name)
		}
	}
}
