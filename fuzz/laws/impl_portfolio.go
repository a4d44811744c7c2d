package laws

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"slices"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/record"
)

// A Book adds up the charges of many profiles. Its functions are fields, so that one of them can be
// replaced.
type Book struct {
	// Add counts the charges of a job's profile, as of the day and under the policy of the scope.
	Add func(gen.Job) error
	// AddCharge counts one charge, by its outcome.
	AddCharge func(currency string, c engine.Charge) error
	// Merge counts what another book counts.
	Merge func(Book) error
	// Totals are the totals by day, week, month, quarter or weekday.
	Totals func(by engine.By) []BookTotal
	// Save is the book as bytes; nil where an implementation has no such form.
	Save func() []byte
	// Self is the implementation's own book.
	Self any
}

// A BookTotal is what the charges of one currency in one period come to.
type BookTotal struct {
	Value    string // of the period, as records have it: "2026-W05"
	Currency string
	// Expired are those of the approved ones that are dated after the card's expiry.
	Approved, Expired, Declined Total
	Draws                       []Draws // of the approved ones, in order of scale, then values
}

// Draws are so many charges that have one of so many values each, units of 10^-Scale apart.
type Draws struct {
	Values  uint64 `json:"values"`
	Scale   int    `json:"scale"`
	Charges uint64 `json:"charges"`
}

// A PortfolioImpl is the portfolios of an implementation.
type PortfolioImpl struct {
	NewBook func(engine.Scope) (Book, error)
	// LoadBook reads what Save returns.
	LoadBook func([]byte) (Book, error)
}

func ourPortfolios() PortfolioImpl {
	return PortfolioImpl{
		NewBook: func(s engine.Scope) (Book, error) {
			p, err := engine.NewPortfolio(s)
			if err != nil {
				return Book{}, err
			}
			return ourBook(p), nil
		},
		LoadBook: func(form []byte) (Book, error) {
			p, err := record.ReadPart(bytes.NewReader(form), nil)
			if err != nil {
				return Book{}, err
			}
			return partBook(p), nil
		},
	}
}

func ourBook(p *engine.Portfolio) Book {
	return Book{
		Add:       func(j gen.Job) error { return p.Add(engine.Stored{Profile: j.Profile, State: j.State}) },
		AddCharge: func(currency string, c engine.Charge) error { return p.AddCharge(currency, &c) },
		Merge:     func(o Book) error { return p.Merge(o.Self.(*engine.Portfolio)) },
		Totals:    func(by engine.By) []BookTotal { return bookTotals(by, p.Totals(by)) },
		Save:      func() []byte { return partOf(p.Scope(), p.Totals(engine.ByDay)) },
		Self:      p,
	}
}

// partBook is a book that was saved.
func partBook(p *record.Part) Book {
	save := func() []byte {
		var out bytes.Buffer
		w := record.NewPartWriter(&out, p.Header, p.PartAsked)
		_ = w.Days(slices.Values(p.Days))
		_ = w.Close(p.PartEnd)
		return out.Bytes()
	}
	return Book{
		Merge: func(o Book) error {
			other, err := record.ReadPart(bytes.NewReader(o.Save()), nil)
			if err != nil {
				return err
			}
			if what := p.Differs(other); what != "" {
				return fmt.Errorf("another %s", what)
			}
			return p.Merge(other)
		},
		Totals: func(by engine.By) []BookTotal { return bookTotals(by, p.Days.Totals(by)) },
		Save:   save,
		Self:   p,
	}
}

// partOf is a part with the totals of a scope. Its as-of day is not after the window, since a book may
// have charges before.
func partOf(s engine.Scope, days iter.Seq[engine.Total]) []byte {
	h := record.Header{Schema: record.SchemaForecast, AsOf: s.AsOf, From: s.Window.First(), Until: s.Window.Last(), By: engine.ByDay, Policy: s.Policy}
	if h.From.Before(h.AsOf) && !h.From.IsZero() {
		h.AsOf = h.From
	}
	asked := record.PartAsked{Explain: s.Explain}
	if s.Draws {
		asked.Quantiles = []amount.Percent{{}}
	}
	var out bytes.Buffer
	w := record.NewPartWriter(&out, h, asked)
	_ = w.Days(days)
	_ = w.Close(record.PartEnd{})
	return out.Bytes()
}

func bookTotals(by engine.By, totals iter.Seq[engine.Total]) (list []BookTotal) {
	for t := range totals {
		list = append(list, BookTotal{by.Value(t.Period), t.Currency, TotalFrom(t.Tally.Total), TotalFrom(t.CardExpired), TotalFrom(t.Declined), drawsOf(t.Tally.Total)})
	}
	return list
}

// drawsOf are those that the JSON of a total has.
func drawsOf(t amount.Total) []Draws {
	var v struct {
		Draws []Draws `json:"draws"`
	}
	text, err := json.Marshal(t)
	if err == nil {
		err = json.Unmarshal(text, &v)
	}
	if err != nil {
		panic(err)
	}
	return v.Draws
}

// String is the total in one line.
func (b BookTotal) String() string {
	text := fmt.Sprintf("%s %s %v", b.Value, b.Currency, b.Approved)
	if b.Expired.Charges > 0 || b.Declined.Charges > 0 || len(b.Draws) > 0 {
		text += fmt.Sprintf(", expired %v, declined %v, draws %v", b.Expired, b.Declined, b.Draws)
	}
	return text + "\n"
}
