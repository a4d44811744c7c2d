package reconcile

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/exportform"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// actual makes an actual of the fields of a line. On an error *to has the profile and the date, if
// they can be read.
func (r *Reader) actual(to *Actual) error {
	name := r.fields[columnProfile]
	switch {
	case !utf8.Valid(name) || bytes.ContainsRune(name, utf8.RuneError):
		return r.fault(ActualEncoding, columnNames[columnProfile], "")
	case len(bytes.TrimSpace(name)) == 0:
		to.NoAmount = len(r.fields[columnAmount]) == 0
		return r.fault(ActualProfile, columnNames[columnProfile], "")
	case string(name) != r.profile:
		r.profile = string(name)
	}
	to.Profile, to.NoAmount = r.profile, len(r.fields[columnAmount]) == 0
	date, errDate := r.date(columnDate)
	to.Date = date
	if r.wrong != nil {
		return r.wrong
	}
	for c, value := range r.fields {
		if !utf8.Valid(value) {
			return r.fault(ActualEncoding, columnNames[c], "")
		}
	}
	if errDate != nil {
		return errDate
	}
	to.ID = string(r.fields[columnID])
	if len(r.fields[columnCreated]) > 0 {
		var err error
		if to.Created, err = r.date(columnCreated); err != nil {
			return err
		}
	}
	to.Currency = strings.ToUpper(string(r.fields[columnCurrency]))
	if to.Currency != "" && (len(to.Currency) != 3 || strings.Trim(to.Currency, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "") {
		return r.fault(ActualCurrency, columnNames[columnCurrency], "")
	}
	if word := strings.ToLower(string(r.fields[columnOutcome])); word != "" {
		if of, ok := r.o.Outcomes[word]; ok {
			to.Outcome = of
		} else if to.Outcome.UnmarshalText([]byte(word)) != nil {
			f := r.fault(ActualOutcome, columnNames[columnOutcome], "")
			f.Hint = ledger.Code(shownWord(word))
			return f
		}
	}
	switch {
	case to.Outcome != record.ActualNone:
		return r.money(to)
	case !to.NoAmount:
		return r.fault(ActualNone, columnNames[columnAmount], "")
	}
	return nil
}

// mostLetters is how many letters a word for an outcome has that may be shown.
const mostLetters = 20

// shownWord returns a word for an outcome if it may be shown: letters, with spaces, hyphens and underscores between them. It is
// empty for another text, which may be anything.
func shownWord(word string) string {
	strange := func(r rune) bool { return !unicode.IsLetter(r) && !strings.ContainsRune(" -_", r) }
	if utf8.RuneCountInString(word) > mostLetters || strings.ContainsFunc(word, strange) {
		return ""
	}
	return word
}

var (
	// clock is a time behind a date, with a zone or without.
	clock = regexp.MustCompile(`(?i)^(.*\d)(?:[ \x{a0}\x{202f}]+|T)(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?(?:[ \x{a0}\x{202f}]?[AP]M)?(?: ?(?:Z|UTC|GMT|[+-]\d\d(?::?\d\d)?))?$`)
	// compact is a date without marks.
	compact = regexp.MustCompile(`^(\d{4})(\d{2})(\d{2})$`)
)

// date reads a date, behind which there may be a time.
func (r *Reader) date(c column) (calendar.Date, error) {
	s := string(r.fields[c])
	if len(s) > len("2026-01-31") {
		if m := clock.FindStringSubmatch(s); m != nil {
			s = m[1]
		}
	}
	if r.o.Forms.Dates == exportform.YearFirst {
		s = compact.ReplaceAllString(s, "$1-$2-$3")
	}
	d, form := r.o.Forms.Date(s)
	switch {
	case form == exportform.DateUnordered:
		return calendar.Date{}, r.undecided(ActualDate, c, "the order of day and month is not certain, or not the one that was said", "say the order with --dates dmy, mdy or ymd")
	case form == exportform.DateCentury:
		return calendar.Date{}, r.undecided(ActualDate, c, "the year has two digits", "say the century with --century 20, and the order with --dates")
	case d.IsZero() && compact.MatchString(s):
		return d, r.undecided(ActualDate, c, "the date has eight digits and no marks", "say the order with --dates ymd, if the year comes first")
	case d.IsZero():
		return d, r.fault(ActualDate, columnNames[c], "")
	}
	return d, nil
}

// maxDigits is the greatest number of digits of an amount: a card number has more.
const maxDigits = 10

// money reads an amount, with one sign before or behind its digits, and with the sign or the code
// of a currency, which is that of the line if no column has one.
func (r *Reader) money(to *Actual) error {
	fault := func(message, help string) error { return r.undecided(ActualAmount, columnAmount, message, help) }
	s := string(r.fields[columnAmount])
	if strings.ContainsAny(s, "()") {
		return fault("the amount is in parentheses", "write a refund with a minus sign, and a charge without parentheses")
	}
	s, to.Negative = cutMinus(s)
	core, sign := exportform.CutCurrency(s)
	read := r.o.Forms.Amount(strings.TrimSpace(core), "")
	switch {
	case read.Fault == exportform.AmountUndecided:
		return fault("the decimal mark is not certain, or not the one that was said", "say it with --decimal comma or point")
	case read.Fault != 0:
		return fault("", "")
	case strings.Count(read.Text, "")-1-strings.Count(read.Text, ".") > maxDigits:
		return fault("the amount has more than 10 digits", "say with --columns which column has the amounts")
	case sign == "":
	case to.Currency == "":
		if to.Currency = sign; len(exportform.Currencies(sign)) == 1 {
			to.Currency = exportform.Currencies(sign)[0]
		}
	case !slices.Contains(exportform.Currencies(sign), to.Currency):
		return fault("the sign or code is not that of the line's currency", "correct the currency of the line, or the amount")
	}
	var err error
	if to.Amount, err = amount.Parse(read.Text); err != nil {
		return fault("", "")
	}
	return nil
}

// cutMinus cuts one sign from before or behind the digits of an amount, and reports whether it is a
// minus. A text with more signs is returned as it is.
func cutMinus(s string) (rest string, isNegative bool) {
	isDigit := func(r rune) bool { return '0' <= r && r <= '9' }
	first, last := strings.IndexFunc(s, isDigit), strings.LastIndexFunc(s, isDigit)
	if first < 0 {
		return s, false
	}
	around := s[:first] + s[last+1:]
	for _, minus := range [...]string{"-", "\u2212", "+"} {
		at := strings.Index(s, minus)
		if at < 0 || strings.Count(around, minus) != 1 || minus == "+" && at > first {
			continue
		}
		if at > first && at < last {
			at = last + 1 + strings.Index(s[last+1:], minus)
		}
		return s[:at] + s[at+len(minus):], minus != "+"
	}
	return s, false
}
