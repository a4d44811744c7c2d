package main

import (
	"bytes"
	"encoding/base64"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"net/url"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/workload"
	"github.com/chargecast/chargecast/rules"
)

// readingRows are P5 and P6: from bytes to typed rows.
func readingRows() []row {
	const n = payloadRows
	const varied = "W3v to typed rows, validated"
	return []row{
		{id: "P5", ours: "W3-crlf", against: "itself with W3", goal: within(1.2), possible: "–", ready: readyVariant(workload.CRLF, n)},
		{id: "P5", ours: "W3-bad", against: "itself with W3", goal: within(3), possible: "–", ready: readyVariant(workload.Bad, n)},
		{id: "P5", ours: varied, against: "encoding/csv Read", goal: faster(0.5), possible: "0.87×",
			note:  "neither types nor validates",
			ready: readyRead(workload.Varied, n, bareRead)},
		{id: "P5", ours: varied, against: "naive: csv, map, shopspring, time.Parse", goal: faster(1.8), possible: "2.6×",
			note:  "checks types, lengths and what is required, and stops at the first fault",
			ready: readyRead(workload.Varied, n, naiveRead)},
		{id: "P5", ours: varied, against: "allocations", goal: allocs(3, "a row"), possible: "1", note: "three rows in four have a warning", count: readAllocated(workload.Varied, n/10)},
		{id: "P6", ours: "form body to typed rows, validated", against: "url.ParseQuery, base64, csv.ReadAll", goal: faster(1.5), possible: "3.3×",
			note:  "does not validate",
			ready: readyForm(n)},
	}
}

// The sides of P5 and P6 read a payload and answer with the number of rows and the bytes
// of their order ids.

// readAnswer packs both.
func readAnswer(rows, idBytes int) uint64 { return uint64(rows)<<32 + uint64(idBytes) }

func readOptions() rules.Options {
	return rules.Options{AsOf: calendar.MustParse(portfolioFrom)}
}

// oursRead reads, types and validates whatever form the payload has.
func oursRead(payload []byte, rows int) side {
	return side{rows, func() uint64 {
		read, ids := 0, 0
		for row := range rules.NewReader(bytes.NewReader(payload), readOptions()).Rows() {
			if row != nil {
				read++
				ids += len(row.OrderID())
			}
		}
		return readAnswer(read, ids)
	}}
}

const orderIDColumn = 1

// newCSV is encoding/csv at its best: one record for all rows.
func newCSV(r io.Reader) *csv.Reader {
	c := csv.NewReader(r)
	c.Comma, c.ReuseRecord = ';', true
	return c
}

// bareRead is encoding/csv and nothing else: no typing, no validation, no header.
func bareRead(payload []byte, rows int) side {
	return side{rows, func() uint64 {
		read, ids := 0, 0
		c := newCSV(bytes.NewReader(payload))
		for record, err := c.Read(); err == nil; record, err = c.Read() {
			read++
			ids += len(record[orderIDColumn])
		}
		return readAnswer(read-1, ids-len("client-orderid"))
	}}
}

// formBody is a payload as it is sent: payload= and its base64, percent-encoded.
func formBody(payload []byte) []byte {
	text := base64.StdEncoding.EncodeToString(payload)
	return []byte("payload=" + url.QueryEscape(text))
}

// standardForm is the standard library from the form body to records, without validation.
func standardForm(body []byte, rows int) side {
	return side{rows, func() uint64 {
		values, err := url.ParseQuery(string(body))
		if err != nil {
			return 0
		}
		text, err := base64.StdEncoding.DecodeString(values.Get("payload"))
		if err != nil {
			return 0
		}
		c := csv.NewReader(bytes.NewReader(text))
		c.Comma = ';'
		records, err := c.ReadAll()
		if err != nil {
			return 0
		}
		ids := 0
		for _, record := range records[1:] {
			ids += len(record[orderIDColumn])
		}
		return readAnswer(len(records)-1, ids)
	}}
}

// readyRead sets the reading of W3, or of a variant, against a peer.
func readyRead(form workload.Form, rows int, theirs func([]byte, int) side) func() contest {
	return func() contest {
		p := workload.Payload(form, uint64(rows))
		return contest{ours: oursRead(p, rows), theirs: theirs(p, rows)}
	}
}

// readyVariant sets a variant of W3 against W3.
func readyVariant(form workload.Form, rows int) func() contest {
	return func() contest {
		p, q := workload.Payload(form, uint64(rows)), workload.Payload(workload.Plain, uint64(rows))
		bad := 0
		if form == workload.Bad {
			bad = rows / 10
		}
		differ := func() error {
			return errors.Join(checkRead(p, rows, bad), checkRead(q, rows, 0))
		}
		return contest{ours: oursRead(p, rows), theirs: oursRead(q, rows), differ: differ}
	}
}

func readyForm(rows int) func() contest {
	return func() contest {
		p := workload.Payload(workload.Plain, uint64(rows))
		body := formBody(p)
		return contest{ours: oursRead(body, rows), theirs: standardForm(body, rows)}
	}
}

// faultsOfBad is how many faults each bad row of W3-bad has.
const faultsOfBad = 3

// checkRead reads a payload with a given number of bad rows and looks at the findings.
func checkRead(payload []byte, rows, bad int) error {
	r := rules.NewReader(bytes.NewReader(payload), readOptions())
	for range r.Rows() {
	}
	s := r.Summary()
	if s.Rows != rows || s.Valid != rows-bad || s.Errors != faultsOfBad*bad {
		return fmt.Errorf("%d rows, %d valid, %d errors; want %d, %d, %d", s.Rows, s.Valid, s.Errors, rows, rows-bad, faultsOfBad*bad)
	}
	return r.Err()
}

// readAllocated is what a row allocates. The buffers of a reader are not a row's, so they
// are taken off: a reading of twice the rows has them too. What is left of a hundredth is the
// table of order ids, which now and then doubles.
func readAllocated(form workload.Form, rows int) func() float64 {
	return func() float64 {
		once := allocated(oursRead(workload.Payload(form, uint64(rows)), 1))
		twice := allocated(oursRead(workload.Payload(form, 2*uint64(rows)), 1))
		return math.Round(100*(twice-once)/float64(rows)) / 100
	}
}

// indexOf is the header of the naive reader.
func indexOf(header []string) map[string]int {
	index := make(map[string]int, len(header))
	for i, name := range header {
		index[strings.TrimSpace(name)] = i
	}
	return index
}
