package main

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/chargecast/chargecast/internal/program"
	"github.com/chargecast/chargecast/rules"
)

// An input is a file that is read. It remembers why reading ended: package rules and the line reader do not
// repeat what the system says.
type input struct {
	name   string // for messages
	file   io.Reader
	opened io.Reader // what file reads from in the end, where that is another one
	err    error
}

func (in *input) Read(p []byte) (int, error) {
	n, err := in.file.Read(p)
	if err != nil && err != io.EOF {
		in.err = err
	}
	return n, err
}

func (in *input) close() {
	for _, r := range [...]io.Reader{in.file, in.opened} {
		if c, ok := r.(*os.File); ok && c != os.Stdin {
			_ = c.Close() // it was only read
		}
	}
}

// failed returns why the input could not be read to its end; nil if it could.
func (in *input) failed() error {
	if in.err == nil {
		return nil
	}
	return unreadable(in.name+": cannot be read on: "+reason(in.err), "what was read before has been used")
}

// open opens a file for reading; "-" is stdin, which can be read once.
func (a *app) open(path string) (*input, error) {
	if path == "-" {
		if a.stdinUsed {
			return nil, errStdinTwice()
		}
		a.stdinUsed = true
		if isClosed(a.stdin) {
			return nil, unreadable("stdin is closed", "give a file, or send the payload to stdin")
		}
		if isTerminal(a.stdin) {
			a.log.line("chargecast: reading from the terminal; end the input with Ctrl-D")
		}
		if a.out.isTo(a.stdin) {
			return nil, errReadsOutput("stdin")
		}
		return &input{name: nameOf(path), file: a.stdin}, nil
	}
	name := quoted(path)
	f, err := os.Open(path)
	switch {
	case path == "":
		return nil, unreadable("the name of the file is empty", "give a path, or - for stdin")
	case errors.Is(err, os.ErrNotExist):
		return nil, unreadable(name+": no such file", "check the path; - is stdin")
	case err != nil:
		return nil, unreadable(name+": cannot be opened: "+reason(err), "")
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		_ = f.Close()
		return nil, unreadable(name+": is a directory", "give a file, or - for stdin")
	}
	if a.out.isTo(f) {
		_ = f.Close()
		return nil, errReadsOutput(name)
	}
	return &input{name: nameOf(path), file: f}, nil
}

// errReadsOutput refuses a file that would be read on for ever: what is written makes it longer.
func errReadsOutput(name string) error {
	return usage(name+": the output is written to the file that is read", "send the output to another file")
}

// nameOf is what messages call a file.
func nameOf(path string) string {
	if path == "-" {
		return "<stdin>"
	}
	return visible(path)
}

// typed is what records call a file: the argument as it was typed. One that is not UTF-8, which JSON
// cannot hold, is as in messages, so that two files keep two names.
func typed(path string) string {
	if utf8.ValidString(path) {
		return path
	}
	return visible(path)
}

// oneStdin refuses, before anything is read, arguments of which two would read stdin.
func oneStdin(paths ...string) error {
	readers := 0
	for _, path := range paths {
		if isStdin(path) {
			readers++
		}
	}
	if readers > 1 {
		return errStdinTwice()
	}
	return nil
}

// isStdin reports whether a path is a name of stdin.
func isStdin(path string) bool {
	return slices.Contains([]string{"-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"}, path)
}

func errStdinTwice() error {
	return usage("stdin (-) can be read only once", "give one of the two as a file")
}

// isClosed reports whether stdin was closed when the program started. Package runtime then
// puts the null device in its place, open for writing too, which nobody else does.
func isClosed(stdin io.Reader) bool {
	f, ok := stdin.(*os.File)
	if !ok || !program.IsNull(f) {
		return false
	}
	_, err := f.Write(nil)
	return err == nil
}

// A payloadFile is a payload that was opened, with the options that fit its form.
type payloadFile struct {
	*input
	options rules.Options
}

// openAll opens payloads, so that nothing is written where one of them is missing.
func (a *app) openAll(paths []string, o rules.Options) (files []payloadFile, err error) {
	for _, path := range paths {
		f := payloadFile{options: o}
		if f.input, err = a.openPayload(path, &f.options); err != nil {
			closeAll(files)
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

func closeAll(files []payloadFile) {
	for _, f := range files {
		f.close()
	}
}

// argument is the FILE of a command: "-" if none is given.
func argument(args []string) string {
	if len(args) == 0 {
		return "-"
	}
	return args[0]
}

// arguments are the FILEs of a command: "-" where there is none.
func arguments(args []string) []string {
	if len(args) == 0 {
		return []string{"-"}
	}
	return args
}

// The code and the remedy for a body or a request that is too long, and how much of a key file is read.
const (
	maxKeyBytes = 64 << 10
	limitBytes  = "limit-bytes"
	raiseLimit  = "--max-bytes raises the limit"
)

// readAll reads a file whole, up to a limit; code and remedy are for a longer one.
func (a *app) readAll(path string, limit int, code, remedy string) ([]byte, error) {
	in, err := a.open(path)
	if err != nil {
		return nil, err
	}
	defer in.close()
	return in.readAll(limit, code, remedy)
}

// isFile reports whether an input is a file, which can be opened and read once more.
func (in *input) isFile() bool {
	f, ok := in.opened.(*os.File)
	if !ok || f == os.Stdin {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode().IsRegular()
}

// size is how many bytes the file has, so that none is copied while it is read whole; 0 where that is not
// known, and for more than any file that is read so.
func (in *input) size() int {
	const most = 1 << 30
	for _, r := range [...]io.Reader{in.opened, in.file} {
		if f, ok := r.(*os.File); ok {
			if info, err := f.Stat(); err == nil && info.Mode().IsRegular() && info.Size() <= most {
				return int(info.Size())
			}
		}
	}
	return 0
}

// readAll reads an input to its end, up to a limit.
func (in *input) readAll(limit int, code, remedy string) ([]byte, error) {
	var text bytes.Buffer
	text.Grow(min(in.size(), limit) + bytes.MinRead)
	_, err := text.ReadFrom(io.LimitReader(in, int64(min(limit, math.MaxInt-1))+1))
	data := text.Bytes()
	if failed := in.failed(); failed != nil {
		return nil, failed
	}
	if err != nil {
		return nil, unreadable(in.name+": cannot be read", "")
	}
	if len(data) > limit {
		return nil, unreadable(in.name+": has more than "+strconv.Itoa(limit)+" bytes ("+code+")", remedy)
	}
	return data, nil
}
