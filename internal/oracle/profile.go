package oracle

import (
	"iter"
	"math/big"
)

// A Profile is the columns that matter, empty where absent.
type Profile struct {
	Source   bool // SRC; otherwise DST
	Start    Day
	Unit     Unit
	Interval int64
	Finish   Day
	Max      uint64
	HasMax   bool

	Amount, From, To string
	Sequence         []string
}

// valid reports whether the columns keep the rules of 2.1 and 2.2 and the policy takes
// them.
func (p Profile) valid(pol Policy) bool {
	switch {
	case (p.Unit == 0) != (p.Interval == 0), p.Interval < 0:
		return false
	case p.Unit != 0 && !p.Source:
		return false
	case p.HasMax && p.Max == 0 && pol.MaxZero == "reject":
		return false
	}
	return p.validAmounts()
}

// validAmounts asks for exactly one amount choice, whole and in order (2.2.5, L33, L34).
func (p Profile) validAmounts() bool {
	modes := 0
	if p.Amount != "" {
		modes++
	}
	if p.From != "" || p.To != "" {
		modes++
		from, ok1 := new(big.Rat).SetString(p.From)
		to, ok2 := new(big.Rat).SetString(p.To)
		if !ok1 || !ok2 || from.Cmp(to) > 0 {
			return false
		}
	}
	if len(p.Sequence) > 0 {
		modes++
	}
	return modes == 1
}

// bounds are the least and the greatest amount of a charge, by element.
func (p Profile) bounds(element uint64) (min, max string) {
	switch {
	case len(p.Sequence) > 0:
		return p.Sequence[element], p.Sequence[element]
	case p.Amount != "":
		return p.Amount, p.Amount
	}
	return p.From, p.To
}

// A Policy holds the reading of each key of the ledger, as its words where there are
// more than two.
type Policy struct {
	MonthEnd           MonthEnd
	StartAbsentReject  bool   // L02
	StartPast          string // L03; empty is skip
	FinishExclusive    bool   // L05
	RepeatsAfterFirst  bool   // L08
	MaxZero            string // L09; empty is stop
	ResumeResets       bool   // L14
	ResumeMoves        bool   // L15
	ResumeCatchesUp    bool   // L16
	RunCatchesUp       bool   // L16b
	ManualUncounted    bool   // L20
	ManualWhenStopped  bool   // L21
	ManualTakesTheSlot bool   // L22
}

func monthEndOf(value string) MonthEnd {
	switch value {
	case "skip":
		return Skip
	case "next-first":
		return NextFirst
	case "overflow":
		return Overflow
	}
	return Clamp
}

// PolicyOf reads keys and values; what it does not know it leaves at the default.
func PolicyOf(values iter.Seq2[string, string]) Policy {
	var p Policy
	for key, value := range values {
		switch key {
		case "month-end":
			p.MonthEnd = monthEndOf(value)
		case "start-absent":
			p.StartAbsentReject = value == "reject"
		case "start-past":
			p.StartPast = value
		case "finish-bound":
			p.FinishExclusive = value == "exclusive"
		case "max-counts":
			p.RepeatsAfterFirst = value == "repeats-after-first"
		case "max-zero":
			p.MaxZero = value
		case "resume-counter":
			p.ResumeResets = value == "reset"
		case "resume-anchor":
			p.ResumeMoves = value == "resume-date"
		case "resume-missed":
			p.ResumeCatchesUp = value == "catch-up"
		case "run-missed":
			p.RunCatchesUp = value == "catch-up"
		case "manual-counts":
			p.ManualUncounted = value == "no"
		case "manual-when-stopped":
			p.ManualWhenStopped = value == "allow"
		case "manual-takes-slot":
			p.ManualTakesTheSlot = value == "yes"
		}
	}
	return p
}
