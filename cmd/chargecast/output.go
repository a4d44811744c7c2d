package main

import (
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// outputBuffer is how much is written at once.
const outputBuffer = 64 << 10

// An output collects whole lines and writes them in large pieces, so that the output is
// cut at a line end wherever the program stops. After an error it swallows the rest.
type output struct {
	// b is where lines are appended; the last one may be incomplete.
	b       []byte
	err     error
	w       io.Writer
	limit   int
	writing sync.Mutex
}

// endLine tells that b ends with a line end; it writes when enough has come together.
func (o *output) endLine() {
	if len(o.b) >= o.limit {
		o.err = o.flush()
	}
}

// flush writes what is there. The error stays.
func (o *output) flush() error {
	if o.err == nil && len(o.b) > 0 {
		o.writing.Lock()
		_, err := o.w.Write(o.b)
		o.writing.Unlock()
		if err != nil {
			o.err = &writeError{err}
		}
	}
	o.b = o.b[:0]
	return o.err
}

// Write is for texts that are not made line by line, such as help, and for large pieces.
func (o *output) Write(p []byte) (int, error) {
	if len(o.b) == 0 && len(p) >= o.limit {
		o.b = p
		err := o.flush()
		o.b = nil // p belongs to the caller
		return len(p), err
	}
	o.b = append(o.b, p...)
	if len(p) > 0 && p[len(p)-1] == '\n' {
		o.endLine()
	}
	return len(p), o.err
}

// endOnInterrupt ends the program at a line end of its output when the user interrupts
// it. A second interrupt does not wait for a reader that has stalled.
func (o *output) endOnInterrupt() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-c
		signal.Stop(c)
		o.writing.Lock()
		os.Exit(int(exitInterrupted))
	}()
}
