package main

import (
	"bufio"
	"compress/gzip"
	"errors"
	"io"
	"strings"
)

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
		if a.sums != nil {
			in.file = a.sums.of(path, most > 0, in.file)
		}
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
