package rules

import (
	"errors"
	"iter"
	"strings"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
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

// MarshalText returns the column's name; it is empty for a value that names none.
func (c Column) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

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

// A valueKind is the kind of value that a column takes.
type valueKind uint8

const (
	valueText     valueKind = iota + 1 // free text
	valueCardType                      // SRC or DST
	valueCard                          // digits (L39c)
	valueCVV                           // 3 or 4 digits
	valueYear                          // four digits (L39)
	valueMonth                         // 1 to 12 (L39)
	valueAmount                        // an amount (L36)
	valueAmounts                       // amounts with commas between them (L36b)
	valueCurrency                      // ISO 4217 (L50)
	valueCountry                       // ISO 3166-1 (L50)
	valueState                         // a state code (L50)
	valueEmail                         // a plain address (L54)
	valuePeriod                        // day, week, month
	valueInteger                       // a whole number
	valueDate                          // DD.MM.YYYY (L38)
	valueIP                            // IPv4 or IPv6 (L54)
	valueURL                           // absolute, http or https (L54)
)

var kindNames = [...]string{
	"", "text", "card type", "card number", "security code", "year", "month", "amount",
	"amounts", "currency", "country", "state", "e-mail", "period", "whole number", "date", "IP address", "URL",
}

// free reports whether spaces around such a value only warn (L46).
func (v valueKind) free() bool {
	return v == valueText || v == valueEmail || v == valueIP || v == valueURL
}

// A privacy says how much of a column's values may be shown. The zero value shows all but runs of 12
// and more digits, which may be a card number in the wrong place.
type privacy uint8

const (
	plain   privacy = iota
	masked          // nothing: names, e-mail, phone, ssn, birthday, cvv2
	edges           // at most the first 6 and the last 4 digits: the card number
	address         // what tells where it goes: a callback address may have a password or a token
)

// A Spec is what clause 2.1 and the ledger say about one column.
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
	// Clause is what the limit rests on.
	Clause ledger.Clause
}

// Kind returns the kind of value in a word or two, such as "date" or "whole number"; empty for the
// zero Spec.
func (s Spec) Kind() string { return kindNames[s.kind] }

// Private reports whether the column has personal data or card data, which is masked wherever it is
// shown ([Mask]).
func (s Spec) Private() bool { return s.privacy == masked || s.privacy == edges }

// requiredFor reports whether a row of kind k must fill the column, amounts left out:
// those are judged together (2.2.5).
func (s Spec) requiredFor(k engine.Kind) bool {
	switch {
	case s.Need == required:
		return !s.SourceOnly || k == engine.KindSource
	case s.Column == ColumnCardPrintedName, s.Column == ColumnExpireYear, s.Column == ColumnExpireMonth:
		return k == engine.KindSource
	}
	return false
}

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
	ColumnCardType:          {ColumnCardType, "rp_card_type", required, valueCardType, 0, 0, 0, false, "", plain, clause.Doc21},
	ColumnOrderID:           {ColumnOrderID, "client-orderid", required, valueText, 0, 128, 0, false, "", plain, clause.Doc21},
	ColumnCardNumber:        {ColumnCardNumber, "credit-card-number", required, valueCard, 0, 19, 0, false, "", edges, clause.Doc21},
	ColumnCVV2:              {ColumnCVV2, "cvv2", optional, valueCVV, 0, 0, 0, false, "", masked, clause.Doc21},
	ColumnCardPrintedName:   {ColumnCardPrintedName, "card-printed-name", conditional, valueText, 0, 128, 0, false, forSource, masked, clause.Doc21},
	ColumnExpireYear:        {ColumnExpireYear, "expire-year", conditional, valueYear, 0, 0, 0, false, forSource, plain, clause.L39},
	ColumnExpireMonth:       {ColumnExpireMonth, "expire-month", conditional, valueMonth, 0, 0, 0, false, forSource, plain, clause.L39},
	ColumnAmount:            {ColumnAmount, "amount", conditional, valueAmount, 0, 10, 0, false, noOther, plain, clause.L35},
	ColumnAmountFrom:        {ColumnAmountFrom, "amount-from", conditional, valueAmount, 0, 10, 0, false, noOther, plain, clause.L35},
	ColumnAmountTo:          {ColumnAmountTo, "amount-to", conditional, valueAmount, 0, 10, 0, false, noOther, plain, clause.L35},
	ColumnAmountSequence:    {ColumnAmountSequence, "amount-sequence", conditional, valueAmounts, 0, 10, 0, false, noOther, plain, clause.X4},
	ColumnCurrency:          {ColumnCurrency, "currency", required, valueCurrency, 0, 3, 0, false, "", plain, clause.Doc21},
	ColumnCountry:           {ColumnCountry, "country", required, valueCountry, 0, 2, 0, true, "", plain, clause.Doc21},
	ColumnCity:              {ColumnCity, "city", required, valueText, 0, 128, 0, true, "", plain, clause.Doc21},
	ColumnZipCode:           {ColumnZipCode, "zip-code", required, valueText, 0, 10, 0, true, "", plain, clause.Doc21},
	ColumnAddress1:          {ColumnAddress1, "address1", required, valueText, 0, 256, 0, true, "", plain, clause.Doc21},
	ColumnFirstName:         {ColumnFirstName, "first-name", required, valueText, 0, 128, 0, true, "", masked, clause.Doc21},
	ColumnLastName:          {ColumnLastName, "last-name", required, valueText, 0, 128, 0, true, "", masked, clause.Doc21},
	ColumnEmail:             {ColumnEmail, "email", required, valueEmail, 0, 128, 0, true, "", masked, clause.Doc21},
	ColumnPeriod:            {ColumnPeriod, "period", conditional, valuePeriod, 0, 0, 0, true, withPeriod, plain, clause.Doc21},
	ColumnInterval:          {ColumnInterval, "interval", conditional, valueInteger, 0, 0, 0, true, withPeriod, plain, clause.Doc21},
	ColumnOrderDesc:         {ColumnOrderDesc, "order_desc", optional, valueText, 0, 66_560, 65_000, false, "", plain, clause.L40},
	ColumnCustomerIP:        {ColumnCustomerIP, "customer-ip", optional, valueIP, 0, 45, 0, false, "", plain, clause.Doc21},
	ColumnSSN:               {ColumnSSN, "ssn", optional, valueText, 0, 32, 0, true, "", masked, clause.Doc21},
	ColumnBirthday:          {ColumnBirthday, "birthday", optional, valueDate, 0, 0, 0, true, "", masked, clause.X3},
	ColumnPhone:             {ColumnPhone, "phone", optional, valueText, 0, 128, 0, true, "", masked, clause.Doc21},
	ColumnState:             {ColumnState, "state", optional, valueState, 2, 3, 0, true, "country is US, CA or AU", plain, clause.Doc21},
	ColumnStartDate:         {ColumnStartDate, "start-date", optional, valueDate, 0, 0, 0, false, "", plain, clause.X3},
	ColumnFinishDate:        {ColumnFinishDate, "finish-date", optional, valueDate, 0, 0, 0, false, "", plain, clause.X3},
	ColumnMaxRepeatsNumber:  {ColumnMaxRepeatsNumber, "max-repeats-number", optional, valueInteger, 0, 0, 0, false, "", plain, clause.Doc21},
	ColumnPurpose:           {ColumnPurpose, "purpose", optional, valueText, 0, 128, 0, true, "", plain, clause.Doc21},
	ColumnNotifyURL:         {ColumnNotifyURL, "notify_url", optional, valueURL, 0, 1024, 0, false, "", address, clause.X13},
	ColumnServerCallbackURL: {ColumnServerCallbackURL, "server_callback_url", optional, valueURL, 0, 128, 0, false, "", address, clause.X13},
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

// The lists are those of ISO 3166-1 alpha-2, officially assigned codes, and of ISO 3166-2 for US with
// outlying areas and the military codes AA, AE, AP, for CA and for AU, as of 2026-01-01 (L50).

// pairs is a set of codes of two capital letters.
type pairs [26]uint32

func pairsOf(codes string) (p pairs) {
	for code := range strings.FieldsSeq(codes) {
		p[code[0]-'A'] |= 1 << (code[1] - 'A')
	}
	return p
}

func (p *pairs) has(s string) bool {
	return len(s) == 2 && s[0]-'A' < 26 && s[1]-'A' < 26 && p[s[0]-'A']>>(s[1]-'A')&1 == 1
}

func isCountry(s string) bool { return countries.has(s) }

// needsState reports whether the document requires a state for the country.
func needsState(country string) bool { return country == "US" || country == "CA" || country == "AU" }

// isState reports whether our list has the state of a country that needs one.
func isState(country, state string) bool {
	switch country {
	case "US":
		return statesOfUS.has(state)
	case "CA":
		return statesOfCA.has(state)
	case "AU":
		switch state {
		case "ACT", "NSW", "NT", "QLD", "SA", "TAS", "VIC", "WA":
			return true
		}
	}
	return false
}

var (
	countries = pairsOf(`
AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ
CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR
GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP
KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT
MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW
SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ
UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW`)
	statesOfUS = pairsOf(`
AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI
SC SD TN TX UT VT VA WA WV WI WY DC AS GU MP PR UM VI AA AE AP`)
	statesOfCA = pairsOf(`AB BC MB NB NL NS NT NU ON PE QC SK YT`)
)

// stateSets is a supplied list of states as sets; nil for none.
func stateSets(lists map[string][]string) map[string]map[string]bool {
	if lists == nil {
		return nil
	}
	sets := make(map[string]map[string]bool, len(lists))
	for country, states := range lists {
		set := make(map[string]bool, len(states))
		for _, s := range states {
			set[s] = true
		}
		sets[country] = set
	}
	return sets
}
