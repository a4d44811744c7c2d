package conform_test

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/kit/laws"
	"github.com/chargecast/chargecast/internal/kit/plain"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/rules"
)

// An asked request is any request of the protocol, as a program reads it.
type asked struct {
	ID              int               `json:"id"`
	Op              string            `json:"op"`
	Columns         map[string]string `json:"columns"`
	AsOf            calendar.Date     `json:"as_of"`
	Until           calendar.Date     `json:"until"`
	Policy          map[string]string `json:"policy"`
	State           json.RawMessage   `json:"state"`
	Script          []json.RawMessage `json:"script"`
	CSV             raw               `json:"csv"`
	Form            raw               `json:"form"`
	Bytes           raw               `json:"bytes"`
	Method          string            `json:"method"`
	URL             raw               `json:"url"`
	Params          [][2]raw          `json:"params"`
	OAuth           oauth             `json:"oauth"`
	SignatureMethod string            `json:"signature_method"`
	Secret          raw               `json:"secret"`
	PrivateKey      string            `json:"private_key"`
	PublicKey       string            `json:"public_key"`
	InBody          bool              `json:"in_body"`
	Authorization   raw               `json:"authorization"`
}

type oauth struct {
	ConsumerKey raw  `json:"consumer_key"`
	Nonce       raw  `json:"nonce"`
	Timestamp   raw  `json:"timestamp"`
	Realm       *raw `json:"realm"`
}

// raw is a text that may travel as base64.
type raw string

func (r *raw) UnmarshalJSON(data []byte) error {
	var coded struct {
		Base64 []byte `json:"b64"`
	}
	if data[0] == '{' {
		err := json.Unmarshal(data, &coded)
		*r = raw(coded.Base64)
		return err
	}
	return json.Unmarshal(data, (*string)(r))
}

func coded(text string) map[string]string {
	return map[string]string{"b64": base64.StdEncoding.EncodeToString([]byte(text))}
}

type object = map[string]any

var allOps = []string{"forecast", "simulate", "validate", "decode", "encode", "base-string", "sign", "verify"}

// serve answers requests with an implementation: what a program in another language would do.
func serve(in io.Reader, out io.Writer, impl laws.Impl) {
	lines := bufio.NewReader(in)
	w := json.NewEncoder(out)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var q asked
		if err := json.Unmarshal(line, &q); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return
		}
		reply, err := answered(q, impl)
		if err != nil {
			reply = object{"error": object{"code": codeOf(err)}}
		}
		reply["id"] = q.ID
		if err := w.Encode(reply); err != nil {
			return
		}
	}
}

// answered is answerTo, with what is not supported as an error.
func answered(q asked, impl laws.Impl) (reply object, err error) {
	defer func() {
		if p := recover(); p != nil {
			if reply, err = nil, laws.ErrNotSupported; p != any(err) {
				panic(p)
			}
		}
	}()
	return answerTo(q, impl)
}

func codeOf(err error) string {
	if errors.Is(err, laws.ErrNotSupported) {
		return "not-supported"
	}
	if code, ok := errors.AsType[ledger.Code](err); ok {
		return string(code)
	}
	return "refused"
}

func answerTo(q asked, impl laws.Impl) (object, error) {
	switch q.Op {
	case "hello":
		return object{"name": impl.Name, "ops": allOps}, nil
	case "forecast":
		return forecast(q, impl)
	case "simulate":
		return simulate(q, impl)
	case "validate":
		return validate(q, impl), nil
	case "decode":
		csv, found := impl.DecodePayload([]byte(q.Form), rules.Options{AsOf: gen.JudgedOn(), Input: rules.InputForm})
		for _, f := range found {
			if f.Severity == ledger.SeverityError {
				return nil, f.Code
			}
		}
		return object{"csv": coded(string(csv))}, nil
	case "encode":
		return object{"text": impl.Encode(string(q.Bytes))}, nil
	case "base-string":
		base, err := impl.BaseString(q.parts())
		return object{"base_string": base}, err
	case "sign":
		key := laws.SignKey{Method: q.SignatureMethod, Secret: string(q.Secret), PEM: q.PrivateKey}
		header, err := impl.Sign(q.request(), q.choices(), key)
		if err != nil {
			return nil, err
		}
		h, err := impl.ParseHeader(header)
		signature := ""
		for _, p := range h.Params {
			if p.Name == "oauth_signature" {
				signature = p.Value
			}
		}
		return object{"signature": signature, "authorization": header}, err
	case "verify":
		key := laws.SignKey{Method: q.SignatureMethod, Secret: string(q.Secret), PEM: q.PublicKey}
		r := q.request()
		r.Authorization = string(q.Authorization)
		v := impl.Verify(r, key, laws.SignOptions{})
		if v.Signature == "" {
			v.Signature = "unreadable"
		}
		return object{"signature": v.Signature}, nil
	}
	return nil, ledger.Code("not-supported")
}

func (q asked) request() gen.SignRequest {
	r := gen.SignRequest{Method: q.Method, URL: string(q.URL)}
	for _, p := range q.Params {
		r.Params = append(r.Params, gen.Pair{Name: string(p[0]), Value: string(p[1])})
	}
	return r
}

// parts are the request and its OAuth parameters apart.
func (q asked) parts() (r gen.SignRequest, oauth []gen.Pair) {
	r = q.request()
	all := r.Params
	r.Params = nil
	for _, p := range all {
		if strings.HasPrefix(p.Name, "oauth_") {
			oauth = append(oauth, p)
		} else {
			r.Params = append(r.Params, p)
		}
	}
	return r, oauth
}

func (q asked) choices() gen.SignChoices {
	c := gen.SignChoices{ConsumerKey: string(q.OAuth.ConsumerKey), Nonce: string(q.OAuth.Nonce), Timestamp: string(q.OAuth.Timestamp)}
	if q.OAuth.Realm != nil {
		c.Realm = new(string(*q.OAuth.Realm))
	}
	return c
}

// job reads columns, state and policy.
func (q asked) job() (j gen.Job, err error) {
	var cells gen.Cells
	for name, value := range q.Columns {
		column, ok := rules.ColumnOf(name)
		if !ok {
			return j, ledger.Code("column-unknown")
		}
		cells[column] = value
	}
	csv := rules.AppendRecord(rules.AppendHeader(nil), cells[1:]...)
	for row := range rules.NewReader(bytes.NewReader(csv), rules.Options{AsOf: gen.JudgedOn(), Input: rules.InputCSV}).Rows() {
		if row == nil {
			return j, ledger.Code("row")
		}
		j.Profile = row.Profile()
	}
	var list []string
	for _, key := range slices.Sorted(maps.Keys(q.Policy)) {
		list = append(list, key+"="+q.Policy[key])
	}
	if len(list) > 0 {
		if j.Policy, err = engine.ParsePolicy(strings.Join(list, ",")); err != nil {
			return j, err
		}
	}
	j.AsOf = q.AsOf
	if string(q.State) != "null" {
		line := strings.Replace(string(q.State), "{", `{"profile":"order-1",`, 1)
		_, j.State, err = engine.ParseStateLine([]byte(strings.Replace(line, ",}", "}", 1)))
	}
	return j, err
}

func subjectOf(j gen.Job) record.Subject {
	return record.Subject{Profile: j.Profile.ID, Row: 1, Currency: j.Profile.Currency}
}

func endOf(j gen.Job, e laws.End) object {
	end := object{"type": "end", "profile": j.Profile.ID, "status": e.Status, "repeat": e.Repeat, "stop": nil}
	if !e.Stop.Date.IsZero() {
		end["stop"] = object{"date": e.Stop.Date, "reasons": e.Stop.Reasons}
	}
	return end
}

func forecast(q asked, impl laws.Impl) (object, error) {
	j, err := q.job()
	if err != nil {
		return nil, err
	}
	f, err := impl.Forecast(j)
	if err != nil {
		return nil, err
	}
	charges := []record.Charge{}
	for c := range f.Charges(calendar.Through(q.AsOf, q.Until)) {
		charges = append(charges, record.Charge{Subject: subjectOf(j), Charge: c})
	}
	return object{"charges": charges, "end": endOf(j, f.End(q.Until))}, nil
}

func simulate(q asked, impl laws.Impl) (object, error) {
	j, err := q.job()
	if err != nil {
		return nil, err
	}
	s := engine.Simulation{Stored: engine.Stored{Profile: j.Profile, State: j.State}, AsOf: j.AsOf, Until: q.Until, Seed: 7}
	s.Outcomes = map[uint64]engine.Outcome{}
	for _, line := range q.Script {
		l, err := record.ParseScriptLine(line)
		if err != nil {
			return nil, err
		}
		if l.IsOutcome {
			s.Outcomes[l.Repeat] = l.Outcome
			continue
		}
		l.Step.Update, _ = rules.ParseUpdate(func(yield func(string, string) bool) {
			for _, c := range l.Cells {
				if !yield(c.Column, c.Value) {
					return
				}
			}
		}, rules.UpdateOptions{})
		s.Steps = append(s.Steps, l.Step)
	}
	records := []any{}
	end, err := impl.Simulate(j.Policy, s, func(e engine.Effect) bool {
		switch e.Kind {
		case engine.EffectCharge:
			records = append(records, record.Charge{Subject: subjectOf(j), Charge: e.Charge})
		case engine.EffectEvent:
			records = append(records, record.EventOf(subjectOf(j), &e))
		}
		return true
	})
	records = append(records, endOf(j, laws.End{Status: end.State.Status, Repeat: end.State.Repeat, Stop: plain.StopOf(end.State.Stop)}))
	return object{"records": records}, err
}

func validate(q asked, impl laws.Impl) object {
	problems := []object{}
	impl.ReadPayload(strings.NewReader(string(q.CSV)), rules.Options{AsOf: gen.JudgedOn(), Input: rules.InputCSV}, func(s plain.PayloadStep) bool {
		for _, f := range s.Findings {
			p := object{"code": f.Code, "severity": f.Severity.String(), "row": f.Row}
			if f.Column != 0 {
				p["column"] = f.Column.String()
			}
			problems = append(problems, p)
		}
		return true
	})
	return object{"problems": problems}
}
