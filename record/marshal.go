package record

import (
	"slices"

	"github.com/chargecast/chargecast/internal/jsonline"
)

func (h Header) texts() []string {
	return slices.Concat([]string{h.Zone, h.Input}, h.Profiles, h.Excluded)
}
func (s Subject) texts() []string           { return []string{s.Profile, s.File, s.Currency, s.Callback} }
func (v Event) texts() []string             { return append(v.Subject.texts(), string(v.Code)) }
func (t Total) texts() []string             { return []string{t.Value, t.File, t.Currency} }
func (d EndDifference) texts() []string     { return []string{d.Profile} }
func (m Money) texts() []string             { return []string{m.Currency} }
func (p Problem) texts() []string           { return nil } // a Finding judges its own
func (s Summary) texts() []string           { return nil }
func (s DifferenceSummary) texts() []string { return nil }

func (d Difference) texts() []string {
	list := []string{d.Profile}
	for _, c := range []*Charge{d.Old, d.New} {
		if c != nil {
			list = append(list, c.texts()...)
		}
	}
	return list
}

// marshal returns a record as JSON if it can be read back.
func marshal(r Record) ([]byte, error) {
	for _, text := range r.texts() {
		if err := checkText("", text); err != nil {
			return nil, err
		}
	}
	b := r.AppendJSON(nil)
	if _, err := parse(b, nil); err != nil {
		return nil, err
	}
	return b, nil
}

// unmarshalPart reads an object that is part of records.
func unmarshalPart[T any](data []byte, members []member[T], to *T) error {
	fields, err := jsonline.Parse(data)
	if err != nil {
		return err
	}
	var read T
	if err := readMembers(fields, members, &read); err != nil {
		return err
	}
	*to = read
	return nil
}

// unmarshal reads a record of one type.
func unmarshal[R Record](data []byte, to *R) error {
	read, err := parse(data, nil)
	if err != nil {
		return err
	}
	r, ok := read.(R)
	if !ok {
		return refuse(RecordType, "type", "the record is of another type", "read it with the type that it names")
	}
	*to = r
	return nil
}

// MarshalJSON returns what AppendJSON appends. A value that could not be read back is a
// [ledger.Finding] that names the member.
func (h Header) MarshalJSON() ([]byte, error) { return marshal(h) }

// UnmarshalJSON reads what MarshalJSON writes; unknown members are ignored. Errors are a
// [ledger.Finding], and the value is then unchanged.
func (h *Header) UnmarshalJSON(data []byte) error { return unmarshal(data, h) }

// MarshalJSON returns what AppendJSON appends. A value that could not be read back is a
// [ledger.Finding] that names the member.
func (c Charge) MarshalJSON() ([]byte, error) { return marshal(c) }

// UnmarshalJSON reads what MarshalJSON writes; unknown members are ignored. Errors are a
// [ledger.Finding], and the value is then unchanged.
func (c *Charge) UnmarshalJSON(data []byte) error { return unmarshal(data, c) }

// MarshalJSON returns what AppendJSON appends. A value that could not be read back is a
// [ledger.Finding] that names the member.
func (n End) MarshalJSON() ([]byte, error) { return marshal(n) }

// UnmarshalJSON reads what MarshalJSON writes; unknown members are ignored. Errors are a
// [ledger.Finding], and the value is then unchanged.
func (n *End) UnmarshalJSON(data []byte) error { return unmarshal(data, n) }

// MarshalJSON returns what AppendJSON appends. A value that could not be read back is a
// [ledger.Finding] that names the member.
func (v Event) MarshalJSON() ([]byte, error) { return marshal(v) }

// UnmarshalJSON reads what MarshalJSON writes; unknown members are ignored. Errors are a
// [ledger.Finding], and the value is then unchanged.
func (v *Event) UnmarshalJSON(data []byte) error { return unmarshal(data, v) }

// MarshalJSON returns what AppendJSON appends. A value that could not be read back is a
// [ledger.Finding] that names the member.
func (t Total) MarshalJSON() ([]byte, error) { return marshal(t) }

// UnmarshalJSON reads what MarshalJSON writes; unknown members are ignored. Errors are a
// [ledger.Finding], and the value is then unchanged.
func (t *Total) UnmarshalJSON(data []byte) error { return unmarshal(data, t) }

// MarshalJSON returns what AppendJSON appends. A value that could not be read back is a
// [ledger.Finding] that names the member.
func (d Difference) MarshalJSON() ([]byte, error) { return marshal(d) }

// UnmarshalJSON reads what MarshalJSON writes; unknown members are ignored. Errors are a
// [ledger.Finding], and the value is then unchanged.
func (d *Difference) UnmarshalJSON(data []byte) error { return unmarshal(data, d) }

// MarshalJSON returns what AppendJSON appends. A value that could not be read back is a
// [ledger.Finding] that names the member.
func (d EndDifference) MarshalJSON() ([]byte, error) { return marshal(d) }

// UnmarshalJSON reads what MarshalJSON writes; unknown members are ignored. Errors are a
// [ledger.Finding], and the value is then unchanged.
func (d *EndDifference) UnmarshalJSON(data []byte) error { return unmarshal(data, d) }

// MarshalJSON returns what AppendJSON appends. A value that could not be read back is a
// [ledger.Finding] that names the member.
func (m Money) MarshalJSON() ([]byte, error) { return marshal(m) }

// UnmarshalJSON reads what MarshalJSON writes; unknown members are ignored. Errors are a
// [ledger.Finding], and the value is then unchanged.
func (m *Money) UnmarshalJSON(data []byte) error { return unmarshal(data, m) }

// MarshalJSON returns what AppendJSON appends. A value that could not be read back is a
// [ledger.Finding] that names the member.
func (s Summary) MarshalJSON() ([]byte, error) { return marshal(s) }

// UnmarshalJSON reads what MarshalJSON writes; unknown members are ignored. Errors are a
// [ledger.Finding], and the value is then unchanged.
func (s *Summary) UnmarshalJSON(data []byte) error { return unmarshal(data, s) }

// MarshalJSON returns what AppendJSON appends. A value that could not be read back is a
// [ledger.Finding] that names the member.
func (s DifferenceSummary) MarshalJSON() ([]byte, error) { return marshal(s) }

// UnmarshalJSON reads what MarshalJSON writes; unknown members are ignored. Errors are a
// [ledger.Finding], and the value is then unchanged.
func (s *DifferenceSummary) UnmarshalJSON(data []byte) error { return unmarshal(data, s) }
