package main

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/book"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/rules"
)

// rows reads payloads, reports their problems on stderr and yields the rows that can be used.
type rows struct {
	book.Reader
	log          findingLog
	selector     *selector
	hasError     bool
	hasFileError bool // an error that is about no row
	hasNoRows    bool // it has a header alone
	unsent       unsent
	hidden       hiddenErrors

	advise   bool             // payload fix is advised where it mends some of what is reported
	mendable bool             // payload fix mends some of it
	early    []ledger.Finding // errors of the file, until it is known whether payload fix helps
	export   bool             // … which it does

	problem func(ledger.Finding) // also takes each; may be nil

	progress progress
}

func newRows(a *app, s *selector) *rows {
	r := &rows{log: findingLog{log: a.log}, progress: a.newProgress(), selector: s}
	r.Select, r.Report, r.Each = s.selects, r.report, r.progress.row
	return r
}

// open turns to a file, which records call by a name where there are several.
func (r *rows) open(in *input, name string, o rules.Options) {
	r.reportEarly()
	r.export = false
	r.log.open(in.name, o)
	o.File = in.name
	r.Open(in, name, o)
}

func (r *rows) report(f ledger.Finding) {
	if f.Severity == ledger.SeverityError {
		r.hasError = true
		r.hasFileError = r.hasFileError || f.Place.Row == 0
		r.hasNoRows = r.hasNoRows || f.Code == rules.NoRows
		r.selector.leave(f.Place)
	}
	if id := f.Place.Profile; id != "" && f.Code != rules.LimitOrderIDs && !isMasked(id) && !r.selector.wants(id) {
		r.hidden.add(f)
		return
	}
	f = inCommand(f)
	if r.problem != nil {
		r.problem(f)
	}
	if f.Severity == ledger.SeverityError && f.Place.Row == 0 {
		r.early = append(r.early, f)
		r.export = r.export || isExport(f)
		return
	}
	r.reportEarly()
	if r.log.report(f) && r.advise && f.Severity == ledger.SeverityError {
		r.mendable = r.mendable || isMended(f)
	}
}

// isExport reports whether an error is one of a file that a spreadsheet or another program has written, which payload fix mends.
func isExport(f ledger.Finding) bool {
	switch f.Code {
	case rules.ColumnUnknown, rules.CSVSeparator, rules.NoHeader, rules.InvalidUTF8:
		return f.Hint != ""
	}
	return false
}

// reportEarly reports the errors of the file, behind what mends them.
func (r *rows) reportEarly() {
	if r.export && len(r.early) > 0 {
		r.log.log.line("chargecast: " + r.log.advice)
	}
	for _, f := range r.early {
		r.log.report(f)
	}
	r.early = r.early[:0]
}

// isMasked reports whether an id may be masked, so that it may be any that is selected.
func isMasked(id string) bool { return strings.Contains(id, "*") }

// unsent counts the rows that are used here, and could not be sent: a column on which no charge depends has an error.
type unsent struct {
	rows  uint64
	files []string // that have them
}

func (u *unsent) count(row *book.Profile, file string) {
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

// endOfFile says how the reading of a file ended.
func (r *rows) endOfFile(in *input) error {
	r.reportEarly()
	if err := in.failed(); err != nil {
		return err
	}
	if r.Payload().Summary().Unreadable {
		return &failure{Code: exitUnreadable}
	}
	return nil
}

// finish reports what is left after the last file, or after the one that ended with an error.
func (r *rows) finish(failed error) error {
	r.reportEarly()
	missing := r.selector.failed()
	if failed == nil && missing != nil && !r.hasError {
		return missing // which is all that matters then
	}
	r.log.finish()
	if r.mendable && !r.export {
		r.log.log.line(adviceToFix)
	}
	r.hidden.report(r.log.log)
	if !r.log.log.quiet { // the summary has the number
		r.unsent.report(r.log.log)
	}
	return cmp.Or(failed, missing)
}

// isUnreadable reports whether the file has an error that is about no row, and no row that can be used. A header alone can be
// read.
func (r *rows) isUnreadable() bool {
	return r.hasFileError && !r.hasNoRows && r.Payload().Summary().Valid == 0
}

// noteLeftOut says how many rows are left out, for an output that does not.
func (r *rows) noteLeftOut(a *app) {
	if r.LeftOut > 0 && !r.hasError {
		a.note(counted(strconv.FormatUint(r.LeftOut, 10), "row") + " with errors left out")
	}
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

// subjectOf is what outputs call a row. A client-orderid that holds the card number of
// its own row is masked; any other is what scripts join on, and shown as it is.
func subjectOf(p *book.Profile) record.Subject {
	return record.Subject{Profile: p.ShownID, File: p.File, Row: p.Number, Currency: p.Currency, Callback: p.ShownCallback()}
}

// A rowHandler is what a command does with the rows of payloads. begin comes once the form is known, which is then in the
// header; neither it nor end is called for input that is not a payload. end gets true if the input was read to its end.
type rowHandler struct {
	begin func() // may be nil
	row   func(*book.Profile) error
	// passed, which may be nil, is called for the rows that --profile and --exclude leave out; with all row is called for
	// them too.
	passed func(id string)
	all    bool
	end    func(whole bool)
	// before, which may be nil, reads the payloads once before anything else, without a message about them.
	before func(*book.Reader, []payloadFile) error
	// through is the last day that is asked about; zero for the header's.
	through calendar.Date
	// advise reports that the output is for people, and ends with advice about errors.
	advise bool
	// problem, which may be nil, is called for each problem of the selected rows, also before begin.
	problem func(ledger.Finding)
}

// read goes through the rows of one or several payloads, joined with their states, until the
// output fails. It reports what is wrong, and ends with errFindings where something was.
func (s *selection) read(a *app, paths []string, h *header, do rowHandler) error {
	if err := oneStdin(slices.Concat(paths, s.states)...); err != nil {
		return err
	}
	saved, err := s.readStates(a, h.AsOf, h.Policy)
	if err != nil {
		return err
	}
	options := s.options(h.AsOf, cmp.Or(do.through, h.Until, h.AsOf), h.Policy, saved)
	files, err := s.open(a, paths, options, saved, do.before)
	if err != nil {
		return err
	}
	defer closeAll(files)
	r := &payloadRun{rows: newRows(a, newSelector(s.profiles, s.excluded)), header: h, out: a.out, saved: saved, do: do, several: len(files) > 1}
	r.advise, r.problem, r.States = do.advise, do.problem, saved.States
	for i, f := range files {
		name := ""
		if len(files) > 1 {
			name = typed(paths[i])
		}
		r.open(f.input, name, f.options)
		if err = r.readFile(f.input); err != nil {
			break
		}
	}
	return r.finish(err)
}

// open opens the payloads, after before has read them.
func (s *selection) open(a *app, paths []string, o rules.Options, saved *states, before func(*book.Reader, []payloadFile) error) ([]payloadFile, error) {
	if before == nil {
		return a.openAll(paths, o)
	}
	again, err := a.openAgain(paths, false)
	if err != nil {
		return nil, err
	}
	first := o
	first.IDs = new(rules.OrderIDs)
	files, err := openEach(a, again, first)
	if err != nil {
		return nil, err
	}
	silent := &book.Reader{
		States: saved.Fresh(func(ledger.Finding) bool { return true }),
		Select: newSelector(s.profiles, s.excluded).selects, Report: func(ledger.Finding) {},
	}
	err = before(silent, files)
	closeAll(files)
	if err != nil {
		return nil, err
	}
	return openEach(a, again, o)
}

func openEach(a *app, again []rereadable, o rules.Options) (files []payloadFile, err error) {
	for _, r := range again {
		f, err := r.payload(a, o)
		if err != nil {
			closeAll(files)
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

// A payloadRun hands the rows of the files to a rowHandler.
type payloadRun struct {
	*rows
	header *header
	out    *output
	saved  *states
	do     rowHandler
	begun  bool

	several bool // files
	used    int  // rows
}

// readFile goes through the rows of one file.
func (r *payloadRun) readFile(in *input) error {
	for row := range r.Profiles() {
		r.start()
		r.use(row)
		if r.out.err != nil && !(r.do.all && r.out.isLost()) {
			return r.out.err
		}
	}
	if sum := r.Payload().Summary(); !sum.Unreadable {
		r.start()
		r.header.forms = append(r.header.forms, sum.Input.String())
	}
	return r.endOfFile(in)
}

// start begins the output, once.
func (r *payloadRun) start() {
	if r.begun {
		return
	}
	r.begun = true
	r.header.Input = r.Payload().Summary().Input.String()
	if r.several {
		r.header.Input = ""
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
	r.header.leftOut, r.header.unsendable, r.header.saysNew = r.LeftOut, r.unsent.rows, r.log.saysNew()
	nothing := ended == nil && r.do.advise && !r.out.wrote && (r.used == 0 && r.hasFileError || r.selector.failed() != nil)
	if r.begun && !nothing { // else the error alone is said
		r.do.end(ended == nil)
	}
	r.saved.finish()
	if err := r.rows.finish(ended); err != nil {
		return errors.Join(r.out.err, err)
	}
	return errors.Join(r.out.err, r.findings(r.saved))
}

// use does with a row what is to be done.
func (r *payloadRun) use(row *book.Profile) {
	if row.Left {
		if r.do.passed != nil {
			r.do.passed(row.OrderID())
		}
		if !r.do.all || !r.Join(row) {
			return
		}
	}
	if err := r.do.row(row); err != nil {
		r.Refuse(row, err)
	} else if r.used++; !row.Left {
		r.unsent.count(row, r.log.file)
	}
}

// findings is errFindings or errIncomplete if there were errors.
func (r *rows) findings(saved *states) error {
	switch {
	case r.hasFileError:
		return errIncomplete
	case r.hasError || saved.findings.errors > 0:
		return errFindings
	}
	return nil
}
