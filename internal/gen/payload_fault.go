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
		one(rules.SpreadsheetValue, rules.ColumnCity, OnSRC, "#REF!"),
		one(rules.SpreadsheetValue, rules.ColumnPhone, OnSRC, "4,91711E+11"),
		one(rules.SpreadsheetValue, rules.ColumnZipCode, OnSRC, `="01067"`),
		one(rules.TextGarbled, rules.ColumnCity, OnSRC, "M\u00c3\u00bcller"),
		one(rules.ZipCodeZero, rules.ColumnZipCode, OnSRC, "1067").with(SetCell{rules.ColumnCountry, "DE"}, SetCell{rules.ColumnState, ""}),
		one(rules.SequenceCommas, rules.ColumnAmountSequence, "", "9,99,19,99").with(SetCell{rules.ColumnAmount, ""}, SetCell{rules.ColumnAmountFrom, ""}, SetCell{rules.ColumnAmountTo, ""}, SetCell{rules.ColumnCurrency, "EUR"}),
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

// amountsSet is a row's four amount columns.
func amountsSet(fixed, from, to, sequence string) []SetCell {
	return []SetCell{{rules.ColumnCurrency, "EUR"}, {rules.ColumnAmount, fixed}, {rules.ColumnAmountFrom, from}, {rules.ColumnAmountTo, to}, {rules.ColumnAmountSequence, sequence}}
}

// amountOnly is a fault of an amount that is the only one.
func amountOnly(code ledger.Code, value string) CellFault {
	f := one(code, rules.ColumnAmount, "", value)
	f.set = amountsSet(value, "", "", "")
	return f
}

// amountFaults are those of amounts, alone and together (2.2.5, L33–L36c).
func amountFaults() []CellFault {
	var list []CellFault
	for _, v := range [...]string{"1e3", "1E3", "+1", "-1", ".5", "5.", "1,5", "1.000,00", "0x10", "1_000", "1 000", "$5", "NaN", "٣", "１２", "−5", "1.2.3"} {
		list = append(list, amountOnly(rules.AmountSyntax, v))
	}
	for _, v := range [...]string{"0", "0.00"} {
		list = append(list, amountOnly(rules.AmountZero, v))
	}
	list = append(list, amountOnly(rules.AmountScale, "0.001"), amountOnly(rules.LeadingZero, "012.50"), amountOnly(rules.SurroundingSpace, "1 "))
	together := func(code ledger.Code, column rules.Column, fixed, from, to, sequence string, follows ...ledger.Code) {
		f := one(code, column, "", "", follows...)
		f.set = amountsSet(fixed, from, to, sequence)
		list = append(list, f)
	}
	together(rules.AmountMissing, rules.ColumnAmount, "", "", "", "")
	together(rules.AmountModes, rules.ColumnAmount, "1.00", "", "", "2.00")
	together(rules.AmountModes, rules.ColumnAmount, "1.00", "1.00", "2.00", "")
	together(rules.AmountModes, rules.ColumnAmount, "1.00", "1.00", "2.00", "3.00")
	together(rules.AmountModes, rules.ColumnAmountFrom, "", "1.00", "2.00", "3.00")
	together(rules.AmountHalfRange, rules.ColumnAmountFrom, "", "1.00", "", "")
	together(rules.AmountHalfRange, rules.ColumnAmountTo, "", "", "1.00", "")
	together(rules.AmountOrder, rules.ColumnAmountFrom, "", "5.00", "4.99", "")
	together(rules.AmountZero, rules.ColumnAmountFrom, "", "0.00", "5", "")
	together(rules.AmountSyntax, rules.ColumnAmountFrom, "", "1e1", "5", "")
	together(rules.AmountSyntax, rules.ColumnAmountTo, "", "1", "5.", "")
	together(rules.AmountScale, rules.ColumnAmountTo, "", "1", "5.001", "")
	for _, v := range [...]string{"1.00,,2.00", ",1.00", "1.00,", "1.00, 2.00", "1.00;2.00", "1.00,x", "1e1", "1.00,-1"} {
		together(rules.SequenceElement, rules.ColumnAmountSequence, "", "", "", v)
	}
	together(rules.AmountZero, rules.ColumnAmountSequence, "", "", "", "1,0")
	together(rules.AmountScale, rules.ColumnAmountSequence, "", "", "", "1.00,1.001")
	together(rules.LeadingZero, rules.ColumnAmountSequence, "", "", "", "1.5,02")
	together(rules.LimitElements, rules.ColumnAmountSequence, "", "", "", strings.Repeat("1,", 10_000)+"1")
	return list
}

// TimesSet is a row's schedule, with a card that outlives it.
func TimesSet(period, interval, start, finish, most string) []SetCell {
	return []SetCell{
		{rules.ColumnPeriod, period}, {rules.ColumnInterval, interval}, {rules.ColumnStartDate, start}, {rules.ColumnFinishDate, finish},
		{rules.ColumnMaxRepeatsNumber, most}, {rules.ColumnExpireYear, "9999"}, {rules.ColumnExpireMonth, "12"},
	}
}

// scheduleFaults are wrong values of the columns of a schedule.
func scheduleFaults() []CellFault {
	var list []CellFault
	monthly := func(code ledger.Code, column rules.Column, values ...string) {
		for _, v := range values {
			list = append(list, one(code, column, OnSRC, v).with(TimesSet("month", "1", "31.01.2026", "", "12")...))
		}
	}
	monthly(rules.PeriodValue, rules.ColumnPeriod, "Day", "MONTH", "days", "year", "monthly")
	monthly(rules.SurroundingSpace, rules.ColumnPeriod, " month")
	monthly(rules.IntervalValue, rules.ColumnInterval, "0", "-1", "-0")
	monthly(rules.IntegerSyntax, rules.ColumnInterval, "+1", "1.5", "abc", "0x10", "１")
	monthly(rules.IntegerRange, rules.ColumnInterval, "9223372036854775808", "99999999999999999999")
	monthly(rules.LeadingZero, rules.ColumnInterval, "01", "007")
	monthly(rules.SurroundingSpace, rules.ColumnInterval, "1 ")
	monthly(rules.MaxNegative, rules.ColumnMaxRepeatsNumber, "-1", "-12")
	monthly(rules.IntegerSyntax, rules.ColumnMaxRepeatsNumber, "1.5", "3x", "three")
	monthly(rules.IntegerRange, rules.ColumnMaxRepeatsNumber, "99999999999999999999")
	monthly(rules.LeadingZero, rules.ColumnMaxRepeatsNumber, "012")
	monthly(rules.SchedulePair, rules.ColumnInterval, "")
	monthly(rules.SchedulePair, rules.ColumnPeriod, "")
	for _, column := range [...]rules.Column{rules.ColumnStartDate, rules.ColumnFinishDate} {
		monthly(rules.DateSyntax, column, "1.2.2027", "2027-02-01", "01012027", "01.02.27", "01/02/2027", "01.02.10000")
		monthly(rules.DateNotADay, column, "31.02.2027", "29.02.2100", "00.01.2027", "01.13.2027", "01.01.0000")
		monthly(rules.SurroundingSpace, column, "01.02.2027 ")
	}
	for _, period := range [...]string{"day", "month"} {
		list = append(list, one(rules.ScheduleOnDst, rules.ColumnPeriod, OnDST, period, rules.ScheduleOnDst).with(TimesSet("", "1", "", "", "")...))
		list = append(list, one(rules.ScheduleOnDst, rules.ColumnInterval, OnDST, "1", rules.ScheduleOnDst).with(TimesSet(period, "", "", "", "")...))
	}
	return list
}

// timeFaults are what only the dates together, as-of and the engine show.
func timeFaults() []CellFault {
	var list []CellFault
	add := func(code ledger.Code, column rules.Column, set []SetCell, follows ...ledger.Code) {
		f := one(code, column, OnSRC, "", follows...)
		f.set = set
		list = append(list, f)
	}
	month := func(start, finish, most string) []SetCell { return TimesSet("month", "1", start, finish, most) }
	add(rules.StartPast, rules.ColumnStartDate, month("09.01.2026", "", ""))
	add(rules.FinishBeforeStart, rules.ColumnFinishDate, month("01.02.2027", "01.02.2026", ""), rules.NeverCharges)
	add(rules.NeverCharges, rules.ColumnFinishDate, month("", "09.01.2026", ""))
	add(rules.NeverCharges, rules.ColumnFinishDate, month("20.01.2026", "19.01.2026", ""), rules.FinishBeforeStart)
	add(rules.MaxZero, rules.ColumnMaxRepeatsNumber, month("", "", "0"), rules.NeverCharges)
	add(rules.MaxRepeatsUnreachable, rules.ColumnMaxRepeatsNumber, month("10.01.2026", "10.03.2026", "12"))
	card := func(year, month string) []SetCell {
		return append(TimesSet("month", "1", "31.01.2026", "", "12"), SetCell{rules.ColumnExpireYear, year}, SetCell{rules.ColumnExpireMonth, month})
	}
	add(rules.CardExpired, rules.ColumnExpireYear, card("2025", "12"))
	add(rules.CardExpiresBeforeCharge, rules.ColumnExpireYear, card("2026", "06"))
	add(rules.CardExpiresBeforeCharge, rules.ColumnExpireYear, card("2026", "11"))
	return list
}
