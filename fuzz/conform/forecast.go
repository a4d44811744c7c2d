package conform

import (
	"errors"
	"iter"
	"slices"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/laws"
	"github.com/chargecast/chargecast/internal/gen"
)

// farthest is how many days from as-of a program is asked to look: what can be walked to.
const farthest = 2000

// errRefused is a refusal where we would not refuse.
var errRefused = errors.New("the program refuses")

// forecast is a profile's forecast by the program.
func (p *Program) forecast(j gen.Job) (laws.Forecast, error) {
	of, ok := laws.NewQuestion(j, p.asked)
	if !ok {
		return laws.Forecast{}, laws.ErrNotSupported
	}
	f := &forecast{p, of}
	if _, refusal := f.ask(of.AsOf); refusal != "" {
		return laws.Forecast{}, f.refused(refusal)
	}
	return laws.Forecast{Charges: f.Charges, Next: f.Next, Count: f.Count, Stop: f.Stop, End: f.End}, nil
}

// A forecast answers every question by asking the program for a window.
type forecast struct {
	program *Program
	job     *laws.Question
}

// An answer is a window from as-of to a day.
type answer struct {
	charges []engine.Charge
	end     laws.End
}

// ask asks for the days up to one, without judging.
func (f *forecast) ask(until calendar.Date) (a answer, refusal string) {
	r := forecastRequest{Columns: f.job.Columns, AsOf: f.job.AsOf.String(), Until: until.String(), Policy: f.job.Readings, State: f.job.StateText}
	f.program.witness.Asked(func() laws.Counterexample { return f.job.Show(until, nil) })
	var got forecastReply
	if refusal := f.program.must("forecast", &r, &got); refusal != "" {
		return a, refusal
	}
	if got.Charges == nil || got.End == nil {
		f.program.broken("the reply lacks charges or end")
	}
	var err error
	for _, c := range *got.Charges {
		charge, e := c.charge()
		a.charges, err = append(a.charges, charge), errors.Join(err, e)
	}
	end, e := got.End.end()
	if err = errors.Join(err, e); err != nil {
		f.program.broken(firstLine(err))
	}
	a.end = end
	return a, ""
}

// through is the answer for the days up to one. It ends the case if the answer is that of another
// reading.
func (f *forecast) through(until calendar.Date) answer {
	if until.Before(f.job.AsOf) || until.Sub(f.job.AsOf) > farthest {
		panic(laws.ErrNotSupported)
	}
	a, refusal := f.ask(until)
	if refusal != "" {
		f.program.broken("the program refuses a longer window of a forecast that it gave")
	}
	if !a.like(f.job.Policy, f.job, until) {
		f.program.witness.Differs()
		f.job.Unspecified(func(p engine.Policy) bool { return a.like(p, f.job, until) })
	}
	return a
}

// refused is the error for a refusal: ours where we refuse too.
func (f *forecast) refused(refusal string) error {
	stored := f.job.Stored()
	_, err := engine.New(f.job.Policy).Compile(stored, f.job.AsOf)
	if err != nil {
		return err
	}
	f.job.Unspecified(func(p engine.Policy) bool {
		_, err := engine.New(p).Compile(stored, f.job.AsOf)
		return err != nil
	})
	return errors.Join(errRefused, errors.New("code "+laws.Cut(refusal, 100)))
}

// like reports whether our engine gives the same answer under a policy.
func (a answer) like(p engine.Policy, j *laws.Question, until calendar.Date) bool {
	plan, err := engine.New(p).Compile(j.Stored(), j.AsOf)
	if err != nil {
		return false
	}
	if !slices.EqualFunc(a.charges, slices.Collect(plan.Charges(calendar.Through(j.AsOf, until))), sameCharge) {
		return false
	}
	end := plan.End(until)
	return a.end.Status == end.Status && a.end.Repeat == end.Repeat && sameStop(a.end.Stop, laws.StopFrom(end.Stop))
}

func sameCharge(a, b engine.Charge) bool {
	return a.Repeat == b.Repeat && a.Date == b.Date && a.Slot == b.Slot && a.Min.Compare(b.Min) == 0 && a.Max.Compare(b.Max) == 0
}

func sameStop(a, b laws.Stop) bool { return a.Date == b.Date && slices.Equal(a.Reasons, b.Reasons) }

// horizon is the last day that the program is asked about.
func (f *forecast) horizon() calendar.Date {
	if calendar.MaxDate().Sub(f.job.AsOf) <= farthest {
		return calendar.MaxDate()
	}
	return f.job.AsOf.AddDays(farthest)
}

// whole is the answer for ever, if that can be known: the profile has stopped by then.
func (f *forecast) whole() answer {
	last := f.horizon()
	a := f.through(last)
	if a.end.Status != engine.StatusStopped && last != calendar.MaxDate() {
		panic(laws.ErrNotSupported)
	}
	return a
}

// Charges asks for the window's last day and leaves out what comes before it.
func (f *forecast) Charges(w calendar.Window) iter.Seq[engine.Charge] {
	return func(yield func(engine.Charge) bool) {
		var a answer
		switch last := w.Last(); {
		case last.Before(f.job.AsOf):
			return
		case last == calendar.MaxDate() || last.Sub(f.job.AsOf) > farthest:
			a = f.whole()
		default:
			a = f.through(last)
		}
		for _, c := range a.charges {
			if !c.Date.Before(w.From) && !yield(c) {
				return
			}
		}
	}
}

// Next looks as far as the program can be asked.
func (f *forecast) Next(n int) iter.Seq[engine.Charge] {
	return func(yield func(engine.Charge) bool) {
		if n <= 0 {
			return
		}
		a := f.through(f.horizon())
		if len(a.charges) < n && a.end.Status != engine.StatusStopped {
			panic(laws.ErrNotSupported)
		}
		for _, c := range a.charges[:min(n, len(a.charges))] {
			if !yield(c) {
				return
			}
		}
	}
}

// Count counts the charges.
func (f *forecast) Count(w calendar.Window) int {
	n := 0
	for range f.Charges(w) {
		n++
	}
	return n
}

// Stop is the stop that the profile comes to.
func (f *forecast) Stop() laws.Stop { return f.whole().end.Stop }

// End is where the profile is after a day.
func (f *forecast) End(d calendar.Date) laws.End { return f.through(d).end }

// charge reads the record of a charge.
func (r recordReply) charge() (c engine.Charge, err error) {
	low, high := r.Min, r.Max
	if r.Amount != nil {
		low, high = r.Amount, r.Amount
	}
	if r.Repeat == nil || low == nil || high == nil {
		return c, errors.New("a charge lacks repeat, or amount, or min and max")
	}
	c.Repeat = *r.Repeat
	c.Date, err = calendar.Parse(r.Date)
	c.Slot = c.Date
	if err == nil && r.Slot != "" {
		c.Slot, err = calendar.Parse(r.Slot)
	}
	if err != nil {
		return c, errors.New("a charge has a date that is not written YYYY-MM-DD")
	}
	var e1, e2 error
	c.Min, e1 = amount.Parse(*low)
	if c.Max, e2 = amount.Parse(*high); e1 != nil || e2 != nil {
		return c, errors.New("a charge has an amount that is not digits with a decimal point")
	}
	return c, nil
}

// end reads the record of an end.
func (r recordReply) end() (e laws.End, err error) {
	if r.Repeat == nil || e.Status.UnmarshalText([]byte(r.Status)) != nil || e.Status == 0 {
		return e, errors.New("the end lacks repeat, or its status is not active or stopped")
	}
	e.Repeat = *r.Repeat
	if r.Stop == nil {
		return e, nil
	}
	e.Stop.Reasons = r.Stop.Reasons
	if e.Stop.Date, err = calendar.Parse(r.Stop.Date); err != nil {
		return e, errors.New("the stop has a date that is not written YYYY-MM-DD")
	}
	return e, nil
}

// firstLine is the first of several errors.
func firstLine(err error) string {
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		return several.Unwrap()[0].Error()
	}
	return err.Error()
}
