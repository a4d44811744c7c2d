package job

import (
	"slices"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/rules"
)

// readPayload reads a payload as the plain command does and returns its form.
func (r *reading) readPayload() (form string, err error) {
	o := r.query.options(r.shard)
	if r.states != nil {
		o.State = r.states.join.State
	}
	reader := rules.NewReader(r.in, o)
	begun := false
	for row, found := range reader.Rows() {
		if row == nil {
			if hasRow(found) {
				r.tally.LeftOut++
				err = r.row()
			}
			r.reportAll(found)
		} else {
			if !begun {
				begun = true
				r.forecaster.begin(reader.Summary().Input.String())
			}
			err = r.useRow(row, found)
		}
		if err != nil {
			return "", err
		}
	}
	if r.in.failed != nil {
		return "", r.in.failed
	}
	sum := reader.Summary()
	r.tally.Rows = sum.Rows
	if sum.Unreadable {
		r.tally.Unreadable = true
		return "", nil
	}
	if !begun {
		r.forecaster.begin(sum.Input.String())
	}
	return sum.Input.String(), nil
}

// useRow joins a row without errors with its state.
func (r *reading) useRow(row *rules.Row, found ledger.Findings) error {
	if err := r.row(); err != nil {
		return err
	}
	r.reportAll(found)
	p := profile{stored: engine.Stored{Profile: row.Profile()}, unsendable: row.Unsendable}
	if r.forecaster.book == nil { // charges and totals by profile say whose they are
		p.Subject = record.Subject{Profile: row.ShownID, Row: row.Number, Currency: row.Currency, Callback: row.ShownCallback()}
	}
	if r.states != nil {
		state, ok := r.states.of(r, row, p.stored.Profile)
		if !ok {
			r.tally.LeftOut++
			return nil
		}
		p.stored.State = state
	}
	place := func() ledger.Place {
		return ledger.Place{File: r.shard.File, Profile: row.ShownID, Row: row.Number, Line: row.Line, Col: 1}
	}
	return r.use(&p, place)
}

func (r *reading) reportAll(found ledger.Findings) {
	for _, f := range found {
		if f.Severity == ledger.SeverityError && f.Place.Row == 0 {
			r.tally.Incomplete = true
		}
		r.report(f)
	}
}

// hasRow reports whether findings are those of a row.
func hasRow(found ledger.Findings) bool {
	return slices.ContainsFunc(found, func(f ledger.Finding) bool { return f.Place.Row > 0 })
}
