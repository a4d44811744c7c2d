package subject

import (
	"fmt"

	"github.com/chargecast/chargecast/engine"
)

// A Book adds up the charges of many profiles. Its functions are fields, so that one of them can be
// replaced.
type Book struct {
	// Add counts the charges of a job's profile, as of the day and under the policy of the scope.
	Add func(Job) error
	// AddCharge counts one charge, by its outcome.
	AddCharge func(currency string, c engine.Charge) error
	// Merge counts what another book counts, and Sub takes it out again.
	Merge, Sub func(Book) error
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
	Draws                       []engine.Draws
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
			return ourBook(p), err
		},
		LoadBook: func(form []byte) (Book, error) {
			p := new(engine.Portfolio)
			err := p.UnmarshalBinary(form)
			return ourBook(p), err
		},
	}
}

func ourBook(p *engine.Portfolio) Book {
	return Book{
		Add:       func(j Job) error { return p.Add(engine.Stored{Profile: j.Profile, State: j.State}) },
		AddCharge: func(currency string, c engine.Charge) error { return p.AddCharge(currency, &c) },
		Merge:     func(o Book) error { return p.Merge(o.Self.(*engine.Portfolio)) },
		Sub:       func(o Book) error { return p.Sub(o.Self.(*engine.Portfolio)) },
		Totals: func(by engine.By) []BookTotal {
			var list []BookTotal
			for t := range p.Totals(by) {
				list = append(list, BookTotal{by.Value(t.Period), t.Currency, TotalFrom(t.Approved), TotalFrom(t.CardExpired), TotalFrom(t.Declined), t.Draws})
			}
			return list
		},
		Save: func() []byte { form, _ := p.MarshalBinary(); return form },
		Self: p,
	}
}

// String is the total in one line.
func (b BookTotal) String() string {
	text := fmt.Sprintf("%s %s %v", b.Value, b.Currency, b.Approved)
	if b.Expired.Charges > 0 || b.Declined.Charges > 0 || len(b.Draws) > 0 {
		text += fmt.Sprintf(", expired %v, declined %v, draws %v", b.Expired, b.Declined, b.Draws)
	}
	return text + "\n"
}
