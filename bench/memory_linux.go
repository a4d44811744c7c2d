package main

import (
	"os"
	"syscall"
)

// residentPeak is the largest resident size of a process that has ended, in bytes. Linux
// counts it in units of 1,024.
func residentPeak(state *os.ProcessState) (int64, bool) {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0, false
	}
	return int64(usage.Maxrss) * 1024, true
}
