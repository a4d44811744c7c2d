package gen

import (
	"strings"

	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

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
	together(rules.LeadingZero, rules.ColumnAmountSequence, "", "", "", "1,02")
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
