package rules

import (
	"errors"
	"iter"
	"math/bits"

	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/internal/enum"
	"github.com/chargecast/chargecast/ledger"
)

// A Column is one of the 33 columns of clause 2.1, in the document's order. The zero value is none.
type Column uint8

// The columns.
const (
	ColumnCardType          Column = iota + 1 // rp_card_type
	ColumnOrderID                             // client-orderid
	ColumnCardNumber                          // credit-card-number
	ColumnCVV2                                // cvv2
	ColumnCardPrintedName                     // card-printed-name
	ColumnExpireYear                          // expire-year
	ColumnExpireMonth                         // expire-month
	ColumnAmount                              // amount
	ColumnAmountFrom                          // amount-from
	ColumnAmountTo                            // amount-to
	ColumnAmountSequence                      // amount-sequence
	ColumnCurrency                            // currency
	ColumnCountry                             // country
	ColumnCity                                // city
	ColumnZipCode                             // zip-code
	ColumnAddress1                            // address1
	ColumnFirstName                           // first-name
	ColumnLastName                            // last-name
	ColumnEmail                               // email
	ColumnPeriod                              // period
	ColumnInterval                            // interval
	ColumnOrderDesc                           // order_desc
	ColumnCustomerIP                          // customer-ip
	ColumnSSN                                 // ssn
	ColumnBirthday                            // birthday
	ColumnPhone                               // phone
	ColumnState                               // state
	ColumnStartDate                           // start-date
	ColumnFinishDate                          // finish-date
	ColumnMaxRepeatsNumber                    // max-repeats-number
	ColumnPurpose                             // purpose
	ColumnNotifyURL                           // notify_url
	ColumnServerCallbackURL                   // server_callback_url

	columnCount = iota
)

// String returns the column's name in the payload; the empty string for a value that names none.
func (c Column) String() string { return c.Spec().Name }

// MarshalText returns the column's name, which is empty for the zero Column; another value that names no column is an error.
func (c Column) MarshalText() ([]byte, error) {
	if c > columnCount {
		return nil, enum.ErrUnnamed
	}
	return []byte(c.String()), nil
}

// UnmarshalText reads what MarshalText writes. On an error c is unchanged.
func (c *Column) UnmarshalText(text []byte) error {
	named, ok := ColumnOf(string(text))
	if !ok && len(text) > 0 {
		return errors.New("rules: not the name of a column")
	}
	*c = named
	return nil
}

// Spec returns the line of the [Columns] table; the zero Spec if c names no column.
func (c Column) Spec() Spec {
	if int(c) >= len(columns) {
		return Spec{}
	}
	return columns[c]
}

// ColumnOf returns the column with exactly this name (L42); false if there is none.
func ColumnOf(name string) (Column, bool) {
	for c := ColumnCardType; c <= columnCount; c++ {
		if columns[c].Name == name {
			return c, true
		}
	}
	return 0, false
}

// The letters of the document's table.
const (
	required    = "R" // always, or always on SRC where the column is for SRC only (X5)
	conditional = "C"
	optional    = "O"
)

// A privacy is how much of a column's values may be shown. The zero value shows all but runs of 12
// and more digits, which may be a card number in the wrong column.
type privacy uint8

const (
	plain   privacy = iota
	masked          // nothing: names, e-mail, phone, ssn, birthday, cvv2
	edges           // at most the first 6 and the last 4 digits: the card number
	address         // scheme, host and path: a callback address may have a password or a token
)

// A Spec is the line of clause 2.1 about one column, as the ledger reads it.
type Spec struct {
	Column Column
	Name   string // as in the header row
	// Need is the document's letter: R required (on SRC only, if the column is for SRC only: X5),
	// C conditional, O optional.
	Need string
	kind valueKind
	// Max is the limit in characters (L41), Min the least number of them; 0 where the kind of value
	// sets the bounds itself. In amount-sequence both hold for each element (X4).
	Min, Max int
	// Warn is the number of characters above which a value within Max warns (L40); 0 where there is
	// none.
	Warn int
	// SourceOnly reports that only SRC supports the column.
	SourceOnly bool
	// Condition is when a conditional column is required, in words.
	Condition string
	privacy   privacy
	uses      uses
	// Clause is that of the limit.
	Clause ledger.Clause
}

// uses are what a column is for, as bits.
type uses uint8

const (
	useAmount   uses = 1 << iota // it is one of those that give the amount
	useDates                     // the dates of charges depend on it
	useSchedule                  // it is checked even if only the schedule is read
	useFixed                     // an update cannot change it
	useSource                    // SRC requires it, although the document's letter is C

	useCharge = useAmount | useSchedule
	useDay    = useDates | useSchedule
)

// Kind returns the kind of value in a word or two, such as "date" or "whole number"; empty for the
// zero Spec.
func (s Spec) Kind() string { return kinds[s.kind].name }

// Columns yields the table of clause 2.1 in the document's order.
func Columns() iter.Seq[Spec] {
	return func(yield func(Spec) bool) {
		for _, s := range columns[1:] {
			if !yield(s) {
				return
			}
		}
	}
}

const (
	forSource  = "rp_card_type is SRC"
	noOther    = "no other amount choice is made"
	withPeriod = "the other of period and interval is given"
)

// columns is the one table of columns; index 0 is the zero Column.
var columns = [columnCount + 1]Spec{
	ColumnCardType:          {ColumnCardType, "rp_card_type", required, valueCardType, 0, 0, 0, false, "", plain, useDay | useFixed, clause.Doc21},
	ColumnOrderID:           {ColumnOrderID, "client-orderid", required, valueText, 0, 128, 0, false, "", plain, useSchedule | useFixed, clause.Doc21},
	ColumnCardNumber:        {ColumnCardNumber, "credit-card-number", required, valueCard, 0, 19, 0, false, "", edges, useFixed, clause.Doc21},
	ColumnCVV2:              {ColumnCVV2, "cvv2", optional, valueCVV, 0, 0, 0, false, "", masked, useFixed, clause.Doc21},
	ColumnCardPrintedName:   {ColumnCardPrintedName, "card-printed-name", conditional, valueText, 0, 128, 0, false, forSource, masked, useFixed | useSource, clause.Doc21},
	ColumnExpireYear:        {ColumnExpireYear, "expire-year", conditional, valueYear, 0, 0, 0, false, forSource, plain, useFixed | useSource, clause.L39},
	ColumnExpireMonth:       {ColumnExpireMonth, "expire-month", conditional, valueMonth, 0, 0, 0, false, forSource, plain, useFixed | useSource, clause.L39},
	ColumnAmount:            {ColumnAmount, "amount", conditional, valueAmount, 0, 10, 0, false, noOther, plain, useCharge, clause.L35},
	ColumnAmountFrom:        {ColumnAmountFrom, "amount-from", conditional, valueAmount, 0, 10, 0, false, noOther, plain, useCharge, clause.L35},
	ColumnAmountTo:          {ColumnAmountTo, "amount-to", conditional, valueAmount, 0, 10, 0, false, noOther, plain, useCharge, clause.L35},
	ColumnAmountSequence:    {ColumnAmountSequence, "amount-sequence", conditional, valueAmounts, 0, 10, 0, false, noOther, plain, useCharge, clause.X4},
	ColumnCurrency:          {ColumnCurrency, "currency", required, valueCurrency, 0, 3, 0, false, "", plain, useSchedule | useFixed, clause.Doc21},
	ColumnCountry:           {ColumnCountry, "country", required, valueCountry, 0, 2, 0, true, "", plain, 0, clause.Doc21},
	ColumnCity:              {ColumnCity, "city", required, valueText, 0, 128, 0, true, "", plain, 0, clause.Doc21},
	ColumnZipCode:           {ColumnZipCode, "zip-code", required, valueText, 0, 10, 0, true, "", plain, 0, clause.Doc21},
	ColumnAddress1:          {ColumnAddress1, "address1", required, valueText, 0, 256, 0, true, "", plain, 0, clause.Doc21},
	ColumnFirstName:         {ColumnFirstName, "first-name", required, valueText, 0, 128, 0, true, "", masked, 0, clause.Doc21},
	ColumnLastName:          {ColumnLastName, "last-name", required, valueText, 0, 128, 0, true, "", masked, 0, clause.Doc21},
	ColumnEmail:             {ColumnEmail, "email", required, valueEmail, 0, 128, 0, true, "", masked, 0, clause.Doc21},
	ColumnPeriod:            {ColumnPeriod, "period", conditional, valuePeriod, 0, 0, 0, true, withPeriod, plain, useDay, clause.Doc21},
	ColumnInterval:          {ColumnInterval, "interval", conditional, valueInteger, 0, 0, 0, true, withPeriod, plain, useDay, clause.Doc21},
	ColumnOrderDesc:         {ColumnOrderDesc, "order_desc", optional, valueText, 0, 66_560, 65_000, false, "", plain, 0, clause.L40},
	ColumnCustomerIP:        {ColumnCustomerIP, "customer-ip", optional, valueIP, 0, 45, 0, false, "", plain, 0, clause.Doc21},
	ColumnSSN:               {ColumnSSN, "ssn", optional, valueText, 0, 32, 0, true, "", masked, 0, clause.Doc21},
	ColumnBirthday:          {ColumnBirthday, "birthday", optional, valueDate, 0, 0, 0, true, "", masked, 0, clause.X3},
	ColumnPhone:             {ColumnPhone, "phone", optional, valueText, 0, 128, 0, true, "", masked, 0, clause.Doc21},
	ColumnState:             {ColumnState, "state", optional, valueState, 2, 3, 0, true, "country is US, CA or AU", plain, 0, clause.Doc21},
	ColumnStartDate:         {ColumnStartDate, "start-date", optional, valueDate, 0, 0, 0, false, "", plain, useDay, clause.X3},
	ColumnFinishDate:        {ColumnFinishDate, "finish-date", optional, valueDate, 0, 0, 0, false, "", plain, useDay, clause.X3},
	ColumnMaxRepeatsNumber:  {ColumnMaxRepeatsNumber, "max-repeats-number", optional, valueInteger, 0, 0, 0, false, "", plain, useDay, clause.Doc21},
	ColumnPurpose:           {ColumnPurpose, "purpose", optional, valueText, 0, 128, 0, true, "", plain, 0, clause.Doc21},
	ColumnNotifyURL:         {ColumnNotifyURL, "notify_url", optional, valueURL, 0, 1024, 0, false, "", address, 0, clause.X13},
	ColumnServerCallbackURL: {ColumnServerCallbackURL, "server_callback_url", optional, valueURL, 0, 128, 0, false, "", address, 0, clause.X13},
}

// A columnSet is a set of columns, one bit each.
type columnSet uint64

func (s columnSet) has(c Column) bool { return s>>c&1 == 1 }

func (s *columnSet) add(c Column) { *s |= 1 << c }

// names are the names of the columns, in the document's order.
func (s columnSet) names() (list []string) {
	for spec := range Columns() {
		if s.has(spec.Column) {
			list = append(list, spec.Name)
		}
	}
	return list
}

// columnsWhere is the set of columns for which keep holds.
func columnsWhere(keep func(Spec) bool) columnSet {
	var set columnSet
	for s := range Columns() {
		if keep(s) {
			set.add(s.Column)
		}
	}
	return set
}

func columnsOf(use uses) columnSet { return columnsWhere(func(s Spec) bool { return s.uses&use != 0 }) }

// Sets of columns of one property.
var (
	requiredAlways  = columnsWhere(func(s Spec) bool { return s.Need == required && !s.SourceOnly })
	requiredOnSRC   = columnsWhere(func(s Spec) bool { return s.Need == required || s.uses&useSource != 0 })
	sourceOnly      = columnsWhere(func(s Spec) bool { return s.SourceOnly })
	amountColumns   = columnsOf(useAmount)
	dateColumns     = columnsOf(useDates)
	chargeColumns   = amountColumns | dateColumns // a row without one of them cannot be used
	scheduleColumns = columnsOf(useSchedule)      // those checked even if only the schedule is read
	fixedColumns    = columnsOf(useFixed)
)

const pairColumns columnSet = 1<<ColumnPeriod | 1<<ColumnInterval

// each calls do for every column of the set, in the document's order.
func (s columnSet) each(do func(Column)) {
	for ; s != 0; s &= s - 1 {
		do(Column(bits.TrailingZeros64(uint64(s))))
	}
}
