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

func newCharging() (*charging, error) {
	list, err := portfolioBook(naiveProfiles, false)
	scope := portfolioScope(5)
	return &charging{list, record.Header{Schema: record.SchemaForecast, AsOf: scope.AsOf, Until: scope.Window.Last(), Zone: "UTC"}, scope.Window}, err
}

// write sends every charge to out.
func (b *charging) write(out record.Output) (charges uint64) {
	var plan engine.Plan
	for i := range b.list {
		p := &b.list[i]
		if engine.New(b.header.Policy).Recompile(&plan, engine.Stored{Profile: *p}, b.header.AsOf) != nil {
			return 0
		}
		out.Start(record.Profile{Subject: record.Subject{Profile: p.ID, Row: i + 1, Currency: p.Currency}})
		var c engine.Charge
		for c = range plan.Charges(b.window) {
			_ = out.Charge(&c)
			charges++
		}
		end := plan.End(b.header.Until)
		_ = out.End(&end)
	}
	if out.Close() != nil {
		return 0
	}
	return charges
}

func (b *charging) ndjson(w io.Writer) uint64 {
	return b.write(record.NewWriter(w, b.header, record.Options{}))
}

func (b *charging) csv(w io.Writer) uint64 {
	return b.write(report.NewWriter(w, b.header, report.Options{Form: report.FormCSV}))
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

// readyCharges compares what both sides write, byte by byte after the header, before they are timed.
func readyCharges(ours func(*charging, io.Writer) uint64, theirs func([]naiveProfile, io.Writer) uint64, headers int) func() (contest, error) {
	return func() (contest, error) {
		b, err := newCharging()
		if err != nil {
			return contest{}, err
		}
		naive, err := naiveBook(naiveProfiles)
		if err != nil {
			return contest{}, err
		}
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
		}, nil
	}
}

// readyCopied is the limit: as many bytes through a buffer of 64 KiB.
func readyCopied() (contest, error) {
	b, err := newCharging()
	if err != nil {
		return contest{}, err
	}
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
	}, nil
}
