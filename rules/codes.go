package rules

import "github.com/chargecast/chargecast/ledger"

// The codes of this package are stable: scripts, overrides and suppressions rely on them. [Rules]
// lists them with what they mean.

// The form in which the payload arrived.
const (
	NotAPayload      ledger.Code = "not-a-payload"
	PayloadMissing   ledger.Code = "payload-missing"
	PayloadEmpty     ledger.Code = "payload-empty"
	PayloadDuplicate ledger.Code = "payload-duplicate"
	ParameterExtra   ledger.Code = "parameter-extra"
	SignatureInBody  ledger.Code = "signature-in-body"
	FormEscape       ledger.Code = "form-escape"
	FormSemicolon    ledger.Code = "form-semicolon"
	FormName         ledger.Code = "form-name"
	FormPlus         ledger.Code = "form-plus"
	LimitParameters  ledger.Code = "limit-parameters"
	Base64Wrapped    ledger.Code = "base64-wrapped"
	Base64Space      ledger.Code = "base64-space"
	Base64URLSafe    ledger.Code = "base64-url-safe"
	Base64Unpadded   ledger.Code = "base64-unpadded"
	Base64StrayBits  ledger.Code = "base64-stray-bits"
	Base64Double     ledger.Code = "base64-double"
	Base64Syntax     ledger.Code = "base64-syntax"
)

// The text and its structure.
const (
	ByteOrderMark        ledger.Code = "byte-order-mark"
	InvalidUTF8          ledger.Code = "invalid-utf8"
	NULCharacter         ledger.Code = "nul-character"
	ControlCharacter     ledger.Code = "control-character"
	NoHeader             ledger.Code = "no-header"
	NoRows               ledger.Code = "no-rows"
	ColumnUnknown        ledger.Code = "column-unknown"
	ColumnDuplicate      ledger.Code = "column-duplicate"
	ColumnMissing        ledger.Code = "column-missing"
	CSVSeparator         ledger.Code = "csv-separator"
	CSVQuote             ledger.Code = "csv-quote"
	CSVUnterminatedQuote ledger.Code = "csv-unterminated-quote"
	CSVLineEnd           ledger.Code = "csv-line-end"
	CSVWidth             ledger.Code = "csv-width"
	CSVUnquoted          ledger.Code = "csv-unquoted"
	BlankLine            ledger.Code = "blank-line"
	LimitBytes           ledger.Code = "limit-bytes"
	LimitRows            ledger.Code = "limit-rows"
	LimitRow             ledger.Code = "limit-row"
	LimitCell            ledger.Code = "limit-cell"
	LimitColumns         ledger.Code = "limit-columns"
	LimitElements        ledger.Code = "limit-elements"
	LimitOrderIDs        ledger.Code = "limit-order-ids"
)

// Any column.
const (
	MissingValue     ledger.Code = "required"
	TooLong          ledger.Code = "too-long"
	TooShort         ledger.Code = "too-short"
	BytesExceedLimit ledger.Code = "bytes-exceed-limit"
	SurroundingSpace ledger.Code = "surrounding-space"
	SrcOnlyOnDst     ledger.Code = "src-only-on-dst"
)

// Single columns.
const (
	CardTypeValue       ledger.Code = "card-type"
	OrderIDDuplicate    ledger.Code = "orderid-duplicate"
	OrderIDLikeCard     ledger.Code = "orderid-like-card"
	CardNumberForm      ledger.Code = "card-number"
	CardNumberShort     ledger.Code = "card-number-short"
	CardNumberCheck     ledger.Code = "card-number-check"
	CVV2Form            ledger.Code = "cvv2-form"
	ExpireYearForm      ledger.Code = "expire-year"
	ExpireMonthForm     ledger.Code = "expire-month"
	ExpireMonthOneDigit ledger.Code = "expire-month-one-digit"
	AmountSyntax        ledger.Code = "amount-syntax"
	SequenceElement     ledger.Code = "sequence-element"
	AmountZero          ledger.Code = "amount-zero"
	AmountScale         ledger.Code = "amount-scale"
	LeadingZero         ledger.Code = "leading-zero"
	CurrencyUnknown     ledger.Code = "currency-unknown"
	ProjectCurrency     ledger.Code = "project-currency"
	CountryUnknown      ledger.Code = "country-unknown"
	StateRequired       ledger.Code = "state-required"
	StateUnknown        ledger.Code = "state-unknown"
	EmailForm           ledger.Code = "email-form"
	IPForm              ledger.Code = "ip-form"
	URLForm             ledger.Code = "url-form"
	PeriodValue         ledger.Code = "period-value"
	IntervalValue       ledger.Code = "interval-value"
	IntegerSyntax       ledger.Code = "integer-syntax"
	IntegerRange        ledger.Code = "integer-range"
	MaxNegative         ledger.Code = "max-negative"
	DateSyntax          ledger.Code = "date-syntax"
	DateNotADay         ledger.Code = "date-not-a-day"
	BirthdayFuture      ledger.Code = "birthday-future"
	OrderDescLong       ledger.Code = "order-desc-long"
)

// Columns together, and what the engine says about the row.
const (
	AmountMissing           ledger.Code = "amount-missing"
	AmountModes             ledger.Code = "amount-modes"
	AmountHalfRange         ledger.Code = "amount-half-range"
	AmountOrder             ledger.Code = "amount-order"
	SchedulePair            ledger.Code = "schedule-pair"
	ScheduleOnDst           ledger.Code = "schedule-on-dst"
	CallbacksBoth           ledger.Code = "callbacks-both"
	CardExpired             ledger.Code = "card-expired"
	CardExpiresBeforeCharge ledger.Code = "card-expires-before-charge"
	StartAbsent             ledger.Code = "start-absent"
	StartPast               ledger.Code = "start-past"
	FinishBeforeStart       ledger.Code = "finish-before-start"
	MaxZero                 ledger.Code = "max-zero"
	MaxRepeatsUnreachable   ledger.Code = "max-repeats-unreachable"
	NeverCharges            ledger.Code = "never-charges"
	FinishUnreachable       ledger.Code = "finish-unreachable"
	FirstChargeToday        ledger.Code = "first-charge-today"
)

// Updates of a stored profile.
const (
	ScriptColumn ledger.Code = "script-column"
	ScriptEmpty  ledger.Code = "script-empty"
)
