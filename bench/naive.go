package main

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/shopspring/decimal"
)

// A naiveRow is what a competent user of the usual parts would make of a row.
type naiveRow struct {
	CardType, OrderID, Currency, Period string
	Year, Month, Interval, MaxRepeats   int
	Amount, From, To                    decimal.Decimal
	Sequence                            []decimal.Decimal
	Birthday, Start, Finish             time.Time
}

var (
	errNaiveMissing = errors.New("a required column is empty")
	errNaiveLong    = errors.New("a value is too long")
)

// naiveColumns is the table of section 2.1 for a source card: how many characters a column
// may have, 0 for any number, and whether it is required.
var naiveColumns = [...]struct {
	name     string
	most     int
	required bool
}{
	{"rp_card_type", 3, true},
	{"client-orderid", 128, true},
	{"credit-card-number", 19, true},
	{"cvv2", 4, false},
	{"card-printed-name", 128, true},
	{"expire-year", 4, true},
	{"expire-month", 2, true},
	{"amount", 10, false},
	{"amount-from", 10, false},
	{"amount-to", 10, false},
	{"amount-sequence", 0, false},
	{"currency", 3, true},
	{"country", 2, true},
	{"city", 128, true},
	{"zip-code", 10, true},
	{"address1", 256, true},
	{"first-name", 128, true},
	{"last-name", 128, true},
	{"email", 128, true},
	{"period", 32, false},
	{"interval", 0, false},
	{"order_desc", 65_000, false},
	{"customer-ip", 45, false},
	{"ssn", 32, false},
	{"birthday", 10, false},
	{"phone", 128, false},
	{"state", 3, false},
	{"start-date", 10, false},
	{"finish-date", 10, false},
	{"max-repeats-number", 0, false},
	{"purpose", 128, false},
	{"notify_url", 1024, false},
	{"server_callback_url", 128, false},
}

// naiveRead is the usual pipeline: encoding/csv, a map for the header, shopspring for the
// money and time.Parse for the dates. It does the same job as far as the table of columns
// goes: what is required is there, nothing is too long, and what is typed can be typed. It
// has no places, stops at the first fault, and knows nothing of check digits, codes,
// addresses, or one row beside another.
func naiveRead(payload []byte, rows int) side {
	return side{rows, func() uint64 {
		c := newCSV(bytes.NewReader(payload))
		header, err := c.Read()
		if err != nil {
			return 0
		}
		index := indexOf(header)
		read, ids := 0, 0
		for record, err := c.Read(); err == nil; record, err = c.Read() {
			row, err := newNaiveRow(func(name string) string { return record[index[name]] })
			if err != nil {
				return 0
			}
			read++
			ids += len(row.OrderID)
		}
		return readAnswer(read, ids)
	}}
}

func newNaiveRow(get func(name string) string) (*naiveRow, error) {
	row := &naiveRow{
		CardType: get("rp_card_type"),
		OrderID:  get("client-orderid"),
		Currency: get("currency"),
		Period:   get("period"),
	}
	for _, c := range naiveColumns {
		value := get(c.name)
		if c.required && value == "" {
			return nil, errNaiveMissing
		}
		if c.most > 0 && utf8.RuneCountInString(value) > c.most {
			return nil, errNaiveLong
		}
	}
	err := errors.Join(
		number(&row.Year, get("expire-year")),
		number(&row.Month, get("expire-month")),
		number(&row.Interval, get("interval")),
		number(&row.MaxRepeats, get("max-repeats-number")),
		money(&row.Amount, get("amount")),
		money(&row.From, get("amount-from")),
		money(&row.To, get("amount-to")),
		dotted(&row.Birthday, get("birthday")),
		dotted(&row.Start, get("start-date")),
		dotted(&row.Finish, get("finish-date")),
	)
	if err != nil {
		return nil, err
	}
	if list := get("amount-sequence"); list != "" {
		for text := range strings.SplitSeq(list, ",") {
			d, err := decimal.NewFromString(text)
			if err != nil {
				return nil, err
			}
			row.Sequence = append(row.Sequence, d)
		}
	}
	return row, nil
}

func number(n *int, text string) (err error) {
	if text != "" {
		*n, err = strconv.Atoi(text)
	}
	return err
}

func money(d *decimal.Decimal, text string) (err error) {
	if text != "" {
		*d, err = decimal.NewFromString(text)
	}
	return err
}

func dotted(t *time.Time, text string) (err error) {
	if text != "" {
		*t, err = time.Parse("02.01.2006", text)
	}
	return err
}
