package program

import (
	"errors"
	"io"
	"os"
)

// Stdout returns the stdout of a process: a writer that fails where it was closed when the process started, and one that
// takes everything for the null device, however that was opened.
func Stdout(stdout, stderr *os.File) io.Writer {
	switch {
	case !IsNull(stdout):
		return stdout
	case startedClosed(stdout, stderr):
		return closedOutput{}
	}
	return io.Discard
}

// A closedOutput stands for a stdout that was closed when the program started.
type closedOutput struct{}

var errClosed = errors.New("stdout is closed")

func (closedOutput) Write([]byte) (int, error) { return 0, errClosed }

// IsNull reports whether f is the null device.
func IsNull(f *os.File) bool {
	null, err1 := os.Stat(os.DevNull)
	info, err2 := f.Stat()
	return err1 == nil && err2 == nil && os.SameFile(null, info)
}
