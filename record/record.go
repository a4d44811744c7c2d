package record

import (
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/internal/jsonline"
	"github.com/chargecast/chargecast/internal/strictjson"
	"github.com/chargecast/chargecast/ledger"
)

// A Record is one record of an output: a [Header], [Charge], [End], [Event], [Total],
// [ForecastSummary], [Difference], [EndDifference], [Money], [Problem], [Summary],
// [DifferenceSummary], [Reconciled], [Unexplained], [Reading] or [ReconcileSummary].
//
//sumtype:decl
type Record interface {
	// AppendJSON appends the record as a JSON object on one line, as [Parse] reads it. Where it has
	// reasons they are in the words of the default readings; [AppendExplained] has those of others.
	// A value that its type does not have, such as an unknown status, becomes an empty text, which
	// Parse refuses. MarshalJSON returns the same line; its error is a [ledger.Finding] about a
	// text that is not UTF-8 or has a NUL character.
	AppendJSON(dst []byte) []byte
	isRecord()
}

func (Header) isRecord()            {}
func (Charge) isRecord()            {}
func (End) isRecord()               {}
func (Event) isRecord()             {}
func (Total) isRecord()             {}
func (ForecastSummary) isRecord()   {}
func (Difference) isRecord()        {}
func (EndDifference) isRecord()     {}
func (Money) isRecord()             {}
func (Problem) isRecord()           {}
func (Summary) isRecord()           {}
func (DifferenceSummary) isRecord() {}
func (Reconciled) isRecord()        {}
func (Unexplained) isRecord()       {}
func (Reading) isRecord()           {}
func (ReconcileSummary) isRecord()  {}

// Each record is read from what its MarshalJSON returns, by [Parse]. On an error, such as one of
// another type of record, it is unchanged. A [Problem] has the form of its finding.

// UnmarshalJSON reads what MarshalJSON returns.
func (h *Header) UnmarshalJSON(data []byte) error { return unmarshal(data, h) }

// UnmarshalJSON reads what MarshalJSON returns.
func (c *Charge) UnmarshalJSON(data []byte) error { return unmarshal(data, c) }

// UnmarshalJSON reads what MarshalJSON returns.
func (e *End) UnmarshalJSON(data []byte) error { return unmarshal(data, e) }

// UnmarshalJSON reads what MarshalJSON returns.
func (e *Event) UnmarshalJSON(data []byte) error { return unmarshal(data, e) }

// UnmarshalJSON reads what MarshalJSON returns.
func (t *Total) UnmarshalJSON(data []byte) error { return unmarshal(data, t) }

// UnmarshalJSON reads what MarshalJSON returns.
func (f *ForecastSummary) UnmarshalJSON(data []byte) error { return unmarshal(data, f) }

// UnmarshalJSON reads what MarshalJSON returns.
func (d *Difference) UnmarshalJSON(data []byte) error { return unmarshal(data, d) }

// UnmarshalJSON reads what MarshalJSON returns.
func (e *EndDifference) UnmarshalJSON(data []byte) error { return unmarshal(data, e) }

// UnmarshalJSON reads what MarshalJSON returns.
func (m *Money) UnmarshalJSON(data []byte) error { return unmarshal(data, m) }

// UnmarshalJSON reads what MarshalJSON returns.
func (s *Summary) UnmarshalJSON(data []byte) error { return unmarshal(data, s) }

// UnmarshalJSON reads what MarshalJSON returns.
func (d *DifferenceSummary) UnmarshalJSON(data []byte) error { return unmarshal(data, d) }

// UnmarshalJSON reads what MarshalJSON returns.
func (r *Reconciled) UnmarshalJSON(data []byte) error { return unmarshal(data, r) }

// UnmarshalJSON reads what MarshalJSON returns.
func (u *Unexplained) UnmarshalJSON(data []byte) error { return unmarshal(data, u) }

// UnmarshalJSON reads what MarshalJSON returns.
func (r *Reading) UnmarshalJSON(data []byte) error { return unmarshal(data, r) }

// UnmarshalJSON reads what MarshalJSON returns.
func (r *ReconcileSummary) UnmarshalJSON(data []byte) error { return unmarshal(data, r) }

// A Problem is a finding about an input.
type Problem struct{ ledger.Finding }

func readProblem(line []byte) (Record, error) {
	var p Problem
	err := p.UnmarshalJSON(line)
	return p, err
}

// A Summary is the last record of a validation.
type Summary struct {
	Rows             int  `json:"rows" strict:"required,count"`
	Valid            int  `json:"valid" strict:"required,count"`
	Errors           int  `json:"errors" strict:"required,count"`
	Warnings         int  `json:"warnings" strict:"required,count"`
	CurrencyChecked  bool `json:"currency_checked"`                // currencies were compared with the project's
	OrderIDsChecked  int  `json:"orderids_checked" strict:"count"` // rows among which a repeated client-orderid was looked for
	OrderIDsComplete bool `json:"orderids_complete"`               // … which are all
	CutOff           bool `json:"cut_off,omitzero"`                // the input could not be read to its end, which is one of the Errors
}

var summaryForm = formOf[Summary]()

// AppendJSON appends the record, as [Record] says.
func (s Summary) AppendJSON(dst []byte) []byte { return appendRecord(dst, "summary", summaryForm, &s) }

// MarshalJSON returns what AppendJSON appends.
func (s Summary) MarshalJSON() ([]byte, error) { return marshal(s) }

// A ForecastSummary is the last record of a forecast or a simulation: what its answer has, and what
// is not in it. An output without it is not whole.
type ForecastSummary struct {
	Profiles    uint64 `json:"profiles" strict:"required,count"`     // in the answer, each of which has an end
	LeftOut     uint64 `json:"left_out" strict:"required,count"`     // rows with errors
	TakenAsNew  uint64 `json:"taken_as_new" strict:"required,count"` // profiles that start before as-of and have no state
	Charges     uint64 `json:"charges" strict:"required,count"`      // approved, in the window
	CardExpired uint64 `json:"card_expired" strict:"required,count"` // of these, after the last day of the card
	Unsendable  uint64 `json:"unsendable" strict:"required,count"`   // profiles whose rows have an error in a column on which no charge depends
	// Unused is, of a simulation, how many lines of its script had no effect, such as outcomes that
	// no attempt had; nil in a forecast.
	Unused *uint64 `json:"unused,omitzero" strict:"count"`
}

var forecastSummaryForm = formOf[ForecastSummary]()

// Count counts a profile with its charges.
func (s *ForecastSummary) Count(t *amount.Tally) {
	s.Profiles++
	s.Charges += t.Charges
	s.CardExpired += t.CardExpired.Charges
}

// Merge adds what another answer has, and what is not in it.
func (s *ForecastSummary) Merge(o ForecastSummary) {
	s.Profiles += o.Profiles
	s.LeftOut += o.LeftOut
	s.TakenAsNew += o.TakenAsNew
	s.Charges += o.Charges
	s.CardExpired += o.CardExpired
	s.Unsendable += o.Unsendable
	switch {
	case s.Unused == nil:
		s.Unused = o.Unused
	case o.Unused != nil:
		s.Unused = new(*s.Unused + *o.Unused)
	}
}

// AppendJSON appends the record, as [Record] says.
func (s ForecastSummary) AppendJSON(dst []byte) []byte {
	return appendRecord(dst, "summary", forecastSummaryForm, &s)
}

// MarshalJSON returns what AppendJSON appends.
func (s ForecastSummary) MarshalJSON() ([]byte, error) { return marshal(s) }

// formOf returns the form of records of a type: they may gain members, so unknown ones are ignored.
func formOf[T any]() *strictjson.Form[T] {
	f := strictjson.FormOf[T]()
	f.Lenient, f.Code, f.Missing = true, string(codeRecordMember), "write the record as the command does"
	return f
}

// appendRecord appends a record of a type by its form.
func appendRecord[T any](dst []byte, kind string, form *strictjson.Form[T], v *T) []byte {
	dst = append(append(append(dst, `{"type":"`...), kind...), '"')
	return append(form.AppendMembers(dst, v), '}')
}

// read reads an object by its form.
func read[T any](form *strictjson.Form[T], text []byte) (in T, err error) {
	err = jsonline.Read(form, text, &in)
	return in, err
}

// Parse reads a line with one record. The names of its members are exact, each is there at most
// once, and those that it does not know are ignored, since records may gain members. Of reasons it
// reads the clauses. The error is a [ledger.Finding] with the column and the member.
func Parse(line []byte) (Record, error) {
	kind, _ := strictjson.Member(line, "type")
	for _, r := range readers {
		if !kind.Is(r.kind) || r.only != "" && !hasMember(line, r.only) {
			continue
		}
		rec, err := r.read(line)
		if err != nil {
			return nil, err
		}
		return rec, nil
	}
	if _, err := read(typeForm, line); err != nil {
		return nil, err
	}
	return nil, refuse(codeRecordType, "type", "no such type of record", "perhaps a newer version wrote it")
}

// readers are the readers of records by their type. Of several for one type, that is used whose own
// member the line has.
var readers = [...]struct {
	kind, only string
	read       func(line []byte) (Record, error)
}{
	{kind: "header", read: readHeader},
	{kind: "charge", read: readCharge},
	{kind: "end", read: readEnd},
	{kind: "event", read: readEvent},
	{kind: "total", read: readTotal},
	{kind: "difference", read: readDifferenceOrEnd},
	{kind: "money", read: readMoney},
	{kind: "problem", read: readProblem},
	{kind: "reconciled", read: readReconciled},
	{kind: "unexplained", read: readUnexplained},
	{kind: "reading", read: readerOf(readingForm)},
	{kind: "summary", only: "added", read: readerOf(differenceSummaryForm)},
	{kind: "summary", only: "matched", read: readerOf(reconcileSummaryForm)},
	{kind: "summary", only: "profiles", read: readerOf(forecastSummaryForm)},
	{kind: "summary", read: readerOf(summaryForm)},
}

func hasMember(line []byte, name string) bool {
	_, ok := strictjson.Member(line, name)
	return ok
}

// readerOf returns the reader of records that are written as they are.
func readerOf[R Record](form *strictjson.Form[R]) func(line []byte) (Record, error) {
	return func(line []byte) (Record, error) { return read(form, line) }
}

var typeForm = formOf[struct {
	Type string `json:"type" strict:"required"`
}]()

func refuse(code ledger.Code, field, message, help string) error {
	return jsonline.In(jsonline.Fault(code, 1, message, help), field)
}

// marshal returns what AppendJSON appends.
func marshal(r Record) ([]byte, error) {
	if err := checkTexts(reflect.ValueOf(r)); err != nil {
		return nil, err
	}
	return r.AppendJSON(nil), nil
}

// unmarshal reads a line with a record of one type.
func unmarshal[R Record](line []byte, to *R) error {
	r, err := Parse(line)
	if err != nil {
		return err
	}
	read, ok := r.(R)
	if !ok {
		return refuse(codeRecordType, "type", "another type of record", "read it with record.Parse")
	}
	*to = read
	return nil
}

// checkTexts returns what no reader of JSON accepts in the strings of a value.
func checkTexts(v reflect.Value) error {
	switch v.Kind() {
	case reflect.String:
		return checkText(v.String())
	case reflect.Struct:
		for _, field := range v.Fields() {
			if err := checkTexts(field); err != nil {
				return err
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			if err := checkTexts(v.Index(i)); err != nil {
				return err
			}
		}
	case reflect.Pointer:
		if !v.IsNil() {
			return checkTexts(v.Elem())
		}
	}
	return nil
}

func checkText(s string) error {
	switch {
	case strings.IndexByte(s, 0) >= 0:
		return jsonline.Fault(jsonline.CodeNUL, 1, "the text has a NUL character", "remove it")
	case !utf8.ValidString(s):
		return jsonline.Fault(jsonline.CodeUTF8, 1, "the text is not UTF-8", "write it in UTF-8")
	}
	return nil
}
