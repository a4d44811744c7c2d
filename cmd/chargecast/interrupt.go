package main

import (
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// A scratch is the temporary file that an interrupt must not leave behind.
type scratch struct {
	mu   sync.Mutex
	path string // empty for none
}

// make runs do, which makes the file and returns its path.
func (s *scratch) make(do func() (path string, err error)) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.path, err = do()
	return err
}

// done runs do, which moves or removes the file.
func (s *scratch) done(do func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := do()
	if err == nil {
		s.path = ""
	}
	return err
}

// endOnInterrupt ends the program at a line end of its output when the user interrupts it, ends the
// session or stops it.
func (a *app) endOnInterrupt() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // as nohup does
		signal.Notify(c, syscall.SIGHUP)
	}
	go func() {
		<-c
		signal.Stop(c)
		a.scratch.mu.Lock() // for good
		if a.scratch.path != "" {
			_ = os.Remove(a.scratch.path)
		}
		a.out.writing.Lock() // what follows from the end of the program is not written
		if a.out.inLine {
			_, _ = io.WriteString(a.out.w, "\n")
		}
		os.Exit(int(exitInterrupted))
	}()
}
