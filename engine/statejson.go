package engine

import (
	"slices"
	"strconv"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/jsontext"
	"github.com/chargecast/chargecast/ledger"
)

// StateSchema is the version of the state lines that [AppendStateLine] writes.
const StateSchema = "chargecast.state/1"

// A StateLine is one line of a state file: a saved [State] and its profile.
type StateLine struct {
	Profile string // the client-orderid
	State   State
	// PaidRepeated tells that a paid date stood more than once, which does no harm.
	PaidRepeated bool
}

// ParseStateLine reads one line of a state file, a JSON object such as
//
//	{"profile":"order-1","status":"active","repeat":5,"ran_through":"2026-03-01","paid":["2026-03-01"],"anchor":"2026-01-31"}
//
// Every field but profile is optional; status is active unless said. Paid dates are put
// in order. An unknown field or value, a field given twice and a schema of another
// version are a [*LineError]; whether the state contradicts the as-of date is for
// [Compile] to say.
func ParseStateLine(line []byte) (StateLine, error) {
	fields, err := parseLine(line)
	if err != nil {
		return StateLine{}, err
	}
	l := StateLine{State: State{Status: Active}}
	s := &l.State
	var paid, from, to calendar.Date
	var reason Reasons
	var schema uint8
	err = readFields(fields, []fieldReader{
		{"profile", readString(&l.Profile)},
		{"status", readWord(&s.Status, "state-status", "", "active", "stopped")},
		{"repeat", readCount(&s.Repeat, "state-repeat")},
		{"ran_through", readDate(&s.RanThrough)},
		{"paid", readList(func(v jsonValue) error {
			err := readDate(&paid)(v)
			s.Paid = append(s.Paid, paid)
			return err
		})},
		{"anchor", readDate(&s.Anchor)},
		{"schema", readWord(&schema, codeUnknown, StateSchema)},
		{"missed", readList(func(v jsonValue) error {
			from, to = calendar.Date{}, calendar.Date{}
			err := readObject(fieldReader{"from", readDate(&from)}, fieldReader{"through", readDate(&to)})(v)
			if err == nil && (from.IsZero() || to.Before(from)) {
				err = &LineError{Code: "state-conflict", Col: v.col, Text: "from and through are wanted, in order"}
			}
			s.Missed = append(s.Missed, calendar.Through(from, to))
			return err
		})},
		{"stop", readObject(
			fieldReader{"date", readDate(&s.Stop.Date)},
			fieldReader{"reasons", readList(func(v jsonValue) error {
				err := readWord(&reason, "state-conflict", "max-repeats", "finish-date", "stopped-by-api")(v)
				s.Stop.Reasons |= 1 << reason
				return err
			})},
			fieldReader{"because", readClauses(&s.Stop.Because)},
		)},
		{"last", readDate(&s.Last)},
		{"because", readClauses(&s.Because)},
	})
	if err != nil {
		return StateLine{}, err
	}
	if l.Profile == "" {
		return StateLine{}, &LineError{Code: codeType, Col: 1, Field: "profile", Text: "the client-orderid of the profile is wanted"}
	}
	slices.SortFunc(s.Paid, calendar.Date.Compare)
	once := slices.Compact(s.Paid)
	l.PaidRepeated = len(once) < len(s.Paid)
	s.Paid = once
	return l, nil
}

func readClauses(to *ledger.Because) func(jsonValue) error {
	return readList(func(v jsonValue) error {
		c, ok := ledger.Lookup(v.text)
		if v.kind != jsonString || !ok {
			return &LineError{Code: codeType, Col: v.col, Text: "the id of an entry of the ledger is wanted"}
		}
		*to = to.With(c.Clause)
		return nil
	})
}

// AppendStateLine appends the line for a profile's state, without a line end, as
// [ParseStateLine] reads it. The zero State, of a profile that is not created, has no
// line: dst is returned as it is.
func AppendStateLine(dst []byte, profile string, s State) []byte {
	if s.Status == 0 {
		return dst
	}
	dst = append(dst, `{"schema":"`+StateSchema+`","profile":`...)
	dst = jsontext.AppendString(dst, profile)
	dst = append(dst, `,"status":"`...)
	dst = append(dst, s.Status.String()...)
	dst = append(dst, `","repeat":`...)
	dst = strconv.AppendUint(dst, s.Repeat, 10)
	dst = appendDateField(dst, `,"ran_through":"`, s.RanThrough)
	dst = appendDateField(dst, `,"anchor":"`, s.Anchor)
	dst = appendDateField(dst, `,"last":"`, s.Last)
	if len(s.Paid) > 0 {
		dst = append(dst, `,"paid":`...)
		dst = appendList(dst, slices.Values(s.Paid), func(dst []byte, d calendar.Date) []byte {
			return append(d.Append(append(dst, '"')), '"')
		})
	}
	if len(s.Missed) > 0 {
		dst = append(dst, `,"missed":`...)
		dst = appendList(dst, slices.Values(s.Missed), func(dst []byte, w calendar.Window) []byte {
			dst = appendDateField(dst, `{"from":"`, w.From)
			return append(appendDateField(dst, `,"through":"`, w.Last()), '}')
		})
	}
	if !s.Stop.IsZero() {
		dst = appendDateField(dst, `,"stop":{"date":"`, s.Stop.Date)
		dst = append(dst, `,"reasons":`...)
		dst = appendList(dst, s.Stop.Reasons.All(), jsontext.AppendString)
		dst = appendClauses(dst, s.Stop.Because)
		dst = append(dst, '}')
	}
	if !s.Because.IsZero() {
		dst = appendClauses(dst, s.Because)
	}
	return append(dst, '}')
}

func appendClauses(dst []byte, b ledger.Because) []byte {
	dst = append(dst, `,"because":`...)
	return appendList(dst, b.All(), func(dst []byte, c ledger.Clause) []byte { return jsontext.AppendString(dst, c.String()) })
}

// appendDateField appends head and d with a closing quote; nothing for the zero Date.
func appendDateField(dst []byte, head string, d calendar.Date) []byte {
	if d.IsZero() {
		return dst
	}
	return append(d.Append(append(dst, head...)), '"')
}

func appendList[T any](dst []byte, items func(func(T) bool), item func([]byte, T) []byte) []byte {
	dst = append(dst, '[')
	first := true
	for v := range items {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = item(dst, v)
	}
	return append(dst, ']')
}
