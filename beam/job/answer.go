package job

import (
	"errors"
	"io"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/report"
)

// An answer is what the profiles of a shard come to: a portfolio, or charges and totals by profile in a
// file.
type answer struct {
	question  *Question
	book      *engine.Portfolio // of totals by period; else nil
	out       io.Writer         // of the file; nil with a book
	w         writer            // nil before begin
	plan      engine.Plan
	mayExpire bool // whether to look for charges after the card's expiry
}

// errOutput is an output that cannot be written.
var errOutput = errors.New("job: an output cannot be written")

func newAnswer(q *Question, book *engine.Portfolio) *answer { return &answer{question: q, book: book} }

// begin begins the file, with the form of the payload.
func (a *answer) begin(input string) {
	if a.out != nil {
		a.w = newWriter(a.out, a.question.header(input), a.question.Form)
	}
}

func (a *answer) close() error {
	if a.w == nil {
		return nil
	}
	return a.w.Close()
}

// add forecasts a profile. It reports whether one of its charges is after the card's expiry, if that
// matters. The error is one of the profile, [engine.ErrPortfolioFull] or errOutput.
func (a *answer) add(p *profile) (cardMatters bool, err error) {
	q := a.question
	if a.book != nil && !q.Simulate && !a.mayExpire {
		return false, a.book.Add(p.stored)
	}
	if err := a.plan.Reset(p.stored, q.AsOf, q.Policy); err != nil {
		return false, err
	}
	switch {
	case a.book != nil && q.Simulate:
		err = a.book.AddDrawn(&a.plan, q.Seed)
	case a.book != nil:
		err = a.book.AddPlan(&a.plan)
	case q.Simulate:
		err = a.simulate(p)
	default:
		err = a.forecast(p)
	}
	if err != nil || !a.mayExpire {
		return false, err
	}
	return cardExpired(&a.plan, q.window(), p.stored.Profile.CardExpires), nil
}

// forecast writes the charges of the plan, or their total.
func (a *answer) forecast(p *profile) error {
	t := a.start(p)
	for c := range a.plan.Charges(a.question.window()) {
		t.charge(&c)
	}
	end := a.plan.End(a.question.Until)
	return t.end(&end)
}

// simulate writes the charges of a simulation without a script, or their total.
func (a *answer) simulate(p *profile) error {
	q := a.question
	t := a.start(p)
	after, err := engine.Simulate(engine.Simulation{
		Stored: p.stored, AsOf: q.AsOf, Until: q.Until, Policy: q.Policy, Seed: q.Seed,
	}, func(e engine.Effect) bool {
		switch {
		case e.Kind == engine.EventHandled:
			t.event(&e)
		case e.Kind == engine.ChargeAttempted && q.window().Contains(e.Charge.Date):
			t.charge(&e.Charge)
		}
		return true
	})
	if err != nil {
		return err
	}
	end, err := after.End(q.Until, q.Policy)
	if err != nil {
		return err
	}
	return t.end(&end)
}

// An output writes the charges, events and end of one profile, or its total.
type output struct {
	*answer
	of    *profile
	total record.Tally // by profile
}

func (a *answer) start(p *profile) *output {
	if a.question.By == engine.ByCharge {
		a.w.Start(p.Subject)
	}
	return &output{answer: a, of: p}
}

func (o *output) charge(c *engine.Charge) {
	if o.question.By == engine.ByCharge {
		o.w.Charge(c)
		return
	}
	o.total.Add(c)
}

func (o *output) event(e *engine.Effect) {
	if o.question.By == engine.ByCharge {
		o.w.Event(e)
	}
}

func (o *output) end(e *engine.End) error {
	switch {
	case o.question.By == engine.ByCharge:
		return o.w.End(e)
	case !o.total.IsZero():
		return o.w.Total(&record.Total{By: engine.ByProfile, Value: o.of.Profile, Currency: o.of.Currency, Tally: o.total})
	}
	return nil
}

// A writer writes charges or totals. Its errors are [errOutput], and stay.
type writer interface {
	Start(s record.Subject)
	Charge(c *engine.Charge)
	Event(e *engine.Effect)
	End(e *engine.End) error
	Total(t *record.Total) error
	Close() error
}

func newWriter(w io.Writer, h record.Header, f Form) writer {
	switch f {
	case FormCSV:
		return table{report.NewWriter(w, h, report.Options{Form: report.FormCSV})}
	case FormJSON:
		return records{record.NewWriter(w, h, record.Options{Form: record.FormJSON})}
	}
	return records{record.NewWriter(w, h, record.Options{})}
}

type records struct{ w *record.Writer }

func (r records) Start(s record.Subject)      { r.w.Start(s) }
func (r records) Charge(c *engine.Charge)     { _ = r.w.Charge(c) }
func (r records) Event(e *engine.Effect)      { _ = r.w.Event(e) }
func (r records) End(e *engine.End) error     { return written(r.w.End(e)) }
func (r records) Total(t *record.Total) error { return written(r.w.Total(t)) }
func (r records) Close() error                { return written(r.w.Close()) }

type table struct{ w *report.Writer }

func (r table) Start(s record.Subject)      { _ = r.w.Start(report.Profile{Subject: s}) }
func (r table) Charge(c *engine.Charge)     { _ = r.w.Charge(c) }
func (r table) Event(e *engine.Effect)      { _ = r.w.Event(e) }
func (r table) End(e *engine.End) error     { return written(r.w.End(e)) }
func (r table) Total(t *record.Total) error { return written(r.w.Total(t)) }
func (r table) Close() error                { return written(r.w.Close()) }

func written(err error) error {
	if err == nil {
		return nil
	}
	return errors.Join(errOutput, err)
}
