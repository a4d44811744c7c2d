package job

import (
	"fmt"
	"strconv"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
)

// A Query says what a job computes and where its outputs go. It is sent to the workers with the
// functions, so every field is exported and has a text form.
type Query struct {
	AsOf  calendar.Date
	From  calendar.Date // the first day of the window; zero for AsOf
	Until calendar.Date // the last day, included; required
	// Policy chooses the readings of what the document leaves open.
	Policy engine.Policy
	By     engine.By
	// Simulate draws random amounts from Seed, as chargecast simulate does.
	Simulate bool
	Seed     uint64

	Profiles bool // shards are JSON lines of engine.Stored instead of payloads
	Form     Form
	Output   string // a directory, in the file system that its scheme names
	Shards   int    // the number of files of the book
}

// A Form is the form of totals and charges.
type Form string

// The forms.
const (
	FormNDJSON Form = "ndjson"
	FormJSON   Form = "json"
	FormCSV    Form = "csv"
)

// check reports values with which no job can run, by the names of the flags.
func (q *Query) check() error {
	switch {
	case q.AsOf.IsZero():
		return usage("--as-of is needed: workers on several days would compute different forecasts", "give it as 2026-01-31")
	case q.Until.IsZero():
		return usage("--until is needed", "give it as 2026-12-31")
	case q.Until.Before(q.AsOf):
		return usage("--until lies before the as-of date", "as of "+q.AsOf.String()+", until "+q.Until.String())
	case !q.From.IsZero() && q.From.Before(q.AsOf):
		return usage("--from lies before the as-of date", "as of "+q.AsOf.String()+", from "+q.From.String())
	case !q.From.IsZero() && q.Until.Before(q.From):
		return usage("--from lies after --until", "from "+q.From.String()+", until "+q.Until.String())
	case q.Output == "":
		return usage("--output is needed", "give a directory")
	}
	switch q.Form {
	case FormNDJSON, FormJSON, FormCSV:
		return nil
	}
	return usage("--form must be ndjson, json or csv", "")
}

// byPeriod reports whether the totals are those of days or longer spans, which one file has for all
// shards.
func (q *Query) byPeriod() bool { return !q.By.Period(calendar.MinDate()).IsZero() }

func (q *Query) window() calendar.Window {
	if q.From.After(q.AsOf) {
		return calendar.Through(q.From, q.Until)
	}
	return calendar.Through(q.AsOf, q.Until)
}

// header is that of the plain command; input is the form of all payloads, if they have one.
func (q *Query) header(input string) record.Header {
	h := record.Header{
		Schema: record.SchemaForecast, AsOf: q.AsOf, From: q.From, Until: q.Until, Zone: "UTC", Input: input, By: q.By, Policy: q.Policy,
	}
	if q.Simulate {
		h.Schema, h.Seed = record.SchemaSimulate, q.Seed
	}
	return h
}

// newBook returns what totals by period are added up in; nil for charges and totals by profile.
func (q *Query) newBook() (*engine.Book, error) {
	if !q.byPeriod() {
		return nil, nil
	}
	return engine.New(q.Policy).NewBook(engine.Scope{AsOf: q.AsOf, Window: q.window()})
}

// The names of outputs, as Beam names the files of shards, which it counts from 0.
const summaryName = "summary.json"

func (q *Query) path(name string) string { return joined(q.Output, name) }

func (q *Query) totalsName() string { return "totals." + string(q.Form) }

func (q *Query) findingsName(shard int) string { return q.shardName("findings", shard, "ndjson") }

// outputName is the name of the output of a shard; empty where one file has the totals of all.
func (q *Query) outputName(shard int) string {
	switch {
	case q.byPeriod():
		return ""
	case q.By == engine.ByProfile:
		return q.shardName("totals", shard, string(q.Form))
	}
	return q.shardName("charges", shard, string(q.Form))
}

func (q *Query) shardName(what string, shard int, ending string) string {
	width := max(5, len(strconv.Itoa(q.Shards)))
	return fmt.Sprintf("%s-%0*d-of-%0*d.%s", what, width, shard, width, q.Shards, ending)
}
