package main

import (
	"slices"

	"github.com/chargecast/chargecast/internal/program"
)

// An exitCode is what scripts rely on, and a failure ends a command.
type (
	exitCode   = program.ExitCode
	failure    = program.Failure
	writeError = program.WriteError
)

const (
	exitOK          = program.ExitOK
	exitFindings    = program.ExitFindings
	exitUsage       = program.ExitUsage
	exitUnreadable  = program.ExitUnreadable
	exitInternal    = program.ExitInternal
	exitInterrupted = program.ExitInterrupted
)

// errFindings is the end of a command that has reported its findings.
var errFindings = &failure{Code: exitFindings}

// errIncomplete is errFindings where one of them is about the payload as a whole: rows may be missing.
var errIncomplete = &failure{Code: exitFindings}

func usage(text, help string) error      { return program.Usage(text, help) }
func unreadable(text, help string) error { return program.Unreadable(text, help) }
func internal(text, help string) error   { return program.Internal(text, help) }

// finish tells the user what ended the command and returns the exit code.
func (a *app) finish(err error) exitCode {
	a.log.clear()
	return program.End("chargecast", err, a.log.line)
}

// reason is the system's word for what went wrong.
func reason(err error) string {
	if slices.Contains(packedFaults[:], err) {
		return err.Error()
	}
	return program.Reason(err)
}
