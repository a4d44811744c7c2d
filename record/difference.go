package record

import (
	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/strictjson"
)

// A Difference is a charge in which two outputs differ. Profile, Row and File of the charges are not
// written; the Subject has the profile.
type Difference struct {
	Profile  string
	Kind     DifferenceKind
	Old, New *Charge // nil if there is none
}

// AppendJSON appends the record, as [Record] says.
func (d Difference) AppendJSON(dst []byte) []byte {
	dst = appendDifference(dst, d.Profile, d.Kind.String())
	dst = appendSide(append(dst, `,"old":`...), d.Old)
	return append(appendSide(append(dst, `,"new":`...), d.New), '}')
}

func appendDifference(dst []byte, profile, kind string) []byte {
	dst = strictjson.AppendString(append(dst, `{"type":"difference","profile":`...), profile)
	return append(append(append(dst, `,"kind":"`...), kind...), '"')
}

// appendSide appends one of the two charges, without the members that name the profile.
func appendSide(dst []byte, c *Charge) []byte {
	if c == nil {
		return append(dst, "null"...)
	}
	e := encoder{simulated: c.Simulated, explain: c.Explain, observed: c.Observed, head: []byte(`{"repeat":`)}
	e.of.Currency = c.Currency
	return e.charge(dst, &c.Charge)
}

var differenceForm = formOf[struct {
	Profile string         `json:"profile" strict:"required"`
	Kind    DifferenceKind `json:"kind" strict:"required"`
	Old     *chargeJSON    `json:"old" strict:"required"`
	New     *chargeJSON    `json:"new" strict:"required"`
}]()

func readDifference(text []byte, h *Header) (Record, error) {
	in, err := read(differenceForm, text)
	if err != nil {
		return nil, err
	}
	d := Difference{Profile: in.Profile, Kind: in.Kind}
	if d.Old, err = readSide(in.Old, h); err != nil {
		return nil, err
	}
	if d.New, err = readSide(in.New, h); err != nil {
		return nil, err
	}
	if (d.Old == nil) != (d.Kind == DifferenceAdded) || (d.New == nil) != (d.Kind == DifferenceRemoved) {
		return nil, refuse(RecordMember, "kind", "the kind does not agree with old and new", "write the record as the command does")
	}
	return d, nil
}

func readSide(in *chargeJSON, h *Header) (*Charge, error) {
	if in == nil {
		return nil, nil
	}
	c, err := in.charge(h)
	return &c, err
}

// MarshalJSON returns what AppendJSON appends. Its charges are checked as [Charge.MarshalJSON] does.
func (d Difference) MarshalJSON() ([]byte, error) {
	for _, c := range [...]*Charge{d.Old, d.New} {
		if c != nil {
			if _, err := c.MarshalJSON(); err != nil {
				return nil, err
			}
		}
	}
	return marshal(d)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (d *Difference) UnmarshalJSON(data []byte) error { return unmarshal(data, d) }

// An EndDifference is a profile whose end differs between two outputs.
type EndDifference struct {
	Profile  string
	Old, New *engine.End // nil if the output does not have the profile
}

// kindEnd is the member kind of an EndDifference.
const kindEnd = "end"

// AppendJSON appends the record, as [Record] says.
func (d EndDifference) AppendJSON(dst []byte) []byte {
	dst = appendDifference(dst, d.Profile, kindEnd)
	dst = appendEndSide(append(dst, `,"old":`...), d.Old)
	return append(appendEndSide(append(dst, `,"new":`...), d.New), '}')
}

func appendEndSide(dst []byte, e *engine.End) []byte {
	if e == nil {
		return append(dst, "null"...)
	}
	return append(appendEnd(append(dst, '{'), e), '}')
}

var endDifferenceForm = formOf[struct {
	Profile string   `json:"profile" strict:"required"`
	Old     *endJSON `json:"old" strict:"required"`
	New     *endJSON `json:"new" strict:"required"`
}]()

func readEndDifference(text []byte) (Record, error) {
	in, err := read(endDifferenceForm, text)
	if err != nil {
		return nil, err
	}
	if in.Old == nil && in.New == nil {
		return nil, refuse(RecordMember, "old", "there is no end", "write the record as the command does")
	}
	d := EndDifference{Profile: in.Profile}
	if in.Old != nil {
		d.Old = new(in.Old.end())
	}
	if in.New != nil {
		d.New = new(in.New.end())
	}
	return d, nil
}

// MarshalJSON returns what AppendJSON appends.
func (d EndDifference) MarshalJSON() ([]byte, error) { return marshal(d) }

// UnmarshalJSON reads what MarshalJSON writes.
func (d *EndDifference) UnmarshalJSON(data []byte) error { return unmarshal(data, d) }

// A Money is what the charges of a currency come to in both outputs of a comparison.
type Money struct {
	Currency string
	Old, New amount.Tally
}

type moneyJSON struct {
	Currency string    `json:"currency" strict:"required"`
	Old      tallyJSON `json:"old" strict:"required"`
	New      tallyJSON `json:"new" strict:"required"`
}

var moneyForm = formOf[moneyJSON]()

// AppendJSON appends the record, as [Record] says.
func (m Money) AppendJSON(dst []byte) []byte {
	return appendRecord(dst, "money", moneyForm, &moneyJSON{m.Currency, tallyToJSON(&m.Old), tallyToJSON(&m.New)})
}

func readMoney(text []byte) (Record, error) {
	in, err := read(moneyForm, text)
	if err != nil {
		return nil, err
	}
	m := Money{Currency: in.Currency}
	if m.Old, err = in.Old.tally(); err != nil {
		return nil, err
	}
	m.New, err = in.New.tally()
	return m, err
}

// MarshalJSON returns what AppendJSON appends.
func (m Money) MarshalJSON() ([]byte, error) { return marshal(m) }

// UnmarshalJSON reads what MarshalJSON writes.
func (m *Money) UnmarshalJSON(data []byte) error { return unmarshal(data, m) }

// A DifferenceSummary is the last record of a comparison.
type DifferenceSummary struct {
	Added   int `json:"added" strict:"required,count"` // charges
	Removed int `json:"removed" strict:"required,count"`
	Moved   int `json:"moved" strict:"required,count"`
	Changed int `json:"changed" strict:"required,count"`
	Ends    int `json:"ends" strict:"required,count"` // profiles whose end differs
}

var differenceSummaryForm = formOf[DifferenceSummary]()

// AppendJSON appends the record, as [Record] says.
func (s DifferenceSummary) AppendJSON(dst []byte) []byte {
	return appendRecord(dst, "summary", differenceSummaryForm, &s)
}

// MarshalJSON returns what AppendJSON appends.
func (s DifferenceSummary) MarshalJSON() ([]byte, error) { return marshal(s) }

// UnmarshalJSON reads what MarshalJSON writes.
func (s *DifferenceSummary) UnmarshalJSON(data []byte) error { return unmarshal(data, s) }
