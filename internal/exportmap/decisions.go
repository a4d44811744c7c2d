// Package exportmap has what a user decides about an export that payload fix turns into a payload,
// what is left to decide, and the map that says both, for the command and for the page in a
// browser.
package exportmap

import (
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/chargecast/chargecast/internal/exportform"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

// Decisions are what a user decided about an export.
type Decisions struct {
	Encoding               string // its name; empty where it is not given
	Forms                  exportform.Forms
	Columns                []Column
	Values                 []Value
	Sets                   []Set
	DropUnknown, DropEmpty bool
}

// A Column maps a name in the header to a column.
type Column struct {
	From   string // where this was said, for messages
	Name   string
	Column rules.Column // zero: it is removed
	Expiry bool         // month and year of expiry in one value
}

// A Value is what takes the place of a value of a column.
type Value struct {
	From   string
	Column rules.Column
	Source string
	Value  rules.Value
}

// A Set is the value of the empty cells of a column.
type Set struct {
	From   string
	Column rules.Column
	Text   string
}

// BothExpiry is the target for a column with month and year of expiry in one value.
const BothExpiry = "expire-month/expire-year"

// ParseValue reads what takes the place of a value of a column; of the period it can be "month*12".
func ParseValue(column rules.Column, target string) (rules.Value, error) {
	unit, times, ok := strings.Cut(target, "*")
	if !ok || column != rules.ColumnPeriod {
		return rules.Value{Text: target}, nil
	}
	n, err := strconv.Atoi(strings.TrimSpace(times))
	if err != nil || n < 1 {
		return rules.Value{}, errors.New("what is after * is how many of the period it is")
	}
	return rules.Value{Text: strings.TrimSpace(unit), Times: n}, nil
}

// Into puts the decisions into a Fixer, but for the encoding.
func (d *Decisions) Into(f *rules.Fixer) {
	f.Forms, f.DropUnknown, f.DropEmpty = d.Forms, d.DropUnknown, d.DropEmpty
	f.Rename, f.Values, f.Set = map[string]rules.Column{}, map[rules.Column]map[string]rules.Value{}, map[rules.Column]string{}
	for _, c := range d.Columns {
		if c.Expiry {
			f.Expiry = append(f.Expiry, c.Name)
			continue
		}
		f.Rename[c.Name] = c.Column
	}
	for _, v := range d.Values {
		if f.Values[v.Column] == nil {
			f.Values[v.Column] = map[string]rules.Value{}
		}
		f.Values[v.Column][v.Source] = v.Value
	}
	for _, s := range d.Sets {
		f.Set[s.Column] = s.Text
	}
}

// A Sum is what was done under one code in one column, or refused.
type Sum struct {
	rules.Change       // the first one
	Count        int   // how many
	Rows         []Row // those of the first, at most MostRows
}

// A Row is one in which something is refused.
type Row struct {
	Number, Line int    // Line as in [rules.Change]
	Profile      string // as in [rules.Change]
}

// MostRows is how many rows of a sum are kept.
const MostRows = 1000

// Sums are the changes of a Fixer, or what it refuses, added up.
type Sums []*Sum

// Add counts a change.
func (s *Sums) Add(c rules.Change) {
	i := slices.IndexFunc(*s, func(o *Sum) bool {
		return o.Code == c.Code && o.Column == c.Column && o.Field == c.Field && o.Refused == c.Refused && (o.Row == 0) == (c.Row == 0)
	})
	if i < 0 {
		i = len(*s)
		*s = append(*s, &Sum{Change: c})
	}
	of := (*s)[i]
	if n := len(of.Rows); c.Refused && c.Row > 0 && n < MostRows && (n == 0 || of.Rows[n-1].Number != c.Row) { // rows come in order
		of.Rows = append(of.Rows, Row{c.Row, c.Line, c.Profile})
	}
	of.Count++
}

// Repair is what a change under a code means; zero for a code that no change has.
func Repair(code ledger.Code) ledger.Rule {
	for r := range rules.Repairs() {
		if r.Code == code {
			return r
		}
	}
	return ledger.Rule{}
}

// LookAsWindows looks at a text whose encoding is not known as one in windows-1252, for what else
// is to be decided: what it would refuse goes to report. The guess is windows-1252 where all its
// letters are usual ones, empty otherwise.
func LookAsWindows(f rules.Fixer, in io.ReadSeeker, decode func(io.Reader) io.Reader, report func(rules.Change)) (seen rules.Fixed, guess string, err error) {
	usual := usualLetters{ok: true}
	f.Decode = func(r io.Reader) io.Reader { return io.TeeReader(decode(r), &usual) }
	f.Report = func(c rules.Change) {
		if c.Refused {
			report(c)
		}
	}
	if seen, err = f.Fix(io.Discard, in); err != nil || seen.Encoding {
		return rules.Fixed{Encoding: true}, "", err
	}
	if seen.Encoding = true; usual.ok {
		guess = "windows-1252"
	}
	return seen, guess, nil
}

// usualLetters notes whether all letters beyond ASCII of a text are usual in German, French and
// Spanish.
type usualLetters struct {
	ok   bool
	rest []byte
}

// Write looks at a piece of a text.
func (u *usualLetters) Write(p []byte) (int, error) {
	text := append(u.rest, p...)
	for len(text) > 0 && utf8.FullRune(text) {
		r, size := utf8.DecodeRune(text)
		u.ok = u.ok && (r < utf8.RuneSelf || strings.ContainsRune("äöüÄÖÜß€éèêàáçñóíú§°–—’‘“”„…\u00a0", r))
		text = text[size:]
	}
	u.rest = append(u.rest[:0], text...)
	return len(p), nil
}
