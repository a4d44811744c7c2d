package laws

import (
	"fmt"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/rules"
)

// tableLaws are the laws of the tables of columns and rules. They have no random input:
// everything is tried.
func tableLaws() []Law {
	return []Law{
		once("V08", "L41", "of each of the 33 columns length L passes and L+1 fails, counted in characters of 1 to 4 bytes", everyLength),
		once("V09", "2.1", "every rule has an input that breaks it and one that does not", everyRule),
	}
}

// plainRow is a row without fault that the tables are made from.
func plainRow(kind string) gen.Cells {
	var c gen.Cells
	for column, value := range map[rules.Column]string{
		rules.ColumnCardType: kind, rules.ColumnOrderID: "order-1", rules.ColumnCardNumber: gen.TestCard, rules.ColumnAmount: "10.00", rules.ColumnCurrency: "EUR",
	} {
		c[column] = value
	}
	if kind == gen.OnDST {
		return c
	}
	for column, value := range map[rules.Column]string{
		rules.ColumnCardPrintedName: "JANE DOE", rules.ColumnExpireYear: "2030", rules.ColumnExpireMonth: "12", rules.ColumnCountry: "DE", rules.ColumnCity: "Berlin",
		rules.ColumnZipCode: "10115", rules.ColumnAddress1: "Street 1", rules.ColumnFirstName: "Jane", rules.ColumnLastName: "Doe", rules.ColumnEmail: "jane@example.com",
	} {
		c[column] = value
	}
	return c
}

// plainCase is a payload of one row, all columns in order.
func plainCase(rows ...gen.Cells) gen.PayloadCase {
	var c gen.PayloadCase
	for column := rules.ColumnCardType; column <= rules.ColumnServerCallbackURL; column++ {
		c.Columns = append(c.Columns, column)
	}
	for _, row := range rows {
		c.Rows = append(c.Rows, gen.PayloadLine{Clean: row})
	}
	return c
}

// A columnLimit is the limit of a column as clause 2.1 and the ledger have it, written
// down once more: a value of just that length, and one that is one character longer.
type columnLimit struct {
	column        rules.Column
	most          int           // characters; 0 where the kind of value sets the bounds
	fits, exceeds string        // where it does
	others        []gen.SetCell // what else the row needs
}

func columnLimits() []columnLimit {
	text := func(c rules.Column, most int, others ...gen.SetCell) columnLimit {
		return columnLimit{column: c, most: most, others: others}
	}
	words := func(c rules.Column, fits, exceeds string, others ...gen.SetCell) columnLimit {
		return columnLimit{column: c, fits: fits, exceeds: exceeds, others: others}
	}
	monthly := gen.TimesSet("month", "1", "", "", "")
	return []columnLimit{
		words(rules.ColumnCardType, "SRC", "SRCX"), text(rules.ColumnOrderID, 128), text(rules.ColumnCardNumber, 19), words(rules.ColumnCVV2, "1234", "12345"),
		text(rules.ColumnCardPrintedName, 128), words(rules.ColumnExpireYear, "2030", "20300"), words(rules.ColumnExpireMonth, "12", "012"),
		text(rules.ColumnAmount, 10), text(rules.ColumnAmountFrom, 10, gen.Set(rules.ColumnAmount, ""), gen.Set(rules.ColumnAmountTo, "9999999999")),
		text(rules.ColumnAmountTo, 10, gen.Set(rules.ColumnAmount, ""), gen.Set(rules.ColumnAmountFrom, "1")),
		words(rules.ColumnAmountSequence, "1,9999999.99,1", "1,99999999.99,1", gen.Set(rules.ColumnAmount, "")),
		text(rules.ColumnCurrency, 3), text(rules.ColumnCountry, 2), text(rules.ColumnCity, 128), text(rules.ColumnZipCode, 10), text(rules.ColumnAddress1, 256),
		text(rules.ColumnFirstName, 128), text(rules.ColumnLastName, 128), text(rules.ColumnEmail, 128),
		words(rules.ColumnPeriod, "month", "months", gen.Set(rules.ColumnInterval, "1")),
		words(rules.ColumnInterval, "9223372036854775807", "9223372036854775808", monthly...),
		text(rules.ColumnOrderDesc, 66_560), text(rules.ColumnCustomerIP, 45), text(rules.ColumnSSN, 32),
		words(rules.ColumnBirthday, "01.02.1980", "01.02.19800"), text(rules.ColumnPhone, 128), text(rules.ColumnState, 3),
		words(rules.ColumnStartDate, "01.02.2027", "01.02.20270"), words(rules.ColumnFinishDate, "01.02.2027", "01.02.20270"),
		words(rules.ColumnMaxRepeatsNumber, "9223372036854775807", "9223372036854775808"), text(rules.ColumnPurpose, 128),
		text(rules.ColumnNotifyURL, 1024), text(rules.ColumnServerCallbackURL, 128),
	}
}

// everyLength puts values of each length into rows, the rows of a column into one
// payload.
func everyLength(t *T) {
	limits := columnLimits()
	if len(limits) != len(gen.DocumentNames())-1 {
		t.Errorf("limits of %d columns", len(limits))
	}
	for _, l := range limits {
		var rows []gen.Cells
		values := l.values()
		for i, v := range values {
			row := plainRow(gen.OnSRC)
			row[rules.ColumnOrderID] = fmt.Sprintf("order-%d", i)
			for _, s := range append(slices.Clone(l.others), gen.Set(l.column, v.text)) {
				row[s.Column] = s.Value
			}
			rows = append(rows, row)
		}
		_, j := judgeCase(plainCase(rows...), t.Impl)
		for i, v := range values {
			found := j.about(i + 1)
			if long := has(found, rules.TooLong, l.column); long != v.long && l.most > 0 {
				t.Errorf("%s of %d characters, %d bytes: too long is %v\n%s", gen.DocumentNames()[l.column], len([]rune(v.text)), len(v.text), long, textOf(found))
			}
			if (j.row(i+1) == nil) != v.refused {
				t.Errorf("%s of %d characters, %d bytes: refused is %v\n%s", gen.DocumentNames()[l.column], len([]rune(v.text)), len(v.text), !v.refused, textOf(found))
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

// digitsOnly reports whether no other characters may stand in the column: a value of those
// is refused whatever its length.
func (l columnLimit) digitsOnly() bool {
	switch l.column {
	case rules.ColumnCardNumber, rules.ColumnAmount, rules.ColumnAmountFrom, rules.ColumnAmountTo:
		return true
	}
	return false
}
