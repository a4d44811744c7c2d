package facade

import (
	"encoding/json"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/book"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/report"
)

// A whyRecord is the record of why.
type whyRecord struct {
	Type      string            `json:"type"`
	Profile   string            `json:"profile"`
	Date      calendar.Date     `json:"date"`
	Charge    json.RawMessage   `json:"charge"`
	Charges   []json.RawMessage `json:"charges,omitzero"` // where there are several
	Reason    engine.Why        `json:"reason"`
	Slot      *calendar.Date    `json:"slot"`
	Nearest   nearest           `json:"nearest"`
	Past      any               `json:"past,omitzero"` // of a day before as-of
	Sentences []sentence        `json:"sentences"`
	Other     []other           `json:"other"`
}

type nearest struct {
	Before *calendar.Date `json:"before"`
	After  *calendar.Date `json:"after"`
}

type past struct {
	Charge json.RawMessage `json:"charge"`
	Slot   calendar.Date   `json:"slot"`
	If     string          `json:"if"`
}

type sentence struct {
	Text    string          `json:"text"`
	Because json.RawMessage `json:"because"`
}

type other struct {
	Policy  string          `json:"policy"`
	Charge  json.RawMessage `json:"charge"`
	Refused bool            `json:"refused,omitzero"`
}

// explain answers with why a profile is charged on a day, or is not.
func (s *Server) explain(q *request) (object, error) {
	b, err := s.open(q)
	switch {
	case err != nil:
		return nil, err
	case q.On.IsZero():
		return nil, refused("date-not-a-day", "on is missing", "give the day")
	case q.Columns == nil && q.Profile == "":
		return nil, refused("profile", "profile is missing", "name one profile of the payload")
	}
	b.most = 1
	var found []*day
	b.rows(nil, func(p *book.Profile) error {
		sim := b.simulation(p)
		sim.Until = calendar.Date{}
		sim.Undrawn = b.script == nil
		e, err := engine.New(b.policy).Explain(sim, q.On)
		if err == nil {
			found = append(found, &day{e, subjectOf(p), b})
		}
		return err
	})
	switch {
	case len(found) == 1:
		d := found[0]
		return object{"records": []json.RawMessage{appendJSON(d.record())}, "headline": report.Headline(&d.Explanation)}, nil
	case len(found) > 1:
		return nil, refused("profile", "several rows have this client-orderid", "give every row its own")
	}
	if err := b.firstError(); err != nil {
		return nil, err
	}
	return nil, refused("profile", "no row that can be used has this client-orderid", "")
}

// A day is an explanation with what its record shows of the profile.
type day struct {
	engine.Explanation
	subject record.Subject
	payload *payload
}

// sentences are those of report, and how to ask about a day before as-of of a profile of which nothing is known.
func (d *day) sentences() []report.Sentence {
	list := report.Sentences(&d.Explanation)
	start := d.Profile.Start
	if d.Why != engine.WhyBeforeAsOf || !d.New || !d.Past.Last.IsZero() || d.Date.Before(start) {
		return list
	}
	text := "To see it, give --charged N, how often it was charged before " + d.AsOf.String()
	if !start.IsZero() && start.Before(d.AsOf) {
		text = "To see it, give --as-of " + start.String() + ", the day it began, or --charged N, how often it was charged before " + d.AsOf.String()
	}
	return append(list, report.Sentence{Text: text + ".", Because: ledger.On(clause.L03)})
}

// record is the record of why.
func (d *day) record() *whyRecord {
	r := &whyRecord{
		Type: "why", Profile: d.subject.Profile, Date: d.Date, Charge: d.charge(nil), Reason: d.Why,
		Nearest: nearest{dateOrNil(d.Before), dateOrNil(d.After)}, Sentences: []sentence{}, Other: []other{},
	}
	if n := len(d.Charges); n > 0 {
		r.Charge, r.Slot = d.charge(&d.Charges[n-1]), dateOrNil(d.Charges[n-1].Slot)
	}
	if len(d.Charges) > 1 {
		for i := range d.Charges {
			r.Charges = append(r.Charges, d.charge(&d.Charges[i]))
		}
	}
	if d.Why == engine.WhyBeforeAsOf {
		r.Past = json.RawMessage("null")
		if c := &d.Past.Charge; !c.Date.IsZero() {
			r.Past = past{d.charge(c), c.Slot, "every due day since then was charged"}
		}
	}
	for _, s := range d.sentences() {
		r.Sentences = append(r.Sentences, sentence{s.Text, record.AppendBecause(nil, s.Because, d.payload.policy, d.payload.observed)})
	}
	for i := range d.Others {
		o := &d.Others[i]
		r.Other = append(r.Other, other{o.Clause.Key() + "=" + o.Value, d.charge(&o.Charge), o.Refused != ""})
	}
	return r
}

func dateOrNil(d calendar.Date) *calendar.Date {
	if d.IsZero() {
		return nil
	}
	return &d
}

// charge is a charge record without reasons; null for none.
func (d *day) charge(c *engine.Charge) json.RawMessage {
	if c == nil || c.Date.IsZero() {
		return json.RawMessage("null")
	}
	plain := *c
	plain.Because = ledger.Because{}
	return record.Charge{Subject: d.subject, Charge: plain}.AppendJSON(nil)
}
