package rules

import (
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
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

// A kind describes the values of one kind.
type kind struct {
	name string // in a word or two
	// check checks a value of a column, which is not empty and has no spaces around it, and keeps what it is read as.
	check func(c *checker, spec *Spec, s string)
	// isWord reports whether s is one of a fixed list of values, none of which can be a secret; nil for a kind without
	// such a list.
	isWord func(s string) bool
	words  []string // a short list, for suggestions
	loose  bool     // spaces around a value only warn (L46)
	help   string   // the remedy for a value that is too long; empty for that of the rule
}

// kinds is the one table of kinds.
var kinds = [...]kind{
	{},
	valueText:     {name: "text", check: (*checker).plainText, loose: true},
	valueCardType: {name: "card type", check: (*checker).cardType, words: []string{"SRC", "DST"}, isWord: func(s string) bool { _, ok := kindOf(s); return ok }},
	valueCard:     {name: "card number", check: (*checker).card},
	valueCVV:      {name: "security code", check: (*checker).securityCode},
	valueYear:     {name: "year", check: (*checker).year},
	valueMonth:    {name: "month", check: (*checker).month},
	valueAmount:   {name: "amount", check: (*checker).amount},
	valueAmounts:  {name: "amounts", check: (*checker).amounts},
	valueCurrency: {name: "currency", check: (*checker).currency, isWord: amount.ListedCurrency,
		help: "write the three letters of the code of ISO 4217, such as EUR"},
	valueCountry: {name: "country", check: (*checker).country, isWord: isCountry,
		help: "write the two letters of the code of ISO 3166-1, such as DE: the beginning of a name may be another country"},
	valueState: {name: "state", check: func(c *checker, _ *Spec, s string) { c.parsed.state = s },
		help: "write the code of ISO 3166-2 without the country, such as CA"},
	valueEmail:   {name: "e-mail", check: mustBe(EmailForm, isEmail), loose: true},
	valuePeriod:  {name: "period", check: (*checker).period, words: []string{"day", "week", "month"}, isWord: func(s string) bool { return unitOf(s) != calendar.UnitNone }},
	valueInteger: {name: "whole number", check: (*checker).integer},
	valueDate:    {name: "date", check: (*checker).date},
	valueIP:      {name: "IP address", check: mustBe(IPForm, isIP), loose: true},
	valueURL:     {name: "URL", check: (*checker).url, loose: true},
}

// kindOf returns the card type that a word names.
func kindOf(s string) (engine.Kind, bool) {
	switch s {
	case "SRC":
		return engine.KindSource, true
	case "DST":
		return engine.KindDestination, true
	}
	return 0, false
}

// unitOf returns the unit of a period; none if it is not one of the document's words.
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

// mustBe returns a check that reports values for which is returns false.
func mustBe(code ledger.Code, is func(string) bool) func(*checker, *Spec, string) {
	return func(c *checker, spec *Spec, s string) {
		if !is(s) {
			c.report(code, spec.Column, wholeValue)
		}
	}
}

// The lists are those of ISO 3166-1 alpha-2, officially assigned codes, and of ISO 3166-2 for US with
// outlying areas and the military codes AA, AE, AP, for CA and for AU, as of 2026-01-01 (L50).

// A codeSet is a set of codes of two or three capital letters.
type codeSet [26 * 26 * 27]bool

// codeIndex returns which element of a codeSet a text is; false for one that is no such code.
func codeIndex(s string) (i int, ok bool) {
	if len(s) != 2 && len(s) != 3 {
		return 0, false
	}
	a, b, c := s[0]-'A', s[1]-'A', byte(26)
	if len(s) == 3 {
		if c = s[2] - 'A'; c > 25 {
			return 0, false
		}
	}
	return (int(a)*26+int(b))*27 + int(c), a < 26 && b < 26
}

func (set *codeSet) has(s string) bool {
	i, ok := codeIndex(s)
	return ok && set[i]
}

func codesOf(list string) *codeSet {
	set := new(codeSet)
	for code := range strings.FieldsSeq(list) {
		if i, ok := codeIndex(code); ok {
			set[i] = true
		}
	}
	return set
}

func isCountry(s string) bool { return countries.has(s) }

// statesOf returns our list of the states of a country for which the document requires one; nil for the others.
func statesOf(country string) *codeSet {
	switch country {
	case "US":
		return statesUS
	case "CA":
		return statesCA
	case "AU":
		return statesAU
	}
	return nil
}

// isState reports whether our list has the state of a country that needs one.
func isState(country, state string) bool {
	set := statesOf(country)
	return set != nil && set.has(state)
}

var (
	countries = codesOf(`
AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ
CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR
GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP
KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT
MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW
SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ
UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW`)
	statesUS = codesOf(`
AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI
SC SD TN TX UT VT VA WA WV WI WY DC AS GU MP PR UM VI AA AE AP`)
	statesCA = codesOf(`AB BC MB NB NL NS NT NU ON PE QC SK YT`)
	statesAU = codesOf(`ACT NSW NT QLD SA TAS VIC WA`)
)

// stateSets returns Options.States as sets; nil for none.
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
