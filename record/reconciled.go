package record

import (
	"strconv"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/enum"
	"github.com/chargecast/chargecast/internal/strictjson"
)

// A Match is what became of an expected charge, or of an actual one. The zero value is none.
type Match uint8

// The matches.
const (
	Matched       Match = iota + 1 // the charge took place on its day
	MatchedLate                    // … up to the lag after its day
	MatchedAmount                  // another amount was charged on its day
	Missing                        // the charge did not take place
	Extra                          // no charge was expected
	Unknown                        // of no profile that is forecast, in another currency, or of no positive amount
)

var matchWords = enum.Words{Type: "Match", Words: []string{"", "matched", "late", "amount", "missing", "extra", "unknown"}}

// String returns the word that outputs use; it is empty for none.
func (m Match) String() string { return matchWords.String(uint8(m)) }

// MarshalText returns the word; a value that is not a Match is an error.
func (m Match) MarshalText() ([]byte, error) { return matchWords.Marshal(uint8(m)) }

// UnmarshalText reads what MarshalText writes. On an error m is unchanged.
func (m *Match) UnmarshalText(text []byte) error { return matchWords.Unmarshal(text, (*uint8)(m)) }

// An ActualOutcome is how an actual charge ended. The zero value is not known.
type ActualOutcome uint8

// The outcomes.
const (
	ActualApproved ActualOutcome = iota + 1
	ActualDeclined
	ActualNone // one looked, and nothing was charged
)

var actualWords = enum.Words{Type: "ActualOutcome", Words: []string{"", "approved", "declined", "none"}}

// String returns the word that files of actuals use; it is empty for an outcome that is not known.
func (o ActualOutcome) String() string { return actualWords.String(uint8(o)) }

// MarshalText returns the word; a value that is not an ActualOutcome is an error.
func (o ActualOutcome) MarshalText() ([]byte, error) { return actualWords.Marshal(uint8(o)) }

// UnmarshalText reads what MarshalText writes. On an error o is unchanged.
func (o *ActualOutcome) UnmarshalText(text []byte) error {
	return actualWords.Unmarshal(text, (*uint8)(o))
}

// An Actual is a charge that took place, as a line of a file says it.
type Actual struct {
	File     string // the input, where there are several; else empty
	Line     int    // of the file, from 1
	Date     calendar.Date
	Amount   amount.Amount // not used with ActualNone
	Negative bool          // money went back: Amount has no sign
	Currency string        // empty: not given
	Outcome  ActualOutcome
	ID       string // that of the transaction, or what the file calls so; empty: not given
}

// A signed is an amount that may be below zero.
type signed struct {
	of       amount.Amount
	negative bool
}

// MarshalText returns the amount with its sign.
func (s signed) MarshalText() ([]byte, error) { return s.append(nil), nil }

func (s signed) append(dst []byte) []byte {
	if s.negative {
		dst = append(dst, '-')
	}
	return s.of.Append(dst)
}

// UnmarshalText reads what MarshalText writes.
func (s *signed) UnmarshalText(text []byte) error {
	read := signed{negative: len(text) > 0 && text[0] == '-'}
	if read.negative {
		text = text[1:]
	}
	err := read.of.UnmarshalText(text)
	if err == nil {
		*s = read
	}
	return err
}

// A Reconciled is an expected charge with the actual one, or one of the two alone.
type Reconciled struct {
	Profile  string
	File     string // of the row, where there are several; else empty
	Row      int    // 0: there is none
	Kind     Match
	Expected *Charge // nil for none; its Profile, File and Row are not written, its reasons by [Writer.Reconcile] alone
	Actual   *Actual // nil for none
}

// AppendJSON appends the record, as [Record] says.
func (r Reconciled) AppendJSON(dst []byte) []byte {
	var e encoder
	e.startReconciled(Subject{Profile: r.Profile, File: r.File, Row: r.Row})
	var expected *engine.Charge
	if r.Expected != nil {
		e.of.Currency, e.of.Callback = r.Expected.Currency, r.Expected.Callback
		expected = &r.Expected.Charge
	}
	return e.reconciled(dst, r.Kind, expected, r.Actual)
}

// startReconciled turns to the next profile of a reconciliation.
func (e *encoder) startReconciled(s Subject) {
	e.of = s
	e.profile = s.append(append(e.profile[:0], `{"type":"reconciled"`...))
	if s.Row > 0 {
		e.profile = strconv.AppendInt(e.profile, int64(s.Row), 10)
	} else {
		e.profile = append(e.profile, "null"...)
	}
	e.head = append(e.head[:0], `{"repeat":`...)
	e.line.Clear()
}

// reconciled appends a record of the profile.
func (e *encoder) reconciled(dst []byte, kind Match, expected *engine.Charge, actual *Actual) []byte {
	dst = append(append(append(append(dst, e.profile...), `,"kind":"`...), matchWords.String(uint8(kind))...), `","expected":`...)
	if expected == nil {
		dst = append(dst, "null"...)
	} else {
		dst = e.charge(dst, expected)
	}
	return append(appendActual(append(dst, `,"actual":`...), actual), '}')
}

func appendActual(dst []byte, a *Actual) []byte {
	if a == nil {
		return append(dst, "null"...)
	}
	dst = append(dst, '{')
	if a.File != "" {
		dst = append(strictjson.AppendString(append(dst, `"file":`...), a.File), ',')
	}
	dst = strconv.AppendInt(append(dst, `"line":`...), int64(a.Line), 10)
	dst = a.Date.Append(append(dst, `,"date":"`...))
	dst = append(dst, `","amount":`...)
	if a.Outcome == ActualNone {
		dst = append(dst, "null"...)
	} else {
		dst = append(signed{a.Amount, a.Negative}.append(append(dst, '"')), '"')
	}
	dst = appendOrNull(append(dst, `,"currency":`...), a.Currency)
	dst = appendOrNull(append(dst, `,"outcome":`...), a.Outcome.String())
	return append(appendOrNull(append(dst, `,"id":`...), a.ID), '}')
}

// appendOrNull appends a string; null for the empty one.
func appendOrNull(dst []byte, s string) []byte {
	if s == "" {
		return append(dst, "null"...)
	}
	return strictjson.AppendString(dst, s)
}

// An actualJSON is an Actual as it is read.
type actualJSON struct {
	File     string         `json:"file,omitzero"`
	Line     int            `json:"line" strict:"required,count"`
	Date     calendar.Date  `json:"date" strict:"required"`
	Amount   *signed        `json:"amount" strict:"required,code=amount-syntax"`
	Currency *string        `json:"currency" strict:"required"`
	Outcome  *ActualOutcome `json:"outcome" strict:"required"`
	ID       *string        `json:"id" strict:"required"`
}

var reconciledForm = formOf[struct {
	Profile  string      `json:"profile" strict:"required"`
	File     string      `json:"file,omitzero"`
	Row      *int        `json:"row" strict:"required,count"`
	Kind     Match       `json:"kind" strict:"required"`
	Expected *chargeSide `json:"expected" strict:"required"`
	Actual   *actualJSON `json:"actual" strict:"required"`
}]()

func readReconciled(line []byte) (Record, error) {
	in, err := read(reconciledForm, line)
	r := Reconciled{Profile: in.Profile, File: in.File, Kind: in.Kind, Expected: (*Charge)(in.Expected)}
	if in.Row != nil {
		r.Row = *in.Row
	}
	if in.Actual != nil {
		r.Actual = in.Actual.actual()
	}
	if err == nil && !r.hasSides() {
		err = refuse(codeRecordMember, "kind", "the kind does not agree with expected and actual", "write the record as the command does")
	}
	return r, err
}

// hasSides reports whether the sides that the kind of the record needs are there, and no other.
func (r *Reconciled) hasSides() bool {
	switch r.Kind {
	case Matched:
		return r.Expected != nil || r.Actual != nil
	case MatchedLate, MatchedAmount:
		return r.Expected != nil && r.Actual != nil
	case Missing:
		return r.Expected != nil
	case Extra, Unknown:
		return r.Expected == nil && r.Actual != nil
	}
	return false
}

func (in *actualJSON) actual() *Actual {
	a := &Actual{File: in.File, Line: in.Line, Date: in.Date, Currency: textOf(in.Currency), ID: textOf(in.ID)}
	if in.Amount != nil {
		a.Amount, a.Negative = in.Amount.of, in.Amount.negative
	}
	if in.Outcome != nil {
		a.Outcome = *in.Outcome
	}
	return a
}

// textOf returns the text of a member that may be null or left out.
func textOf(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// MarshalJSON returns what AppendJSON appends.
func (r Reconciled) MarshalJSON() ([]byte, error) { return marshal(r) }

// An Unexplained is a profile whose actual charges no policy explains whole.
type Unexplained struct {
	Profile string
	Nearest string     // the policy that comes nearest: KEY=VALUE,… of the keys that the profile depends on
	First   Reconciled // what it does not explain first
}

// An unexplainedJSON is an Unexplained as it is written.
type unexplainedJSON struct {
	Profile string          `json:"profile" strict:"required"`
	Nearest string          `json:"nearest" strict:"required"`
	First   firstReconciled `json:"first" strict:"required"`
}

// A firstReconciled is a record within a record.
type firstReconciled Reconciled

// MarshalJSON returns the record.
func (r firstReconciled) MarshalJSON() ([]byte, error) { return Reconciled(r).AppendJSON(nil), nil }

// UnmarshalJSON reads what MarshalJSON writes.
func (r *firstReconciled) UnmarshalJSON(data []byte) error {
	read, err := readReconciled(data)
	*r = firstReconciled(read.(Reconciled))
	return err
}

var unexplainedForm = formOf[unexplainedJSON]()

// AppendJSON appends the record, as [Record] says.
func (u Unexplained) AppendJSON(dst []byte) []byte {
	return appendRecord(dst, "unexplained", unexplainedForm, &unexplainedJSON{u.Profile, u.Nearest, firstReconciled(u.First)})
}

func readUnexplained(line []byte) (Record, error) {
	in, err := read(unexplainedForm, line)
	return Unexplained{in.Profile, in.Nearest, Reconciled(in.First)}, err
}

// MarshalJSON returns what AppendJSON appends.
func (u Unexplained) MarshalJSON() ([]byte, error) { return marshal(u) }

// A Verdict is what actual charges say of a value of a policy key. The zero value is none.
type Verdict uint8

// The verdicts.
const (
	VerdictObserved     Verdict = iota + 1 // some profile shows it, and none speaks against it
	VerdictRefuted                         // some profile speaks against it, and none shows it
	VerdictOpen                            // no profile tells
	VerdictContradicted                    // profiles disagree
)

var verdictWords = enum.Words{Type: "Verdict", Words: []string{"", "observed", "refuted", "open", "contradicted"}}

// String returns the word that outputs use; it is empty for none.
func (v Verdict) String() string { return verdictWords.String(uint8(v)) }

// MarshalText returns the word; a value that is not a Verdict is an error.
func (v Verdict) MarshalText() ([]byte, error) { return verdictWords.Marshal(uint8(v)) }

// UnmarshalText reads what MarshalText writes. On an error v is unchanged.
func (v *Verdict) UnmarshalText(text []byte) error { return verdictWords.Unmarshal(text, (*uint8)(v)) }

// A Reading is what actual charges say of a value of a policy key.
type Reading struct {
	Key     string     `json:"key" strict:"required"`
	Value   string     `json:"value" strict:"required"`
	Verdict Verdict    `json:"verdict" strict:"required"`
	For     int        `json:"for" strict:"required,count"`     // profiles that only policies with this value explain
	Against int        `json:"against" strict:"required,count"` // … that only policies without it explain
	Decided *DecidedBy `json:"decided_by" strict:"required"`    // nil unless observed
}

// A DecidedBy is the profile that showed a reading, and the day up to which no policy with another
// value explains it.
type DecidedBy struct {
	Profile string        `json:"profile" strict:"required"`
	Date    calendar.Date `json:"date" strict:"required"`
}

var readingForm = formOf[Reading]()

// AppendJSON appends the record, as [Record] says.
func (r Reading) AppendJSON(dst []byte) []byte { return appendRecord(dst, "reading", readingForm, &r) }

// MarshalJSON returns what AppendJSON appends.
func (r Reading) MarshalJSON() ([]byte, error) { return marshal(r) }

// A ReconcileSummary is the last record of a reconciliation.
type ReconcileSummary struct {
	LeftOut     uint64 `json:"left_out" strict:"required,count"` // rows with errors, or with the client-orderid of another
	Matched     uint64 `json:"matched" strict:"required,count"`
	Late        uint64 `json:"late" strict:"required,count"`
	Amount      uint64 `json:"amount" strict:"required,count"`
	Missing     uint64 `json:"missing" strict:"required,count"`
	Extra       uint64 `json:"extra" strict:"required,count"`
	Unknown     uint64 `json:"unknown" strict:"required,count"`
	After       uint64 `json:"after" strict:"required,count"`       // lines after the last day, which have no record
	Other       uint64 `json:"other" strict:"required,count"`       // lines that are passed over, as they are about others
	Unreadable  uint64 `json:"unreadable" strict:"required,count"`  // lines with a problem, which have no record
	Unexplained uint64 `json:"unexplained" strict:"required,count"` // profiles
	Policy      string `json:"policy" strict:"required"`            // the values observed, KEY=VALUE,…; may be empty
}

// Count counts a record.
func (s *ReconcileSummary) Count(m Match) {
	switch m {
	case Matched:
		s.Matched++
	case MatchedLate:
		s.Late++
	case MatchedAmount:
		s.Amount++
	case Missing:
		s.Missing++
	case Extra:
		s.Extra++
	case Unknown:
		s.Unknown++
	}
}

// Agrees reports whether all that was expected took place, if late, and nothing else, and every row
// was taken and every line read.
func (s *ReconcileSummary) Agrees() bool {
	return s.LeftOut == 0 && s.Unreadable == 0 && s.Amount == 0 && s.Missing == 0 && s.Extra == 0 && s.Unknown == 0 && s.Unexplained == 0
}

var reconcileSummaryForm = formOf[ReconcileSummary]()

// AppendJSON appends the record, as [Record] says.
func (s ReconcileSummary) AppendJSON(dst []byte) []byte {
	return appendRecord(dst, "summary", reconcileSummaryForm, &s)
}

// MarshalJSON returns what AppendJSON appends.
func (s ReconcileSummary) MarshalJSON() ([]byte, error) { return marshal(s) }
