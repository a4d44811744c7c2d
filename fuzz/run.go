package fuzz

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/laws"
)

// Options say what to run. The zero value runs every law with the default [Options.Effort].
type Options struct {
	// Laws are ids or patterns of ids, such as "T05", "C" for a whole group, "B*".
	// None means all.
	Laws []string
	// Cases is how many cases each law is judged on, also one that is marked heavy or slow; a law without
	// random input has one case. A case that the implementation does not support has another one in its place, up to
	// twenty times as many in all. Zero leaves it to Time, or to Effort.
	Cases int
	// Time is how long the run takes, about; zero for no limit. Every law gets as much of it as any other, in turns, unless
	// Cases or Effort says how many cases it gets.
	Time time.Duration
	// Effort is how many cases a law is judged on whose cases are cheap: a law marked heavy gets a quarter of it, one
	// marked slow a fortieth, but each at least one. It counts where Cases is zero; 20,000 when Time is zero too.
	Effort int
	// Seed is the base of all chance.
	Seed uint64
	// Skip are ids of laws that are known to fail. One that would pass is a failure
	// (G05).
	Skip []string
	// Failures is how many failing cases of a law are reported before the next law; 1
	// when zero.
	Failures int
	// Shrinks is the most steps from a failing case to a simpler one; 1,000 when zero,
	// none when negative.
	Shrinks int
	// ShrinkTime is how long the search for a simpler case may take, for each failure; a minute when
	// zero, forever when negative. It does not stop within a case. With a Time it is no longer than what is left of it,
	// or than a tenth of it.
	ShrinkTime time.Duration
	// Workers is how many cases are judged at the same time; 1 when zero. Without a Time the report is the same
	// for any number. An Impl that counts its Steps or Replies is asked one case after the other.
	Workers int
	// Timeout is how long a case may take before its law fails; a minute when zero, forever when
	// negative. The only case of a law without random input may take ten times as long.
	Timeout time.Duration
	// Policy holds the readings that every case asks for; nil leaves them to the generators. A law
	// about a reading still asks for that reading.
	Policy *engine.Policy
	// Corpus is what earlier runs have learned: its cases are judged first, and the run adds to it. Nil for none.
	Corpus *Corpus
	// Save is called now and then when the Corpus has learned something, and when a case fails before it is made simpler, so
	// that little is lost if the process is killed.
	// After the run the Corpus has more. Nil for never.
	Save func()
	// Stop ends the run, once it is closed, after the cases that are being judged. Nil for never.
	Stop <-chan struct{}
	// Program is how an implementation that runs outside this process is asked; nil for one that does not.
	Program *Program

	given *laws.Case // the only case; nil for those with a number
}

// A Program is what a run needs to know of an implementation outside this process. All functions are there.
type Program struct {
	// Judges reports whether the questions and answers of the program carry all that a law compares.
	Judges func(law string) bool
	// Ready reports whether the program runs, after it was started again where that was necessary and possible.
	Ready func() bool
	// Shown is the question that tells most of the failing case of a token, which judge asks once more.
	Shown func(token string, judge func()) Counterexample
}

// Run runs laws against an implementation and gives every law's result.
func Run(impl Impl, o Options) Report {
	report := Report{Impl: impl.Name, Seed: o.Seed, Unknown: o.Unknown()}
	r := run{Options: o, given: impl, impl: impl.Guarded(), begun: time.Now(), saver: saver{changed: map[*task]bool{}, ended: time.Now()}}
	var tasks []*task
	for _, l := range Laws() {
		if o.wants(l.ID) {
			tasks = append(tasks, r.task(l))
		}
	}
	if o.byTime() {
		r.inTurns(tasks)
		report.took = time.Since(r.begun)
	} else {
		for _, t := range tasks {
			r.inParts(t, r.count(t.law))
		}
	}
	for _, t := range tasks {
		result := r.settle(t)
		if result.Covered() {
			report.hit(t.hits)
		}
		report.Results = append(report.Results, result)
	}
	report.Interrupted = r.stopped()
	return report
}

// A Reporter is what [Check] reports to; *testing.T is one.
type Reporter interface {
	Helper()
	Errorf(format string, args ...any)
}

// Replay judges the case that a token names, under the policy of the options, and makes it simpler where it fails. It also gives
// what the case asks as a user would meet it. The error says what is wrong with the token.
func Replay(impl Impl, token string, o Options) (Result, Counterexample, error) {
	l, c, err := laws.ReplayUnder(token, o.Policy)
	if err != nil {
		return Result{}, Counterexample{}, err
	}
	one := again(impl, l, c, o)
	if len(one.Failures) > 0 {
		return one, one.Failures[0].Counterexample, nil
	}
	if shown, ok := c.Shown(); ok {
		return one, shown, nil
	}
	// Once more, for what it asks. Who does not come to an end may still ask.
	if o.Program != nil {
		impl, o.Program = Ours(), nil
	}
	var w laws.Witness
	o.Shrinks = -1
	if again(laws.Watch(impl, &w), l, c, o).Failed() {
		return one, laws.TokenShown(c.Token()), nil
	}
	return one, w.Show(c.Token()), nil
}

// again judges one case of a law.
func again(impl Impl, l Law, c *laws.Case, o Options) Result {
	o.Laws, o.Cases, o.Time, o.Corpus, o.given = []string{l.ID}, 1, 0, nil, c
	return Run(impl, o).Results[0]
}

// Check runs laws against an implementation and reports each failure to t, and a run that judged no law. If t can log, as
// a test can, it logs which laws hold and which are not covered.
func Check(t Reporter, impl Impl, o Options) Report {
	t.Helper()
	report := Run(impl, o)
	for _, name := range report.Unknown {
		t.Errorf("no law has the id or pattern %q", name)
	}
	if report.Judged() == 0 {
		t.Errorf("no law was judged: the implementation answers nothing that the laws of the options ask")
	}
	for _, r := range report.Results {
		if r.NotRun {
			t.Errorf("%s is not run: too many cases did not come to an end", r.Law.ID)
		}
		for _, f := range r.Failures {
			t.Errorf("%s (%s): %s\n%s\ncase %s, after %d steps%s:\n%s\n%s",
				r.Law.ID, r.Law.Clause, r.Law.Formula, f.Message, f.Token, f.Shrinks, f.stopped(), f.Value, f.Counterexample.AppendText(nil))
		}
	}
	if log, ok := t.(interface {
		Logf(format string, args ...any)
	}); ok {
		log.Logf("%s", report.appendSummary(nil))
	}
	return report
}

// stopped is why shrinking stopped, as part of a line.
func (f Failure) stopped() string {
	if f.ShrinkStopped == "" {
		return ""
	}
	return ", not shrunk further since " + f.ShrinkStopped
}

// wants reports whether a law is among those wanted.
func (o Options) wants(id string) bool {
	if len(o.Laws) == 0 {
		return true
	}
	return slices.ContainsFunc(o.Laws, func(pattern string) bool {
		if match, err := path.Match(pattern, id); err == nil && match {
			return true
		}
		// A group alone is its letters.
		return pattern == strings.TrimRight(id, "0123456789")
	})
}

// Unknown are the patterns of Laws and the ids of Skip that name no law.
func (o Options) Unknown() (names []string) {
	for _, pattern := range o.Laws {
		one := Options{Laws: []string{pattern}}
		if !slices.ContainsFunc(Laws(), func(l Law) bool { return one.wants(l.ID) }) {
			names = append(names, pattern)
		}
	}
	for _, id := range o.Skip {
		if _, ok := laws.Find(id); !ok {
			names = append(names, id)
		}
	}
	return names
}

// byTime reports whether laws are judged in turns until the time is over.
func (o Options) byTime() bool { return o.Time > 0 && o.Cases == 0 && o.Effort == 0 && o.given == nil }

// count is how many cases a law gets in a run without turns.
func (o Options) count(l Law) int {
	effort := cmp.Or(o.Effort, 20_000)
	switch {
	case l.Once, o.given != nil:
		return 1
	case o.Cases > 0:
		return o.Cases
	case l.Slow:
		return max(effort/40, 1)
	case l.Heavy:
		return max(effort/4, 1)
	}
	return effort
}
