package job

import (
	"context"
	"errors"
	"io"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/book"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// A reading is the state of reading one shard.
type reading struct {
	ctx        context.Context
	query      *Query
	shard      Shard
	in         *input
	states     *book.States // nil for none
	forecaster *forecaster
	findings   *record.Writer
	tally      Tally
	seen       int // rows, to look at the context now and then
}

// A profile is a row of a shard, or a line with a stored profile.
type profile struct {
	record.Subject
	stored     engine.Stored
	unsendable bool // its row has an error in a column on which no charge depends
}

// Read reads a shard, writes the outputs of that shard, and returns its sum. After an error, which
// is one of a file system or of a cancelled context, the work can be repeated.
func Read(ctx context.Context, q Query, shard Shard) (Sum, error) {
	book, err := q.newBook()
	if err != nil {
		return Sum{}, err
	}
	in, err := openInput(ctx, shard.File)
	if err != nil {
		return Sum{}, err
	}
	defer in.close()
	r := &reading{ctx: ctx, query: &q, shard: shard, in: in, forecaster: newForecaster(&q, book), tally: Tally{Number: shard.Number}}
	if err := write(ctx, q.path(q.findingsName(shard.Number)), r.withFindings); err != nil {
		return Sum{}, err
	}
	sortCounts(r.tally.Codes)
	s := Sum{shards: []Tally{r.tally}, book: book}
	return s, nil
}

// withFindings reads the shard and writes its findings to w.
func (r *reading) withFindings(w io.Writer) error {
	r.findings = record.NewWriter(w, record.Header{
		Schema: record.SchemaValidate, AsOf: r.query.AsOf, Zone: "UTC", Policy: r.query.Policy,
	}, record.Options{})
	if err := r.withOutput(); err != nil {
		return err
	}
	t := &r.tally
	_ = r.findings.Write(record.Summary{
		Rows: t.Rows, Valid: t.Rows - t.LeftOut, Errors: t.Errors, Warnings: t.Warnings,
	})
	return r.findings.Close()
}

// withOutput reads the shard and writes its charges, or totals by profile, to their file.
func (r *reading) withOutput() error {
	name := r.query.outputName(r.shard.Number)
	if name == "" {
		return r.all()
	}
	return write(r.ctx, r.query.path(name), func(w io.Writer) error {
		r.forecaster.out = w
		return r.all()
	})
}

// all reads the shard to its end.
func (r *reading) all() error {
	if err := r.readStates(); err != nil {
		return err
	}
	form := ""
	if !r.tally.Incomplete { // else a profile without its state would be forecast as new
		var err error
		if form, err = r.readProfiles(); err != nil {
			return err
		}
		r.states.Finish()
	}
	_, _ = io.Copy(io.Discard, r.in) // the size and the sum are those of the whole file
	if r.in.failed != nil {
		return r.in.failed
	}
	r.tally.Input = r.in.described(form)
	sum := &r.forecaster.sum
	sum.LeftOut = uint64(r.tally.LeftOut)
	r.tally.Answer = *sum
	return r.forecaster.close(!r.tally.Unreadable && !r.tally.Incomplete)
}

// readProfiles reads the profiles and returns the form of the payload; stored profiles have none.
func (r *reading) readProfiles() (form string, err error) {
	if r.query.Profiles {
		return "", r.readStored()
	}
	return r.readPayload()
}

// row counts a row, and returns the error of the context once it is done.
func (r *reading) row() error {
	const often = 1024
	r.tally.Rows++
	if r.seen++; r.seen%often == 0 {
		return r.ctx.Err()
	}
	return nil
}

// isFatal reports whether an error ends the job: one of the output, or a book that is full. Others
// are about one profile.
func isFatal(err error) bool { return errors.Is(err, engine.ErrBookFull) || errors.Is(err, errOutput) }

// use forecasts a stored profile. One that cannot be forecast is reported as a finding.
func (r *reading) use(p *profile, place ledger.Place) error {
	err := r.forecaster.add(p)
	if err == nil || isFatal(err) {
		return err
	}
	f, ok := errors.AsType[ledger.Finding](err)
	if !ok {
		f = ledger.Finding{Code: "row", Severity: ledger.SeverityError, Message: err.Error()}
	}
	if code, ok := errors.AsType[ledger.Code](err); ok {
		f.Code = code
	}
	f.Place = place
	r.leaveOut(f)
	return nil
}

// leaveOut reports why a row is left out.
func (r *reading) leaveOut(f ledger.Finding) {
	r.tally.LeftOut++
	r.report(f)
}

// report writes a finding to the file of the shard and counts it.
func (r *reading) report(f ledger.Finding) {
	switch f.Severity {
	case ledger.SeverityOff:
		return
	case ledger.SeverityError:
		r.tally.Errors++
	default:
		r.tally.Warnings++
	}
	r.tally.Codes = counted(r.tally.Codes, Count{Code: f.Code, Severity: f.Severity, Count: 1, File: f.Place.File, Row: f.Place.Row})
	_ = r.findings.Write(record.Problem{Finding: f})
}
