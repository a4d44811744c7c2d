package gateway_test

import (
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/gateway/gatewaytest"
	"github.com/chargecast/chargecast/reconcile"
	"github.com/chargecast/chargecast/record"
)

// TestReadingsAreFound: an experiment is sent to a gateway with a secret policy and its script is
// carried out; what it charged, and that there was nothing else on the days to look, tells apart
// all that the experiment says it does. CHARGECAST_POLICIES=61440 tries every policy.
func TestReadingsAreFound(t *testing.T) {
	t.Parallel()
	n := 20
	if os.Getenv("CHARGECAST_GATE") != "" {
		n = 500
	}
	n = numberOf(t, "CHARGECAST_POLICIES", n)
	x, err := reconcile.Probe(calendar.MustParse("2026-01-10"))
	if err != nil {
		t.Fatal(err)
	}
	const together = 512 // tests that wait for each other
	for i := 0; i < n; i += together {
		t.Run("from "+strconv.Itoa(i), func(t *testing.T) {
			for k := i; k < min(i+together, n); k++ {
				t.Run(strconv.Itoa(k), func(t *testing.T) {
					t.Parallel()
					finds(t, &x, policyNumber(k))
				})
			}
		})
	}
}

// policyNumber is one of all policies, each of which has a number below 61,440; 0 is the defaults.
// Neighbours differ in many keys.
func policyNumber(n int) (p engine.Policy) {
	const all, step = 61_440, 25_903 // without a common divisor
	n = n * step % all
	for c := range engine.Keys() {
		values := len(c.Entry().Readings)
		p, n = p.WithReading(c, n%values), n/values
	}
	return p
}

// finds carries out an experiment, and compares what it shows with the policy.
func finds(t *testing.T, x *reconcile.Experiment, p engine.Policy) {
	gw := gatewaytest.Options{AsOf: x.AsOf.String(), Policy: p}.New(t)
	send(t, gw, x)
	carryOut(t, gw, x)
	gw.Advance(x.Through)
	_, text := admin(t, gw, "GET", "charges?format=actuals", "")
	actuals := reconcile.Actuals(strings.NewReader(looked(x, text)), reconcile.ReadOptions{})
	rows := func(yield func(*reconcile.Row, error) bool) {
		for i := range x.Rows {
			profile := x.Rows[i].Profile
			row := reconcile.Row{Subject: record.Subject{Profile: profile.ID, Row: i + 1, Currency: "EUR"}, ID: profile.ID, Stored: engine.Stored{Profile: profile}}
			for _, s := range x.Steps {
				if s.Line.Profile == profile.ID {
					row.Script.Steps = append(row.Script.Steps, s.Line.Step)
				}
			}
			if !yield(&row, nil) {
				return
			}
		}
	}
	result, err := reconcile.Match(rows, actuals, reconcile.Options{AsOf: x.AsOf, Through: x.Through, Report: func(err error) { t.Error(err) }}, silent{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range x.Decides {
		if d.Unless != "" && slices.Contains(strings.Split(p.String(), ","), d.Unless) {
			continue
		}
		right := slices.Index(d.Key.Entry().Values(), p.Reading(d.Key).Value)
		for _, group := range d.Apart {
			for _, v := range group {
				one, _ := d.Key.Reading(v)
				i := slices.IndexFunc(result.Verdicts, func(r record.Reading) bool { return r.Key == d.Key.Key() && r.Value == one.Value })
				switch verdict := result.Verdicts[i].Verdict; {
				case v == right && (verdict == record.VerdictRefuted || verdict == record.VerdictContradicted),
					!slices.Contains(group, right) && verdict != record.VerdictRefuted:
					t.Errorf("%s=%s is %v under %v", d.Key.Key(), one.Value, verdict, p)
				}
			}
		}
	}
}

// silent is a reconcile.Writer that nobody reads.
type silent struct{}

func (silent) Begin(reconcile.Result)                                       {}
func (silent) Start(record.Profile)                                         {}
func (silent) Reconcile(record.Match, *engine.Charge, *record.Actual) error { return nil }
func (silent) Write(record.Record) error                                    { return nil }

// send sends the payloads, some of which the gateway may refuse.
func send(t *testing.T, gw *gatewaytest.Gateway, x *reconcile.Experiment) {
	t.Helper()
	s := newSender(t, gw)
	for n := 1; ; n++ {
		var rows []values
		for i := range x.Rows {
			if x.Rows[i].Request == n {
				rows = append(rows, columnsOf(&x.Rows[i].Profile))
			}
		}
		if len(rows) == 0 {
			return
		}
		s.post(bodyOf(payloadOf(rows...)))
	}
}

func columnsOf(p *engine.Profile) values {
	v := values{"client-orderid": p.ID, "amount": "", "period": "", "interval": "", "start-date": p.Start.Dotted(), "finish-date": p.Finish.Dotted()}
	if p.Automatic() {
		v["period"], v["interval"] = p.Unit.String(), strconv.Itoa(p.Interval)
	}
	if n, ok := p.MaxRepeats.Value(); ok {
		v["max-repeats-number"] = strconv.FormatUint(n, 10)
	}
	var amounts []string
	for n := range max(1, p.Amounts.Len()) {
		a, _ := p.Amounts.Bounds(uint64(n))
		amounts = append(amounts, a.String())
	}
	column := "amount"
	if p.Amounts.Kind() == amount.KindSequence {
		column = "amount-sequence"
	}
	v[column] = strings.Join(amounts, ",")
	return v
}

// carryOut does what the script says, each step after the day's charges. A profile may be missing,
// and a step refused.
func carryOut(t *testing.T, gw *gatewaytest.Gateway, x *reconcile.Experiment) {
	t.Helper()
	ids := map[string]string{}
	for _, p := range gw.Profiles() {
		ids[p.ClientOrderID] = p.ID.String()
	}
	for _, s := range x.Steps {
		id, ok := ids[s.Line.Profile]
		if !ok {
			continue
		}
		gw.Advance(s.Line.Step.Date)
		body := ""
		switch s.Line.Step.Kind {
		case engine.EventResume:
			body = `{"via":"ui"}`
		case engine.EventUpdate:
			set := map[string]string{}
			for _, cell := range s.Line.Cells {
				set[cell.Column] = cell.Value
			}
			text, _ := json.Marshal(map[string]any{"set": set})
			body = string(text)
		}
		if status, answer := admin(t, gw, "POST", "profiles/"+id+"/"+s.Line.Step.Kind.String(), body); status != 200 && status != 409 {
			t.Errorf("%v: %d %s", s.Line.Step.Kind, status, answer)
		}
	}
}

// looked adds a line with none for each day to look on which there was no charge since the last
// one.
func looked(x *reconcile.Experiment, actuals string) string {
	days := map[string][]string{}
	for line := range strings.Lines(actuals) {
		f := strings.SplitN(line, ",", 3)
		days[f[0]] = append(days[f[0]], f[1])
	}
	since := map[string]string{}
	for _, look := range x.Look {
		day := look.Date.String()
		if !slices.ContainsFunc(days[look.Profile], func(d string) bool { return since[look.Profile] < d && d <= day }) {
			actuals += look.Profile + "," + day + ",,,none,,\n"
		}
		since[look.Profile] = day
	}
	return actuals
}
