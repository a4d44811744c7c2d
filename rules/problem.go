package rules

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/chargecast/chargecast/ledger"
)

// A Problem is one finding about a payload: where it is, which rule speaks, and what to
// do. It never holds a value of the input, so that it can be logged anywhere.
//
// Line, Col and Offset point into the CSV text. Where that arrived as base64 or in a
// form body they still do, except where Wire says that they point into the text as
// it was sent.
type Problem struct {
	Code     Code
	Severity Severity
	Basis    ledger.Basis  // how firmly the rule stands
	Clause   ledger.Clause // the clause or ledger entry that it rests on
	Row      int           // the data row, from 1; 0 where the finding is not about one row
	Line     int           // from 1; 0 where there is no place
	Col      int           // in bytes from 1
	Offset   int64         // in bytes from 0, a byte-order mark included
	Wire     bool          // the place is in the base64 or form text, not in the CSV
	Column   Column        // the column; zero for none or an unknown one
	Message  string        // what is wrong
	Help     string        // what to do; may be empty
}

// Error is one line: place, column, message, remedy, rule.
func (p *Problem) Error() string {
	b := make([]byte, 0, 160)
	if p.Line > 0 {
		b = strconv.AppendInt(b, int64(p.Line), 10)
		b = append(b, ':')
		b = strconv.AppendInt(b, int64(p.Col), 10)
		b = append(b, ": "...)
	}
	if p.Column != 0 {
		b = append(append(b, p.Column.String()...), ": "...)
	}
	b = append(b, p.Message...)
	if p.Help != "" {
		b = append(append(b, ": "...), p.Help...)
	}
	b = append(append(b, " ["...), p.Code.String()...)
	if p.Clause != 0 {
		b = append(append(b, ", "...), p.Clause.String()...)
	}
	return string(append(b, ']'))
}

// Unwrap is the [Code], so that errors.Is(err, rules.DateSyntax) finds it.
func (p *Problem) Unwrap() error { return p.Code }

// Problems are findings in order of place. The zero value is none and ready for use.
type Problems []*Problem

// Sort puts the findings in order of place, then code, then column.
func (ps Problems) Sort() {
	slices.SortStableFunc(ps, func(a, b *Problem) int {
		return cmp.Or(
			cmp.Compare(a.Offset, b.Offset),
			cmp.Compare(a.Code, b.Code),
			cmp.Compare(a.Column, b.Column),
		)
	})
}

// Err is the list as an error when one of the findings is of severity [Error], and a
// plain nil otherwise. errors.Is finds a [Code], errors.As a [*Problem].
func (ps Problems) Err() error {
	if ps.Count(Error) == 0 {
		return nil
	}
	return ps
}

// Count is the number of findings of a severity.
func (ps Problems) Count(s Severity) int {
	n := 0
	for _, p := range ps {
		if p.Severity == s {
			n++
		}
	}
	return n
}

// Has tells whether one of the findings has this code.
func (ps Problems) Has(c Code) bool {
	return slices.ContainsFunc(ps, func(p *Problem) bool { return p.Code == c })
}

// Unreadable tells whether one of the findings of severity [Error] means that the input
// as a whole cannot be read as a payload ([Rule.Unreadable]).
func (ps Problems) Unreadable() bool {
	return slices.ContainsFunc(ps, func(p *Problem) bool { return p.Severity == Error && p.Code.Rule().Unreadable })
}

// Error is the first finding on one line, and how many more there are.
func (ps Problems) Error() string {
	if len(ps) == 0 {
		return "no problems"
	}
	i := max(0, slices.IndexFunc(ps, func(p *Problem) bool { return p.Severity == Error }))
	s := ps[i].Error()
	if n := len(ps) - 1; n > 0 {
		s += " (and " + strconv.Itoa(n) + " more)"
	}
	return s
}

// Unwrap gives every finding.
func (ps Problems) Unwrap() []error {
	errs := make([]error, len(ps))
	for i, p := range ps {
		errs[i] = p
	}
	return errs
}
