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

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
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
