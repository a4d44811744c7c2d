package main

import (
	"errors"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/report"
)

// A forecastRun is one run of forecast or simulate over a payload: it sends what is made of
// each row to the sink, or adds it up.
type forecastRun struct {
	header *header
	app    *app
	out    *output
	sink   sink
	book   *engine.Portfolio // of days, weeks and so on; nil for charges and profiles
	failed error             // of book

	explain bool        // results say what they rest on
	plan    engine.Plan // of one profile after the other
	saver   *saver      // nil without --save-state

	renderer *renderer // which makes the output instead, if any

	changes []engine.Sensitivity // of the profile, for a page
}

// run reads a payload and calls one for each row. passed, which may be nil, is called for the rows
// that --profile leaves out.
func (q *forecastFlags) run(a *app, paths []string, h *header, one func(*forecastRun, *joined) error, passed func(id string)) error {
	f := &forecastRun{header: h, app: a, out: a.out, explain: q.explain, sink: newSink(a, q.format.value, q.explain, q.look(a))}
	var err error
	if f.book, err = newBook(h, q.explain); err != nil {
		return err
	}
	if err := overwrites(q.save, paths...); err != nil {
		return err
	}
	if f.saver, err = newSaver(a, q.save); err != nil {
		return err
	}
	var hands *crew
	if f.book != nil && h.schema == record.SchemaForecast && h.next == 0 && f.saver == nil {
		hands = newCrew(f.book, h)
	}
	if h.schema == record.SchemaForecast {
		f.renderer = q.newRenderer(f, one)
	}
	err = q.read(a, paths, h, reading{
		crew:     hands,
		renderer: f.renderer,
		advise:   q.format.value == "table" || q.format.value == "calendar",
		begin:    f.begin,
		row:      func(row *joined) error { return one(f, row) },
		passed:   passed,
		all:      f.saver != nil,
		end: func() {
			if f.failed = errors.Join(f.failed, hands.finish(f.book)); f.failed != nil {
				return
			}
			f.writeTotals()
			f.sink.finish()
		},
	})
	return f.finish(err)
}

// look is how a report looks.
func (q *forecastFlags) look(a *app) report.Options {
	return report.Options{Width: a.width(*q.width), Color: a.colourful(q.colour.value), Quantiles: q.quantiles}
}

// begin begins the output, unless its header is about all files.
func (f *forecastRun) begin() {
	switch {
	case f.book != nil:
	case f.renderer != nil:
		f.renderer.prime(f.sink, f.header)
	default:
		f.sink.begin(f.header)
	}
}

// writeTotals sends the totals by period to the sink.
func (f *forecastRun) writeTotals() {
	if f.book == nil {
		return
	}
	f.header.input = commonForm(f.header.forms)
	f.sink.begin(f.header)
	if s, isPart := f.sink.(*partSink); isPart {
		_ = s.w.Days(f.book.Totals(engine.ByDay))
		return
	}
	sendTotals(f.sink, f.header, f.book.Totals(f.header.by))
}

// finish ends with the state file, which is about every row without errors or not there at all: it is
// written once the output has been, whose reader may have gone.
func (f *forecastRun) finish(err error) error {
	if f.failed != nil {
		err = errors.Join(internal("the totals cannot be added up: "+f.failed.Error(), "divide the payload"), err)
	}
	err = f.finishPart(err)
	if f.saver == nil {
		return err
	}
	if flushed := f.out.flush(); flushed != nil {
		err = errors.Join(flushed, err)
	}
	if failed := f.saver.finish(wasRead(err)); failed != nil {
		return errors.Join(failed, err)
	}
	return err
}

// wasRead reports whether the end of a reading is that of the input, whether or not there were
// findings and somebody to read the output.
func wasRead(err error) bool {
	var f *failure
	var write *writeError
	return (!errors.As(err, &f) || f == errFindings) && (!errors.As(err, &write) || write.ClosedPipe())
}

// start turns to a profile; its charges and events follow, then its end.
func (f *forecastRun) start(p *profile) {
	if f.header.by == engine.ByCharge {
		f.sink.start(p)
	}
}

// compare tells a page what other readings would change for the profile.
func (f *forecastRun) compare(s engine.Stored, last calendar.Date) error {
	page, ok := f.sink.(*reportSink)
	if !ok || page.options.Form != report.FormHTML {
		return nil
	}
	var err error
	f.changes, _, err = engine.New(f.header.policy).Sensitivities(f.changes[:0], s, f.header.asOf, calendar.Through(f.header.window().First(), last))
	if err == nil {
		_ = page.w.Compare(f.changes)
	}
	return err
}

// charge sends a charge on, or adds it up.
func (f *forecastRun) charge(p *profile, c *engine.Charge) {
	switch {
	case f.header.by == engine.ByCharge:
		f.sink.charge(c)
	case f.book != nil:
		f.failed = errors.Join(f.failed, f.book.AddCharge(p.Currency, c))
	default:
		c.AddTo(&p.total)
		if f.explain {
			p.because = p.because.And(c.Because)
		}
	}
}

func (f *forecastRun) event(e *engine.Effect) {
	if f.header.by == engine.ByCharge {
		f.sink.event(e)
	}
}

func (f *forecastRun) end(p *profile, e *engine.End) {
	switch {
	case f.header.by == engine.ByCharge:
		f.sink.end(e)
	case f.header.by == engine.ByProfile && !p.total.IsZero():
		sendTotal(f.sink, f.header, &record.Total{By: engine.ByProfile, Value: p.Profile, File: p.File, Currency: p.Currency, Tally: p.total, Because: p.because})
	}
}
