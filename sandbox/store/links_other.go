//go:build !unix

package store

import (
	"io/fs"
	"os"
)

// names is how many names a file has, as far as it is known.
func names(fs.FileInfo) uint64 { return 1 }

// lockFile locks nothing: the lock beside the file is all there is.
func lockFile(string) (*os.File, bool, error) { return nil, true, nil }
