package fuzz

import (
	"slices"
	"strings"

	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

// A cellFault is a single fault that can be put into a row without one: which values it
// takes, and what must be told about it (V07). It sets every column on which its finding
// depends.
type cellFault struct {
	name    string
	code    ledger.Code
	column  rules.Column
	kind    string // of the rows that it fits; empty for both
	set     []setCell
	follows []ledger.Code // other codes that may follow from it
	project bool          // it needs a project of EUR
	touched columnBits
	size    int // bytes of its values
}

type setCell struct {
	column rules.Column
	value  string
}

// fits tells whether the fault can be put into a row.
func (f *cellFault) fits(row Cells, project string) bool {
	return (f.kind == "" || f.kind == row[rules.ColumnCardType]) && (!f.project || project != "")
}

// large reports whether the fault puts a value of many kilobytes into the row. One such
// value costs more than all other rows of a payload, so that few are drawn.
func (f *cellFault) large() bool { return f.size > 4<<10 }

// cellFaults are the faults of single rows.
var cellFaults = faultTable()

const (
	onSRC = "SRC"
	onDST = "DST"
)

func faultTable() []cellFault {
	list := slices.Concat(requiredFaults(), lengthFaults(), textFaults(), valueFaults(), amountFaults(), scheduleFaults(), timeFaults())
	for i := range list {
		f := &list[i]
		f.touched |= bitsOf(f.column)
		for _, s := range f.set {
			f.touched |= bitsOf(s.column)
			f.size += len(s.value)
		}
		if f.kind != "" {
			f.touched |= bitsOf(rules.ColumnCardType)
		}
		if f.project {
			f.touched |= bitsOf(rules.ColumnCurrency)
		}
	}
	return list
}

// one is a fault of one value.
func one(code ledger.Code, column rules.Column, kind, value string, follows ...ledger.Code) cellFault {
	return cellFault{
		name: string(code) + " " + column.String(), code: code, column: column, kind: kind,
		set: []setCell{{column, value}}, follows: follows,
	}
}

// each is a fault for each of some values of a column.
func each(code ledger.Code, column rules.Column, kind string, values ...string) []cellFault {
	var list []cellFault
	for _, v := range values {
		list = append(list, one(code, column, kind, v))
	}
	return list
}

// with is the fault in a row with other values.
func (f cellFault) with(set ...setCell) cellFault {
	f.set = append(set, f.set...)
	return f
}

// requiredFaults leave out what must be there (2.1, X5).
func requiredFaults() []cellFault {
	var list []cellFault
	for _, c := range [...]rules.Column{rules.ColumnCardType, rules.ColumnOrderID, rules.ColumnCardNumber, rules.ColumnCurrency} {
		list = append(list, one(rules.MissingValue, c, "", ""))
	}
	for _, c := range [...]rules.Column{
		rules.ColumnCardPrintedName, rules.ColumnExpireYear, rules.ColumnExpireMonth, rules.ColumnCountry, rules.ColumnCity, rules.ColumnZipCode,
		rules.ColumnAddress1, rules.ColumnFirstName, rules.ColumnLastName, rules.ColumnEmail,
	} {
		list = append(list, one(rules.MissingValue, c, onSRC, ""))
	}
	list = append(list, one(rules.MissingValue, rules.ColumnLastName, onSRC, "   "))
	for _, country := range [...]string{"US", "CA", "AU"} {
		list = append(list, one(rules.StateRequired, rules.ColumnState, onSRC, "").with(setCell{rules.ColumnCountry, country}))
	}
	return list
}

// lengthFaults are one character too long (L35, L40, L41).
func lengthFaults() []cellFault {
	x := func(n int) string { return strings.Repeat("x", n) }
	long := func(c rules.Column, kind, value string, follows ...ledger.Code) cellFault {
		return one(rules.TooLong, c, kind, value, follows...)
	}
	list := []cellFault{
		long(rules.ColumnOrderID, "", x(129), rules.OrderIDDuplicate),
		long(rules.ColumnCardNumber, "", strings.Repeat("0", 20)),
		long(rules.ColumnCardPrintedName, "", x(129)),
		long(rules.ColumnCurrency, "", "EURO", rules.ProjectCurrency),
		long(rules.ColumnCountry, onSRC, "DEU").with(setCell{rules.ColumnState, ""}),
		long(rules.ColumnCity, onSRC, x(129)),
		long(rules.ColumnZipCode, onSRC, x(11)),
		long(rules.ColumnAddress1, onSRC, x(257)),
		long(rules.ColumnFirstName, onSRC, x(129)),
		long(rules.ColumnLastName, onSRC, strings.Repeat("é", 129)),
		long(rules.ColumnEmail, onSRC, x(119)+"@b.example"),
		long(rules.ColumnOrderDesc, "", x(66_561)),
		long(rules.ColumnCustomerIP, "", "00000:0000:0000:0000:0000:ffff:192.168.100.228", rules.IPForm),
		long(rules.ColumnSSN, onSRC, x(33)),
		long(rules.ColumnPhone, onSRC, x(129)),
		long(rules.ColumnState, onSRC, "ABCD").with(setCell{rules.ColumnCountry, "DE"}),
		long(rules.ColumnPurpose, onSRC, strings.Repeat("\U0001f4a9", 129)),
		long(rules.ColumnNotifyURL, "", "https://a.example/"+x(1007)).with(setCell{rules.ColumnServerCallbackURL, ""}),
		long(rules.ColumnServerCallbackURL, "", "https://a.example/"+x(111)).with(setCell{rules.ColumnNotifyURL, ""}),
		one(rules.TooShort, rules.ColumnState, onSRC, "C").with(setCell{rules.ColumnCountry, "DE"}),
		one(rules.BytesExceedLimit, rules.ColumnFirstName, onSRC, strings.Repeat("é", 128)),
		one(rules.OrderDescLong, rules.ColumnOrderDesc, "", x(65_001)),
	}
	amounts := func(column rules.Column, from, to, sequence string, follows ...ledger.Code) cellFault {
		value := map[rules.Column]string{rules.ColumnAmountFrom: from, rules.ColumnAmountTo: to, rules.ColumnAmountSequence: sequence}[column]
		return long(column, "", value, follows...).with(setCell{rules.ColumnCurrency, "EUR"}, setCell{rules.ColumnAmount, ""},
			setCell{rules.ColumnAmountFrom, from}, setCell{rules.ColumnAmountTo, to}, setCell{rules.ColumnAmountSequence, sequence})
	}
	return append(list,
		amountOnly(rules.TooLong, "12345678.90"),
		amountOnly(rules.TooLong, "99999999999"),
		amounts(rules.ColumnAmountFrom, "10000000001", "9999999999", "", rules.AmountOrder),
		amounts(rules.ColumnAmountTo, "1", "10000000001", ""),
		amounts(rules.ColumnAmountSequence, "", "", "1.00,10000000001"),
	)
}

// textFaults are wrong characters and values where they do not belong.
func textFaults() []cellFault {
	list := []cellFault{
		one(rules.InvalidUTF8, rules.ColumnCity, onSRC, "caf\xe9"),
		one(rules.InvalidUTF8, rules.ColumnOrderDesc, "", "\xed\xa0\x80"),
		one(rules.NULCharacter, rules.ColumnOrderDesc, "", "a\x00b"),
		one(rules.ControlCharacter, rules.ColumnOrderID, "", "a\tb", rules.OrderIDDuplicate),
		one(rules.ControlCharacter, rules.ColumnCity, onSRC, "a\u202eb"),
		one(rules.ControlCharacter, rules.ColumnAddress1, onSRC, "a \"x\"\r\nb"),
		one(rules.SurroundingSpace, rules.ColumnCity, onSRC, "Springfield "),
		one(rules.SurroundingSpace, rules.ColumnOrderID, "", " x", rules.OrderIDDuplicate),
		one(rules.SurroundingSpace, rules.ColumnPurpose, onSRC, "  "),
		one(rules.SurroundingSpace, rules.ColumnCardType, onSRC, "SRC "),
		one(rules.SurroundingSpace, rules.ColumnBirthday, onSRC, " 01.02.1980"),
	}
	for column, value := range map[rules.Column]string{
		rules.ColumnCountry: "DE", rules.ColumnCity: "B", rules.ColumnZipCode: "1", rules.ColumnAddress1: "A", rules.ColumnFirstName: "J", rules.ColumnLastName: "D",
		rules.ColumnEmail: "a@b.example", rules.ColumnSSN: "1", rules.ColumnBirthday: "01.02.1980", rules.ColumnPhone: "1", rules.ColumnState: "CA", rules.ColumnPurpose: "p",
	} {
		list = append(list, one(rules.SrcOnlyOnDst, column, onDST, value))
	}
	// A table has one order, the map above has none.
	slices.SortStableFunc(list, func(a, b cellFault) int { return strings.Compare(a.name, b.name) })
	return list
}

// valueFaults are wrong values of single columns.
func valueFaults() []cellFault {
	var list []cellFault
	add := func(more ...cellFault) { list = append(list, more...) }
	add(each(rules.CardTypeValue, rules.ColumnCardType, "", "src", "Src", "XYZ")...)
	add(each(rules.CardNumberForm, rules.ColumnCardNumber, "", "4111-1111-1111-1", "411111111111111x", "４１１１")...)
	add(each(rules.CardNumberShort, rules.ColumnCardNumber, "", "0", "18", "00000000000")...)
	add(one(rules.CardNumberCheck, rules.ColumnCardNumber, "", "4111111111111112"))
	for _, id := range [...]string{"5105105105105100", "4222222222222", "6304000000000000000"} {
		add(one(rules.OrderIDLikeCard, rules.ColumnOrderID, "", id, rules.OrderIDDuplicate))
	}
	add(each(rules.CVV2Form, rules.ColumnCVV2, "", "12", "12345", "12a")...)
	add(each(rules.ExpireYearForm, rules.ColumnExpireYear, "", "26", "20300", "203x")...)
	add(each(rules.ExpireMonthForm, rules.ColumnExpireMonth, "", "0", "00", "13", "1x", "012")...)
	add(one(rules.ExpireMonthOneDigit, rules.ColumnExpireMonth, "", "1", rules.CardExpiresBeforeCharge))
	add(one(rules.CurrencyUnknown, rules.ColumnCurrency, "", "eur", rules.ProjectCurrency), one(rules.CurrencyUnknown, rules.ColumnCurrency, "", "QQQ", rules.ProjectCurrency))
	project := one(rules.ProjectCurrency, rules.ColumnCurrency, "", "GBP")
	project.project = true
	add(project)
	add(one(rules.CountryUnknown, rules.ColumnCountry, onSRC, "us").with(setCell{rules.ColumnState, ""}), one(rules.CountryUnknown, rules.ColumnCountry, onSRC, "XX").with(setCell{rules.ColumnState, ""}))
	add(one(rules.StateUnknown, rules.ColumnState, onSRC, "ZZ").with(setCell{rules.ColumnCountry, "US"}))
	add(each(rules.EmailForm, rules.ColumnEmail, onSRC, "Bob <a@b.c>", `"a b"@c.d`, "a@[1.2.3.4]", "a@b", "a.b")...)
	add(each(rules.IPForm, rules.ColumnCustomerIP, "", "1.2.3", "1.2.3.4:80", "01.2.3.4", "[::1]", "fe80::1%eth0", "localhost")...)
	for _, v := range [...]string{"javascript:alert(1)", "file:///a", "//h/a", "h/a", "https:///a", "https://a.example/ b"} {
		add(one(rules.URLForm, rules.ColumnNotifyURL, "", v).with(setCell{rules.ColumnServerCallbackURL, ""}))
		add(one(rules.URLForm, rules.ColumnServerCallbackURL, "", v).with(setCell{rules.ColumnNotifyURL, ""}))
	}
	add(one(rules.CallbacksBoth, rules.ColumnNotifyURL, "", "https://a.example").with(setCell{rules.ColumnServerCallbackURL, "https://a.example"}))
	add(each(rules.DateNotADay, rules.ColumnBirthday, onSRC, "29.02.2023", "31.04.2000", "01.01.0000")...)
	add(each(rules.DateSyntax, rules.ColumnBirthday, onSRC, "1.2.1980", "1980-02-01", "01.02.80")...)
	add(one(rules.BirthdayFuture, rules.ColumnBirthday, onSRC, "11.01.2026"))
	return list
}
