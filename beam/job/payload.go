package job

import (
	"cmp"

	"github.com/chargecast/chargecast/internal/book"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// readPayload reads a payload as the plain command does and returns its form.
func (r *reading) readPayload() (form string, err error) {
	b := book.Reader{States: r.states, Report: r.reportPayload}
	o := book.Options(r.query.AsOf, r.query.Until, r.query.Policy, r.states)
	o.File = r.shard.File
	b.Open(r.in, r.shard.File, o)
	begun := false
	for p := range b.Profiles() {
		if !begun {
			begun = true
			r.forecaster.begin(b.Payload().Summary().Input.String())
		}
		if err := r.row(); err != nil {
			return "", err
		}
		f := profile{stored: p.Stored, unsendable: p.Unsendable}
		if r.forecaster.book == nil { // charges and totals by profile say whose they are
			f.Subject = record.Subject{Profile: p.ShownID, Row: p.Number, Currency: p.Currency, Callback: p.ShownCallback()}
		}
		if err := r.forecaster.add(&f); isFatal(err) {
			return "", err
		} else if err != nil {
			b.Refuse(p, err)
		}
	}
	if r.in.failed != nil {
		return "", r.in.failed
	}
	sum := b.Payload().Summary()
	r.tally.Rows, r.tally.LeftOut, r.tally.Unreadable = sum.Rows, int(b.LeftOut), sum.Unreadable
	if sum.Unreadable {
		return "", nil
	}
	if !begun {
		r.forecaster.begin(sum.Input.String())
	}
	return sum.Input.String(), nil
}

// reportPayload reports a finding about the payload. With an error of no row its rows are not all
// known.
func (r *reading) reportPayload(f ledger.Finding) {
	if f.Severity == ledger.SeverityError && f.Place.Row == 0 {
		r.tally.Incomplete = true
	}
	f.Place.File = cmp.Or(f.Place.File, r.shard.File)
	r.report(f)
}

// readStates reads the states of the shard. With a line that cannot be read nothing is forecast:
// its profile is not known, and would be taken for new.
func (r *reading) readStates() error {
	if r.shard.States == "" {
		return nil
	}
	in, err := openInput(r.ctx, r.shard.States)
	if err != nil {
		return err
	}
	defer in.close()
	r.states = book.NewStates(r.query.AsOf, r.query.Policy, func(f ledger.Finding) bool {
		r.report(f)
		return true
	})
	if !r.states.Read(in, r.shard.States) {
		r.tally.Incomplete = true
	}
	return in.failed
}
