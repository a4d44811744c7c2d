package gateway

import (
	"encoding"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/ledger"
)

// What a route reads and answers with is a value of its record, or one of these.
type (
	plainText string   // a text of this media type
	anyOf     []any    // several media types
	pageOf    struct { // a list under a name, and a cursor
		name string
		of   any
	}
	partOf struct { // some members of a record
		of    any
		names []string
	}
	object = map[string]any // of JSON
)

// A findingView is a finding, which package ledger writes.
type findingView struct {
	Type      string   `api:"type" words:"problem"`
	Code      string   `api:"code"`
	Severity  string   `api:"severity" words:"error|warning"`
	Basis     string   `api:"basis,omitzero"`
	Clause    string   `api:"clause,omitzero"`
	Because   []string `api:"because,omitzero"`
	File      string   `api:"file,omitzero" doc:"The part of the request: header, body and so on"`
	Profile   string   `api:"profile,omitzero" doc:"The client-orderid as it may be shown"`
	Wire      bool     `api:"wire,omitzero"`
	Row       int      `api:"row,omitzero"`
	Line      int      `api:"line,omitzero"`
	Col       int      `api:"col,omitzero"`
	Offset    int      `api:"offset,omitzero"`
	Column    string   `api:"column,omitzero"`
	Parameter string   `api:"parameter,omitzero"`
	Field     string   `api:"field,omitzero"`
	Message   string   `api:"message"`
	Help      string   `api:"help,omitzero"`
}

// describe returns the description of the admin interface by OpenAPI 3.1.
func describe(routes []route) []byte {
	d := description{object{}, map[string]reflect.Type{}}
	paths := object{}
	for i := range routes {
		rt := &routes[i]
		operations, _ := paths[rt.path].(object)
		if operations == nil {
			operations = object{}
			paths[rt.path] = operations
		}
		operations[strings.ToLower(rt.method)] = d.operation(rt)
	}
	problem := object{"description": "An error (RFC 9457)", "content": object{"application/problem+json": object{"schema": d.of(problem{}, false)}}}
	text, err := json.MarshalIndent(object{
		"openapi": "3.1.0",
		"info": object{
			"title": "The admin interface of a chargecast gateway", "version": "1",
			"description": "Lists are newest first. Below /paynet/ lies the interface of the document, which is answered with 200 or 403 and an empty body.",
		},
		"paths":      paths,
		"components": object{"schemas": d.schemas, "responses": object{"Problem": problem}},
	}, "", "  ")
	if err != nil {
		panic(err) // not reached: there are only texts, numbers and lists of them
	}
	return append(text, '\n')
}

// A description is the schemas of records that were met.
type description struct {
	schemas object
	types   map[string]reflect.Type // by the name of the schema
}

func (d *description) operation(rt *route) object {
	responses := object{"default": object{"$ref": "#/components/responses/Problem"}}
	for _, status := range rt.fails {
		responses[strconv.Itoa(status)] = responses["default"]
	}
	response := object{"description": rt.does}
	if rt.out != nil {
		response["content"] = d.content(rt.out, false)
	}
	responses[strconv.Itoa(rt.status)] = response
	o := object{"operationId": rt.id, "summary": rt.does, "responses": responses}
	if rt.in != nil {
		o["requestBody"] = object{"content": d.content(rt.in, true), "required": d.isRequired(rt.in)}
	}
	var parameters []object
	if strings.Contains(rt.path, "{id}") {
		id := object{"name": "id", "in": "path", "required": true, "description": "The id of the record", "schema": d.of(ID(0), false)}
		if rt.isOfMerchant() {
			id["description"], id["schema"] = "The login of the merchant", object{"type": "string"}
		}
		parameters = append(parameters, id)
	}
	for _, p := range rt.query {
		schema := object{"type": "string"}
		if p.of != nil {
			schema = d.of(p.of, false)
		}
		if p.most > 0 {
			schema["minimum"], schema["maximum"] = 1, p.most
		}
		oneOf(schema, p.words)
		if p.usual != nil {
			schema["default"] = p.usual
		}
		parameters = append(parameters, object{"name": p.name, "in": "query", "description": p.doc, "schema": schema})
	}
	if len(parameters) > 0 {
		o["parameters"] = parameters
	}
	return o
}

// content describes a body by its media types.
func (d *description) content(of any, in bool) object {
	switch of := of.(type) {
	case plainText:
		return object{string(of): object{"schema": object{"type": "string"}}}
	case anyOf:
		all := object{}
		for _, one := range of {
			maps.Copy(all, d.content(one, in))
		}
		return all
	}
	return object{"application/json": object{"schema": d.of(of, in)}}
}

// isRequired reports whether an input has a member that must be there, so that it cannot be left
// out.
func (d *description) isRequired(in any) bool {
	return slices.ContainsFunc(membersOf(reflect.TypeOf(in)), func(m member) bool { return m.required })
}

// of describes a value of a route.
func (d *description) of(v any, in bool) object {
	switch v := v.(type) {
	case pageOf:
		cursor := object{"oneOf": []any{d.of(ID(0), false), object{"type": "null"}}}
		list := object{"type": "array", "items": d.of(v.of, in)}
		return object{"type": "object", "properties": object{v.name: list, "cursor": cursor}, "required": []string{v.name, "cursor"}}
	case partOf:
		all := membersOf(reflect.TypeOf(v.of))
		part := slices.DeleteFunc(all, func(m member) bool { return !slices.Contains(v.names, m.name) })
		for i := range part {
			part[i].required = false
		}
		return d.object(part, in)
	}
	return d.schema(reflect.TypeOf(v), in)
}

// A member is a field of a record, as its tags say.
type member struct {
	name, doc, pattern, usual string
	limits                    string // of a number: minimum=1 and the like
	words                     []string
	of                        reflect.Type
	options                   []string
	required                  bool
}

func (m *member) is(option string) bool { return slices.Contains(m.options, option) }

// membersOf are the members of a record.
func membersOf(t reflect.Type) (list []member) {
	if t.Kind() != reflect.Struct {
		return nil
	}
	for f := range t.Fields() {
		text, tagged := f.Tag.Lookup("api")
		switch {
		case tagged:
			name, options, _ := strings.Cut(text, ",")
			m := member{name: name, doc: f.Tag.Get("doc"), pattern: f.Tag.Get("pattern"), usual: f.Tag.Get("default"), limits: f.Tag.Get("limits"), of: f.Type, options: strings.Split(options, ",")}
			if words := f.Tag.Get("words"); words != "" {
				m.words = strings.Split(words, "|")
			}
			m.required = m.is("needed")
			list = append(list, m)
		case f.Anonymous:
			list = append(list, membersOf(f.Type)...)
		}
	}
	return list
}

// schema describes a type: a record with a name is described once, and what is read apart from what
// is shown.
func (d *description) schema(t reflect.Type, in bool) object {
	name, schema := "", object{}
	switch t {
	case reflect.TypeFor[ID]():
		name, schema = "ID", object{"type": "string", "description": "A number in digits, counted from 1", "pattern": "^[1-9][0-9]*$"}
	case reflect.TypeFor[calendar.Date]():
		name, schema = "Date", object{"type": "string", "description": "A day", "format": "date"}
	case reflect.TypeFor[amount.Amount]():
		name, schema = "Money", object{"type": "string", "description": "A decimal number", "pattern": `^[0-9]+(\.[0-9]+)?$`}
	case reflect.TypeFor[time.Time]():
		return object{"type": "string", "format": "date-time"}
	case reflect.TypeFor[Reason]():
		name, schema = "Reason", object{"type": "string", "description": "Why it was refused; the first one that applies", "enum": Reasons()}
	case reflect.TypeFor[ledger.Finding]():
		return d.schema(reflect.TypeFor[findingView](), in)
	case reflect.TypeFor[json.RawMessage]():
		return object{"type": "object"}
	}
	if list := wordsOf(t); len(list) > 0 {
		return object{"type": "string", "enum": list}
	}
	if name == "" {
		switch t.Kind() {
		case reflect.Pointer:
			return d.schema(t.Elem(), in)
		case reflect.Slice:
			return object{"type": "array", "items": d.schema(t.Elem(), in)}
		case reflect.Map:
			return object{"type": "object", "additionalProperties": object{"type": "string"}}
		case reflect.String:
			return object{"type": "string"}
		case reflect.Bool:
			return object{"type": "boolean"}
		case reflect.Int, reflect.Uint64:
			return object{"type": "integer", "minimum": 0}
		case reflect.Float64:
			return object{"type": "number"}
		}
		name = strings.TrimSuffix(t.Name(), "View")
		if name == "" {
			return object{"type": "object", "properties": object{}, "additionalProperties": false}
		}
		if name = strings.ToUpper(name[:1]) + name[1:]; in && !strings.HasSuffix(name, "Input") {
			name += "Input"
		}
		if d.types[name] == nil {
			schema = d.object(membersOf(t), in)
		}
	}
	switch d.types[name] {
	case nil:
		d.types[name], d.schemas[name] = t, schema
	case t:
	default:
		panic("gateway: two records are described as " + name)
	}
	return object{"$ref": "#/components/schemas/" + name}
}

// oneOf restricts a text to some words, if there are any.
func oneOf(schema object, words []string) {
	switch len(words) {
	case 0:
	case 1:
		schema["const"] = words[0]
	default:
		schema["enum"] = words
	}
}

// wordsOf are the words of a small number; none of another type.
func wordsOf(t reflect.Type) (list []string) {
	if t.Kind() != reflect.Uint8 || !t.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
		return nil
	}
	for n := range uint64(256) {
		v := reflect.New(t).Elem()
		v.SetUint(n)
		text, err := v.Interface().(encoding.TextMarshaler).MarshalText()
		if err != nil {
			break
		}
		if len(text) > 0 {
			list = append(list, string(text))
		}
	}
	return list
}

// object describes an object with some members.
func (d *description) object(members []member, in bool) object {
	properties, required := object{}, []string{}
	for i := range members {
		m := &members[i]
		if in && m.is("out") {
			continue
		}
		properties[m.name] = d.member(m, in)
		if in && m.required || !in && !m.is("omitzero") {
			required = append(required, m.name)
		}
	}
	return object{"type": "object", "properties": properties, "required": required}
}

func (d *description) member(m *member, in bool) object {
	schema := d.schema(m.of, in)
	if items, ok := schema["items"].(object); ok {
		oneOf(items, m.words)
	} else if len(m.words) > 0 {
		schema = object{"type": "string"}
		oneOf(schema, m.words)
	}
	if m.pattern != "" {
		schema["pattern"] = m.pattern
	}
	for limit := range strings.FieldsSeq(m.limits) {
		name, n, _ := strings.Cut(limit, "=")
		schema[name] = json.Number(n)
	}
	isNull := m.is("null") || m.of.Kind() == reflect.Pointer && !m.is("omitzero")
	if isStruct := m.of.Kind() == reflect.Struct && len(membersOf(m.of)) > 0; isNull && !(isStruct && !in) {
		schema = object{"oneOf": []any{schema, object{"type": "null"}}}
	}
	if m.doc != "" {
		schema["description"] = m.doc
	}
	if m.usual != "" && in {
		schema["default"] = json.RawMessage(m.usual)
	}
	return schema
}
