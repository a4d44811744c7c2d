package conform

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// What limits a program.
const (
	maxLine   = 8 << 20         // bytes of a reply
	maxStderr = 64 << 10        // bytes kept of what it writes to its standard error
	lastWords = 1 * time.Second // see patience
)

// What a program does wrong.
var (
	errEnded   = errors.New("the program ended before it replied")
	errSilent  = errors.New("the program did not reply in time")
	errClosed  = errors.New("the program closed its standard output before it replied")
	errNoInput = errors.New("the program does not read its standard input")
	errTooLong = errors.New("the reply is longer than 8 MiB")
	errMemory  = errors.New("the program uses more memory than it may")
)

// A process is a program that runs: pipes of our own, so that no child that keeps them open can
// make us wait for it.
type process struct {
	cmd    *exec.Cmd
	in     *os.File
	out    *os.File
	err    *os.File
	lines  chan reply
	ended  chan struct{} // closed when the program has ended
	done   chan struct{} // closed when we are done with it
	readTo sync.WaitGroup
	once   sync.Once
	last   time.Duration // see patience
	memory int           // bytes that it may use
}

// A reply is one line, or why there is none.
type reply struct {
	line []byte
	err  error
}

// start starts a command. What it writes to its standard error goes to log.
func start(command []string, log *stderrLog, patient patience) (*process, error) {
	p := &process{cmd: exec.Command(command[0], command[1:]...), lines: make(chan reply), ended: make(chan struct{}), done: make(chan struct{}), last: patient.last, memory: patient.memory}
	ownGroup(p.cmd)
	theirs, err := p.pipes()
	if err == nil {
		err = p.cmd.Start()
	}
	for _, f := range theirs {
		_ = f.Close()
	}
	if err != nil {
		p.closePipes()
		return nil, err
	}
	p.readTo.Add(2)
	go func() { defer p.readTo.Done(); p.read() }()
	go func() { defer p.readTo.Done(); _, _ = io.Copy(log, p.err) }()
	go func() { _ = p.cmd.Wait(); close(p.ended) }()
	return p, nil
}

// pipes connects the command and returns its ends.
func (p *process) pipes() (theirs []*os.File, err error) {
	pipe := func() (r, w *os.File) {
		if err == nil {
			r, w, err = os.Pipe()
		}
		return r, w
	}
	var stdin, stdout, stderr *os.File
	stdin, p.in = pipe()
	p.out, stdout = pipe()
	p.err, stderr = pipe()
	if err == nil {
		p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = stdin, stdout, stderr
	}
	for _, f := range [...]*os.File{stdin, stdout, stderr} {
		if f != nil {
			theirs = append(theirs, f)
		}
	}
	return theirs, err
}

func (p *process) closePipes() {
	for _, f := range [...]*os.File{p.in, p.out, p.err} {
		if f != nil {
			_ = f.Close()
		}
	}
}

// read hands over the lines of the standard output until somebody closes it.
func (p *process) read() {
	r := bufio.NewReaderSize(p.out, 64<<10)
	for {
		var next reply
		next.line, next.err = readLine(r)
		select {
		case p.lines <- next:
		case <-p.done:
			return
		}
		if next.err != nil {
			return
		}
	}
}

// readLine reads a line without its end; a line that is not ended is none.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > maxLine {
			return nil, errTooLong
		}
		line = append(line, part...)
		switch {
		case err == nil:
			return line[:len(line)-1], nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, errClosed
		}
	}
}

// ask writes a line and waits for one.
func (p *process) ask(line []byte, timeout time.Duration) ([]byte, error) {
	limit := time.NewTimer(timeout)
	defer limit.Stop()
	written := make(chan error, 1)
	_ = p.in.SetWriteDeadline(time.Now().Add(timeout))
	// Beside the reading: a program may write before it reads.
	go func() {
		_, err := p.in.Write(line)
		written <- err
	}()
	ended := p.ended
	watch := time.NewTicker(50 * time.Millisecond)
	defer watch.Stop()
	for {
		select {
		case <-watch.C:
			if residentBytes(p.cmd.Process.Pid) > p.memory {
				return nil, errMemory
			}
		case next := <-p.lines:
			if next.err == nil {
				return next.line, nil
			}
			return nil, p.cause(next.err)
		case err := <-written:
			if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) && !p.hasEnded() {
				return nil, errNoInput
			}
			written = nil
		case <-ended:
			ended = nil
			limit.Reset(min(p.last, timeout))
		case <-limit.C:
			return nil, p.cause(errSilent)
		}
	}
}

func (p *process) hasEnded() bool {
	select {
	case <-p.ended:
		return true
	case <-time.After(p.last):
		return false
	}
}

// cause is why no line came: a program that has ended says nothing more.
func (p *process) cause(err error) error {
	if errors.Is(err, errTooLong) {
		return err
	}
	if errors.Is(err, errClosed) && p.hasEnded() {
		return errEnded
	}
	select {
	case <-p.ended:
		return errEnded
	default:
		return err
	}
}

// close ends the program and its group. It may be called more than once, and at any time.
func (p *process) close() {
	p.once.Do(func() {
		close(p.done)
		killGroup(p.cmd)
		<-p.ended
		p.closePipes()
		p.readTo.Wait()
	})
}

// A stderrLog keeps the first bytes that a program writes to its standard error.
type stderrLog struct {
	mu   sync.Mutex
	text []byte
}

// Write keeps what still fits.
func (l *stderrLog) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = append(l.text, b[:min(len(b), maxStderr-len(l.text))]...)
	return len(b), nil
}

func (l *stderrLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(l.text)
}
