//go:build !linux

package server

import "testing"

// diskToFill is a directory alone: no disk can be mounted here.
func diskToFill(t *testing.T, _ int) (dir string, fill func(full bool)) {
	t.Helper()
	t.Log("skipped: no disk can be mounted here, so none becomes full")
	return t.TempDir(), nil
}
