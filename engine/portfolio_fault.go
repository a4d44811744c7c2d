package engine

import (
	"strconv"

	"github.com/chargecast/chargecast/internal/enum"
)

// A PortfolioFault is what can be wrong with a part that is given to a [Portfolio]: an error value
// for errors.Is. The zero value is none.
type PortfolioFault uint8

// What a portfolio can refuse.
const (
	ErrPortfolioScope   PortfolioFault = iota + 1 // the parts differ in their Scope
	ErrPortfolioPart                              // what is to be taken out was never added
	ErrPortfolioFull                              // there would be 2^64 charges or more
	ErrPortfolioCharge                            // a charge whose amounts are no range of the currency
	ErrPortfolioForm                              // not the binary form of a portfolio, or damaged
	ErrPortfolioVersion                           // the binary form of another version
)

var portfolioFaults = enum.Words{Type: "PortfolioFault", Words: []string{
	"no fault",
	"the portfolios answer different questions: make both with the same scope",
	"the portfolio does not contain the part: only what was added can be taken out",
	"the portfolio would count 2^64 charges or more: keep two portfolios",
	"the amounts of the charge are not a range: give the lower one first, and fewer values",
	"not the binary form of a portfolio, or damaged: make the part again",
	"the binary form of another version: make the part again with this one",
}}

// Error says what is wrong and what to do.
func (f PortfolioFault) Error() string { return portfolioFaults.String(uint8(f)) }

// A PortfolioError says where the fault is.
type PortfolioError struct {
	Fault PortfolioFault
	// Field is what differs, for ErrPortfolioScope: "as-of", "window", a key of the policy or
	// "draws".
	Field string
	// Offset is the byte at which the binary form is wrong, for ErrPortfolioForm.
	Offset int
}

// Error names field or offset, rule and remedy.
func (e *PortfolioError) Error() string {
	switch {
	case e.Field != "":
		return e.Field + ": " + e.Fault.Error()
	case e.Fault == ErrPortfolioForm:
		return "byte " + strconv.Itoa(e.Offset) + ": " + e.Fault.Error()
	}
	return e.Fault.Error()
}

// Unwrap returns the PortfolioFault.
func (e *PortfolioError) Unwrap() error { return e.Fault }

func (f PortfolioFault) refuse() error { return &PortfolioError{Fault: f} }
