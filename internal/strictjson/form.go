package strictjson

import (
	"encoding"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
)

// A Form reads and writes the JSON objects of a struct type T by the tags of its fields, which are
// those of encoding/json: `json:"name"`, with omitzero for a member that is left out where its value is
// zero or an empty list. Fields of embedded structs are fields of T. A second tag has what is particular to reading:
//
//	strict:"required"          the member must be there
//	strict:"code=state-status" the code of an [Error] about the value
//	strict:"max=9223372036854775807" the largest number
//
// A field is a string, a bool, a whole number, a struct, a list, a pointer to one of these (nil for
// null), a type with text methods, which is a string, or one with JSON methods.
type Form[T any] struct {
	plan *plan
	// Lenient readers skip members that T does not have.
	Lenient bool
}

// FormOf returns the form of T. It panics where a field has a type that it cannot read.
func FormOf[T any]() *Form[T] { return &Form[T]{plan: planOf(reflect.TypeFor[T]())} }

// A plan is the members of a struct type.
type plan struct {
	fields []field
	names  []string
}

type field struct {
	name     string
	index    []int
	omit     bool
	required bool
	kind     codec
}

// A codec reads and writes the values of a type. It is never written once it is made.
type codec struct {
	read   func(d *decoder, v reflect.Value) error
	append func(dst []byte, v reflect.Value) []byte
}

// rules are what the tag strict says of a field.
type rules struct {
	code string
	most uint64
}

func planOf(t reflect.Type) *plan {
	p := new(plan)
	p.add(t, nil)
	for i := range p.fields {
		p.names = append(p.names, p.fields[i].name)
	}
	return p
}

func (p *plan) add(t reflect.Type, index []int) {
	for f := range t.Fields() {
		at := append(index[:len(index):len(index)], f.Index...)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-":
			continue
		case f.Anonymous && name == "":
			p.add(f.Type, at)
			continue
		}
		out := field{name: name, index: at, omit: options == "omitzero"}
		var r rules
		for option := range strings.SplitSeq(f.Tag.Get("strict"), ",") {
			key, value, _ := strings.Cut(option, "=")
			switch key {
			case "required":
				out.required = true
			case "code":
				r.code = value
			case "max":
				r.most, _ = strconv.ParseUint(value, 10, 64)
			}
		}
		out.kind = codecOf(f.Type, r)
		p.fields = append(p.fields, out)
	}
}

func codecOf(t reflect.Type, r rules) codec {
	p := reflect.PointerTo(t)
	switch {
	case t.Kind() == reflect.Pointer:
		return pointerCodec(t, codecOf(t.Elem(), r))
	case p.Implements(reflect.TypeFor[json.Unmarshaler]()) && p.Implements(reflect.TypeFor[json.Marshaler]()):
		return codec{readJSON, appendJSON}
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
	case reflect.Uint64:
		return codec{func(d *decoder, v reflect.Value) error { return d.readUint(v, r) }, func(dst []byte, v reflect.Value) []byte { return strconv.AppendUint(dst, v.Uint(), 10) }}
	case reflect.Slice:
		return sliceCodec(codecOf(t.Elem(), r))
	case reflect.Struct:
		return structCodec(planOf(t))
	}
	panic("strictjson: no form for " + t.String())
}

func pointerCodec(t reflect.Type, of codec) codec {
	return codec{
		read: func(d *decoder, v reflect.Value) error {
			if d.peek() == 'n' {
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

// Append appends v as an object. A value that a type refuses to write is left out as null: check a
// value that may be such a one first.
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
		value := v.FieldByIndex(f.index)
		if f.omit && isNone(value) {
			continue
		}
		dst = append(append(append(dst, `,"`...), f.name...), `":`...)
		dst = f.kind.append(dst, value)
	}
	return dst
}

// isNone reports whether a value is zero, as its own method IsZero says where it has one.
func isNone(v reflect.Value) bool {
	if v.Kind() == reflect.Slice {
		return v.Len() == 0
	}
	if z, ok := v.Interface().(interface{ IsZero() bool }); ok && v.Kind() != reflect.Pointer {
		return z.IsZero()
	}
	return v.IsZero()
}

func appendText(dst []byte, v reflect.Value) []byte {
	switch t := v.Addr().Interface().(type) {
	case encoding.TextAppender:
		at := len(dst)
		if out, err := t.AppendText(append(dst, '"')); err == nil {
			return append(out, '"')
		}
		return append(dst[:at], "null"...)
	case encoding.TextMarshaler:
		if text, err := t.MarshalText(); err == nil {
			return AppendString(dst, string(text))
		}
	}
	return append(dst, "null"...)
}

func appendJSON(dst []byte, v reflect.Value) []byte {
	if m, ok := v.Addr().Interface().(json.Marshaler); ok {
		if text, err := m.MarshalJSON(); err == nil {
			return append(dst, text...)
		}
	}
	return append(dst, "null"...)
}
