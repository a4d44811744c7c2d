package main

import (
	"bufio"
	"cmp"
	"iter"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/rules"
)

// A timeline is one profile of a side. That of a payload is forecast when it is compared, so that
// one that has to wait for its partner takes little memory.
type timeline struct {
	id       string
	file     string
	row      int
	currency string

	profile *engine.Profile // of a payload; else the two below are set
	charges []engine.Charge
	end     engine.End
}

// name is the profile for people. The row tells those with one id apart.
func (t *timeline) name() string {
	place := "row " + strconv.Itoa(t.row)
	if t.file != "" {
		place = visible(t.file) + " " + place
	}
	return visible(t.id) + " (" + place + ")"
}

// A compared is one of the two sides that are compared: a payload, which is forecast, or an output.
// Its profiles come one after the other, in the order of the file.
type compared struct {
	in       *input
	header   *header        // what is forecast; nil for an output
	made     *record.Header // of an output, as soon as it is read
	until    calendar.Date
	next     int // charges of each profile at most; 0 for all
	profiles iter.Seq[*timeline]
	// finish says after the last profile how reading ended; usable is false if what was read must not
	// be compared.
	finish func() (usable bool, err error)
	// broken reports that what is read must not be compared, before the end; nil for never.
	broken func() bool

	plan  engine.Plan
	lines []engine.Charge // of one profile after the other
}

func (s *compared) isBroken() bool { return s.broken != nil && s.broken() }

// reach says in words how far a side reaches.
func (s *compared) reach() string {
	var words []string
	if !s.until.IsZero() {
		words = append(words, "to "+s.until.String())
	}
	if s.next > 0 {
		words = append(words, "for "+counted(strconv.Itoa(s.next), "charge")+" of each profile")
	}
	return strings.Join(words, " and ")
}

// read returns the charges and the end of a profile of the side; they last until the next call.
func (s *compared) read(t *timeline) ([]engine.Charge, engine.End) {
	if t.profile == nil {
		return t.charges, t.end
	}
	if !s.prepare(t) {
		return nil, engine.End{}
	}
	w := s.header.window()
	last := w.Last()
	s.lines = s.lines[:0]
	for c := range s.plan.Charges(w) {
		s.lines = append(s.lines, c)
		if len(s.lines) == s.header.next {
			last = c.Date
			break
		}
	}
	return s.lines, s.plan.End(last)
}

// prepare forecasts a profile of a payload. It fails for none that is compared, since a row that is
// refused is left out when it is read.
func (s *compared) prepare(t *timeline) bool {
	return engine.New(s.header.policy).Recompile(&s.plan, engine.Stored{Profile: *t.profile}, s.header.asOf) == nil
}

// open reads one side: a payload, or the output of forecast or simulate, recognised by its first
// byte.
func (q *diffing) open(a *app, path string, h *header) (*compared, error) {
	in, text, options, err := q.openText(a, path, h, h.policy)
	switch {
	case err != nil:
		return nil, err
	case isOutput(text):
		return sideOfRecords(a, in, text, q.selector), nil
	}
	if err := q.reach(h); err != nil {
		in.close()
		return nil, err
	}
	options.ExpiryThrough = cmp.Or(h.until, h.asOf)
	return sideOfPayload(a, in, text, options, h, q.selector), nil
}

// openText opens a file of either kind, and returns the options to read it with if it is a payload.
func (q *diffing) openText(a *app, path string, h *header, policy engine.Policy) (*input, *bufio.Reader, rules.Options, error) {
	options := q.options(h.asOf, policy)
	options.ExpiryThrough = cmp.Or(h.until, h.asOf)
	in, err := a.openPayload(path, &options)
	if err != nil {
		return nil, nil, options, err
	}
	return in, bufio.NewReader(in), options, nil
}

// reach records in the header how far payloads are forecast. Outputs alone are not asked for it.
func (q *diffing) reach(h *header) error {
	if err := q.bound(h); err != nil || !h.until.IsZero() || h.next > 0 {
		return err
	}
	return usage("--until or --next is needed to forecast a payload, since some profiles never end", "such as --next 12")
}

// isOutput reports whether a text begins with a brace, as no payload does.
func isOutput(text *bufio.Reader) bool {
	start, _ := text.Peek(3)
	if string(start) == "\ufeff" {
		start, _ = text.Peek(4)
		start = start[3:]
	}
	return len(start) > 0 && start[0] == '{'
}

func sideOfPayload(a *app, in *input, text *bufio.Reader, o rules.Options, h *header, of *selector) *compared {
	rows := newRows(a, of)
	rows.open(&input{name: in.name, file: text}, o)
	s := &compared{in: in, header: h, until: h.until, next: h.next, finish: finishRows(rows, in)}
	s.profiles = func(yield func(*timeline) bool) {
		for row := range rows.all() {
			if row.left {
				continue
			}
			t := timelineOf(row.Row)
			if err := engine.New(h.policy).Recompile(&s.plan, engine.Stored{Profile: *t.profile}, h.asOf); err != nil {
				rows.refuse(row.Row, err)
				continue
			}
			if !yield(t) {
				return
			}
		}
	}
	return s
}

// finishRows is the finish of a side that is a payload.
func finishRows(rows *rows, in *input) func() (bool, error) {
	return func() (bool, error) {
		if err := rows.finish(rows.endOfFile(in)); err != nil {
			return false, err
		}
		if rows.bad {
			return true, errFindings
		}
		return true, nil
	}
}

func timelineOf(row *rules.Row) *timeline {
	p := row.Profile()
	return &timeline{id: strings.Clone(row.ShownID()), row: row.Number, currency: p.Currency, profile: &p}
}

func notCompared(message, help string) error {
	return rulebook.Finding(record.RecordTotals, message, help)
}

func cutOutput(message string) error {
	return rulebook.Finding(record.RecordCut, message, "write the output again")
}
