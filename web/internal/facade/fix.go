package facade

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/chargecast/chargecast/internal/exportform"
	"github.com/chargecast/chargecast/rules"
)

// decisions are what a user decided about an export.
type decisions struct {
	Encoding    string                       `json:"encoding"`
	Dates       string                       `json:"dates"`
	Century     string                       `json:"century"`
	Decimal     string                       `json:"decimal"`
	Rename      map[string]string            `json:"rename"` // columns by the name in the file; "-" removes one
	Value       map[string]map[string]string `json:"value"`  // by column, what takes the place of a value, such as month*12
	Set         map[string]string            `json:"set"`    // values of empty cells, by column
	DropUnknown bool                         `json:"drop_unknown"`
	DropEmpty   bool                         `json:"drop_empty"`
}

// forms are how dates and amounts are written.
func (d *decisions) forms() (f exportform.Forms, err error) {
	for _, of := range [...]struct {
		text string
		to   interface{ UnmarshalText([]byte) error }
	}{{d.Dates, &f.Dates}, {d.Century, &f.Century}, {d.Decimal, &f.Decimal}} {
		if of.text == "" {
			continue
		}
		if err := of.to.UnmarshalText([]byte(of.text)); err != nil {
			return f, refused("decision", err.Error(), "")
		}
	}
	return f, nil
}

// decoder is what turns the text into UTF-8; nil where it is UTF-8, or not said.
func (s *Server) decoder(d *decisions) (func(io.Reader) io.Reader, error) {
	name := strings.TrimSpace(d.Encoding)
	if name == "" {
		return nil, nil
	}
	if strings.EqualFold(name, "ansi") { // as Windows calls it
		name = "windows-1252"
	}
	if strings.EqualFold(name, "utf-8") || strings.EqualFold(name, "utf8") {
		return nil, nil
	}
	if s.Decoder != nil {
		if canonical, decode, ok := s.Decoder(name); ok {
			if canonical == "utf-8" {
				return nil, nil
			}
			return decode, nil
		}
	}
	return nil, refused("encoding", "no such encoding", "use a name that the web knows, such as windows-1252, iso-8859-2, utf-16le or shift_jis")
}

// fixer is a Fixer with the decisions.
func (s *Server) fixer(d *decisions) (f rules.Fixer, err error) {
	if f.Forms, err = d.forms(); err != nil {
		return f, err
	}
	if f.Decode, err = s.decoder(d); err != nil {
		return f, err
	}
	f.DropUnknown, f.DropEmpty = d.DropUnknown, d.DropEmpty
	f.Rename, f.Values, f.Set = map[string]rules.Column{}, map[rules.Column]map[string]rules.Value{}, map[rules.Column]string{}
	columnNamed := func(name string) (rules.Column, error) {
		c, ok := rules.ColumnOf(name)
		if !ok {
			return c, refused("decision", "this is not a column of the document", "")
		}
		return c, nil
	}
	for name, target := range d.Rename {
		if target == "expire-month/expire-year" {
			f.Expiry = append(f.Expiry, name)
			continue
		}
		c := rules.Column(0)
		if target != "-" {
			if c, err = columnNamed(target); err != nil {
				return f, err
			}
		}
		if name != target {
			f.Rename[name] = c
		}
	}
	for name, values := range d.Value {
		c, err := columnNamed(name)
		if err != nil {
			return f, err
		}
		f.Values[c] = map[string]rules.Value{}
		for source, target := range values {
			v := rules.Value{Text: target}
			if unit, times, ok := strings.Cut(target, "*"); ok && c == rules.ColumnPeriod {
				n, err := strconv.Atoi(strings.TrimSpace(times))
				if err != nil || n < 1 {
					return f, refused("decision", "what is after * is how many of the period it is", "write it as month*12")
				}
				v = rules.Value{Text: strings.TrimSpace(unit), Times: n}
			}
			f.Values[c][source] = v
		}
	}
	for name, value := range d.Set {
		c, err := columnNamed(name)
		if err != nil {
			return f, err
		}
		f.Set[c] = value
	}
	if err := f.Check(); err != nil {
		return f, refused("decision", err.Error(), "")
	}
	return f, nil
}

// A changeSum is what was done under one code in one column, or refused.
type changeSum struct {
	change rules.Change // the first one
	Code   string       `json:"code"`
	Column string       `json:"column,omitempty"`
	Name   string       `json:"name,omitempty"`
	Row    int          `json:"row"`
	Line   int          `json:"line"`
	Count  int          `json:"count"`
	Refuse bool         `json:"refused"`
	Text   string       `json:"text"`
	Help   string       `json:"help,omitempty"`
}

// mostSums is how many sums of changes a reply has: an export may have any number of columns.
const mostSums = 500

// A fixing collects the changes of a Fixer.
type fixing struct {
	records []json.RawMessage
	keep    bool // all records; else the sums alone
	sums    []*changeSum
}

func (f *fixing) add(c rules.Change) {
	if f.keep {
		f.records = append(f.records, appendJSON(c))
	}
	for _, s := range f.sums {
		o := s.change
		if o.Code == c.Code && o.Column == c.Column && o.Field == c.Field && o.Refused == c.Refused && (o.Row == 0) == (c.Row == 0) {
			s.Count++
			return
		}
	}
	if len(f.sums) == mostSums {
		return
	}
	s := &changeSum{change: c, Code: string(c.Code), Name: c.Name, Row: c.Row, Line: c.Line, Count: 1, Refuse: c.Refused}
	if c.Column != 0 {
		s.Column = c.Column.String()
	}
	for r := range rules.Repairs() {
		if r.Code == c.Code {
			if s.Text = r.Text; c.Refused {
				s.Text, s.Help = cmp.Or(r.Note, r.Text), r.Help
			}
		}
	}
	f.sums = append(f.sums, s)
}

// fix answers with a payload, the changes, and what is left to decide.
func (s *Server) fix(q *request) (object, error) {
	fixer, err := s.fixer(&q.decisions)
	if err != nil {
		return nil, err
	}
	all := &fixing{keep: q.Most == 0, records: []json.RawMessage{}, sums: []*changeSum{}}
	fixer.Report = all.add
	var out bytes.Buffer
	done, err := fixer.Fix(&out, bytes.NewReader(q.CSV.bytes))
	if err != nil {
		return nil, refused("read", "the payload cannot be read", "")
	}
	seen, guess := done, ""
	if done.Encoding && q.Encoding == "" {
		seen, guess = s.lookAsWindows(fixer, all, q.CSV.bytes, done)
	}
	problems := []json.RawMessage{}
	for _, f := range done.Findings {
		problems = append(problems, f.AppendJSON(nil))
	}
	questions, draft := q.draft(seen, guess, all)
	reply := object{
		"records": all.records, "problems": problems, "sums": all.sums, "rows": done.Rows, "changes": done.Changes, "refused": done.Refused,
		"no_card": seen.NoCard, "questions": questions, "draft": draft, "ok": done.Refused == 0 && done.Findings.Err() == nil,
	}
	if q.CSV.held != "" {
		s.Hold(q.CSV.held+"-fixed", out.Bytes())
		reply["csv"] = object{"held": q.CSV.held + "-fixed"}
	} else {
		reply["csv"] = coded(out.Bytes())
	}
	return reply, nil
}

// lookAsWindows looks at a text whose encoding is not known as one in windows-1252, for what else is to be decided. The
// guess is windows-1252 where all its letters are usual ones.
func (s *Server) lookAsWindows(look rules.Fixer, all *fixing, csv []byte, done rules.Fixed) (rules.Fixed, string) {
	decode, err := s.decoder(&decisions{Encoding: "windows-1252"})
	if err != nil {
		return done, ""
	}
	usual := usualLetters{ok: true}
	look.Decode = func(r io.Reader) io.Reader { return io.TeeReader(decode(r), &usual) }
	keep := all.keep
	all.keep = false // what is only looked at has no records
	look.Report = func(c rules.Change) {
		if c.Refused {
			all.add(c)
		}
	}
	seen, err := look.Fix(io.Discard, bytes.NewReader(csv))
	all.keep = keep
	if err != nil || seen.Encoding {
		return done, ""
	}
	if seen.Encoding = true; !usual.ok {
		return seen, ""
	}
	return seen, "windows-1252"
}

// usualLetters notes whether all letters beyond ASCII of a text are usual in German, French and Spanish.
type usualLetters struct {
	ok   bool
	rest []byte
}

// Write looks at a piece of a text.
func (u *usualLetters) Write(p []byte) (int, error) {
	piece := append(u.rest, p...)
	for len(piece) > 0 && utf8.FullRune(piece) {
		r, size := utf8.DecodeRune(piece)
		u.ok = u.ok && (r < utf8.RuneSelf || strings.ContainsRune("äöüÄÖÜß€éèêàáçñóíú§°–—’‘“”„…\u00a0", r))
		piece = piece[size:]
	}
	u.rest = append(u.rest[:0], piece...)
	return len(p), nil
}

// A question is something that an export leaves open, with the evidence for it.
type question struct {
	Kind       string   `json:"kind"` // encoding, dates, century, decimal, empty-rows, column, value, set
	Column     string   `json:"column,omitempty"`
	Name       string   `json:"name,omitempty"` // of the column in the file, or the value
	Evidence   string   `json:"evidence"`
	Suggestion string   `json:"suggestion,omitempty"`
	Choices    []string `json:"choices,omitempty"`
}

// draft returns what is left to decide, and a map for the command with it and what is decided.
func (q *request) draft(seen rules.Fixed, encoding string, all *fixing) ([]question, string) {
	list := []question{}
	if seen.Encoding && q.Encoding == "" {
		list = append(list, question{Kind: "encoding", Evidence: "The text is not UTF-8. It was looked at as windows-1252.", Suggestion: encoding, Choices: []string{"windows-1252", "iso-8859-2", "windows-1250", "utf-16le", "utf-16be", "shift_jis", "macintosh"}})
	}
	list = append(list, q.settings(seen, all)...)
	list = append(list, questionsOfColumns(seen)...)
	for _, c := range seen.Columns {
		column := cmp.Or(c.Column, c.Near)
		for _, w := range c.Words {
			list = append(list, question{Kind: "value", Column: column.String(), Name: w.Text, Evidence: counted(w.Rows, "row"), Suggestion: w.Likely})
		}
	}
	for _, column := range seen.Missing {
		if slices.ContainsFunc(seen.Columns, func(c rules.FixedColumn) bool { return c.Near == column }) {
			continue // a question above suggests it
		}
		switch column {
		case rules.ColumnCardNumber, rules.ColumnOrderID, rules.ColumnCVV2:
		case rules.ColumnCardType:
			list = append(list, question{Kind: "set", Column: column.String(), Evidence: "There is no such column. SRC charges the sender's card, DST pays to the receiver's.", Suggestion: "SRC", Choices: []string{"SRC", "DST"}})
		case rules.ColumnInterval:
			list = append(list, question{Kind: "set", Column: column.String(), Evidence: "There is no such column.", Suggestion: "1"})
		default:
			if judged(column) {
				list = append(list, question{Kind: "set", Column: column.String(), Evidence: "There is no such column."})
			}
		}
	}
	return list, q.mapText(list)
}

// judged reports whether a forecast depends on a column.
func judged(c rules.Column) bool { return c == rules.ColumnCurrency || c == rules.ColumnPeriod }

// settings are the questions about the whole file.
func (q *request) settings(seen rules.Fixed, all *fixing) (list []question) {
	var dates, amounts rules.FixedColumn
	birthday := false
	for _, c := range seen.Columns {
		switch column := cmp.Or(c.Column, c.Near); column {
		case rules.ColumnStartDate, rules.ColumnFinishDate, rules.ColumnBirthday:
			dates.DayFirst += c.DayFirst
			dates.MonthFirst += c.MonthFirst
			dates.EitherOrder += c.EitherOrder
			dates.ShortYears += c.ShortYears
			dates.Undecided += c.Undecided
			birthday = birthday || column == rules.ColumnBirthday && c.ShortYears > 0
		case 0:
		default:
			amounts.Comma += c.Comma
			amounts.Point += c.Point
			amounts.EitherMark += c.EitherMark
			amounts.Undecided += c.Undecided
		}
	}
	if q.Dates == "" && dates.Undecided > 0 && dates.EitherOrder+dates.DayFirst+dates.MonthFirst > 0 {
		list = append(list, question{
			Kind: "dates", Suggestion: onlyOf(dates.MonthFirst, "mdy", dates.DayFirst, "dmy"), Choices: []string{"dmy", "mdy", "ymd"},
			Evidence: fmt.Sprintf("%s can be read as month, day, year only, %d as day, month, year only, %d as both.", counted(dates.MonthFirst, "date"), dates.DayFirst, dates.EitherOrder),
		})
	}
	if q.Century == "" && dates.ShortYears > 0 {
		century := question{Kind: "century", Evidence: counted(dates.ShortYears, "year") + " of two digits.", Suggestion: "20", Choices: []string{"20", "19"}}
		if birthday {
			century.Suggestion, century.Evidence = "", counted(dates.ShortYears, "year")+" of two digits, in birthday too."
		}
		list = append(list, century)
	}
	if q.Decimal == "" && amounts.Undecided > 0 {
		list = append(list, question{
			Kind: "decimal", Suggestion: onlyOf(amounts.Comma, "comma", amounts.Point, "point"), Choices: []string{"comma", "point"},
			Evidence: fmt.Sprintf("%s can be read with a decimal comma only, %d with a point only, %d with both.", counted(amounts.Comma, "amount"), amounts.Point, amounts.EitherMark),
		})
	}
	for _, s := range all.sums {
		if s.Code == "row-empty" && s.Refuse && !q.DropEmpty {
			list = append(list, question{Kind: "empty-rows", Evidence: counted(s.Count, "row") + " without a value.", Suggestion: "drop", Choices: []string{"drop"}})
		}
	}
	return list
}

func onlyOf(m int, a string, n int, b string) string {
	switch {
	case m > 0 && n == 0:
		return a
	case n > 0 && m == 0:
		return b
	}
	return ""
}

// questionsOfColumns are the questions about names in the header.
func questionsOfColumns(seen rules.Fixed) (list []question) {
	var suggested []rules.Column
	for _, c := range seen.Columns {
		if !c.Refused || c.Name == "" {
			continue
		}
		of := question{Kind: "column", Name: c.Name, Evidence: "Not a column of the document; " + counted(c.Values, "value")}
		switch {
		case c.Code == "column-ambiguous":
			of.Evidence = "One of several columns that can be the same; " + counted(c.Values, "value")
		case c.Near != 0 && !slices.Contains(suggested, c.Near):
			of.Suggestion = c.Near.String()
			suggested = append(suggested, c.Near)
		}
		switch {
		case c.Digits > 0 && c.Digits == c.Values && c.Least == c.Most:
			of.Evidence += ", " + counted(c.Most, "digit")
		case c.Digits > 0 && c.Digits == c.Values:
			of.Evidence += fmt.Sprintf(", %d to %d digits", c.Least, c.Most)
		}
		of.Evidence += "."
		list = append(list, of)
	}
	return list
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// mapText is a map for chargecast payload fix --map: what is decided, and a line with ? for each question.
func (q *request) mapText(open []question) string {
	var b strings.Builder
	line := func(key, value string) { b.WriteString(key + " = " + cmp.Or(value, "?") + "\n") }
	b.WriteString("# A map for chargecast payload fix --map: put a decision in the place of each ?.\n")
	for _, of := range [...][2]string{{"encoding", q.Encoding}, {"dates", q.Dates}, {"century", q.Century}, {"decimal", q.Decimal}} {
		if of[1] != "" {
			line(of[0], of[1])
		}
	}
	if q.DropUnknown {
		line("unknown-columns", "drop")
	}
	if q.DropEmpty {
		line("empty-rows", "drop")
	}
	for _, name := range slices.Sorted(maps.Keys(q.Rename)) {
		line("column "+mapWord(name), q.Rename[name])
	}
	for _, column := range slices.Sorted(maps.Keys(q.Value)) {
		for _, source := range slices.Sorted(maps.Keys(q.Value[column])) {
			target := q.Value[column][source]
			if !strings.Contains(target, "*") || column != rules.ColumnPeriod.String() {
				target = mapWord(target)
			}
			line("value "+column+" : "+mapWord(source), target)
		}
	}
	for _, column := range slices.Sorted(maps.Keys(q.Set)) {
		line("set "+column, mapWord(q.Set[column]))
	}
	for _, of := range open {
		b.WriteString("# " + of.Evidence + "\n")
		switch of.Kind {
		case "column":
			line("column "+mapWord(of.Name), of.Suggestion)
		case "value":
			line("value "+of.Column+" : "+mapWord(of.Name), of.Suggestion)
		case "set":
			line("set "+of.Column, of.Suggestion)
		default:
			line(of.Kind, of.Suggestion)
		}
	}
	return b.String()
}

// mapWord is a name or a value as a map has it.
func mapWord(s string) string {
	if s != "" && s != "?" && s != "-" && !strings.ContainsAny(s, "\"#=:*") && s == strings.TrimSpace(s) {
		return s
	}
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
}
