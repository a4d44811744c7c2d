package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/rules"
)

// A course is one profile's charges and end, from a forecast or a file that holds one.
type course struct {
	id       string
	nth      int // how many profiles before it have the same id
	currency string
	charges  []engine.Charge
	end      engine.End
}

// courses are the profiles of one side of a comparison, in the order of the file. They
// are held in memory.
type courses struct {
	list  []*course
	seen  map[string]int
	until calendar.Date // how far they reach; zero for no last day
	next  int           // charges of each at most; 0 for all
}

// reach says in words how far a side reaches.
func (cs *courses) reach() string {
	var words []string
	if !cs.until.IsZero() {
		words = append(words, "to "+cs.until.String())
	}
	if cs.next > 0 {
		words = append(words, "for "+counted(strconv.Itoa(cs.next), "charge")+" of each profile")
	}
	return strings.Join(words, " and ")
}

func (cs *courses) add(id, currency string) *course {
	if cs.seen == nil {
		cs.seen = map[string]int{}
	}
	c := &course{id: id, nth: cs.seen[id], currency: currency}
	cs.seen[id]++
	cs.list = append(cs.list, c)
	return c
}

// courses reads one side: a payload, which is forecast, or the NDJSON of a forecast or
// simulation, recognised by its first byte.
func (q *diffing) courses(a *app, path string, h *header) (*courses, error) {
	in, err := a.open(path)
	if err != nil {
		return nil, err
	}
	defer in.close()
	text := bufio.NewReader(in)
	if first, err := text.Peek(1); err == nil && first[0] == '{' {
		return coursesOfRecords(a, in, text)
	}
	if h.until.IsZero() && h.next == 0 {
		return nil, usage("--until or --next is needed to forecast a payload, since some profiles never end", "such as --next 12")
	}
	all := &courses{until: h.until, next: h.next}
	rows := newRows(a, &input{name: in.name, file: text}, q.options(h.asOf, h.policy), nil)
	for row := range rows.all() {
		plan, err := engine.Compile(engine.Stored{Profile: row.Profile()}, h.asOf, h.policy)
		if err != nil {
			rows.refuse(row, err)
			continue
		}
		all.forecast(h, row, plan)
	}
	if err := rows.finish(in); err != nil {
		return nil, err
	}
	if rows.bad {
		return all, errFindings
	}
	return all, nil
}

func (cs *courses) forecast(h *header, row *rules.Row, plan *engine.Plan) {
	charges, p := h.charges(row, plan)
	c := cs.add(p.id, p.currency)
	c.charges = slices.Collect(charges)
	c.end = plan.End(p.last)
}

// A savedRecord is a record of forecast or simulate as it is read back. What other
// fields there are does not matter here.
type savedRecord struct {
	Type, Profile, Currency string
	Schema, By              string
	Until                   calendar.Date
	Next                    int
	Repeat                  uint64
	Date, Slot              calendar.Date
	Amount, Min, Max        *amount.Amount
	Kind, Outcome, Status   string
	Stop                    *struct {
		Date    calendar.Date
		Reasons []string
	}
}

// coursesOfRecords reads NDJSON as forecast and simulate write it.
func coursesOfRecords(a *app, in *input, text *bufio.Reader) (*courses, error) {
	all, bad := new(courses), false
	fail := func(line int, what string) {
		bad = true
		a.log.line(lineProblem(in.name, line, 0, "error", "record", what))
	}
	var open *course
	for number, line := range jsonLines(text, func(line int, _, what string) { fail(line, what) }) {
		var r savedRecord
		if err := json.NewDecoder(bytes.NewReader(line)).Decode(&r); err != nil {
			fail(number, "the line is no record of forecast or simulate; -o ndjson writes them")
			continue
		}
		if number == 1 && r.Schema != forecastSchema && r.Schema != simulateSchema {
			fail(number, "the file does not begin with a header of "+forecastSchema+" or "+simulateSchema)
			break
		}
		if number == 1 {
			all.until, all.next = r.Until, r.Next
		}
		if r.By != "" && r.By != byCharge || r.Type == "total" {
			fail(number, "the file has totals; charges are compared, which come without --by")
			break
		}
		if r.Type != "charge" && r.Type != "end" {
			continue
		}
		if open == nil {
			open = all.add(r.Profile, r.Currency)
		}
		if open.id != r.Profile {
			fail(number, "the profile before it has no end: the file is cut or out of order")
			break
		}
		if r.Type == "charge" {
			open.currency = r.Currency
			open.charges = append(open.charges, r.charge())
			continue
		}
		open.end = r.end()
		open = nil
	}
	if err := in.failed(); err != nil {
		return nil, err
	}
	if open != nil && !bad {
		fail(0, "the last profile has no end: the file is cut")
	}
	if bad {
		return nil, errFindings
	}
	return all, nil
}

func (r *savedRecord) charge() engine.Charge {
	c := engine.Charge{Repeat: r.Repeat, Date: r.Date, Slot: r.Slot, Manual: r.Kind == "manual"}
	if c.Slot.IsZero() {
		c.Slot = c.Date
	}
	if r.Outcome == engine.OutcomeDeclined.String() {
		c.Outcome = engine.OutcomeDeclined
	}
	for _, from := range [...]struct {
		given *amount.Amount
		to    []*amount.Amount
	}{{r.Amount, []*amount.Amount{&c.Min, &c.Max}}, {r.Min, []*amount.Amount{&c.Min}}, {r.Max, []*amount.Amount{&c.Max}}} {
		for _, to := range from.to {
			if from.given != nil {
				*to = *from.given
			}
		}
	}
	return c
}

func (r *savedRecord) end() engine.End {
	e := engine.End{Status: engine.StatusActive, Repeat: r.Repeat}
	if r.Status == engine.StatusStopped.String() {
		e.Status = engine.StatusStopped
	}
	if r.Stop == nil {
		return e
	}
	e.Stop.Date = r.Stop.Date
	for _, reason := range [...]engine.Reasons{engine.ReasonMaxRepeats, engine.ReasonFinishDate, engine.ReasonAPI} {
		for word := range reason.All() {
			if slices.Contains(r.Stop.Reasons, word) {
				e.Stop.Reasons |= reason
			}
		}
	}
	return e
}

// name is the profile for people.
func (c *course) name() string {
	if c.nth == 0 {
		return visible(c.id)
	}
	return visible(c.id) + " (number " + strconv.Itoa(c.nth+1) + " of this id)"
}
