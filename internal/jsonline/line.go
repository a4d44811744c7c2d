// Package jsonline reads one JSON object a line into values. Every error is a [ledger.Finding] with
// the code, the column and the member, and never shows what the line says.
package jsonline

import (
	"cmp"
	"errors"
	"reflect"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/enum"
	"github.com/chargecast/chargecast/internal/strictjson"
	"github.com/chargecast/chargecast/ledger"
)

// The codes of lines that are not in the expected form.
const (
	CodeSyntax    ledger.Code = "json-syntax"
	CodeType      ledger.Code = "json-type"
	CodeUnknown   ledger.Code = "json-unknown-field"
	CodeDuplicate ledger.Code = "json-duplicate-field"
	CodeUTF8      ledger.Code = "invalid-utf8"
	CodeNUL       ledger.Code = "nul-character"
)

var codes = [...]ledger.Code{
	strictjson.Syntax: CodeSyntax, strictjson.Duplicate: CodeDuplicate, strictjson.UTF8: CodeUTF8, strictjson.NUL: CodeNUL,
	strictjson.Type: CodeType, strictjson.Unknown: CodeUnknown, strictjson.Missing: CodeType, strictjson.Range: CodeType, strictjson.Refused: CodeType,
}

// Fault returns the finding of an error at a column from 1.
func Fault(code ledger.Code, col int, message, help string) error {
	return ledger.Finding{
		Code: code, Severity: ledger.SeverityError, Place: ledger.Place{Col: col}, Message: message, Help: help,
	}
}

// In returns a finding with the name of the field that it is about; one that has a subject already,
// and any other error, as it is.
func In(err error, name string) error {
	if f, ok := errors.AsType[ledger.Finding](err); ok && f.Kind == 0 {
		f.Kind, f.Subject = ledger.SubjectField, name
		return f
	}
	return err
}

// Parse reads a line that is exactly one JSON object.
func Parse(line []byte) (strictjson.Value, error) {
	v, err := strictjson.Parse(line)
	if e, ok := errors.AsType[*strictjson.Error](err); ok {
		return v, findingOf(e)
	}
	if v.Kind != strictjson.KindObject {
		return v, Fault(CodeType, v.At+1, "the line is not a JSON object", "write { … }")
	}
	return v, nil
}

// Read reads a line that is exactly one JSON object into *to by the form of its type.
func Read[T any](f *strictjson.Form[T], line []byte, to *T) error {
	err := f.Read(line, to)
	if e, ok := errors.AsType[*strictjson.Error](err); ok {
		return findingOf(e)
	}
	return err
}

// findingOf returns an error of a form as a finding.
func findingOf(e *strictjson.Error) error {
	f := ledger.Finding{
		Code: cmp.Or(ledger.Code(e.Code), codes[e.Problem]), Severity: ledger.SeverityError, Place: ledger.Place{Col: e.At + 1}, Message: e.Message, Help: e.Help, Hint: ledger.Code(e.Hint),
	}
	switch {
	case e.Problem == strictjson.Refused:
		explain(&f, e)
	case e.Problem == strictjson.Type && e.Of == reflect.TypeFor[calendar.Date]():
		f.Help = "write a date in double quotes: YYYY-MM-DD"
	}
	if e.Field != "" && f.Kind == 0 {
		f.Kind, f.Subject = ledger.SubjectField, e.Field
	}
	return f
}

// explain takes message and help from the error of the value's own reader, and the code where it has one.
func explain(f *ledger.Finding, e *strictjson.Error) {
	var unknown *enum.Unknown
	var inner ledger.Finding
	switch {
	case errors.As(e.Err, &inner):
		inner.Place.Col += e.At
		*f = inner
	case errors.As(e.Err, &unknown):
		f.Message, f.Help = "unknown value", strictjson.Use(e.Text, unknown.Possible)
	case errors.Is(e.Err, calendar.ErrNotADay):
		f.Code, f.Message, f.Help = "date-not-a-day", "no such day", "check month and day"
	case e.Of == reflect.TypeFor[calendar.Date]():
		f.Code, f.Message, f.Help = "date-syntax", "the date is not in ISO form", "write YYYY-MM-DD"
	case e.Of == reflect.TypeFor[ledger.Clause](), e.Of == reflect.TypeFor[ledger.Because]():
		f.Message, f.Help = "the ledger has no entry with this id", "write ids such as 2.2.6, L01 or X7"
	case f.Code == codeAmount:
		f.Message, f.Help = "the amount cannot be read", "write digits, with decimals after a point"
	}
}

const codeAmount ledger.Code = "amount-syntax"
