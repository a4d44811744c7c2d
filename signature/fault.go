package signature

import (
	"strings"

	"github.com/chargecast/chargecast/ledger"
)

// The inputs that a finding can be about. They are the File of its place.
const (
	partURL     = "URL"
	partBody    = "body"
	partHeader  = "Authorization"
	partKey     = "key"
	partRequest = "request"
	partMethod  = "method"
	partSecret  = "secret"
	partOptions = "options"
	partText    = "text"
)

// A fault is a finding that ends the work. It is a type of its own, without methods that make it
// an error, so that a nil one never becomes an error that is not nil.
type fault ledger.Finding

// err returns the fault as an error, and nil for none.
func (f *fault) err() error {
	if f == nil {
		return nil
	}
	return ledger.Finding(*f)
}

// found returns the finding of a code; a message or help replaces that of the rule unless empty.
func found(code ledger.Code, part, message, help string) ledger.Finding {
	f := table.Finding(code, message, help)
	f.Place.File = part
	return f
}

// about makes a finding name the parameter that it is about.
func about(f ledger.Finding, parameter string) ledger.Finding {
	f.Kind, f.Subject = ledger.SubjectParameter, parameter
	return f
}

// newFault returns a fault without a place in its part.
func newFault(code ledger.Code, part, message, help string) *fault {
	f := fault(found(code, part, message, help))
	return &f
}

// faultAt returns a fault at a byte of its part. [fault.locate] makes line and column of it.
func faultAt(code ledger.Code, part string, offset int, message, help string) *fault {
	f := newFault(code, part, message, help)
	f.Place.Line, f.Place.Offset = 1, int64(offset)
	return f
}

// locate sets line and column of a fault from the text of its part.
func (f *fault) locate(text string) *fault {
	if f == nil || f.Place.Line == 0 {
		return f
	}
	at := min(int(f.Place.Offset), len(text))
	f.Place.Line = 1 + strings.Count(text[:at], "\n")
	f.Place.Col = at - strings.LastIndexByte(text[:at], '\n')
	return f
}
