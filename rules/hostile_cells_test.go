package rules

import (
	"strings"
	"testing"

	"github.com/chargecast/chargecast/engine"
)

// A cellCase is a row of the catalogue of hostile inputs that concerns values: some
// cells of an otherwise faultless row, and everything that is reported about it.
type cellCase struct {
	name   string
	reason string
	row    values
	want   string
}

func (c cellCase) id() (string, string) { return c.name, c.reason }

func src(col Column, v string) values { return source(values{col: v}) }

func digits(n int) string { return strings.Repeat("7", n) }

// hostileCells has h001–h101. A value that the table would repeat for several inputs
// comes from the list in its name.
func hostileCells() []cellCase {
	cases := []cellCase{
		{"h001", "L36", src(Amount, "1e1000000000"), "E amount-syntax, E too-long"},
		{"h002", "L36", src(Amount, "1e10000"), "E amount-syntax"},
		{"h003", "L36", src(Amount, "1e-10000"), "E amount-syntax"},
		{"h005", "L36", src(Amount, "1e9"), "E amount-syntax"},
		{"h006", "L36", src(Amount, "1e2147483648"), "E amount-syntax, E too-long"},
		{"h007", "L36", src(Amount, "+1"), "E amount-syntax"},
		{"h008", "L36", src(Amount, "−5"), "E amount-syntax"},
		{"h011", "L36", src(Amount, "00012.50"), "W leading-zero"},
		{"h015 before", "L46", src(Amount, " 1"), "E surrounding-space"},
		{"h015 after", "L46", src(Amount, "1 "), "E surrounding-space"},
		{"h016 LF", "L36", src(Amount, "1\n"), "E amount-syntax, W control-character"},
		{"h016 NUL", "L41b", src(Amount, "1\x00"), "E amount-syntax, E nul-character"},
		{"h016 zero-width space", "L36", src(Amount, "1\u200b"), "E amount-syntax, W control-character"},
		{"h019", "L35", src(Amount, digits(500_000)), "E too-long"},
		{"h020", "L35", src(Amount, "0."+digits(100_000)), "E too-long"},
		{"h021", "2.2.5", src(Amount, ""), "E amount-missing"},
		{"h022 zero", "L36", src(Amount, "0"), "E amount-zero"},
		{"h022 zero point", "L36", src(Amount, "0.00"), "E amount-zero"},
		{"h022 range", "L36", source(values{Amount: "", AmountFrom: "0", AmountTo: "5"}), "E amount-zero"},
		{"h023 EUR", "L36c", src(Amount, "0.001"), "W amount-scale"},
		{"h023 JPY", "L36c", source(values{Amount: "10.50", Currency: "JPY"}), "W amount-scale"},
		{"h023 KWD", "L36c", source(values{Amount: "1.0001", Currency: "KWD"}), "W amount-scale"},
		{"h023 sequence", "L36c", source(values{Amount: "", AmountSequence: "1.00,1.001"}), "W amount-scale"},
		{"h024 QQQ", "L36c", source(values{Amount: "1.0001", Currency: "QQQ"}), "W currency-unknown"},
		{"h024 ZZZ", "L36c", source(values{Amount: "1.00", Currency: "ZZZ"}), "W currency-unknown"},
		{"h025 12", "L35", src(Amount, "1234567890.1"), "E too-long"},
		{"h025 11", "L35", src(Amount, "12345678.90"), "E too-long"},
		{"h026 whole", "L35", src(Amount, "9999999999"), "A"},
		{"h026 point", "L35", src(Amount, "9999999.99"), "A"},
		{"h027", "L33", source(values{Amount: "", AmountFrom: "5.00", AmountTo: "4.00"}), "E amount-order"},
		{"h028", "L33", source(values{Amount: "", AmountFrom: "5.00", AmountTo: "5.0"}), "A"},
		{"h029 from", "L34", source(values{Amount: "", AmountFrom: "5.00"}), "E amount-half-range"},
		{"h029 to", "L34", source(values{Amount: "", AmountTo: "5.00"}), "E amount-half-range"},
		{"h030 amount and sequence", "L34", src(AmountSequence, "1.00"), "E amount-modes"},
		{"h030 amount and range", "L34", source(values{AmountFrom: "1", AmountTo: "2"}), "E amount-modes"},
		{"h030 all", "L34", source(values{AmountFrom: "1", AmountTo: "2", AmountSequence: "3"}), "E amount-modes"},
		{"h030 half", "L34", source(values{AmountFrom: "1"}), "E amount-half-range, E amount-modes"},
		{"h031 middle", "L36b", sequence("1.00,,2.00"), "E sequence-element"},
		{"h031 first", "L36b", sequence(",1.00"), "E sequence-element"},
		{"h031 last", "L36b", sequence("1.00,"), "E sequence-element"},
		{"h032", "L36b", sequence("1.00, 2.00"), "E sequence-element"},
		{"h033", "L36b", sequence("1.00;2.00"), "E sequence-element"},
		{"h034 10,000", "L56d", sequence(strings.Repeat("1,", 9_999) + "1"), "A"},
		{"h034 10,001", "L56d", sequence(strings.Repeat("1,", 10_000) + "1"), "E limit-elements"},
		{"h035 and no number", "X4", sequence("1.00,1e1000000000"), "E sequence-element, E too-long"},
		{"h035", "X4", sequence("1.00,12345678.90,2.00"), "E too-long"},

		{"h044", "L32", source(values{StartDate: "01.01.9999", FinishDate: "", MaxRepeatsNumber: "", ExpireYear: "9999"}), "A"},
		{"h045", "L03", source(values{StartDate: "01.01.0001", Period: "day"}), "W start-past"},
		{"h046", "L56c", src(StartDate, "09.01.2026"), "W start-past"},
		{"h047", "L02", src(StartDate, ""), "A"},
		{"h048", "L32a", source(values{StartDate: "01.02.2027", FinishDate: "01.02.2026", MaxRepeatsNumber: ""}), "W finish-before-start, W never-charges"},
		{"h049", "L32a", source(values{StartDate: "", FinishDate: "01.01.2026", MaxRepeatsNumber: ""}), "W never-charges"},
		{"h050", "X8", source(values{StartDate: "10.01.2026", FinishDate: "10.01.2026", MaxRepeatsNumber: ""}), "A"},
		{"h051", "L11", source(values{StartDate: "10.01.2026", FinishDate: "10.03.2026", MaxRepeatsNumber: "12"}), "W max-repeats-unreachable"},
		{"h055 2^31", "L56b", source(values{Interval: "2147483648", FinishDate: "", MaxRepeatsNumber: ""}), "A"},
		{"h055 2^63-1", "L56b", source(values{Interval: "9223372036854775807", FinishDate: "", MaxRepeatsNumber: ""}), "A"},
		{"h056", "2.1", src(Interval, "99999999999999999999"), "E integer-range"},
		{"h057", "L56d", src(Interval, digits(600_000)), "E limit-cell"},
		{"h057 shorter", "2.1", src(Interval, digits(500_000)), "E integer-range"},
		{"h058 space", "L46", src(Period, " month"), "E surrounding-space"},
		{"h059 period", "2.2.3", src(Interval, ""), "E schedule-pair"},
		{"h059 interval", "2.2.3", src(Period, ""), "E schedule-pair"},
		{"h060", "1", destination(values{Period: "month", Interval: "1"}), "E schedule-on-dst, E schedule-on-dst"},
		{"h061", "L09", src(MaxRepeatsNumber, "0"), "W max-zero, W never-charges"},
		{"h062", "L10", src(MaxRepeatsNumber, "-1"), "E max-negative"},
		{"h063 2^31", "L10", source(values{MaxRepeatsNumber: "2147483648", FinishDate: "", ExpireYear: "9999"}), "A"},
		{"h063 2^63-1", "L10", source(values{MaxRepeatsNumber: "9223372036854775807", FinishDate: "", ExpireYear: "9999"}), "A"},
		{"h065 empty", "2.1", src(CardType, ""), "E required"},
		{"h065 space", "L46", src(CardType, "SRC "), "E surrounding-space"},
		{"h067", "L39", src(ExpireMonth, "1"), "W expire-month-one-digit"},
		{"h069", "L39", source(values{ExpireYear: "2025", ExpireMonth: "12"}), "W card-expired"},
		{"h069 year 0000", "L39", source(values{ExpireYear: "0000", ExpireMonth: "06"}), "W card-expired"},
		{"h069 this month", "L39", source(values{ExpireYear: "2026", ExpireMonth: "01", MaxRepeatsNumber: "1"}), "A"},
		{"h070", "L31", source(values{ExpireYear: "2026", ExpireMonth: "06"}), "W card-expires-before-charge"},
		{"h071 no day", "L38", src(Birthday, "29.02.2023"), "E date-not-a-day"},
		{"h071 future", "L38", src(Birthday, "11.01.2026"), "W birthday-future"},
		{"h071 old", "L38", src(Birthday, "01.01.0001"), "A"},

		{"h072 20 digits", "2.1", src(CardNumber, digits(20)), "E too-long"},
		{"h073 short", "L39c", src(CardNumber, "0"), "W card-number-short"},
		{"h073 11", "L39c", src(CardNumber, "00000000000"), "W card-number-short"},
		{"h073 check", "L39c", src(CardNumber, "4111111111111112"), "W card-number-check"},
		{"h076 order id", "K02", src(OrderID, "4111111111111111"), "A"},
		{"another card in the order id", "L47", src(OrderID, "5555555555554444"), "W orderid-like-card"},
		{"h076 text", "K02", src(OrderDesc, "card 4111 1111 1111 1111"), "A"},
		{"h077", "L55", source(values{NotifyURL: "https://a.example", ServerCallbackURL: "https://a.example"}), "E callbacks-both"},
		{"h078 notify", "X13", src(NotifyURL, longURL(1025)), "E too-long"},
		{"h078 callback", "X13", src(ServerCallbackURL, longURL(129)), "E too-long"},
		{"h079 CR LF", "L54", src(NotifyURL, "https://a.example/\r\n"), "W control-character, W url-form"},
		{"h080 us", "L50", src(Country, "us"), "W country-unknown"},
		{"h080 USA", "2.1", src(Country, "USA"), "E too-long"},
		{"h080 XX", "L50", src(Country, "XX"), "W country-unknown"},
		{"h080 840", "2.1", src(Country, "840"), "E too-long"},
		{"h082 ZZ", "L50", source(values{Country: "US", State: "ZZ"}), "W state-unknown"},
		{"h082 FR", "L50", source(values{Country: "FR", State: "75"}), "A"},
		{"h082 C", "2.1", src(State, "C"), "E too-short"},
		{"h082 one letter of two bytes", "2.1", source(values{Country: "US", State: "é"}), "E too-short"},
		{"h082 two letters of two bytes", "L41", source(values{Country: "US", State: "éé"}), "W bytes-exceed-limit, W state-unknown"},
		{"h082 where states are not listed", "L41", source(values{Country: "FR", State: "ééé"}), "W bytes-exceed-limit"},
		{"h083 eur", "L50", src(Currency, "eur"), "W currency-unknown"},
		{"h083 EURO", "2.1", src(Currency, "EURO"), "E too-long"},
		{"h083 sign", "L50", src(Currency, "€"), "W currency-unknown"},
		{"h086", "L54", src(CustomerIP, "fe80::1%eth0"), "W ip-form"},
		{"h087", "L54", src(CustomerIP, "0000:0000:0000:0000:0000:ffff:192.168.100.228"), "A"},
		{"h088 CR LF", "L54", src(Email, "a@b.example\r\nBcc:c@d.example"), "W control-character, W email-form"},
		{"h089", "L41", src(FirstName, strings.Repeat("é", 128)), "W bytes-exceed-limit"},
		{"h090", "L41", src(FirstName, strings.Repeat("a"+strings.Repeat("\u0301", 10), 128)), "E too-long"},
		{"h091 65,000", "L40", src(OrderDesc, strings.Repeat("x", 65_000)), "A"},
		{"h091 65,001", "L40", src(OrderDesc, strings.Repeat("x", 65_001)), "W order-desc-long"},
		{"h091 66,560", "L40", src(OrderDesc, strings.Repeat("x", 66_560)), "W order-desc-long"},
		{"h091 66,561", "L40", src(OrderDesc, strings.Repeat("x", 66_561)), "E too-long"},
		{"h092 quotes", "L40", src(OrderDesc, strings.Repeat(`"`, 65_000)), "A"},
		{"h092 newlines", "L40", src(OrderDesc, strings.Repeat("\n", 65_000)), "A"},
		{"h094 order_desc", "L41b", src(OrderDesc, "a\tb\x1b[2J"), "A"},
		{"h095 text", "L46", src(City, " Springfield"), "W surrounding-space"},
		{"h095 text after", "L46", src(City, "Springfield "), "W surrounding-space"},
		{"h095 enum", "L46", src(Period, "month "), "E surrounding-space"},
		{"h095 number", "L46", src(Interval, " 1"), "E surrounding-space"},
		{"h095 date", "L46", src(StartDate, "31.01.2026 "), "E surrounding-space"},
		{"h096 no-break space", "L46", src(City, "\u00a0Springfield"), "W surrounding-space"},
		{"h096 no-break space inside", "L41b", src(City, "Spring\u00a0field"), "W control-character"},
		{"h096 no-break space only", "2.1", src(City, "\u00a0"), "E required"},
		{"h096 mark", "L41b", src(City, "Spring\ufefffield"), "W control-character"},
		{"h097", "2.1", src(City, "   "), "E required"},
		{"h097 optional", "L46", src(Purpose, "  "), "W surrounding-space"},
		{"h097 optional date", "L46", src(FinishDate, "  "), "E surrounding-space"},
		{"h098", "L37", destination(values{City: "Springfield"}), "W src-only-on-dst"},
	}
	type list struct {
		name, reason string
		col          Column
		want         string
		inputs       []string
	}
	for _, l := range []list{
		{"h004", "L36", Amount, "E amount-syntax", []string{"1e3", "1E3", "1e+3"}},
		{"h009", "L36", Amount, "E amount-syntax", []string{"-1", "-0"}},
		{"h010", "L36", Amount, "E amount-syntax", []string{".5", "5."}},
		{"h012", "L36", Amount, "E amount-syntax", []string{"1_000", "0x10", "0b1", "1 000", "$5", "5USD"}},
		{"h013", "L36", Amount, "E amount-syntax", []string{"1,5", "1.000,00"}},
		{"h014", "L36", Amount, "E amount-syntax", []string{"NaN", "Inf", "-Infinity"}},
		{"h017", "L36", Amount, "E amount-syntax", []string{"٣", "１２", "½", "²"}},
		{"h018", "L36", Amount, "E amount-syntax", []string{"1.2.3", "--1", "+-1", "1.-5", "e", "1e", "."}},
		{"h038", "L38", StartDate, "E date-not-a-day", []string{
			"31.02.2025", "29.02.2100", "29.02.1900", "31.04.2025", "00.01.2025", "01.13.2025", "01.00.2025"}},
		{"h039", "L38", FinishDate, "A", []string{"29.02.2028", "31.12.9999"}},
		{"h039 birthday", "L38", Birthday, "A", []string{"29.02.2024", "29.02.2000"}},
		{"h040", "X3", StartDate, "E date-syntax", []string{
			"1.2.2025", "01.01.25", "01-01-2025", "2025-01-01", "01012025", "01/02/2025"}},
		{"h041", "L38", StartDate, "E date-not-a-day", []string{"01.01.0000"}},
		{"h042", "L38", StartDate, "E date-syntax", []string{"01.01.10000", "01.01.-001"}},
		{"h043", "L38", StartDate, "E date-syntax", []string{"01.01.2026T00:00", "٠١.٠١.٢٠٢٦", "01․01․2026", "01。01。2026"}},
		{"h052", "L56b", Interval, "E interval-value", []string{"0", "-1", "-0"}},
		{"h053", "2.1", Interval, "E integer-syntax", []string{"+1", "1.0", "1e3", "0x10", "1_0", "１"}},
		{"h054", "L36", Interval, "W leading-zero", []string{"01", "007"}},
		{"h058", "2.1", Period, "E period-value", []string{"Day", "DAY", "days", "year", "monthly"}},
		{"h064", "2.1", MaxRepeatsNumber, "E integer-syntax", []string{"1.5", "3x", "three"}},
		{"h065", "2.1", CardType, "E card-type", []string{"src", "Src", "XYZ"}},
		{"h066", "L39", ExpireMonth, "E expire-month", []string{"0", "00", "13", "1x"}},
		{"h068", "L39", ExpireYear, "E expire-year", []string{"26", "20266", "０２６"}},
		{"h072", "L39c", CardNumber, "E card-number", []string{"411111111111111x", "4111-1111-1111-1", "4111 1111 1111 1"}},
		{"h072 wide", "L39c", CardNumber, "E card-number", []string{"４１１１１１１１"}},
		{"h075", "2.1", CVV2, "E cvv2-form", []string{"12", "12345", "12a"}},
		{"h079", "L54", NotifyURL, "W url-form", []string{"javascript:alert(1)", "file:///a", "//h/a", "h/a", "https:///a"}},
		{"h081", "2.1", Country, "E state-required", []string{"US", "CA", "AU"}},
		{"h085", "L54", CustomerIP, "W ip-form", []string{"01.2.3.4", "1.2.3", "1.2.3.4:80", "[::1]", "10.0.0.0/8", "localhost"}},
		{"h088", "L54", Email, "W email-form", []string{"Bob <a@b.c>", `"a b"@c.d`, "a@[1.2.3.4]", "a@b"}},
		{"h094", "L41b", City, "W control-character", []string{"a\tb", "a\ab", "\x1b[2J", "a\u0085b", "a\u202eb", "a\u2028b"}},
		{"h100", "L43", City, "A", []string{"=1+1", "+1", "-1", "@a"}},
		{"h101", "L43", OrderID, "A", []string{"::error::x", "%0A", "]]>", "<b>", "`", "a,b"}},
		{"h101 CR LF", "L41b", OrderID, "W control-character", []string{"a\r\nb"}},
	} {
		for _, in := range l.inputs {
			cases = append(cases, cellCase{l.name + " " + in, l.reason, src(l.col, in), l.want})
		}
	}
	return cases
}

func sequence(s string) values { return source(values{Amount: "", AmountSequence: s}) }

func longURL(n int) string {
	const base = "https://a.example/"
	return base + strings.Repeat("x", n-len(base))
}

func TestHostileCells(t *testing.T) {
	each(t, hostileCells(), func(t *testing.T, c cellCase) {
		j := judge(document(c.row), options())
		if got := verdict(j.problems); got != c.want {
			t.Errorf("got %s, want %s\n%v", got, c.want, j.problems.Unwrap())
		}
		if usable := len(j.rows) == 1; usable != (j.problems.Err() == nil) {
			t.Errorf("usable: %v, but findings: %v", usable, j.problems)
		}
		for _, row := range j.rows {
			if _, err := engine.Compile(engine.Stored{Profile: row.Profile()}, asOf(), engine.Policy{}); err != nil {
				t.Errorf("V20: a row without errors does not compile: %v", err)
			}
		}
	})
}

func TestRepeatedOrderIDNamesBothRows(t *testing.T) { // h099, L47
	j := judge(document(source(nil), source(values{OrderID: "x"}), source(nil)), options())
	if got := verdict(j.problems); got != "W orderid-duplicate" {
		t.Fatal(got)
	}
	if p := j.problems[0]; p.Place.Row != 3 || !strings.HasSuffix(p.Message, " of row 1") {
		t.Errorf("row %d, %s", p.Place.Row, p.Message)
	}
}

func TestProjectCurrency(t *testing.T) { // h084, L56
	o := options()
	o.Currency = "USD"
	j := judge(document(source(nil)), o)
	if got := verdict(j.problems); got != "E project-currency" || !j.summary.CurrencyChecked {
		t.Error(got)
	}
	if judge(document(source(nil)), options()).summary.CurrencyChecked {
		t.Error("the currency was not given and yet checked")
	}
}
