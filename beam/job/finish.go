package job

import (
	"context"
	"encoding/json"
	"io"
	"strconv"

	"github.com/chargecast/chargecast/record"
)

// A Summary is the outcome of a finished job, in the file summary.json. It is written last: without
// it a job has no results.
type Summary struct {
	Schema   string `json:"schema"`
	Shards   int    `json:"shards"`
	Rows     uint64 `json:"rows"`
	LeftOut  uint64 `json:"left_out"` // rows with errors
	Errors   uint64 `json:"errors"`
	Warnings uint64 `json:"warnings"`
	// Status is the exit status; Text says why there are no totals, and Help what to do about it.
	Status Status  `json:"status"`
	Text   string  `json:"text,omitempty"`
	Help   string  `json:"help,omitempty"`
	Totals string  `json:"totals,omitempty"` // the file with the totals by period
	Codes  []Count `json:"codes,omitempty"`
}

const summarySchema = "chargecast.beam-summary/1"

// finish writes the totals of all shards and the summary.
func finish(ctx context.Context, q Query, s Sum) error {
	if err := s.check(q.Shards); err != nil {
		return err
	}
	out := s.summary(&q)
	if out.Text == "" && s.book != nil {
		out.Totals = q.totalsName()
		if err := write(ctx, q.path(out.Totals), func(w io.Writer) error { return s.writeTotals(w, &q) }); err != nil {
			return err
		}
	}
	text, err := json.MarshalIndent(out, "", "  ")
	if err != nil {
		return err
	}
	return write(ctx, q.path(summaryName), func(w io.Writer) error {
		_, err := w.Write(append(text, '\n'))
		return err
	})
}

func (s *Sum) summary(q *Query) Summary {
	out := Summary{Schema: summarySchema, Shards: len(s.shards), LeftOut: s.leftOut(), Codes: s.codes()}
	for _, t := range s.shards {
		out.Rows += uint64(t.Rows)
		out.Errors += uint64(t.Errors)
		out.Warnings += uint64(t.Warnings)
	}
	if out.LeftOut > 0 || out.Errors > 0 {
		out.Status = StatusFindings
	}
	s.refuse(q, &out)
	return out
}

// refuse sets status, text and help where there can be no totals.
func (s *Sum) refuse(q *Query, out *Summary) {
	type contents struct {
		size uint64
		sum  string
	}
	seen := map[contents]string{}
	for _, t := range s.shards {
		key := contents{t.Input.Size, t.Input.SHA256}
		first := seen[key]
		seen[key] = t.Input.Name
		switch {
		case t.Unreadable:
			out.Status, out.Text, out.Help = StatusUnreadable, t.Input.Name+": the shard cannot be read", "see its findings"
			return
		case t.Incomplete && out.Text == "":
			out.Text, out.Help = t.Input.Name+": an error is about the shard as a whole, and rows may be missing", "see its findings"
		case first != "" && t.Rows > 0 && out.Text == "":
			out.Status = StatusUsage
			out.Text, out.Help = t.Input.Name+": has the contents of "+first, "leave out one of them"
		}
	}
}

// writeTotals writes the totals by period.
func (s *Sum) writeTotals(w io.Writer, q *Query) error {
	h := q.header(s.form())
	to := newWriter(w, h, q.Form)
	for t := range s.book.Totals(q.By) {
		r := record.TotalOf(q.By, &t)
		_ = to.Total(&r) // stays for Close
	}
	_ = to.Write(s.answer())
	return to.Close()
}

// form is the form of all shards; empty if they differ.
func (s *Sum) form() string {
	form := s.shards[0].Input.Form
	for _, t := range s.shards {
		if t.Input.Form != form {
			return ""
		}
	}
	return form
}

// lines describes a finished job for people.
func (s *Summary) lines() []string {
	lines := []string{strconv.FormatUint(s.Rows, 10) + " rows in " + strconv.Itoa(s.Shards) + " shards; " + strconv.FormatUint(s.LeftOut, 10) + " left out; " +
		strconv.FormatUint(s.Errors, 10) + " errors, " + strconv.FormatUint(s.Warnings, 10) + " warnings"}
	for _, c := range s.Codes {
		place := c.File
		if c.Row > 0 {
			place += " row " + strconv.Itoa(c.Row)
		}
		lines = append(lines, "  "+c.Severity.String()+": "+string(c.Code)+": "+strconv.Itoa(c.Count)+", the first in "+place)
	}
	if len(s.Codes) > 0 {
		lines = append(lines, "  findings-*.ndjson list them all")
	}
	if s.Text != "" {
		lines = append(lines, "no totals: "+s.Text, "  "+s.Help)
	}
	return lines
}
