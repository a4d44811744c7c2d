package main

import (
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/transform"

	"github.com/chargecast/chargecast/internal/exportform"
	"github.com/chargecast/chargecast/internal/exportmap"
	"github.com/chargecast/chargecast/rules"
)

// decisions are what a user decided about an export, by flags and in a map. Flags come first, and win.
type decisions struct {
	exportmap.Decisions
	encoding encodingFlag
}

// maxMapBytes is more than any map has.
const maxMapBytes = 4 << 20

// addFlag adds the value of --rename, --value or --set.
func (d *decisions) addFlag(flag, s string) error {
	from := "--" + flag
	switch flag {
	case "rename":
		name, column, ok := cutLast(s, "=")
		if !ok {
			return usage(from+": write it as NAME=COLUMN", "the name in the file comes first, then that of the column")
		}
		return d.addColumn(from, name, column)
	case "set":
		column, text, ok := strings.Cut(s, "=")
		if !ok {
			return usage(from+": write it as COLUMN=VALUE", "such as rp_card_type=SRC")
		}
		return d.addSet(from, strings.TrimSpace(column), strings.TrimSpace(text))
	}
	column, rest, ok := strings.Cut(s, ":")
	source, target, isPair := cutLast(rest, "=")
	if !ok || !isPair {
		return usage(from+": write it as COLUMN:VALUE=VALUE", "such as 'country: Deutschland=DE'")
	}
	return d.addValue(from, strings.TrimSpace(column), source, target)
}

// cutLast cuts a text at the last mark, and the white space around both parts.
func cutLast(s, mark string) (before, after string, ok bool) {
	i := strings.LastIndex(s, mark)
	if i < 0 {
		return "", "", false
	}
	return strings.TrimSpace(s[:i]), strings.TrimSpace(s[i+len(mark):]), true
}

// columnNamed is a column of the document.
func columnNamed(from, name string) (rules.Column, error) {
	column, ok := rules.ColumnOf(name)
	if !ok {
		return 0, usage(from+": this is not a column of the document"+didYouMean(name, columnNames(), ""), "chargecast explain column-unknown lists them")
	}
	return column, nil
}

func columnNames() (names []string) {
	for s := range rules.Columns() {
		names = append(names, s.Name)
	}
	return names
}

// isFlag reports whether a line comes from a flag, which wins over those of a map.
func isFlag(from string) bool {
	return strings.HasPrefix(from, "--") && !strings.HasPrefix(from, "--map: ")
}

// addColumn adds the target of a name in the header.
func (d *decisions) addColumn(from, name, target string) error {
	var column rules.Column
	expiry := target == exportmap.BothExpiry
	if expiry {
		column = rules.ColumnExpireMonth
	} else if target != "-" {
		var err error
		if column, err = columnNamed(from, target); err != nil {
			return err
		}
	}
	if name == "" {
		return usage(from+": the name is empty", "write the name in the file")
	}
	for _, other := range d.Columns {
		switch {
		case other.Name == name && isFlag(other.From) && !isFlag(from):
			return nil
		case other.Name == name:
			return usage(from+": one name is given for two columns", "keep one of the two")
		case other.Name == target && target != "-" || other.Column != 0 && other.Column.String() == name:
			return usage(from+": a name is also the column of another: a second run would rename it again", "write a name of the file on one side, a column on the other")
		}
	}
	if name != target {
		d.Columns = append(d.Columns, exportmap.Column{From: from, Name: name, Column: column, Expiry: expiry})
	}
	return nil
}

// addValue adds what a value becomes.
func (d *decisions) addValue(from, name, source, target string) error {
	column, err := columnNamed(from, name)
	if err != nil {
		return err
	}
	v, err := exportmap.ParseValue(column, target)
	if err != nil {
		return usage(from+": "+err.Error(), "write it as month*12")
	}
	key := strings.ToLower(strings.TrimSpace(source))
	for _, other := range d.Values {
		if other.Column != column || strings.ToLower(strings.TrimSpace(other.Source)) != key {
			continue
		}
		if isFlag(other.From) && !isFlag(from) {
			return nil
		}
		return usage(from+": one value is given two others", "keep one of the two")
	}
	d.Values = append(d.Values, exportmap.Value{From: from, Column: column, Source: source, Value: v})
	return nil
}

// addSet adds the value of empty cells.
func (d *decisions) addSet(from, name, text string) error {
	column, err := columnNamed(from, name)
	if err != nil {
		return err
	}
	for _, other := range d.Sets {
		if other.Column != column {
			continue
		}
		if isFlag(other.From) && !isFlag(from) {
			return nil
		}
		return usage(from+": one column is set twice", "keep one of the two")
	}
	d.Sets = append(d.Sets, exportmap.Set{From: from, Column: column, Text: text})
	return nil
}

// into puts the decisions into a Fixer.
func (d *decisions) into(f *rules.Fixer) {
	d.Into(f)
	f.Decode = d.encoding.decode()
}

// check refuses values that a Fixer refuses, with the line that they come from: the first one with which those before it
// are at fault.
func (d *decisions) check() error {
	var f rules.Fixer
	if d.into(&f); f.Check() == nil {
		return nil
	}
	part := decisions{}
	try := func(from string) error {
		var f rules.Fixer
		part.into(&f)
		if err := f.Check(); err != nil {
			return usage(from+": "+err.Error(), "see chargecast payload fix --help")
		}
		return nil
	}
	for _, v := range d.Values {
		part.Values = append(part.Values, v)
		if err := try(v.From); err != nil {
			return err
		}
	}
	for _, s := range d.Sets {
		part.Sets = append(part.Sets, s)
		if err := try(s.From); err != nil {
			return err
		}
	}
	return nil
}

// readMap adds the lines of a map.
func (d *decisions) readMap(a *app, path string) error {
	text, err := a.readAll(path, maxMapBytes, limitBytes, "a map has a line for each decision")
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	number := 0
	for line := range strings.Lines(strings.TrimPrefix(string(text), "\ufeff")) {
		number++
		from := "--map: " + nameOf(path) + ":" + strconv.Itoa(number)
		line = strings.TrimSpace(line)
		switch {
		case !utf8.ValidString(line):
			return usage(from+": not UTF-8", "save the map as UTF-8")
		case line == "" || line[0] == '#':
			continue
		}
		if err := d.addLine(from, line, seen); err != nil {
			return err
		}
	}
	return nil
}

var (
	errMapForm  = errors.New("this is not a line of a map")
	errMapQuote = errors.New(`a name or a value is empty, or a quote is missing or out of place; "" is the empty value`)
)

// undecidedHelp is what can be done about a ? of a draft.
const undecidedHelp = "put a value, - (removes a column), or delete the line"

// helpOfMap is what the lines of a map look like.
const helpOfMap = `write encoding = NAME, dates = dmy, century = 20, decimal = comma, column "NAME" = COLUMN, value COLUMN : VALUE = VALUE, set COLUMN = VALUE, ` +
	`unknown-columns = drop or empty-rows = drop`

// addLine adds a line of a map.
func (d *decisions) addLine(from, line string, seen map[string]bool) error {
	fault := func(err error) error { return usage(from+": "+err.Error(), helpOfMap) }
	if word, rest, ok := strings.Cut(line, " "); ok && (word == "column" || word == "value" || word == "set") {
		column := ""
		if word == "value" {
			if column, rest, ok = cutColumn(rest); !ok {
				return fault(errMapForm)
			}
		}
		source, target, err := cutPair(rest)
		switch {
		case err != nil:
			return fault(err)
		case target.text == "?" && !target.quoted:
			return usage(from+": ? is not decided", undecidedHelp)
		case word == "column":
			return d.addColumn(from, source.text, target.text)
		case word == "set":
			return d.addSet(from, source.text, target.text)
		}
		return d.addValue(from, column, source.text, target.text)
	}
	key, value, ok := strings.Cut(line, "=")
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	switch {
	case !ok:
		return fault(errMapForm)
	case value == "?":
		return usage(from+": ? is not decided", undecidedHelp)
	case seen[key]:
		return usage(from+": this is given twice", "keep one of the two")
	}
	seen[key] = true
	return d.addSetting(from, key, value)
}

// addSetting adds a line KEY = VALUE of a map.
func (d *decisions) addSetting(from, key, value string) error {
	text := []byte(value)
	var forms exportform.Forms
	var err error
	switch key {
	case "encoding":
		var e encodingFlag
		if err = e.Set(value); err == nil && d.encoding.name == "" {
			d.encoding, d.Encoding = e, e.name
		}
	case "dates":
		if err = forms.Dates.UnmarshalText(text); err == nil && d.Forms.Dates == 0 {
			d.Forms.Dates = forms.Dates
		}
	case "century":
		if err = forms.Century.UnmarshalText(text); err == nil && d.Forms.Century == 0 {
			d.Forms.Century = forms.Century
		}
	case "decimal":
		if err = forms.Decimal.UnmarshalText(text); err == nil && d.Forms.Decimal == 0 {
			d.Forms.Decimal = forms.Decimal
		}
	case "unknown-columns", "empty-rows":
		if value != "drop" {
			return usage(from+": unknown value: use drop", "leave out the line to keep them")
		}
		d.DropUnknown = d.DropUnknown || key == "unknown-columns"
		d.DropEmpty = d.DropEmpty || key == "empty-rows"
	default:
		return usage(from+": unknown key", helpOfMap)
	}
	if err == nil && value == "" {
		err = errors.New("the value is empty")
	}
	if failed, ok := errors.AsType[*failure](err); ok {
		return usage(from+": "+failed.Text, failed.Help)
	}
	if err != nil {
		return usage(from+": "+err.Error(), helpOfMap)
	}
	return nil
}

// cutColumn cuts the column of a value line from the rest, at the first colon between spaces, or the first one.
func cutColumn(s string) (column, rest string, ok bool) {
	if column, rest, ok = strings.Cut(s, " : "); !ok {
		column, rest, ok = strings.Cut(s, ":")
	}
	column = strings.TrimSpace(column)
	if len(column) > 1 && column[0] == '"' && column[len(column)-1] == '"' {
		column = column[1 : len(column)-1]
	}
	return column, strings.TrimSpace(rest), ok
}

// A mapWord is a name or a value of a map: bare, or in quotes.
type mapWord struct {
	text   string
	quoted bool
}

// cutPair cuts NAME = VALUE at the last equals sign that is not in quotes.
func cutPair(s string) (name, value mapWord, err error) {
	found := false
	padded := s + " " // so that nothing after the mark is an empty value
	for _, mark := range [...]string{" = ", "="} {
		for i := strings.LastIndex(padded, mark); i >= 0; i = strings.LastIndex(padded[:i], mark) {
			found = true
			before, ok1 := mapWordOf(padded[:i])
			after, ok2 := mapWordOf(padded[i+len(mark):])
			if ok1 && ok2 {
				return before, after, nil
			}
		}
	}
	if !found {
		return name, value, errMapForm
	}
	return name, value, errMapQuote
}

// mapWordOf undoes the quotes of a word; false where they do not match, or where a bare word is empty.
func mapWordOf(s string) (mapWord, bool) {
	s = strings.TrimSpace(s)
	if !strings.Contains(s, `"`) {
		return mapWord{s, false}, s != ""
	}
	if len(s) < 2 || s[0] != '"' || s[len(s)-1] != '"' {
		return mapWord{}, false
	}
	inner := s[1 : len(s)-1]
	if strings.Contains(strings.ReplaceAll(inner, `""`, ""), `"`) {
		return mapWord{}, false
	}
	return mapWord{strings.ReplaceAll(inner, `""`, `"`), true}, true
}

// An encodingFlag is the name of an encoding.
type encodingFlag struct {
	name string
	of   encoding.Encoding
}

func (e *encodingFlag) String() string { return e.name }
func (*encodingFlag) Type() string     { return "NAME" }

func (e *encodingFlag) Set(s string) error {
	if strings.EqualFold(strings.TrimSpace(s), "ansi") { // as Windows calls it
		s = "windows-1252"
	}
	of, err := htmlindex.Get(s)
	if err != nil {
		return usage("no such encoding", "use a name that the web knows, such as windows-1252, iso-8859-2, utf-16le or shift_jis")
	}
	name, err := htmlindex.Name(of)
	if err != nil || name == "replacement" {
		return usage("no text is read in this encoding", "save the file in another one, such as UTF-8")
	}
	e.name, e.of = name, of
	return nil
}

// decode turns the encoding into UTF-8; nil where it is UTF-8, or not given.
func (e *encodingFlag) decode() func(io.Reader) io.Reader {
	if e.of == nil || e.name == "utf-8" {
		return nil
	}
	return func(r io.Reader) io.Reader { return transform.NewReader(r, e.of.NewDecoder()) }
}

func windows1252() *encodingFlag { return &encodingFlag{"windows-1252", charmap.Windows1252} }
