package record

import (
	"slices"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/jsonline"
)

// An endDraft is an end as it is read.
type endDraft struct {
	end End
	why reasons
}

var endMembers = slices.Concat(
	of(func(n *endDraft) *Subject { return &n.end.Subject }, subjectMembers),
	of(func(n *endDraft) *engine.End { return &n.end.End }, endSideMembers),
	of(func(n *endDraft) *reasons { return &n.why }, reasonsMembers),
)

func readEnd(fields []jsonline.Field, h *Header) (Record, error) {
	n := endDraft{why: reasons{header: h}}
	err := readMembers(fields, endMembers, &n)
	n.end.Because, n.end.Explain = n.why.because, n.why.explain
	return n.end, err
}

// endSideMembers are those of an end but its profile.
var endSideMembers = []member[engine.End]{
	{"status", true, func(e *engine.End, v *jsonline.Value) error {
		return jsonline.Word(v, &e.Status, RecordMember, []string{"none", "active", "stopped"})
	}},
	{"repeat", true, func(e *engine.End, v *jsonline.Value) error { return jsonline.Count(v, &e.Repeat, RecordMember) }},
	{"stop", true, func(e *engine.End, v *jsonline.Value) error {
		if v.Kind == jsonline.KindNull {
			return nil
		}
		return object(v, stopMembers, &e.Stop)
	}},
	{"calendar_end", false, func(e *engine.End, v *jsonline.Value) error { return jsonline.Bool(v, &e.LastDay) }},
}

var stopMembers = []member[engine.Stop]{
	{"date", true, func(s *engine.Stop, v *jsonline.Value) error { return jsonline.Date(v, &s.Date) }},
	{"reasons", true, func(s *engine.Stop, v *jsonline.Value) error {
		return jsonline.List(v, func(v *jsonline.Value) error { return readStopReason(v, &s.Reasons) })
	}},
}

var allReasons = [...]engine.Reasons{engine.ReasonMaxRepeats, engine.ReasonFinishDate, engine.ReasonAPI}

func readStopReason(v *jsonline.Value, to *engine.Reasons) error {
	for _, reason := range allReasons {
		if v.Is(reason.String()) {
			*to |= reason
			return nil
		}
	}
	return jsonline.Fault(RecordMember, v.At+1, "no such reason", "use max-repeats, finish-date, stopped-by-api")
}
