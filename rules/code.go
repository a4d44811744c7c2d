package rules

// A Code names a rule. Its text is kebab-case and stable: scripts, overrides and
// suppressions rely on it. A Code is an error value, for errors.Is. The zero value is
// none.
type Code uint8

// The form in which the payload arrived.
const (
	NotAPayload Code = iota + 1
	PayloadMissing
	PayloadEmpty
	PayloadDuplicate
	ParameterExtra
	SignatureInBody
	FormEscape
	FormSemicolon
	FormName
	FormPlus
	LimitParameters
	Base64Wrapped
	Base64Space
	Base64URLSafe
	Base64Unpadded
	Base64StrayBits
	Base64Double
	Base64Syntax
)

// The text and its structure.
const (
	ByteOrderMark Code = Base64Syntax + iota + 1
	InvalidUTF8
	NULCharacter
	ControlCharacter
	NoHeader
	NoRows
	ColumnUnknown
	ColumnDuplicate
	ColumnMissing
	CSVSeparator
	CSVQuote
	CSVUnterminatedQuote
	CSVLineEnd
	CSVWidth
	CSVUnquoted
	BlankLine
	LimitBytes
	LimitRows
	LimitRow
	LimitCell
	LimitColumns
	LimitElements
)

// Any column.
const (
	MissingValue Code = LimitElements + iota + 1 // required
	TooLong
	TooShort
	BytesExceedLimit
	SurroundingSpace
	SrcOnlyOnDst
)

// Single columns.
const (
	CardTypeValue Code = SrcOnlyOnDst + iota + 1 // card-type
	OrderIDDuplicate
	OrderIDLikeCard
	CardNumberForm // card-number
	CardNumberShort
	CardNumberCheck
	CVV2Form
	ExpireYearForm  // expire-year
	ExpireMonthForm // expire-month
	ExpireMonthOneDigit
	AmountSyntax
	SequenceElement
	AmountZero
	AmountScale
	LeadingZero
	CurrencyUnknown
	ProjectCurrency
	CountryUnknown
	StateRequired
	StateUnknown
	EmailForm
	IPForm
	URLForm
	PeriodValue
	IntervalValue
	IntegerSyntax
	IntegerRange
	MaxNegative
	DateSyntax
	DateNotADay
	BirthdayFuture
	OrderDescLong
)

// Columns together, and what the engine says about the row.
const (
	AmountMissing Code = OrderDescLong + iota + 1
	AmountModes
	AmountHalfRange
	AmountOrder
	SchedulePair
	ScheduleOnDst
	CallbacksBoth
	CardExpired
	CardExpiresBeforeCharge
	StartAbsent
	StartPast
	FinishBeforeStart
	MaxZero
	MaxRepeatsUnreachable
	NeverCharges
	FinishUnreachable
	FirstChargeToday
)

// Updates of a stored profile.
const (
	ScriptColumn Code = FirstChargeToday + iota + 1
	ScriptEmpty
)

// Lines of a state or script file, of whatever kind. Package engine and the command find
// these; they have no place in a payload.
const (
	JSONSyntax Code = ScriptEmpty + iota + 1
	JSONType
	JSONUnknownField
	JSONDuplicateField
	LimitLine
)

// Saved states.
const (
	StateStatus Code = LimitLine + iota + 1
	StateRepeat
	StateConflict
	StatePaidRepeated
	StateProfileDuplicate
	StateProfileAmbiguous
	StateProfileUnknown
)

// Events and outcomes of a script.
const (
	ScriptVerb Code = StateProfileUnknown + iota + 1
	ScriptVia
	ScriptWhen
	ScriptOutcome
	ScriptOutcomeTwice
	ScriptOutcomeUnused
	ScriptBeforeAsOf
	ScriptProfileUnknown

	codeCount = ScriptProfileUnknown
)

// String is the kebab-case name; empty for none.
func (c Code) String() string { return c.Rule().Name }

// Error is the name and what the rule says.
func (c Code) Error() string { return c.String() + ": " + c.Rule().Text }

// AppendText appends the name; it never fails.
func (c Code) AppendText(b []byte) ([]byte, error) { return append(b, c.String()...), nil }

// MarshalText gives the name.
func (c Code) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// Rule is the line of the [Rules] table; the zero Rule for none.
func (c Code) Rule() Rule {
	if int(c) >= len(ruleTable) {
		return Rule{}
	}
	r := ruleTable[c]
	r.Code = c
	if r.Basis == 0 {
		r.Basis = r.Clause.Entry().Basis
	}
	if r.Fixed {
		r.Note = "in lines of state and script files; cannot be overridden"
	}
	return r
}

// ParseCode finds the code with exactly this name.
func ParseCode(name string) (Code, bool) {
	for c := NotAPayload; c <= codeCount; c++ {
		if ruleTable[c].Name == name {
			return c, true
		}
	}
	return 0, false
}
