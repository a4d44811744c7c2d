package rules

import (
	"unicode/utf8"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
)

// A valueJudge judges and types the value of a column of the current row, quotes undone and without spaces
// around it.
type valueJudge func(r *Reader, col Column, s string)

// judges has the judge of each kind of value; nil for free text, and for states, which are judged
// with their country.
var judges = [...]valueJudge{
	valueCardType: (*Reader).cardType,
	valueCard:     (*Reader).card,
	valueCVV:      (*Reader).securityCode,
	valueYear:     (*Reader).year,
	valueMonth:    (*Reader).month,
	valueAmount:   (*Reader).amount,
	valueAmounts:  (*Reader).elements,
	valueCurrency: (*Reader).currency,
	valueCountry:  (*Reader).countryCode,
	valueEmail:    (*Reader).email,
	valuePeriod:   (*Reader).period,
	valueInteger:  (*Reader).integer,
	valueDate:     (*Reader).date,
	valueIP:       (*Reader).ip,
	valueURL:      (*Reader).url,
}

func (r *Reader) cardType(col Column, s string) {
	kind, ok := kindOf(s)
	if !ok {
		r.refuse(CardTypeValue, col).adviseIf(meantHelp(nearestOf(s, "SRC", "DST")))
	}
	r.rec.Kind = kind
}

func kindOf(s string) (engine.Kind, bool) {
	switch s {
	case "SRC":
		return engine.KindSource, true
	case "DST":
		return engine.KindDestination, true
	}
	return 0, false
}

func (r *Reader) securityCode(col Column, s string) {
	if _, ok := numberOf(s, 3, 4); !ok {
		r.refuse(CVV2Form, col)
	}
}

// year judges expire-year (L39).
func (r *Reader) year(col Column, s string) {
	n, ok := numberOf(s, 4, 4)
	if !ok {
		r.refuse(ExpireYearForm, col)
	}
	r.rec.ExpireYear = n
}

// currency judges the currency's code (L50, L56).
func (r *Reader) currency(col Column, s string) {
	if len(s) <= columns[col].Max || utf8.RuneCountInString(s) <= columns[col].Max {
		if !amount.ListedCurrency(s) {
			r.refuse(CurrencyUnknown, col).adviseIf(meantHelp(inCapitals(s, amount.ListedCurrency)))
		}
	}
	if r.opts.Currency != "" && s != r.opts.Currency {
		if p := r.on(ProjectCurrency, col); amount.ListedCurrency(r.opts.Currency) {
			p.say("currency differs from that of the project, " + r.opts.Currency)
		}
	}
	r.rec.Currency = r.currencies.kept(s)
}

// countryCode judges the country's code (L50).
func (r *Reader) countryCode(col Column, s string) {
	if !isCountry(s) && utf8.RuneCountInString(s) <= columns[col].Max {
		r.refuse(CountryUnknown, col).adviseIf(meantHelp(inCapitals(s, isCountry)))
	}
}

func (r *Reader) email(col Column, s string) {
	if !r.kept.domain.address(s) {
		r.refuse(EmailForm, col)
	}
}

func (r *Reader) period(col Column, s string) {
	unit, err := calendar.ParseUnit(s)
	if err != nil {
		r.refuse(PeriodValue, col).adviseIf(meantHelp(nearestOf(s, "day", "week", "month")))
	}
	r.rec.Unit = unit
}

func (r *Reader) ip(col Column, s string) {
	if !isIP(s) {
		r.refuse(IPForm, col)
	}
}

func (r *Reader) url(col Column, s string) {
	if !isURL(s) {
		r.refuse(URLForm, col)
	}
}
