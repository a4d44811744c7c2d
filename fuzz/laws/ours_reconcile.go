package laws

import (
	"bytes"
	"errors"
	"iter"
	"slices"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/reconcile"
	"github.com/chargecast/chargecast/record"
)

// A ReconcileImpl sets what was charged against what was expected, and finds the readings that it shows.
type ReconcileImpl struct {
	// Reconcile is asked about rows and lines; the policy of the case is the gateway's secret. The records are those under
	// a policy, or under the one that was observed where it is nil.
	Reconcile func(c gen.GatewayCase, under *engine.Policy) (Reconciliation, error)
	// Probe is the smallest experiment for some keys.
	Probe func(o reconcile.ProbeOptions) (reconcile.Experiment, error)
	// ShowObserved is a forecast as its records have it, with reasons, under the job's policy with the values that were
	// observed.
	ShowObserved func(j gen.Job, w calendar.Window, observed engine.Readings) ([]byte, error)
}

// A Reconciliation is what became of charges and lines, and what they show.
type Reconciliation struct {
	Records     []record.Reconciled
	Unexplained []record.Unexplained
	Readings    []record.Reading
	Summary     record.ReconcileSummary
	Faults      []ledger.Code // of rows and lines that are left out
}

func ourReconciliations() ReconcileImpl {
	return ReconcileImpl{Reconcile: ourReconcile, Probe: reconcile.Probe, ShowObserved: ourObserved}
}

func ourReconcile(c gen.GatewayCase, under *engine.Policy) (Reconciliation, error) {
	var w collected
	o := reconcile.Options{AsOf: c.AsOf, Through: c.Through, Lag: c.Lag, Report: func(err error) {
		code, _ := errors.AsType[ledger.Code](err)
		w.Faults = append(w.Faults, code)
	}}
	if under != nil {
		o.Policy, o.Given = *under, slices.Collect(engine.Keys())
	}
	_, err := reconcile.Match(rowsOf(&c), linesOf(&c), o, &w)
	return w.Reconciliation, err
}

func rowsOf(c *gen.GatewayCase) iter.Seq2[*reconcile.Row, error] {
	return func(yield func(*reconcile.Row, error) bool) {
		for i := range c.Rows {
			r := &c.Rows[i]
			row := reconcile.Row{ID: r.Profile.ID, Script: r.Script(), Subject: record.Subject{Profile: r.Profile.ID, Row: i + 1, Currency: r.Profile.Currency}}
			row.Stored = engine.Stored{Profile: r.Profile, State: r.State}
			if !yield(&row, nil) {
				return
			}
		}
	}
}

func linesOf(c *gen.GatewayCase) iter.Seq2[*reconcile.Actual, error] {
	return func(yield func(*reconcile.Actual, error) bool) {
		for _, l := range c.Lines {
			a := reconcile.Actual{Profile: l.Profile, Actual: record.Actual{
				Line: l.Number, Date: l.Date, Amount: l.Amount, Negative: l.Negative, Currency: l.Currency,
			}}
			switch {
			case l.None:
				a.Outcome = record.ActualNone
			case l.Declined:
				a.Outcome = record.ActualDeclined
			}
			if !yield(&a, nil) {
				return
			}
		}
	}
}

// collected is a reconcile.Writer that keeps everything.
type collected struct {
	Reconciliation
	of record.Subject
}

func (w *collected) Begin(engine.Policy, engine.Readings) {}

func (w *collected) Profile(s record.Subject) { w.of = s }

func (w *collected) Reconciled(kind record.Match, expected *engine.Charge, actual *record.Actual) {
	r := record.Reconciled{Profile: w.of.Profile, Row: w.of.Row, Kind: kind}
	if expected != nil {
		r.Expected = &record.Charge{Charge: *expected}
	}
	if actual != nil {
		r.Actual = new(*actual)
	}
	w.Records = append(w.Records, r)
}

func (w *collected) Write(r record.Record) {
	switch r := r.(type) {
	case record.Reconciled:
		w.Records = append(w.Records, r)
	case record.Unexplained:
		w.Unexplained = append(w.Unexplained, r)
	case record.Reading:
		w.Readings = append(w.Readings, r)
	case record.ReconcileSummary:
		w.Summary = r
	default:
	}
}

func ourObserved(j gen.Job, w calendar.Window, observed engine.Readings) ([]byte, error) {
	policy := observed.Policy(j.Policy)
	plan, err := engine.New(policy).Compile(engine.Stored{Profile: j.Profile, State: j.State}, j.AsOf)
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	out := record.NewWriter(&text, record.Header{Schema: record.SchemaForecast, AsOf: j.AsOf, Policy: policy, Observed: observed}, record.Options{Explain: true})
	out.Start(record.Subject{Profile: j.Profile.ID, Row: 1, Currency: j.Profile.Currency})
	for c := range plan.Charges(w) {
		if err := out.Charge(&c); err != nil {
			return nil, err
		}
	}
	end := plan.End(w.Last())
	err = errors.Join(out.End(&end), out.Close())
	return text.Bytes(), err
}
