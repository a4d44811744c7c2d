package oracle

import (
	"fmt"
	"strconv"
	"strings"
)

// ISO reads a day as YYYY-MM-DD; 0 for any other text.
func ISO(text string) Day {
	y, rest, ok1 := strings.Cut(text, "-")
	m, d, ok2 := strings.Cut(rest, "-")
	if !ok1 || !ok2 {
		return 0
	}
	return dayOfText(y, m, d)
}

// Dotted reads a day as DD.MM.YYYY, as the payload has it; 0 for any other text.
func Dotted(text string) Day {
	d, rest, ok1 := strings.Cut(text, ".")
	m, y, ok2 := strings.Cut(rest, ".")
	if !ok1 || !ok2 {
		return 0
	}
	return dayOfText(y, m, d)
}

func dayOfText(year, month, date string) Day {
	if len(year) != 4 || len(month) != 2 || len(date) != 2 {
		return 0
	}
	y, err1 := strconv.ParseUint(year, 10, 16)
	m, err2 := strconv.ParseUint(month, 10, 8)
	d, err3 := strconv.ParseUint(date, 10, 8)
	if err1 != nil || err2 != nil || err3 != nil {
		return 0
	}
	return DayOf(int(y), int(m), int(d))
}

// String is the day as YYYY-MM-DD.
func (d Day) String() string {
	c := At(d)
	return fmt.Sprintf("%04d-%02d-%02d", c.Year, c.Month, c.Date)
}

// Word is the verb as a script has it; none for the zero Verb.
func (v Verb) Word() string {
	return [...]string{"", "run", "no-run", "charge", "stop", "update", "resume"}[v]
}

// VerbOf is the verb with a name; 0 for any other word.
func VerbOf(name string) Verb {
	for v := EventRun; v <= EventResume; v++ {
		if v.Word() == name {
			return v
		}
	}
	return 0
}

// ProfileOf reads a profile from the columns of a row that matter; a column with an empty value is absent. An error is a
// column that the oracle does not know, or a number that it cannot read.
func ProfileOf(columns map[string]string) (Profile, error) {
	u, err := UpdateOf(columns)
	p := u.over(Profile{Source: columns["rp_card_type"] == "SRC"})
	return p, err
}

// UpdateOf reads the columns of an update: an empty value removes one. Errors are as in [ProfileOf].
func UpdateOf(columns map[string]string) (u Update, err error) {
	for name, value := range columns {
		switch name {
		case "start-date":
			u.Start = new(Dotted(value))
		case "finish-date":
			u.Finish = new(Dotted(value))
		case "period":
			u.Unit = new(map[string]Unit{"day": ByDay, "week": ByWeek, "month": ByMonth}[value])
		case "interval":
			var n int64
			if n, err = number(value); err == nil {
				u.Interval = &n
			}
		case "max-repeats-number":
			var n int64
			if n, err = number(value); err == nil && value == "" {
				u.DropMax = true
			} else if err == nil {
				u.Max = new(uint64(n))
			}
		case "amount":
			u.Amount = &value
		case "amount-from":
			u.From = &value
		case "amount-to":
			u.To = &value
		case "amount-sequence":
			var list []string
			if value != "" {
				list = strings.Split(value, ",")
			}
			u.Sequence = &list
		case "rp_card_type", "currency", "expire-year", "expire-month": // they move no charge (L31)
		default:
			err = fmt.Errorf("the oracle knows no column %s", name)
		}
		if err != nil {
			return u, err
		}
	}
	return u, nil
}

// number reads a number that is not negative; 0 for the empty text.
func number(text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseUint(text, 10, 63)
	return int64(n), err
}
