package report

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/termtext"
	"github.com/chargecast/chargecast/internal/words"
	"github.com/chargecast/chargecast/record"
)

// A ReconcileWriter writes what a reconciliation finds as text: what could not be read, then what
// differs, then the readings. Of Options, Width, Color and Buffer count.
type ReconcileWriter struct {
	base

	of          record.Subject // the profile at hand
	named       bool           // its name is written
	shown       [record.Unknown + 1]int
	unmatched   bool // the line that begins unknown lines is written
	unexplained int  // profiles
	readings    []record.Reading
	summary     record.ReconcileSummary
}

// mostShown is how many records of one kind a text shows.
const mostShown = 20

// NewReconcileWriter returns a writer of a reconciliation under a header. Of the summary Unreadable
// counts, which is known before the first record.
func NewReconcileWriter(w io.Writer, h record.Header, known record.ReconcileSummary, o Options) *ReconcileWriter {
	o.Form = FormTable
	r := &ReconcileWriter{base: newBase(w, h, o)}
	s := &r.sheet
	s.bold("Reconciliation").add(" " + r.window()).newline()
	switch n := known.Unreadable; n {
	case 0:
	case 1:
		s.add("  ").warn("1 line has a problem: its profile decides nothing, and none if it does not name one").newline()
	default:
		s.add("  ").warn(number(n) + " lines have a problem: their profiles decide nothing, and none if one names none").newline()
	}
	s.readings()
	return r
}

// window says what the output is about.
func (r *ReconcileWriter) window() string {
	h := &r.sheet.head
	s := "through " + h.Until.String()
	if !h.AsOf.IsZero() {
		s += ", as of " + h.AsOf.String()
	}
	if h.Lag > 0 {
		s += ", up to " + counted(h.Lag, "day") + " late"
	}
	return s
}

// Start turns to the next profile.
func (r *ReconcileWriter) Start(p record.Profile) { r.of, r.named = p.Subject, false }

// Reconcile writes a record of the profile.
func (r *ReconcileWriter) Reconcile(kind record.Match, expected *engine.Charge, actual *record.Actual) error {
	if kind == record.Matched || kind == record.MatchedLate {
		return r.err
	}
	text, line := r.expectedText(expected), actualText(actual)
	if text != "" && line != "" {
		text += " -> "
	}
	r.item(kind, named(&r.of), text+line)
	return r.filled()
}

// item writes a line under a heading, unless there are too many of its kind.
func (r *ReconcileWriter) item(kind record.Match, heading, text string) {
	if r.shown[kind]++; r.shown[kind] > mostShown {
		return
	}
	s := &r.sheet
	if !r.named {
		r.named = true
		s.b = append(s.b, '\n')
		s.bold(heading).newline()
	}
	s.paragraph("  "+termtext.Pad(kind.String(), 9), text)
}

// Write writes a record of another kind, or an unknown line.
func (r *ReconcileWriter) Write(of record.Record) error {
	switch of := of.(type) {
	case record.Unexplained:
		text := "no reading explains it"
		if of.Nearest != "" {
			text += "; nearest is " + strings.ReplaceAll(of.Nearest, ",", ", ")
		}
		if r.unexplained++; r.unexplained <= mostShown && r.named {
			r.sheet.add("  ").warn(text).newline()
		}
	case record.Reconciled:
		if !r.unmatched {
			r.unmatched, r.named, r.shown[record.Unknown] = true, false, 0
		}
		r.item(of.Kind, "Lines of no profile that is forecast", short(of.Profile, idCharacters)+" "+actualText(of.Actual))
	case record.Reading:
		r.readings = append(r.readings, of)
	case record.ReconcileSummary:
		r.summary = of
	case record.Header, record.Charge, record.End, record.Event, record.Total, record.ForecastSummary, record.Difference,
		record.EndDifference, record.Money, record.Problem, record.Summary, record.DifferenceSummary:
	}
	return r.filled()
}

// amountOf is the amount of an actual charge; empty for none.
func amountOf(a *record.Actual) string {
	switch {
	case a.Outcome == record.ActualNone:
		return ""
	case a.Negative:
		return "-" + a.Amount.String()
	}
	return a.Amount.String()
}

func (r *ReconcileWriter) expectedText(c *engine.Charge) string {
	if c == nil {
		return ""
	}
	return string(words.AppendDay(nil, c.Date)) + " " + words.Charge(c, r.of.Currency)
}

func actualText(a *record.Actual) string {
	if a == nil {
		return ""
	}
	text := a.Date.String() + " " + amountOf(a)
	switch {
	case a.Outcome == record.ActualNone:
		text = a.Date.String() + " looked, none"
	case a.Currency != "":
		text += " " + termtext.Visible(a.Currency)
	}
	text += ", "
	if a.File != "" {
		text += termtext.Visible(a.File) + " "
	}
	text += "line " + strconv.Itoa(a.Line)
	if a.ID != "" {
		text += ", id " + short(a.ID, idCharacters)
	}
	return text
}

// Close writes the readings and the summary.
func (r *ReconcileWriter) Close() error {
	s := &r.sheet
	n := &r.summary
	var more []string
	for _, of := range [...]struct {
		kind record.Match
		all  uint64
	}{{record.MatchedAmount, n.Amount}, {record.Missing, n.Missing}, {record.Extra, n.Extra}, {record.Unknown, n.Unknown}} {
		if of.all > mostShown && r.shown[of.kind] > mostShown {
			more = append(more, of.kind.String())
		}
	}
	if more != nil {
		s.b = append(s.b, '\n')
		s.paragraph("", "More than "+strconv.Itoa(mostShown)+" are not shown of: "+strings.Join(more, ", ")+"; -o ndjson lists all.")
	}
	r.readingsText()
	s.b = append(s.b, '\n')
	s.paragraph("", r.inWords())
	if n.Policy != "" { // as flags of the command, one each: a line of them can be broken anywhere between
		s.paragraph("Observed: ", "--policy "+strings.ReplaceAll(n.Policy, ",", " --policy "))
	}
	return r.flush()
}

// inWords says what all records come to.
func (r *ReconcileWriter) inWords() string {
	n := &r.summary
	var text strings.Builder
	text.WriteString("matched " + number(n.Matched) + ", late " + number(n.Late) + ", another amount " + number(n.Amount) +
		", missing " + number(n.Missing) + ", extra " + number(n.Extra) + ", unknown " + number(n.Unknown))
	for _, of := range [...]struct {
		n           uint64
		what, which string
	}{
		{n.Unreadable, "line", " with a problem"}, {n.Unexplained, "profile", " that no reading explains"}, {n.After, "line", " after the last day"},
		{n.Other, "line", " about others"}, {n.LeftOut, "row", " left out"},
	} {
		if of.n > 0 {
			text.WriteString("; " + counted(of.n, of.what) + of.which)
		}
	}
	return text.String()
}

// readingsText shows the readings: those that are observed with the day that showed each, then what
// is contradicted, refuted and open.
func (r *ReconcileWriter) readingsText() {
	s := &r.sheet
	s.b = append(s.b, '\n')
	s.bold("Readings").newline()
	for _, v := range [...]record.Verdict{record.VerdictObserved, record.VerdictContradicted, record.VerdictRefuted} {
		for i := range r.readings {
			if of := &r.readings[i]; of.Verdict == v {
				s.paragraph("  "+termtext.Pad(of.Key+"="+of.Value, 31)+" ", of.Verdict.String()+said(of))
			}
		}
	}
	if open := r.open(); open != nil {
		s.paragraph("  Open: ", strings.Join(open, ", "))
	}
}

// said says what profiles say of a reading.
func said(r *record.Reading) string {
	switch {
	case r.Decided != nil:
		return " by " + counted(r.For, "profile") + " (" + short(r.Decided.Profile, idCharacters) + ", " + r.Decided.Date.String() + ")"
	case r.For > 0:
		return ": " + counted(r.For, "profile") + " for it, " + strconv.Itoa(r.Against) + " against"
	case r.Against > 0:
		return " by " + counted(r.Against, "profile")
	}
	return ""
}

// open returns the keys about which nothing is known.
func (r *ReconcileWriter) open() (keys []string) {
	for i := range r.readings {
		key := r.readings[i].Key
		known := slices.ContainsFunc(r.readings, func(o record.Reading) bool { return o.Key == key && o.Verdict != record.VerdictOpen })
		if !known && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}
