package engine

import (
	"unicode/utf16"
	"unicode/utf8"
)

// A LineError is what is wrong with a line of a state or script file. It names the
// place, the rule and the remedy, and never shows what the line says.
type LineError struct {
	Code string // a stable kebab-case code, such as "json-unknown-field"
	Line int    // the line from 1; 0 until the reader of the file sets it
	Col  int    // the byte in the line, from 1
	// Field is the known field that the fault is in; empty otherwise.
	Field string
	Text  string // rule and remedy
}

// Error is one line.
func (e *LineError) Error() string {
	s := e.Code
	if e.Field != "" {
		s += ": " + e.Field
	}
	return s + ": " + e.Text
}

// Codes of faults in the form of a line.
const (
	codeSyntax    = "json-syntax"
	codeType      = "json-type"
	codeUnknown   = "json-unknown-field"
	codeDuplicate = "json-duplicate-field"
	codeUTF8      = "invalid-utf8"
	codeNUL       = "nul-character"
)

// maxDepth bounds the nesting of a line: no field needs more than an array in an
// object in the line.
const maxDepth = 4

// A jsonKind is the form of a JSON value.
type jsonKind uint8

const (
	jsonNull jsonKind = iota + 1
	jsonBool
	jsonNumber
	jsonString
	jsonArray
	jsonObject
)

// A jsonValue is one value of a line with its place.
type jsonValue struct {
	kind   jsonKind
	col    int
	text   string // a string's characters, or a number as written
	list   []jsonValue
	fields []jsonField
}

type jsonField struct {
	name  string
	col   int
	value jsonValue
}

// parseLine reads a line that is exactly one JSON object. It is stricter than
// encoding/json, which takes any case of a name, the last of two equal fields, and
// broken characters.
func parseLine(line []byte) ([]jsonField, error) {
	for i := 0; i < len(line); {
		r, n := utf8.DecodeRune(line[i:])
		if r == utf8.RuneError && n == 1 {
			return nil, &LineError{Code: codeUTF8, Col: i + 1, Text: "the line is not UTF-8: save the file as UTF-8"}
		}
		i += n
	}
	s := jsonScanner{in: line}
	v, err := s.value(0)
	if err != nil {
		return nil, err
	}
	if s.space(); s.at < len(s.in) {
		return nil, s.fail("text after the object: write one object a line")
	}
	if v.kind != jsonObject {
		return nil, &LineError{Code: codeType, Col: v.col, Text: "a line must be one JSON object: { … }"}
	}
	return v.fields, nil
}

type jsonScanner struct {
	in []byte
	at int
}

func (s *jsonScanner) fail(text string) error {
	return &LineError{Code: codeSyntax, Col: s.at + 1, Text: text}
}

func (s *jsonScanner) space() {
	for s.at < len(s.in) && (s.in[s.at] == ' ' || s.in[s.at] == '\t' || s.in[s.at] == '\r') {
		s.at++
	}
}

// peek is the next byte behind white space; 0 at the end.
func (s *jsonScanner) peek() byte {
	if s.space(); s.at < len(s.in) {
		return s.in[s.at]
	}
	return 0
}

func (s *jsonScanner) value(depth int) (jsonValue, error) {
	if depth > maxDepth {
		return jsonValue{}, s.fail("nested deeper than any field is")
	}
	c := s.peek()
	v := jsonValue{col: s.at + 1}
	var err error
	switch {
	case c == '{':
		v.kind = jsonObject
		v.fields, err = s.object(depth)
	case c == '[':
		v.kind = jsonArray
		v.list, err = s.array(depth)
	case c == '"':
		v.kind = jsonString
		v.text, err = s.text()
	case c == '-' || '0' <= c && c <= '9':
		v.kind = jsonNumber
		v.text, err = s.number()
	default:
		v.kind, err = s.word()
	}
	return v, err
}

// items reads a list of items up to the closing byte.
func (s *jsonScanner) items(end byte, item func() error) error {
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
			return s.fail("a comma or the closing bracket is missing")
		}
	}
}

func (s *jsonScanner) array(depth int) (list []jsonValue, err error) {
	err = s.items(']', func() error {
		v, err := s.value(depth + 1)
		list = append(list, v)
		return err
	})
	return list, err
}

func (s *jsonScanner) object(depth int) (fields []jsonField, err error) {
	seen := map[string]bool{}
	err = s.items('}', func() error {
		if s.peek() != '"' {
			return s.fail("a field name in double quotes is missing")
		}
		f := jsonField{col: s.at + 1}
		var err error
		if f.name, err = s.text(); err != nil {
			return err
		}
		if seen[f.name] {
			return &LineError{Code: codeDuplicate, Col: f.col, Text: "the field is given twice: keep one"}
		}
		seen[f.name] = true
		if s.peek() != ':' {
			return s.fail("a colon is missing behind the field name")
		}
		s.at++
		f.value, err = s.value(depth + 1)
		fields = append(fields, f)
		return err
	})
	return fields, err
}

func (s *jsonScanner) word() (jsonKind, error) {
	for _, w := range [...]struct {
		text string
		kind jsonKind
	}{{"null", jsonNull}, {"true", jsonBool}, {"false", jsonBool}} {
		if rest := s.in[s.at:]; len(rest) >= len(w.text) && string(rest[:len(w.text)]) == w.text {
			s.at += len(w.text)
			return w.kind, nil
		}
	}
	return 0, s.fail("not a JSON value: strings stand in double quotes")
}

func (s *jsonScanner) digits() bool {
	from := s.at
	for s.at < len(s.in) && '0' <= s.in[s.at] && s.in[s.at] <= '9' {
		s.at++
	}
	return s.at > from
}

// take steps over one of the bytes in set, if it comes next.
func (s *jsonScanner) take(set string) bool {
	for i := range len(set) {
		if s.at < len(s.in) && s.in[s.at] == set[i] {
			s.at++
			return true
		}
	}
	return false
}

func (s *jsonScanner) number() (string, error) {
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
		return "", s.fail("not a number as JSON writes it")
	}
	return string(s.in[from:s.at]), nil
}

// text reads a string with its escapes.
func (s *jsonScanner) text() (string, error) {
	s.at++
	var out []byte
	for s.at < len(s.in) {
		switch c := s.in[s.at]; {
		case c == '"':
			s.at++
			return string(out), nil
		case c < ' ':
			return "", s.fail("a control character stands in a string: escape it")
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
	return "", s.fail("a string is not closed")
}

var escapes = [...]struct {
	letter byte
	means  rune
}{{'"', '"'}, {'\\', '\\'}, {'/', '/'}, {'b', '\b'}, {'f', '\f'}, {'n', '\n'}, {'r', '\r'}, {'t', '\t'}}

func (s *jsonScanner) escape() (rune, error) {
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
	return 0, s.fail("an escape that JSON does not know")
}

// unicode reads the four digits of \u, and the second half of a pair.
func (s *jsonScanner) unicode(at int) (rune, error) {
	r, ok := s.hex4()
	if !ok {
		return 0, s.fail("four hexadecimal digits are missing behind \\u")
	}
	if r == 0 {
		return 0, &LineError{Code: codeNUL, Col: at + 1, Text: "a NUL character stands in a string: remove it"}
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
	return 0, &LineError{Code: codeUTF8, Col: at + 1, Text: "half of a character pair stands alone: write the character itself"}
}

func (s *jsonScanner) hex4() (r rune, ok bool) {
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
