package main

import (
	"cmp"
	"errors"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/rules"
)

// rows reads a payload, reports its problems on stderr and yields the rows that can be used.
type rows struct {
	log    findingLog
	reader *rules.Reader // of the file at hand
	name   string        // … as records call it: see typed; empty if it is the only one

	selector *selector
	bad      bool   // there was an error
	badFile  bool   // … which is about no row
	spoiled  bool   // … of the file at hand
	leftOut  uint64 // rows that cannot be used
	unsent   unsent
	faulty   int // … of the file at hand, with an error that was found in them
	silent   int // … of all files, without: --severity has the error as a warning, or off
	hidden   hiddenErrors

	advise   bool // payload fix is advised where it mends some of what is reported
	mendable bool // payload fix mends some of it

	progress progress
}

func newRows(a *app, s *selector) *rows {
	return &rows{log: findingLog{log: a.log}, progress: a.newProgress(), selector: s}
}

// open turns to the next file.
func (r *rows) open(in *input, o rules.Options) {
	r.log.file, o.File = in.name, in.name
	r.reader = rules.NewReader(in, o)
}

// A joined is a row without errors and the state of its profile.
type joined struct {
	*rules.Row
	state    engine.State
	file     string // which has it, if there are several
	left     bool   // --profile or --exclude leaves it out
	repeated bool   // an earlier row has the same client-orderid
}

func (j *joined) stored() engine.Stored { return engine.Stored{Profile: j.Profile(), State: j.state} }

// all yields the rows without errors, for one use, those that are left out among them. What it yields
// is valid until the next row.
func (r *rows) all() iter.Seq[*joined] {
	return func(yield func(*joined) bool) {
		var j joined
		for row, problems := range r.reader.Rows() {
			r.progress.row()
			if row == nil {
				r.report(problems)
				if isFaulty(problems) {
					r.faulty++
				}
				continue
			}
			j = joined{Row: row, file: r.name, left: !r.selector.selects(row), repeated: slices.ContainsFunc(problems, isRepetition)}
			if j.left {
				problems = slices.DeleteFunc(problems, ofOneRow)
			}
			if r.report(problems); !yield(&j) {
				return
			}
		}
	}
}

func isRepetition(p ledger.Finding) bool { return p.Code == rules.OrderIDDuplicate }

// isFaulty reports whether one of the problems is an error of a row.
func isFaulty(problems ledger.Findings) bool {
	return slices.ContainsFunc(problems, func(p ledger.Finding) bool { return p.Place.Row > 0 && p.Severity == ledger.SeverityError })
}

// ofOneRow reports whether a problem is a warning about a row, which does not matter where another
// row was selected.
func ofOneRow(p ledger.Finding) bool {
	return p.Place.Row > 0 && p.Severity != ledger.SeverityError && p.Code != rules.LimitOrderIDs
}

func (r *rows) report(problems ledger.Findings) {
	for _, p := range problems {
		if p.Severity == ledger.SeverityOff {
			continue
		}
		if p.Severity == ledger.SeverityError {
			r.bad = true
			r.spoiled = r.spoiled || p.Place.Row == 0
			r.badFile = r.badFile || r.spoiled
		}
		if id := p.Place.Profile; id != "" && p.Code != rules.LimitOrderIDs && !isMasked(id) && !r.selector.wants(id) {
			r.hidden.add(p)
			continue
		}
		shown := r.log.report(inCommand(p))
		if shown && r.advise && !r.mendable && p.Severity == ledger.SeverityError {
			r.mendable = r.reader.Mendable(p)
		}
	}
}

// isMasked reports whether an id may be masked, so that it may be any that is selected.
func isMasked(id string) bool { return strings.Contains(id, "*") }

// unsent counts the rows that are used here, and could not be sent: a column on which no charge depends has an error.
type unsent struct {
	rows  uint64
	files []string // that have them
}

func (u *unsent) count(row *joined, file string) {
	if !row.Unsendable {
		return
	}
	if file == nameOf("-") {
		file = "-"
	}
	if u.rows++; len(u.files) == 0 || u.files[len(u.files)-1] != file {
		u.files = append(u.files, file)
	}
}

// report says in one line how many there are.
func (u *unsent) report(log *messages) {
	are := "they are"
	if u.rows == 1 {
		are = "it is"
	}
	if u.rows > 0 {
		log.line(counted(strconv.FormatUint(u.rows, 10), "row") + " could not be sent as " + are + ": chargecast validate " + strings.Join(u.files, " "))
	}
}

// refuse reports that a row without errors cannot be used, by the policy or its state.
func (r *rows) refuse(row *rules.Row, err error) {
	r.bad = true
	r.leftOut++
	f, ok := errors.AsType[ledger.Finding](err)
	if !ok {
		f = ledger.Finding{Code: "row", Severity: ledger.SeverityError, Message: err.Error()}
	}
	if code, ok := errors.AsType[ledger.Code](err); ok {
		f.Code = code
	}
	f.Place = ledger.Place{Profile: row.ShownID, Row: row.Number, Line: row.Line, Col: 1}
	r.report(ledger.Findings{f})
}

// endOfFile counts the rows of a file that cannot be used, and says how its reading ended.
func (r *rows) endOfFile(in *input) error {
	sum := r.reader.Summary()
	unusable := sum.Rows - sum.Valid
	r.leftOut += uint64(unusable)
	if !r.spoiled { // a header with an error spoils its rows, which have none of their own
		r.silent += max(0, unusable-r.faulty)
	}
	r.faulty, r.spoiled = 0, false
	if err := in.failed(); err != nil {
		return err
	}
	if sum.Unreadable {
		return &failure{Code: exitUnreadable}
	}
	return nil
}

// finish reports what is left after the last file, or after the one that ended with an error.
func (r *rows) finish(failed error) error {
	r.log.finish()
	if r.mendable {
		r.log.log.line(adviceToFix)
	}
	r.hidden.report(r.log.log)
	r.unsent.report(r.log.log)
	if failed != nil {
		return failed
	}
	if r.silent > 0 {
		r.log.log.line("chargecast: note: " + counted(strconv.Itoa(r.silent), "row") + " with errors left out, which --severity makes warnings or off")
	}
	return r.selector.failed(r.bad)
}

// hiddenErrors are the errors of rows that --profile or --exclude leaves out.
type hiddenErrors struct {
	errors, rows int
	last         ledger.Place
}

func (h *hiddenErrors) add(p ledger.Finding) {
	if p.Severity != ledger.SeverityError {
		return
	}
	h.errors++
	if p.Place.Row != h.last.Row || p.Place.File != h.last.File {
		h.rows++
		h.last = p.Place
	}
}

// report says in one line how many there are.
func (h *hiddenErrors) report(log *messages) {
	if h.errors > 0 {
		log.line("chargecast: not shown: " + counted(strconv.Itoa(h.errors), "error") + " in " + counted(strconv.Itoa(h.rows), "row") +
			" of other profiles; chargecast validate shows them")
	}
}

// subject is what outputs call a row. A client-orderid that holds the card number of
// its own row is masked; any other is what scripts join on, and shown as it is.
func (j *joined) subject() record.Subject {
	return record.Subject{Profile: j.ShownID, File: j.file, Row: j.Number, Currency: j.Currency, Callback: j.ShownCallback()}
}

// A reading is what is done with a payload. begin comes once its form is known, which
// is then in the header; neither it nor end is called for input that is not a payload. end is told whether the input was
// read as a whole: what it comes to is known only then.
// passed, which may be nil, is called for the rows that --profile and --exclude leave out; with all
// row is called for them too.
type reading struct {
	begin  func()
	row    func(*joined) error
	passed func(id string)
	all    bool
	end    func(whole bool)
	// through is the last day that is asked about; zero for the header's.
	through calendar.Date
	// advise reports that the output is for people, who are told what to do next about errors.
	advise bool
}

// read goes through the rows of one or several payloads, joined with their states, until the
// output fails. It reports what is wrong, and ends with errFindings where something was.
func (s *selection) read(a *app, paths []string, h *header, do reading) error {
	if err := oneStdin(slices.Concat(paths, s.states)...); err != nil {
		return err
	}
	saved, err := s.readStates(a, h.asOf)
	if err != nil {
		return err
	}
	saved.monthEnd = h.policy.MonthEnd
	options := s.options(h.asOf, h.policy)
	options.Horizon = cmp.Or(do.through, h.until, h.asOf)
	if s.hasStates() {
		options.State = saved.join.State
	}
	files, err := a.openAll(paths, options)
	if err != nil {
		return err
	}
	defer closeAll(files)
	r := &payloadRun{rows: newRows(a, newSelector(s.profiles, s.excluded)), header: h, out: a.out, saved: saved, do: do}
	r.advise = do.advise
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
}

// readFile goes through the rows of one file.
func (r *payloadRun) readFile(in *input) error {
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
	r.header.leftOut, r.header.unsendable = r.leftOut, r.unsent.rows
	if r.begun {
		r.do.end(ended == nil)
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
		r.saved.join.Skip(row.OrderID())
		if r.do.passed != nil {
			r.do.passed(row.OrderID())
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
	} else if !row.left {
		r.unsent.count(row, r.log.file)
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
