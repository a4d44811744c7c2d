package conform

import (
	"errors"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/kit/laws"
	"github.com/chargecast/chargecast/internal/kit/plain"
)

// farthest is how many days from as-of a program is asked to look: what can be walked to.
const farthest = 2000

// errRefused is a refusal where we would not refuse.
var errRefused = errors.New("the program refuses")

// forecast is a profile's forecast by the program.
func (p *Program) forecast(j gen.Job) (laws.Forecast, error) {
	of, ok := laws.NewQuestion(j)
	if !ok {
		return laws.Forecast{}, laws.ErrNotSupported
	}
	f := &forecast{p, of}
	if _, refusal := f.ask(of.AsOf); refusal != "" {
		return laws.Forecast{}, f.refused(refusal)
	}
	return laws.Forecast{Charges: f.Charges, Stop: f.Stop, End: f.End}, nil
}

// A forecast answers every question by asking the program for a window.
type forecast struct {
	program *Program
	job     *laws.Question
}

// An answer is a window from as-of to a day.
type answer struct {
	charges []engine.Charge
	end     *laws.End // nil where the reply has none
}

// String is the answer in words.
func (a answer) String() string {
	var words []string
	for _, c := range a.charges[:min(len(a.charges), 3)] {
		words = append(words, plain.ChargeText(c))
	}
	if more := len(a.charges) - len(words); more > 0 {
		words = append(words, strconv.Itoa(more)+" more")
	}
	if a.end != nil {
		words = append(words, a.end.String())
	}
	return strings.Join(words, "; ")
}

// ask asks for the days up to one, without judging.
func (f *forecast) ask(until calendar.Date) (a answer, refusal string) {
	r := forecastRequest{Columns: f.job.Columns, AsOf: f.job.AsOf.String(), Until: until.String(), Policy: f.job.Readings, State: f.job.StateText}
	var got forecastReply
	if refusal := f.program.must("forecast", &r, &got); refusal != "" {
		return a, refusal
	}
	if got.Charges == nil {
		f.program.mistaken("the reply lacks charges")
	}
	for _, c := range *got.Charges {
		charge, err := c.charge()
		if err != nil {
			f.program.mistaken(err.Error())
		}
		a.charges = append(a.charges, charge)
	}
	if got.End != nil {
		end, err := got.End.end()
		if err != nil {
			f.program.mistaken(err.Error())
		}
		a.end = &end
	}
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
	if ours, _ := answerUnder(f.job.Policy, f.job, until); !a.like(ours) {
		f.job.Unspecified(a.String(), ours.String(), func(p engine.Policy) bool {
			other, ok := answerUnder(p, f.job, until)
			return ok && a.like(other)
		})
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
	f.job.Unspecified("refused", "a forecast", func(p engine.Policy) bool {
		_, err := engine.New(p).Compile(stored, f.job.AsOf)
		return err != nil
	})
	return errors.Join(errRefused, errors.New("code "+laws.Cut(refusal, 100)))
}

// answerUnder is our engine's answer under a policy; false where it refuses.
func answerUnder(p engine.Policy, j *laws.Question, until calendar.Date) (a answer, ok bool) {
	plan, err := engine.New(p).Compile(j.Stored(), j.AsOf)
	if err != nil {
		return a, false
	}
	end := plan.End(until)
	return answer{slices.Collect(plan.Charges(calendar.Through(j.AsOf, until))), &laws.End{Status: end.Status, Repeat: end.Repeat, Stop: plain.StopOf(end.Stop)}}, true
}

// like reports whether two answers are the same; one without an end by its charges.
func (a answer) like(o answer) bool {
	if !slices.EqualFunc(a.charges, o.charges, sameCharge) || a.end == nil || o.end == nil {
		return slices.EqualFunc(a.charges, o.charges, sameCharge) && (a.end == nil || o.end == nil)
	}
	return a.end.Status == o.end.Status && a.end.Repeat == o.end.Repeat && sameStop(a.end.Stop, o.end.Stop)
}

func sameCharge(a, b engine.Charge) bool {
	return a.Repeat == b.Repeat && a.Date == b.Date && a.Slot == b.Slot && a.Min.Compare(b.Min) == 0 && a.Max.Compare(b.Max) == 0
}

func sameStop(a, b plain.Stop) bool { return a.Date == b.Date && slices.Equal(a.Reasons, b.Reasons) }

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
	if last != calendar.MaxDate() && f.ended(a).Status != engine.StatusStopped {
		panic(laws.ErrNotSupported)
	}
	return a
}

// ended is the end of an answer.
func (f *forecast) ended(a answer) laws.End {
	if a.end == nil {
		f.program.mistaken("the reply lacks end")
	}
	return *a.end
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

// Stop is the stop that the profile comes to.
func (f *forecast) Stop() plain.Stop { return f.ended(f.whole()).Stop }

// End is where the profile is after a day.
func (f *forecast) End(d calendar.Date) laws.End { return f.ended(f.through(d)) }

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
