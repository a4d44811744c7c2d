package show

// A Report is the outcome of a run.
type Report struct {
	Name    string // of the program
	Seed    uint64
	Laws    []Law
	Unknown []string // what was asked for and names no law
	Missed  []string // pairs of classes of input that no case met
}

// A Law is what became of one law.
type Law struct {
	ID, Clause, Formula string
	Cases               int      // that were judged
	Covered             bool     // at least one was
	NotRun              bool     // the implementation had failed too often by then
	Skipped             bool     // on the skip list, and it fails
	Unspecified         int      // cases whose answer fits another reading of the ledger
	Keys                []string // the policy keys of those readings; the ledger entry where it has no key
	Failures            []Failure
}

// A Failure is a case that breaks a law.
type Failure struct {
	Token, Message string
	Counterexample Counterexample
	ShrinkStopped  string // why the search for a simpler case stopped early; empty when it did not
}

// Failed reports whether the law fails, or could not be run.
func (l Law) Failed() bool { return l.NotRun || len(l.Failures) > 0 }

// OK reports whether laws were judged, none failed, and every one that was asked for exists.
func (r Report) OK() bool { return r.Failed() == 0 && r.Covered() > 0 && len(r.Unknown) == 0 }

// Failed is the number of laws that fail or could not be run.
func (r Report) Failed() int { return r.count(Law.Failed) }

// broken is the number of laws of which a case fails.
func (r Report) broken() int { return r.count(func(l Law) bool { return len(l.Failures) > 0 }) }

// Covered is the number of laws that were judged.
func (r Report) Covered() int { return r.count(func(l Law) bool { return l.Covered }) }

func (r Report) count(is func(Law) bool) (n int) {
	for _, l := range r.Laws {
		if is(l) {
			n++
		}
	}
	return n
}

// AppendJSON appends the report as one JSON document.
func (r Report) AppendJSON(dst []byte) []byte {
	type shown struct {
		CSV     string `json:"csv"`
		Command string `json:"command"`
	}
	type failure struct {
		Token          string `json:"token"`
		Message        string `json:"message"`
		Counterexample shown  `json:"counterexample"`
		ShrinkStopped  string `json:"shrink_stopped,omitempty"`
	}
	type law struct {
		ID          string    `json:"id"`
		Clause      string    `json:"clause"`
		Cases       int       `json:"cases"`
		Covered     bool      `json:"covered"`
		NotRun      bool      `json:"not_run,omitempty"`
		Skipped     bool      `json:"skipped,omitempty"`
		Unspecified int       `json:"unspecified"`
		Keys        []string  `json:"unspecified_keys,omitempty"`
		Failures    []failure `json:"failures"`
	}
	out := struct {
		Name    string   `json:"name"`
		Seed    uint64   `json:"seed"`
		OK      bool     `json:"ok"`
		Unknown []string `json:"unknown,omitempty"`
		Laws    []law    `json:"laws"`
		Missed  []string `json:"missed_classes"`
	}{Name: r.Name, Seed: r.Seed, OK: r.OK(), Unknown: r.Unknown, Laws: []law{}, Missed: append([]string{}, r.Missed...)}
	for _, l := range r.Laws {
		one := law{l.ID, l.Clause, l.Cases, l.Covered, l.NotRun, l.Skipped, l.Unspecified, l.Keys, []failure{}}
		for _, f := range l.Failures {
			one.Failures = append(one.Failures, failure{f.Token, f.Message, shown(f.Counterexample), f.ShrinkStopped})
		}
		out.Laws = append(out.Laws, one)
	}
	text, _ := Marshal(out) // of strings and numbers alone
	return append(dst, text...)
}
