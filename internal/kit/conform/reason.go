package conform

import (
	"errors"
	"os/exec"
	"syscall"
)

// errReason is the system's word for what went wrong, without the path that package os puts around
// it.
func errReason(err error) error {
	for _, known := range [...]error{exec.ErrNotFound, exec.ErrDot} {
		if errors.Is(err, known) {
			return known
		}
	}
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		return errno
	}
	return errors.New("the system gave no reason")
}
