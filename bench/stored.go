package main

import (
	"encoding/json"
	"strconv"

	"github.com/chargecast/chargecast/amount"
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
func storedBook(n int) ([]engine.Stored, calendar.Date, error) {
	first := calendar.MustParse("2026-02-01")
	list := make([]engine.Stored, n)
	for i := range list {
		p := portfolioProfile(uint64(i))
		a, err := amount.FromMinor(p.minor, 2)
		if err != nil {
			return nil, first, err
		}
		e := engine.New(engine.Policy{})
		s, err := e.Create(engine.Profile{
			ID: "order-" + strconv.Itoa(i), Kind: engine.KindSource, Start: p.start(), Unit: p.unit, Interval: 1,
			Amounts: amount.Fixed(a), Currency: p.currency,
		}, first)
		if err == nil {
			s, _, err = e.Advance(s, first)
		}
		if err != nil {
			return nil, first, err
		}
		list[i] = s
	}
	return list, first, nil
}

func readyAdvance() (contest, error) {
	list, first, err := storedBook(storedProfiles)
	if err != nil {
		return contest{}, err
	}
	last := first.AddDays(storedDays)
	var effects []engine.Effect
	ours := side{storedProfiles * storedDays, func() (sum uint64) {
		for _, s := range list {
			s, effects, err = engine.New(engine.Policy{}).Advance(s, last)
			sum += answer(effects, s)
		}
		return sum
	}}
	theirs := side{storedProfiles * storedDays, func() (sum uint64) {
		for _, s := range list {
			for d := first.AddDays(1); !d.After(last); d = d.AddDays(1) {
				s, effects, err = engine.New(engine.Policy{}).Advance(s, d)
				sum += answer(effects, engine.Stored{})
			}
			sum += answer(nil, s)
		}
		return sum
	}}
	return contest{ours: ours, theirs: theirs}, err
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

func readyStored() (contest, error) {
	texts, first, err := storedTexts(storedProfiles)
	if err != nil {
		return contest{}, err
	}
	charge := engine.Event{Date: first.AddDays(1), Kind: engine.EventCharge}
	c := contest{
		ours: side{storedProfiles, func() (sum uint64) {
			for _, text := range texts {
				var s engine.Stored
				if err = s.UnmarshalJSON(text); err != nil {
					return 0
				}
				s, _, err = engine.New(engine.Policy{}).Handle(s, charge)
				out, err2 := s.MarshalJSON()
				if err != nil || err2 != nil || len(out) == 0 {
					return 0
				}
				sum += s.State.Repeat - 1
			}
			return sum
		}},
		theirs: side{storedProfiles, func() (sum uint64) {
			for _, text := range texts {
				var s plainStored
				if err = json.Unmarshal(text, &s); err != nil {
					return 0
				}
				out, err2 := json.Marshal(s)
				if err2 != nil || len(out) == 0 {
					return 0
				}
				sum += s.State.Repeat
			}
			return sum
		}},
	}
	return c, nil
}

// storedTexts is the JSON of a [storedBook].
func storedTexts(n int) ([][]byte, calendar.Date, error) {
	list, first, err := storedBook(n)
	texts := make([][]byte, len(list))
	for i := range list {
		if err == nil {
			texts[i], err = json.Marshal(list[i])
		}
	}
	return texts, first, err
}

func readyLoaded() (contest, error) {
	texts, _, err := storedTexts(loadedProfiles)
	return contest{
		ours: side{len(texts), func() (sum uint64) {
			for _, text := range texts {
				var s engine.Stored
				if json.Unmarshal(text, &s) == nil {
					sum += s.State.Repeat
				}
			}
			return sum
		}},
		theirs: side{len(texts), func() (sum uint64) {
			for _, text := range texts {
				var s plainStored
				if json.Unmarshal(text, &s) == nil {
					sum += s.State.Repeat
				}
			}
			return sum
		}},
	}, err
}
