package main

import (
	"bufio"
	"errors"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

func newValidate(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "validate [FILE]",
		Short: "Checks a payload against every rule and says what to do",
		Long: `validate checks a payload, column by column and row by row, against the document and the
readings of what it leaves open. Every problem of a row is reported, and every row is read.

FILE is CSV, base64 of it, a form body with payload=, or a captured request: text as HTTP sends
it, the output of curl --trace-ascii, or a HAR file. Places are those of the CSV inside.

An error makes the exit code 1: the gateway creates all profiles of a request or none.
Warnings leave it at 0, unless --strict turns them into errors. chargecast rules lists
the codes, chargecast explain CODE shows one with its clause and an example.

Output: text begins with a table of the findings by code where there are many, and shows the
place of each, the shape of its values, and at most 20 findings of a code; json, ndjson and
junit have all; github writes annotations, at most the ten errors and ten warnings that one
step may have. Without findings only the number of rows is printed.`,
		Example: `  chargecast validate payload.csv
  chargecast validate --strict --currency EUR --as-of 2026-01-10 payload.csv
  chargecast validate --severity start-past=off -o ndjson payload.csv
  chargecast validate -o github payload.csv`,
		Args: atMostOne,
	}
	v := new(validation)
	v.register(c)
	format := outputFlag(c, "text", "json", "ndjson", "github", "junit")
	colour := colourFlag(c)
	c.RunE = func(_ *cobra.Command, args []string) error {
		return v.run(a, argument(args), format.value, colour.value)
	}
	return c
}

// A validation is the flags of validate.
type validation struct {
	today    today
	policy   *policyFlag
	input    *choice
	currency string
	strict   bool
	quiet    bool
	severity severityFlag
	states   string
	limits   limits
	workers  workers
}

func (v *validation) register(c *cobra.Command) {
	v.today.register(c)
	c.Flags().StringVar(&v.currency, "currency", "", "the project's currency `CODE`; without it currencies are not compared")
	c.Flags().BoolVar(&v.strict, "strict", false, "turn warnings into errors")
	c.Flags().Var(&v.severity, "severity", "another severity for a code: error, warning or off; may be repeated")
	c.Flags().BoolVar(&v.quiet, "quiet", false, "leave warnings out of the text")
	c.Flags().StringVar(&v.states, "states", "", "`FILE` with the gateway's state codes instead of ours, a line each, such as US-CA")
	v.policy = policyVar(c)
	v.input = inputFlag(c)
	v.limits.register(c)
	v.workers.register(c)
}

// A severityFlag is --severity.
type severityFlag map[ledger.Code]ledger.Severity

func (*severityFlag) String() string { return "" }
func (*severityFlag) Type() string   { return "CODE=SEVERITY" }

// Set takes CODE=SEVERITY, or more of them with commas between.
func (f *severityFlag) Set(s string) error {
	for item := range strings.SplitSeq(s, ",") {
		name, word, _ := strings.Cut(item, "=")
		rule, ok := rulebook.Lookup(ledger.Code(name))
		if !ok {
			hint := didYouMean(name, codeNames(), "")
			if hint == "" {
				hint = "; chargecast rules lists them"
			}
			return errors.New("no such code" + hint)
		}
		if !isPayloadCode(rule.Code) {
			return errors.New("the severity of " + name + " cannot be overridden: it is about states, scripts and outputs")
		}
		var severity ledger.Severity
		if word == "" || severity.UnmarshalText([]byte(word)) != nil {
			return errors.New("write " + name + "=error, " + name + "=warning or " + name + "=off")
		}
		if *f == nil {
			*f = severityFlag{}
		}
		(*f)[rule.Code] = severity
	}
	return nil
}

func codeNames() []string {
	var names []string
	for r := range inputRules() {
		names = append(names, string(r.Code))
	}
	return names
}

func (v *validation) options(a *app, asOf calendar.Date) (rules.Options, error) {
	states, err := v.readStates(a)
	if err != nil {
		return rules.Options{}, err
	}
	if c := v.currency; c != "" && (len(c) != 3 || strings.Trim(c, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "") {
		return rules.Options{}, usage("--currency: must be a code of three capital letters", "such as --currency EUR")
	}
	form := inputNamed(v.input.value)
	return v.limits.bound(rules.Options{
		AsOf:     asOf,
		Policy:   v.policy.policy,
		Currency: v.currency,
		Input:    form,
		Severity: v.severity,
		Strict:   v.strict,
		States:   states,
		Workers:  v.workers.number(),
	}), nil
}

// readStates reads --states: a country, a dash and a state on each line.
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

// run validates one payload.
func (v *validation) run(a *app, path, format, colour string) error {
	asOf, err := v.today.day(a)
	if err != nil {
		return err
	}
	o, err := v.options(a, asOf)
	if err != nil {
		return err
	}
	in, err := a.openPayload(path, &o)
	if err != nil {
		return err
	}
	defer in.close()
	a.keepSmall()
	reader := rules.NewReader(in, o)
	f := findingsOf(a, format, &checked{
		file: in.name, reader: reader, asOf: asOf, zone: v.today.zone, policy: o.Policy, strict: v.strict, quiet: v.quiet, colour: colour,
	})
	bad, begun := false, false
	for _, problems := range reader.Rows() {
		if !begun {
			begun = true
			a.out.b = f.begin(a.out.b)
		}
		for _, problem := range problems {
			bad = bad || problem.Severity == ledger.SeverityError
			a.out.b = f.problem(a.out.b, inCommand(problem))
			a.out.endLine()
		}
		switch err := a.out.err; {
		case err != nil && bad:
			return errors.Join(err, errFindings) // a reader that has gone does not make the payload right
		case err != nil:
			return err
		}
	}
	a.out.b = f.end(a.out.b)
	a.out.endLine()
	if err := in.failed(); err != nil {
		return err
	}
	switch {
	case reader.Summary().Unreadable:
		return &failure{code: exitUnreadable}
	case bad:
		return errFindings
	}
	return nil
}

// checked is what the writers of findings know of a validation.
type checked struct {
	file   string
	reader *rules.Reader
	asOf   calendar.Date
	zone   string
	policy engine.Policy
	strict bool
	quiet  bool
	colour string
}

// isCutOff reports whether the input could not be read to its end.
func (c *checked) isCutOff() bool { return c.reader.Err() != nil }

// errors counts the errors that were found; an input that is cut off is one.
func (c *checked) errors() int {
	n := c.reader.Summary().Errors
	if c.isCutOff() {
		n++
	}
	return n
}

// cutOff is what is said of such an input.
const cutOff = "the input cannot be read to its end"

// A findings writes the findings of a payload in one format. Each appends whole lines.
type findings interface {
	begin(dst []byte) []byte
	problem(dst []byte, p ledger.Finding) []byte
	end(dst []byte) []byte
}

func findingsOf(a *app, format string, c *checked) findings {
	switch format {
	case "json", "ndjson":
		return &findingsJSON{checked: c, out: a.out, options: recordOptions(a, format, false)}
	case "github":
		return &findingsGitHub{checked: c}
	case "junit":
		return &findingsJUnit{checked: c, found: map[ledger.Code]*junitCase{}}
	}
	return &findingsText{checked: c, paint: a.text(c.colour), columns: a.columns}
}
