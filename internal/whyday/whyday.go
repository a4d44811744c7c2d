// Package whyday has the answer of chargecast why: what is charged on a day, or why nothing is, for
// the command and for the page in a browser.
package whyday

import (
	"encoding/json"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/internal/strictjson"
	"github.com/chargecast/chargecast/internal/termtext"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/report"
)

// A Day is an explanation, with what its record shows of the profile and of the readings.
type Day struct {
	engine.Explanation
	Subject  record.Subject
	Policy   engine.Policy
	Observed record.Readings
}

// Ask says how to ask about a day before as-of of a profile of which nothing is known; it is empty
// for others, and for a day before the start-date, on which nothing is charged.
func (d *Day) Ask() string {
	start := d.Profile.Start
	if d.Why != engine.WhyBeforeAsOf || !d.New || !d.Past.Last.IsZero() || d.Date.Before(start) {
		return ""
	}
	text := "To see it, give "
	if !start.IsZero() && start.Before(d.AsOf) {
		text += "--as-of " + start.String() + ", the day it began, or "
	}
	return text + "--charged N, how often it was charged before " + d.AsOf.String() + "."
}

// Sentences are those of [report.Sentences], and Ask.
func (d *Day) Sentences() []report.Sentence {
	list := report.Sentences(&d.Explanation)
	if ask := d.Ask(); ask != "" {
		list = append(list, report.Sentence{Text: ask, Because: ledger.On(clause.L03)})
	}
	return list
}

// A dayJSON is the record of a Day.
type dayJSON struct {
	Type      string            `json:"type"`
	Profile   string            `json:"profile"`
	Date      calendar.Date     `json:"date"`
	Charge    json.RawMessage   `json:"charge"`
	Charges   []json.RawMessage `json:"charges,omitzero"` // where there are several
	Reason    string            `json:"reason"`
	Slot      *calendar.Date    `json:"slot"`
	Nearest   nearestJSON       `json:"nearest"`
	Past      json.RawMessage   `json:"past,omitzero"` // of a day before as-of
	Sentences []sentenceJSON    `json:"sentences"`
	Other     []otherJSON       `json:"other"`
	Plain     json.RawMessage   `json:"plain,omitzero"` // what a customer can be sent, or null
}

// A pastJSON is what the state says of a day before as-of.
type pastJSON struct {
	Charge json.RawMessage `json:"charge"`
	Slot   calendar.Date   `json:"slot"`
	If     string          `json:"if"`
}

type nearestJSON struct {
	Before *calendar.Date `json:"before"`
	After  *calendar.Date `json:"after"`
}

type sentenceJSON struct {
	Text    string          `json:"text"`
	Because json.RawMessage `json:"because"`
}

type otherJSON struct {
	Policy  string          `json:"policy"`
	Charge  json.RawMessage `json:"charge"`
	Refused bool            `json:"refused,omitzero"`
}

var (
	dayForm  = strictjson.FormOf[dayJSON]()
	pastForm = strictjson.FormOf[pastJSON]()
)

// AppendJSON appends the record of why, without a line end. With plain it has what a customer can
// be sent, too.
func (d *Day) AppendJSON(dst []byte, plain bool) []byte {
	out := dayJSON{
		Type: "why", Profile: d.Subject.Profile, Date: d.Date, Charge: d.charge(nil), Reason: d.Why.String(),
		Nearest: nearestJSON{orNull(d.Before), orNull(d.After)},
	}
	if n := len(d.Charges); n > 0 {
		last := &d.Charges[n-1]
		out.Charge, out.Slot = d.charge(last), orNull(last.Slot)
	}
	if len(d.Charges) > 1 {
		for i := range d.Charges {
			out.Charges = append(out.Charges, d.charge(&d.Charges[i]))
		}
	}
	if d.Why == engine.WhyBeforeAsOf {
		out.Past = json.RawMessage("null")
		if c := &d.Past.Charge; !c.Date.IsZero() {
			out.Past = pastForm.Append(nil, &pastJSON{d.charge(c), c.Slot, "every due day since then was charged"})
		}
	}
	for _, s := range d.Sentences() {
		out.Sentences = append(out.Sentences, sentenceJSON{s.Text, record.AppendBecause(nil, s.Because, d.Policy, d.Observed)})
	}
	for i := range d.Others {
		o := &d.Others[i]
		out.Other = append(out.Other, otherJSON{o.Clause.Key() + "=" + o.Value, d.charge(&o.Charge), o.Refused != ""})
	}
	if plain {
		out.Plain = json.RawMessage("null")
		if list := report.Plain(&d.Explanation); list != nil {
			out.Plain = strictjson.AppendString(nil, termtext.Visible(strings.Join(list, " ")))
		}
	}
	return dayForm.Append(dst, &out)
}

func orNull(d calendar.Date) *calendar.Date {
	if d.IsZero() {
		return nil
	}
	return &d
}

// charge is a charge record without reasons; null for none.
func (d *Day) charge(c *engine.Charge) json.RawMessage {
	if c == nil || c.Date.IsZero() {
		return json.RawMessage("null")
	}
	plain := *c
	plain.Because = ledger.Because{}
	return record.Charge{Subject: d.Subject, Charge: plain}.AppendJSON(nil)
}
