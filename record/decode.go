package record

import (
	"math"
	"slices"
	"strconv"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/jsonline"
	"github.com/chargecast/chargecast/ledger"
)

// A member is a member of a record and what reads its value into a T. Records may gain members, so
// unknown ones are ignored.
type member[T any] struct {
	name     string
	required bool
	read     func(to *T, v *jsonline.Value) error
}

// readMembers reads each field by the member of its name.
func readMembers[T any](fields []jsonline.Field, members []member[T], to *T) error {
	for _, m := range members {
		i := slices.IndexFunc(fields, func(f jsonline.Field) bool { return f.Name.Is(m.name) })
		if i >= 0 {
			if err := m.read(to, &fields[i].Value); err != nil {
				return jsonline.In(err, m.name)
			}
		} else if m.required {
			return refuse(RecordMember, m.name, "the member is missing", "write the record as the command does")
		}
	}
	return nil
}

// object reads a value that is an object with members.
func object[T any](v *jsonline.Value, members []member[T], to *T) error {
	if err := jsonline.As(v, jsonline.KindObject, "write an object in braces"); err != nil {
		return err
	}
	return readMembers(v.Fields, members, to)
}

// of returns members of a part of a T as members of the T.
func of[T, P any](part func(*T) *P, members []member[P]) []member[T] {
	list := make([]member[T], len(members))
	for i, m := range members {
		list[i] = member[T]{m.name, m.required, func(to *T, v *jsonline.Value) error { return m.read(part(to), v) }}
	}
	return list
}

// parse reads one record, a JSON object. The header, which may be nil, has the readings in whose
// words reasons are.
func parse(text []byte, h *Header) (Record, error) {
	fields, err := jsonline.Parse(text)
	if err != nil {
		return nil, err
	}
	var kind string
	if err := readMembers(fields, typeMembers, &kind); err != nil {
		return nil, err
	}
	switch kind {
	case "header":
		return readHeader(fields)
	case "charge":
		return readCharge(fields, h)
	case "end":
		return readEnd(fields, h)
	case "event":
		return readEvent(fields, h)
	case "total":
		return readTotal(fields, h)
	case "difference":
		return readDifference(fields, h)
	case "money":
		return read(fields, moneyMembers)
	case "problem":
		var p Problem
		err := p.Finding.UnmarshalJSON(text)
		return p, err
	case "summary":
		if slices.ContainsFunc(fields, func(f jsonline.Field) bool { return f.Name.Is("added") }) {
			return read(fields, differenceSummaryMembers)
		}
		return read(fields, summaryMembers)
	}
	return nil, refuse(RecordType, "type", "no such type of record", "perhaps a newer version wrote it")
}

var typeMembers = []member[string]{{"type", true, func(to *string, v *jsonline.Value) error { return jsonline.String(v, to) }}}

// read reads a record that is nothing but its members.
func read[R Record](fields []jsonline.Field, members []member[R]) (Record, error) {
	var r R
	err := readMembers(fields, members, &r)
	return r, err
}

func readCode(v *jsonline.Value, to *ledger.Code) error {
	var code string
	err := jsonline.String(v, &code)
	*to = ledger.Code(code)
	return err
}

func readClause(v *jsonline.Value, to *ledger.Clause) error {
	e, ok := ledger.Lookup(v.Text())
	if v.Kind != jsonline.KindString || !ok {
		return jsonline.Fault(RecordMember, v.At+1, "the ledger has no entry with this id", "write ids such as 2.2.6, L01 or X7")
	}
	*to = e.Clause
	return nil
}

var headerMembers = []member[Header]{
	{"schema", true, func(h *Header, v *jsonline.Value) error { return readSchema(v, &h.Schema) }},
	{"as_of", true, func(h *Header, v *jsonline.Value) error { return jsonline.Date(v, &h.AsOf) }},
	{"from", false, func(h *Header, v *jsonline.Value) error { return jsonline.Date(v, &h.From) }},
	{"until", false, func(h *Header, v *jsonline.Value) error { return jsonline.Date(v, &h.Until) }},
	{"next", false, func(h *Header, v *jsonline.Value) error { return number(v, &h.Next) }},
	{"zone", false, func(h *Header, v *jsonline.Value) error { return jsonline.String(v, &h.Zone) }},
	{"input", false, func(h *Header, v *jsonline.Value) error { return jsonline.String(v, &h.Input) }},
	{"by", false, func(h *Header, v *jsonline.Value) error { return jsonline.Word(v, &h.By, RecordMember, byWords) }},
	{"profiles", false, func(h *Header, v *jsonline.Value) error { return readTexts(v, &h.Profiles) }},
	{"excluded", false, func(h *Header, v *jsonline.Value) error { return readTexts(v, &h.Excluded) }},
	{"seed", false, func(h *Header, v *jsonline.Value) error { return whole(v, &h.Seed) }},
	{"strict", false, func(h *Header, v *jsonline.Value) error { return jsonline.Bool(v, &h.Strict) }},
	{"policy", false, func(h *Header, v *jsonline.Value) error { return readPolicy(v, &h.Policy) }},
	{"old_policy", false, func(h *Header, v *jsonline.Value) error {
		h.OldPolicy = new(engine.Policy)
		return readPolicy(v, h.OldPolicy)
	}},
}

func readTexts(v *jsonline.Value, to *[]string) error {
	return jsonline.List(v, func(v *jsonline.Value) error {
		var text string
		err := jsonline.String(v, &text)
		*to = append(*to, text)
		return err
	})
}

func readHeader(fields []jsonline.Field) (Record, error) {
	var h Header
	err := readMembers(fields, headerMembers, &h)
	if h.Schema != SchemaSimulate {
		h.Seed = 0
	}
	if h.Schema != SchemaValidate {
		h.Strict = false
	}
	if h.Schema != SchemaDiff {
		h.OldPolicy = nil
	}
	return h, err
}

func readSchema(v *jsonline.Value, to *Schema) error {
	for _, s := range schemas {
		if v.Is(string(s)) {
			*to = s
			return nil
		}
	}
	return jsonline.Fault(RecordSchema, v.At+1, "the schema is not one that this version reads", "write the output again with this version")
}

func readPolicy(v *jsonline.Value, to *engine.Policy) error {
	if err := jsonline.As(v, jsonline.KindObject, "write keys and values in braces"); err != nil {
		return err
	}
	if to.UnmarshalJSON(v.Raw) != nil {
		return jsonline.Fault(RecordMember, v.At+1, "the policy has a key or value that does not exist", "use the keys and values of the ledger")
	}
	return nil
}

var (
	nameMembers = []member[Subject]{
		{"profile", true, func(s *Subject, v *jsonline.Value) error { return jsonline.String(v, &s.Profile) }},
		{"file", false, func(s *Subject, v *jsonline.Value) error { return jsonline.String(v, &s.File) }},
	}
	subjectMembers = append(slices.Clip(nameMembers),
		member[Subject]{"row", false, func(s *Subject, v *jsonline.Value) error { return number(v, &s.Row) }})
)

// whole reads a whole number from 0 to 2^64-1.
func whole(v *jsonline.Value, to *uint64) error {
	if err := jsonline.As(v, jsonline.KindNumber, "write a number without quotes"); err != nil {
		return err
	}
	n, err := strconv.ParseUint(v.Text(), 10, 64)
	if err != nil {
		return jsonline.Fault(RecordMember, v.At+1, "the number is out of range", "write a whole number from 0 to 18446744073709551615")
	}
	*to = n
	return nil
}

// number reads a whole number that is not negative.
func number(v *jsonline.Value, to *int) error {
	var n uint64
	if err := whole(v, &n); err != nil {
		return err
	}
	if n > math.MaxInt {
		return jsonline.Fault(RecordMember, v.At+1, "the number is out of range", "write a smaller number")
	}
	*to = int(n)
	return nil
}
