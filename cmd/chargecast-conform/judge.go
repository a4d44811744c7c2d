package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/fuzz"
	"github.com/chargecast/chargecast/fuzz/campaign"
	"github.com/chargecast/chargecast/fuzz/conform"
	"github.com/chargecast/chargecast/internal/program"
	"github.com/chargecast/chargecast/internal/termtext"
)

var errFindings = &program.Failure{Code: program.ExitFindings}

// campaign judges chargecast itself.
func (f *flags) campaign(a *app, c *cobra.Command) error {
	if err := refuse(c, withCMD[:], " is about a program under test", "give it behind --, such as: chargecast-conform -- ./my-scheduler"); err != nil {
		return err
	}
	if f.format.V == "junit" {
		return program.Usage("-o junit is for a run with CMD", "use -o json")
	}
	o := campaign.Options{Laws: f.laws, Targets: f.targets, Cases: uint64(f.cases.V), Dir: f.dir, Workers: int(f.workers.V)}
	if f.cases.V == 0 || c.Flags().Changed("time") {
		o.Time = f.time.V
	}
	if c.Flags().Changed("seed") {
		o.Seed = &f.seed.V
	}
	if here, err := os.Getwd(); err == nil {
		o.Clone = here
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	a.stop.Store(&stop)
	defer a.stop.Store(nil)
	report, err := campaign.Run(ctx, o)
	kept := campaignError(err)
	if kept != nil && report.Campaigns == 0 {
		return kept
	}
	text := map[string]func([]byte) []byte{"text": report.AppendText, "json": report.AppendJSON, "html": report.AppendHTML}[f.format.V](nil)
	err = a.write(f.format.V, text)
	switch {
	case kept != nil:
	case report.Interrupted:
		kept = &program.Failure{Code: program.ExitInterrupted}
	case !report.OK():
		kept = errFindings
	}
	return errors.Join(err, kept)
}

// campaignError is the error of a campaign as a failure of the program.
func campaignError(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, campaign.ErrUnknown):
		return program.Usage(termtext.Visible(err.Error()), "laws are written T05, T or B*, targets FuzzDate_Parse_Reference, FuzzDate or Fuzz*_Chunks")
	case errors.Is(err, campaign.ErrKeep):
		return program.Internal("--dir: "+termtext.Visible(err.Error()), "check the directory and the space on its disk")
	}
	return program.Unreadable("--dir: "+termtext.Visible(err.Error()), "give the directory of a corpus, or one that is empty")
}

// options are the flags as the kit has them.
func (f *flags) options() conform.Options {
	o := conform.Options{Laws: f.laws, Cases: cmp.Or(int(f.cases.V), conform.Cases), Seed: f.seed.V, Codes: f.codes}
	if f.policy.String() != "" {
		o.Policy, o.Asked = &f.policy.V, f.policy.keys()
	}
	return o
}

// conform judges a program.
func (f *flags) conform(a *app, c *cobra.Command, command []string) error {
	if err := refuse(c, withoutCMD[:], " is for a run without CMD, which judges chargecast itself", "with CMD give --cases"); err != nil {
		return err
	}
	if f.format.V == "html" {
		return program.Usage("-o html is for a run without CMD", "use -o text, json or junit")
	}
	for _, pattern := range f.laws {
		if !fuzz.Known(pattern) {
			return program.Usage("no law has the id or pattern "+quoted(pattern), "give ids such as T05, groups such as T, or patterns such as B*")
		}
	}
	o := f.options()
	var err error
	if o.Skip, err = readSkipped(f.skip); err != nil {
		return err
	}
	p, err := a.start(command, f)
	if err != nil {
		return err
	}
	report := p.Run(o)
	a.end(p)
	var text []byte
	switch f.format.V {
	case "json":
		text = report.AppendJSON(nil)
	case "junit":
		text = report.AppendJUnit(nil)
	default:
		text = report.AppendText(nil, func(token string) string { return f.replay(token, command) })
	}
	err = a.write(f.format.V, text)
	if !report.OK() {
		err = errors.Join(err, errFindings)
	}
	return err
}

// replay is the command that replays a token with the same program.
func (f *flags) replay(token string, command []string) string {
	line := []string{name, "repro"}
	if f.policy.String() != "" {
		line = append(line, "--policy", f.policy.String())
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

// readSkipped reads the ids of a skip list. Empty lines and what follows a # are left out.
func readSkipped(path string) (ids []string, err error) {
	if path == "" {
		return nil, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, program.Unreadable(quoted(path)+": cannot be opened: "+program.Reason(err), "give a file with one id of a law a line")
	}
	defer func() { _ = file.Close() }() // it was only read
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		id, _, _ := strings.Cut(lines.Text(), "#")
		if id = strings.TrimSpace(id); id == "" {
			continue
		}
		if _, ok := fuzz.Find(id); !ok {
			return nil, program.Usage("the skip list names a law that does not exist: "+quoted(id), "give one id a line, such as T05")
		}
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, program.Unreadable("the skip list has a line that is too long", "give one id a line, such as T05")
	case err != nil:
		return nil, program.Unreadable(quoted(path)+": cannot be read on: "+program.Reason(err), "give a file with one id of a law a line")
	}
	return ids, nil
}

// start starts a program under test, which an interrupt ends too.
func (a *app) start(command []string, f *flags) (*conform.Program, error) {
	p := conform.New(command, f.timeout.V)
	a.judged.Store(p)
	if err := p.Start(); err != nil {
		a.end(p)
		return nil, program.Usage("cannot test the program: "+termtext.Visible(err.Error()), "it must answer the first line of its standard input, "+
			`{"id":1,"op":"hello","protocol":"`+conform.Protocol+`"}`+"\nsee docs/fuzz-your-own.md")
	}
	return p, nil
}

// end ends a program under test and shows what it wrote to its standard error.
func (a *app) end(p *conform.Program) {
	p.Close()
	for line := range strings.Lines(p.Stderr()) {
		a.line("  | " + termtext.Visible(strings.TrimRight(line, "\n")))
	}
}
