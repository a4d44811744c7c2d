package facade

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/internal/exportform"
	"github.com/chargecast/chargecast/internal/exportmap"
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

// fixer is a Fixer with the decisions, which are returned as those of a map, too.
func (s *Server) fixer(d *decisions) (f rules.Fixer, of exportmap.Decisions, err error) {
	if of.Forms, err = d.forms(); err != nil {
		return f, of, err
	}
	if f.Decode, err = s.decoder(d); err != nil {
		return f, of, err
	}
	of.Encoding, of.DropUnknown, of.DropEmpty = d.Encoding, d.DropUnknown, d.DropEmpty
	columnNamed := func(name string) (rules.Column, error) {
		c, ok := rules.ColumnOf(name)
		if !ok {
			return c, refused("decision", "this is not a column of the document", "")
		}
		return c, nil
	}
	for _, name := range slices.Sorted(maps.Keys(d.Rename)) {
		c := exportmap.Column{Name: name}
		switch target := d.Rename[name]; target {
		case name:
			continue
		case exportmap.BothExpiry:
			c.Column, c.Expiry = rules.ColumnExpireMonth, true
		case "-":
		default:
			if c.Column, err = columnNamed(target); err != nil {
				return f, of, err
			}
		}
		of.Columns = append(of.Columns, c)
	}
	for _, name := range slices.Sorted(maps.Keys(d.Value)) {
		c, err := columnNamed(name)
		if err != nil {
			return f, of, err
		}
		for _, source := range slices.Sorted(maps.Keys(d.Value[name])) {
			v, err := exportmap.ParseValue(c, d.Value[name][source])
			if err != nil {
				return f, of, refused("decision", err.Error(), "write it as month*12")
			}
			of.Values = append(of.Values, exportmap.Value{Column: c, Source: source, Value: v})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(d.Set)) {
		c, err := columnNamed(name)
		if err != nil {
			return f, of, err
		}
		of.Sets = append(of.Sets, exportmap.Set{Column: c, Text: d.Set[name]})
	}
	if of.Into(&f); f.Check() != nil {
		return f, of, refused("decision", f.Check().Error(), "")
	}
	return f, of, nil
}

// A changeSum is what was done under one code in one column, or refused.
type changeSum struct {
	Code   string `json:"code"`
	Column string `json:"column,omitempty"`
	Name   string `json:"name,omitempty"`
	Row    int    `json:"row"`
	Line   int    `json:"line"`
	Count  int    `json:"count"`
	Refuse bool   `json:"refused"`
	Text   string `json:"text"`
	Help   string `json:"help,omitempty"`
}

// mostSums is how many sums of changes a reply has: an export may have any number of columns.
const mostSums = 500

// changeSums are sums with what their codes mean.
func changeSums(sums exportmap.Sums) []changeSum {
	list := []changeSum{}
	for _, c := range sums[:min(len(sums), mostSums)] {
		r := exportmap.Repair(c.Code)
		s := changeSum{Code: string(c.Code), Name: c.Name, Row: c.Row, Line: c.Line, Count: c.Count, Refuse: c.Refused, Text: r.Text}
		if c.Column != 0 {
			s.Column = c.Column.String()
		}
		if c.Refused {
			s.Text, s.Help = cmp.Or(r.Note, r.Text), r.Help
		}
		list = append(list, s)
	}
	return list
}

// fix answers with a payload, the changes, and what is left to decide.
func (s *Server) fix(q *request) (object, error) {
	fixer, decided, err := s.fixer(&q.decisions)
	if err != nil {
		return nil, err
	}
	var sums exportmap.Sums
	records := []json.RawMessage{}
	fixer.Report = func(c rules.Change) {
		if sums.Add(c); q.Most == 0 {
			records = append(records, appendJSON(c))
		}
	}
	var out bytes.Buffer
	done, err := fixer.Fix(&out, bytes.NewReader(q.CSV.bytes))
	if err != nil {
		return nil, refused("read", "the payload cannot be read", "")
	}
	seen, guess := done, ""
	if done.Encoding && q.Encoding == "" {
		if decode, err := s.decoder(&decisions{Encoding: "windows-1252"}); err == nil {
			if look, likely, err := exportmap.LookAsWindows(fixer, bytes.NewReader(q.CSV.bytes), decode, sums.Add); err == nil {
				seen, guess = look, likely
			}
		}
	}
	problems := []json.RawMessage{}
	for _, f := range done.Findings {
		problems = append(problems, f.AppendJSON(nil))
	}
	draft := exportmap.NewDraft(&decided, seen, guess, sums)
	questions := slices.DeleteFunc(draft.Questions, func(q exportmap.Question) bool { return q.Sending })
	reply := object{
		"records": records, "problems": problems, "sums": changeSums(sums), "rows": done.Rows, "changes": done.Changes, "refused": done.Refused,
		"no_card": seen.NoCard, "questions": notNil(questions), "draft": string(draft.Text), "ok": done.Refused == 0 && done.Findings.Err() == nil,
	}
	if q.CSV.held != "" {
		s.Hold(q.CSV.held+"-fixed", out.Bytes())
		reply["csv"] = object{"held": q.CSV.held + "-fixed"}
	} else {
		reply["csv"] = coded(out.Bytes())
	}
	return reply, nil
}
