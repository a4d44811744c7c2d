package main

import (
	"strconv"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/jsontext"
	"github.com/chargecast/chargecast/record"
)

// appendJSON appends the record of why.
func (w *whyDay) appendJSON(dst []byte) []byte {
	dst = jsontext.AppendString(append(dst, `{"type":"why","profile":`...), w.subject.Profile)
	dst = append(w.life.on.Append(append(dst, `,"date":"`...)), '"')
	dst = w.appendCharge(append(dst, `,"charge":`...), w.day.charge())
	if len(w.day.charges) > 1 {
		dst = append(dst, `,"charges":`...)
		for i := range w.day.charges {
			dst = w.appendCharge(append(dst, "[,"[min(i, 1)]), &w.day.charges[i])
		}
		dst = append(dst, ']')
	}
	dst = append(append(append(dst, `,"reason":"`...), w.reason...), '"')
	var slot calendar.Date
	if c := w.day.charge(); c != nil {
		slot = c.Slot
	}
	dst = appendDateOrNull(append(dst, `,"slot":`...), slot)
	dst = appendDateOrNull(append(dst, `,"nearest":{"before":`...), w.day.before)
	dst = appendDateOrNull(append(dst, `,"after":`...), w.day.after)
	dst = append(dst, `},"sentences":[`...)
	for i, s := range w.sentences {
		dst = jsontext.AppendString(append(dst, [...]string{`{"text":`, `,{"text":`}[min(i, 1)]...), s.text)
		dst = record.AppendBecause(append(dst, `,"because":`...), s.because, w.life.policy)
		dst = append(dst, '}')
	}
	dst = append(dst, `],"other":[`...)
	for i := range w.other {
		o := &w.other[i]
		dst = jsontext.AppendString(append(dst, [...]string{`{"policy":`, `,{"policy":`}[min(i, 1)]...), o.policy)
		dst = w.appendCharge(append(dst, `,"charge":`...), o.charge)
		if o.refused {
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
	return record.Charge{Subject: w.subject, Charge: *c, Simulated: w.life.scripted}.AppendJSON(dst)
}

// headlines are the reasons in words.
var headlines = map[string]string{
	whyNoSchedule:  "no charge, it has no schedule",
	whyBeforeAsOf:  "no charge, before the as-of date",
	whyBeforeStart: "no charge, before the first due day",
	whyStopped:     "no charge, the profile is stopped",
	whyNotDue:      "no charge, not a due day",
	whyPaid:        "no charge, already charged",
	whyMissed:      "no charge, due but not run",
}

// appendText appends the result for people.
func (w *whyDay) appendText(dst []byte, p paint) []byte {
	dst = p.bold(dst, visible(w.subject.Profile))
	dst = appendDay(append(dst, " on "...), w.life.on)
	dst = append(append(dst, ", as of "...), w.life.asOf.String()...)
	dst = append(dst, ": "...)
	dst = append(p.bold(dst, w.headline(w.day.charge(), headlines[w.reason])), "\n\n"...)
	for _, s := range w.sentences {
		why := ""
		if !s.because.IsZero() {
			why = " [" + s.because.String() + ", " + s.because.Basis().String() + "]"
		}
		dst = p.wrapped(dst, "  ", visible(s.text)+why)
	}
	if w.reason == whyBeforeAsOf {
		dst = append(dst, "\n  To look at this day as it was then, give --as-of "+w.life.on.String()+" or an earlier day.\n"...)
	}
	dst = append(dst, "\n  Charges nearest to it: "+orNone(w.day.before)+" before, "+orNone(w.day.after)+" after\n"...)
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
	text := visible(w.money(c)) + ", repeat " + strconv.FormatUint(c.Repeat, 10)
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
		width = max(width, len(o.policy))
	}
	for _, o := range w.other {
		text := w.headline(o.charge, "no charge")
		if o.refused {
			text = "the profile is refused"
		}
		dst = append(append(dst, "    "+pad(o.policy, width)+"  "...), text...)
		dst = append(dst, '\n')
	}
	return dst
}
