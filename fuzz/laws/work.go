package laws

import (
	"runtime"
)

// A Work is what calls cost, counted rather than timed.
type Work struct {
	Steps uint64 // by the implementation's own count; 0 where it keeps none
	Bytes uint64 // allocated
}

// WorkOf counts what a call costs.
func WorkOf(i Impl, call func()) Work {
	if i.Steps == nil {
		return Work{Bytes: allocated(call)}
	}
	before := i.Steps()
	bytes := allocated(call)
	return Work{i.Steps() - before, bytes}
}

// allocated is how many bytes are allocated in a call.
func allocated(call func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	call()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// Exceeds reports whether the work is more than some times another, with an allowance for
// what comes once.
func (w Work) Exceeds(times uint64, other Work) bool {
	const steps, bytes = 100, 64 << 10
	return w.Steps > times*other.Steps+steps || w.Bytes > times*other.Bytes+bytes
}
