package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/reconcile"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/rules"
)

// reconciledLast is the day up to which charges are reconciled.
const reconciledLast = "2026-12-31"

// reconcileRows are P20: what was charged against what is expected. They build the command and take minutes, so they run only
// when they are named.
func reconcileRows() []row {
	return []row{
		{id: "P20", ours: "reconcile of 100,000 profiles with 5 million actual charges", against: "forecast -o ndjson of the same", goal: within(15), possible: "–",
			ready: readyReconcile},
		{id: "P20", ours: "readings decided by 10,000 profiles, a profile", against: "trying 61,440 policies on each of 100", goal: faster(1000), possible: "–",
			rated: rateDecision},
	}
}

// readyReconcile sets the command reconcile against the command forecast, over W1's first profiles.
func readyReconcile() (contest, error) {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return contest{}, err
	}
	command, payload, actuals := filepath.Join(dir, "chargecast"), filepath.Join(dir, "payload.csv"), filepath.Join(dir, "actuals.csv")
	run := func(arguments ...string) side {
		return side{payloadRows, func() uint64 {
			c := exec.Command(command, append(arguments, "--as-of", portfolioFrom, payload)...)
			c.Stdout = io.Discard
			if c.Run() != nil {
				return 0
			}
			return payloadRows
		}}
	}
	list, failed := portfolioBook(payloadRows, false)
	err = errors.Join(failed, writeBook(payload, list), writeActuals(actuals, list), buildCommand(context.Background(), command))
	return contest{
		ours:   run("reconcile", "--through", reconciledLast, "--actual", actuals),
		theirs: run("forecast", "--until", reconciledLast, "-o", "ndjson"),
		end:    func() { _ = os.RemoveAll(dir) },
	}, err
}

// writeBook writes profiles as a payload.
func writeBook(name string, list []engine.Profile) error {
	columns := []string{"rp_card_type", "client-orderid", "credit-card-number", "card-printed-name", "expire-year", "expire-month",
		"amount", "currency", "country", "city", "zip-code", "address1", "first-name", "last-name", "email", "period", "interval", "start-date"}
	return writeTo(name, func(w *bufio.Writer) {
		line := rules.AppendRecord(nil, columns...)
		_, _ = w.Write(line)
		for i := range list {
			p := &list[i]
			a, _ := p.Amounts.Bounds(0)
			line = rules.AppendRecord(line[:0], "SRC", p.ID, "4111111111111111", "TEST CARD", "2099", "12",
				a.String(), p.Currency, "DE", "Berlin", "10115", "Example Street 1", "Test", "Person", "test@example.com", p.Unit.String(), "1", p.Start.Dotted())
			_, _ = w.Write(line)
		}
	})
}

// writeActuals writes what the profiles are charged.
func writeActuals(name string, list []engine.Profile) error {
	return writeTo(name, func(w *bufio.Writer) {
		_, _ = w.WriteString("profile;date;amount\n")
		for i := range list {
			for c := range chargesOf(&list[i], engine.Policy{}) {
				_, _ = fmt.Fprintf(w, "%s;%s;%s\n", list[i].ID, c.Date, c.Min)
			}
		}
	})
}

func writeTo(name string, write func(*bufio.Writer)) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	write(w)
	return errors.Join(w.Flush(), f.Close())
}

// chargesOf are those of a profile under a policy; none where it refuses it.
func chargesOf(p *engine.Profile, policy engine.Policy) iter.Seq[engine.Charge] {
	asOf := calendar.MustParse(portfolioFrom)
	plan, err := engine.New(policy).Compile(engine.Stored{Profile: *p}, asOf)
	if err != nil {
		return func(func(engine.Charge) bool) {}
	}
	return plan.Charges(calendar.Through(asOf, calendar.MustParse(reconciledLast)))
}

// rateDecision times a decision on many profiles, and trying every policy on a hundred of them once.
func rateDecision() (result, error) {
	const many, few = 10_000, 100
	list, err := portfolioBook(many, false)
	if err != nil {
		return result{}, err
	}
	actuals := make([][]reconcile.Actual, many)
	for i := range list {
		for c := range chargesOf(&list[i], engine.Policy{}) {
			actuals[i] = append(actuals[i], reconcile.Actual{Profile: list[i].ID, Actual: record.Actual{Date: c.Date, Amount: c.Min}})
		}
	}
	ours := side{many, func() uint64 {
		_, failed := decided(list, actuals)
		err = errors.Join(err, failed)
		return 0
	}}
	var times []float64
	for range minRounds {
		times = append(times, float64(clock(ours, 1))/many)
	}
	mine := summary(times)
	got, failed := decided(list[:few], actuals[:few])
	begin := time.Now()
	want := tried(list[:few], actuals[:few])
	ratio := float64(time.Since(begin)) / few / mine.min
	if err = errors.Join(err, failed); err == nil && got != want {
		err = fmt.Errorf("the sides disagree: ours %s, theirs %s", got, want)
	}
	return result{ratio: ratio, spread: mine.spread()}, err
}

// decided are the readings that the library observes.
func decided(list []engine.Profile, actuals [][]reconcile.Actual) (string, error) {
	rows := func(yield func(*reconcile.Row, error) bool) {
		var row reconcile.Row
		for i := range list {
			p := &list[i]
			row = reconcile.Row{ID: p.ID, Subject: record.Subject{Profile: p.ID, Row: i + 1, Currency: p.Currency}, Stored: engine.Stored{Profile: *p}}
			if !yield(&row, nil) {
				return
			}
		}
	}
	lines := func(yield func(*reconcile.Actual, error) bool) {
		for i := range actuals {
			for k := range actuals[i] {
				if !yield(&actuals[i][k], nil) {
					return
				}
			}
		}
	}
	o := reconcile.Options{AsOf: calendar.MustParse(portfolioFrom), Through: calendar.MustParse(reconciledLast)}
	r, err := reconcile.Match(rows, lines, o, unread{})
	return r.Summary.Policy, err
}

// unread is a reconcile.Writer that nobody reads.
type unread struct{}

func (unread) Begin(reconcile.Result)                                  {}
func (unread) Profile(record.Subject)                                  {}
func (unread) Reconciled(record.Match, *engine.Charge, *record.Actual) {}
func (unread) Write(record.Record)                                     {}

// tried are the readings that a profile shows and none speaks against, found by trying every policy on each profile.
func tried(list []engine.Profile, actuals [][]reconcile.Actual) string {
	type vote struct{ pro, contra int }
	votes := map[string]vote{}
	keys := slices.Collect(engine.Keys())
	for i := range list {
		with, whole := map[string]int{}, 0
		everyPolicy(keys, engine.Policy{}, func(p engine.Policy) {
			if !explains(&list[i], p, actuals[i]) {
				return
			}
			whole++
			for item := range strings.SplitSeq(p.String(), ",") {
				with[item]++
			}
		})
		for _, key := range keys {
			for _, one := range key.Entry().Readings {
				name := key.Key() + "=" + one.Value
				v := votes[name]
				switch with[name] {
				case whole:
					v.pro++
				case 0:
					v.contra++
				}
				votes[name] = v
			}
		}
	}
	var observed []string
	for _, key := range keys {
		for _, one := range key.Entry().Readings {
			if v := votes[key.Key()+"="+one.Value]; v.pro > 0 && v.contra == 0 {
				observed = append(observed, key.Key()+"="+one.Value)
			}
		}
	}
	return strings.Join(observed, ",")
}

// explains reports whether a policy charges what was charged, and nothing else.
func explains(p *engine.Profile, policy engine.Policy, lines []reconcile.Actual) bool {
	n := 0
	for c := range chargesOf(p, policy) {
		if n == len(lines) || lines[n].Date != c.Date || lines[n].Amount != c.Min {
			return false
		}
		n++
	}
	return n == len(lines)
}

// everyPolicy yields a policy for each choice of values of some keys.
func everyPolicy(keys []ledger.Clause, p engine.Policy, yield func(engine.Policy)) {
	if len(keys) == 0 {
		yield(p)
		return
	}
	for v := range keys[0].Entry().Readings {
		everyPolicy(keys[1:], p.WithReading(keys[0], v), yield)
	}
}
