package engine

import (
	"github.com/chargecast/chargecast/internal/jsonline"
	"github.com/chargecast/chargecast/internal/jsontext"
)

// AppendStateLine appends the line of a state file for a profile and its state, without a line end,
// as [ParseStateLine] reads it. A profile that is not created yet has no line: dst is returned as
// it is. Errors are those of [Stored.MarshalJSON].
func AppendStateLine(dst []byte, profile string, s State) ([]byte, error) {
	if err := s.carried(); err != nil {
		return dst, err
	}
	if err := checkText(profile, "client-orderid"); err != nil {
		return dst, err
	}
	if s.Status == 0 {
		return dst, nil
	}
	dst = append(dst, `{"schema":"`+stateSchema+`","profile":`...)
	dst = s.appendMembers(jsontext.AppendString(dst, profile))
	return append(dst, '}'), nil
}

// ParseStateLine reads one line of a state file, a JSON object such as
//
//	{"profile":"order-1","status":"active","repeat":5,"ran_through":"2026-03-01","paid":["2026-03-01"],"anchor":"2026-01-31"}
//
// Every member but profile is optional; status is active if it is left out. Errors are a
// [ledger.Finding] with the column: an unknown member or value, a member given twice, a schema of
// another version. Whether the state contradicts the as-of date is for [Stored.Check] to say.
func ParseStateLine(line []byte) (profile string, s State, err error) {
	fields, err := jsonline.Parse(line)
	if err != nil {
		return "", State{}, err
	}
	l := stateLine{state: State{Status: StatusActive}}
	if err := jsonline.Read(fields, stateLineMembers, &l); err != nil {
		return "", State{}, err
	}
	if !l.named {
		return "", State{}, jsonline.In(jsonline.Fault(jsonline.CodeType, 1, "the field is missing", "write the client-orderid of the profile"), "profile")
	}
	return l.profile, l.state, nil
}

// A stateLine is a state with its profile.
type stateLine struct {
	profile string
	named   bool
	state   State
}

// stateLineMembers are those of a state, and the profile.
var stateLineMembers = func() []jsonline.Member[stateLine] {
	list := []jsonline.Member[stateLine]{{Name: "profile", Read: func(l *stateLine, v *jsonline.Value) error {
		l.named = true
		return jsonline.String(v, &l.profile)
	}}}
	for _, m := range stateMembers {
		list = append(list, jsonline.Member[stateLine]{Name: m.Name, Read: func(l *stateLine, v *jsonline.Value) error { return m.Read(&l.state, v) }})
	}
	return list
}()
