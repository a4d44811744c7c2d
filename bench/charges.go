package main

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/report"
)

// Sides that write charges answer with how many there are.

// charging is a book whose charges are written one by one.
type charging struct {
	list   []engine.Profile
	header record.Header
	window calendar.Window
}

// newCharging is the first n profiles of W1 up to a day.
func newCharging(n int, last string) *charging {
	h := record.Header{Schema: record.SchemaForecast, AsOf: calendar.MustParse(portfolioFrom), Until: calendar.MustParse(last), Zone: "UTC"}
	return &charging{portfolioBook(n, false), h, calendar.Through(h.AsOf, h.Until)}
}

// write sends every charge to out; more, if any, is called for each profile before its charges.
func (b *charging) write(out record.Output, more func(p *engine.Profile)) (charges uint64) {
	var plan engine.Plan
	for i := range b.list {
		p := &b.list[i]
		must(0, engine.New(b.header.Policy).Recompile(&plan, engine.Stored{Profile: *p}, b.header.AsOf))
		out.Start(record.Profile{Subject: record.Subject{Profile: p.ID, Row: i + 1, Currency: p.Currency}})
		if more != nil {
			more(p)
		}
		var c engine.Charge
		for c = range plan.Charges(b.window) {
			_ = out.Charge(&c)
			charges++
		}
		end := plan.End(b.header.Until)
		_ = out.End(&end)
	}
	must(0, out.Close())
	return charges
}

func (b *charging) ndjson(w io.Writer) uint64 {
	return b.write(record.NewWriter(w, b.header, record.Options{}), nil)
}

func (b *charging) csv(w io.Writer) uint64 {
	return b.write(report.NewWriter(w, b.header, report.Options{Form: report.FormCSV}), nil)
}

// A naiveCharge is the charge record of an output.
type naiveCharge struct {
	Type     string `json:"type"`
	Profile  string `json:"profile"`
	Row      int    `json:"row"`
	Repeat   int    `json:"repeat"`
	Date     string `json:"date"`
	Amount   string `json:"amount"`
	Currency string `json:"currency"`
}

// A naiveEnd is the end record of a profile that is never stopped.
type naiveEnd struct {
	Type    string  `json:"type"`
	Profile string  `json:"profile"`
	Row     int     `json:"row"`
	Status  string  `json:"status"`
	Repeat  int     `json:"repeat"`
	Stop    *string `json:"stop"`
}

// naiveNDJSON walks the dates of each rule and encodes a record for each, through a buffer.
func naiveNDJSON(list []naiveProfile, w io.Writer) (charges uint64) {
	buffered := bufio.NewWriterSize(w, 64<<10)
	out := json.NewEncoder(buffered)
	for i, p := range list {
		id, n := "order-"+strconv.Itoa(i), 0
		next := p.rule.Iterator()
		for t, ok := next(); ok; t, ok = next() {
			_ = out.Encode(naiveCharge{"charge", id, i + 1, n, t.Format("2006-01-02"), p.amount.StringFixed(2), p.currency})
			n++
		}
		_ = out.Encode(naiveEnd{"end", id, i + 1, "active", n, nil})
		charges += uint64(n)
	}
	_ = buffered.Flush()
	return charges
}

// naiveCSV is the same as CSV.
func naiveCSV(list []naiveProfile, w io.Writer) (charges uint64) {
	buffered := bufio.NewWriterSize(w, 64<<10)
	out := csv.NewWriter(buffered)
	_ = out.Write([]string{"profile", "row", "repeat", "date", "slot", "amount", "min", "max", "currency", "card_expired"})
	for i, p := range list {
		id, n := "order-"+strconv.Itoa(i), 0
		next := p.rule.Iterator()
		for t, ok := next(); ok; t, ok = next() {
			_ = out.Write([]string{id, strconv.Itoa(i + 1), strconv.Itoa(n), t.Format("2006-01-02"), "", p.amount.StringFixed(2), "", "", p.currency, ""})
			n++
		}
		charges += uint64(n)
	}
	out.Flush()
	_ = buffered.Flush()
	return charges
}

// readyCharges compares what both sides write, byte by byte after the header, before they are
// timed.
func readyCharges(ours func(*charging, io.Writer) uint64, theirs func([]naiveProfile, io.Writer) uint64, headers int) func() contest {
	return func() contest {
		b := newCharging(naiveProfiles, portfolioLast)
		naive := naiveBook(naiveProfiles)
		return contest{
			ours:   side{naiveProfiles, func() uint64 { return ours(b, io.Discard) }},
			theirs: side{naiveProfiles, func() uint64 { return theirs(naive, io.Discard) }},
			differ: func() error {
				var a, z bytes.Buffer
				if n, m := ours(b, &a), theirs(naive, &z); n != m {
					return fmt.Errorf("%d charges and %d", n, m)
				}
				written := a.Bytes()
				for range headers {
					_, written, _ = bytes.Cut(written, []byte{'\n'})
				}
				if !bytes.Equal(written, z.Bytes()) {
					return fmt.Errorf("%d bytes, and other %d", len(written), z.Len())
				}
				return nil
			},
		}
	}
}

// readyCopied is the limit: as many bytes through a buffer of 64 KiB.
func readyCopied() contest {
	b := newCharging(naiveProfiles, portfolioLast)
	var all bytes.Buffer
	n := b.ndjson(&all)
	buffer := make([]byte, 64<<10)
	return contest{
		ours: side{naiveProfiles, func() uint64 { return b.ndjson(io.Discard) }},
		theirs: side{naiveProfiles, func() uint64 {
			for rest := all.Bytes(); len(rest) > 0; {
				k := copy(buffer, rest)
				_, _ = io.Discard.Write(buffer[:k])
				rest = rest[k:]
			}
			return n
		}},
	}
}
