package main

import (
	"strconv"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/strictjson"
	"github.com/chargecast/chargecast/record"
)

// appendJSON appends the record of why.
func (w *whyDay) appendJSON(dst []byte) []byte {
	dst = strictjson.AppendString(append(dst, `{"type":"why","profile":`...), w.subject.Profile)
	dst = append(w.Date.Append(append(dst, `,"date":"`...)), '"')
	dst = w.appendCharge(append(dst, `,"charge":`...), w.charge())
	if len(w.Charges) > 1 {
		dst = append(dst, `,"charges":`...)
		for i := range w.Charges {
			dst = w.appendCharge(append(dst, "[,"[min(i, 1)]), &w.Charges[i])
		}
		dst = append(dst, ']')
	}
	dst = append(append(append(dst, `,"reason":"`...), w.Why.String()...), '"')
	var slot calendar.Date
	if c := w.charge(); c != nil {
		slot = c.Slot
	}
	dst = appendDateOrNull(append(dst, `,"slot":`...), slot)
	dst = appendDateOrNull(append(dst, `,"nearest":{"before":`...), w.Before)
	dst = appendDateOrNull(append(dst, `,"after":`...), w.After)
	dst = append(dst, `},"sentences":[`...)
	for i, s := range w.Sentences {
		dst = strictjson.AppendString(append(dst, [...]string{`{"text":`, `,{"text":`}[min(i, 1)]...), s.Text)
		dst = record.AppendBecause(append(dst, `,"because":`...), s.Because, w.header.policy)
		dst = append(dst, '}')
	}
	dst = append(dst, `],"other":[`...)
	for i := range w.other {
		o := &w.other[i]
		dst = strictjson.AppendString(append(dst, [...]string{`{"policy":`, `,{"policy":`}[min(i, 1)]...), o.Clause.Key()+"="+o.Value)
		dst = w.appendCharge(append(dst, `,"charge":`...), lastOf(o.Charges))
		if o.Refused {
			dst = append(dst, `,"refused":true`...)
		}
		dst = append(dst, '}')
	}
	return append(dst, "]}\n"...)
}

func appendDateOrNull(dst []byte, d calendar.Date) []byte {
	if d.IsZero() {
		return append(dst, "null"...)
	}
	return append(d.Append(append(dst, '"')), '"')
}

func (w *whyDay) appendCharge(dst []byte, c *engine.Charge) []byte {
	if c == nil {
		return append(dst, "null"...)
	}
	return record.Charge{Subject: w.subject, Charge: *c, Simulated: w.scripted}.AppendJSON(dst)
}

// headlines are the reasons in words.
var headlines = map[engine.Why]string{
	engine.WhyNoSchedule:  "no charge, it has no schedule",
	engine.WhyBeforeAsOf:  "no charge, before the as-of date",
	engine.WhyBeforeStart: "no charge, before the first due day",
	engine.WhyStopped:     "no charge, the profile is stopped",
	engine.WhyNotDue:      "no charge, not a due day",
	engine.WhyPaid:        "no charge, already charged",
	engine.WhyMissed:      "no charge, due but not run",
}

// appendText appends the result for people.
func (w *whyDay) appendText(dst []byte, p paint) []byte {
	dst = p.bold(dst, visible(w.subject.Profile))
	dst = appendDay(append(dst, " on "...), w.Date)
	dst = append(append(dst, ", as of "...), w.header.asOf.String()...)
	dst = append(dst, ": "...)
	dst = append(p.bold(dst, w.headline(w.charge(), headlines[w.Why])), "\n\n"...)
	for _, s := range w.Sentences {
		why := ""
		if !s.Because.IsZero() {
			why = " [" + s.Because.String() + ", " + s.Because.Basis().String() + "]"
		}
		dst = p.wrapped(dst, "  ", visible(s.Text)+why)
	}
	if w.Why == engine.WhyBeforeAsOf && !w.hasState {
		dst = append(dst, "\n  To look at this day as it was then, give --as-of "+w.Date.String()+" or an earlier day.\n"...)
	}
	dst = append(dst, "\n  Charges nearest to it: "+orNone(w.Before)+" before, "+orNone(w.After)+" after\n"...)
	return w.appendOthers(dst)
}

func orNone(d calendar.Date) string {
	if d.IsZero() {
		return "none"
	}
	return d.String()
}

// headline is a charge in a few words, or else none.
func (w *whyDay) headline(c *engine.Charge, none string) string {
	if c == nil {
		return none
	}
	text := between(c.Min.String(), c.Max.String(), c.Min.Compare(c.Max) == 0) + " " + visible(w.subject.Currency) + ", repeat " + strconv.FormatUint(c.Repeat, 10)
	if c.Slot != c.Date {
		text += ", due on " + c.Slot.String()
	}
	if c.Outcome == engine.OutcomeDeclined {
		text += ", declined"
	}
	return text
}

func (w *whyDay) appendOthers(dst []byte) []byte {
	if len(w.other) == 0 {
		return append(dst, "  No other reading changes this day.\n"...)
	}
	dst = append(dst, "\n  Other readings under which the day differs:\n"...)
	width := 0
	for _, o := range w.other {
		width = max(width, len(o.Clause.Key()+"="+o.Value))
	}
	for _, o := range w.other {
		text := w.headline(lastOf(o.Charges), "no charge")
		if o.Refused {
			text = "the profile is refused"
		}
		dst = append(append(dst, "    "+pad(o.Clause.Key()+"="+o.Value, width)+"  "...), text...)
		dst = append(dst, '\n')
	}
	return dst
}
