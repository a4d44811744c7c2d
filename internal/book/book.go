// Package book reads what a forecast starts from: the rows of payloads, joined with the saved states of their profiles, and
// the scripts of simulations. The command and the jobs of a cluster read alike, since both read with this package.
package book

import (
	"errors"
	"io"
	"iter"
	"slices"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

// Options returns the options with which payloads are read to forecast them up to a day. With states, what the policy says
// of a profile's creation is left to the engine: a profile with a state exists already.
func Options(asOf, until calendar.Date, p engine.Policy, states *States) rules.Options {
	o := rules.Options{AsOf: asOf, Horizon: until, Policy: p, ScheduleOnly: true, IDs: new(rules.OrderIDs)}
	if states != nil {
		o.Policy = p.WithReading(clause.L02, 0).WithReading(clause.L03, 0)
		o.State = states.join.State
	}
	return o
}

// A Profile is a row without errors, and the state that its profile goes on from.
type Profile struct {
	*rules.Row
	Stored   engine.Stored
	File     string // as Open was given it
	Left     bool   // Select leaves it out, and it has no state unless Join adds it
	Repeated bool   // an earlier row has the same client-orderid
}

// A Reader reads payloads one after the other: Open each, and range over its Profiles. Report must be set.
type Reader struct {
	States *States               // nil: all profiles are new
	Select func(*rules.Row) bool // nil: all rows
	Report func(ledger.Finding)  // is called for each finding about a payload but those that are off
	Each   func()                // if set, is called once for each row, usable or not

	// Omit, if set, is called for each row that is left out and whose client-orderid can be read, with
	// that as it may be shown; the row is not yielded. Profiles ends if it reports false.
	Omit func(profile string, row int) bool

	LeftOut uint64 // rows that cannot be used, of the files that were read to their ends

	payload *rules.Reader
	file    string
}

// Open turns to a payload. File is its name in records, empty where there is only one.
func (r *Reader) Open(src io.Reader, file string, o rules.Options) {
	r.payload, r.file = rules.NewReader(src, o), file
}

// Payload is the reader of the payload that was opened last.
func (r *Reader) Payload() *rules.Reader { return r.payload }

// Profiles yields the rows without errors, those that Select leaves out among them. A Profile is valid until the next one.
func (r *Reader) Profiles() iter.Seq[*Profile] {
	return func(yield func(*Profile) bool) {
		var p Profile
		for row, found := range r.payload.Rows() {
			if r.Each != nil {
				r.Each()
			}
			if row == nil {
				r.report(found)
				if place := placeOf(found); place.Profile != "" && !r.omit(place.Profile, place.Row) {
					return
				}
				continue
			}
			p = Profile{Row: row, Stored: engine.Stored{Profile: row.Profile()}, File: r.file, Left: r.Select != nil && !r.Select(row), Repeated: slices.ContainsFunc(found, isRepetition)}
			if p.Left {
				found = slices.DeleteFunc(found, isOfOneRow)
			}
			r.report(found)
			if p.Left {
				r.States.Skip(row.OrderID())
			}
			if !p.Left && !r.Join(&p) {
				if !r.omit(p.ShownID, p.Number) {
					return
				}
				continue
			}
			if !yield(&p) {
				return
			}
		}
		s := r.payload.Summary()
		r.LeftOut += uint64(s.Rows - s.Valid)
	}
}

func (r *Reader) omit(profile string, row int) bool { return r.Omit == nil || r.Omit(profile, row) }

// placeOf returns the place of the first finding that names the profile of its row; the zero place if none does.
func placeOf(found ledger.Findings) ledger.Place {
	for _, f := range found {
		if f.Place.Profile != "" && f.Place.Row > 0 {
			return f.Place
		}
	}
	return ledger.Place{}
}

func isRepetition(f ledger.Finding) bool { return f.Code == rules.OrderIDDuplicate }

// isOfOneRow reports whether a finding is a warning about a row, which does not matter where another row was selected.
func isOfOneRow(f ledger.Finding) bool {
	return f.Place.Row > 0 && f.Severity != ledger.SeverityError && f.Code != rules.LimitOrderIDs
}

func (r *Reader) report(found ledger.Findings) {
	for _, f := range found {
		if f.Severity != ledger.SeverityOff {
			r.Report(f)
		}
	}
}

// Join adds the state of a profile. If it reports false, the state cannot be used, which has been reported, and the row is
// left out.
func (r *Reader) Join(p *Profile) bool {
	state, ok := r.States.Of(p)
	if !ok {
		r.LeftOut++
		return false
	}
	p.Stored.State = state
	return true
}

// Refuse leaves out a row without errors, which the engine refuses for the policy or the state.
func (r *Reader) Refuse(p *Profile, err error) {
	r.LeftOut++
	f, ok := errors.AsType[ledger.Finding](err)
	if !ok {
		f = ledger.Finding{Code: "row", Severity: ledger.SeverityError, Message: err.Error()}
	}
	if code, ok := errors.AsType[ledger.Code](err); ok {
		f.Code = code
	}
	f.Place = ledger.Place{File: f.Place.File, Profile: p.ShownID, Row: p.Number, Line: p.Line, Col: 1}
	r.Report(f)
}
