// Package strictjson reads JSON strictly and with places, writes strings that are safe to show, and
// does both for structs by the tags of their fields ([Form]).
package strictjson

import (
	"encoding"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// A Form reads and writes the JSON objects of a struct type T by the tags of its fields, which are
// those of encoding/json: `json:"name"`, with omitzero for a member that is left out where its value is
// zero or an empty list. Fields of embedded structs are fields of T. A second tag has what is particular
// to reading:
//
//	strict:"required"          the member must be there
//	strict:"code=state-status" the code of an [Error] about the value
//	strict:"count"             the numbers are from 0 to 9223372036854775807
//	strict:"null"              null is as if the member was left out; it is written for a zero value that is not an object
//	strict:"in", strict:"out"  the member is never written, or never read
//
// A field is a string, a bool, a number, a struct, a list, a map of strings, a pointer to one of these, a
// type with text methods, which is a string, a [Special], or a type with JSON methods. A nil pointer is
// null; one with omitzero is a member that is left out, and cannot be null.
//
// A type that is kept elsewhere by the names of its fields can have a tag of another name in place of
// json, with all of these options ([FormBy]); a field without it is not a member.
type Form[T any] struct {
	plan *plan
	// Lenient readers skip members that T does not have.
	Lenient bool
	// Code is that of an [Error] about a member that is missing, or whose value is of the right kind but
	// out of range or refused, where its tag has none. Missing says what to do about the former.
	Code, Missing string
	// Values is how many items and members a text may have; 0 for any number.
	Values int
}

// A Special reads and writes its value itself, with places in the whole text. The error of ReadJSON is
// an [*Error].
type Special interface {
	ReadJSON(v *Value) error
	AppendJSON(dst []byte) []byte
}

// FormOf returns the form of T. It panics where a field has a type that it cannot read.
func FormOf[T any]() *Form[T] { return FormBy[T]("json") }

// FormBy returns the form of T by the tags of a name.
func FormBy[T any](tag string) *Form[T] { return &Form[T]{plan: planOf(reflect.TypeFor[T](), tag)} }

// Only returns the form that has only the members with these names, none of which must be there.
func (f *Form[T]) Only(names ...string) *Form[T] {
	only := *f
	only.plan = new(plan)
	for _, field := range f.plan.fields {
		if slices.Contains(names, field.name) {
			field.required = false
			only.plan.fields = append(only.plan.fields, field)
		}
	}
	only.plan.name()
	return &only
}

// Names are the names of the members that are read.
func (f *Form[T]) Names() []string { return slices.Clone(f.plan.names) }

// A plan is the members of a struct type.
type plan struct {
	fields []field
	names  []string // of those that are read
}

type field struct {
	name     string
	head     string // a comma, the name and a colon
	index    []int
	none     func(v reflect.Value) bool // whether the member is left out; nil: never
	required bool
	in, out  bool // it is never written, never read
	kind     codec
}

// of returns the field of a struct.
func (f *field) of(v reflect.Value) reflect.Value {
	for _, i := range f.index {
		v = v.Field(i)
	}
	return v
}

// A codec reads and writes the values of a type. It is never written once it is made.
type codec struct {
	read   func(d *decoder, v reflect.Value) error
	append func(dst []byte, v reflect.Value) []byte
}

// rules are what the tags say of the value of a field.
type rules struct {
	tag   string // the name of the tag that names members
	code  string
	count bool // numbers are from 0 to 2^63-1
	omit  bool // the member is left out where it has no value
	null  bool // the zero value is null
}

func planOf(t reflect.Type, tag string) *plan {
	p := new(plan)
	p.add(t, tag, nil)
	p.name()
	if len(p.fields) > 64 {
		panic("strictjson: more than 64 fields in " + t.String())
	}
	return p
}

// name lists the names of the fields that are read.
func (p *plan) name() {
	for i := range p.fields {
		if !p.fields[i].out {
			p.names = append(p.names, p.fields[i].name)
		}
	}
}

func (p *plan) add(t reflect.Type, tag string, index []int) {
	for f := range t.Fields() {
		at := append(index[:len(index):len(index)], f.Index...)
		text, tagged := f.Tag.Lookup(tag)
		name, options, _ := strings.Cut(text, ",")
		switch {
		case name == "-":
			continue
		case f.Anonymous && name == "":
			p.add(f.Type, tag, at)
			continue
		case !tagged && tag != "json":
			continue
		}
		out := field{name: name, head: `,"` + name + `":`, index: at}
		r := rules{tag: tag}
		for option := range strings.SplitSeq(options+","+f.Tag.Get("strict"), ",") {
			key, value, _ := strings.Cut(option, "=")
			switch key {
			case "omitzero":
				r.omit, out.none = true, noneOf(f.Type)
			case "required":
				out.required = true
			case "code":
				r.code = value
			case "count":
				r.count = true
			case "null":
				r.null = true
			case "in":
				out.in = true
			case "out":
				out.out = true
			}
		}
		if out.kind = codecOf(f.Type, r); r.null {
			out.kind = nullCodec(f.Type, out.kind)
		}
		p.fields = append(p.fields, out)
	}
}

func codecOf(t reflect.Type, r rules) codec {
	p := reflect.PointerTo(t)
	switch {
	case t.Kind() == reflect.Pointer:
		return pointerCodec(t, r)
	case p.Implements(reflect.TypeFor[Special]()):
		return codec{readSpecial, appendSpecial}
	case p.Implements(reflect.TypeFor[json.Unmarshaler]()) && p.Implements(reflect.TypeFor[json.Marshaler]()):
		return codec{func(d *decoder, v reflect.Value) error { return d.readJSON(v, r) }, appendJSON}
	case p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]()):
		return codec{func(d *decoder, v reflect.Value) error { return d.readText(v, r) }, appendText}
	}
	switch t.Kind() {
	case reflect.String:
		return codec{readString, func(dst []byte, v reflect.Value) []byte { return AppendString(dst, v.String()) }}
	case reflect.Bool:
		return codec{readBool, func(dst []byte, v reflect.Value) []byte { return strconv.AppendBool(dst, v.Bool()) }}
	case reflect.Int:
		return codec{func(d *decoder, v reflect.Value) error { return d.readInt(v, r) }, func(dst []byte, v reflect.Value) []byte { return strconv.AppendInt(dst, v.Int(), 10) }}
	case reflect.Float64:
		return codec{func(d *decoder, v reflect.Value) error { return d.readFloat(v, r) }, func(dst []byte, v reflect.Value) []byte { return strconv.AppendFloat(dst, v.Float(), 'g', -1, 64) }}
	case reflect.Uint64:
		return codec{func(d *decoder, v reflect.Value) error { return d.readUint(v, r) }, func(dst []byte, v reflect.Value) []byte { return strconv.AppendUint(dst, v.Uint(), 10) }}
	case reflect.Slice:
		return sliceCodec(codecOf(t.Elem(), r))
	case reflect.Struct:
		return structCodec(planOf(t, r.tag))
	case reflect.Map:
		if t == reflect.TypeFor[map[string]string]() {
			return codec{readMap, appendMap}
		}
	}
	panic("strictjson: no form for " + t.String())
}

func pointerCodec(t reflect.Type, r rules) codec {
	of := codecOf(t.Elem(), r)
	return codec{
		read: func(d *decoder, v reflect.Value) error {
			if !r.omit && d.peek() == 'n' {
				v.SetZero()
				_, err := d.word()
				return err
			}
			v.Set(reflect.New(t.Elem()))
			return of.read(d, v.Elem())
		},
		append: func(dst []byte, v reflect.Value) []byte {
			if v.IsNil() {
				return append(dst, "null"...)
			}
			return of.append(dst, v.Elem())
		},
	}
}

// nullCodec leaves the field as it is for null, and writes null for a zero value that is not an
// object. No other text of a type with text methods is its zero value.
func nullCodec(t reflect.Type, of codec) codec {
	isZero, hasText := noneOf(t), reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
	isObject := t.Kind() == reflect.Struct && !hasText
	return codec{
		read: func(d *decoder, v reflect.Value) error {
			if d.peek() == 'n' {
				_, err := d.word()
				return err
			}
			at, before := d.at, d.wrong
			err := of.read(d, v)
			if err == nil && d.wrong == before && hasText && isZero(v) {
				d.note(Error{Problem: Range, At: at, Message: "the value is zero", Help: "write another one, or null for none"})
			}
			return err
		},
		append: func(dst []byte, v reflect.Value) []byte {
			if !isObject && isZero(v) {
				return append(dst, "null"...)
			}
			return of.append(dst, v)
		},
	}
}

func sliceCodec(of codec) codec {
	return codec{
		read: func(d *decoder, v reflect.Value) error { return d.readList(v, of) },
		append: func(dst []byte, v reflect.Value) []byte {
			dst = append(dst, '[')
			for i := range v.Len() {
				if i > 0 {
					dst = append(dst, ',')
				}
				dst = of.append(dst, v.Index(i))
			}
			return append(dst, ']')
		},
	}
}

func structCodec(p *plan) codec {
	return codec{
		read:   func(d *decoder, v reflect.Value) error { return d.object(p, v) },
		append: p.append,
	}
}

// Append appends v as an object. In place of a value that its type refuses to write there is an empty
// text, which no reader accepts, or null for one with JSON methods.
func (f *Form[T]) Append(dst []byte, v *T) []byte {
	return f.plan.append(dst, reflect.ValueOf(v).Elem())
}

// AppendMembers appends the members of v, each with a comma in front.
func (f *Form[T]) AppendMembers(dst []byte, v *T) []byte {
	return f.plan.members(dst, reflect.ValueOf(v).Elem())
}

func (p *plan) append(dst []byte, v reflect.Value) []byte {
	at := len(dst)
	if dst = p.members(dst, v); len(dst) == at {
		return append(dst, "{}"...)
	}
	dst[at] = '{' // in place of the comma of the first member
	return append(dst, '}')
}

func (p *plan) members(dst []byte, v reflect.Value) []byte {
	for i := range p.fields {
		f := &p.fields[i]
		value := f.of(v)
		if !f.in && (f.none == nil || !f.none(value)) {
			dst = f.kind.append(append(dst, f.head...), value)
		}
	}
	return dst
}

// noneOf returns what reports whether a value of a type is zero: its own method IsZero where it has one.
func noneOf(t reflect.Type) func(v reflect.Value) bool {
	type zeroer interface{ IsZero() bool }
	switch {
	case t.Kind() == reflect.Slice:
		return func(v reflect.Value) bool { return v.Len() == 0 }
	case t.Kind() != reflect.Pointer && t.Implements(reflect.TypeFor[zeroer]()):
		return func(v reflect.Value) bool { return v.Addr().Interface().(zeroer).IsZero() }
	}
	return reflect.Value.IsZero
}

func appendText(dst []byte, v reflect.Value) []byte {
	switch t := v.Addr().Interface().(type) {
	case encoding.TextAppender:
		at := len(dst)
		if out, err := t.AppendText(append(dst, '"')); err == nil {
			return append(out, '"')
		}
		dst = dst[:at]
	case encoding.TextMarshaler:
		if text, err := t.MarshalText(); err == nil {
			return AppendString(dst, string(text))
		}
	}
	return append(dst, `""`...)
}

// appendMap appends the members in order of name.
func appendMap(dst []byte, v reflect.Value) []byte {
	members := v.Interface().(map[string]string)
	dst = append(dst, '{')
	for i, name := range slices.Sorted(maps.Keys(members)) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendString(append(AppendString(dst, name), ':'), members[name])
	}
	return append(dst, '}')
}

func appendSpecial(dst []byte, v reflect.Value) []byte {
	return v.Addr().Interface().(Special).AppendJSON(dst)
}

func appendJSON(dst []byte, v reflect.Value) []byte {
	if m, ok := v.Addr().Interface().(json.Marshaler); ok {
		if text, err := m.MarshalJSON(); err == nil {
			return append(dst, text...)
		}
	}
	return append(dst, "null"...)
}
