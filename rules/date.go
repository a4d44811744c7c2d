package rules

import (
	"errors"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/ledger"
)

// date judges and types a date (L38, X3).
func (r *Reader) date(col Column, s string) {
	d, c := dateOf(s)
	if c != "" {
		r.refuse(c, col).adviseIf(dateHelp(c, s))
		return
	}
	switch col {
	case ColumnStartDate:
		r.rec.Start = d
	case ColumnFinishDate:
		r.rec.Finish = d
	case ColumnBirthday:
		if !r.opts.AsOf.IsZero() && d.After(r.opts.AsOf) {
			r.on(BirthdayFuture, col)
		}
	}
}

// dateOf reads DD.MM.YYYY; the code is why it cannot be read, empty where it can.
func dateOf(s string) (calendar.Date, ledger.Code) {
	d, err := calendar.ParseDotted(s)
	switch {
	case err == nil:
		return d, ""
	case errors.Is(err, calendar.ErrNotADay):
		return d, DateNotADay
	}
	return d, DateSyntax
}

// dateHelp is the remedy for a date in a form that people use; empty for others.
func dateHelp(c ledger.Code, s string) string {
	if c == DateNotADay {
		if _, c := dateOf(s[3:6] + s[:3] + s[6:]); c == "" {
			return "the day comes before the month: DD.MM.YYYY"
		}
		return ""
	}
	switch {
	case len(s) == 10 && s[4] == '-' && s[7] == '-':
		return "payload columns take DD.MM.YYYY, not the ISO form"
	case len(s) == 8 && digitsOnly(s):
		return "write the points: DD.MM.YYYY; the document's length 8 counts the digits"
	case strings.Contains(s, "/") || strings.Contains(s, "-"):
		return "separate day, month and year by points: DD.MM.YYYY"
	case strings.Count(s, ".") == 2 && len(s) < 10:
		return "write two digits for day and month and four for the year: DD.MM.YYYY"
	}
	return ""
}
