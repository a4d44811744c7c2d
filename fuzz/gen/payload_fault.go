package gen

import (
	"slices"
	"strings"
	"sync"

	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

// A CellFault is a single fault that can be put into a row without one: which values it
// takes, and what must be reported about it (V07). It sets every column on which its finding
// depends.
type CellFault struct {
	Name    string
	Code    ledger.Code
	Column  rules.Column
	Kind    string // of the rows that it fits; empty for both
	set     []SetCell
	Follows []ledger.Code // other codes that may follow from it
	Project bool          // it needs a project of EUR
	touched columnBits
	size    int // bytes of its values
}

// A SetCell is a value of a column.
type SetCell struct {
	Column rules.Column
	Value  string
}

// Set is a value of a column.
func Set(column rules.Column, value string) SetCell { return SetCell{column, value} }

// fits reports whether the fault can be put into a row.
func (f *CellFault) fits(row Cells, project string) bool {
	return (f.Kind == "" || f.Kind == row[rules.ColumnCardType]) && (!f.Project || project != "")
}

// large reports whether the fault puts a value of many kilobytes into the row. One such
// value costs more than all other rows of a payload, so that few are drawn.
func (f *CellFault) large() bool { return f.size > 4<<10 }

// cellFaults are the faults of single rows, made when a payload is drawn: the command starts often.
var cellFaults = sync.OnceValue(faultTable)

// CellFaults are the faults of single rows, by the numbers of [PayloadLine.Faults]. They are not to
// be changed.
func CellFaults() []CellFault { return cellFaults() }

// The two kinds of rows (2.1).
const (
	OnSRC = "SRC"
	OnDST = "DST"
)

func faultTable() []CellFault {
	list := slices.Concat(requiredFaults(), lengthFaults(), textFaults(), valueFaults(), amountFaults(), scheduleFaults(), timeFaults())
	for i := range list {
		f := &list[i]
		f.touched |= bitsOf(f.Column)
		for _, s := range f.set {
			f.touched |= bitsOf(s.Column)
			f.size += len(s.Value)
		}
		if f.Kind != "" {
			f.touched |= bitsOf(rules.ColumnCardType)
		}
		if f.Project {
			f.touched |= bitsOf(rules.ColumnCurrency)
		}
	}
	return list
}

// one is a fault of one value.
func one(code ledger.Code, column rules.Column, kind, value string, follows ...ledger.Code) CellFault {
	return CellFault{
		Name: string(code) + " " + column.String(), Code: code, Column: column, Kind: kind,
		set: []SetCell{{column, value}}, Follows: follows,
	}
}

// each is a fault for each of some values of a column.
func each(code ledger.Code, column rules.Column, kind string, values ...string) []CellFault {
	var list []CellFault
	for _, v := range values {
		list = append(list, one(code, column, kind, v))
	}
	return list
}

// with is the fault in a row with other values.
func (f CellFault) with(set ...SetCell) CellFault {
	f.set = append(set, f.set...)
	return f
}

// requiredFaults leave out what must be there (2.1, X5).
func requiredFaults() []CellFault {
	var list []CellFault
	for _, c := range [...]rules.Column{rules.ColumnCardType, rules.ColumnOrderID, rules.ColumnCardNumber, rules.ColumnCurrency} {
		list = append(list, one(rules.MissingValue, c, "", ""))
	}
	for _, c := range [...]rules.Column{
		rules.ColumnCardPrintedName, rules.ColumnExpireYear, rules.ColumnExpireMonth, rules.ColumnCountry, rules.ColumnCity, rules.ColumnZipCode,
		rules.ColumnAddress1, rules.ColumnFirstName, rules.ColumnLastName, rules.ColumnEmail,
	} {
		list = append(list, one(rules.MissingValue, c, OnSRC, ""))
	}
	list = append(list, one(rules.MissingValue, rules.ColumnLastName, OnSRC, "   "))
	for _, country := range [...]string{"US", "CA", "AU"} {
		list = append(list, one(rules.StateRequired, rules.ColumnState, OnSRC, "").with(SetCell{rules.ColumnCountry, country}))
	}
	return list
}

// lengthFaults are one character too long (L35, L40, L41).
func lengthFaults() []CellFault {
	x := func(n int) string { return strings.Repeat("x", n) }
	long := func(c rules.Column, kind, value string, follows ...ledger.Code) CellFault {
		return one(rules.TooLong, c, kind, value, follows...)
	}
	list := []CellFault{
		long(rules.ColumnOrderID, "", x(129), rules.OrderIDDuplicate),
		long(rules.ColumnCardNumber, "", strings.Repeat("0", 20)),
		long(rules.ColumnCardPrintedName, "", x(129)),
		long(rules.ColumnCurrency, "", "EURO", rules.ProjectCurrency),
		long(rules.ColumnCountry, OnSRC, "DEU").with(SetCell{rules.ColumnState, ""}),
		long(rules.ColumnCity, OnSRC, x(129)),
		long(rules.ColumnZipCode, OnSRC, x(11)),
		long(rules.ColumnAddress1, OnSRC, x(257)),
		long(rules.ColumnFirstName, OnSRC, x(129)),
		long(rules.ColumnLastName, OnSRC, strings.Repeat("é", 129)),
		long(rules.ColumnEmail, OnSRC, x(119)+"@b.example"),
		long(rules.ColumnOrderDesc, "", x(66_561)),
		long(rules.ColumnCustomerIP, "", "00000:0000:0000:0000:0000:ffff:192.168.100.228", rules.IPForm),
		long(rules.ColumnSSN, OnSRC, x(33)),
		long(rules.ColumnPhone, OnSRC, x(129)),
		long(rules.ColumnState, OnSRC, "ABCD").with(SetCell{rules.ColumnCountry, "DE"}),
		long(rules.ColumnPurpose, OnSRC, strings.Repeat("\U0001f4a9", 129)),
		long(rules.ColumnNotifyURL, "", "https://a.example/"+x(1007)).with(SetCell{rules.ColumnServerCallbackURL, ""}),
		long(rules.ColumnServerCallbackURL, "", "https://a.example/"+x(111)).with(SetCell{rules.ColumnNotifyURL, ""}),
		one(rules.TooShort, rules.ColumnState, OnSRC, "C").with(SetCell{rules.ColumnCountry, "DE"}),
		one(rules.BytesExceedLimit, rules.ColumnFirstName, OnSRC, strings.Repeat("é", 128)),
		one(rules.OrderDescLong, rules.ColumnOrderDesc, "", x(65_001)),
	}
	amounts := func(column rules.Column, from, to, sequence string, follows ...ledger.Code) CellFault {
		value := map[rules.Column]string{rules.ColumnAmountFrom: from, rules.ColumnAmountTo: to, rules.ColumnAmountSequence: sequence}[column]
		return long(column, "", value, follows...).with(SetCell{rules.ColumnCurrency, "EUR"}, SetCell{rules.ColumnAmount, ""},
			SetCell{rules.ColumnAmountFrom, from}, SetCell{rules.ColumnAmountTo, to}, SetCell{rules.ColumnAmountSequence, sequence})
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
func textFaults() []CellFault {
	list := []CellFault{
		one(rules.InvalidUTF8, rules.ColumnCity, OnSRC, "caf\xe9"),
		one(rules.InvalidUTF8, rules.ColumnOrderDesc, "", "\xed\xa0\x80"),
		one(rules.NULCharacter, rules.ColumnOrderDesc, "", "a\x00b"),
		one(rules.ControlCharacter, rules.ColumnOrderID, "", "a\tb", rules.OrderIDDuplicate),
		one(rules.ControlCharacter, rules.ColumnCity, OnSRC, "a\u202eb"),
		one(rules.ControlCharacter, rules.ColumnAddress1, OnSRC, "a \"x\"\r\nb"),
		one(rules.SurroundingSpace, rules.ColumnCity, OnSRC, "Springfield "),
		one(rules.SurroundingSpace, rules.ColumnOrderID, "", " x", rules.OrderIDDuplicate),
		one(rules.SurroundingSpace, rules.ColumnPurpose, OnSRC, "  "),
		one(rules.SurroundingSpace, rules.ColumnCardType, OnSRC, "SRC "),
		one(rules.SurroundingSpace, rules.ColumnBirthday, OnSRC, " 01.02.1980"),
	}
	for column, value := range map[rules.Column]string{
		rules.ColumnCountry: "DE", rules.ColumnCity: "B", rules.ColumnZipCode: "1", rules.ColumnAddress1: "A", rules.ColumnFirstName: "J", rules.ColumnLastName: "D",
		rules.ColumnEmail: "a@b.example", rules.ColumnSSN: "1", rules.ColumnBirthday: "01.02.1980", rules.ColumnPhone: "1", rules.ColumnState: "CA", rules.ColumnPurpose: "p",
	} {
		list = append(list, one(rules.SrcOnlyOnDst, column, OnDST, value))
	}
	// A table has one order, the map above has none.
	slices.SortStableFunc(list, func(a, b CellFault) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// valueFaults are wrong values of single columns.
func valueFaults() []CellFault {
	var list []CellFault
	add := func(more ...CellFault) { list = append(list, more...) }
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
	project.Project = true
	add(project)
	add(one(rules.CountryUnknown, rules.ColumnCountry, OnSRC, "us").with(SetCell{rules.ColumnState, ""}), one(rules.CountryUnknown, rules.ColumnCountry, OnSRC, "XX").with(SetCell{rules.ColumnState, ""}))
	add(one(rules.StateUnknown, rules.ColumnState, OnSRC, "ZZ").with(SetCell{rules.ColumnCountry, "US"}))
	add(each(rules.EmailForm, rules.ColumnEmail, OnSRC, "Bob <a@b.c>", `"a b"@c.d`, "a@[1.2.3.4]", "a@b", "a.b")...)
	add(each(rules.IPForm, rules.ColumnCustomerIP, "", "1.2.3", "1.2.3.4:80", "01.2.3.4", "[::1]", "fe80::1%eth0", "localhost")...)
	for _, v := range [...]string{"javascript:alert(1)", "file:///a", "//h/a", "h/a", "https:///a", "https://a.example/ b"} {
		add(one(rules.URLForm, rules.ColumnNotifyURL, "", v).with(SetCell{rules.ColumnServerCallbackURL, ""}))
		add(one(rules.URLForm, rules.ColumnServerCallbackURL, "", v).with(SetCell{rules.ColumnNotifyURL, ""}))
	}
	add(one(rules.CallbacksBoth, rules.ColumnNotifyURL, "", "https://a.example").with(SetCell{rules.ColumnServerCallbackURL, "https://a.example"}))
	add(each(rules.DateNotADay, rules.ColumnBirthday, OnSRC, "29.02.2023", "31.04.2000", "01.01.0000")...)
	add(each(rules.DateSyntax, rules.ColumnBirthday, OnSRC, "1.2.1980", "1980-02-01", "01.02.80")...)
	add(one(rules.BirthdayFuture, rules.ColumnBirthday, OnSRC, "11.01.2026"))
	return list
}
