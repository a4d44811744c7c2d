package reconcile_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/reconcile"
	"github.com/chargecast/chargecast/record"
)

// A printer prints what is wrong, as a program would put it into a ticket.
type printer struct{ profile string }

func (*printer) Begin(reconcile.Result)    {}
func (*printer) Write(record.Record) error { return nil }
func (p *printer) Start(of record.Profile) { p.profile = of.Subject.Profile }
func (p *printer) Reconcile(kind record.Match, expected *engine.Charge, actual *record.Actual) error {
	if kind == record.Missing {
		fmt.Println(p.profile, "was not charged on", expected.Date)
	}
	return nil
}

// What was charged, and which readings of the document does it prove?
func ExampleMatch() {
	rent := new(reconcile.Row)
	rent.Stored.Profile = engine.Profile{
		ID: "rent", Kind: engine.KindSource, Start: calendar.MustParse("2026-01-31"), Unit: calendar.UnitMonth, Interval: 1,
		Amounts: amount.Fixed(amount.MustParse("10.00")), Currency: "EUR",
	}
	gym := *rent
	gym.Stored.Profile.ID, gym.Stored.Profile.Start = "gym", calendar.MustParse("2026-01-15")
	rows := func(yield func(*reconcile.Row, error) bool) { _ = yield(rent, nil) && yield(&gym, nil) }

	const export = "date,profile,amount\n2026-01-31,rent,10.00\n2026-02-28,rent,10.00\n2026-01-15,gym,10.00\n"
	lines := reconcile.Actuals(strings.NewReader(export), reconcile.ReadOptions{})

	o := reconcile.Options{AsOf: calendar.MustParse("2026-01-10"), Through: calendar.MustParse("2026-02-28")}
	result, err := reconcile.Match(rows, lines, o, new(printer))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	fmt.Println("observed:", result.Summary.Policy)
	for r := range result.Readings().All() {
		fmt.Println("shown by", r.Profile, "on", r.Date)
	}
	// Output:
	// gym was not charged on 2026-02-15
	// observed: month-end=clamp
	// shown by rent on 2026-02-28
}
