package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
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

// openText opens a file whose text may be packed with gzip: it is where the first bytes or the name
// say so. Unpacking needs little memory, whatever is in it.
func (a *app) openText(path string) (*input, error) { return a.openPacked(path, 0) }

// maxUnpacked is how much a file may unpack to that is kept in memory: a state file of a million
// profiles has less.
const maxUnpacked = 256 << 20

// openKept is openText for a file that is kept in memory.
func (a *app) openKept(path string) (*input, error) { return a.openPacked(path, maxUnpacked) }

func (a *app) openPacked(path string, most int64) (*input, error) {
	in, err := a.open(path)
	if err == nil {
		in.opened = in.file
		in.file = &gunzip{file: in.opened, named: strings.HasSuffix(path, ".gz"), most: most}
	}
	return in, err
}

// A gunzip reads a file, or what is in it if that is gzip. Nothing is read before the first Read.
type gunzip struct {
	file  io.Reader
	named bool      // the name says that it is gzip
	most  int64     // bytes that it may unpack to; 0 for any number
	text  io.Reader // nil before the first Read
	start error     // why the first bytes cannot be read, said as often as it is asked
	err   error     // of the file
}

// The ways in which packed data can be at fault.
var (
	errNotGzip   = errors.New("its name ends with .gz, and it is not gzip")
	errDamaged   = errors.New("the gzip data is damaged or cut off")
	errUnpacked  = errors.New("it unpacks to more than 256 MiB, which would be kept in memory: unpack it first")
	packedFaults = [...]error{errNotGzip, errDamaged, errUnpacked}
)

func (g *gunzip) Read(p []byte) (int, error) {
	if g.text == nil && g.start == nil {
		g.start = g.begin()
	}
	if g.start != nil {
		return 0, g.start
	}
	return g.text.Read(p)
}

// begin looks at the first bytes.
func (g *gunzip) begin() error {
	src := bufio.NewReader(source{g})
	start, _ := src.Peek(2)
	isGzip := string(start) == "\x1f\x8b"
	switch {
	case !isGzip && g.named && g.err == nil:
		return errNotGzip
	case !isGzip:
		g.text = src
		return nil
	}
	z, err := gzip.NewReader(src)
	if err != nil {
		return g.fault(err)
	}
	g.text = &unpacked{of: g, zip: z}
	return nil
}

// fault is the error of the file, or else that of the data in it.
func (g *gunzip) fault(err error) error {
	switch {
	case g.err != nil:
		return g.err
	case err != nil:
		return errDamaged
	}
	return nil
}

// A source is the file of a gunzip, whose errors are not those of the data.
type source struct{ *gunzip }

func (s source) Read(p []byte) (int, error) {
	n, err := s.file.Read(p)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

// unpacked is the text in gzip data.
type unpacked struct {
	of   *gunzip
	zip  *gzip.Reader
	read int64
}

func (u *unpacked) Read(p []byte) (int, error) {
	n, err := u.zip.Read(p)
	u.read += int64(n)
	switch {
	case u.of.most > 0 && u.read > u.of.most:
		return 0, errUnpacked
	case err == io.EOF:
		return n, io.EOF
	}
	return n, u.of.fault(err)
}

// progress tells on a terminal how many rows are read, when that takes longer than a
// second. The zero value is silent.
type progress struct {
	log  *messages
	now  func() time.Time
	next time.Time // when to tell again
	rows int
}

// newProgress is silent unless stderr is a terminal that the output does not go to.
func (a *app) newProgress() progress {
	if a.outIsTerm || !isTerminal(a.log.w) || a.getenv("TERM") == "dumb" {
		return progress{}
	}
	return progress{log: a.log, now: a.now, next: a.now().Add(time.Second)}
}

// row counts a row. The clock is not asked for each.
func (p *progress) row() {
	p.rows++
	if p.log == nil || p.rows%1024 != 0 {
		return
	}
	if now := p.now(); now.After(p.next) {
		p.next = now.Add(200 * time.Millisecond)
		p.log.status("chargecast: " + strconv.Itoa(p.rows) + " rows read")
	}
}

// status shows a text in place of the last one, without a line end; the next message
// takes its place.
func (m *messages) status(s string) {
	m.clear()
	_, _ = io.WriteString(m.w, s)
	m.shown = len(s)
}

// clear takes a status away.
func (m *messages) clear() {
	if m.shown > 0 {
		_, _ = io.WriteString(m.w, "\r"+strings.Repeat(" ", m.shown)+"\r")
		m.shown = 0
	}
}

// captureHead is how much of an input decides whether it is a captured request.
const captureHead = 512

// openPayload opens what holds a payload: CSV, base64, a form body or, unless --input insists on one of these, a
// captured request. Of a request it reads the body, and o insists on a form.
func (a *app) openPayload(path string, o *rules.Options) (*input, error) {
	in, err := a.openText(path)
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
	body, err := in.capturedBody(o.MaxBytes)
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
func (in *input) capturedBody(maxBytes int64) ([]byte, error) {
	limit := int64(maxRequestBytes)
	if maxBytes > 0 {
		limit = maxBytes
	}
	raw, err := in.readAll(int(min(limit, math.MaxInt)), limitBytes, raiseLimit)
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
