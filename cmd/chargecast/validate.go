package main

import (
	"bufio"
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/program"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/report"
	"github.com/chargecast/chargecast/rules"
)

func newValidate(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "validate [FILE]...",
		Short: "Checks payloads against every rule and says what to do",
		Long: `validate checks payloads, column by column and row by row, and reports every
problem of every row. After a header with an error the rows are counted, and not
checked until the header is mended. Several files are judged one by one. FILE is
CSV, base64 of it, a form body with payload=, or a captured request: HTTP text, a
curl command or a HAR file. Places are those of the CSV inside.

An error makes the exit code 1: the gateway creates all profiles of a request or
none. Warnings leave it at 0, unless --strict is given. chargecast explain CODE
shows a code with its clause and an example.

text shows at most 20 findings of a code; json, ndjson and junit have all; github
writes at most ten errors and ten warnings, as many as a step may have. A row may
have 1 MiB and 128 values; rows and bytes have no limit but --max-rows and
--max-bytes.`,
		Example: `  chargecast validate payload.csv
  chargecast validate --strict --currency EUR -o github payload.csv`,
	}
	v := new(validation)
	v.register(c)
	format := program.Output(c, "text", "json", "ndjson", "github", "junit")
	colour := colourFlag(c)
	c.RunE = func(_ *cobra.Command, args []string) error {
		return v.run(a, arguments(args), format.V, colour.V)
	}
	return c
}

// A validation is the flags of validate.
type validation struct {
	today    today
	policy   *policyFlag
	input    *program.Flag[string]
	currency string
	strict   bool
	findingFlags
	states string
	limits limits
}

func (v *validation) register(c *cobra.Command) {
	v.today.register(c)
	currencyVar(c, &v.currency)
	c.Flags().BoolVar(&v.strict, "strict", false, "treat warnings as errors")
	v.registerFindings(c)
	c.Flags().StringVar(&v.states, "state-codes", "", "`FILE` with the gateway's state codes, one a line (US-CA)")
	v.policy = policyVar(c)
	v.input = inputFlag(c)
	v.limits.register(c)
}

// limits are the flags that bound what is read of a payload; 0 is no limit.
type limits struct{ rows, bytes program.Flag[int64] }

func (l *limits) register(c *cobra.Command) {
	l.rows, l.bytes = program.Size(), program.Size()
	c.Flags().Var(&l.rows, "max-rows", "read at most `N` rows (default: no limit)")
	c.Flags().Var(&l.bytes, "max-bytes", "read at most `N` bytes (default: no limit)")
}

// bound puts the limits into o.
func (l *limits) bound(o rules.Options) rules.Options {
	o.MaxRows, o.MaxBytes = int(min(l.rows.V, math.MaxInt)), l.bytes.V
	return o
}

func (v *validation) options(a *app, asOf calendar.Date) (rules.Options, error) {
	states, err := v.readStates(a)
	if err != nil {
		return rules.Options{}, err
	}
	if err := checkCurrency(v.currency); err != nil {
		return rules.Options{}, err
	}
	form := inputNamed(v.input.V)
	return v.limits.bound(rules.Options{
		AsOf:     asOf,
		Policy:   v.policy.policy,
		Currency: v.currency,
		Input:    form,
		Severity: v.severity,
		Strict:   v.strict,
		States:   states,
	}), nil
}

// readStates reads --state-codes: a country, a dash and a state on each line.
func (v *validation) readStates(a *app) (map[string][]string, error) {
	if v.states == "" {
		return nil, nil
	}
	in, err := a.open(v.states)
	if err != nil {
		return nil, err
	}
	defer in.close()
	states := map[string][]string{}
	lines := bufio.NewScanner(in)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\uFEFF"))
		country, state, ok := strings.Cut(line, "-")
		switch {
		case line == "":
		case !ok || len(country) != 2 || state == "":
			return nil, unreadable(in.name+":"+strconv.Itoa(n)+": not a state code", "write country and state, such as US-CA")
		default:
			states[country] = append(states[country], state)
		}
	}
	if lines.Err() != nil && in.err == nil {
		return nil, unreadable(in.name+": a line is too long for a state code", "write country and state, such as US-CA")
	}
	return states, in.failed()
}

// run validates payloads, one after the other.
func (v *validation) run(a *app, paths []string, format, colour string) error {
	if err := oneStdin(paths...); err != nil {
		return err
	}
	asOf, err := v.today.day(a)
	if err != nil {
		return err
	}
	o, err := v.options(a, asOf)
	if err != nil {
		return err
	}
	files, err := a.openAll(paths, o)
	if err != nil {
		return err
	}
	defer closeAll(files)
	a.fit(format)
	w := &validated{several: len(files) > 1, isText: format == "text"}
	w.findings = report.NewFindings(a.out, report.FindingsOptions{
		Form: format, Several: w.several, Quiet: v.quiet, Columns: a.columns, Color: format == "text" && a.colourful(colour), Tool: "chargecast validate",
		Rule: func(code ledger.Code) string { rule, _ := rulebook.Lookup(code); return rule.Text },
		Header: func() record.Header {
			h := record.Header{Schema: record.SchemaValidate, AsOf: asOf, Zone: v.today.zone(a), Strict: v.strict, Policy: o.Policy}
			if !w.several {
				h.Input = w.reader.Summary().Input.String()
			}
			return h
		},
	})
	var ended error
	for i, f := range files {
		if ended = worse(ended, w.judge(a, f, typed(paths[i]))); a.out.err != nil {
			return errors.Join(a.out.err, ended) // a reader that has gone does not make the payload right
		}
	}
	w.findings.Close()
	if w.isText {
		a.out.b = w.closing(a.out.b, asOf)
	}
	a.out.endLine()
	return ended
}

// worse is the error to end with of two files, of which one may be right: the first that a file cannot be read, else that
// there are findings.
func worse(a, b error) error {
	if a == nil || a == errFindings && b != nil {
		return b
	}
	return a
}

// validated is what several payloads have come to.
type validated struct {
	findings        *report.Findings
	several, isText bool
	reader          *rules.Reader
	mendable        bool // payload fix mends some of it
	exports         int  // files that begin with saying so
	refused         bool // rows have errors
	unchecked       bool // rows that are only counted, for an error of their header
	currencyIsKnown bool
}

// judge validates a payload.
func (w *validated) judge(a *app, f payloadFile, name string) error {
	o := f.options
	if w.several {
		o.File = name
	}
	w.reader = rules.NewReader(f.input, o)
	w.findings.Open(f.name)
	bad, export, badHeader := false, false, false
	for _, problems := range w.reader.Rows() {
		for _, p := range problems {
			isError := p.Severity == ledger.SeverityError
			bad = bad || isError
			badHeader = badHeader || isError && p.Code != rules.CSVLineEnd && w.reader.Summary().Rows == 0
			p = inCommand(p)
			if p.Code == rules.StateUnknown && o.States == nil {
				p.Help += "; --state-codes takes the gateway's own list"
			}
			export = export || isError && isExport(p)
			shown := w.findings.Add(p, func() report.Shape {
				text, caret, given := w.reader.Excerpt(p)
				return report.Shape{Text: text, Caret: caret, Given: given, Inner: w.reader.Summary().Input != rules.InputCSV}
			})
			w.mendable = w.mendable || shown && isError && w.isText && isMended(p)
		}
		if a.out.err != nil {
			break
		}
	}
	s := w.reader.Summary()
	r := report.Result{Unreadable: s.Unreadable, Summary: record.Summary{
		CutOff: w.reader.Err() != nil, Rows: s.Rows, Valid: s.Valid, Errors: s.Errors, Warnings: s.Warnings, CurrencyChecked: s.CurrencyChecked,
		OrderIDsChecked: s.OrderIDs, OrderIDsComplete: !s.OrderIDsCut && w.reader.Err() == nil,
	}}
	if r.Summary.CutOff {
		r.Summary.Errors++ // which is one
	}
	if s.Input != rules.InputCSV {
		r.Remark = "read as " + s.Input.String() + ", places are in the CSV inside"
	}
	if export && w.isText { // before the findings, which End writes
		a.out.b = append(a.out.b, "An"+strings.TrimPrefix(adviceFor(f.name), "an")+"\n"...)
		w.exports++
	}
	w.findings.End(r)
	w.refused = w.refused || s.Errors > 0 && s.Rows > 0 && !badHeader
	w.unchecked = w.unchecked || badHeader && s.Rows > 0
	w.currencyIsKnown = s.CurrencyChecked
	if err := f.failed(); err != nil {
		return err
	}
	switch {
	case s.Unreadable:
		return &failure{Code: exitUnreadable}
	case bad:
		return errFindings
	}
	return nil
}

// closing says for people what holds for all files.
func (w *validated) closing(dst []byte, asOf calendar.Date) []byte {
	dst = append(dst, "as of "+asOf.String()...)
	if !w.currencyIsKnown {
		dst = append(dst, "; the project's currency is not known and was not compared (--currency)"...)
	}
	dst = append(dst, '\n')
	if w.mendable && w.exports == 0 {
		dst = append(dst, adviceToFix+"\n"...)
	}
	if w.unchecked {
		dst = append(dst, "After a header with an error rows are counted, not checked: mend it, then validate again.\n"...)
	}
	if w.refused {
		dst = append(dst, "With an error in any row the gateway creates no profile at all (L48, inferred).\n"...)
	}
	return dst
}
