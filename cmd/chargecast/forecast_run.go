package main

import (
	"errors"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/words"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/report"
)

// A forecastRun is one run of forecast or simulate over a payload, or the share of a worker in it: it sends what is made
// of each row to the sink, or adds it up.
type forecastRun struct {
	header *header
	app    *app
	out    *output
	sink   sink
	book   *engine.Portfolio // of days, weeks and so on; nil for charges and profiles
	failed error             // of book
	sum    record.ForecastSummary
	beside string // what stands beside the answer, for a form that has no place for it

	explain bool          // results say what they rest on
	stored  engine.Stored // the profile at hand
	plan    engine.Plan   // … of one profile after the other
	saver   *saver        // nil without --save-state

	changes []engine.Sensitivity // of the profile, for a page
}

// run reads a payload and calls one for each row. passed, which may be nil, is called for the rows
// that --profile leaves out.
func (q *forecastFlags) run(a *app, paths []string, h *header, one func(*forecastRun, *joined) error, passed func(id string)) error {
	f := &forecastRun{header: h, app: a, out: a.out, explain: q.explain, sink: newSink(a, q.format.V, q.explain, q.look(a))}
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
	crew := q.newCrew(f, one)
	err = q.read(a, paths, h, reading{
		crew:   crew,
		advise: q.format.V == formatTable || q.format.V == formatCalendar,
		begin: func() {
			switch {
			case f.book != nil:
			case crew != nil:
				crew.prime(f.sink, h)
			default:
				f.sink.begin(h)
			}
		},
		row:    func(row *joined) error { return one(f, row) },
		passed: passed,
		all:    f.saver != nil,
		end: func(whole bool) {
			crew.finish(f)
			switch {
			case f.failed != nil:
			case whole:
				f.finishOutput()
			case f.book == nil:
				f.sink.cut()
			}
		},
	})
	a.note(f.beside)
	return f.finish(err)
}

// look is how a report looks.
func (q *forecastFlags) look(a *app) report.Options {
	return report.Options{
		Width: a.width(q.width.V), Color: a.colourful(q.colour.V), Quantiles: q.quantiles, Excel: q.csv.V == csvExcel,
	}
}

// finishOutput ends the output of an input that was read as a whole.
func (f *forecastRun) finishOutput() {
	if f.book != nil {
		f.header.input = commonForm(f.header.forms)
		f.sink.begin(f.header)
		days := f.book.Totals(engine.ByDay)
		for t := range days {
			f.sum.Charges += t.Charges
			f.sum.CardExpired += t.CardExpired.Charges
		}
		if s, isPart := f.sink.(*partSink); isPart {
			_ = s.w.Days(days)
		} else {
			sendTotals(f.sink, f.header, f.book.Totals(f.header.by))
		}
	}
	f.sum.LeftOut = f.header.leftOut
	f.sink.finish(&f.sum)
	f.beside = beside(f.sink, f.header, &f.sum)
}

// remedies are what can be done about profiles that are taken as new.
const remedies = "--state FILE goes on from what was charged, --policy start-past=count-missed counts the days since the start"

// beside says what stands beside an answer whose form has no place for it; --quiet does not leave it out.
func beside(s sink, h *header, sum *record.ForecastSummary) string {
	r, ok := s.(*reportSink)
	if !ok || r.options.Form != report.FormCSV && r.options.Form != report.FormICS {
		return ""
	}
	return words.Beside(sum.LeftOut, sum.TakenAsNew, sum.CardExpired, h.asOf, remedies)
}

func (a *app) note(text string) {
	if text != "" {
		a.log.line("chargecast: note: " + text)
	}
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

// count counts a profile of the answer. What its charges come to is given where no portfolio adds them up.
func (f *forecastRun) count(charges *amount.Tally) {
	if f.book == nil {
		f.sum.Count(charges)
	} else {
		f.sum.Profiles++
	}
	if engine.New(f.header.policy).TakesAsNew(f.stored, f.header.asOf) {
		f.sum.TakenAsNew++
	}
}

func (f *forecastRun) fail(err error) { f.failed = errors.Join(f.failed, err) }

// start turns to a profile; its charges and events follow, then its end.
func (f *forecastRun) start(p *profile) {
	if f.header.by == engine.ByCharge {
		f.sink.start(p)
	}
}

// compare tells a page what other readings would change for the profile.
func (f *forecastRun) compare(last calendar.Date) error {
	page, ok := f.sink.(*reportSink)
	if !ok || page.options.Form != report.FormHTML {
		return nil
	}
	var err error
	f.changes, _, err = engine.New(f.header.policy).Sensitivities(f.changes[:0], f.stored, f.header.asOf, calendar.Through(f.header.window().First(), last))
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
		f.fail(f.book.AddCharge(p.Currency, c))
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

// A profile is a row in an output: what is said about it before its charges.
type profile struct {
	record.Subject
	kind engine.Kind
	plan *engine.Plan  // nil in a simulation
	last calendar.Date // the last day that the output is about
	// before is what its charges before the window come to, with which running totals begin.
	before amount.Tally
	total  amount.Tally // of its charges, where they are known before
	// because is what the charges rest on, where they are added up.
	because ledger.Because
}
