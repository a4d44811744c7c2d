package rules

import (
	"strconv"

	"github.com/chargecast/chargecast/internal/enum"
)

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
