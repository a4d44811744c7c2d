package laws

import (
	"github.com/leanovate/gopter"

	"github.com/chargecast/chargecast/fuzz/subject"
)

// T is what a law reports to; *testing.T is one.
type T interface {
	Helper()
	Errorf(format string, args ...any)
}

// A Law is a statement about every input.
type Law struct {
	ID      string // "T05"; never reused
	Formula string // what holds
	Clause  string // what it rests on: a clause of the document or an entry of the ledger
	// Presumes are the policy keys whose default the law needs; its generator keeps
	// to them.
	Presumes []string
	// Gen makes the value of a case, with its shrinker. Nil is a law without random
	// input, which is checked once.
	Gen gopter.Gen
	// Heavy marks a law that reads a whole payload or adds up whole books in each case: it runs on
	// a quarter of the cases.
	Heavy bool
	// Slow marks a law that runs on few cases.
	Slow bool
	// Alone marks a law that measures allocations or work: nothing else may run
	// meanwhile. All others may be checked at the same time.
	Alone bool
	// Needs reports whether an implementation has what the law asks for.
	Needs func(subject.Impl) bool
	// Check reports a case that breaks the law.
	Check func(t T, c *Case, impl subject.Impl)
}
