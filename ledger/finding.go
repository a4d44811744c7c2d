package ledger

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/chargecast/chargecast/internal/enum"
	"github.com/chargecast/chargecast/internal/strictjson"
)

// A Code names a rule that an input can break: kebab-case, stable, such as "amount-order". Each
// package lists its own. A Code is an error value, so that errors.Is finds it in a [Finding]. The
// zero value is none.
type Code string

// Error returns the code itself.
func (c Code) Error() string { return string(c) }

// A Severity says what a finding does to the input. The zero value is none; in options it means
// the default of the rule.
type Severity uint8

// The severities, from the mildest to the worst.
const (
	SeverityOff     Severity = iota + 1 // not reported
	SeverityWarning                     // reported; the input can be used
	SeverityError                       // reported; the input cannot be used
)

var severityWords = enum.Words{Type: "Severity", Words: []string{"", "off", "warning", "error"}}

// String returns "off", "warning" or "error", the empty string for the zero Severity, and a text
// such as "Severity(9)" for a value that is none of these.
func (s Severity) String() string { return severityWords.String(uint8(s)) }

// MarshalText returns the word of [Severity.String]; a value without a word is an error.
func (s Severity) MarshalText() ([]byte, error) { return severityWords.Marshal(uint8(s)) }

// UnmarshalText reads what [Severity.MarshalText] writes. On an error s is unchanged.
func (s *Severity) UnmarshalText(text []byte) error {
	return severityWords.Unmarshal(text, (*uint8)(s))
}

// A SubjectKind says what the Subject of a [Finding] names. The zero value is nothing.
type SubjectKind uint8

// What a finding can be about.
const (
	SubjectColumn    SubjectKind = iota + 1 // a column of the payload
	SubjectParameter                        // a parameter of a request
	SubjectField                            // a member of a JSON record
)

var subjectWords = enum.Words{Type: "SubjectKind", Words: []string{"", "column", "parameter", "field"}}

// String returns "column", "parameter" or "field", which are also the names of the member in the
// JSON record; the empty string for the zero SubjectKind, and a text such as "SubjectKind(9)" for
// a value that is none of these.
func (k SubjectKind) String() string { return subjectWords.String(uint8(k)) }

// MarshalText returns the word of [SubjectKind.String]; a value without a word is an error.
func (k SubjectKind) MarshalText() ([]byte, error) { return subjectWords.Marshal(uint8(k)) }

// UnmarshalText reads what [SubjectKind.MarshalText] writes. On an error k is unchanged.
func (k *SubjectKind) UnmarshalText(text []byte) error {
	return subjectWords.Unmarshal(text, (*uint8)(k))
}

// A Place says where a finding is. Zero fields are not known or do not apply.
type Place struct {
	File    string // the name of the input
	Profile string // the client-orderid, where it may be shown
	Row     int    // the data row, from 1
	Line    int    // from 1
	Col     int    // in bytes from 1
	Offset  int64  // in bytes from 0; valid if Line or Offset is above 0
	Wire    bool   // line, column and offset are of the text as it was sent, not of the CSV in it
}

// A Finding is one thing that is wrong, or remarkable, about an input. All packages share it. It
// never holds a value of the input, so that it can be logged anywhere. It is a comparable value and
// an error, which unwraps to its Code.
type Finding struct {
	Code     Code
	Severity Severity
	Basis    Basis   // how firm the rule is
	Clause   Clause  // the clause or ledger entry that the rule comes from
	Because  Because // all that the finding depends on, where that is more than Clause
	Place    Place
	Kind     SubjectKind
	Subject  string // the name of a column, parameter or field; never its value
	Message  string // what is wrong
	Help     string // what to do; may be empty
	Hint     Code   // what a program can do about it: the code of a repair (rules.Repairs), csv for a CSV in place of JSON, the word of an unknown outcome; may be empty
}

// Error returns one line: place, subject, message, help, code and clause.
func (f Finding) Error() string {
	b := f.Place.appendText(make([]byte, 0, 160))
	if f.Subject != "" {
		b = append(append(b, f.Subject...), ": "...)
	}
	b = append(b, f.Message...)
	if f.Help != "" {
		b = append(append(b, ": "...), f.Help...)
	}
	b = append(append(b, " ["...), f.Code...)
	if f.Clause != 0 {
		b = append(append(b, ", "...), f.Clause.String()...)
	}
	return string(append(b, ']'))
}

// appendText appends "FILE:LINE:COL: " as far as these are known.
func (p Place) appendText(b []byte) []byte {
	if p.File == "" && p.Line == 0 {
		return b
	}
	b = append(b, p.File...)
	if p.Line > 0 {
		if p.File != "" {
			b = append(b, ':')
		}
		b = strconv.AppendInt(b, int64(p.Line), 10)
		b = strconv.AppendInt(append(b, ':'), int64(p.Col), 10)
	}
	return append(b, ": "...)
}

// Unwrap returns the Code.
func (f Finding) Unwrap() error { return f.Code }

// A findingJSON is a Finding as it is written: the record of type "problem".
type findingJSON struct {
	Type      string   `json:"type" strict:"required"`
	Code      Code     `json:"code" strict:"required"`
	Severity  Severity `json:"severity,omitzero" strict:"null"`
	Basis     Basis    `json:"basis,omitzero" strict:"null"`
	Clause    Clause   `json:"clause,omitzero" strict:"null"`
	Because   Because  `json:"because,omitzero"`
	File      string   `json:"file,omitzero"`
	Profile   string   `json:"profile,omitzero"`
	Row       int      `json:"row,omitzero" strict:"count"`
	Line      int      `json:"line,omitzero" strict:"count"`
	Col       int      `json:"col,omitzero" strict:"count"`
	Offset    *uint64  `json:"offset,omitzero" strict:"count"`
	Wire      bool     `json:"wire,omitzero"`
	Column    *string  `json:"column,omitzero"`
	Parameter *string  `json:"parameter,omitzero"`
	Field     *string  `json:"field,omitzero"`
	Message   string   `json:"message" strict:"required"`
	Help      string   `json:"help,omitzero"`
}

// subjects are the members for what a finding is about, by kind.
func (f *findingJSON) subjects() [subjectKinds]**string {
	return [...]**string{SubjectColumn: &f.Column, SubjectParameter: &f.Parameter, SubjectField: &f.Field}
}

const subjectKinds = SubjectField + 1

// findingForm ignores members that it does not know, since records may gain members.
var findingForm = func() *strictjson.Form[findingJSON] {
	f := strictjson.FormOf[findingJSON]()
	f.Lenient = true
	return f
}()

// AppendJSON appends the finding as the record of type "problem". Members without a value are left
// out; the subject is the member "column", "parameter" or "field".
func (f Finding) AppendJSON(dst []byte) []byte {
	p := &f.Place
	out := findingJSON{
		Type: "problem", Code: f.Code, Severity: f.Severity, Basis: f.Basis, Clause: f.Clause, Because: f.Because,
		File: p.File, Profile: p.Profile, Row: p.Row, Line: p.Line, Col: p.Col, Wire: p.Wire, Message: f.Message, Help: f.Help,
	}
	if p.Line > 0 || p.Offset > 0 {
		out.Offset = new(uint64(p.Offset))
	}
	if 0 < f.Kind && f.Kind < subjectKinds {
		*out.subjects()[f.Kind] = &f.Subject
	}
	return findingForm.Append(dst, &out)
}

// MarshalJSON returns what [Finding.AppendJSON] appends. A basis, severity, clause or kind out of
// range, a Subject without a Kind, a negative number, and text that is not UTF-8 or has a NUL
// character are errors.
func (f Finding) MarshalJSON() ([]byte, error) {
	if !severityWords.Has(uint8(f.Severity)) || !basisWords.Has(uint8(f.Basis)) || int(f.Clause) >= clauseCount || !subjectWords.Has(uint8(f.Kind)) {
		return nil, enum.ErrUnnamed
	}
	if f.Kind == 0 && f.Subject != "" || f.Place.Row < 0 || f.Place.Line < 0 || f.Place.Col < 0 || f.Place.Offset < 0 {
		return nil, errNotCarried
	}
	for _, text := range [...]string{string(f.Code), f.Place.File, f.Place.Profile, f.Subject, f.Message, f.Help} {
		if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
			return nil, errNotCarried
		}
	}
	return f.AppendJSON(nil), nil
}

var errNotCarried = errors.New("ledger: a finding with a subject but no kind, a negative number, or text that is not UTF-8 or has a NUL character has no JSON form")

// UnmarshalJSON reads a record of type "problem". Names are exact, and each is there at most once; code
// and message are required; numbers are whole and not negative. Members that it does not know are
// ignored, since records may gain members. On an error, which is a Finding with the column and the
// member, f is unchanged.
func (f *Finding) UnmarshalJSON(data []byte) error {
	var in findingJSON
	if err := findingForm.Read(data, &in); err != nil {
		e, _ := errors.AsType[*strictjson.Error](err)
		return notRead(e.At, e.Field, e.Message, e.Help)
	}
	read := Finding{
		Code: in.Code, Severity: in.Severity, Basis: in.Basis, Clause: in.Clause, Because: in.Because, Message: in.Message, Help: in.Help,
		Place: Place{File: in.File, Profile: in.Profile, Row: in.Row, Line: in.Line, Col: in.Col, Wire: in.Wire},
	}
	if in.Type != "problem" {
		return notRead(0, "type", "the record is not a problem", "use the record as it was written")
	}
	if in.Offset != nil {
		read.Place.Offset = int64(*in.Offset)
	}
	for kind, subject := range in.subjects() {
		if subject == nil || *subject == nil {
			continue
		}
		if read.Kind != 0 {
			return notRead(0, SubjectKind(kind).String(), "a problem has only one of column, parameter and field", "use the record as it was written")
		}
		read.Kind, read.Subject = SubjectKind(kind), **subject
	}
	*f = read
	return nil
}

// notRead is the error of a record that is not of type problem.
func notRead(at int, member, message, help string) error {
	f := Finding{Code: "record-member", Severity: SeverityError, Place: Place{Col: at + 1}, Message: message, Help: help}
	if member != "" {
		f.Kind, f.Subject = SubjectField, member
	}
	return f
}
