package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/chargecast/chargecast/fuzz/vector"
	"github.com/chargecast/chargecast/ledger"
)

// A sheet collects the vectors of one file.
type sheet struct {
	family string
	source string // of the vectors that follow
	out    bytes.Buffer
	ids    []string
	inputs map[string]string
	err    error
}

// A draft is a vector before its metadata are complete.
type draft struct {
	id, op, reason string
	clauses        string // ids, separated by spaces
	invalid        bool
	input          any
	expect         any
	key            string
	readings       map[string]any
}

func (s *sheet) fail(format string, args ...any) {
	s.err = errors.Join(s.err, fmt.Errorf(format, args...))
}

// add writes a draft as a line. Two vectors of one op with equal inputs are an error.
func (s *sheet) add(d draft) {
	v := vector.Vector{Schema: vector.Schema, ID: d.id, Op: d.op, Reason: d.reason, Clauses: strings.Fields(d.clauses),
		Verdict: vector.Valid, Source: s.source, Licence: "Apache-2.0", Key: d.key}
	if d.invalid {
		v.Verdict = vector.Invalid
	}
	v.Basis = s.basisOf(v.Clauses)
	v.Input = s.raw(d.input)
	if d.key == "" {
		v.Expect = s.raw(d.expect)
	} else {
		v.Verdict, v.Readings = vector.Unspecified, map[string]json.RawMessage{}
		for value, expect := range d.readings {
			v.Readings[value] = s.raw(expect)
		}
	}
	if s.inputs == nil {
		s.inputs = map[string]string{}
	}
	at := d.op + string(v.Input) + d.key
	if other, twice := s.inputs[at]; twice {
		s.fail("%s has the input of %s", d.id, other)
	}
	s.inputs[at] = d.id
	s.ids = append(s.ids, d.id)
	line, err := marshal(v)
	s.err = errors.Join(s.err, err)
	s.out.Write(line)
}

// basisOf is the weakest basis of some clauses.
func (s *sheet) basisOf(ids []string) string {
	weakest := ledger.Stated
	for _, id := range ids {
		e, ok := ledger.Lookup(id)
		if !ok {
			s.fail("no clause %s", id)
		}
		weakest = max(weakest, e.Basis)
	}
	return weakest.String()
}

func (s *sheet) raw(v any) json.RawMessage {
	text, err := marshal(v)
	s.err = errors.Join(s.err, err)
	return bytes.TrimSuffix(text, []byte("\n"))
}

// marshal is the JSON of a value, with & < > as they are, and a line end.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}

// text is a text of a vector: a string, or Base64 where it is not UTF-8.
func text(s string) any {
	if utf8.ValidString(s) {
		return s
	}
	return map[string]string{"b64": base64.StdEncoding.EncodeToString([]byte(s))}
}

// times is a text repeated n times.
func times(s string, n int) any { return map[string]any{"text": text(s), "times": n} }

// slug is a text as part of an id.
func slug(s string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(s) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	return strings.Trim(b.String(), "-")
}
