package record

import (
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/enum"
	"github.com/chargecast/chargecast/internal/strictjson"
)

// A Difference is a charge in which two outputs differ. Profile, Row, File and reasons of the
// charges are not written.
type Difference struct {
	Profile  string
	Kind     DifferenceKind
	Old, New *Charge // nil if there is none
}

// A DifferenceKind says how a charge differs between two sequences. The zero value is none.
type DifferenceKind uint8

// The kinds of a [Difference].
const (
	DifferenceAdded   DifferenceKind = iota + 1 // only New is there
	DifferenceRemoved                           // only Old is there
	DifferenceMoved                             // the same repeat has another slot
	DifferenceChanged                           // the same slot has another repeat, amount, date or outcome
)

var differenceWords = enum.Words{Type: "DifferenceKind", Words: []string{"", "added", "removed", "moved", "changed"}}

// String returns the word that outputs use; it is empty for none.
func (k DifferenceKind) String() string { return differenceWords.String(uint8(k)) }

// MarshalText returns the word; a value that is not a DifferenceKind is an error.
func (k DifferenceKind) MarshalText() ([]byte, error) { return differenceWords.Marshal(uint8(k)) }

// UnmarshalText reads what MarshalText writes.
func (k *DifferenceKind) UnmarshalText(text []byte) error {
	return differenceWords.Unmarshal(text, (*uint8)(k))
}

// A differenceJSON is a difference of two sides as it is written.
type differenceJSON[Kind, Side any] struct {
	Profile string `json:"profile" strict:"required"`
	Kind    Kind   `json:"kind" strict:"required"`
	Old     *Side  `json:"old" strict:"required"`
	New     *Side  `json:"new" strict:"required"`
}

var (
	differenceForm    = formOf[differenceJSON[DifferenceKind, chargeSide]]()
	endDifferenceForm = formOf[differenceJSON[string, endJSON]]()
)

// AppendJSON appends the record, as [Record] says.
func (d Difference) AppendJSON(dst []byte) []byte {
	out := differenceJSON[DifferenceKind, chargeSide]{d.Profile, d.Kind, (*chargeSide)(d.Old), (*chargeSide)(d.New)}
	return appendRecord(dst, "difference", differenceForm, &out)
}

// readDifferenceOrEnd reads the two records of one type.
func readDifferenceOrEnd(line []byte) (Record, error) {
	if v, ok := strictjson.Member(line, "kind"); ok && v.Is(kindEnd) {
		return readEndDifference(line)
	}
	return readDifference(line)
}

func readDifference(line []byte) (Record, error) {
	in, err := read(differenceForm, line)
	if err == nil && ((in.Old == nil) != (in.Kind == DifferenceAdded) || (in.New == nil) != (in.Kind == DifferenceRemoved)) {
		err = refuse(codeRecordMember, "kind", "the kind does not agree with old and new", "write the record as the command does")
	}
	return Difference{in.Profile, in.Kind, (*Charge)(in.Old), (*Charge)(in.New)}, err
}

// MarshalJSON returns what AppendJSON appends.
func (d Difference) MarshalJSON() ([]byte, error) { return marshal(d) }

// An EndDifference is a profile whose end differs between two outputs.
type EndDifference struct {
	Profile  string
	Old, New *engine.End // nil if the output does not have the profile
}

// kindEnd is the member kind of an EndDifference.
const kindEnd = "end"

// AppendJSON appends the record, as [Record] says.
func (d EndDifference) AppendJSON(dst []byte) []byte {
	out := differenceJSON[string, endJSON]{Profile: d.Profile, Kind: kindEnd}
	if d.Old != nil {
		out.Old = new(endToJSON(d.Old))
	}
	if d.New != nil {
		out.New = new(endToJSON(d.New))
	}
	return appendRecord(dst, "difference", endDifferenceForm, &out)
}

func readEndDifference(line []byte) (Record, error) {
	in, err := read(endDifferenceForm, line)
	if err != nil {
		return nil, err
	}
	if in.Old == nil && in.New == nil {
		return nil, refuse(codeRecordMember, "old", "there is no end", "write the record as the command does")
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

// A DifferenceSummary is the last record of a comparison.
type DifferenceSummary struct {
	Added   int `json:"added" strict:"required,count"` // charges
	Removed int `json:"removed" strict:"required,count"`
	Moved   int `json:"moved" strict:"required,count"`
	Changed int `json:"changed" strict:"required,count"`
	Ends    int `json:"ends" strict:"required,count"` // profiles whose end differs
	// Compared are the rows that both sides have and can forecast; OldLeftOut and NewLeftOut those
	// with errors, which are not compared.
	Compared   uint64 `json:"compared" strict:"required,count"`
	OldLeftOut uint64 `json:"old_left_out" strict:"required,count"`
	NewLeftOut uint64 `json:"new_left_out" strict:"required,count"`
}

var differenceSummaryForm = formOf[DifferenceSummary]()

// AppendJSON appends the record, as [Record] says.
func (s DifferenceSummary) AppendJSON(dst []byte) []byte {
	return appendRecord(dst, "summary", differenceSummaryForm, &s)
}

// MarshalJSON returns what AppendJSON appends.
func (s DifferenceSummary) MarshalJSON() ([]byte, error) { return marshal(s) }
