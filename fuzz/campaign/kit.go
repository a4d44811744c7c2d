package campaign

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/fuzz"
	"github.com/chargecast/chargecast/fuzz/laws"
	kit "github.com/chargecast/chargecast/fuzz/target"
)

// This file connects the package to the kit.

// targetPackage is where the wrappers of the native targets are, below the root of the module.
const targetPackage = "./fuzz/target"

// generators is the version of the generators: with another one an index names another case.
const generators = laws.Version

// A law is a law of the kit.
type law struct {
	id, clause, formula string

	random bool // it has generated cases; else it is checked once
	heavy  bool // a quarter of the cases
	slow   bool // a fortieth
	alone  bool // it measures: nothing else may run meanwhile
}

// lawsOf are the laws that any of the patterns names; none means all.
func lawsOf(patterns []string) []law {
	var list []law
	for _, l := range fuzz.Laws() {
		if (fuzz.Options{Laws: patterns}).Wants(l.ID) {
			list = append(list, law{l.ID, l.Clause, l.Formula, !l.Once, l.Heavy, l.Slow, l.Alone})
		}
	}
	return list
}

// knownLaw reports whether a pattern names any law.
func knownLaw(pattern string) bool { return fuzz.Known(pattern) }

// A result is that of some cases of one law.
type result struct {
	cases uint64   // that were judged
	token string   // of the case that fails; empty for none
	stuck *Finding // the case that fails, if it does not end
}

// classes are the classes of input that were met.
type classes struct{ report fuzz.Report }

// oneCase is how many times as long as others the case of a law without random input may take:
// [fuzz.Options] say so.
const oneCase = 10

// judge judges n cases of a law from an index on, up to the first that fails or takes longer than a
// limit.
func judge(impl fuzz.Impl, l law, seed, first, n uint64, limit time.Duration, met *classes) result {
	o := fuzz.Options{Laws: []string{l.id}, Seed: seed, First: first, Cases: int(n), SlowCases: int(n), Shrinks: -1, Timeout: limit}
	if !l.random {
		o.Timeout /= oneCase
	}
	if l.heavy {
		o.Cases = 4 * int(n)
	}
	part := fuzz.Run(impl, o)
	met.report.Merge(part)
	met.report.Results = nil // only the classes are kept
	var j result
	for _, r := range part.Results {
		j.cases += uint64(r.Cases)
		for _, f := range r.Failures {
			j.token = f.Token
			if f.Stuck {
				j.stuck = &Finding{
					Law: l.id, Clause: l.clause, Formula: l.formula, Token: f.Token,
					Message: f.Message, CSV: f.Counterexample.CSV, Command: f.Counterexample.Command,
				}
			}
		}
	}
	return j
}

// indexOf is the index of the case that a token names.
func indexOf(token string) uint64 {
	_, c, err := fuzz.Replay(token)
	if err != nil {
		return 0
	}
	index, _ := c.Index()
	return index
}

// merge adds the classes that another worker met.
func (c *classes) merge(o *classes) { c.report.Merge(o.report) }

// unmet are the pairs of classes that no case met, each as "dimension · class · dimension · class".
func (c *classes) unmet() []string { return c.report.Missing() }

// allPairs are the pairs of classes that cases can meet.
func allPairs() []string { return (fuzz.Report{}).Missing() }

// replay judges the case of a token again, and shrinks it for a time; without one it does not. It
// reports false if the case holds, or is one of other generators.
func replay(impl fuzz.Impl, token string, shrinkTime time.Duration) (Finding, bool) {
	l, c, err := fuzz.Replay(token)
	if err != nil {
		return Finding{}, false
	}
	o := fuzz.Options{Shrinks: mostShrinks, ShrinkTime: shrinkTime, Timeout: caseTimeout}
	if shrinkTime <= 0 {
		o.Shrinks = -1
	}
	again := fuzz.Again(impl, l, c, o).Show()
	if len(again.Failures) == 0 {
		return Finding{}, false
	}
	f := again.Failures[0]
	return Finding{
		Law: l.ID, Clause: l.Clause, Formula: l.Formula, Token: token,
		Message: f.Message, CSV: f.Counterexample.CSV, Command: f.Counterexample.Command, ShrinkStopped: f.ShrinkStopped,
	}, true
}

// mostShrinks is how many times a case is made simpler, at most.
const mostShrinks = 200

// A target is a native target of the kit.
type target struct {
	name  string
	body  func([]byte)
	seeds []string
}

// targetsOf are the targets that any of the patterns names; none means all.
func targetsOf(patterns []string) []target {
	var list []target
	for _, t := range kit.Targets() {
		if len(patterns) > 0 && !slices.ContainsFunc(patterns, func(p string) bool { return matches(p, t.Name) }) {
			continue
		}
		one := target{name: t.Name, body: t.Body}
		for _, s := range t.Seeds {
			one.seeds = append(one.seeds, s.Data)
		}
		list = append(list, one)
	}
	return list
}

const (
	// caseTimeout is how long a case of a law, a start of the grid and an input of a target may
	// take; libfuzzer/run.sh gives inputs as long.
	caseTimeout = 25 * time.Second
	noAnswer    = withoutEnd + "25 seconds"
	// withoutEnd begins the message about a case that does not end, as in package fuzz.
	withoutEnd = "no answer within "
)

// try runs a target on one input and returns what it panics with, or noAnswer; empty if the input
// holds.
func (t target) try(data []byte) string {
	return within("the target", func() string {
		t.body(data)
		return ""
	})
}

// within returns what a function returns or panics with; noAnswer after caseTimeout. A function
// that does not end cannot be stopped: it is left running.
func within(who string, f func() string) string {
	ended := make(chan string, 1)
	go func() {
		message := who + " ended its goroutine"
		defer func() {
			if p := recover(); p != nil {
				message = cmp.Or(strings.TrimRight(fmt.Sprint(p), "\n"), "panic")
			}
			ended <- message
		}()
		message = f()
	}()
	timer := time.NewTimer(caseTimeout)
	defer timer.Stop()
	select {
	case message := <-ended:
		return message
	case <-timer.C:
		return noAnswer
	}
}

// A dates is a series, as far as the grid reads it.
type dates interface {
	At(k int) (calendar.Date, bool)
}

// series is a series of dates of the implementation.
func series(impl fuzz.Impl, start calendar.Date, u calendar.Unit, interval int, end calendar.MonthEnd) (dates, error) {
	return impl.NewGrid(start, u, interval, end)
}

// dateOf is a day by its civil parts.
func dateOf(year, month, day int) calendar.Date {
	d, _ := calendar.New(year, time.Month(month), day)
	return d
}
