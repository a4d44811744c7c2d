package job

import (
	"bufio"
	"bytes"
	"errors"

	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// readStored reads JSON lines of engine.Stored: profiles with their states, as a database keeps
// them. Blank lines are skipped, and rows are counted without them.
func (r *reading) readStored() error {
	r.forecaster.begin("")
	lines := bufio.NewScanner(r.in)
	lines.Buffer(make([]byte, 0, 64<<10), record.MaxLine)
	place := ledger.Place{File: r.shard.File, Col: 1}
	for lines.Scan() {
		place.Line++
		text := lines.Bytes()
		if len(bytes.TrimSpace(text)) > 0 {
			place.Row++
			if err := r.useStored(text, place); err != nil {
				return err
			}
		}
	}
	switch err := lines.Err(); {
	case r.in.failed != nil:
		return r.in.failed
	case errors.Is(err, bufio.ErrTooLong):
		place.Line++
		r.tally.Incomplete = true
		r.report(ledger.Finding{
			Code: record.LimitLine, Severity: ledger.SeverityError, Clause: clause.L56d, Place: place,
			Message: "the line is longer than 16 MiB", Help: "write one profile on each line",
		})
	}
	return nil
}

func (r *reading) useStored(text []byte, place ledger.Place) error {
	if err := r.row(); err != nil {
		return err
	}
	p := profile{Subject: record.Subject{Row: place.Row}}
	if err := p.stored.UnmarshalJSON(text); err != nil {
		f, ok := errors.AsType[ledger.Finding](err)
		if !ok {
			f = ledger.Finding{Code: record.JSONSyntax, Severity: ledger.SeverityError, Message: "not a stored profile"}
		}
		col := f.Place.Col
		f.Place = place
		f.Place.Col = max(col, 1)
		r.leaveOut(f)
		return nil
	}
	p.Profile, p.Currency = p.stored.Profile.ID, p.stored.Profile.Currency
	place.Profile = p.Profile
	return r.use(&p, place)
}
