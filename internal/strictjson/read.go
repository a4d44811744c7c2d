package strictjson

import (
	"cmp"
	"encoding"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/internal/nearest"
)

// Read reads a text that is exactly one JSON object into *to, whose other fields stay as they are. The
// error is an [*Error]; *to is then half read. What breaks the syntax is reported before what breaks a
// rule of T, and else the first error of the text.
func (f *Form[T]) Read(text []byte, to *T) error {
	d := decoder{scanner: scanner{in: text, most: f.Values}, lenient: f.Lenient, code: f.Code, missing: f.Missing}
	err := d.checkUTF8()
	switch {
	case err != nil:
	case d.peek() == '{':
		err = d.object(f.plan, reflect.ValueOf(to).Elem())
	default:
		d.note(Error{Problem: Type, At: d.at, Message: "the line is not a JSON object", Help: "write { … }"})
		err = d.skip()
	}
	if err == nil {
		err = d.end()
	}
	switch {
	case err != nil:
		return err
	case d.wrong != nil:
		return d.wrong
	}
	return nil
}

// A decoder reads values into fields. Its methods return what breaks the syntax; what breaks a rule is
// noted, and the text is read on.
type decoder struct {
	scanner
	lenient       bool
	code, missing string // of the Form
	wrong         *Error // the first
}

// note keeps an error about the value at a place, if it is the first.
func (d *decoder) note(e Error) {
	if d.wrong != nil {
		return
	}
	if e.Code == "" && (e.Problem == Missing || e.Problem == Range || e.Problem == Refused) {
		e.Code = d.code
	}
	d.wrong = &e
}

// skip steps over a value.
func (d *decoder) skip() error {
	_, err := d.value(0)
	return err
}

// Member returns the value of a member of an object, and looks at no more of the text than that
// takes. It is false where there is none up to a place that breaks the syntax.
func Member(text []byte, name string) (v Value, ok bool) {
	s := scanner{in: text}
	if s.peek() != '{' {
		return v, false
	}
	s.at++
	for first := true; ; first = false {
		if more, err := s.more('}', first); !more || err != nil {
			return Value{}, false
		}
		is, err := s.name()
		if err == nil {
			v, err = s.value(1)
		}
		if err != nil {
			return Value{}, false
		}
		if is.Is(name) {
			return v, true
		}
	}
}

// mismatch notes that the next value is not of the form that its field takes, and steps over it.
func (d *decoder) mismatch(t reflect.Type, help string) error {
	d.peek()
	d.note(Error{Problem: Type, At: d.at, Of: t, Message: "unexpected JSON type", Help: help})
	return d.skip()
}

// object reads the members of an object.
func (d *decoder) object(p *plan, v reflect.Value) error {
	if d.peek() != '{' {
		return d.mismatch(v.Type(), "write an object in braces")
	}
	begin := d.at
	d.at++
	var seen uint64
	outer := len(d.names)
	for first := true; ; first = false {
		ok, err := d.more('}', first)
		if ok && err == nil {
			err = d.member(p, v, &seen, outer)
		}
		if ok && err == nil {
			continue
		}
		if err = d.repeated(outer, err); err != nil {
			return err
		}
		break
	}
	for i := range p.fields {
		if f := &p.fields[i]; f.required && seen>>i&1 == 0 {
			d.note(Error{Problem: Missing, At: begin, Field: f.name, Message: "the field is missing", Help: cmp.Or(d.missing, "write it")})
		}
	}
	return nil
}

// member reads one of them. Once there is an error nothing is kept.
func (d *decoder) member(p *plan, v reflect.Value, seen *uint64, outer int) error {
	name, err := d.name()
	if err != nil {
		return err
	}
	i := p.find(&name)
	switch {
	case i < 0:
		d.add(&name, outer)
		if !d.lenient && d.wrong == nil {
			d.note(Error{Problem: Unknown, At: name.At, Message: "unknown field", Help: Use(name.Text(), p.names)})
		}
		return d.skip()
	case *seen>>i&1 == 1:
		return duplicate(name.At)
	}
	*seen |= 1 << i
	if d.wrong != nil {
		return d.skip()
	}
	err = p.fields[i].kind.read(d, p.fields[i].of(v))
	if d.wrong != nil && d.wrong.Field == "" {
		d.wrong.Field = p.fields[i].name
	}
	return err
}

// find returns the number of the field that is read by a name; below 0 for none.
func (p *plan) find(name *Value) int {
	for i := range p.fields {
		if !p.fields[i].out && name.Is(p.fields[i].name) {
			return i
		}
	}
	return -1
}

func (d *decoder) readList(v reflect.Value, of codec) error {
	if d.peek() != '[' {
		return d.mismatch(v.Type(), "write a list in square brackets")
	}
	d.at++
	v.SetLen(0)
	for first := true; ; first = false {
		ok, err := d.more(']', first)
		if !ok || err != nil {
			return err
		}
		n := v.Len()
		if n == v.Cap() {
			v.Grow(d.room(n, ']'))
		}
		v.SetLen(n + 1)
		if err = of.read(d, v.Index(n)); err == nil && d.wrong != nil {
			return d.rest()
		}
		if err != nil {
			return err
		}
	}
}

// rest steps over what follows an item of a list.
func (d *decoder) rest() error {
	for {
		more, err := d.more(']', false)
		if more && err == nil {
			err = d.skip()
		}
		if !more || err != nil {
			return err
		}
	}
}

// str reads a string; ok is false for another value, which is noted.
func (d *decoder) str(t reflect.Type) (s Value, ok bool, err error) {
	if d.peek() != '"' {
		return s, false, d.mismatch(t, "write a string in double quotes")
	}
	s = Value{Kind: KindString, At: d.at}
	s.escaped, err = d.text()
	s.Raw = d.in[s.At:d.at]
	return s, err == nil, err
}

func readString(d *decoder, v reflect.Value) error {
	s, ok, err := d.str(v.Type())
	if ok {
		v.SetString(s.Text())
	}
	return err
}

// errEmpty is the error of an empty text, which is no value: a member without one is left out.
var errEmpty = errors.New("empty text")

func (d *decoder) readText(v reflect.Value, r rules) error {
	s, ok, err := d.str(v.Type())
	if !ok {
		return err
	}
	text, plain := s.Plain()
	if !plain {
		text = []byte(s.Text())
	}
	to := v.Addr().Interface().(encoding.TextUnmarshaler)
	bad := to.UnmarshalText(text)
	switch {
	case bad == nil && len(text) == 0:
		if bad = to.UnmarshalText([]byte{'?'}); bad == nil { // else its error says what is possible
			bad = errEmpty
		}
		d.note(Error{Problem: Refused, At: s.At, Of: v.Type(), Code: r.code, Err: bad, Message: "the text is empty", Help: "write a value, or leave the field out"})
	case bad != nil:
		d.note(Error{Problem: Refused, At: s.At, Of: v.Type(), Code: r.code, Text: s.Text(), Err: bad, Message: "the value cannot be read", Help: "see its documented form, or leave the field out"})
	}
	return nil
}

func readBool(d *decoder, v reflect.Value) error {
	if c := d.peek(); c != 't' && c != 'f' {
		return d.mismatch(v.Type(), "write true or false without quotes")
	}
	begin := d.at
	if _, err := d.word(); err != nil {
		return err
	}
	v.SetBool(d.in[begin] == 't')
	return nil
}

// numeral reads a number; ok is false for another value, which is noted.
func (d *decoder) numeral(t reflect.Type) (text string, at int, ok bool, err error) {
	if c := d.peek(); c != '-' && (c < '0' || c > '9') {
		return "", 0, false, d.mismatch(t, "write a number without quotes")
	}
	at = d.at
	if err := d.number(); err != nil {
		return "", at, false, err
	}
	return string(d.in[at:d.at]), at, true, nil
}

func (d *decoder) readInt(v reflect.Value, r rules) error {
	text, at, ok, err := d.numeral(v.Type())
	if !ok {
		return err
	}
	n, bad := strconv.Atoi(text)
	if bad != nil || r.count && n < 0 {
		d.outOfRange(at, r)
		return nil
	}
	v.SetInt(int64(n))
	return nil
}

func (d *decoder) readUint(v reflect.Value, r rules) error {
	text, at, ok, err := d.numeral(v.Type())
	if !ok {
		return err
	}
	n, bad := strconv.ParseUint(text, 10, 64)
	if bad != nil || r.count && n > math.MaxInt64 {
		d.outOfRange(at, r)
		return nil
	}
	v.SetUint(n)
	return nil
}

func (d *decoder) readFloat(v reflect.Value, r rules) error {
	text, at, ok, err := d.numeral(v.Type())
	if !ok {
		return err
	}
	n, bad := strconv.ParseFloat(text, 64)
	if bad != nil {
		d.note(Error{Problem: Range, At: at, Code: r.code, Message: "the number is out of range", Help: "write a smaller one"})
		return nil
	}
	v.SetFloat(n)
	return nil
}

// readMap reads an object of strings.
func readMap(d *decoder, v reflect.Value) error {
	if d.peek() != '{' {
		return d.mismatch(v.Type(), "write an object of strings")
	}
	value, err := d.value(0)
	if err != nil {
		return err
	}
	members := map[string]string{}
	for name, text := range value.Members() {
		if text.Kind != KindString {
			d.note(Error{Problem: Type, At: text.At, Of: v.Type(), Message: "unexpected JSON type", Help: "write a string in double quotes"})
			return nil
		}
		members[name.Text()] = text.Text()
	}
	v.Set(reflect.ValueOf(members))
	return nil
}

func (d *decoder) outOfRange(at int, r rules) {
	help := "write a whole number"
	if r.count {
		help += " from 0 to " + strconv.FormatInt(math.MaxInt64, 10)
	}
	d.note(Error{Problem: Range, At: at, Code: r.code, Message: "the number is out of range", Help: help})
}

// readSpecial hands the value to its own reader.
func readSpecial(d *decoder, v reflect.Value) error {
	value, err := d.value(0)
	if err != nil {
		return err
	}
	if e, ok := errors.AsType[*Error](v.Addr().Interface().(Special).ReadJSON(&value)); ok {
		d.note(*e)
	}
	return nil
}

// readJSON hands the text of the value to its own reader.
func (d *decoder) readJSON(v reflect.Value, r rules) error {
	if d.peek() == 'n' { // no value is null: one that is not there is left out
		return d.mismatch(v.Type(), "leave the field out where it has no value")
	}
	at := d.at
	if err := d.skip(); err != nil {
		return err
	}
	bad := v.Addr().Interface().(json.Unmarshaler).UnmarshalJSON(d.in[at:d.at])
	if e, ok := errors.AsType[*Error](bad); ok {
		inner := *e
		inner.At += at
		d.note(inner)
	} else if bad != nil {
		d.note(Error{Problem: Refused, At: at, Of: v.Type(), Code: r.code, Err: bad, Message: "the value cannot be read", Help: "see its documented form"})
	}
	return nil
}

// Use names the words that are possible, and the one that is probably meant by another.
func Use(word string, possible []string) string {
	help := "use " + strings.Join(possible, ", ")
	if i, ok := nearest.Of(word, possible); ok {
		return "did you mean " + possible[i] + "? " + help
	}
	return help
}
