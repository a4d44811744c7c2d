// Package jsonline reads one JSON object a line, strictly and with places. It is stricter than
// encoding/json, which takes any case of a name, the last of two equal members, and broken
// characters. Every error is a [ledger.Finding] with the code, the column and the member, and never
// shows what the line says.
package jsonline

import (
	"unicode/utf16"
	"unicode/utf8"

	"github.com/chargecast/chargecast/ledger"
)

// The codes of lines that are not in the expected form.
const (
	CodeSyntax    ledger.Code = "json-syntax"
	CodeType      ledger.Code = "json-type"
	CodeUnknown   ledger.Code = "json-unknown-field"
	CodeDuplicate ledger.Code = "json-duplicate-field"
	CodeUTF8      ledger.Code = "invalid-utf8"
	CodeNUL       ledger.Code = "nul-character"
)

// Fault returns the finding of an error at a column from 1.
func Fault(code ledger.Code, col int, message, help string) error {
	return ledger.Finding{
		Code: code, Severity: ledger.SeverityError, Place: ledger.Place{Col: col}, Message: message, Help: help,
	}
}

// maxDepth bounds the nesting of a line: no record needs more than an array in an object in an
// object in the line.
const maxDepth = 6

// A Kind is the form of a JSON value.
type Kind uint8

// The forms.
const (
	KindNull Kind = iota + 1
	KindBool
	KindNumber
	KindString
	KindArray
	KindObject
)

// A Value is one value of a line with its place.
type Value struct {
	Kind   Kind
	Col    int    // in bytes from 1
	Text   string // a string's characters, or a number or word as written
	Raw    []byte // the value as it is in the line
	List   []Value
	Fields []Field
}

// A Field is a member of an object.
type Field struct {
	Name  string
	Col   int
	Value Value
}

// Parse reads a text that is exactly one JSON object.
func Parse(line []byte) ([]Field, error) {
	for i := 0; i < len(line); {
		r, n := utf8.DecodeRune(line[i:])
		if r == utf8.RuneError && n == 1 {
			return nil, Fault(CodeUTF8, i+1, "the line is not UTF-8", "save the file as UTF-8")
		}
		i += n
	}
	s := scanner{in: line}
	v, err := s.value(0)
	if err != nil {
		return nil, err
	}
	if s.space(); s.at < len(s.in) {
		return nil, s.fail("there is text after the object", "write one object a line")
	}
	if v.Kind != KindObject {
		return nil, Fault(CodeType, v.Col, "the line is not a JSON object", "write { … }")
	}
	return v.Fields, nil
}

type scanner struct {
	in []byte
	at int
}

func (s *scanner) fail(message, help string) error {
	return Fault(CodeSyntax, s.at+1, message, help)
}

func (s *scanner) space() {
	for s.at < len(s.in) && (s.in[s.at] == ' ' || s.in[s.at] == '\t' || s.in[s.at] == '\r' || s.in[s.at] == '\n') {
		s.at++
	}
}

// peek returns the next byte after white space; 0 at the end.
func (s *scanner) peek() byte {
	if s.space(); s.at < len(s.in) {
		return s.in[s.at]
	}
	return 0
}

func (s *scanner) value(depth int) (Value, error) {
	if depth > maxDepth {
		return Value{}, s.fail("the value is nested too deeply", "no member needs more than a list in an object")
	}
	c := s.peek()
	v := Value{Col: s.at + 1}
	var err error
	switch {
	case c == '{':
		v.Kind = KindObject
		v.Fields, err = s.object(depth)
	case c == '[':
		v.Kind = KindArray
		v.List, err = s.array(depth)
	case c == '"':
		v.Kind = KindString
		v.Text, err = s.text()
	case c == '-' || '0' <= c && c <= '9':
		v.Kind = KindNumber
		v.Text, err = s.number()
	default:
		v.Kind, v.Text, err = s.word()
	}
	v.Raw = s.in[v.Col-1 : s.at]
	return v, err
}

// items reads a list of items up to the closing byte.
func (s *scanner) items(end byte, item func() error) error {
	s.at++
	if s.peek() == end {
		s.at++
		return nil
	}
	for {
		if err := item(); err != nil {
			return err
		}
		switch s.peek() {
		case end:
			s.at++
			return nil
		case ',':
			s.at++
		default:
			return s.fail("a comma or a closing bracket is missing", "check the quotes and brackets before this place")
		}
	}
}

func (s *scanner) array(depth int) (list []Value, err error) {
	err = s.items(']', func() error {
		v, err := s.value(depth + 1)
		list = append(list, v)
		return err
	})
	return list, err
}

func (s *scanner) object(depth int) (fields []Field, err error) {
	seen := map[string]bool{}
	err = s.items('}', func() error {
		if s.peek() != '"' {
			return s.fail("a name in double quotes is missing", `write "name":value`)
		}
		f := Field{Col: s.at + 1}
		var err error
		if f.Name, err = s.text(); err != nil {
			return err
		}
		if seen[f.Name] {
			return Fault(CodeDuplicate, f.Col, "the field is given twice", "keep one of the two")
		}
		seen[f.Name] = true
		if s.peek() != ':' {
			return s.fail("a colon is missing after the name", `write "name":value`)
		}
		s.at++
		f.Value, err = s.value(depth + 1)
		fields = append(fields, f)
		return err
	})
	return fields, err
}

func (s *scanner) word() (Kind, string, error) {
	for _, w := range [...]struct {
		text string
		kind Kind
	}{{"null", KindNull}, {"true", KindBool}, {"false", KindBool}} {
		if rest := s.in[s.at:]; len(rest) >= len(w.text) && string(rest[:len(w.text)]) == w.text {
			s.at += len(w.text)
			return w.kind, w.text, nil
		}
	}
	return 0, "", s.fail("not a JSON value", "write strings in double quotes")
}

func (s *scanner) digits() bool {
	from := s.at
	for s.at < len(s.in) && '0' <= s.in[s.at] && s.in[s.at] <= '9' {
		s.at++
	}
	return s.at > from
}

// take steps over one of the bytes in set, if it comes next.
func (s *scanner) take(set string) bool {
	for i := range len(set) {
		if s.at < len(s.in) && s.in[s.at] == set[i] {
			s.at++
			return true
		}
	}
	return false
}

func (s *scanner) number() (string, error) {
	from := s.at
	s.take("-")
	zero := s.at < len(s.in) && s.in[s.at] == '0'
	first := s.at
	ok := s.digits() && !(zero && s.at-first > 1)
	if ok && s.take(".") {
		ok = s.digits()
	}
	if ok && s.take("eE") {
		s.take("+-")
		ok = s.digits()
	}
	if !ok {
		return "", s.fail("not a JSON number", "write digits without leading zeros, spaces or a plus sign")
	}
	return string(s.in[from:s.at]), nil
}

// text reads a string with its escapes.
func (s *scanner) text() (string, error) {
	s.at++
	var out []byte
	for s.at < len(s.in) {
		switch c := s.in[s.at]; {
		case c == '"':
			s.at++
			return string(out), nil
		case c < ' ':
			return "", s.fail("a string has a control character", "escape it")
		case c == '\\':
			r, err := s.escape()
			if err != nil {
				return "", err
			}
			out = utf8.AppendRune(out, r)
		default:
			out = append(out, c)
			s.at++
		}
	}
	return "", s.fail("a string is not closed", "write double quotes at its end")
}

var escapes = [...]struct {
	letter byte
	means  rune
}{{'"', '"'}, {'\\', '\\'}, {'/', '/'}, {'b', '\b'}, {'f', '\f'}, {'n', '\n'}, {'r', '\r'}, {'t', '\t'}}

func (s *scanner) escape() (rune, error) {
	at := s.at
	s.at++
	if s.take("u") {
		return s.unicode(at)
	}
	for _, e := range escapes {
		if s.take(string(rune(e.letter))) {
			return e.means, nil
		}
	}
	return 0, s.fail("JSON has no such escape", `write a backslash as \\`)
}

// unicode reads the four digits of \u, and the second half of a pair.
func (s *scanner) unicode(at int) (rune, error) {
	r, ok := s.hex4()
	if !ok {
		return 0, s.fail("four hexadecimal digits must follow \\u", "write the character itself")
	}
	if r == 0 {
		return 0, Fault(CodeNUL, at+1, "a string has a NUL character", "remove it")
	}
	if !utf16.IsSurrogate(r) {
		return r, nil
	}
	if s.take("\\") && s.take("u") {
		if low, ok := s.hex4(); ok {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				return pair, nil
			}
		}
	}
	return 0, Fault(CodeUTF8, at+1, "an escape is half of a surrogate pair", "write the character itself")
}

func (s *scanner) hex4() (r rune, ok bool) {
	for range 4 {
		if s.at >= len(s.in) {
			return 0, false
		}
		switch c := s.in[s.at]; {
		case '0' <= c && c <= '9':
			r = r<<4 | rune(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
		s.at++
	}
	return r, true
}
