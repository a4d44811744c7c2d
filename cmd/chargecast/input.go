package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/chargecast/chargecast/internal/capture"
	"github.com/chargecast/chargecast/internal/program"
	"github.com/chargecast/chargecast/rules"
)

// An input is a file that is read. It remembers why reading ended: package rules and the line reader do not
// repeat what the system says.
type input struct {
	name   string // for messages
	file   io.Reader
	opened *os.File // what file reads from in the end; nil for what is not a file
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
	if in.opened != nil && in.opened != os.Stdin {
		_ = in.opened.Close() // it was only read
	}
}

// failed returns why the input could not be read to its end; nil if it could.
func (in *input) failed() error {
	if in.err == nil {
		return nil
	}
	return unreadable(in.name+": reading failed part-way: "+reason(in.err), "the output is incomplete")
}

// open opens a file for reading; "-" is stdin, which can be read once.
func (a *app) open(path string) (*input, error) {
	if path == "-" {
		if a.stdinUsed {
			return nil, errStdinTwice()
		}
		a.stdinUsed = true
		if program.IsTerminal(a.stdin) {
			a.log.line("chargecast: reading from the terminal; end the input with Ctrl-D")
		}
		if a.out.isTo(a.stdin) {
			return nil, errReadsOutput("stdin")
		}
		stdin, _ := a.stdin.(*os.File)
		return &input{name: nameOf(path), file: a.stdin, opened: stdin}, nil
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
	return &input{name: nameOf(path), file: f, opened: f}, nil
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
	tooLong     = "no request that the gateway takes is so long"
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
	if in.opened == nil || in.opened == os.Stdin {
		return false
	}
	info, err := in.opened.Stat()
	return err == nil && info.Mode().IsRegular()
}

// size is how many bytes the file has, so that none is copied while it is read whole; 0 where that is not
// known, and for more than any file that is read so.
func (in *input) size() int {
	const most = 1 << 30
	if in.opened == nil {
		return 0
	}
	if info, err := in.opened.Stat(); err == nil && info.Mode().IsRegular() && info.Size() <= most {
		return int(info.Size())
	}
	return 0
}

// readAll reads an input to its end, up to a limit. Of an input whose size is not known, what is more than an eighth of the limit
// goes into one buffer of that size: doubled again and again, the buffers together would be several times the limit.
func (in *input) readAll(limit int, code, remedy string) ([]byte, error) {
	most := limit + 1
	data := make([]byte, 0, min(in.size(), most)+bytes.MinRead)
	var err error
	for err == nil && len(data) < most {
		if len(data) == cap(data) {
			size := 2 * cap(data)
			if size > most/8 {
				size = most
			}
			data = append(make([]byte, 0, size), data...)
		}
		var n int
		n, err = in.Read(data[len(data):min(cap(data), most)])
		data = data[:len(data)+n]
	}
	if err == io.EOF {
		err = nil
	}
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

// A rereadable is a file that is read several times: what can be read only once is kept.
type rereadable struct {
	path  string
	name  string
	kept  []byte // nil for a file
	start int64  // where stdin begins, which is a file; negative for another input
}

// maxKept is how much of all inputs is kept that can be read only once.
const maxKept = 256 << 20

// openAgain looks at files, and keeps what can be read only once. NUL at the beginning of a text whose encoding is not
// given, and not shown by a mark, ends that.
func (a *app) openAgain(paths []string, encoded bool) (files []rereadable, err error) {
	left := maxKept
	for _, path := range paths {
		f := rereadable{path: path, start: -1}
		if stdin, ok := a.stdin.(*os.File); ok && path == "-" {
			if info, err := stdin.Stat(); err == nil && info.Mode().IsRegular() {
				f.start, _ = stdin.Seek(0, io.SeekCurrent)
			}
		}
		in, err := a.open(path)
		if err != nil {
			return nil, err
		}
		f.name = in.name
		if f.start < 0 && !in.isFile() {
			f.kept, err = in.keep(left, encoded)
			left -= len(f.kept)
		}
		in.close()
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

// keep reads what can be read only once.
func (in *input) keep(most int, encoded bool) ([]byte, error) {
	first := make([]byte, 512)
	n, err := io.ReadFull(in, first)
	first = first[:n]
	if failed := in.failed(); failed != nil {
		return nil, failed
	}
	wide := bytes.HasPrefix(first, []byte("\xff\xfe")) || bytes.HasPrefix(first, []byte("\xfe\xff"))
	if !encoded && !wide && bytes.IndexByte(first, 0) >= 0 {
		return nil, unreadable(in.name+": NUL characters: this is not CSV", "chargecast payload fix --encoding utf-16le reads a text in UTF-16 without a mark")
	}
	if err != nil {
		return first, nil // it is shorter
	}
	rest, err := in.readAll(max(0, most-n), limitBytes, "what can be read only once is kept in memory: give a file")
	if err != nil {
		return nil, err
	}
	return append(first, rest...), nil
}

// open opens the file from its beginning.
func (f rereadable) open(a *app) (*input, error) {
	switch {
	case f.kept != nil:
		return &input{name: f.name, file: bytes.NewReader(f.kept)}, nil
	case f.start >= 0:
		a.stdinUsed = false
		if _, err := a.stdin.(*os.File).Seek(f.start, io.SeekStart); err != nil {
			return nil, unreadable("stdin cannot be read again: "+reason(err), "give a file")
		}
	}
	return a.open(f.path)
}

// payload opens the file as a payload, with the options that fit its form.
func (f rereadable) payload(a *app, o rules.Options) (payloadFile, error) {
	in, err := f.open(a)
	if err != nil {
		return payloadFile{}, err
	}
	in, err = in.asPayload(&o)
	return payloadFile{input: in, options: o}, err
}

// captureHead is how much of an input decides whether it is a captured request.
const captureHead = 512

// openPayload opens what holds a payload: CSV, base64, a form body or, unless --input insists on one of these, a
// captured request. Of a request it reads the body, and o insists on a form.
func (a *app) openPayload(path string, o *rules.Options) (*input, error) {
	in, err := a.open(path)
	if err != nil {
		return nil, err
	}
	return in.asPayload(o)
}

// asPayload looks at what was opened: see openPayload.
func (in *input) asPayload(o *rules.Options) (*input, error) {
	if o.Input != rules.InputAuto {
		return in, nil
	}
	text := bufio.NewReaderSize(in.file, captureHead)
	head, _ := text.Peek(captureHead) // an error comes again when it is read
	in.file = text
	if !capture.Is(head) {
		return in, nil
	}
	body, err := in.capturedBody()
	if err != nil {
		in.close()
		return nil, err
	}
	in.file = bytes.NewReader(body)
	o.Input = rules.InputForm
	return in, nil
}

// capturedBody reads a captured request whole and returns its body. A request that may be cut is refused: its payload
// could be taken for a whole one.
func (in *input) capturedBody() ([]byte, error) {
	raw, err := in.readAll(maxRequestBytes, limitBytes, tooLong)
	if err != nil {
		return nil, err
	}
	request, found, err := capture.Parse(raw, capture.Options{AnyHost: true}) // a payload has no use for the host
	if err != nil {
		return nil, captureError(in.name, err)
	}
	switch {
	case len(request.Body) == 0:
		return nil, unreadable(in.name+": the captured request has no body", "capture it whole, or give the body itself")
	case len(found) > 0:
		return nil, unreadable(in.name+": "+findingText(found[0]), "")
	}
	return request.Body, nil
}
