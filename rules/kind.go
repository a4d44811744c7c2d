package rules

import (
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/nearest"
	"github.com/chargecast/chargecast/ledger"
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

// A kind is what holds for all values of one kind.
type kind struct {
	name string // in a word or two
	// judge checks a value of a column, which is not empty and has no spaces around it, and keeps what it is read as.
	judge func(c *checker, spec *Spec, s string)
	// isWord reports whether s is one of the values of a kind of which all are known, so that none can be a secret; nil
	// for the other kinds.
	isWord func(s string) bool
	loose  bool   // spaces around a value only warn (L46)
	help   string // the remedy for a value that is too long, where it is not to shorten it
}

// kinds is the one table of kinds.
var kinds = [...]kind{
	{},
	valueText:     {name: "text", judge: (*checker).plainText, loose: true},
	valueCardType: {name: "card type", judge: (*checker).cardType, isWord: func(s string) bool { _, ok := kindOf(s); return ok }},
	valueCard:     {name: "card number", judge: (*checker).card},
	valueCVV:      {name: "security code", judge: (*checker).securityCode},
	valueYear:     {name: "year", judge: (*checker).year},
	valueMonth:    {name: "month", judge: (*checker).month},
	valueAmount:   {name: "amount", judge: (*checker).amount},
	valueAmounts:  {name: "amounts", judge: (*checker).amounts},
	valueCurrency: {name: "currency", judge: (*checker).currency, isWord: amount.ListedCurrency,
		help: "write the three letters of the code of ISO 4217, such as EUR"},
	valueCountry: {name: "country", judge: (*checker).country, isWord: isCountry,
		help: "write the two letters of the code of ISO 3166-1, such as DE: the beginning of a name may be another country"},
	valueState: {name: "state", judge: func(c *checker, _ *Spec, s string) { c.read.state = s },
		help: "write the code of ISO 3166-2 without the country, such as CA"},
	valueEmail:   {name: "e-mail", judge: mustBe(EmailForm, isEmail), loose: true},
	valuePeriod:  {name: "period", judge: (*checker).period, isWord: func(s string) bool { return unitOf(s) != calendar.UnitNone }},
	valueInteger: {name: "whole number", judge: (*checker).integer},
	valueDate:    {name: "date", judge: (*checker).date},
	valueIP:      {name: "IP address", judge: mustBe(IPForm, isIP), loose: true},
	valueURL:     {name: "URL", judge: (*checker).url, loose: true},
}

// kindOf is the card type that a word names.
func kindOf(s string) (engine.Kind, bool) {
	switch s {
	case "SRC":
		return engine.KindSource, true
	case "DST":
		return engine.KindDestination, true
	}
	return 0, false
}

// unitOf is the unit of a period; none where it is not one of the document's words.
func unitOf(s string) calendar.Unit {
	switch s {
	case "day":
		return calendar.UnitDay
	case "week":
		return calendar.UnitWeek
	case "month":
		return calendar.UnitMonth
	}
	return calendar.UnitNone
}

// nearestOf is the word that a mistyped one means; empty where that is not clear.
func nearestOf(s string, words ...string) string {
	if i, ok := nearest.Of(s, words); ok {
		return words[i]
	}
	return ""
}

// inCapitals is the code of a list that s is but for its case; empty for none. Codes are so
// short that one with another letter may mean any of them.
func inCapitals(s string, listed func(string) bool) string {
	if code := strings.ToUpper(s); listed(code) {
		return code
	}
	return ""
}

// meantHelp is the remedy for a value that probably means a word of a closed list; empty
// where that is not known.
func meantHelp(word string) string {
	if word == "" {
		return ""
	}
	return "perhaps " + word + " is meant: write it exactly so"
}

// mustBe is the judge of values that one function recognises; others are reported with a code.
func mustBe(code ledger.Code, is func(string) bool) func(*checker, *Spec, string) {
	return func(c *checker, spec *Spec, s string) {
		if !is(s) {
			c.report(code, spec.Column, wholeValue)
		}
	}
}
