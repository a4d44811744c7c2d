package report

import (
	"bytes"
	stdcsv "encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/enum"
	"github.com/chargecast/chargecast/internal/termtext"
	"github.com/chargecast/chargecast/internal/words"
	"github.com/chargecast/chargecast/record"
)

// A ReconcileWriter writes what a reconciliation finds, as text in FormTable, as FormCSV, or as a page in FormHTML; other
// forms are an error. A text shows what is wrong, then the readings; a page shows forecast and actual charges side by side,
// too. Of Options, Form, Width, Color, Excel and Buffer count.
type ReconcileWriter struct {
	base
	excel []func(string) string

	of        record.Subject // the profile at hand
	named     bool           // its name is written
	shown     [record.Unknown + 1]int
	strangers bool // the line that begins unknown lines is written
	lost      int  // unexplained profiles
	readings  []record.Reading
	summary   record.ReconcileSummary

	rows    markup // of the page: what is wrong
	left    int    // … for which it has no room
	cal     profileCalendar
	wrong   markup // the calendars of profiles with something wrong
	fine    markup // those of others
	without int    // profiles without a calendar, for want of room
}

// mostShown is how many records of one kind a text shows.
const mostShown = 20

const reconcileColumns = "kind,profile,row,repeat,expected_date,expected_amount,min,max,currency,line,actual_date,actual_amount"

// NewReconcileWriter returns a writer of a reconciliation under a header.
func NewReconcileWriter(w io.Writer, h record.Header, o Options) *ReconcileWriter {
	r := &ReconcileWriter{base: newBase(w, h, o)}
	switch o.Form {
	case FormTable:
		s := &r.sheet
		s.bold("Reconciliation").add(" " + r.window()).newline()
		s.readings()
	case FormHTML:
	case FormCSV:
		if o.Excel {
			r.sheet.b, r.excel = append(r.sheet.b, "\ufeff"...), germanCells(reconcileColumns)
		}
		r.line([]byte(reconcileColumns + "\n"))
	case FormICS:
		r.err = enum.ErrUnnamed
	default:
		r.err = enum.ErrUnnamed
	}
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
		s += ", up to " + termtext.Counted(strconv.Itoa(h.Lag), "day") + " late"
	}
	return s
}

// line appends a line of values.
func (r *ReconcileWriter) line(line []byte) {
	if r.sheet.options.Excel {
		r.sheet.b = appendGerman(r.sheet.b, line, r.excel)
	} else {
		r.sheet.b = append(r.sheet.b, line...)
	}
}

// Profile turns to the next profile.
func (r *ReconcileWriter) Profile(s record.Subject) {
	r.endProfile()
	r.of, r.named = s, false
	r.cal.start(s, r.sheet.options.Form == FormHTML)
}

// Reconciled writes a record of the profile.
func (r *ReconcileWriter) Reconciled(kind record.Match, expected *engine.Charge, actual *record.Actual) {
	switch r.sheet.options.Form {
	case FormCSV:
		r.values(kind, r.of.Profile, r.of.Row, expected, actual)
	case FormHTML:
		r.cal.add(kind, expected, actual)
		r.differs(kind, r.name(), expected, actual)
	default:
		r.differs(kind, r.name(), expected, actual)
	}
	_ = r.filled()
}

// Write writes a record of another kind, or an unknown line.
func (r *ReconcileWriter) Write(of record.Record) {
	switch of := of.(type) {
	case record.Unexplained:
		r.unexplained(&of)
	case record.Reconciled:
		r.endProfile()
		if r.sheet.options.Form == FormCSV {
			r.values(of.Kind, of.Profile, 0, nil, of.Actual)
		} else {
			r.stranger(&of)
		}
	case record.Reading:
		r.endProfile()
		r.readings = append(r.readings, of)
	case record.ReconcileSummary:
		r.summary = of
	case record.Header, record.Charge, record.End, record.Event, record.Total, record.ForecastSummary, record.Difference,
		record.EndDifference, record.Money, record.Problem, record.Summary, record.DifferenceSummary:
	}
	_ = r.filled()
}

// values writes a line of FormCSV.
func (r *ReconcileWriter) values(kind record.Match, profile string, row int, expected *engine.Charge, actual *record.Actual) {
	line := append(appendField(append([]byte(kind.String()), ','), profile), ',')
	if row > 0 {
		line = strconv.AppendInt(line, int64(row), 10)
	}
	currency := ""
	if line = append(line, ','); expected == nil {
		line = append(line, ",,,,"...)
	} else {
		line = append(expected.Date.Append(append(strconv.AppendUint(line, expected.Repeat, 10), ',')), ',')
		if expected.Min.Compare(expected.Max) == 0 {
			line = append(expected.Min.Append(line), ",,"...)
		} else {
			line = expected.Max.Append(append(expected.Min.Append(append(line, ',')), ','))
		}
		currency = r.of.Currency
	}
	if currency == "" && actual != nil {
		currency = actual.Currency
	}
	line = append(appendField(append(line, ','), currency), ',')
	if actual == nil {
		line = append(line, ",,"...)
	} else {
		line = actual.Date.Append(append(strconv.AppendInt(line, int64(actual.Line), 10), ','))
		line = append(line, ","+amountOf(actual)...)
	}
	r.line(append(line, '\n'))
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

// name is the profile at hand for people.
func (r *ReconcileWriter) name() string {
	place := "row " + strconv.Itoa(r.of.Row)
	if r.of.File != "" {
		place = termtext.Visible(r.of.File) + " " + place
	}
	return termtext.Visible(r.of.Profile) + " (" + place + ")"
}

// isWrong reports whether a record is neither matched nor late.
func isWrong(m record.Match) bool { return m != record.Matched && m != record.MatchedLate }

// differs shows a record that is wrong.
func (r *ReconcileWriter) differs(kind record.Match, name string, expected *engine.Charge, actual *record.Actual) {
	if !isWrong(kind) {
		return
	}
	text, line := r.expectedText(expected), actualText(actual)
	if r.sheet.options.Form == FormHTML {
		if len(r.rows) > pageBytes/3 {
			r.left++
			return
		}
		r.rows.row(reconcileHeads, name, kind.String(), text, line)
		return
	}
	if r.shown[kind]++; r.shown[kind] > mostShown {
		return
	}
	s := &r.sheet
	if !r.named {
		r.named = true
		s.b = append(s.b, '\n')
		s.bold(name).newline()
	}
	if text != "" && line != "" {
		text += " -> "
	}
	s.paragraph("  "+termtext.Pad(kind.String(), 9), text+line)
}

var reconcileHeads = []head{{"Profile", "", ""}, {"What", "", ""}, {"Forecast", "", ""}, {"Actual", "", ""}}

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

// unexplained says that no policy explains the profile at hand.
func (r *ReconcileWriter) unexplained(u *record.Unexplained) {
	text := "no reading explains it"
	if u.Nearest != "" {
		text += "; nearest is " + strings.ReplaceAll(u.Nearest, ",", ", ")
	}
	switch r.sheet.options.Form {
	case FormTable:
		if r.lost++; r.lost <= mostShown && r.named {
			r.sheet.add("  ").warn(text).newline()
		}
	case FormHTML:
		r.cal.note = text
	case FormCSV, FormICS:
	}
}

// stranger shows an unknown line of no row.
func (r *ReconcileWriter) stranger(of *record.Reconciled) {
	r.of = record.Subject{}
	name := "Lines of no profile that is forecast"
	if r.sheet.options.Form == FormHTML {
		r.differs(of.Kind, short(of.Profile, idCharacters), nil, of.Actual)
		return
	}
	if !r.strangers {
		r.strangers, r.named, r.shown[record.Unknown] = true, false, 0
	}
	if r.shown[record.Unknown]++; r.shown[record.Unknown] > mostShown {
		return
	}
	s := &r.sheet
	if !r.named {
		r.named = true
		s.b = append(s.b, '\n')
		s.bold(name).newline()
	}
	s.paragraph("  "+termtext.Pad(of.Kind.String(), 9), short(of.Profile, idCharacters)+" "+actualText(of.Actual))
}

// Close writes readings and sums, and what is collected.
func (r *ReconcileWriter) Close() error {
	r.endProfile()
	switch r.sheet.options.Form {
	case FormTable:
		r.finishText()
	case FormHTML:
		r.sheet.b = append(r.sheet.b, r.page()...)
	case FormCSV, FormICS:
	}
	return r.flush()
}

func (r *ReconcileWriter) finishText() {
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
		s.paragraph("", "More than "+strconv.Itoa(mostShown)+" are not shown of: "+strings.Join(more, ", ")+"; -o csv lists all.")
	}
	r.readingsText()
	s.b = append(s.b, '\n')
	s.paragraph("", r.inWords())
	if n.Policy != "" {
		s.paragraph("Observed: ", r.flags())
	}
}

// plain writes a number for a terminal.
func plain(n uint64) string { return strconv.FormatUint(n, 10) }

// flags are the values observed as flags of the command, one each: a line of them can be broken anywhere between.
func (r *ReconcileWriter) flags() string {
	return "--policy " + strings.ReplaceAll(r.summary.Policy, ",", " --policy ")
}

// inWords says what all records come to.
func (r *ReconcileWriter) inWords() string {
	n := &r.summary
	var text strings.Builder
	text.WriteString("matched " + plain(n.Matched) + ", late " + plain(n.Late) + ", another amount " + plain(n.Amount) +
		", missing " + plain(n.Missing) + ", extra " + plain(n.Extra) + ", unknown " + plain(n.Unknown))
	for _, of := range [...]struct {
		n    uint64
		what string
	}{{n.Unexplained, "profile"}, {n.After, "line"}, {n.LeftOut, "row"}} {
		if of.n == 0 {
			continue
		}
		text.WriteString("; " + termtext.Counted(plain(of.n), of.what))
		switch of.what {
		case "profile":
			text.WriteString(" that no reading explains")
		case "line":
			text.WriteString(" after the last day")
		case "row":
			text.WriteString(" left out")
		}
	}
	return text.String()
}

// readingsText shows the readings: those that are observed with the day that showed each, then what is contradicted,
// refuted and open.
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
		return " by " + termtext.Counted(strconv.Itoa(r.For), "profile") + " (" + short(r.Decided.Profile, idCharacters) + ", " + r.Decided.Date.String() + ")"
	case r.For > 0:
		return ": " + termtext.Counted(strconv.Itoa(r.For), "profile") + " for it, " + strconv.Itoa(r.Against) + " against"
	case r.Against > 0:
		return " by " + termtext.Counted(strconv.Itoa(r.Against), "profile")
	}
	return ""
}

// open returns the keys of which nothing is known.
func (r *ReconcileWriter) open() (keys []string) {
	for i := range r.readings {
		key := r.readings[i].Key
		told := slices.ContainsFunc(r.readings, func(o record.Reading) bool { return o.Key == key && o.Verdict != record.VerdictOpen })
		if !told && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// page is the whole page.
func (r *ReconcileWriter) page() string {
	var notes, links, body, rows markup
	notes.put("<li>%</li>", r.inWords())
	if others := words.OtherReadings(r.sheet.head.Policy); others != "" {
		notes.put("<li>%</li>", "readings: "+others)
	}
	if r.summary.Policy != "" {
		notes.put("<li>%</li>", "observed: --policy "+r.summary.Policy)
	}
	put := func(id, heading string, of markup) {
		if of == nil {
			return
		}
		links.put(`<li><a href="#%">%</a></li>`+"\n", id, heading)
		body.put(`<section aria-labelledby="%">`+"\n"+`<h2 id="%">%</h2>`+"\n%</section>\n", id, id, heading, of)
	}
	var wrong, readings, days markup
	if r.rows != nil {
		wrong.table("Charges and lines that differ", nil, reconcileHeads, r.rows)
		if r.left > 0 {
			wrong.put("<p class=\"legend\">%</p>\n", count(r.left)+" more than there is room for.")
		}
	}
	put("wrong", "What differs", wrong)
	heads := []head{{"Reading", "", ""}, {"Verdict", "", ""}, {"For", "n", "n"}, {"Against", "n", "n"}, {"Shown by", "", ""}, {"Up to", "", "d"}}
	for i := range r.readings {
		of := &r.readings[i]
		by, day := "", ""
		if of.Decided != nil {
			by, day = short(of.Decided.Profile, idCharacters), of.Decided.Date.String()
		}
		if of.Verdict != record.VerdictOpen {
			rows.row(heads, of.Key+"="+of.Value, of.Verdict.String(), count(of.For), count(of.Against), by, day)
		}
	}
	if rows != nil {
		readings.table("What charges say of readings", nil, heads, rows)
	}
	if open := r.open(); open != nil {
		readings.put("<p class=\"legend\">Open: %.</p>\n", strings.Join(open, ", "))
	}
	put("readings", "Readings", readings)
	if r.wrong != nil || r.fine != nil {
		days.put(`<p class="legend above">Of each day the frame above is the forecast, the square below what was charged`)
		for i, of := range [...]struct{ class, what string }{
			{"c", "as expected"}, {"e", "late"}, {"a", "another amount"}, {"f", "missing"}, {"y", "extra"}, {"u", "unknown"},
		} {
			days.put(`% <span class="key"><i class="%"></i></span> %`, [...]string{":", ","}[min(i, 1)], of.class, of.what)
		}
		days.put(".</p>\n")
		days = append(append(days, r.wrong...), r.fine...)
		if r.without > 0 {
			days.put("<p class=\"legend\">%</p>\n", count(r.without)+" more profiles than there is room for.")
		}
	}
	put("calendar", "Forecast and actual charges", days)
	return framed("Reconciliation", r.window(), notes, links, body)
}

// endProfile keeps the calendar of the profile at hand.
func (r *ReconcileWriter) endProfile() {
	figure, wrong := r.cal.finish()
	switch {
	case figure == nil:
	case wrong && len(r.wrong)+len(figure) < pageBytes/3:
		r.wrong = append(r.wrong, figure...)
	case !wrong && len(r.fine)+len(figure) < pageBytes/4:
		r.fine = append(r.fine, figure...)
	default:
		r.without++
	}
}

// A profileCalendar is a drawing of a profile's days: a row a month, with the forecast above what was charged.
type profileCalendar struct {
	on     bool
	of     record.Subject
	days   []calendarDay
	counts [record.Unknown + 1]int
	note   string
}

type calendarDay struct {
	day    calendar.Date
	actual bool
	kind   record.Match
	text   string
}

// The measures of the drawing, and how many months it has at most.
const (
	calMonths = 36
	calLeft   = 56
	calDay    = 20
	calRow    = 28
)

func (c *profileCalendar) start(s record.Subject, on bool) {
	*c = profileCalendar{on: on, of: s, days: c.days[:0]}
}

func (c *profileCalendar) add(kind record.Match, expected *engine.Charge, actual *record.Actual) {
	c.counts[kind]++
	if expected != nil {
		text := words.Between(expected.Min.String(), expected.Max.String(), expected.Min.Compare(expected.Max) == 0)
		c.days = append(c.days, calendarDay{expected.Date, false, kind, text})
	}
	if actual != nil && actual.Outcome != record.ActualNone {
		c.days = append(c.days, calendarDay{actual.Date, true, kind, amountOf(actual)})
	}
}

func monthOf(d calendar.Date) (month, day int) {
	year, m, day := d.Date()
	return 12*year + int(m) - 1, day
}

// calClasses are the classes of the squares.
var calClasses = [...]string{record.Matched: "m", record.MatchedLate: "late", record.MatchedAmount: "a", record.Missing: "x", record.Extra: "x", record.Unknown: "u"}

// finish returns the drawing; nil for none. wrong reports whether it shows something that is neither matched nor late.
func (c *profileCalendar) finish() (figure markup, wrong bool) {
	if !c.on || len(c.days) == 0 {
		c.on = false
		return nil, false
	}
	c.on = false
	first, _ := monthOf(slices.MinFunc(c.days, func(a, b calendarDay) int { return a.day.Compare(b.day) }).day)
	last, _ := monthOf(slices.MaxFunc(c.days, func(a, b calendarDay) int { return a.day.Compare(b.day) }).day)
	last = min(last, first+calMonths-1)
	var counts []string
	for kind, n := range c.counts {
		if n > 0 {
			counts = append(counts, record.Match(kind).String()+" "+count(n))
			wrong = wrong || isWrong(record.Match(kind))
		}
	}
	if c.note != "" {
		counts = append(counts, c.note)
	}
	name := short(c.of.Profile, idCharacters) + " (row " + strconv.Itoa(c.of.Row) + ")"
	what := strings.Join(counts, ", ")
	figure.put(`<figure><figcaption><b>%</b> <span>%</span></figcaption>`+"\n", name, what)
	figure.put(`<div class="scroll" role="region" aria-label="%" tabindex="0"><svg class="cal" role="img" viewBox="0 0 % %"><title>%</title>`+"\n",
		name, calLeft+31*calDay, 14+calRow*(last-first+1), name+": "+what)
	for day := 1; day <= 31; day += 5 {
		figure.label(calLeft+calDay*(day-1), 9, strconv.Itoa(day))
	}
	for m := first; m <= last; m++ {
		figure.label(0, 14+calRow*(m-first)+16, strconv.Itoa(m/12)+"-"+strconv.Itoa(100 + m%12 + 1)[1:])
	}
	for _, d := range c.days {
		month, day := monthOf(d.day)
		if month > last {
			continue
		}
		x, y := calLeft+calDay*(day-1), 14+calRow*(month-first)
		class, what := "f", "forecast "
		if d.actual {
			class, what, y = calClasses[d.kind], "charged ", y+12
		} else if d.kind == record.Missing {
			class = "f x"
		}
		figure.put(`<rect class="%" x="%" y="%" width="16" height="10"><title>%</title></rect>`+"\n", class, x, y, d.day.String()+" "+what+d.text)
	}
	figure.put("</svg></div></figure>\n")
	return figure, wrong
}

// appendField, appendGerman and germanCells are for reconcile's CSV.
func appendField(dst []byte, s string) []byte { return fields{separator: ','}.text(dst, s) }

// germanCell returns how German Excel reads the values of a column: a day or a number; nil for any other text.
func germanCell(column string) func(string) string {
	switch kind := column[strings.LastIndexByte(column, '_')+1:]; {
	case kind == "date" || kind == "slot":
		return func(s string) string {
			if d, err := calendar.Parse(s); err == nil {
				year, month, day := d.Date()
				return fmt.Sprintf("%02d.%02d.%04d", day, int(month), year)
			}
			return s
		}
	case kind == "amount" || kind == "min" || kind == "max" || kind == "mean" || kind[0] == 'q' && kind != "quarter":
		return func(s string) string { return strings.Replace(s, ".", ",", 1) }
	}
	return nil
}

// appendGerman appends a line of comma-separated values with semicolons between them, each as German Excel reads it.
func appendGerman(dst, line []byte, cells []func(string) string) []byte {
	values, _ := stdcsv.NewReader(bytes.NewReader(line)).Read() // which was made well formed
	for i, value := range values {
		if i > 0 {
			dst = append(dst, ';')
		}
		if i < len(cells) && cells[i] != nil {
			value = cells[i](value)
		}
		if strings.ContainsAny(value, `";`) || value != strings.TrimSpace(value) {
			value = `"` + strings.ReplaceAll(value, `"`, `""`) + `"`
		}
		dst = append(dst, value...)
	}
	return append(dst, '\n')
}

// germanCells returns how the values of columns are written.
func germanCells(columns string) (cells []func(string) string) {
	for name := range strings.SplitSeq(columns, ",") {
		cells = append(cells, germanCell(name))
	}
	return cells
}
