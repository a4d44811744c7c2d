package rules

import (
	"iter"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
)

// A Column is one of the 33 columns of clause 2.1, in the document's order. The zero
// value is none.
type Column uint8

// The columns.
const (
	CardType          Column = iota + 1 // rp_card_type
	OrderID                             // client-orderid
	CardNumber                          // credit-card-number
	CVV2                                // cvv2
	CardPrintedName                     // card-printed-name
	ExpireYear                          // expire-year
	ExpireMonth                         // expire-month
	Amount                              // amount
	AmountFrom                          // amount-from
	AmountTo                            // amount-to
	AmountSequence                      // amount-sequence
	Currency                            // currency
	Country                             // country
	City                                // city
	ZipCode                             // zip-code
	Address1                            // address1
	FirstName                           // first-name
	LastName                            // last-name
	Email                               // email
	Period                              // period
	Interval                            // interval
	OrderDesc                           // order_desc
	CustomerIP                          // customer-ip
	SSN                                 // ssn
	Birthday                            // birthday
	Phone                               // phone
	State                               // state
	StartDate                           // start-date
	FinishDate                          // finish-date
	MaxRepeatsNumber                    // max-repeats-number
	Purpose                             // purpose
	NotifyURL                           // notify_url
	ServerCallbackURL                   // server_callback_url

	columnCount = iota
)

// String is the column's name in the payload; empty for none.
func (c Column) String() string { return c.Spec().Name }

// Spec is the line of the [Columns] table; the zero Spec for none.
func (c Column) Spec() Spec {
	if int(c) >= len(columns) {
		return Spec{}
	}
	return columns[c]
}

// ColumnOf finds the column with exactly this name (L42).
func ColumnOf(name string) (Column, bool) {
	for c := CardType; c <= columnCount; c++ {
		if columns[c].Name == name {
			return c, true
		}
	}
	return 0, false
}

// A Need says when a column must have a value. The zero value is none.
type Need uint8

// The letters of the document's table.
const (
	Required    Need = iota + 1 // R: always, or always on SRC where the column is for SRC only (X5)
	Conditional                 // C: by the condition
	Optional                    // O
)

// String is the document's letter; empty for none.
func (n Need) String() string { return [...]string{"", "R", "C", "O"}[min(n, 4)%4] }

// A Value is the kind of value that a column takes. The zero value is none.
type Value uint8

// The kinds of value.
const (
	ValueText     Value = iota + 1 // free text
	ValueCardType                  // SRC or DST
	ValueCard                      // digits (L39c)
	ValueCVV                       // 3 or 4 digits
	ValueYear                      // four digits (L39)
	ValueMonth                     // 1 to 12 (L39)
	ValueAmount                    // an amount (L36)
	ValueAmounts                   // amounts with commas between them (L36b)
	ValueCurrency                  // ISO 4217 (L50)
	ValueCountry                   // ISO 3166-1 (L50)
	ValueState                     // a state code (L50)
	ValueEmail                     // a plain address (L54)
	ValuePeriod                    // day, week, month
	ValueInteger                   // a whole number
	ValueDate                      // DD.MM.YYYY (L38)
	ValueIP                        // IPv4 or IPv6 (L54)
	ValueURL                       // absolute, http or https (L54)
)

// String names the kind of value in a word or two; empty for none.
func (v Value) String() string {
	names := [...]string{
		"", "text", "card type", "card number", "security code", "year", "month", "amount",
		"amounts", "currency", "country", "state", "e-mail", "period", "whole number", "date", "IP address", "URL",
	}
	if int(v) >= len(names) {
		return ""
	}
	return names[v]
}

// free tells whether spaces around such a value only warn (L46).
func (v Value) free() bool { return v == ValueText || v == ValueEmail || v == ValueIP || v == ValueURL }

// A Privacy says how much of a column's values may be shown. The zero value shows all
// but runs of 12 and more digits, which may be a card number in the wrong place.
type Privacy uint8

// The degrees of privacy.
const (
	Plain  Privacy = iota
	Masked         // nothing: names, e-mail, phone, ssn, birthday, cvv2
	Edges          // at most the first 6 and the last 4 digits: the card number
)

// A Spec is what clause 2.1 and the ledger say about one column.
type Spec struct {
	Column Column
	Name   string // as in the header row
	Need   Need
	Value  Value
	// Max is the limit in characters (L41), Min the least number of them; 0 where the
	// kind of value sets the bounds itself. In amount-sequence both hold per element (X4).
	Min, Max int
	// Warn is the number of characters above which a value within Max warns (L40); 0
	// where there is none.
	Warn int
	// SourceOnly tells that only SRC supports the column.
	SourceOnly bool
	// Condition is when a conditional column is required, in words.
	Condition string
	Privacy   Privacy
	// Clause is what the limit rests on.
	Clause ledger.Clause
}

// requiredFor tells whether a row of kind k must fill the column, amounts left out:
// those are judged together (2.2.5).
func (s Spec) requiredFor(k engine.Kind) bool {
	switch {
	case s.Need == Required:
		return !s.SourceOnly || k == engine.KindSource
	case s.Column == CardPrintedName, s.Column == ExpireYear, s.Column == ExpireMonth:
		return k == engine.KindSource
	}
	return false
}

// Columns gives the table of clause 2.1 in the document's order.
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
	CardType:          {CardType, "rp_card_type", Required, ValueCardType, 0, 0, 0, false, "", Plain, ledger.Doc21},
	OrderID:           {OrderID, "client-orderid", Required, ValueText, 0, 128, 0, false, "", Plain, ledger.Doc21},
	CardNumber:        {CardNumber, "credit-card-number", Required, ValueCard, 0, 19, 0, false, "", Edges, ledger.Doc21},
	CVV2:              {CVV2, "cvv2", Optional, ValueCVV, 0, 0, 0, false, "", Masked, ledger.Doc21},
	CardPrintedName:   {CardPrintedName, "card-printed-name", Conditional, ValueText, 0, 128, 0, false, forSource, Masked, ledger.Doc21},
	ExpireYear:        {ExpireYear, "expire-year", Conditional, ValueYear, 0, 0, 0, false, forSource, Plain, ledger.L39},
	ExpireMonth:       {ExpireMonth, "expire-month", Conditional, ValueMonth, 0, 0, 0, false, forSource, Plain, ledger.L39},
	Amount:            {Amount, "amount", Conditional, ValueAmount, 0, 10, 0, false, noOther, Plain, ledger.L35},
	AmountFrom:        {AmountFrom, "amount-from", Conditional, ValueAmount, 0, 10, 0, false, noOther, Plain, ledger.L35},
	AmountTo:          {AmountTo, "amount-to", Conditional, ValueAmount, 0, 10, 0, false, noOther, Plain, ledger.L35},
	AmountSequence:    {AmountSequence, "amount-sequence", Conditional, ValueAmounts, 0, 10, 0, false, noOther, Plain, ledger.X4},
	Currency:          {Currency, "currency", Required, ValueCurrency, 0, 3, 0, false, "", Plain, ledger.Doc21},
	Country:           {Country, "country", Required, ValueCountry, 0, 2, 0, true, "", Plain, ledger.Doc21},
	City:              {City, "city", Required, ValueText, 0, 128, 0, true, "", Plain, ledger.Doc21},
	ZipCode:           {ZipCode, "zip-code", Required, ValueText, 0, 10, 0, true, "", Plain, ledger.Doc21},
	Address1:          {Address1, "address1", Required, ValueText, 0, 256, 0, true, "", Plain, ledger.Doc21},
	FirstName:         {FirstName, "first-name", Required, ValueText, 0, 128, 0, true, "", Masked, ledger.Doc21},
	LastName:          {LastName, "last-name", Required, ValueText, 0, 128, 0, true, "", Masked, ledger.Doc21},
	Email:             {Email, "email", Required, ValueEmail, 0, 128, 0, true, "", Masked, ledger.Doc21},
	Period:            {Period, "period", Conditional, ValuePeriod, 0, 0, 0, true, withPeriod, Plain, ledger.Doc21},
	Interval:          {Interval, "interval", Conditional, ValueInteger, 0, 0, 0, true, withPeriod, Plain, ledger.Doc21},
	OrderDesc:         {OrderDesc, "order_desc", Optional, ValueText, 0, 66_560, 65_000, false, "", Plain, ledger.L40},
	CustomerIP:        {CustomerIP, "customer-ip", Optional, ValueIP, 0, 45, 0, false, "", Plain, ledger.Doc21},
	SSN:               {SSN, "ssn", Optional, ValueText, 0, 32, 0, true, "", Masked, ledger.Doc21},
	Birthday:          {Birthday, "birthday", Optional, ValueDate, 0, 0, 0, true, "", Masked, ledger.X3},
	Phone:             {Phone, "phone", Optional, ValueText, 0, 128, 0, true, "", Masked, ledger.Doc21},
	State:             {State, "state", Optional, ValueState, 2, 3, 0, true, "country is US, CA or AU", Plain, ledger.Doc21},
	StartDate:         {StartDate, "start-date", Optional, ValueDate, 0, 0, 0, false, "", Plain, ledger.X3},
	FinishDate:        {FinishDate, "finish-date", Optional, ValueDate, 0, 0, 0, false, "", Plain, ledger.X3},
	MaxRepeatsNumber:  {MaxRepeatsNumber, "max-repeats-number", Optional, ValueInteger, 0, 0, 0, false, "", Plain, ledger.Doc21},
	Purpose:           {Purpose, "purpose", Optional, ValueText, 0, 128, 0, true, "", Plain, ledger.Doc21},
	NotifyURL:         {NotifyURL, "notify_url", Optional, ValueURL, 0, 1024, 0, false, "", Plain, ledger.X13},
	ServerCallbackURL: {ServerCallbackURL, "server_callback_url", Optional, ValueURL, 0, 128, 0, false, "", Plain, ledger.X13},
}

// A columnSet is a set of columns, one bit each.
type columnSet uint64

func (s columnSet) has(c Column) bool { return s>>c&1 == 1 }

func (s *columnSet) add(c Column) { *s |= 1 << c }

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
