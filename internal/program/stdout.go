package program

import (
	"errors"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Stdout returns the stdout of a process, or a writer that fails where stdout was closed when the process started.
func Stdout(stdout, stderr *os.File) io.Writer {
	if isClosed(stdout, stderr) {
		return closedOutput{}
	}
	return stdout
}

// A closedOutput stands for a stdout that was closed when the program started.
type closedOutput struct{}

var errClosed = errors.New("stdout is closed")

func (closedOutput) Write([]byte) (int, error) { return 0, errClosed }

// isClosed reports whether stdout was closed when the program started. Package runtime then puts the null device in
// its place, open for reading too, which no call tells from the null device that a program puts there to throw an output
// away (DEVNULL of Python, "ignore" of Node). So what is taken for closed is what a shell has started whose own stdout is
// another one: >&- is how stdout is closed, and a shell opens the null device for writing only.
func isClosed(stdout, stderr *os.File) bool {
	if !IsNull(stdout) || IsNull(stderr) {
		return false
	}
	if _, err := stdout.Read(make([]byte, 1)); err != io.EOF {
		return false
	}
	parent := "/proc/" + strconv.Itoa(os.Getppid())
	name, err := os.ReadFile(parent + "/comm")
	if err != nil || !slices.Contains([]string{"sh", "ash", "bash", "busybox", "dash", "fish", "ksh", "mksh", "zsh"}, strings.TrimSpace(string(name))) {
		return false
	}
	null, err1 := os.Stat(os.DevNull)
	own, err2 := os.Stat(parent + "/fd/1")
	return err1 == nil && (err2 != nil || !os.SameFile(null, own))
}

// IsNull reports whether f is the null device.
func IsNull(f *os.File) bool {
	null, err1 := os.Stat(os.DevNull)
	info, err2 := f.Stat()
	return err1 == nil && err2 == nil && os.SameFile(null, info)
}
