package main

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/internal/kit"
	"github.com/chargecast/chargecast/internal/kit/conform"
	"github.com/chargecast/chargecast/internal/kit/laws"
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
	var kept *failures
	if f.dir != "" {
		if kept, err = openFailures(f.dir); err != nil {
			return err
		}
		o.First, o.Found = kept.tokens, kept.found
	}
	o.Stop, o.Progress = a.stop, a.progress()
	if f.verbose {
		o.Before = func(token string) { a.line(token) }
	}
	var report kit.Report
	if len(command) == 0 {
		report = kit.Run(laws.Ours(), o)
	} else {
		p, err := a.start(command, f)
		if err != nil {
			return err
		}
		report = p.Run(o)
		a.end(p)
	}
	var text []byte
	repro := func(token string) string { return f.repeated(token, command) }
	switch f.format.V {
	case "json":
		text = report.AppendJSON(nil)
	case "junit":
		text = report.AppendJUnit(nil, repro)
	default:
		text = report.AppendText(nil, repro)
	}
	err = a.write(f.format.V, text)
	if kept != nil {
		err = errors.Join(err, kept.save(report))
	}
	switch {
	case report.Interrupted:
		return errors.Join(err, &program.Failure{Code: program.ExitInterrupted})
	case !report.OK():
		return errors.Join(err, errFindings)
	}
	return err
}

// progress shows how far a run is: in one line of a terminal, and a line a minute elsewhere.
func (a *app) progress() func(kit.Progress) {
	every, begun := time.Minute, time.Now()
	if a.terminal {
		every = time.Second
	}
	last := begun
	return func(p kit.Progress) {
		if time.Since(last) < every {
			return
		}
		last = time.Now()
		a.line(name + ": " + p.Law + ", " + strconv.Itoa(p.Cases) + " cases, " + strconv.Itoa(p.Laws) + " of " + strconv.Itoa(p.AllLaws) + " laws, " + strconv.Itoa(p.Failed) + " fail, " +
			time.Since(begun).Round(time.Second).String())
	}
}

// repeated is the command that repeats the case of a token with the same program.
func (f *flags) repeated(token string, command []string) string {
	line := []string{name, "repro"}
	if f.codes {
		line = append(line, "--codes")
	}
	line = append(line, program.ShellWord(token))
	if len(command) > 0 {
		line = append(line, "--")
	}
	for _, word := range command {
		line = append(line, program.ShellWord(word))
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
		if o := (kit.Options{Skip: []string{id}}); len(o.Unknown()) > 0 {
			return nil, program.Usage("the skip list names a law that does not exist: "+quoted(id), "give one id a line, such as T07")
		}
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, program.Unreadable("the skip list has a line that is too long", "give one id a line, such as T07")
	case err != nil:
		return nil, program.Unreadable(quoted(path)+": reading failed part-way: "+program.Reason(err), "give a file with one id of a law a line")
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
			return nil, program.Usage("--setup: the command fails: "+reason, "see above what it wrote")
		}
	}
	p := conform.New(command, f.timeout.V)
	p.Codes = f.codes
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
