package main

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/capture"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/reconcile"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/report"
	"github.com/chargecast/chargecast/rules"
	"github.com/chargecast/chargecast/signature"
)

// adviceToFix is what to do next where payload fix mends some of what is shown.
const adviceToFix = "Next: chargecast payload fix mends some of this; then validate what it writes."

// needsEncoding is the hint of a text that payload fix mends once its encoding is given.
const needsEncoding ledger.Code = "encoding"

// isMended reports whether payload fix mends what a finding is about, whatever flags it has.
func isMended(f ledger.Finding) bool { return f.Hint != "" && f.Hint != needsEncoding }

// inCommand returns a finding of the library with what the command has for it.
func inCommand(f ledger.Finding) ledger.Finding {
	switch f.Code {
	case signature.SignatureMethod:
		switch f.Hint {
		case "RSA-SHA256":
			f.Help = "give --key public.pem"
		case "HMAC-SHA1":
			f.Help = "give --secret-file FILE"
		}
	case capture.RequestForm:
		switch f.Hint {
		case capture.HintPayload:
			f.Help = "to check a request with it, give it with --payload or --form, and the header with --authorization"
		case capture.HintBody:
			f.Help = "read that file itself, or give it to check with --form"
		}
	case rules.LimitBytes:
		f.Help = "raise --max-bytes"
	case rules.LimitRows:
		f.Help = "raise --max-rows"
	case reconcile.ProfileDay:
		f.Help = strings.Replace(f.Help, "the as-of day", "--as-of", 1)
	case rules.ColumnUnknown, rules.NoHeader:
		if rule, _ := rulebook.Lookup(f.Code); f.Help == rule.Help {
			f.Help += "; chargecast explain " + string(f.Code) + " lists them"
		}
	case rules.CSVUnquoted, rules.CSVSeparator, rules.InvalidUTF8:
		switch {
		case f.Hint == needsEncoding:
			f.Help += "; chargecast payload fix --encoding NAME can do it, such as windows-1252 or utf-16le"
		case f.Hint != "":
			f.Help += "; chargecast payload fix can do it"
		}
	}
	return f
}

// isUnreadable reports whether one of the findings is an error that keeps the input from being read as a payload.
func isUnreadable(found ledger.Findings) bool {
	for _, f := range found {
		if f.Severity == ledger.SeverityError && rules.Unreadable(f.Code) {
			return true
		}
	}
	return false
}

// reportFindings writes findings as messages.
func (a *app) reportFindings(found ledger.Findings) {
	for _, f := range found {
		a.log.line("chargecast: " + f.Severity.String() + ": " + findingText(f))
	}
}

// findingText is a finding on one line: the place in a text of several parts, message, help and code.
func findingText(f ledger.Finding) string {
	text := ""
	if f.Place.Line > 0 {
		text = f.Place.File + ":" + strconv.Itoa(f.Place.Line) + ":" + strconv.Itoa(f.Place.Col) + ": "
	}
	if f.Subject != "" && !strings.Contains(f.Message, f.Subject) {
		text += f.Subject + ": "
	}
	text += f.Message
	if f.Help != "" {
		text += "; " + f.Help
	}
	return text + " (" + string(f.Code) + ")"
}

// finding writes a finding and what to do about it.
func (m *messages) finding(file string, f ledger.Finding) {
	m.line(string(report.AppendFinding(nil, file, f)))
	if f.Help != "" {
		m.line("  help: " + visible(f.Help))
	}
}

// warnings are those of one run, of which those with one code are one line.
type warnings []warned

// A warned is what was warned of with one code.
type warned struct {
	first  ledger.Finding
	file   string // of the first
	times  int
	alike  bool     // all have the message of the first
	places []string // of the first few
	row    int      // of the last
}

// shownPlaces is how many profiles or places a line about many warnings names.
const shownPlaces = 3

func (w *warnings) add(file string, f ledger.Finding) {
	i := slices.IndexFunc(*w, func(of warned) bool { return of.first.Code == f.Code })
	if i < 0 {
		i = len(*w)
		*w = append(*w, warned{first: f, file: file, alike: true})
	}
	of := &(*w)[i]
	of.times++
	of.row = f.Place.Row
	of.alike = of.alike && of.first.Message == f.Message && of.first.Help == f.Help
	place := f.Place.Profile
	switch {
	case place != "":
	case f.Place.Row > 0:
		place = "row " + strconv.Itoa(f.Place.Row)
	case f.Place.Line > 0:
		place = "line " + strconv.Itoa(f.Place.Line)
	}
	if place != "" && len(of.places) <= shownPlaces && !slices.Contains(of.places, visible(place)) {
		of.places = append(of.places, visible(place))
	}
}

// finish writes them: one with its place, many of a code with a few places behind the text.
func (w *warnings) finish(m *messages) {
	for _, of := range *w {
		if of.times == 1 {
			m.finding(of.file, of.first)
			continue
		}
		text := of.first.Message
		if s := of.first.Subject; s != "" && !strings.HasPrefix(text, s+" ") {
			text = s + ": " + text
		}
		help := of.first.Help
		if !of.alike {
			rule, _ := rulebook.Lookup(of.first.Code)
			text, help = cmp.Or(rule.Text, text), rule.Help
		}
		if help != "" {
			text += "; " + help
		}
		m.line(of.file + ": warning: " + string(of.first.Code) + ": " + strconv.Itoa(of.times) + " times: " + visible(text) + of.few())
	}
	*w = nil
}

// few are some of the places in brackets, behind a text.
func (of *warned) few() string {
	if len(of.places) == 0 {
		return ""
	}
	shown := slices.Clone(of.places[:min(len(of.places), shownPlaces)])
	if len(of.places) > shownPlaces {
		shown = append(shown, "…")
	}
	return " (" + strings.Join(shown, ", ") + ")"
}

// A findingLog writes findings about payloads on stderr: of errors the first of each code in full, and at the end how many are
// left; of warnings one line for each code.
type findingLog struct {
	log      *messages
	name     string // of the one file that it is about; empty where there may be several
	file     string // the one at hand
	advice   string // what mends it where it is an export
	counts   report.FindingCounts
	warnings warnings
	asNew    warned        // profiles that are taken as new, of rows that are not left out
	asOf     calendar.Date // before which they began
	counting bool          // … whose missed charges are counted instead
	left     int           // the last row with an error
}

// open turns to another file.
func (l *findingLog) open(file string, o rules.Options) {
	l.file, l.asOf, l.counting, l.left = file, o.AsOf, o.Policy.StartPast == engine.StartPastCountMissed, 0
	l.advice = adviceFor(file)
	l.asNew.row = 0
	for i := range l.warnings {
		l.warnings[i].row = 0 // of another file
	}
}

// adviceFor is what a message about a file that a spreadsheet has written begins with.
func adviceFor(file string) string {
	if file == nameOf("-") {
		file = "-"
	}
	return "an export that needs mending: chargecast payload fix " + file
}

// report writes a finding unless there were many of its code, and reports whether it did.
func (l *findingLog) report(f ledger.Finding) bool {
	if f.Severity == ledger.SeverityError {
		l.leave(f.Place.Row)
		if !l.counts.Add(f) {
			return false
		}
		l.log.finding(l.file, f)
		return true
	}
	switch {
	case l.log.quiet:
		return false
	case f.Code == rules.StartPast && !l.counting:
		l.takeAsNew(f)
	case f.Place.Row > 0 && f.Place.Row == l.left && isAboutCharges(f.Code): // which there are none of
	default:
		l.warnings.add(l.file, f)
	}
	return true
}

// isAboutCharges reports whether a warning is about the charges of a row, and means nothing where it is left out.
func isAboutCharges(code ledger.Code) bool {
	return code == rules.CardExpiresBeforeCharge || code == rules.CardExpired || code == rules.FirstChargeToday
}

// takeAsNew counts a row whose profile is taken as new.
func (l *findingLog) takeAsNew(f ledger.Finding) {
	if f.Place.Row == l.left {
		return // the row has an error, and is not taken at all
	}
	list := warnings{l.asNew}
	list[0].first.Code = f.Code
	list.add(l.file, f)
	l.asNew = list[0]
}

// leave notes that a row is left out: it is not taken as new, and what was warned of its charges is taken back.
func (l *findingLog) leave(row int) {
	l.left = row
	l.asNew.takeBack(row)
	for i := range l.warnings {
		if isAboutCharges(l.warnings[i].first.Code) {
			l.warnings[i].takeBack(row)
		}
	}
	l.warnings = slices.DeleteFunc(l.warnings, func(of warned) bool { return of.times == 0 })
}

// takeBack undoes the last warning if it is about the row.
func (of *warned) takeBack(row int) {
	if row == 0 || of.row != row {
		return
	}
	of.row = 0
	if of.times--; of.times < len(of.places) {
		of.places = of.places[:of.times]
	}
}

// saysNew reports whether profiles that are taken as new are counted in a message.
func (l *findingLog) saysNew() bool { return l.asNew.times > 0 }

// finish writes what is said once.
func (l *findingLog) finish() {
	for line := range strings.Lines(string(l.counts.AppendRest(nil, ""))) {
		l.log.line(cmp.Or(l.name, "chargecast") + ": " + strings.TrimSuffix(line, "\n") + "; chargecast validate -o ndjson lists all")
	}
	if n := l.asNew.times; n > 0 {
		are := " began before " + l.asOf.String() + " and are taken as new: "
		if n == 1 {
			are = " began before " + l.asOf.String() + " and is taken as new: "
		}
		l.log.line(cmp.Or(l.name, "chargecast") + ": warning: " + string(rules.StartPast) + ": " + counted(strconv.Itoa(n), "profile") + are + remedies + l.asNew.few())
	}
	l.warnings.finish(l.log)
}

// A lineLog reports the findings about the lines of one file.
type lineLog struct {
	log    *messages
	in     *input // that more is about; may be nil
	file   string
	flag   string // that names it; may be empty
	errors int    // findings with SeverityError
	counts report.FindingCounts
	warned warnings
	over   bool // a code of an error has more than are shown
	cut    bool // the file was not read to its end for that
}

// report writes a finding unless there were many of its code.
func (l *lineLog) report(err error) {
	f, ok := errors.AsType[ledger.Finding](err)
	if !ok {
		f = ledger.Finding{Code: record.JSONSyntax, Severity: ledger.SeverityError, Message: "the line cannot be read"}
	}
	if f.Severity == ledger.SeverityWarning {
		if !l.log.quiet {
			l.warned.add(cmp.Or(f.Place.File, l.file), f)
		}
		return
	}
	few := l.counts.Add(f)
	if f.Severity == ledger.SeverityError {
		l.errors++
		l.over = l.over || !few
	}
	if l.flag != "" && f.Place.Line == 1 && f.Code == record.JSONSyntax && f.Hint == "csv" { // so do all lines
		f.Message, f.Help = "this is a CSV; "+l.flag+" reads JSON lines", ""
		l.over = true
	}
	if few {
		l.log.finding(cmp.Or(f.Place.File, l.file), f)
	}
}

// more reports a finding, and whether reading is to go on.
func (l *lineLog) more(f ledger.Finding) bool {
	if l.in != nil && l.in.err != nil { // the line is not whole
		return false
	}
	l.report(f)
	return !l.full()
}

// full reports whether an error came so often that the rest of the file, which may never end, is not to be read.
func (l *lineLog) full() bool {
	l.cut = l.over
	return l.over
}

// finish says how many findings were not reported.
func (l *lineLog) finish() {
	for line := range strings.Lines(string(l.counts.AppendRest(nil, l.file))) {
		line = strings.TrimSuffix(line, "\n")
		if l.cut { // nobody knows how many
			at := strings.LastIndex(line, ": ")
			line = line[:at] + ": more like these; the rest of the file is not read"
		}
		l.log.line(line)
	}
	l.counts = report.FindingCounts{}
	l.warned.finish(l.log)
}
