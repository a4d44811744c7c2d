package main

import (
	"errors"
	"iter"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/report"
	"github.com/chargecast/chargecast/rules"
)

// A crew adds up the rows of a payload in the workers that read it. Each has a portfolio of its own, so
// that what comes out is the same for any number of them.
type crew struct {
	header *header
	scope  engine.Scope
	hands  [mostHands]hand // by number of the worker
}

// mostHands is not less than the workers that package rules has.
const mostHands = 64

type hand struct {
	book   *engine.Portfolio
	plan   engine.Plan
	stored engine.Stored // the profile that is added; always new
}

func newCrew(book *engine.Portfolio, h *header) *crew { return &crew{header: h, scope: book.Scope()} }

// A batch is what is to be said of neighbouring rows, in order.
type batch struct {
	rows    int // steps of the reader
	valid   int // rows without errors
	remarks []remark
	failed  error
}

// A remark is what was found in a row, or in the payload.
type remark struct {
	problems ledger.Findings
	bad      *rules.Row // refused for the reason below; nil for no row
	refusal  error
	faulty   bool // a row has an error, and is left out
}

// What waits for the rows before it is small, and progress is shown meanwhile.
const (
	mostRemarks = 256
	mostRows    = 4096
)

// work adds up a batch of rows.
func (c *crew) work(worker int, steps iter.Seq2[*rules.Row, ledger.Findings], yield func(batch) bool) {
	of := &c.hands[worker]
	if of.book == nil {
		of.book, _ = engine.NewPortfolio(c.scope)
	}
	var b batch
	wanted, told := true, map[ledger.Code]int{}
	for row, problems := range steps {
		if !wanted {
			continue // the reader asks that all steps are taken
		}
		b.rows++
		if row != nil || len(problems) > 0 {
			c.add(of, &b, row, problems)
		}
		if mayBeShown(told, problems) || len(b.remarks) >= mostRemarks || b.rows >= mostRows || row == nil && aboutFile(problems) {
			wanted = yield(b)
			b = batch{}
		}
	}
	if wanted {
		yield(b)
	}
}

// mayBeShown reports whether an error of a step may be among the first of its code, and counts. Such a
// step ends its batch: without several workers it is known whether payload fix mends it only until the
// next step.
func mayBeShown(told map[ledger.Code]int, problems ledger.Findings) bool {
	shown := false
	for i := range problems {
		if c := problems[i].Code; problems[i].Severity == ledger.SeverityError && told[c] < report.MostFindings {
			told[c]++
			shown = true
		}
	}
	return shown
}

// aboutFile reports whether the findings of a step are about no row. They are not held back either.
func aboutFile(problems ledger.Findings) bool { return len(problems) > 0 && problems[0].Place.Row == 0 }

// add adds up a row, and notes what is to be said of it.
func (c *crew) add(of *hand, b *batch, row *rules.Row, problems ledger.Findings) {
	if row == nil {
		others, _ := rules.SplitExpiry(problems)
		b.remarks = append(b.remarks, remark{problems: others, faulty: isFaulty(problems)})
		return
	}
	b.valid++
	about, held := rules.SplitExpiry(problems)
	if len(about) > 0 {
		b.remarks = append(b.remarks, remark{problems: about})
	}
	of.stored.Profile = row.Profile()
	err := of.book.Add(of.stored)
	switch {
	case errors.Is(err, engine.ErrPortfolioFull):
		b.failed = err
	case err != nil:
		b.remarks = append(b.remarks, remark{bad: row, refusal: err})
	case len(held) > 0 && engine.New(c.header.policy).Recompile(&of.plan, of.stored, c.header.asOf) == nil && cardMatters(&of.plan, c.header):
		b.remarks = append(b.remarks, remark{problems: held})
	}
}

// finish adds the portfolios up.
func (c *crew) finish(book *engine.Portfolio) (err error) {
	if c == nil {
		return nil
	}
	for i := range c.hands {
		if of := c.hands[i].book; of != nil {
			err = errors.Join(err, book.Merge(of))
		}
	}
	return err
}

// readTogether goes through the rows of one file with a crew.
func (r *payloadRun) readTogether() {
	for b := range rules.Batches(r.reader, r.do.crew.work) {
		if b.valid > 0 {
			r.start()
		}
		for range b.rows {
			r.progress.row()
		}
		for i := range b.remarks {
			r.note(&b.remarks[i])
		}
		r.failed = errors.Join(r.failed, b.failed)
	}
}

// note reports a remark.
func (r *payloadRun) note(m *remark) {
	r.report(m.problems)
	if m.faulty {
		r.faulty++
	}
	if m.bad != nil {
		r.refuse(m.bad, m.refusal)
	}
}
