package oracle

// Rules are the decisions of a [Machine], one function each.
type Rules struct {
	// StartPast treats a start-date before the day of creation; false refuses (L03).
	StartPast func(m *Machine) bool
	// Restored is called when a machine is restored from a state.
	Restored func(m *Machine)
	// Due reports whether the grid has a day.
	Due func(g Grid, c Civil) bool
	// Paid reports whether a slot must not be charged again (2.2.10).
	Paid func(m *Machine, slot Day) bool
	// Cap is how many repeats there may be in all (2.2.8, L08, L09).
	Cap func(m *Machine) (n uint64, ok bool)
	// Full reports whether the repeat number has reached the cap (L10).
	Full func(repeat, cap uint64) bool
	// Over reports whether a run finds finish-date passed before it charges (L05).
	Over func(m *Machine, d Day) bool
	// Element is the element of the amounts that a repeat number uses (2.2.6, X7).
	Element func(m *Machine, repeat uint64) uint64
	// Counts reports whether a charge uses up a repeat (2.2.7, L13, L20).
	Counts func(m *Machine, c Charge) bool
	// Resumes reports whether a resume by this channel is accepted (clause 3).
	Resumes func(via string) bool
	// Resumed is called after a resume (L14, L15, L16).
	Resumed func(m *Machine, d Day)
	// Updated is called after an accepted update (L18).
	Updated func(m *Machine, u Update, d Day)
}

// Right are the rules as the document and the ledger have them.
func Right() Rules {
	return Rules{
		StartPast: startPast,
		Restored:  func(*Machine) {},
		Due:       Grid.Due,
		Paid:      func(m *Machine, slot Day) bool { return m.Paid[slot] },
		Cap:       capOf,
		Full:      func(repeat, cap uint64) bool { return repeat >= cap },
		Over:      over,
		Element:   func(m *Machine, repeat uint64) uint64 { return Element(len(m.Profile.Sequence), repeat) },
		Counts:    func(m *Machine, c Charge) bool { return !c.Manual || !m.Policy.ManualUncounted },
		Resumes:   func(via string) bool { return via == "ui" },
		Resumed:   resumed,
		Updated:   updated,
	}
}

func capOf(m *Machine) (n uint64, ok bool) {
	p := &m.Profile
	switch {
	case !p.HasMax, p.Max == 0 && m.Policy.MaxZero == "unlimited":
		return 0, false
	case p.Max > 0 && m.Policy.RepeatsAfterFirst:
		return p.Max + 1, true
	}
	return p.Max, true
}

func over(m *Machine, d Day) bool {
	f := m.Profile.Finish
	return f != 0 && (d > f || d == f && m.Policy.FinishExclusive)
}

// Element walks down a list of so many elements, one a repeat: once its end is reached, the last one stays.
func Element(elements int, repeat uint64) uint64 {
	at := uint64(0)
	for at < repeat && at+1 < uint64(elements) {
		at++
	}
	return at
}

func resumed(m *Machine, d Day) {
	if m.Policy.ResumeResets {
		m.Repeat = 0
	}
	if m.Policy.ResumeMoves {
		m.Anchor = d
	}
}

// updated moves the grid to a new start-date (L18). A start-date that was removed leaves
// it to L02: the day of the update.
func updated(m *Machine, u Update, d Day) {
	if u.Start == nil {
		return
	}
	m.Anchor = *u.Start
	if m.Anchor == 0 {
		m.Anchor = d
	}
}
