// Package jsonline reads one JSON object a line into values. Every error is a [ledger.Finding] with
// the code, the column and the member, and never shows what the line says.
package jsonline

import (
	"errors"

	"github.com/chargecast/chargecast/internal/jsontext"
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
	jsontext.Syntax: CodeSyntax, jsontext.Duplicate: CodeDuplicate, jsontext.UTF8: CodeUTF8, jsontext.NUL: CodeNUL,
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
func Parse(line []byte) ([]Field, error) {
	v, err := jsontext.Parse(line)
	if e, ok := errors.AsType[*jsontext.Error](err); ok {
		return nil, Fault(codes[e.Problem], e.At+1, e.Message, e.Help)
	}
	if v.Kind != KindObject {
		return nil, Fault(CodeType, v.At+1, "the line is not a JSON object", "write { … }")
	}
	return v.Fields, nil
}
