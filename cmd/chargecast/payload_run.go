package main

import (
	"errors"
	"slices"
)

// manyStates is how many states need more memory than rows do.
const manyStates = 10_000

// A reading is what is done with a payload. begin comes once its form is known, which
// is then in the header; neither it nor end is called for input that is not a payload.
// passed, which may be nil, is called for the rows that --profile and --exclude leave out; with all
// row is called for them too.
type reading struct {
	begin  func()
	row    func(*joined) error
	passed func(id string)
	all    bool
	end    func()
	// crew, which may be nil, takes the rows instead of row where they do not depend on each other.
	crew *crew
	// renderer, which may be nil, does the same for an output of every row.
	renderer *renderer
	// advise reports that the output is for people, who are told what to do next about errors.
	advise bool
}

// read goes through the rows of one or several payloads, joined with their states, until the
// output fails. It reports what is wrong, and ends with errFindings where something was.
func (s *selection) read(a *app, paths []string, h *header, do reading) error {
	if err := oneStdin(append(slices.Clone(paths), s.state)...); err != nil {
		return err
	}
	saved, err := readStates(a, s.state, h.asOf)
	if err != nil {
		return err
	}
	saved.monthEnd = h.policy.MonthEnd
	options := s.options(h.asOf, h.policy)
	options.Workers = s.workers.number()
	if s.state != "" {
		options.State = saved.join.State
	}
	files, err := a.openAll(paths, options)
	if err != nil {
		return err
	}
	defer closeAll(files)
	if saved.join.Len() < manyStates {
		a.keepSmall()
	}
	if s.state != "" || len(s.profiles)+len(s.excluded) > 0 {
		do.crew = nil // a state is for one row, and whether an id was met is noted
	}
	r := &payloadRun{rows: newRows(a, newSelector(s.profiles, s.excluded)), header: h, out: a.out, saved: saved, do: do}
	r.part, r.advise = a.sums != nil, do.advise
	for i, f := range files {
		r.open(f.input, f.options)
		if len(files) > 1 {
			r.name = typed(paths[i])
		}
		if err = r.readFile(f.input); err != nil {
			break
		}
	}
	return r.finish(err)
}

// A payloadRun takes a reading through the files.
type payloadRun struct {
	*rows
	header *header
	out    *output
	saved  *states
	do     reading
	begun  bool
	failed error // of what a crew adds up
}

// readFile goes through the rows of one file.
func (r *payloadRun) readFile(in *input) error {
	if r.do.crew != nil {
		r.readTogether()
		return r.endOfRows(in)
	}
	if r.do.renderer != nil {
		if err := r.readRendered(); err != nil {
			return err
		}
		return r.endOfRows(in)
	}
	for row := range r.all() {
		r.start()
		r.use(row)
		if r.out.err != nil && !(r.do.all && r.out.isLost()) {
			return r.out.err
		}
	}
	return r.endOfRows(in)
}

// endOfRows ends a file.
func (r *payloadRun) endOfRows(in *input) error {
	if !r.reader.Summary().Unreadable {
		r.start()
		r.header.forms = append(r.header.forms, r.reader.Summary().Input.String())
	}
	return r.endOfFile(in)
}

// start begins the output, once.
func (r *payloadRun) start() {
	if r.begun {
		return
	}
	r.begun = true
	if r.name == "" {
		r.header.input = r.reader.Summary().Input.String()
	}
	if r.do.begin != nil {
		r.do.begin()
	}
}

// finish ends the output, unless there is none or it cannot be written, with what ended the last file.
func (r *payloadRun) finish(ended error) error {
	if ended != nil && ended == r.out.err {
		return errors.Join(ended, r.findings(r.saved))
	}
	r.header.leftOut, r.header.silent, r.header.unmet = r.leftOut, uint64(r.silent), r.selector.unmet()
	if r.failed != nil {
		return internal("the totals cannot be added up: "+r.failed.Error(), "divide the payload")
	}
	if r.begun {
		r.do.end()
	}
	r.saved.finish()
	if err := r.rows.finish(ended); err != nil {
		return errors.Join(r.out.err, err)
	}
	return errors.Join(r.out.err, r.findings(r.saved))
}

// use joins a row with its state and does with it what is to be done.
func (r *payloadRun) use(row *joined) {
	if row.left {
		r.saved.join.Skip(row.OrderID)
		if r.do.passed != nil {
			r.do.passed(row.OrderID)
		}
		if !r.do.all {
			return
		}
	}
	var ok bool
	if row.state, ok = r.saved.of(row); !ok {
		r.leftOut++
		return
	}
	if err := r.do.row(row); err != nil {
		r.refuse(row.Row, err)
	}
}

// findings is errFindings or errIncomplete if there were errors.
func (r *rows) findings(saved *states) error {
	switch {
	case r.badFile:
		return errIncomplete
	case r.bad || saved.bad:
		return errFindings
	}
	return nil
}
