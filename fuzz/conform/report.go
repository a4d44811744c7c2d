package conform

import "github.com/chargecast/chargecast/fuzz/show"

// What became of a run; the forms of a report are those of package show.
type (
	// A Report is the outcome of a run.
	Report = show.Report
	// A Law is what became of one law.
	Law = show.Law
	// A Failure is a case that breaks a law.
	Failure = show.Failure
	// A Counterexample is a case as a user would meet it.
	Counterexample = show.Counterexample
)
