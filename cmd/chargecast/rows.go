package main

import (
	"errors"
	"iter"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/rules"
)

// A selection is the flags that say which rows of a payload count, and from which state
// they go on.
type selection struct {
	input    *choice
	profiles idsFlag
	excluded idsFlag
	state    string
	severity severityFlag
	quiet    bool
	limits   limits
}

func (s *selection) register(c *cobra.Command) {
	s.registerProfiles(c)
	s.registerPayload(c)
}

func (s *selection) registerProfiles(c *cobra.Command) {
	c.Flags().Var(&s.profiles, "profile", "only profiles with this client-orderid or pattern (*, ?, [a-z]); may be repeated")
	c.Flags().Var(&s.excluded, "exclude", "leave out profiles with this client-orderid or pattern; may be repeated")
}

// registerPayload adds the flags that say how rows are read and where they go on.
func (s *selection) registerPayload(c *cobra.Command) {
	c.Flags().StringVar(&s.state, "state", "", "`FILE` with the states of stored profiles, JSON lines")
	s.input = inputFlag(c)
	s.registerFindings(c)
	s.limits.register(c)
}

// registerFindings adds the flags that say what is said of a payload.
func (s *selection) registerFindings(c *cobra.Command) {
	c.Flags().Var(&s.severity, "severity", "another severity for a code: error, warning or off; may be repeated")
	c.Flags().BoolVar(&s.quiet, "quiet", false, "leave out warnings")
}

func inputFlag(c *cobra.Command) *choice {
	f := oneOf("auto", "csv", "base64", "form")
	c.Flags().Var(f, "input", "form of the payload; auto recognises it")
	return f
}

// rows reads a payload, reports its problems on stderr and yields the rows that can be used.
type rows struct {
	log    findingLog
	reader *rules.Reader // of the file at hand
	name   string        // … as records call it; empty if it is the only one

	selector selector
	bad      bool // there was an error
	badFile  bool // … which is about no row

	progress progress
}

func newRows(a *app, s selector) *rows {
	return &rows{log: findingLog{log: a.log}, progress: a.newProgress(), selector: s}
}

// open turns to the next file.
func (r *rows) open(in *input, o rules.Options) {
	r.log.file, o.File = in.name, in.name
	if r.reader == nil {
		r.reader = rules.NewReader(in, o)
	} else {
		r.reader = r.reader.Next(in, o)
	}
}

// A joined is a row without errors and the state of its profile.
type joined struct {
	*rules.Row
	state    engine.State
	file     string // which has it, if there are several
	left     bool   // --profile or --exclude leaves it out
	repeated bool   // an earlier row has the same client-orderid
	// cardMatters reports that what was found about the card's expiry is to be said: a charge of the
	// output is after it.
	cardMatters bool
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
				others, _ := aboutCard(problems)
				r.report(others)
				continue
			}
			j = joined{Row: row, file: r.name, left: !r.selector.selects(row), repeated: slices.ContainsFunc(problems, isRepetition)}
			if j.left {
				problems = slices.DeleteFunc(problems, ofOneRow)
			}
			about, held := aboutCard(problems)
			r.report(about)
			goOn := yield(&j)
			if j.cardMatters {
				r.report(held)
			}
			if !goOn {
				return
			}
		}
	}
}

// aboutCard parts warnings about the card's expiry from the other findings of a row.
func aboutCard(problems ledger.Findings) (others, card ledger.Findings) {
	switch {
	case !slices.ContainsFunc(problems, isAboutCard):
		return problems, nil
	case len(problems) == 1:
		return nil, problems
	}
	for _, p := range problems {
		if isAboutCard(p) {
			card = append(card, p)
		} else {
			others = append(others, p)
		}
	}
	return others, card
}

func isAboutCard(p ledger.Finding) bool {
	return p.Severity == ledger.SeverityWarning && (p.Code == rules.CardExpired || p.Code == rules.CardExpiresBeforeCharge)
}

func isRepetition(p ledger.Finding) bool { return p.Code == rules.OrderIDDuplicate }

// ofOneRow reports whether a problem is a warning about a row, which does not matter where another
// row was selected.
func ofOneRow(p ledger.Finding) bool { return p.Place.Row > 0 && p.Severity != ledger.SeverityError }

func (r *rows) report(problems ledger.Findings) {
	for _, p := range problems {
		if p.Severity == ledger.SeverityOff {
			continue
		}
		if p.Severity == ledger.SeverityError {
			r.bad = true
			r.badFile = r.badFile || p.Place.Row == 0
		}
		r.log.report(inCommand(p))
	}
}

// finding writes a finding and what to do about it.
func (m *messages) finding(file string, p ledger.Finding) {
	m.line(problemLine(file, p))
	if p.Help != "" {
		m.line("  help: " + visible(p.Help))
	}
}

// problemLine is a problem as compilers report theirs.
func problemLine(file string, p ledger.Finding) string {
	b := []byte(file)
	if p.Place.Line > 0 {
		b = strconv.AppendInt(append(b, ':'), int64(p.Place.Line), 10)
		b = strconv.AppendInt(append(b, ':'), int64(p.Place.Col), 10)
	}
	b = append(b, ": "+p.Severity.String()+": "+string(p.Code)+": "...)
	if p.Subject != "" {
		b = append(b, p.Subject+": "...)
	}
	b = append(b, visible(p.Message)...)
	return string(append(b, profileOf(p, " (profile ", ")")...))
}

// profileOf is the client-orderid of the row that a finding is about, between two texts; empty
// where it has none.
func profileOf(p ledger.Finding, before, after string) string {
	if p.Place.Profile == "" {
		return ""
	}
	return before + visible(p.Place.Profile) + after
}

// refuse reports that a row without errors cannot be used, by the policy or its state.
func (r *rows) refuse(row *rules.Row, err error) {
	r.bad = true
	f, ok := errors.AsType[ledger.Finding](err)
	if !ok {
		f = ledger.Finding{Code: "row", Severity: ledger.SeverityError, Message: err.Error()}
	}
	if fault, ok := errors.AsType[engine.Fault](err); ok {
		f.Code = fault.Code()
	}
	f.Place = ledger.Place{Profile: row.ShownID(), Row: row.Number, Line: row.Line, Col: 1}
	r.report(ledger.Findings{f})
}

// endOfFile says how the reading of a file ended.
func (r *rows) endOfFile(in *input) error {
	if err := in.failed(); err != nil {
		return err
	}
	if r.reader.Summary().Unreadable {
		return &failure{code: exitUnreadable}
	}
	return nil
}

// finish reports what is left after the last file, or after the one that ended with an error.
func (r *rows) finish(failed error) error {
	r.log.finish()
	if sum := r.reader.Summary(); sum.OrderIDsCut {
		r.log.log.line(r.log.file + ": note: a repeated client-orderid was looked for among the first " + strconv.Itoa(sum.OrderIDs) + " rows only")
	}
	if failed != nil {
		return failed
	}
	if flag, hint := r.selector.unmet(); flag != "" {
		text := flag + ": no row that can be used has this client-orderid" + visible(hint)
		if r.bad { // it may be that of a row with errors
			return &failure{exitFindings, text, "rows with errors are left out; see the errors above"}
		}
		return usage(text, "")
	}
	return nil
}

func sortedCounts(m map[ledger.Code]int) iter.Seq2[ledger.Code, int] {
	return func(yield func(ledger.Code, int) bool) {
		codes := make([]ledger.Code, 0, len(m))
		for c := range m {
			codes = append(codes, c)
		}
		slices.Sort(codes)
		for _, c := range codes {
			if !yield(c, m[c]) {
				return
			}
		}
	}
}

// maxOrderIDs is for how many rows a repeated client-orderid is looked for: with more,
// the table would not fit beside the rest into the memory that is promised for any
// number of rows.
const maxOrderIDs = 700_000

// options are those under which a command reads a payload to forecast it. What the
// policy says of a start-date is about the creation of a profile (Y10), and a profile
// with a state exists: that is for engine.Compile to judge.
func (s *selection) options(asOf calendar.Date, policy engine.Policy) rules.Options {
	form, _ := rules.ParseInput(s.input.value)
	if s.state != "" {
		policy = policy.WithReading(ledger.L02, 0).WithReading(ledger.L03, 0)
	}
	return s.limits.bound(rules.Options{AsOf: asOf, Policy: policy, Input: form, Severity: s.severity, MaxOrderIDs: maxOrderIDs})
}

// subject is what outputs call a row. A client-orderid that holds the card number of
// its own row is masked; any other is what scripts join on, and shown as it is.
func (j *joined) subject() record.Subject {
	return record.Subject{Profile: j.ShownID(), File: j.file, Row: j.Number, Currency: j.Currency, Callback: callbackOf(j.Row)}
}

// callbackOf is the address that is called once a charge of the row has a final status
// (clause 6), with what could be a card number masked; empty for none. Two of them are
// an error of the row.
func callbackOf(row *rules.Row) string {
	if url := row.Cell(rules.ColumnServerCallbackURL).Reveal(); url != "" {
		return rules.Mask(0, url)
	}
	return rules.Mask(0, row.Cell(rules.ColumnNotifyURL).Reveal())
}

// manyStates is how many states need more memory than rows do.
const manyStates = 10_000

// A reading is what is done with a payload. begin comes once its form is known, which
// is then in the header; neither it nor end comes for what is no payload.
// passed, which may be nil, is called for the rows that --profile and --exclude leave out; with all
// row is called for them too.
type reading struct {
	begin  func()
	row    func(*joined) error
	passed func(id string)
	all    bool
	end    func()
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
	options := s.options(h.asOf, h.policy)
	if s.state != "" {
		options.State = saved.stored
	}
	files, err := a.openAll(paths, options)
	if err != nil {
		return err
	}
	defer closeAll(files)
	if saved.lines.Len() < manyStates {
		a.keepSmall()
	}
	r := &payloadRun{rows: newRows(a, newSelector(s.profiles, s.excluded)), header: h, out: a.out, saved: saved, do: do}
	for i, f := range files {
		r.open(f.input, f.options)
		if len(files) > 1 {
			r.name = visible(paths[i])
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
	if !r.reader.Summary().Unreadable {
		r.start()
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
		r.saved.pass(row.OrderID)
		if r.do.passed != nil {
			r.do.passed(row.OrderID)
		}
		if !r.do.all {
			return
		}
	}
	var ok bool
	if row.state, ok = r.saved.join(row); !ok {
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
