package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/rules"
)

// reconciledLast is the day up to which charges are reconciled.
const reconciledLast = "2026-12-31"

// reconcileRows are P20: what was charged against what is expected. They build the command and take
// minutes, so they run only when they are named.
func reconcileRows() []row {
	return []row{
		{id: "P20", ours: "reconcile of 100,000 profiles with 5 million actual charges", against: "forecast -o ndjson of the same", goal: within(25), possible: "–",
			ready: readyReconcile},
	}
}

// readyReconcile sets the command reconcile against the command forecast, over W1's first profiles.
func readyReconcile() contest {
	write := func(dir string) error {
		list := portfolioBook(payloadRows, false)
		return errors.Join(writeBook(filepath.Join(dir, "payload.csv"), list), writeActuals(filepath.Join(dir, "actuals.csv"), list))
	}
	return commands(payloadRows, write, []string{"reconcile", "--through", reconciledLast, "--actual", "actuals.csv", "--as-of", portfolioFrom, "payload.csv"},
		[]string{"forecast", "--until", reconciledLast, "-o", "ndjson", "--as-of", portfolioFrom, "payload.csv"})
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
	asOf := calendar.MustParse(portfolioFrom)
	return writeTo(name, func(w *bufio.Writer) {
		_, _ = w.WriteString("profile;date;amount\n")
		for i := range list {
			plan := must(engine.New(engine.Policy{}).Compile(engine.Stored{Profile: list[i]}, asOf))
			for c := range plan.Charges(calendar.Through(asOf, calendar.MustParse(reconciledLast))) {
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
