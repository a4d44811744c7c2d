package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/fuzz/oracle"
)

// columns are the columns of a profile that matter.
type columns map[string]string

// with is c with other columns over it; an empty value removes one.
func (c columns) with(more columns) columns {
	out := maps.Clone(c)
	for name, value := range more {
		if value == "" {
			delete(out, name)
		} else {
			out[name] = value
		}
	}
	return out
}

// A life is the input of the ops forecast and simulate.
type life struct {
	Columns columns           `json:"columns"`
	AsOf    string            `json:"as_of"`
	Until   string            `json:"until"`
	Policy  map[string]string `json:"policy,omitempty"`
	State   *state            `json:"state,omitempty"`
	Script  []step            `json:"script,omitempty"`
}

// A state is a state line without its profile.
type state struct {
	Status     string   `json:"status,omitempty"`
	Repeat     uint64   `json:"repeat,omitempty"`
	RanThrough string   `json:"ran_through,omitempty"`
	Paid       []string `json:"paid,omitempty"`
	Anchor     string   `json:"anchor,omitempty"`
}

// A step is a script line without its profile.
type step struct {
	Date    string  `json:"date,omitempty"`
	Do      string  `json:"do,omitempty"`
	Via     string  `json:"via,omitempty"`
	When    string  `json:"when,omitempty"`
	Set     columns `json:"set,omitempty"`
	Repeat  *uint64 `json:"repeat,omitempty"`
	Outcome string  `json:"outcome,omitempty"`
}

type lived struct {
	Rejected bool     `json:"rejected,omitempty"`
	Charges  []charge `json:"charges,omitzero"`
	Events   []event  `json:"events,omitzero"`
	End      *end     `json:"end,omitempty"`
}

type charge struct {
	Repeat  uint64 `json:"repeat"`
	Date    string `json:"date"`
	Slot    string `json:"slot,omitempty"`
	Amount  string `json:"amount,omitempty"`
	Min     string `json:"min,omitempty"`
	Max     string `json:"max,omitempty"`
	Kind    string `json:"kind,omitempty"`
	Outcome string `json:"outcome,omitempty"`
}

type event struct {
	Date   string `json:"date"`
	Do     string `json:"do"`
	Result string `json:"result"`
}

type end struct {
	Status string          `json:"status"`
	Repeat uint64          `json:"repeat"`
	Stop   json.RawMessage `json:"stop,omitempty"`
}

type stop struct {
	Date    string   `json:"date"`
	Reasons []string `json:"reasons"`
}

// walked lets the oracle live a life under a policy, day by day.
func (l life) walked(policy map[string]string) (out lived, err error) {
	p, err := profileOf(l.Columns)
	if err != nil {
		return out, err
	}
	var from *oracle.State
	if l.State != nil {
		s := l.State.oracle()
		from = &s
	}
	m := oracle.New(p, from, iso(l.AsOf), oracle.PolicyOf(maps.All(policy)), oracle.Right())
	if m == nil {
		return lived{Rejected: true}, nil
	}
	if l.Script == nil {
		m.UntilStopped(iso(l.Until))
	} else if err := l.script(m); err != nil {
		return out, err
	}
	out.Charges = []charge{}
	if l.Script != nil {
		out.Events = []event{}
	}
	for _, r := range m.Records {
		switch {
		case r.Charge != nil:
			out.Charges = append(out.Charges, l.charge(*r.Charge))
		case r.Do != 0:
			out.Events = append(out.Events, event{isoText(r.Day), verbs[r.Do], r.Result})
		}
	}
	out.End = l.end(m)
	return out, nil
}

func (l life) end(m *oracle.Machine) *end {
	e := &end{Status: "active", Repeat: m.Repeat, Stop: json.RawMessage("null")}
	if m.Stopped {
		e.Status, e.Stop = "stopped", nil
		if m.Stop.Day != 0 { // else it came in stopped, and its stop is unknown
			e.Stop, _ = json.Marshal(stop{isoText(m.Stop.Day), m.Stop.Reasons})
		}
	}
	return e
}

func (l life) charge(c oracle.Charge) charge {
	out := charge{Repeat: c.Repeat, Date: isoText(c.Day)}
	if c.Slot != c.Day && !c.Manual {
		out.Slot = isoText(c.Slot)
	}
	if c.Min == c.Max {
		out.Amount = c.Min
	} else {
		out.Min, out.Max = c.Min, c.Max
	}
	if l.Script != nil {
		out.Kind, out.Outcome = "automatic", "approved"
		if c.Manual {
			out.Kind = "manual"
		}
		if c.Declined {
			out.Outcome = "declined"
		}
	}
	return out
}

var verbs = map[oracle.Verb]string{
	oracle.DoRun: "run", oracle.DoNoRun: "no-run", oracle.DoCharge: "charge", oracle.DoStop: "stop",
	oracle.DoUpdate: "update", oracle.DoResume: "resume",
}

func (l life) script(m *oracle.Machine) error {
	m.Declined = map[uint64]bool{}
	var events []oracle.Event
	for _, s := range l.Script {
		if s.Repeat != nil {
			m.Declined[*s.Repeat] = s.Outcome == "declined"
			continue
		}
		e := oracle.Event{Day: iso(s.Date), Via: s.Via, After: s.When == "after"}
		for verb, word := range verbs {
			if word == s.Do {
				e.Do = verb
			}
		}
		var err error
		if e.Set, err = updateOf(s.Set); err != nil {
			return err
		}
		events = append(events, e)
	}
	m.Live(events, iso(l.Until))
	return nil
}

func (s state) oracle() oracle.State {
	out := oracle.State{Stopped: s.Status == "stopped", Repeat: s.Repeat}
	if s.RanThrough != "" {
		out.RanThrough = iso(s.RanThrough)
	}
	if s.Anchor != "" {
		out.Anchor = iso(s.Anchor)
	}
	for _, d := range s.Paid {
		out.Paid = append(out.Paid, iso(d))
	}
	return out
}

// profileOf reads columns; an error is a mistake in this program's tables.
func profileOf(c columns) (p oracle.Profile, err error) {
	u, err := updateOf(c)
	p.Source = c["rp_card_type"] == "SRC"
	if u.Start != nil {
		p.Start = *u.Start
	}
	if u.Finish != nil {
		p.Finish = *u.Finish
	}
	if u.Unit != nil {
		p.Unit = *u.Unit
	}
	if u.Interval != nil {
		p.Interval = *u.Interval
	}
	if u.Max != nil {
		p.Max, p.HasMax = *u.Max, true
	}
	p.Amount, p.From, p.To = c["amount"], c["amount-from"], c["amount-to"]
	if c["amount-sequence"] != "" {
		p.Sequence = strings.Split(c["amount-sequence"], ",")
	}
	return p, err
}

// updateOf reads the columns of an update; an empty value removes one.
func updateOf(set columns) (u oracle.Update, err error) {
	for name, value := range set {
		switch name {
		case "start-date":
			u.Start = new(dotted(value))
		case "finish-date":
			u.Finish = new(dotted(value))
		case "period":
			u.Unit = new(map[string]oracle.Unit{"day": oracle.ByDay, "week": oracle.ByWeek, "month": oracle.ByMonth}[value])
		case "interval":
			n, bad := strconv.ParseInt("0"+value, 10, 64)
			u.Interval, err = &n, bad
		case "max-repeats-number":
			n, bad := strconv.ParseUint("0"+value, 10, 63)
			u.Max, u.DropMax, err = &n, value == "", bad
		case "amount":
			u.Amount = &value
		case "amount-from":
			u.From = &value
		case "amount-to":
			u.To = &value
		case "amount-sequence":
			var list []string
			if value != "" {
				list = strings.Split(value, ",")
			}
			u.Sequence = &list
		case "rp_card_type", "currency":
		default:
			err = fmt.Errorf("no column %s here", name)
		}
		if err != nil {
			return u, err
		}
	}
	return u, nil
}

// iso is a day as YYYY-MM-DD. A text that is not a day panics: it stands in a table of this program.
func iso(text string) oracle.Day {
	y, m, d := number(text[0:4]), number(text[5:7]), number(text[8:10])
	day := oracle.DayOf(y, m, d)
	if day == 0 || len(text) != len("2026-01-31") {
		panic("no day " + text)
	}
	return day
}

// dotted is a day as DD.MM.YYYY; none for the empty text.
func dotted(text string) oracle.Day {
	if text == "" {
		return 0
	}
	return iso(text[6:10] + "-" + text[3:5] + "-" + text[0:2])
}

func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		panic(err)
	}
	return n
}

func isoText(d oracle.Day) string {
	c := oracle.At(d)
	return fmt.Sprintf("%04d-%02d-%02d", c.Year, c.Month, c.Date)
}

func dottedText(d oracle.Day) string {
	c := oracle.At(d)
	return fmt.Sprintf("%02d.%02d.%04d", c.Date, c.Month, c.Year)
}

// readings are the values of each policy key, the default first (the ledger's page).
var readings = map[string][]string{
	"month-end": {"clamp", "skip", "next-first", "overflow"}, "start-absent": {"as-of", "reject"},
	"start-past":   {"skip", "catch-up", "count-missed", "reanchor", "reject"},
	"finish-bound": {"inclusive", "exclusive"}, "max-counts": {"charges", "repeats-after-first"},
	"max-zero": {"stop", "unlimited", "reject"}, "resume-counter": {"keep", "reset"},
	"resume-anchor": {"keep", "resume-date"}, "resume-missed": {"skip", "catch-up"}, "run-missed": {"skip", "catch-up"},
	"manual-counts": {"yes", "no"}, "manual-when-stopped": {"refuse", "allow"}, "manual-takes-slot": {"no", "yes"},
}

// live adds a life. Where a key is given whose readings differ on it, the vector has one expectation
// for each of them.
func (s *sheet) live(id, reason, clauses, key string, l life) {
	s.source = "day-by-day walk of fuzz/oracle"
	d := draft{id: id, op: "forecast", reason: reason, clauses: clauses, input: l}
	if l.Script != nil {
		d.op = "simulate"
	}
	first, err := l.walked(l.Policy)
	if err != nil {
		s.fail("%s: %w", id, err)
		return
	}
	d.expect, d.invalid = first, first.Rejected
	if key != "" {
		all, differ := map[string]any{}, false
		for _, value := range readings[key] {
			policy := maps.Clone(l.Policy)
			if policy == nil {
				policy = map[string]string{}
			}
			policy[key] = value
			one, err := l.walked(policy)
			if err != nil {
				s.fail("%s: %w", id, err)
			}
			all[value] = one
			differ = differ || !reflect.DeepEqual(one, first)
		}
		if differ {
			d.key, d.readings = key, all
		}
	}
	s.add(d)
}
