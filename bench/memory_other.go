//go:build !linux

package main

import "os"

// residentPeak is known on Linux only: other systems count in other units or not at all.
func residentPeak(*os.ProcessState) (int64, bool) { return 0, false }
