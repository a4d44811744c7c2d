package fuzz

import (
	"fmt"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/rules"
)

// tableLaws are the laws of the tables of columns and rules. They have no random input:
// everything is tried.
func tableLaws() []Law {
	reads := func(i Impl) bool { return i.ReadPayload != nil }
	return []Law{
		{ID: "V08", Formula: "of each of the 33 columns length L passes and L+1 fails, counted in characters of 1 to 4 bytes", Clause: "L41", Needs: reads, Check: everyLength},
		{ID: "V09", Formula: "every rule has an input that breaks it and one that does not", Clause: "2.1", Needs: reads, Check: everyRule},
	}
}

// plainRow is a row without fault that the tables are made from.
func plainRow(kind string) Cells {
	var c Cells
	for column, value := range map[rules.Column]string{
		rules.CardType: kind, rules.OrderID: "order-1", rules.CardNumber: testCards[0], rules.Amount: "10.00", rules.Currency: "EUR",
	} {
		c[column] = value
	}
	if kind == onDST {
		return c
	}
	for column, value := range map[rules.Column]string{
		rules.CardPrintedName: "JANE DOE", rules.ExpireYear: "2030", rules.ExpireMonth: "12", rules.Country: "DE", rules.City: "Berlin",
		rules.ZipCode: "10115", rules.Address1: "Street 1", rules.FirstName: "Jane", rules.LastName: "Doe", rules.Email: "jane@example.com",
	} {
		c[column] = value
	}
	return c
}

// plainCase is a payload of one row, all columns in order.
func plainCase(rows ...Cells) PayloadCase {
	var c PayloadCase
	for column := rules.CardType; column <= rules.ServerCallbackURL; column++ {
		c.Columns = append(c.Columns, column)
	}
	for _, row := range rows {
		c.Rows = append(c.Rows, PayloadLine{Clean: row})
	}
	return c
}

// A columnLimit is the limit of a column as clause 2.1 and the ledger have it, written
// down once more: a value of just that length, and one that is one character longer.
type columnLimit struct {
	column        rules.Column
	most          int       // characters; 0 where the kind of value sets the bounds
	fits, exceeds string    // where it does
	others        []setCell // what else the row needs
}

func columnLimits() []columnLimit {
	text := func(c rules.Column, most int, others ...setCell) columnLimit {
		return columnLimit{column: c, most: most, others: others}
	}
	words := func(c rules.Column, fits, exceeds string, others ...setCell) columnLimit {
		return columnLimit{column: c, fits: fits, exceeds: exceeds, others: others}
	}
	monthly := timesSet("month", "1", "", "", "")
	return []columnLimit{
		words(rules.CardType, "SRC", "SRCX"), text(rules.OrderID, 128), text(rules.CardNumber, 19), words(rules.CVV2, "1234", "12345"),
		text(rules.CardPrintedName, 128), words(rules.ExpireYear, "2030", "20300"), words(rules.ExpireMonth, "12", "012"),
		text(rules.Amount, 10), text(rules.AmountFrom, 10, setCell{rules.Amount, ""}, setCell{rules.AmountTo, "9999999999"}),
		text(rules.AmountTo, 10, setCell{rules.Amount, ""}, setCell{rules.AmountFrom, "1"}),
		words(rules.AmountSequence, "1,9999999.99,1", "1,99999999.99,1", setCell{rules.Amount, ""}),
		text(rules.Currency, 3), text(rules.Country, 2), text(rules.City, 128), text(rules.ZipCode, 10), text(rules.Address1, 256),
		text(rules.FirstName, 128), text(rules.LastName, 128), text(rules.Email, 128),
		words(rules.Period, "month", "months", setCell{rules.Interval, "1"}),
		words(rules.Interval, "9223372036854775807", "9223372036854775808", monthly...),
		text(rules.OrderDesc, 66_560), text(rules.CustomerIP, 45), text(rules.SSN, 32),
		words(rules.Birthday, "01.02.1980", "01.02.19800"), text(rules.Phone, 128), text(rules.State, 3),
		words(rules.StartDate, "01.02.2027", "01.02.20270"), words(rules.FinishDate, "01.02.2027", "01.02.20270"),
		words(rules.MaxRepeatsNumber, "9223372036854775807", "9223372036854775808"), text(rules.Purpose, 128),
		text(rules.NotifyURL, 1024), text(rules.ServerCallbackURL, 128),
	}
}

// everyLength puts values of each length into rows, the rows of a column into one
// payload.
func everyLength(t T, _ *Case, impl Impl) {
	limits := columnLimits()
	if len(limits) != len(documentNames)-1 {
		t.Errorf("limits of %d columns", len(limits))
	}
	for _, l := range limits {
		var rows []Cells
		values := l.values()
		for i, v := range values {
			row := plainRow(onSRC)
			row[rules.OrderID] = fmt.Sprintf("order-%d", i)
			for _, s := range append(slices.Clone(l.others), setCell{l.column, v.text}) {
				row[s.column] = s.value
			}
			rows = append(rows, row)
		}
		_, j := plainCase(rows...).judge(impl)
		for i, v := range values {
			found := j.about(i + 1)
			if long := has(found, rules.TooLong, l.column); long != v.long && l.most > 0 {
				t.Errorf("%s of %d characters, %d bytes: too long is %v\n%s", documentNames[l.column], len([]rune(v.text)), len(v.text), long, textOf(found))
			}
			if (j.row(i+1) == nil) != v.refused {
				t.Errorf("%s of %d characters, %d bytes: refused is %v\n%s", documentNames[l.column], len([]rune(v.text)), len(v.text), !v.refused, textOf(found))
			}
		}
	}
}

type limitValue struct {
	text          string
	long, refused bool
}

// values are those of the column's limit: at it, one above, and for text the same with
// characters of 2 to 4 bytes.
func (l columnLimit) values() []limitValue {
	if l.most == 0 {
		return []limitValue{{l.fits, false, false}, {l.exceeds, true, true}}
	}
	var list []limitValue
	for _, letter := range [...]string{"7", "é", "日", "\U0001f4a9"} {
		for _, n := range [...]int{l.most, l.most + 1} {
			refused := n > l.most || letter != "7" && l.digitsOnly()
			list = append(list, limitValue{strings.Repeat(letter, n), n > l.most, refused})
		}
	}
	return list
}

// digitsOnly tells whether no other characters may stand in the column: a value of those
// is refused whatever its length.
func (l columnLimit) digitsOnly() bool {
	switch l.column {
	case rules.CardNumber, rules.Amount, rules.AmountFrom, rules.AmountTo:
		return true
	}
	return false
}
