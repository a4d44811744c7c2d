package main

import (
	"bytes"
	"cmp"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/internal/exportform"
	"github.com/chargecast/chargecast/internal/exportmap"
	"github.com/chargecast/chargecast/internal/program"
	"github.com/chargecast/chargecast/rules"
)

func newPayloadFix(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "fix [FILE]",
		Short: "Turns an export into a payload, and lists what was changed",
		Long: `fix turns an export into a payload: it corrects what is certain, and sums up on
stderr what it changed and what it refused. What would need a guess stays as it
was, and the exit code is 1; flags, or the lines of a map, decide it. --draft writes
a map with a line for each question. A --value of a period may be month*12. fix does
not validate. It reads its input twice, and keeps up to 256 MiB of a pipe in memory.`,
		Example: `  chargecast payload fix --draft export.map export.csv >payload.csv
  chargecast payload fix --map export.map export.csv >payload.csv`,
		Args: atMostOne,
	}
	f := fix{command: c}
	var forms exportform.Forms
	c.Flags().Var(&f.encoding, "encoding", "text encoding: ansi, or a `NAME` like windows-1252")
	formsVar(c, &forms)
	c.Flags().Var(&f.lists[listColumns], "rename", "`NAME=COLUMN` renames a column; may be repeated")
	c.Flags().Var(&f.lists[listValues], "value", "`COLUMN:VALUE=VALUE` replaces; may be repeated")
	c.Flags().Var(&f.lists[listSets], "set", "`COLUMN=VALUE` fills empty cells; may be repeated")
	c.Flags().StringVar(&f.mapFile, "map", "", "`FILE` with such decisions, one a line")
	c.Flags().StringVar(&f.draft, "draft", "", "write decisions and open questions to `FILE`, a map")
	c.Flags().BoolVar(&f.dropUnknown, "drop-unknown", false, "remove columns that the document does not have")
	c.Flags().BoolVar(&f.dropEmpty, "drop-empty", false, "remove rows without a value, and blank lines")
	c.Flags().BoolVar(&f.listChanges, "list-changes", false, "list each change, with its place")
	format := program.Output(c, "text", "json")
	input := inputFlag(c)
	var shown findingFlags
	shown.registerFindings(c)
	c.RunE = func(_ *cobra.Command, args []string) error {
		a.log.quiet = shown.quiet
		f.path = argument(args)
		f.records = format.V == "json"
		f.decisions.Forms = forms
		f.Options = rules.Options{Input: inputNamed(input.V), Severity: shown.severity}
		if err := f.begin(a); err != nil {
			return err
		}
		return f.run(a)
	}
	return c
}

// A listFlag collects the values of a flag that may be repeated.
type listFlag []string

func (l *listFlag) Set(s string) error { *l = append(*l, s); return nil }
func (l *listFlag) String() string     { return strings.Join(*l, ", ") }
func (*listFlag) Type() string         { return "VALUE" }
func (*listFlag) Repeats()             {}

// The lists of flags.
const (
	listColumns = iota
	listValues
	listSets
	lists
)

// fix is one run of payload fix.
type fix struct {
	rules.Fixer
	command                *cobra.Command
	path                   string
	encoding               encodingFlag
	lists                  [lists]listFlag
	mapFile, draft         string
	dropUnknown, dropEmpty bool
	listChanges, records   bool
	decisions              decisions
	sums                   exportmap.Sums
}

// begin turns the flags and the map into what a Fixer knows.
func (f *fix) begin(a *app) error {
	d := &f.decisions
	d.encoding, d.Encoding, d.DropUnknown, d.DropEmpty = f.encoding, f.encoding.name, f.dropUnknown, f.dropEmpty
	for kind, flag := range [...]string{"rename", "value", "set"} {
		for _, s := range f.lists[kind] {
			if err := d.addFlag(flag, s); err != nil {
				return err
			}
		}
	}
	if f.command.Flags().Changed("map") {
		if err := d.readMap(a, f.mapFile); err != nil {
			return err
		}
	}
	if f.command.Flags().Changed("draft") {
		switch {
		case f.draft == "" || isStdin(f.draft):
			return usage("--draft needs the name of a file, not stdout", "such as --draft export.map")
		case sameFile(f.draft, f.mapFile):
			return usage("--draft: this is the file of --map", "give another name, and compare the two")
		case sameFile(f.draft, f.path):
			return usage("--draft: this is the file that is read", "give another name")
		}
	}
	if err := d.check(); err != nil {
		return err
	}
	d.into(&f.Fixer)
	return nil
}

// sameFile reports whether two paths name one file.
func sameFile(a, b string) bool {
	if a == b {
		return a != ""
	}
	one, err1 := os.Stat(a)
	other, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(one, other)
}

// run mends one payload.
func (f *fix) run(a *app) error {
	in, err := a.openTwice(f.path, &f.Options, f.encoding.of != nil || f.decisions.encoding.of != nil)
	if err != nil {
		return err
	}
	defer func() { in.close() }()
	f.Report = func(c rules.Change) {
		f.sums.Add(c)
		switch {
		case f.records:
			a.log.record(bytes.TrimSuffix(program.JSON(c), []byte{10}))
		case f.listChanges && (c.Refused || !a.log.quiet):
			a.log.line(f.changeLine(in.name, c))
		}
	}
	some := false
	done, err := f.Fix(bytesTo{a.out, &some}, in)
	if a.out.err != nil {
		return a.out.err
	}
	for _, p := range done.Findings {
		p.Hint = "" // which leads here
		a.reportFinding(in.name, p)
	}
	switch failed, ok := errors.AsType[*failure](err); {
	case ok:
		return failed
	case err != nil && in.failed() != nil:
		return in.failed()
	case err != nil:
		return unreadable(in.name+": it changed while it was read", "run it again")
	case isUnreadable(done.Findings):
		return &failure{Code: exitUnreadable}
	case !some && done.Findings.Err() == nil && done.Refused > 0 && done.Rows == 0:
		return a.reportEmpty(in.input)
	}
	seen := done
	var guess string
	if n := seen.NoInterval; n > 0 && !f.records {
		have := " have a period and no interval: --set interval=1 makes it 1"
		if n == 1 {
			have = " has a period and no interval: --set interval=1 makes it 1"
		}
		a.log.line(counted(strconv.Itoa(n), "row") + have)
	}
	if done.Encoding && f.decisions.Encoding == "" {
		if seen, guess, err = exportmap.LookAsWindows(f.Fixer, in, windows1252().decode(), f.sums.Add); err != nil {
			return err
		}
	}
	if f.draft != "" {
		if err := a.replaceFile("--draft", f.draft, f.newDraft(seen, guess).Text); err != nil {
			return err
		}
	}
	if !f.records {
		f.sumUp(a, in.name, done, seen)
	}
	if failed := (&writeError{Err: a.log.err}); a.log.err != nil && !failed.ClosedPipe() {
		return internal("the changes cannot be written to stderr: "+reason(a.log.err), "send stderr to another place, and run it again")
	}
	if done.Refused > 0 || done.Findings.Err() != nil {
		return errFindings
	}
	return nil
}

// newDraft is a map with what is decided, and with what is not.
func (f *fix) newDraft(seen rules.Fixed, encoding string) *exportmap.Draft {
	return exportmap.NewDraft(&f.decisions.Decisions, seen, encoding, f.sums)
}

// lacksCurrency reports whether amounts were refused for a currency that no column has: a value for it decides them.
func (f *fix) lacksCurrency(seen rules.Fixed) bool {
	return slices.Contains(seen.Missing, rules.ColumnCurrency) &&
		slices.ContainsFunc(f.sums, func(s *exportmap.Sum) bool { return s.Refused && s.Code == "currency-sign" })
}

// mostByHand is how many rows to correct by hand are named.
const mostByHand = 10

// byHand names the rows with what was refused and no line of a map decides, by their lines in the file and their
// client-orderids: rows have other numbers in what is written once empty ones are removed. It is empty where there are none.
func (f *fix) byHand(seen rules.Fixed) string {
	var rows []exportmap.Row
	more := "and "
	for _, s := range f.sums {
		if s.Refused && f.deciding(s.Change) == "" && !(s.Code == "currency-sign" && f.lacksCurrency(seen)) {
			rows = append(rows, s.Rows...)
			if len(s.Rows) == exportmap.MostRows {
				more = "and at least "
			}
		}
	}
	if len(rows) == 0 {
		return ""
	}
	slices.SortStableFunc(rows, func(a, b exportmap.Row) int { return cmp.Or(a.Number-b.Number, a.Line-b.Line) })
	rows = slices.CompactFunc(rows, func(a, b exportmap.Row) bool { return a.Number == b.Number })
	var named []string
	for _, row := range rows[:min(len(rows), mostByHand)] {
		named = append(named, "line "+strconv.Itoa(row.Line)+profileOf(row.Profile, " (", ")"))
	}
	if left := len(rows) - mostByHand; left > 0 {
		named = append(named, more+strconv.Itoa(left)+" more")
	}
	return nameOf(f.path) + " " + strings.Join(named, ", ")
}

// profileOf is a profile between two texts; empty where there is none.
func profileOf(id, before, after string) string {
	if id == "" {
		return ""
	}
	return before + visible(id) + after
}

// deciding is the flag that decides what is refused under a code, as long as it is not given.
func (f *fix) deciding(c rules.Change) string {
	switch d := &f.decisions; {
	case c.Code == "encoding" && d.Encoding == "":
		return "--encoding windows-1252 or another NAME"
	case c.Code == "header-unknown":
		return "--rename " + program.ShellWord(cmp.Or(c.Name, "NAME")+"="+cmp.Or(c.Near.String(), "COLUMN")) + " or --drop-unknown"
	case c.Code == "column-ambiguous":
		return "--rename " + program.ShellWord(cmp.Or(c.Name, "NAME")+"="+c.Column.String())
	case c.Code == "row-empty":
		return "--drop-empty"
	case c.Code == "date-order" && d.Forms.Dates == 0:
		return "--dates dmy|mdy|ymd"
	case c.Code == "date-century" && d.Forms.Dates == 0:
		return "--century 20 --dates dmy|mdy|ymd"
	case c.Code == "date-century":
		return "--century 20"
	case c.Code == "decimal-comma" && d.Forms.Decimal == 0:
		return "--decimal comma|point"
	case c.Code == "word-unknown":
		return "--value " + program.ShellWord(c.Column.String()+":VALUE=CODE")
	case c.Code == "period-longer":
		return "--value 'period:VALUE=month*12'"
	}
	return ""
}

// changeLine is a change for people.
func (f *fix) changeLine(file string, c rules.Change) string {
	place := file + ":" + strconv.Itoa(c.Line) + ":" + strconv.Itoa(c.Col) + ": "
	row := ""
	if c.Row > 0 {
		row = "row " + strconv.Itoa(c.Row) + ": "
	}
	return place + did(c) + ": " + row + subject(c) + f.explained(c)
}

func did(c rules.Change) string {
	if c.Refused {
		return "refused"
	}
	return "changed"
}

// subject is what a change is about: a column, by its name in the file where it has no other.
func subject(c rules.Change) string {
	switch {
	case c.Field > 0 && c.Name != "":
		return "column " + quoted(c.Name) + ": "
	case c.Field > 0:
		return "column " + strconv.Itoa(c.Field) + " of the header: "
	case c.Column != 0:
		return c.Column.String() + ": "
	}
	return ""
}

// explained is what was done, or why not and what decides it, with the code.
func (f *fix) explained(c rules.Change) string {
	rule, text := exportmap.Repair(c.Code), ""
	switch flag := f.deciding(c); {
	case !c.Refused:
		text = rule.Text
	case c.Near != 0:
		text = "did you mean " + c.Near.String() + "? " + flag + " decides it"
	case flag != "":
		text = cmp.Or(rule.Note, rule.Text) + "; " + flag + " decides it"
	case c.Code == "decimal-comma" && f.decisions.Forms.Decimal == exportform.Comma:
		text = "a comma before three digits would become a point, which --decimal comma reads as a mark between thousands; write the amount with the decimals of its currency"
	case c.Code == "decimal-comma":
		text = "the amount has a decimal comma, and --decimal point is given; " + rule.Help
	case c.Code == "encoding":
		text = "the text is not in the encoding that is given; leave out --encoding if it is UTF-8, or give another name"
	default:
		text = cmp.Or(rule.Note, rule.Text) + "; " + rule.Help
	}
	return text + " [" + string(c.Code) + "]"
}

// sumUp reports what was done, what is left and what comes next.
func (f *fix) sumUp(a *app, file string, done, seen rules.Fixed) {
	for _, refused := range [...]bool{false, true} {
		if f.listChanges || a.log.quiet && !refused {
			continue
		}
		for _, s := range f.sums {
			if s.Refused == refused {
				a.log.line(did(s.Change) + ": " + renamed(s.Change, seen) + subject(s.Change) + f.explained(s.Change) + where(s))
			}
		}
	}
	if done.Encoding && f.decisions.Encoding == "" {
		a.log.line(file + ": " + counted(strconv.Itoa(seen.Rows), "row") + ", nothing mended: its encoding is not known, and until that is decided it is written as it is. " +
			"It was looked at as windows-1252 for what else is to be decided.")
	} else {
		a.log.line(file + ": " + counted(strconv.Itoa(done.Rows), "row") + ", " + counted(strconv.Itoa(done.Changes), "change") +
			", " + strconv.Itoa(done.Refused) + " refused")
	}
	if n := seen.NoCard; n > 0 {
		have := " have no full card number: they can be forecast, not sent"
		if n == 1 {
			have = " has no full card number: it can be forecast, not sent"
		}
		a.log.line(counted(strconv.Itoa(n), "row") + have)
	}
	var left []string
	for r := range rules.Repairs() {
		n := 0
		for _, s := range f.sums {
			if s.Code == r.Code && s.Refused {
				n += s.Count
			}
		}
		if n > 0 {
			left = append(left, strconv.Itoa(n)+" "+string(r.Code))
		}
	}
	if len(left) > 0 {
		a.log.line("Left: " + strings.Join(left, ", ") + ".")
	}
	before, command := f.next(seen)
	if before != "" {
		a.log.line(before)
	}
	a.log.record([]byte("Next: " + command)) // in one line, which a terminal wraps and pastes whole
}

// renamed is the name in the file of a column whose name was changed, or that is one of two.
func renamed(c rules.Change, seen rules.Fixed) string {
	for _, column := range seen.Columns {
		if c.Row == 0 && c.Column != 0 && column.Column == c.Column && column.Name != "" {
			return "column " + quoted(column.Name) + " is "
		}
	}
	return ""
}

// where is how many places a sum is about, and where the first is.
func where(s *exportmap.Sum) string {
	switch {
	case s.Row == 0:
		return ""
	case s.Column == 0 && s.Field == 0:
		return ": " + counted(strconv.Itoa(s.Count), "row") + ", first row " + strconv.Itoa(s.Row) + " (line " + strconv.Itoa(s.Line) + profileOf(s.Profile, ", ", "") + ")"
	}
	return ": " + counted(strconv.Itoa(s.Count), "cell") + ", first in row " + strconv.Itoa(s.Row) + " (line " + strconv.Itoa(s.Line) + profileOf(s.Profile, ", ", "") + ")"
}

// next is the command to run next, and what to do before it.
func (f *fix) next(seen rules.Fixed) (before, command string) {
	to := " >payload.csv"
	if strings.HasSuffix(f.path, "payload.csv") {
		to = " >mended.csv"
	}
	open := f.newDraft(seen, "").Questions
	hand := f.byHand(seen)
	if hand != "" {
		hand = "Correct these by hand: " + hand + "."
	}
	switch {
	case !slices.ContainsFunc(f.sums, func(s *exportmap.Sum) bool { return s.Refused }):
		if seen.NoCard > 0 && seen.NoInterval == 0 && !slices.ContainsFunc(seen.Missing, func(c rules.Column) bool { return !exportmap.OnlySent(c) }) {
			return "", f.commandLine() + " | chargecast forecast --until +1y"
		}
		return "", f.commandLine() + " | chargecast validate"
	case f.draft != "" && len(open) > 0:
		return strings.TrimSpace("Decide what has a ? in " + program.ShellWord(f.draft) + ". " + hand), "chargecast payload fix --map " + program.ShellWord(f.draft) + f.argument() + to
	case f.lacksCurrency(seen) || slices.ContainsFunc(open, func(q exportmap.Question) bool { return q.Kind != "set" }):
		return strings.TrimSpace("Write a draft of a map, which lists each decision that is left. " + hand), f.commandLine("--draft", "fix.map") + to
	}
	return cmp.Or(hand, "Correct by hand what is left."), f.commandLine() + to
}

// commandLine is the command as it was typed, with more flags.
func (f *fix) commandLine(more ...string) string {
	words := []string{"chargecast payload fix"}
	flags := f.command.Flags()
	for _, name := range flagNames(f.command) {
		flag := flags.Lookup(name)
		if flag == nil || !flag.Changed || slices.Contains([]string{"list-changes", "draft", "output", "quiet", "color"}, name) {
			continue
		}
		switch v := flag.Value.(type) {
		case *listFlag:
			for _, s := range *v {
				words = append(words, "--"+name, program.ShellWord(s))
			}
		default:
			if flag.Value.Type() == "bool" {
				words = append(words, "--"+name)
			} else {
				words = append(words, "--"+name, program.ShellWord(flag.Value.String()))
			}
		}
	}
	for _, word := range more {
		words = append(words, program.ShellWord(word))
	}
	return strings.Join(words, " ") + f.argument()
}

// argument is the FILE as a word of a command.
func (f *fix) argument() string {
	if f.path == "-" {
		return ""
	}
	return " " + program.ShellWord(f.path)
}

// A twice is a payload that is read from its beginning as often as it is asked for.
type twice struct {
	*input
	fresh   bool
	app     *app
	file    rereadable
	options rules.Options
}

// openTwice opens a payload, with the options that fit its form.
func (a *app) openTwice(path string, o *rules.Options, encoded bool) (*twice, error) {
	files, err := a.openAgain([]string{path}, encoded)
	if err != nil {
		return nil, err
	}
	t := &twice{fresh: true, app: a, file: files[0], options: *o}
	in, err := t.file.payload(a, *o)
	t.input, *o = in.input, in.options
	return t, err
}

func (t *twice) Read(p []byte) (int, error) {
	t.fresh = false
	return t.input.Read(p)
}

// Seek goes to the beginning, which is all that is asked for.
func (t *twice) Seek(int64, int) (int64, error) {
	if t.fresh {
		return 0, nil
	}
	t.close()
	next, err := t.file.payload(t.app, t.options)
	if err == nil {
		t.input, t.fresh = next.input, true
	}
	return 0, err
}
