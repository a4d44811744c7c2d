package jsonline

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/ledger"
)

// A Reader reads the value of one member.
type Reader func(v Value) error

// A Member is a name and its reader.
type Member struct {
	Name string
	Read Reader
}

// Read hands each field to the member of its name. A name that members does not have is an error
// that lists the right ones.
func Read(fields []Field, members []Member) error {
	for _, f := range fields {
		i := slices.IndexFunc(members, func(m Member) bool { return m.Name == f.Name })
		if i < 0 {
			return Fault(CodeUnknown, f.Col, "there is no such field", "use "+names(members))
		}
		if err := members[i].Read(f.Value); err != nil {
			return In(err, f.Name)
		}
	}
	return nil
}

func names(members []Member) string {
	list := make([]string, len(members))
	for i, m := range members {
		list[i] = m.Name
	}
	return strings.Join(list, ", ")
}

// In adds the name of the field to a finding that has none.
func In(err error, name string) error {
	if f, ok := errors.AsType[ledger.Finding](err); ok && f.Kind == 0 {
		f.Kind, f.Subject = ledger.SubjectField, name
		return f
	}
	return err
}

// As returns an error unless v has the form kind.
func (v Value) As(kind Kind, help string) error {
	if v.Kind != kind {
		return Fault(CodeType, v.Col, "the value has the wrong JSON type", help)
	}
	return nil
}

// String reads a string.
func String(to *string) Reader {
	return func(v Value) error {
		*to = v.Text
		return v.As(KindString, "write a string in double quotes")
	}
}

// Word reads a string that is one of words and stores its index. Empty words cannot be chosen.
func Word[T ~uint8](to *T, code ledger.Code, words ...string) Reader {
	return func(v Value) error {
		if err := v.As(KindString, "write a string in double quotes"); err != nil {
			return err
		}
		i := slices.Index(words, v.Text)
		if i < 0 || v.Text == "" {
			possible := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "" })
			return Fault(code, v.Col, "there is no such value", "use "+strings.Join(possible, ", "))
		}
		*to = T(i)
		return nil
	}
}

// Date reads a date in ISO form.
func Date(to *calendar.Date) Reader {
	return func(v Value) error {
		if err := v.As(KindString, "write a date in double quotes: YYYY-MM-DD"); err != nil {
			return err
		}
		d, err := calendar.Parse(v.Text)
		switch {
		case errors.Is(err, calendar.ErrNotADay):
			return Fault("date-not-a-day", v.Col, "there is no such day", "check month and day")
		case err != nil:
			return Fault("date-syntax", v.Col, "the date is not in ISO form", "write YYYY-MM-DD")
		}
		*to = d
		return nil
	}
}

// Count reads a whole number from 0 to 2^63-1.
func Count(to *uint64, code ledger.Code) Reader {
	return func(v Value) error {
		if err := v.As(KindNumber, "write a number without quotes"); err != nil {
			return err
		}
		n, err := strconv.ParseUint(v.Text, 10, 63)
		if err != nil {
			return Fault(code, v.Col, "the number is out of range", "write a whole number from 0 to 9223372036854775807")
		}
		*to = n
		return nil
	}
}

// Bool reads true or false.
func Bool(to *bool) Reader {
	return func(v Value) error {
		*to = v.Text == "true"
		return v.As(KindBool, "write true or false without quotes")
	}
}

// List reads an array item by item.
func List(item Reader) Reader {
	return func(v Value) error {
		if err := v.As(KindArray, "write a list in square brackets"); err != nil {
			return err
		}
		for _, i := range v.List {
			if err := item(i); err != nil {
				return err
			}
		}
		return nil
	}
}

// Object reads an object by its members.
func Object(members ...Member) Reader {
	return func(v Value) error {
		if err := v.As(KindObject, "write an object in braces"); err != nil {
			return err
		}
		return Read(v.Fields, members)
	}
}

// Because reads a list of the ids of clauses.
func Because(to *ledger.Because) Reader {
	return List(func(v Value) error {
		e, ok := ledger.Lookup(v.Text)
		if v.Kind != KindString || !ok {
			return Fault(CodeType, v.Col, "the ledger has no entry with this id", "write ids such as 2.2.6, L01 or X7")
		}
		*to = to.With(e.Clause)
		return nil
	})
}
