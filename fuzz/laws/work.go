package laws

import "runtime"

// A Work is what calls cost, counted rather than timed.
type Work struct {
	Steps uint64 // by the implementation's own count; 0 where it keeps none
	Bytes uint64 // allocated
}

// work counts what a call costs.
func (t *T) work(call func()) Work {
	if t.Steps == nil {
		return Work{Bytes: allocated(call)}
	}
	before := t.Steps()
	bytes := allocated(call)
	return Work{t.Steps() - before, bytes}
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
