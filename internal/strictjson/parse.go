package strictjson

import (
	"cmp"
	"iter"
	"reflect"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

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

// A Value is one value of a text with its place. It refers to the text: what a list or an object
// holds is found in it again.
type Value struct {
	Kind    Kind
	At      int    // in bytes from 0
	Raw     []byte // the value as it is in the text
	escaped bool   // a string has escapes
}

// Members yields the names and values of an object in the order of the text; none of any other value.
func (v *Value) Members() iter.Seq2[Value, Value] {
	return func(yield func(name, value Value) bool) {
		if v.Kind != KindObject {
			return
		}
		s := scanner{in: v.Raw, at: 1, ahead: true}
		for first := true; ; first = false {
			if ok, _ := s.more('}', first); !ok {
				return
			}
			name, _ := s.name()
			value, _ := s.value(0)
			name.At += v.At
			value.At += v.At
			if !yield(name, value) {
				return
			}
		}
	}
}

// Is reports whether v is a string with these characters.
func (v *Value) Is(text string) bool {
	if v.Kind != KindString {
		return false
	}
	if v.escaped {
		return v.Text() == text
	}
	return string(v.Raw[1:len(v.Raw)-1]) == text
}

// Text returns the characters of a string; any other value as it is written.
func (v *Value) Text() string {
	if v.Kind != KindString {
		return string(v.Raw)
	}
	if !v.escaped {
		return string(v.Raw[1 : len(v.Raw)-1])
	}
	s := scanner{in: v.Raw, out: make([]byte, 0, len(v.Raw)), keep: true}
	_, _ = s.text() // was read before
	return string(s.out)
}

// Plain returns the characters of a string as bytes of the text. It is false for a string with
// escapes and for any other value.
func (v *Value) Plain() ([]byte, bool) {
	if v.Kind != KindString || v.escaped {
		return nil, false
	}
	return v.Raw[1 : len(v.Raw)-1], true
}

// Wrong returns the error that v is of another kind than it has to be.
func (v *Value) Wrong(help string) *Error {
	return &Error{Problem: Type, At: v.At, Message: "unexpected JSON type", Help: help}
}

// Refused returns the error that v is not a value that it can be.
func (v *Value) Refused(message, help string) *Error {
	return &Error{Problem: Refused, At: v.At, Message: message, Help: help}
}

// A Problem is what can be wrong with a text.
type Problem uint8

// The problems.
const (
	Syntax    Problem = iota + 1
	Duplicate         // a member is given twice
	UTF8              // bytes that are not UTF-8, or half of a surrogate pair
	NUL               // a NUL character in a string

	// What breaks a rule of a [Form].
	Type    // a value of another kind than the member takes
	Unknown // a member that does not exist
	Missing // a member that must be there
	Range   // a number that is out of range
	Refused // a value that its own reader refuses: Err says why
)

// An Error says where and why a text is not one strict JSON value, or not that of a [Form]. Its Error
// method does not show the text.
type Error struct {
	Problem       Problem
	At            int // in bytes from 0
	Message, Help string
	Hint          string // "csv" where the text looks like one

	// Of an error about a member:
	Field string       // the innermost member
	Code  string       // the code that the tag of the field gives
	Of    reflect.Type // the type of the field
	Text  string       // the text that Err refuses: never to be shown
	Err   error        // of the type's own reader
}

// Error returns one line.
func (e *Error) Error() string { return e.Message + ": " + e.Help }

// maxDepth bounds the nesting: no record needs more than an array in an object in an object.
const maxDepth = 6

// Parse reads a text that is exactly one JSON value. It is stricter than encoding/json, which takes
// the last of two equal members and replaces broken characters. The error is an [*Error].
func Parse(text []byte) (Value, error) {
	s := scanner{in: text}
	if err := s.checkUTF8(); err != nil {
		return Value{}, err
	}
	v, err := s.value(0)
	if err != nil {
		return Value{}, err
	}
	return v, s.end()
}

// end returns an error for text after the value.
func (s *scanner) end() error {
	if s.space(); s.at == len(s.in) {
		return nil
	}
	e := &Error{Problem: Syntax, At: s.at, Message: "text after the JSON value", Help: "write one value, such as one object a line"}
	if s.in[s.at] == ';' {
		e.Help, e.Hint = "this looks like a CSV, such as a payload; lines of JSON are expected, each of one object", "csv"
	}
	return e
}

// A scanner reads a text from its beginning.
type scanner struct {
	in     []byte
	at     int
	values int    // the items and members so far
	most   int    // … at most; 0 for any number
	ahead  bool   // it only counts, and looks for no name that is given twice
	names  []int  // the places of the names of the objects that are open
	out    []byte // the characters of a string
	keep   bool   // they are collected
}

func (s *scanner) checkUTF8() error {
	for i := 0; i < len(s.in); {
		if s.in[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRune(s.in[i:])
		if r == utf8.RuneError && n == 1 {
			return &Error{Problem: UTF8, At: i, Message: "the text is not UTF-8", Help: "save the file as UTF-8"}
		}
		i += n
	}
	return nil
}

func (s *scanner) fail(message, help string) error {
	return &Error{Problem: Syntax, At: s.at, Message: message, Help: help}
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

func (s *scanner) value(depth int) (v Value, err error) {
	if depth > maxDepth {
		return v, s.fail("the value is nested too deeply", "use at most a list in an object")
	}
	c := s.peek()
	v.At = s.at
	switch {
	case c == '{':
		v.Kind = KindObject
		err = s.object(depth)
	case c == '[':
		v.Kind = KindArray
		err = s.array(depth)
	case c == '"':
		v.Kind = KindString
		v.escaped, err = s.text()
	case c == '-' || '0' <= c && c <= '9':
		v.Kind = KindNumber
		err = s.number()
	default:
		v.Kind, err = s.word()
	}
	v.Raw = s.in[v.At:s.at]
	return v, err
}

// more steps to the next item of a list that ends with a byte, and reports whether there is one.
func (s *scanner) more(end byte, first bool) (bool, error) {
	c := s.peek()
	switch {
	case c == end:
		s.at++
		return false, nil
	case first:
	case c == ',':
		s.at++
		if s.peek() == end {
			return false, s.fail("a comma is not followed by a value", "remove the comma")
		}
	default:
		return false, s.fail("a comma or a closing bracket is missing", "check the quotes and brackets before this place")
	}
	if s.values++; s.most > 0 && s.values > s.most {
		return false, s.fail("there are more than "+strconv.Itoa(s.most)+" values", "write fewer")
	}
	return true, nil
}

// array steps over a list.
func (s *scanner) array(depth int) error {
	s.at++
	for first := true; ; first = false {
		ok, err := s.more(']', first)
		if ok && err == nil {
			_, err = s.value(depth + 1)
		}
		if !ok || err != nil {
			return err
		}
	}
}

// object steps over an object.
func (s *scanner) object(depth int) error {
	s.at++
	outer := len(s.names)
	for first := true; ; first = false {
		ok, err := s.more('}', first)
		if ok && err == nil {
			var name Value
			if name, err = s.name(); err == nil {
				s.add(&name, outer)
				_, err = s.value(depth + 1)
			}
		}
		if !ok || err != nil {
			return s.repeated(outer, err)
		}
	}
}

// add keeps the place of a name that was just read, of an object before which there were outer names.
func (s *scanner) add(name *Value, outer int) {
	if s.ahead {
		return
	}
	if n := len(s.names); n == cap(s.names) {
		s.names = slices.Grow(s.names, s.room(n-outer, '}'))
	}
	s.names = append(s.names, name.At)
}

// fewItems are the items up to which the room for them doubles.
const fewItems = 64

// room returns for how many items more than n there has to be room, at the value of the next one, up to a closing bracket:
// for exactly those that follow if they are many.
func (s *scanner) room(n int, end byte) int {
	if n < fewItems {
		return max(1, n)
	}
	ahead := *s
	ahead.ahead = true
	for n = 1; ; n++ {
		_, err := ahead.value(0)
		more := false
		if err == nil {
			more, err = ahead.more(end, false)
		}
		if more && end == '}' {
			_, err = ahead.name()
		}
		if !more || err != nil {
			return n
		}
	}
}

// repeated removes the names of an object, and returns its first error: a name that is given twice, or err, which comes
// after all of them.
func (s *scanner) repeated(outer int, err error) error {
	names := s.names[outer:]
	s.names = s.names[:outer]
	slices.SortFunc(names, func(a, b int) int { return cmp.Or(s.compare(a, b), cmp.Compare(a, b)) })
	first := len(s.in)
	for i := 1; i < len(names); i++ {
		if names[i] < first && s.compare(names[i-1], names[i]) == 0 {
			first = names[i]
		}
	}
	if first < len(s.in) {
		return duplicate(first)
	}
	return err
}

// compare compares the characters of the strings at two places that were read before.
func (s *scanner) compare(a, b int) int {
	x, y := scanner{in: s.in, at: a + 1}, scanner{in: s.in, at: b + 1}
	for {
		if c, d := x.char(), y.char(); c != d || c < 0 {
			return cmp.Compare(c, d)
		}
	}
}

// char reads a character of a string that was read before; below 0 at its end.
func (s *scanner) char() rune {
	switch s.in[s.at] {
	case '"':
		return -1
	case '\\':
		r, _ := s.escape()
		return r
	}
	r, n := utf8.DecodeRune(s.in[s.at:])
	s.at += n
	return r
}

func duplicate(at int) error {
	return &Error{Problem: Duplicate, At: at, Message: "duplicate field", Help: "keep one of the two"}
}

// name reads the name of a member and the colon after it.
func (s *scanner) name() (name Value, err error) {
	if s.peek() != '"' {
		return name, s.fail("a name in double quotes is missing", `write "name":value`)
	}
	name = Value{Kind: KindString, At: s.at}
	if name.escaped, err = s.text(); err != nil {
		return name, err
	}
	name.Raw = s.in[name.At:s.at]
	if s.peek() != ':' {
		return name, s.fail("a colon is missing after the name", `write "name":value`)
	}
	s.at++
	return name, nil
}

func (s *scanner) word() (Kind, error) {
	for _, w := range [...]struct {
		text string
		kind Kind
	}{{"null", KindNull}, {"true", KindBool}, {"false", KindBool}} {
		if rest := s.in[s.at:]; len(rest) >= len(w.text) && string(rest[:len(w.text)]) == w.text {
			s.at += len(w.text)
			return w.kind, nil
		}
	}
	return 0, s.fail("not a JSON value", "write strings in double quotes")
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

func (s *scanner) number() error {
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
		return s.fail("not a JSON number", "write digits without leading zeros, spaces or a plus sign")
	}
	return nil
}

// text reads a string and reports whether it has escapes.
func (s *scanner) text() (escaped bool, err error) {
	s.at++
	for s.at < len(s.in) {
		switch c := s.in[s.at]; {
		case c == '"':
			s.at++
			return escaped, nil
		case c < ' ':
			return escaped, s.fail("a string has a control character", "escape it")
		case c == '\\':
			escaped = true
			r, err := s.escape()
			if err != nil {
				return escaped, err
			}
			if s.keep {
				s.out = utf8.AppendRune(s.out, r)
			}
		default:
			if s.keep {
				s.out = append(s.out, c)
			}
			s.at++
		}
	}
	return escaped, s.fail("a string is not closed", "write double quotes at its end")
}

var escapes = [...]struct {
	letter string
	means  rune
}{{`"`, '"'}, {`\`, '\\'}, {"/", '/'}, {"b", '\b'}, {"f", '\f'}, {"n", '\n'}, {"r", '\r'}, {"t", '\t'}}

func (s *scanner) escape() (rune, error) {
	at := s.at
	s.at++
	if s.take("u") {
		return s.unicode(at)
	}
	for _, e := range escapes {
		if s.take(e.letter) {
			return e.means, nil
		}
	}
	return 0, s.fail("JSON has no such escape", `write a backslash as \\`)
}

// unicode reads the four digits of \u, and the second half of a pair.
func (s *scanner) unicode(at int) (rune, error) {
	r, ok := s.hex4()
	switch {
	case !ok:
		return 0, s.fail("four hexadecimal digits must follow \\u", "write the character itself")
	case r == 0:
		return 0, &Error{Problem: NUL, At: at, Message: "a string has a NUL character", Help: "remove it"}
	case !utf16.IsSurrogate(r):
		return r, nil
	}
	if s.take("\\") && s.take("u") {
		if low, ok := s.hex4(); ok {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				return pair, nil
			}
		}
	}
	return 0, &Error{Problem: UTF8, At: at, Message: "an escape is half of a surrogate pair", Help: "write the character itself"}
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
