package main

import (
	"encoding/json"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
)

// The sides of P15 take stored profiles through a year, or through one event.
const (
	storedProfiles = 200
	storedDays     = 365
	loadedProfiles = 10_000
)

// storedRows are P15 and P22: profiles that a program keeps.
func storedRows() []row {
	return []row{
		{id: "P15", ours: "Advance over 365 days", against: "365 × Advance of a day", goal: faster(10), possible: "–", ready: readyAdvance},
		{id: "P15", ours: "an event, JSON in and out", against: "encoding/json, both ways", goal: within(1.5), possible: "–",
			note:  "reads and writes a struct of plain fields with the same members, and applies nothing; ours calls UnmarshalJSON and MarshalJSON, which json.Unmarshal and json.Marshal would check a second time",
			ready: readyStored},
		{id: "P22", ours: "loading 10,000 profiles from JSON", against: "encoding/json into plain fields", goal: within(3), possible: "–",
			note: "checks nothing but the kinds of the values", ready: readyLoaded},
	}
}

// storedBook is the first n profiles of W1, created and run on the first day of the window.
func storedBook(n int) ([]engine.Stored, calendar.Date) {
	first := calendar.MustParse("2026-02-01")
	list, book := make([]engine.Stored, n), portfolioBook(n, false)
	for i := range list {
		e := engine.New(engine.Policy{})
		s, _, err := e.Advance(must(e.Create(book[i], first)), first)
		list[i] = must(s, err)
	}
	return list, first
}

func readyAdvance() contest {
	list, first := storedBook(storedProfiles)
	last := first.AddDays(storedDays)
	var effects []engine.Effect
	ours := side{storedProfiles * storedDays, func() (sum uint64) {
		for _, s := range list {
			s, effects, _ = engine.New(engine.Policy{}).Advance(s, last)
			sum += answer(effects, s)
		}
		return sum
	}}
	theirs := side{storedProfiles * storedDays, func() (sum uint64) {
		for _, s := range list {
			for d := first.AddDays(1); !d.After(last); d = d.AddDays(1) {
				s, effects, _ = engine.New(engine.Policy{}).Advance(s, d)
				sum += answer(effects, engine.Stored{})
			}
			sum += answer(nil, s)
		}
		return sum
	}}
	return contest{ours: ours, theirs: theirs}
}

// answer is made of every charge, and of where the profile is.
func answer(effects []engine.Effect, s engine.Stored) uint64 {
	sum := s.State.Repeat
	for i := range effects {
		if effects[i].Kind == engine.EffectCharge {
			sum += uint64(effects[i].Charge.Min.Coefficient())
		}
	}
	return sum
}

// The plain structs have the members of a Stored, for encoding/json.
type (
	plainStored struct {
		Schema  string       `json:"schema"`
		Profile plainProfile `json:"profile"`
		State   plainState   `json:"state"`
	}
	plainProfile struct {
		ID       string `json:"client-orderid"`
		Kind     string `json:"rp_card_type"`
		Start    string `json:"start-date"`
		Period   string `json:"period"`
		Interval int    `json:"interval"`
		Amount   string `json:"amount"`
		Currency string `json:"currency"`
	}
	plainPolicy struct{} // the defaults
	plainState  struct {
		Status     string      `json:"status"`
		Repeat     uint64      `json:"repeat"`
		RanThrough string      `json:"ran_through"`
		Anchor     string      `json:"anchor"`
		Last       string      `json:"last"`
		Paid       []string    `json:"paid,omitempty"`
		Because    []string    `json:"because,omitempty"`
		Policy     plainPolicy `json:"policy"`
	}
)

func readyStored() contest {
	texts, first := storedTexts(storedProfiles)
	charge := engine.Event{Date: first.AddDays(1), Kind: engine.EventCharge}
	return contest{
		ours: side{storedProfiles, func() (sum uint64) {
			for _, text := range texts {
				var s engine.Stored
				must(0, s.UnmarshalJSON(text))
				s, _, err := engine.New(engine.Policy{}).Handle(s, charge)
				if len(must(must(s, err).MarshalJSON())) > 0 {
					sum += s.State.Repeat - 1
				}
			}
			return sum
		}},
		theirs: side{storedProfiles, func() (sum uint64) {
			for _, text := range texts {
				var s plainStored
				must(0, json.Unmarshal(text, &s))
				if len(must(json.Marshal(s))) > 0 {
					sum += s.State.Repeat
				}
			}
			return sum
		}},
	}
}

// storedTexts is the JSON of a [storedBook].
func storedTexts(n int) ([][]byte, calendar.Date) {
	list, first := storedBook(n)
	texts := make([][]byte, len(list))
	for i := range list {
		texts[i] = must(json.Marshal(list[i]))
	}
	return texts, first
}

func readyLoaded() contest {
	texts, _ := storedTexts(loadedProfiles)
	return contest{ours: loading(texts, func(s *engine.Stored) uint64 { return s.State.Repeat }), theirs: loading(texts, func(s *plainStored) uint64 { return s.State.Repeat })}
}

// loading reads each text into a value.
func loading[T any](texts [][]byte, answer func(*T) uint64) side {
	return side{len(texts), func() (sum uint64) {
		for _, text := range texts {
			var s T
			must(0, json.Unmarshal(text, &s))
			sum += answer(&s)
		}
		return sum
	}}
}
