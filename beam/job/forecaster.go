package job

import (
	"errors"
	"io"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/report"
)

// A forecaster forecasts the profiles of a shard. It adds them up in a book, or writes their
// charges or totals by profile to a file.
type forecaster struct {
	query *Query
	book  *engine.Book  // of totals by period; else nil
	out   io.Writer     // of the file; nil with a book
	w     record.Output // nil before begin
	plan  engine.Plan
	sum   record.ForecastSummary // of the profiles so far
}

// errOutput is an output that cannot be written.
var errOutput = errors.New("job: an output cannot be written")

func newForecaster(q *Query, book *engine.Book) *forecaster {
	f := &forecaster{query: q, book: book}
	if q.Simulate {
		f.sum.Unused = new(uint64) // there is no script
	}
	return f
}

// begin opens the file, with the form of the payload.
func (f *forecaster) begin(input string) {
	if f.out != nil {
		f.w = newWriter(f.out, f.query.header(input), f.query.Form)
	}
}

// close ends the file, with its summary if the shard was read as a whole.
func (f *forecaster) close(whole bool) error {
	if f.w == nil {
		return nil
	}
	if whole {
		_ = f.w.Write(f.sum) // stays for Close
	}
	return f.w.Close()
}

// add forecasts a profile. The error is one of the profile, [engine.ErrBookFull] or errOutput.
func (f *forecaster) add(p *profile) error {
	q := f.query
	var err error
	switch {
	case q.Simulate:
		err = f.simulate(p)
	case f.book != nil:
		err = f.book.Add(p.stored)
	default:
		err = f.forecast(p)
	}
	if err != nil {
		return err
	}
	if f.book != nil {
		f.sum.Profiles++
	}
	if engine.New(q.Policy).TakesAsNew(p.stored, q.AsOf) {
		f.sum.TakenAsNew++
	}
	if p.unsendable {
		f.sum.Unsendable++
	}
	return nil
}

// forecast writes the charges of a plan, or their total.
func (f *forecaster) forecast(p *profile) error {
	if err := engine.New(f.query.Policy).Recompile(&f.plan, p.stored, f.query.AsOf); err != nil {
		return err
	}
	t := f.start(p)
	for c := range f.plan.Charges(f.query.window()) {
		t.charge(&c)
	}
	end := f.plan.End(f.query.Until)
	return t.end(&end)
}

// simulate writes the charges of a simulation without a script, or their total, or adds them to the
// book.
func (f *forecaster) simulate(p *profile) error {
	q := f.query
	t := f.start(p)
	var full error
	after, err := engine.New(q.Policy).Simulate(engine.Simulation{
		Stored: p.stored, AsOf: q.AsOf, Until: q.Until, Seed: q.Seed,
	}, func(e engine.Effect) bool {
		switch {
		case e.Kind == engine.EffectEvent:
			t.event(&e)
		case e.Kind == engine.EffectCharge && f.book != nil:
			full = f.book.AddCharge(p.stored.Profile.Currency, e.Charge)
			return full == nil
		case e.Kind == engine.EffectCharge && q.window().Contains(e.Charge.Date):
			t.charge(&e.Charge)
		}
		return true
	})
	if err != nil || full != nil || f.book != nil {
		return errors.Join(err, full)
	}
	end, err := engine.New(q.Policy).End(after, q.Until)
	if err != nil {
		return err
	}
	return t.end(&end)
}

// A profileOutput writes the charges, events and end of one profile, or its total.
type profileOutput struct {
	*forecaster
	of    *profile
	total amount.Tally // by profile
}

func (f *forecaster) start(p *profile) *profileOutput {
	if f.query.By == engine.ByCharge {
		f.w.Start(record.Profile{Subject: p.Subject})
	}
	return &profileOutput{forecaster: f, of: p}
}

func (o *profileOutput) charge(c *engine.Charge) {
	c.AddTo(&o.total)
	if o.query.By == engine.ByCharge {
		_ = o.w.Charge(c)
	}
}

func (o *profileOutput) event(e *engine.Effect) {
	if o.query.By == engine.ByCharge {
		_ = o.w.Event(e)
	}
}

func (o *profileOutput) end(e *engine.End) error {
	o.sum.Count(&o.total)
	switch {
	case o.query.By == engine.ByCharge:
		return o.w.End(e)
	case !o.total.IsZero():
		return o.w.Total(&record.Total{By: engine.ByProfile, Value: o.of.Profile, Currency: o.of.Currency, Tally: o.total, CardExpires: o.of.stored.Profile.CardExpires})
	}
	return nil
}

// newWriter returns the output of a form. Its errors in writing are [errOutput], and stay for
// Close.
func newWriter(w io.Writer, h record.Header, f Form) record.Output {
	w = outputFile{w}
	switch f {
	case FormCSV:
		return report.NewWriter(w, h, report.Options{Form: report.FormCSV})
	case FormJSON:
		return record.NewWriter(w, h, record.Options{Document: true})
	}
	return record.NewWriter(w, h, record.Options{})
}

type outputFile struct{ io.Writer }

func (f outputFile) Write(b []byte) (int, error) {
	n, err := f.Writer.Write(b)
	if err != nil {
		err = errors.Join(errOutput, err)
	}
	return n, err
}
