package main

import (
	"bufio"
	"crypto/fips140"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/fuzz"
	"github.com/chargecast/chargecast/fuzz/conform"
)

// conforming are the flags of conform and repro about the program under test.
type conforming struct {
	policy  *policyFlag
	codes   bool
	timeout durationFlag
	format  *choice

	laws  []string
	cases countFlag
	seed  seedFlag
	skip  string
}

func (f *conforming) register(c *cobra.Command) {
	f.policy = policyVar(c)
	c.Flags().Lookup("policy").Usage = "the readings that the program follows; every case asks for them"
	c.Flags().BoolVar(&f.codes, "codes", false, "refusals and problems must have the codes of chargecast")
	f.timeout = durationFlag(conform.Timeout)
	c.Flags().Var(&f.timeout, "timeout", "how long a reply may take, such as 500ms")
}

func newConform(a *app) *cobra.Command {
	f := &conforming{cases: conform.Cases, seed: seedFlag{text: "0"}}
	c := &cobra.Command{
		Use:   "conform [flags] -- CMD [ARG...]",
		Short: "Tests a program in any language against the laws of the domain",
		Long: `conform starts CMD and asks it for forecasts, simulations, validations and signatures,
each with one JSON line: the protocol chargecast.conform/1, which docs/fuzz-your-own.md
describes. Every law for which CMD has replies is judged on --cases cases. A case that
breaks a law is made as small as possible and shown as a payload, with the command that
shows the right answer and a token for repro.

A law about an operation that CMD does not answer is not covered, never passed. Where the
document is silent and the answer fits another reading, the case is unspecified, which is
no failure. Exit code 1 when a law fails or none could be judged, 2 when CMD cannot be
started or does not answer hello.`,
		Example: `  chargecast conform -- ./my-scheduler
  chargecast conform --laws T,R04 --cases 1000 -- python3 scheduler.py
  chargecast conform --policy month-end=skip --skip known.txt -o junit -- ./my-scheduler`,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveDefault
		},
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("give the program to test", "chargecast conform -- CMD ARG...")
			}
			return nil
		},
	}
	c.Flags().SetInterspersed(false) // flags behind CMD are those of CMD
	c.Flags().StringSliceVar(&f.laws, "laws", nil, "`IDS` of laws, groups or patterns, such as C,T05,B* (default all)")
	c.Flags().Var(&f.cases, "cases", "cases of a law; laws that read payloads get a quarter")
	c.Flags().Var(&f.seed, "seed", "what the cases are drawn from")
	c.Flags().StringVar(&f.skip, "skip", "", "`FILE` with ids of laws that are known to fail, one a line; one that holds is a failure")
	f.register(c)
	f.format = outputFlag(c, "text", "json", "junit")
	c.RunE = func(_ *cobra.Command, args []string) error { return f.run(a, args) }
	return c
}

// A durationFlag is a time above 0.
type durationFlag time.Duration

func (d *durationFlag) String() string { return time.Duration(*d).String() }
func (*durationFlag) Type() string     { return "DURATION" }

func (d *durationFlag) Set(s string) error {
	length, err := time.ParseDuration(s)
	if err != nil || length <= 0 {
		return errors.New("write a time above 0 with its unit, such as 500ms or 10s")
	}
	*d = durationFlag(length)
	return nil
}

// options are the flags as the kit has them.
func (f *conforming) options() conform.Options {
	o := conform.Options{Laws: f.laws, Cases: int(f.cases), Seed: f.seed.n, Codes: f.codes}
	if f.policy.text != "" {
		o.Policy = &f.policy.policy
		for item := range strings.SplitSeq(f.policy.text, ",") {
			key, _, _ := strings.Cut(item, "=")
			o.Asked = append(o.Asked, key)
		}
	}
	return o
}

// judgesSigning refuses to run laws where their own signatures cannot be made.
func judgesSigning() error {
	if fips140.Enforced() {
		return usage("the laws about signatures use SHA-1, which the FIPS 140-only mode of Go forbids", "run without GODEBUG=fips140=only")
	}
	return nil
}

func (f *conforming) run(a *app, command []string) error {
	if err := judgesSigning(); err != nil {
		return err
	}
	for _, pattern := range f.laws {
		if !fuzz.Known(pattern) {
			return usage("no law has the id or pattern "+quoted(pattern), "give ids such as T05, groups such as T, or patterns such as B*")
		}
	}
	o := f.options()
	var err error
	if o.Skip, err = readSkipped(a, f.skip); err != nil {
		return err
	}
	p, err := a.startProgram(command, time.Duration(f.timeout))
	if err != nil {
		return err
	}
	report := p.Run(o)
	a.endProgram(p)
	a.fit(f.format.value)
	switch f.format.value {
	case "json":
		a.out.b = report.AppendJSON(a.out.b)
	case "junit":
		a.out.b = report.AppendJUnit(a.out.b)
	default:
		a.out.b = report.AppendText(a.out.b, func(token string) string { return f.replay(token, command) })
	}
	a.out.endLine()
	if !report.OK() {
		return errFindings
	}
	return nil
}

// replay is the command that replays a token with the same program.
func (f *conforming) replay(token string, command []string) string {
	line := []string{"chargecast", "repro"}
	if f.policy.text != "" {
		line = append(line, "--policy", f.policy.text)
	}
	if f.codes {
		line = append(line, "--codes")
	}
	line = append(line, token, "--")
	for _, word := range command {
		line = append(line, shellWord(word))
	}
	return strings.Join(line, " ")
}

// shellWord is a text as one word of a shell, in quotes only where it needs them.
func shellWord(text string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./=:,@%+", r)
	}
	if text != "" && strings.TrimFunc(text, plain) == "" {
		return text
	}
	return shellQuote(text)
}

// readSkipped reads the ids of a skip list. Empty lines and what follows a # are left out.
func readSkipped(a *app, path string) (ids []string, err error) {
	if path == "" {
		return nil, nil
	}
	in, err := a.open(path)
	if err != nil {
		return nil, err
	}
	defer in.close()
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		id, _, _ := strings.Cut(lines.Text(), "#")
		if id = strings.TrimSpace(id); id == "" {
			continue
		}
		if _, ok := fuzz.Find(id); !ok {
			return nil, usage("the skip list names a law that does not exist: "+quoted(id), "give one id a line, such as T05")
		}
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	if err := in.failed(); err != nil {
		return nil, err
	}
	if lines.Err() != nil {
		return nil, unreadable("the skip list has a line that is too long", "give one id a line, such as T05")
	}
	return ids, nil
}

// startProgram starts a program under test, which an interrupt ends too.
func (a *app) startProgram(command []string, timeout time.Duration) (*conform.Program, error) {
	p := conform.New(command, timeout)
	a.program.Store(p)
	if err := p.Start(); err != nil {
		a.endProgram(p)
		return nil, usage("cannot test the program: "+visible(err.Error()), "it must answer the first line of its standard input, "+
			`{"id":1,"op":"hello","protocol":"`+conform.Protocol+`"}`+"\nsee docs/fuzz-your-own.md")
	}
	return p, nil
}

// endProgram ends a program under test and shows what it wrote to its standard error.
func (a *app) endProgram(p *conform.Program) {
	p.Close()
	for line := range strings.Lines(p.Stderr()) {
		a.log.line("  | " + visible(strings.TrimRight(line, "\n")))
	}
}
