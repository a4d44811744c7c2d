package exportform

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/calendar"
)

// TestWords: what a user says is read back as it is written, and anything else is refused without a change.
func TestWords(t *testing.T) {
	for _, word := range []string{"", "dmy", "mdy", "ymd"} {
		var d Dates
		if err := d.UnmarshalText([]byte(word)); err != nil || d.String() != word {
			t.Errorf("%q: %v, %v", word, d, err)
		}
	}
	for _, word := range []string{"", "comma", "point"} {
		var d Decimal
		text, other := d.MarshalText()
		if err := d.UnmarshalText([]byte(word)); err != nil || other != nil || len(text) > 0 || d.String() != word {
			t.Errorf("%q: %v, %v", word, d, err)
		}
	}
	for _, word := range []string{"", "10", "19", "20", "99"} {
		c := Century(33)
		err := c.UnmarshalText([]byte(word))
		if text, _ := c.MarshalText(); err != nil || string(text) != word {
			t.Errorf("%q: %s, %v", word, text, err)
		}
	}
	for _, word := range []string{"2", "200", "09", "xx", " 20", "-1"} {
		c := Century(33)
		if err := c.UnmarshalText([]byte(word)); err == nil || c != 33 {
			t.Errorf("%q: %v", word, c)
		}
	}
	d, m := YearFirst, Point
	if d.UnmarshalText([]byte("dym")) == nil || m.UnmarshalText([]byte(".")) == nil || d != YearFirst || m != Point {
		t.Error(d, m)
	}
	if _, err := Dates(9).MarshalText(); err == nil || Century(9).String() != "" || Century(100).String() != "" {
		t.Error("a value without a word has one")
	}
}

// TestDateIsOfNoOtherOrder: a date is read in the order that was said or in the only one that there is, and
// DD.MM.YYYY always as that.
func TestDateIsOfNoOtherOrder(t *testing.T) {
	for _, f := range []Forms{{}, {Dates: DayFirst}, {Dates: MonthFirst}, {Dates: YearFirst, Century: 20}} {
		if d, form := f.Date("03.04.2026"); d != calendar.MustParse("2026-04-03") || form != DateDotted {
			t.Errorf("%+v: %v, %d", f, d, form)
		}
		if d, form := f.Date("2026-04-03"); d != calendar.MustParse("2026-04-03") || form != DateISO {
			t.Errorf("%+v: %v, %d", f, d, form)
		}
	}
	for _, c := range []struct {
		f    Forms
		text string
		want string
		form DateForm
	}{
		{Forms{}, "3.4.2026", "2026-04-03", DateOneDigit}, {Forms{Dates: YearFirst}, "3.4.2026", "2026-04-03", DateOneDigit},
		{Forms{Dates: MonthFirst}, "3.4.2026", "", DateUnordered}, {Forms{Dates: MonthFirst}, "4.4.2026", "2026-04-04", DateOtherMark},
		{Forms{}, "4.13.2026", "", DateMalformed}, {Forms{Dates: MonthFirst}, "4.13.2026", "2026-04-13", DateMonthFirst},
		{Forms{}, "3/4/2026", "", DateUnordered}, {Forms{Dates: DayFirst}, "3/4/2026", "2026-04-03", DateInOrder}, {Forms{Dates: MonthFirst}, "3/4/2026", "2026-03-04", DateInOrder},
		{Forms{Dates: DayFirst}, "4/13/2026", "", DateUnordered}, {Forms{}, "4/13/2026", "2026-04-13", DateMonthFirst}, {Forms{Dates: MonthFirst}, "13/4/2026", "", DateUnordered},
		{Forms{}, "3/4/26", "", DateCentury}, {Forms{Century: 20}, "3/4/26", "", DateUnordered}, {Forms{Century: 19, Dates: DayFirst}, "3/4/26", "1926-04-03", DateShortYear},
		{Forms{Century: 20}, "13/4/99", "2099-04-13", DateShortYear}, {Forms{Century: 20, Dates: YearFirst}, "26/4/3", "2026-04-03", DateShortYear},
		{Forms{Century: 20, Dates: DayFirst}, "3/13/26", "", DateMalformed}, {Forms{Century: 20}, "3/4/6", "", DateMalformed},
		{Forms{}, "32/1/2026", "", DateMalformed}, {Forms{}, "1/2/3/2026", "", DateMalformed}, {Forms{}, "31.01.20265", "", DateMalformed}, {Forms{Century: 20}, "3/4/126", "", DateMalformed}, {Forms{}, "1-2/2026", "", DateMalformed}, {Forms{}, "", "", DateMalformed},
		{Forms{}, "x.y.2026", "", DateMalformed}, {Forms{}, "2026-1-x", "", DateMalformed}, {Forms{Century: 20}, "a.b.26", "", DateMalformed}, {Forms{}, "31.02.2026", "", DateDotted},
	} {
		d, form := c.f.Date(c.text)
		if form != c.form || (c.want == "") != d.IsZero() || c.want != "" && d != calendar.MustParse(c.want) {
			t.Errorf("%+v %q: %v, %d", c.f, c.text, d, form)
		}
	}
}

// TestAmountIsReadOnce: an amount that was read is read as itself again, under the same Forms.
func TestAmountIsReadOnce(t *testing.T) {
	chance := rand.New(rand.NewPCG(3, 4))
	pieces := []string{"0", "1", "12", "123", "234", "1234", ".", ",", ".", ",", "'", " ", "\u00a0", "€", "$", "EUR", "eur", "-", "x"}
	read := 0
	for range 50_000 {
		var text strings.Builder
		for range 1 + chance.IntN(7) {
			text.WriteString(pieces[chance.IntN(len(pieces))])
		}
		for _, d := range []Decimal{0, Comma, Point} {
			f := Forms{Decimal: d}
			a := f.Amount(text.String(), "EUR")
			if (a.Fault == 0) != (a.Text != "") {
				t.Fatalf("%v %q: %+v", d, text.String(), a)
			}
			if a.Fault != 0 {
				continue
			}
			read++
			if again := f.Amount(a.Text, "EUR"); again != (Amount{Text: a.Text}) {
				t.Fatalf("%v %q: %+v, and again %+v", d, text.String(), a, again)
			}
		}
	}
	if read < 5_000 {
		t.Errorf("%d amounts were read", read)
	}
}

// TestAmountOfACurrency: a sign or a code is left out where it is that of the currency, at one end.
func TestAmountOfACurrency(t *testing.T) {
	for _, c := range []struct {
		text, currency string
		want           string
		fault          AmountFault
	}{
		{"12,50 €", "EUR", "12.50", 0}, {"€12,50", "EUR", "12.50", 0}, {"12,50EUR", "EUR", "12.50", 0}, {"eur 12,50", "EUR", "12.50", 0}, {"12,50 zł", "PLN", "12.50", 0},
		{"$5", "CAD", "5", 0}, {"$5", "EUR", "", AmountCurrency}, {"5 USD", "EUR", "", AmountCurrency}, {"5 €", "", "", AmountCurrency},
		{"€ 5 €", "EUR", "", AmountMalformed}, {"€", "EUR", "", AmountMalformed}, {"5 €€", "EUR", "", AmountMalformed}, {"-5 €", "EUR", "", AmountMalformed}, {"5x", "EUR", "", AmountMalformed},
	} {
		if a := (Forms{Decimal: Comma}).Amount(c.text, c.currency); a.Text != c.want || a.Fault != c.fault || a.Sign != (c.want != "") {
			t.Errorf("%q of %s: %+v", c.text, c.currency, a)
		}
		if a := (Forms{}).Amount(c.text, c.currency); a.Fault == 0 {
			t.Errorf("%q is read without a word: %+v", c.text, a)
		}
	}
}
