//go:build !unix

package conform

import "os/exec"

// ownGroup does nothing where there are no process groups.
func ownGroup(*exec.Cmd) {}

// killGroup ends a process.
func killGroup(c *exec.Cmd) { _ = c.Process.Kill() }

// residentBytes is not known here.
func residentBytes(int) int { return 0 }
