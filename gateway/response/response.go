// Package response reads and writes the answer of the gateway to a request (2.3, 4.1): what a
// client asks of it, and what the gateway of this module sends. It knows no HTTP: the status is a
// number and the body is bytes.
package response

import (
	"bytes"

	"github.com/chargecast/chargecast/internal/enum"
	"github.com/chargecast/chargecast/internal/fault"
	"github.com/chargecast/chargecast/internal/form"
)

// A Type is the type of a record (2.3). The zero value is none.
type Type uint8

// The types of clause 2.3.
const (
	TypeCreate          Type = iota + 1 // create-recurring-payment-response
	TypeValidationError                 // validation-error
	TypeError                           // error
)

var types = enum.Words{
	Type: "Type", Words: []string{"", "create-recurring-payment-response", "validation-error", "error"},
}

// String returns the document's word; the empty string for none, and a text such as
// "Type(7)" for a value that is none of the types.
func (t Type) String() string { return types.String(uint8(t)) }

// MarshalText returns the document's word; a value that is none of the types is an error.
func (t Type) MarshalText() ([]byte, error) { return types.Marshal(uint8(t)) }

// UnmarshalText reads what MarshalText writes. On an error t is unchanged.
func (t *Type) UnmarshalText(text []byte) error {
	return types.Unmarshal(text, (*uint8)(t))
}

// An Outcome is what a response says about the request. The zero value is unknown.
type Outcome uint8

// The outcomes of clause 7.
const (
	OutcomeAccepted Outcome = iota + 1 // one profile per row was created
	OutcomeRejected                    // nothing was created
)

var outcomes = enum.Words{Type: "Outcome", Words: []string{"unknown", "accepted", "rejected"}}

// String returns "unknown", "accepted" or "rejected", and a text such as "Outcome(7)" for a value
// that is none of these.
func (o Outcome) String() string { return outcomes.String(uint8(o)) }

// MarshalText returns the word; a value that is none of these is an error.
func (o Outcome) MarshalText() ([]byte, error) { return outcomes.Marshal(uint8(o)) }

// UnmarshalText reads what MarshalText writes. On an error o is unchanged.
func (o *Outcome) UnmarshalText(text []byte) error { return outcomes.Unmarshal(text, (*uint8)(o)) }

// A Record is the answer to a request. All texts are opaque and kept as
// they are; empty where the answer does not have them.
type Record struct {
	Outcome            Outcome
	Type               Type // none for an empty body (X1)
	RecurringPaymentID string
	Status             string
	SerialNumber       string
	ErrorMessage       string
	ErrorCode          string
	Extra              []Parameter // parameters of other names, in order
}

// A Parameter is a name and a value of a response record.
type Parameter struct{ Name, Value string }

// Parse reads the answer to a request. With an empty body the HTTP status alone
// decides: 200 accepted, 403 rejected, the id unknown (X1). Otherwise the outcome comes
// from the type, never from status or error-code (X2). A record is name=value, joined by
// & or LF, percent-encoded, with one LF after each value left out (L70); names that the
// document does not have are kept. The error is a [*Error]; what was read up to
// then is in the Record, whose Outcome is not Accepted.
func Parse(httpStatus int, body []byte) (Record, error) {
	var r Record
	if len(body) == 0 {
		switch httpStatus {
		case 200:
			r.Outcome = OutcomeAccepted
		case 403:
			r.Outcome = OutcomeRejected
		default:
			return r, &Error{Fault: ErrEmpty, Offset: -1}
		}
		return r, nil
	}
	var places fieldPlaces
	for at := 0; at < len(body); {
		size, next := pairAt(body[at:])
		if broken := r.pair(body[at:at+size], at, &places); broken != "" {
			return r, &Error{Fault: broken, Offset: at}
		}
		at += next
	}
	return r, r.judge(&places)
}

// names are the document's parameters in its order; r.field has their places.
var names = [...]string{"type", "recurring-payment-id", "status", "serial-number", "error-message", "error-code"}

const (
	fieldType    = 0
	fieldMessage = 4
	fieldCode    = 5
)

// fieldPlaces are the bytes at which the document's parameters begin, from 1; 0 for those
// that are not there.
type fieldPlaces [len(names)]int

// of is the place of parameter i from 0; the beginning where it is not there.
func (p *fieldPlaces) of(i int) int { return max(0, p[i]-1) }

// field is the place of text parameter i, from 1.
func (r *Record) field(i int) *string {
	return [...]*string{nil, &r.RecurringPaymentID, &r.Status, &r.SerialNumber, &r.ErrorMessage, &r.ErrorCode}[i]
}

// pairAt is the size of the pair at the beginning of b, and where the next one begins.
// A pair ends at & or at LF; a LF before & is the one that is left out, and one that no
// name=value follows belongs to the value.
func pairAt(b []byte) (size, next int) {
	for i, c := range b {
		switch {
		case c == '&':
			return i, i + 1
		case c != '\n':
		case i+1 == len(b):
			return i, i + 1
		case b[i+1] == '&':
			return i, i + 2
		case startsPair(b[i+1:]):
			return i, i + 1
		}
	}
	return len(b), len(b)
}

// startsPair reports whether b begins with a name and =.
func startsPair(b []byte) bool {
	i := bytes.IndexAny(b, "=&\n")
	return i > 0 && b[i] == '='
}

// pair takes one name=value, which begins at byte at. The result is empty if nothing is wrong with
// it.
func (r *Record) pair(b []byte, at int, places *fieldPlaces) Fault {
	rawName, rawValue, ok := bytes.Cut(b, []byte{'='})
	if !ok || len(rawName) == 0 {
		return ErrSyntax
	}
	name, badName := form.Decode(string(rawName), true)
	value, badValue := form.Decode(string(rawValue), true)
	if badName >= 0 || badValue >= 0 {
		return ErrSyntax
	}
	for i, known := range names {
		if name != known {
			continue
		}
		if places[i] > 0 {
			return ErrTwice
		}
		places[i] = at + 1
		if i != fieldType {
			*r.field(i) = value
			return ""
		}
		for t := TypeCreate; t <= TypeError; t++ {
			if t.String() == value {
				r.Type = t
			}
		}
		return ""
	}
	r.Extra = append(r.Extra, Parameter{name, value})
	return ""
}

// judge finds the outcome.
func (r *Record) judge(places *fieldPlaces) error {
	message, code := places[fieldMessage] > 0, places[fieldCode] > 0
	switch r.Type {
	case TypeCreate:
		switch {
		case message:
			return &Error{Fault: ErrFields, Offset: places.of(fieldMessage)}
		case code:
			return &Error{Fault: ErrFields, Offset: places.of(fieldCode)}
		}
		r.Outcome = OutcomeAccepted
	case TypeValidationError, TypeError:
		r.Outcome = OutcomeRejected
		if !message || !code {
			return &Error{Fault: ErrFields, Offset: places.of(fieldType)}
		}
	default:
		return &Error{Fault: ErrType, Offset: places.of(fieldType)}
	}
	return nil
}

// MarshalText returns what [Record.AppendText] appends; the error is always nil.
func (r Record) MarshalText() ([]byte, error) { return r.AppendText(nil) }

// UnmarshalText reads a record as [Parse] does, with the HTTP status 200. On an error r is
// unchanged.
func (r *Record) UnmarshalText(text []byte) error {
	read, err := Parse(200, text)
	if err == nil {
		*r = read
	}
	return err
}

// AppendText appends the record as [Parse] reads it: the document's parameters
// in its order, then the others, each value with LF after it, joined by &. Parameters
// without a value are left out, but the error fields of an error are always there. The
// error is always nil.
func (r Record) AppendText(dst []byte) ([]byte, error) {
	begin := len(dst)
	add := func(name, value string) {
		if len(dst) > begin {
			dst = append(dst, '&')
		}
		dst = appendFormText(dst, name)
		dst = append(dst, '=')
		dst = appendFormText(dst, value)
		dst = append(dst, '\n')
	}
	if r.Type != 0 {
		add(names[0], r.Type.String())
	}
	failed := r.Type == TypeValidationError || r.Type == TypeError
	for i := 1; i < len(names); i++ {
		if v := *r.field(i); v != "" || failed && i >= fieldMessage {
			add(names[i], v)
		}
	}
	for _, p := range r.Extra {
		add(p.Name, p.Value)
	}
	return dst, nil
}

// appendFormText appends s with every byte escaped that is not unreserved.
func appendFormText(dst []byte, s string) []byte {
	const hex = "0123456789ABCDEF"
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9', c == '-', c == '.', c == '_', c == '~':
			dst = append(dst, c)
		default:
			dst = append(dst, '%', hex[c>>4], hex[c&15])
		}
	}
	return dst
}

// A Fault is a rule of the answer that a response breaks: a constant error for errors.Is.
type Fault = fault.Fault

// What can be wrong with a response.
const (
	ErrSyntax Fault = "response: not written name=value; percent-encode names and values, and join them by & or a line feed"
	ErrType   Fault = "response: the type is not one of the three of clause 2.3; do not count it as a success"
	ErrTwice  Fault = "response: a parameter is there twice; send each one once"
	ErrFields Fault = "response: error-message and error-code do not fit the type; errors have both of them, other types neither"
	ErrEmpty  Fault = "response: it is empty and the status is neither 200 nor 403; look the profile up before sending it again"
)

// An Error is a fault of a response. It shows nothing of the response. Its fields:
//
//	Fault  Fault  // the rule that is broken
//	Part   string // not used
//	Offset int    // bytes before the parameter; before the type where a parameter is missing
type Error = fault.Error
