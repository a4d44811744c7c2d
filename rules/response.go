package rules

import (
	"bytes"
	"strconv"

	"github.com/chargecast/chargecast/internal/enum"
	"github.com/chargecast/chargecast/internal/form"
)

// A ResponseType is the type of a response record (2.3). The zero value is none.
type ResponseType uint8

// The types of clause 2.3.
const (
	ResponseTypeCreate          ResponseType = iota + 1 // create-recurring-payment-response
	ResponseTypeValidationError                         // validation-error
	ResponseTypeError                                   // error
)

var responseTypes = enum.Words{
	Type: "ResponseType", Words: []string{"", "create-recurring-payment-response", "validation-error", "error"},
}

// String returns the document's word; the empty string for none, and a text such as
// "ResponseType(7)" for a value that is none of the types.
func (t ResponseType) String() string { return responseTypes.String(uint8(t)) }

// MarshalText returns the document's word; a value that is none of the types is an error.
func (t ResponseType) MarshalText() ([]byte, error) { return responseTypes.Marshal(uint8(t)) }

// UnmarshalText reads what MarshalText writes. On an error t is unchanged.
func (t *ResponseType) UnmarshalText(text []byte) error {
	return responseTypes.Unmarshal(text, (*uint8)(t))
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

// A Response is the answer to a request (2.3, 4.1). All texts are opaque and kept as
// they are; empty where the answer does not have them.
type Response struct {
	Outcome            Outcome
	Type               ResponseType // none for an empty body (X1)
	RecurringPaymentID string
	Status             string
	SerialNumber       string
	ErrorMessage       string
	ErrorCode          string
	Extra              []Parameter // parameters of other names, in order
}

// A Parameter is a name and a value of a response record.
type Parameter struct{ Name, Value string }

// ParseResponse reads the answer to a request. With an empty body the HTTP status alone
// decides: 200 accepted, 403 rejected, the id unknown (X1). Otherwise the outcome comes
// from the type, never from status or error-code (X2). A record is name=value, joined by
// & or LF, percent-encoded, with one LF after each value left out (L70); names that the
// document does not have are kept. The error is a [*ResponseError]; what was read up to
// then is in the Response, whose Outcome is not Accepted.
func ParseResponse(httpStatus int, body []byte) (Response, error) {
	var r Response
	if len(body) == 0 {
		switch httpStatus {
		case 200:
			r.Outcome = OutcomeAccepted
		case 403:
			r.Outcome = OutcomeRejected
		default:
			return r, &ResponseError{Fault: ErrResponseEmpty}
		}
		return r, nil
	}
	var places fieldPlaces
	for at := 0; at < len(body); {
		size, next := pairAt(body[at:])
		if fault := r.pair(body[at:at+size], at, &places); fault != 0 {
			return r, &ResponseError{Offset: at, Fault: fault}
		}
		at += next
	}
	return r, r.judge(&places)
}

// responseNames are the document's parameters in its order; r.field has their places.
var responseNames = [...]string{"type", "recurring-payment-id", "status", "serial-number", "error-message", "error-code"}

const (
	fieldType    = 0
	fieldMessage = 4
	fieldCode    = 5
)

// fieldPlaces are the bytes at which the document's parameters begin, from 1; 0 for those
// that are not there.
type fieldPlaces [len(responseNames)]int

// of is the place of parameter i from 0; the beginning where it is not there.
func (p *fieldPlaces) of(i int) int { return max(0, p[i]-1) }

// field is the place of text parameter i, from 1.
func (r *Response) field(i int) *string {
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

// pair takes one name=value, which begins at byte at. The result is 0 if nothing is wrong with it.
func (r *Response) pair(b []byte, at int, places *fieldPlaces) ResponseFault {
	rawName, rawValue, ok := bytes.Cut(b, []byte{'='})
	if !ok || len(rawName) == 0 {
		return ErrResponseSyntax
	}
	name, ok1 := formText(rawName)
	value, ok2 := formText(rawValue)
	if !ok1 || !ok2 {
		return ErrResponseSyntax
	}
	for i, known := range responseNames {
		if name != known {
			continue
		}
		if places[i] > 0 {
			return ErrResponseTwice
		}
		places[i] = at + 1
		if i != fieldType {
			*r.field(i) = value
			return 0
		}
		for t := ResponseTypeCreate; t <= ResponseTypeError; t++ {
			if t.String() == value {
				r.Type = t
			}
		}
		return 0
	}
	r.Extra = append(r.Extra, Parameter{name, value})
	return 0
}

// formText decodes percent escapes, and + as a space. There is no & in raw.
func formText(raw []byte) (string, bool) {
	text := make([]byte, 0, len(raw))
	for len(raw) > 0 {
		c, size, kind := form.Next(raw)
		if kind != form.Char && kind != form.Space {
			return "", false
		}
		text, raw = append(text, c), raw[size:]
	}
	return string(text), true
}

// judge finds the outcome.
func (r *Response) judge(places *fieldPlaces) error {
	message, code := places[fieldMessage] > 0, places[fieldCode] > 0
	switch r.Type {
	case ResponseTypeCreate:
		switch {
		case message:
			return &ResponseError{places.of(fieldMessage), ErrResponseFields}
		case code:
			return &ResponseError{places.of(fieldCode), ErrResponseFields}
		}
		r.Outcome = OutcomeAccepted
	case ResponseTypeValidationError, ResponseTypeError:
		r.Outcome = OutcomeRejected
		if !message || !code {
			return &ResponseError{places.of(fieldType), ErrResponseFields}
		}
	default:
		return &ResponseError{places.of(fieldType), ErrResponseType}
	}
	return nil
}

// MarshalText returns what [Response.AppendText] appends; the error is always nil.
func (r Response) MarshalText() ([]byte, error) { return r.AppendText(nil) }

// UnmarshalText reads a record as [ParseResponse] does, with the HTTP status 200. On an error r is
// unchanged.
func (r *Response) UnmarshalText(text []byte) error {
	read, err := ParseResponse(200, text)
	if err == nil {
		*r = read
	}
	return err
}

// AppendText appends the record as [ParseResponse] reads it: the document's parameters
// in its order, then the others, each value with LF after it, joined by &. Parameters
// without a value are left out, but the error fields of an error are always there. The
// error is always nil.
func (r Response) AppendText(dst []byte) ([]byte, error) {
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
		add(responseNames[0], r.Type.String())
	}
	failed := r.Type == ResponseTypeValidationError || r.Type == ResponseTypeError
	for i := 1; i < len(responseNames); i++ {
		if v := *r.field(i); v != "" || failed && i >= fieldMessage {
			add(responseNames[i], v)
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
		case 'a' <= c|0x20 && c|0x20 <= 'z', isDigit(c), c == '-', c == '.', c == '_', c == '~':
			dst = append(dst, c)
		default:
			dst = append(dst, '%', hex[c>>4], hex[c&15])
		}
	}
	return dst
}

// A ResponseFault is a rule of the answer that a response breaks: an error value for errors.Is. The
// zero value is none.
type ResponseFault uint8

// What can be wrong with a response.
const (
	ErrResponseSyntax ResponseFault = iota + 1 // it is not written name=value
	ErrResponseType                            // its type is not one of the three of clause 2.3
	ErrResponseTwice                           // it has a parameter twice
	ErrResponseFields                          // error-message and error-code are not those of its type
	ErrResponseEmpty                           // it is empty, and the status is neither 200 nor 403
)

var responseFaults = enum.Words{Type: "ResponseFault", Words: []string{
	"no fault",
	"the response is not written name=value",
	"the type of the response is not one of the three of clause 2.3, so it does not count as a success",
	"the response has a parameter twice",
	"error-message and error-code belong to the types validation-error and error, both of them and to no other",
	"the response is empty and its status is neither 200 nor 403",
}}

// Error returns what is wrong in words, and a text such as "ResponseFault(9)" for a value without a name.
func (f ResponseFault) Error() string { return responseFaults.String(uint8(f)) }

// A ResponseError is a fault of a response with its place. It shows nothing of the response.
type ResponseError struct {
	Offset int // of the parameter, in bytes from 0; of the type where a parameter is missing
	Fault  ResponseFault
}

// Error returns the fault and the place.
func (e *ResponseError) Error() string {
	return e.Fault.Error() + " (at byte " + strconv.Itoa(e.Offset) + ")"
}

// Unwrap returns the fault.
func (e *ResponseError) Unwrap() error { return e.Fault }
