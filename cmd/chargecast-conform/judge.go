package main

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/fuzz"
	"github.com/chargecast/chargecast/fuzz/campaign"
	"github.com/chargecast/chargecast/fuzz/conform"
	"github.com/chargecast/chargecast/internal/program"
	"github.com/chargecast/chargecast/internal/termtext"
)

var errFindings = &program.Failure{Code: program.ExitFindings}

// judge judges CMD, or chargecast itself.
func (f *flags) judge(a *app, c *cobra.Command, command []string) (err error) {
	if err := f.check(c, command); err != nil {
		return err
	}
	o := f.options()
	if o.Skip, err = readSkipped(f.skip); err != nil {
		return err
	}
	var store *campaign.Store
	if f.dir != "" {
		if store, err = campaign.Open(f.dir); err != nil {
			return corpusError(err)
		}
		defer store.Close()
		o.Corpus = &store.Corpus
		o.Save = func() { _ = store.Save() } // the last one tells
	}
	o.Stop = a.stop
	var report fuzz.Report
	if len(command) == 0 {
		report = fuzz.Run(fuzz.Ours(), o)
	} else {
		p, err := a.start(command, f)
		if err != nil {
			return err
		}
		report = p.Run(o)
		a.end(p)
	}
	var kept error
	if store != nil {
		kept = corpusError(store.Save())
	}
	var text []byte
	replay := func(token string) string { return f.replay(token, command) }
	switch f.format.V {
	case "json":
		text = report.AppendJSON(nil)
	case "junit":
		text = report.AppendJUnit(nil, replay)
	default:
		text = report.AppendText(nil, replay)
	}
	return errors.Join(a.write(f.format.V, text), kept, verdict(report.Interrupted, report.OK()))
}

// verdict is what ends a run that was written.
func verdict(interrupted, ok bool) error {
	switch {
	case interrupted:
		return &program.Failure{Code: program.ExitInterrupted}
	case !ok:
		return errFindings
	}
	return nil
}

// runTargets runs the native targets and the grid.
func (f *flags) runTargets(a *app, c *cobra.Command, command []string) error {
	if len(command) > 0 {
		return program.Usage("--targets runs what is made for chargecast itself", "leave out CMD, or --targets")
	}
	if err := refuse(c, ofLaws, " is about laws, and --targets runs none", "run the targets and the laws apart"); err != nil {
		return err
	}
	if err := f.check(c, command); err != nil {
		return err
	}
	for _, pattern := range f.targets {
		if !campaign.Known(pattern) {
			return program.Usage("no target has the name or pattern "+quoted(pattern), "they are written FuzzDate_Parse_Reference, FuzzDate, Fuzz*_Chunks or C30")
		}
	}
	if f.format.V == "junit" {
		return program.Usage("-o junit is for laws", "use -o json")
	}
	o := campaign.Options{Targets: f.targets, Inputs: uint64(f.cases.V), Time: f.time.V, Workers: int(f.workers.V)}
	if o.Inputs == 0 && o.Time == 0 {
		o.Time = time.Minute
	}
	if here, err := os.Getwd(); err == nil {
		o.Clone = here
	}
	if f.dir != "" {
		store, err := campaign.Open(f.dir)
		if err != nil {
			return corpusError(err)
		}
		defer store.Close()
		o.Store = store
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		select {
		case <-a.stop:
			cancel()
		case <-ctx.Done():
		}
	}()
	report, kept := campaign.Run(ctx, o)
	text := report.AppendText
	if f.format.V == "json" {
		text = report.AppendJSON
	}
	return errors.Join(a.write(f.format.V, text(nil)), corpusError(kept), verdict(report.Interrupted, report.OK()))
}

// corpusError is the error of a corpus as a failure of the program.
func corpusError(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, campaign.ErrKeep):
		return program.Internal("--dir: "+termtext.Visible(err.Error()), "check the directory and the space on its disk")
	}
	return program.Unreadable("--dir: "+termtext.Visible(err.Error()), "give the directory of a corpus, or one that is empty")
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
	line = append(line, token)
	if len(command) > 0 {
		line = append(line, "--")
	}
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
		if o := (fuzz.Options{Skip: []string{id}}); len(o.Unknown()) > 0 {
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
	if f.setup != "" {
		if err := a.shell(f.setup); err != nil {
			reason := program.Reason(err)
			if ended, is := errors.AsType[*exec.ExitError](err); is {
				reason = ended.String()
			}
			return nil, program.Usage("--setup: the command fails: "+reason, "what it wrote stands above")
		}
	}
	p := conform.New(command, f.timeout.V)
	p.Codes = f.codes
	if f.policy.String() != "" {
		p.Asked = f.policy.keys()
	}
	a.judged.Store(p)
	if err := p.Start(); err != nil {
		a.end(p)
		return nil, program.Usage("cannot test the program: "+termtext.Visible(err.Error()), "it must answer the first line of its standard input, "+
			`{"id":1,"op":"hello","protocol":"`+conform.Protocol+`"}`+"\nsee docs/conform-protocol.md")
	}
	return p, nil
}

// shell runs a command by the shell of the system, which writes to standard error.
func (a *app) shell(command string) error {
	shell := []string{"sh", "-c"}
	if runtime.GOOS == "windows" {
		shell = []string{"cmd", "/c"}
	}
	c := exec.Command(shell[0], shell[1], command)
	c.Stdout, c.Stderr = a.stderr, a.stderr
	return c.Run()
}

// end ends a program under test and shows what it wrote to its standard error.
func (a *app) end(p *conform.Program) {
	p.Close()
	for line := range strings.Lines(p.Stderr()) {
		a.line("  | " + termtext.Visible(strings.TrimRight(line, "\n")))
	}
}
