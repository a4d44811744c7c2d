package main

import (
	"errors"
	"io"
	"slices"
	"strings"
	"syscall"
)

// An exitCode is what scripts rely on.
type exitCode int

const (
	exitOK          exitCode = 0
	exitFindings    exitCode = 1
	exitUsage       exitCode = 2
	exitUnreadable  exitCode = 3
	exitInternal    exitCode = 4
	exitInterrupted exitCode = 130
)

// A failure ends a command. Its text names the place, the rule and the remedy, and holds
// no value of the input.
type failure struct {
	code exitCode
	text string // empty where the findings have been written already
	help string // what to do; may be empty
}

func (f *failure) Error() string { return f.text }

// errFindings is the end of a command that has told its findings.
var errFindings = &failure{code: exitFindings}

// errIncomplete is errFindings where one of them is about the payload as a whole: rows may be missing.
var errIncomplete = &failure{code: exitFindings}

func usage(text, help string) error      { return &failure{exitUsage, text, help} }
func unreadable(text, help string) error { return &failure{exitUnreadable, text, help} }
func internal(text, help string) error   { return &failure{exitInternal, text, help} }

// A writeError is an output that cannot be written.
type writeError struct{ err error }

func (e *writeError) Error() string { return "cannot write the output: " + reason(e.err) }

// closedPipe tells that the reader of the output has gone, which is not an error.
func (e *writeError) closedPipe() bool {
	return errors.Is(e.err, syscall.EPIPE) || errors.Is(e.err, io.ErrClosedPipe)
}

// finish tells the user what ended the command and gives the exit code.
func (a *app) finish(err error) exitCode {
	a.log.clear()
	var write *writeError
	if errors.As(err, &write) && !write.closedPipe() {
		a.log.line("chargecast: " + write.Error())
		return exitInternal
	}
	var f *failure
	switch {
	case errors.As(err, &f):
	case err == nil || write != nil:
		return exitOK
	default: // an argument that cobra itself refused; its text repeats it
		f = &failure{exitUsage, "the arguments do not fit the command", "chargecast help lists the commands"}
	}
	if f.text != "" {
		a.log.line("chargecast: " + f.text)
	}
	if f.help != "" {
		for line := range strings.SplitSeq(f.help, "\n") {
			a.log.line("  " + line)
		}
	}
	return f.code
}

// reason is the system's word for what went wrong, without the path that package os
// puts around it.
func reason(err error) string {
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		return errno.Error()
	}
	if err == errClosed || slices.Contains(packedFaults[:], err) {
		return err.Error()
	}
	return "the system gave no reason"
}
