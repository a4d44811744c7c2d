package fuzz_test

import (
	"errors"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
)

// readProfile reads the columns that the vectors have, without package rules: the vectors judge the slow
// reference too, which knows no payload. It reports false for a column that cannot be read.
func readProfile(id string, columns map[string]string) (engine.Profile, bool) {
	p := engine.Profile{ID: id, Currency: columns["currency"]}
	p.Kind = map[string]engine.Kind{"SRC": engine.KindSource, "DST": engine.KindDestination}[columns["rp_card_type"]]
	u, ok := readUpdate(columns)
	if !ok {
		return p, false
	}
	p.Start, p.Finish = u.Start.Value, u.Finish.Value
	p.Unit, p.Interval = u.Unit.Value, u.Interval.Value
	p.MaxRepeats = u.MaxRepeats.Value
	p.Amounts, ok = choiceOf(u, p.Currency)
	return p, ok
}

// choiceOf is the one amount choice of a row.
func choiceOf(u engine.Update, currency string) (amount.Choice, bool) {
	switch half := u.AmountFrom.Given != u.AmountTo.Given; {
	case half, u.Amount.Given && u.Sequence.Given, u.AmountFrom.Given && (u.Amount.Given || u.Sequence.Given):
		return amount.Choice{}, false
	case u.Amount.Given:
		return amount.Fixed(u.Amount.Value), true
	case u.AmountFrom.Given:
		r, err := amount.Range(u.AmountFrom.Value, u.AmountTo.Value, currency)
		return r, err == nil
	}
	s, err := amount.Sequence(u.Sequence.Value)
	return s, err == nil
}

// readUpdate reads columns as the update operation gives them: an empty one removes.
func readUpdate(columns map[string]string) (engine.Update, bool) {
	var u engine.Update
	ok := true
	for name, value := range columns {
		read, known := columnReaders[name]
		if !known {
			continue
		}
		ok = read(&u, value) && ok
	}
	return u, ok
}

// columnReaders set one column of an update each; false for a value that cannot be read
// or is out of its range.
var columnReaders = map[string]func(u *engine.Update, value string) bool{
	"start-date":  func(u *engine.Update, s string) bool { return change(&u.Start, s, calendar.ParseDotted) },
	"finish-date": func(u *engine.Update, s string) bool { return change(&u.Finish, s, calendar.ParseDotted) },
	"period":      func(u *engine.Update, s string) bool { return change(&u.Unit, s, calendar.ParseUnit) },
	"interval": func(u *engine.Update, s string) bool {
		return change(&u.Interval, s, strconv.Atoi) && (s == "" || u.Interval.Value > 0)
	},
	"max-repeats-number": func(u *engine.Update, s string) bool {
		return change(&u.MaxRepeats, s, func(s string) (engine.Limit, error) {
			n, err := strconv.ParseUint(s, 10, 63)
			return engine.AtMost(n), err
		})
	},
	"amount":      func(u *engine.Update, s string) bool { return change(&u.Amount, s, amount.Parse) },
	"amount-from": func(u *engine.Update, s string) bool { return change(&u.AmountFrom, s, amount.Parse) },
	"amount-to":   func(u *engine.Update, s string) bool { return change(&u.AmountTo, s, amount.Parse) },
	"amount-sequence": func(u *engine.Update, s string) bool {
		return change(&u.Sequence, s, func(s string) (list []amount.Amount, err error) {
			for element := range strings.SplitSeq(s, ",") {
				a, bad := amount.Parse(element)
				err = errors.Join(err, bad)
				list = append(list, a)
			}
			return list, err
		})
	},
}

func change[V any](c *engine.Change[V], text string, parse func(string) (V, error)) bool {
	if text == "" {
		*c = engine.Remove[V]()
		return true
	}
	v, err := parse(text)
	*c = engine.To(v)
	return err == nil
}
