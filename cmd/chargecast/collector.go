package main

import "runtime/debug"

// memoryLimit is where the collector begins to hurry. It is soft: what is needed is taken,
// but garbage does not double it.
const memoryLimit = 40 << 20

// How much garbage there may be before it is collected, in percent of what is kept. Where that is
// little, the memory limit leaves room for several times as much.
const (
	garbageOfRows  = 300
	garbageOfFiles = 40
)

// tunes reports whether the collector is the command's to set: the settings of whoever started the
// process, GOGC and GOMEMLIMIT, go before those of the command.
func (a *app) tunes() bool {
	return a.isProcess && a.getenv("GOGC") == "" && a.getenv("GOMEMLIMIT") == ""
}

// keepSmall is for work that needs little memory however much it reads.
func (a *app) keepSmall() {
	if a.tunes() {
		debug.SetMemoryLimit(memoryLimit)
		debug.SetGCPercent(garbageOfRows)
	}
}

// collectOften is for what is kept of a file.
func (a *app) collectOften() {
	if a.tunes() {
		debug.SetGCPercent(garbageOfFiles)
	}
}
