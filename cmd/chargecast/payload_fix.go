package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/transform"

	"github.com/chargecast/chargecast/internal/exportform"
	"github.com/chargecast/chargecast/internal/program"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

func newPayloadFix(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "fix [FILE]",
		Short: "Mends an export into a payload, and lists each change",
		Long: `fix writes the CSV of a payload with what is certain mended, and lists each change on stderr.
What would need a guess stays as it was, is listed as refused with the flag that decides it,
and the exit code is 1. --list shows what fix mends and refuses, and the aliases of columns.
It does not check the payload: chargecast validate does. The input is read twice: of a pipe
at most 32 MiB are kept in memory for that, of a file nothing. The output is always CSV,
card data included.`,
		Example: `  chargecast payload fix export.csv >payload.csv
  chargecast payload fix --encoding windows-1252 --dates dmy --century 20 --decimal comma \
      --rename Kundennr=client-orderid --drop-unknown --drop-empty export.csv >payload.csv`,
		Args: atMostOne,
	}
	var f fix
	c.Flags().Var(&f.encoding, "encoding", "encoding of the text, a `NAME` of the web such as windows-1252")
	c.Flags().TextVar(&f.Forms.Dates, "dates", exportform.Dates(0), "`ORDER` of day, month and year in dates: dmy, mdy or ymd")
	c.Flags().TextVar(&f.Forms.Century, "century", exportform.Century(0), "first two digits of years that have two, such as `20`")
	c.Flags().TextVar(&f.Forms.Decimal, "decimal", exportform.Decimal(0), "`MARK` before decimals, comma or point; marks between thousands and the currency go")
	c.Flags().Var(&f.renames, "rename", "what a name in the header stands for; may be repeated")
	c.Flags().BoolVar(&f.DropUnknown, "drop-unknown", false, "remove columns whose names are none")
	c.Flags().BoolVar(&f.DropEmpty, "drop-empty", false, "remove rows without a value, and blank lines")
	list := c.Flags().Bool("list", false, "list what is mended and refused, and the aliases of columns")
	format := program.Output(c, "text", "json")
	input := inputFlag(c)
	var tell selection
	tell.registerFindings(c)
	var l limits
	l.registerSizes(c)
	c.RunE = func(_ *cobra.Command, args []string) error {
		if *list {
			if len(args) > 0 {
				return usage("--list reads no file", "leave out the file or --list")
			}
			a.listRepairs(format.V == "json")
			return nil
		}
		a.log.quiet = tell.quiet
		f.Options = l.bound(rules.Options{Input: inputNamed(input.V), Severity: tell.severity})
		f.records = format.V == "json"
		if err := f.begin(); err != nil {
			return err
		}
		return f.run(a, argument(args))
	}
	return c
}

// fix is one run of payload fix.
type fix struct {
	rules.Fixer
	encoding encodingFlag
	renames  renames
	records  bool
	refused  map[ledger.Code]int
}

// begin turns what the flags say into what a Fixer knows.
func (f *fix) begin() error {
	f.refused = map[ledger.Code]int{}
	f.Rename = map[string]rules.Column{}
	for _, r := range f.renames {
		column, ok := rules.ColumnOf(r.Column)
		if !ok {
			return usage("--rename: what is after the equals sign is not a column"+didYouMean(r.Column, columnNames(), ""), "chargecast explain column-unknown lists them")
		}
		f.Rename[r.Name] = column
	}
	f.Decode = f.encoding.decode()
	return nil
}

func columnNames() (names []string) {
	for s := range rules.Columns() {
		names = append(names, s.Name)
	}
	return names
}

// run mends one payload.
func (f *fix) run(a *app, path string) error {
	in, err := a.openTwice(path, &f.Options)
	if err != nil {
		return err
	}
	defer in.close()
	f.Report = func(c rules.Change) {
		if c.Refused {
			f.refused[c.Code]++
		}
		if f.records {
			a.log.record(c.AppendJSON(nil))
		} else {
			a.log.line(f.changeLine(in.name, c))
		}
	}
	some := false
	done, err := f.Fix(bytesTo{a.out, &some}, in)
	if a.out.err != nil {
		return a.out.err
	}
	for _, p := range done.Findings {
		a.tellFinding(in.name, p, fixHint)
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
		return a.tellEmpty(in.input)
	}
	if !f.records {
		f.tellRest(a, in.name, done)
	}
	if failed := (&writeError{Err: a.log.err}); a.log.err != nil && !failed.ClosedPipe() {
		return internal("the changes cannot be written to stderr: "+reason(a.log.err), "send stderr to another place, and run it again")
	}
	if done.Refused > 0 || done.Findings.Err() != nil {
		return errFindings
	}
	return nil
}

// deciding are the flags that decide what is refused under a code, as long as they do not say anything.
func (f *fix) deciding(c ledger.Code) string {
	switch {
	case c == "encoding" && f.encoding.name == "":
		return "--encoding NAME"
	case c == "header-unknown":
		return "--rename NAME=COLUMN or --drop-unknown"
	case c == "row-empty":
		return "--drop-empty"
	case c == "date-order" && f.Forms.Dates == 0:
		return "--dates dmy|mdy|ymd"
	case c == "date-century" && f.Forms.Dates == 0:
		return "--century 20 --dates dmy|mdy|ymd"
	case c == "date-century":
		return "--century 20"
	case c == "decimal-comma" && f.Forms.Decimal == 0:
		return "--decimal comma|point"
	}
	return ""
}

// changeLine is a change for people.
func (f *fix) changeLine(file string, c rules.Change) string {
	b := fmt.Appendf(nil, "%s:%d:%d: ", file, c.Line, c.Col)
	if c.Refused {
		b = append(b, "refused: "...)
	} else {
		b = append(b, "changed: "...)
	}
	if c.Row > 0 {
		b = fmt.Appendf(b, "row %d: ", c.Row)
	}
	if c.Field > 0 {
		b = fmt.Appendf(b, "column %d of the header: ", c.Field)
	}
	if c.Column != 0 {
		b = append(b, c.Column.String()+": "...)
	}
	rule := repairOf(c.Code)
	switch flags := f.deciding(c.Code); {
	case !c.Refused:
		b = append(b, rule.Text...)
	case c.Near != 0:
		b = append(b, "perhaps "+c.Near.String()+" is meant; --rename NAME="+c.Near.String()+" says so"...)
	case flags != "":
		b = append(b, cmp.Or(rule.Note, rule.Text)+"; "+flags+" decides it"...)
	default:
		b = append(b, cmp.Or(rule.Note, rule.Text)+"; "+rule.Help...)
	}
	return string(append(append(append(b, " ["...), c.Code...), ']'))
}

func repairOf(code ledger.Code) ledger.Rule {
	for r := range rules.Repairs() {
		if r.Code == code {
			return r
		}
	}
	return ledger.Rule{}
}

// tellRest says what was done, what is left and what comes next.
func (f *fix) tellRest(a *app, file string, done rules.Fixed) {
	a.log.line(file + ": " + counted(strconv.Itoa(done.Rows), "row") + ", " + counted(strconv.Itoa(done.Changes), "change") +
		", " + strconv.Itoa(done.Refused) + " refused")
	var left, flags []string
	others := false
	for r := range rules.Repairs() {
		if n := f.refused[r.Code]; n > 0 {
			left = append(left, strconv.Itoa(n)+" "+string(r.Code))
			if by := f.deciding(r.Code); by == "" {
				others = true
			} else if !slices.Contains(flags, by) {
				flags = append(flags, by)
			}
		}
	}
	var next []string
	if len(left) > 0 {
		a.log.line("Left: " + strings.Join(left, ", ") + ".")
	}
	if len(flags) > 0 {
		next = append(next, "chargecast payload fix once more, with "+strings.Join(flags, ", "))
	}
	if others {
		next = append(next, "correct what is left by hand")
	}
	a.log.line("Next: " + strings.Join(append(next, "chargecast validate checks what was written."), "; then "))
}

// An encodingFlag is the name of an encoding.
type encodingFlag struct {
	name string
	of   encoding.Encoding
}

func (e *encodingFlag) String() string { return e.name }
func (*encodingFlag) Type() string     { return "NAME" }

func (e *encodingFlag) Set(s string) error {
	of, err := htmlindex.Get(s)
	if err != nil {
		return usage("no such encoding", "use a name that the web knows, such as windows-1252, iso-8859-2, utf-16le or shift_jis")
	}
	name, err := htmlindex.Name(of)
	if err != nil || name == "replacement" {
		return usage("no text is read in this encoding", "save the file in another one, such as UTF-8")
	}
	e.name, e.of = name, of
	return nil
}

// decode turns the encoding into UTF-8; nil where it is UTF-8, or not said.
func (e *encodingFlag) decode() func(io.Reader) io.Reader {
	if e.of == nil || e.name == "utf-8" {
		return nil
	}
	return func(r io.Reader) io.Reader { return transform.NewReader(r, e.of.NewDecoder()) }
}

// A twice is a payload that is read from its beginning as often as it is asked for.
type twice struct {
	*input
	fresh bool
	again func() error
}

// mostKept is how much of a pipe is kept.
const mostKept = 32 << 20

// openTwice opens a payload: a file is opened again, and what can be read once is kept in memory.
func (a *app) openTwice(path string, o *rules.Options) (*twice, error) {
	options, start := *o, int64(-1)
	stdin, _ := a.stdin.(*os.File)
	if path == "-" && stdin != nil {
		if info, err := stdin.Stat(); err == nil && info.Mode().IsRegular() {
			start, _ = stdin.Seek(0, io.SeekCurrent)
		}
	}
	in, err := a.openPayload(path, o)
	if err != nil {
		return nil, err
	}
	t := &twice{input: in, fresh: true}
	if start < 0 && !in.isFile() {
		kept, err := in.readAll(mostKept, limitBytes, "what can be read only once is kept in memory: give a file")
		if err != nil {
			in.close()
			return nil, err
		}
		in.file = bytes.NewReader(kept)
		t.again = func() error {
			in.file = bytes.NewReader(kept)
			return nil
		}
		return t, nil
	}
	t.again = func() error {
		t.close()
		if start >= 0 {
			a.stdinUsed = false
			if _, err := stdin.Seek(start, io.SeekStart); err != nil {
				return unreadable("stdin cannot be read again: "+reason(err), "give a file")
			}
		}
		form := options
		next, err := a.openPayload(path, &form)
		if err == nil {
			t.input = next
		}
		return err
	}
	return t, nil
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
	t.fresh = true
	return 0, t.again()
}

// listRepairs writes what fix does, and the aliases that it knows.
func (a *app) listRepairs(asJSON bool) {
	type repair struct {
		Code    ledger.Code `json:"code"`
		Text    string      `json:"text"`
		Refusal string      `json:"refusal,omitempty"`
		Help    string      `json:"help,omitempty"`
		Good    string      `json:"good"`
		Bad     string      `json:"bad"`
	}
	type alias struct {
		Alias  string       `json:"alias"`
		Column rules.Column `json:"column"`
	}
	p := a.text("never")
	dst := append(a.out.b, "Mended:\n"...)
	list := struct {
		Schema  string   `json:"schema"`
		Repairs []repair `json:"repairs"`
		Aliases []alias  `json:"aliases"`
	}{Schema: "chargecast.repairs/1"}
	always := false
	for r := range rules.Repairs() {
		never := r.Severity == ledger.SeverityError
		if never && !always {
			always = true
			dst = append(dst, "\nAlways refused:\n"...)
		}
		one := repair{r.Code, r.Text, r.Note, r.Help, r.Good, r.Bad}
		text := r.Text + ": " + r.Bad + " → " + r.Good
		if never {
			one.Text, one.Refusal, text = "", r.Text, r.Text+": "+r.Bad
		} else if flags := new(fix).deciding(r.Code); flags != "" {
			text += "; " + flags
		}
		list.Repairs = append(list.Repairs, one)
		dst = p.hanging(append(append(dst, "  "...), pad(string(r.Code), 20)...), 22, text)
	}
	dst = append(dst, "\nOther names of columns, with any case, _, spaces and hyphens:\n"...)
	column := rules.Column(0)
	for name, c := range rules.Aliases() {
		list.Aliases = append(list.Aliases, alias{name, c})
		if c == column {
			dst = append(dst[:len(dst)-1], ", "+name+"\n"...)
			continue
		}
		dst = append(append(append(append(dst, "  "...), pad(c.String(), 20)...), name...), '\n')
		column = c
	}
	if asJSON {
		dst = append(a.out.b, program.JSON(list)...)
	}
	a.out.b = dst
	a.out.endLine()
}
