package record

import (
	"slices"

	"github.com/chargecast/chargecast/internal/jsonline"
)

// An eventDraft is an event as it is read.
type eventDraft struct {
	event Event
	why   reasons
}

var eventMembers = slices.Concat(
	of(func(n *eventDraft) *Subject { return &n.event.Subject }, nameMembers),
	[]member[eventDraft]{
		{"date", true, func(n *eventDraft, v *jsonline.Value) error { return jsonline.Date(v, &n.event.Date) }},
		{"do", true, func(n *eventDraft, v *jsonline.Value) error {
			return jsonline.Word(v, &n.event.Do, RecordMember, []string{"", "create", "run", "no-run", "charge", "stop", "update", "resume"})
		}},
		{"result", true, func(n *eventDraft, v *jsonline.Value) error {
			return jsonline.Word(v, &n.event.Result, RecordMember, []string{"", "accepted", "ignored", "refused"})
		}},
		{"code", false, func(n *eventDraft, v *jsonline.Value) error { return readCode(v, &n.event.Code) }},
		{"because", true, func(n *eventDraft, v *jsonline.Value) error { return readReasons(&n.why, v) }},
	},
)

func readEvent(fields []jsonline.Field, h *Header) (Record, error) {
	n := eventDraft{why: reasons{header: h}}
	err := readMembers(fields, eventMembers, &n)
	n.event.Because, n.event.Explain = n.why.because, n.why.explain
	return n.event, err
}
