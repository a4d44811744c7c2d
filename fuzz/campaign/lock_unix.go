//go:build unix && !aix && !solaris

package campaign

import (
	"errors"
	"os"
	"syscall"
)

// lock keeps other campaigns out of a directory until release is called or the process ends. It
// reports false if another one has it. A file system without locks keeps none out.
func lock(dir string) (release func(), ok bool) {
	f, err := os.Open(dir)
	if err != nil {
		return func() {}, true // what follows says why
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) {
		_ = f.Close()
		return nil, false
	}
	return func() { _ = f.Close() }, true
}
