package facade

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// A Server answers requests. The zero Server has no clock, and knows no encodings but UTF-8 and
// UTF-16.
type Server struct {
	// Now is the clock: its day is as_of where a request has none, and check compares timestamps
	// with it. Nil is the year 1.
	Now func() time.Time
	// Decoder returns the name of an encoding and what turns its text into UTF-8, for the names of
	// the web; false for a name that is none. Nil knows none.
	Decoder func(name string) (canonical string, decode func(io.Reader) io.Reader, ok bool)
	// Progress is called now and then with the number of rows that were read; nil for no report.
	Progress func(rows int)

	held map[string][]byte
}

// Hold keeps bytes under a name, for requests that refer to them; nil removes them.
func (s *Server) Hold(name string, b []byte) {
	if s.held == nil {
		s.held = map[string][]byte{}
	}
	if b == nil {
		delete(s.held, name)
		return
	}
	s.held[name] = b
}

// Held returns the bytes that are kept under a name.
func (s *Server) Held(name string) []byte { return s.held[name] }

// A blob is bytes of a request; nil where the member is absent or null.
type blob struct {
	bytes []byte
	held  string
	given bool
}

// UnmarshalJSON takes a string, {"b64":"…"} and {"held":"name"}.
func (b *blob) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	b.given = true
	if data[0] == '"' {
		var s string
		err := json.Unmarshal(data, &s)
		b.bytes = []byte(s)
		return err
	}
	var coded struct {
		Base64 *[]byte `json:"b64"`
		Held   *string `json:"held"`
	}
	err := json.Unmarshal(data, &coded)
	switch {
	case err != nil:
		return err
	case coded.Base64 != nil:
		b.bytes = *coded.Base64
	case coded.Held != nil:
		b.held = *coded.Held
	default:
		return errBlob
	}
	return nil
}

var errBlob = errors.New(`bytes are a string, {"b64":"…"} or {"held":"name"}`)

// A text is bytes as a string.
type text string

// UnmarshalJSON takes a string and {"b64":"…"}.
func (t *text) UnmarshalJSON(data []byte) error {
	var b blob
	err := b.UnmarshalJSON(data)
	*t = text(b.bytes)
	return err
}

// MarshalJSON never fails.
func (t text) MarshalJSON() ([]byte, error) {
	if utf8.ValidString(string(t)) {
		return appendJSON(string(t)), nil
	}
	return []byte(`{"b64":"` + base64.StdEncoding.EncodeToString([]byte(t)) + `"}`), nil
}

// coded is bytes of a reply.
type coded []byte

// MarshalJSON never fails.
func (b coded) MarshalJSON() ([]byte, error) {
	return []byte(`{"b64":"` + base64.StdEncoding.EncodeToString(b) + `"}`), nil
}

// A request is any request.
type request struct {
	ID json.RawMessage `json:"id"`
	Op string          `json:"op"`

	// Of forecast, simulate, totals, explain, reconcile, compare, overview: one row, or a payload.
	Columns  map[string]string `json:"columns"`
	CSV      blob              `json:"csv"`
	AsOf     calendar.Date     `json:"as_of"`
	From     calendar.Date     `json:"from"`
	Until    calendar.Date     `json:"until"`
	Next     int               `json:"next"`
	Zone     *string           `json:"zone"`
	Profile  string            `json:"profile"`
	Policy   map[string]string `json:"policy"`
	Readings blob              `json:"readings"` // a file of readings, whose values policy overrides
	State    json.RawMessage   `json:"state"`    // of one row
	States   blob              `json:"states"`   // a state file
	Charged  *uint64           `json:"charged"`  // how often profile was charged
	Script   []json.RawMessage `json:"script"`
	Seed     uint64            `json:"seed"`
	Explain  bool              `json:"explain"`
	By       engine.By         `json:"by"`
	On       calendar.Date     `json:"on"`

	Form  blob `json:"form"`  // of decode
	Bytes blob `json:"bytes"` // of encode

	// Of base-string, sign, verify.
	Method          string    `json:"method"`
	URL             text      `json:"url"`
	Params          [][2]text `json:"params"`
	OAuth           oauth     `json:"oauth"`
	SignatureMethod string    `json:"signature_method"`
	Secret          *text     `json:"secret"`
	PrivateKey      text      `json:"private_key"`
	PublicKey       text      `json:"public_key"`
	InBody          bool      `json:"in_body"`
	Authorization   *text     `json:"authorization"`

	// Of check.
	Request    blob   `json:"request"`
	Entry      int    `json:"entry"`
	Only       string `json:"only"`
	BaseString blob   `json:"base_string"`
	Currency   string `json:"currency"`

	decisions // of fix, and for dates, century, decimal and encoding of reconcile

	// Of reconcile.
	Actual  blob              `json:"actual"`
	Through calendar.Date     `json:"through"`
	Lag     int               `json:"lag"`
	Names   map[string]string `json:"names"` // columns by their names in the file

	Look string `json:"look"` // of lookup: an id, or the beginning of one
	Most int    `json:"most"` // of overview: how many charges, profiles and problems are listed
}

type oauth struct {
	ConsumerKey text  `json:"consumer_key"`
	Nonce       text  `json:"nonce"`
	Timestamp   text  `json:"timestamp"`
	Realm       *text `json:"realm"`
}

// object is a reply.
type object = map[string]any

// A refusal is a request that has no answer.
type refusal struct {
	code          ledger.Code
	message, help string
}

func (r *refusal) Error() string { return r.message }

// refused returns a refusal.
func refused(code ledger.Code, message, help string) error { return &refusal{code, message, help} }

// ops are the operations, those of the protocol first.
var ops = [...]struct {
	name   string
	answer func(*Server, *request) (object, error)
}{
	{"forecast", (*Server).forecast},
	{"simulate", (*Server).simulate},
	{"validate", (*Server).validate},
	{"decode", (*Server).decode},
	{"encode", (*Server).encode},
	{"base-string", (*Server).baseString},
	{"sign", (*Server).sign},
	{"verify", (*Server).verify},
	{"totals", (*Server).totals},
	{"explain", (*Server).explain},
	{"fix", (*Server).fix},
	{"check", (*Server).check},
	{"reconcile", (*Server).reconcile},
	{"compare", (*Server).compare},
	{"overview", (*Server).overview},
	{"lookup", (*Server).lookup},
}

// Answer answers a request, which is a JSON object, with one line.
func (s *Server) Answer(line []byte) []byte {
	var q request
	reply, err := object(nil), json.Unmarshal(line, &q)
	if err != nil {
		err = refused("request", "the request cannot be read", "")
	} else {
		reply, err = s.answer(&q)
	}
	if err != nil {
		reply = object{"error": errorOf(err)}
	}
	reply["id"] = q.ID
	if len(q.ID) == 0 {
		reply["id"] = nil
	}
	return append(appendJSON(reply), '\n')
}

func (s *Server) answer(q *request) (object, error) {
	if q.Op == "hello" {
		names := []string{}
		for _, op := range ops {
			names = append(names, op.name)
		}
		return object{"name": "chargecast", "ops": names}, nil
	}
	for _, op := range ops {
		if op.name == q.Op {
			if q.AsOf.IsZero() && s.Now != nil && q.Op != "reconcile" { // whose profiles may each have a day of their own
				q.AsOf = calendar.Of(s.Now().UTC())
			}
			for _, b := range [...]*blob{&q.CSV, &q.Readings, &q.States, &q.Form, &q.Bytes, &q.Request, &q.BaseString, &q.Actual} {
				if b.held != "" {
					b.bytes = s.held[b.held]
				}
			}
			return op.answer(s, q)
		}
	}
	return nil, refused("not-supported", "there is no such operation", "")
}

// errorOf is an error as a reply has it. It shows no value of the request.
func errorOf(err error) object {
	if r, ok := errors.AsType[*refusal](err); ok {
		return object{"code": r.code, "message": r.message, "help": r.help}
	}
	if all, ok := errors.AsType[ledger.Findings](err); ok {
		for _, f := range all {
			if f.Severity == ledger.SeverityError {
				return object{"code": f.Code, "message": f.Message, "help": f.Help}
			}
		}
	}
	if f, ok := errors.AsType[ledger.Finding](err); ok {
		return object{"code": f.Code, "message": f.Message, "help": f.Help}
	}
	code := ledger.Code("refused")
	if c, ok := errors.AsType[ledger.Code](err); ok {
		code = c
	}
	return object{"code": code, "message": err.Error()}
}

// appendJSON is a value as JSON, whose strings are as they are.
func appendJSON(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// lines are records, one a line, as a list.
func lines(ndjson []byte) []json.RawMessage {
	list := make([]json.RawMessage, 0, bytes.Count(ndjson, []byte("\n")))
	for line := range bytes.Lines(ndjson) {
		list = append(list, bytes.TrimSuffix(line, []byte("\n")))
	}
	return list
}

// policy are the readings in force: those of a file, over which the named ones win.
func (q *request) policy() (p engine.Policy, observed record.Readings, given []ledger.Clause, err error) {
	if q.Readings.given {
		if observed, err = record.ParseReadings(q.Readings.bytes); err != nil {
			return p, observed, nil, err
		}
		for r := range observed.All() {
			given = append(given, r.Key)
		}
	}
	p = observed.Policy(p)
	var list []string
	for _, key := range slices.Sorted(maps.Keys(q.Policy)) {
		list = append(list, key+"="+q.Policy[key])
	}
	if len(list) == 0 {
		return p, observed, given, nil
	}
	named, err := engine.ParsePolicy(strings.Join(list, ","))
	if e, ok := errors.AsType[*engine.Error](err); ok && (e.Code == engine.ErrPolicyKey || e.Code == engine.ErrPolicyValue) {
		return p, observed, nil, refused("not-supported", "there is no such reading", "")
	}
	if err != nil {
		return p, observed, nil, err
	}
	for c := range engine.Keys() {
		if _, ok := q.Policy[c.Key()]; !ok {
			continue
		}
		p = p.WithReading(c, slices.Index(c.Entry().Values(), named.Reading(c).Value))
		if !slices.Contains(given, c) {
			given = append(given, c)
		}
	}
	return p, observed, given, nil
}
