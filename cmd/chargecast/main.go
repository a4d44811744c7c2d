package main

import (
	"errors"
	"io"
	"os"
	"runtime/debug"
)

func main() {
	_ = os.Unsetenv("ZONEINFO") // package time would take the zones of --zone from it
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the whole command: it reads and writes what it is given and returns the exit
// code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	a := newApp(stdin, stdout, stderr)
	defer func() {
		if v := recover(); v != nil {
			// The value may quote input; the stack does not.
			a.log.line("chargecast: internal error, a fault of chargecast itself")
			a.log.line(string(debug.Stack()))
			code = int(exitInternal)
		}
	}()
	root := newRoot(a, args)
	root.SetArgs(append([]string{}, args...))
	err := root.Execute()
	if flushed := a.out.flush(); flushed != nil {
		err = errors.Join(flushed, err)
	}
	return int(a.finish(err))
}
