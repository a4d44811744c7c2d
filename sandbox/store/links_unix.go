//go:build unix

package store

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// names is how many names a file has.
func names(info fs.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Nlink)
	}
	return 1
}

// lockFile locks the file itself: it may have another path, by a bind mount, and the lock beside
// that one is another. The locks of SQLite are of another kind and do not meet it. False: another
// process has it.
func lockFile(path string) (*os.File, bool, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, false, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	switch {
	case errors.Is(err, syscall.EWOULDBLOCK):
		return nil, false, f.Close()
	case err != nil: // a file system without such locks
		return nil, true, f.Close()
	}
	return f, true, nil
}
