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
		{"h001", "L36", src(ColumnAmount, "1e1000000000"), "E amount-syntax, E too-long"},
		{"h002", "L36", src(ColumnAmount, "1e10000"), "E amount-syntax"},
		{"h003", "L36", src(ColumnAmount, "1e-10000"), "E amount-syntax"},
		{"h005", "L36", src(ColumnAmount, "1e9"), "E amount-syntax"},
		{"h006", "L36", src(ColumnAmount, "1e2147483648"), "E amount-syntax, E too-long"},
		{"h007", "L36", src(ColumnAmount, "+1"), "E amount-syntax"},
		{"h008", "L36", src(ColumnAmount, "−5"), "E amount-syntax"},
		{"h011", "L36", src(ColumnAmount, "00012.50"), "W leading-zero"},
		{"h015 before", "L46", src(ColumnAmount, " 1"), "E surrounding-space"},
		{"h015 after", "L46", src(ColumnAmount, "1 "), "E surrounding-space"},
		{"h016 LF", "L36", src(ColumnAmount, "1\n"), "E amount-syntax, W control-character"},
		{"h016 NUL", "L41b", src(ColumnAmount, "1\x00"), "E amount-syntax, E nul-character"},
		{"h016 zero-width space", "L36", src(ColumnAmount, "1\u200b"), "E amount-syntax, W control-character"},
		{"h019", "L35", src(ColumnAmount, digits(500_000)), "E too-long"},
		{"h020", "L35", src(ColumnAmount, "0."+digits(100_000)), "E too-long"},
		{"h021", "2.2.5", src(ColumnAmount, ""), "E amount-missing"},
		{"h022 zero", "L36", src(ColumnAmount, "0"), "E amount-zero"},
		{"h022 zero point", "L36", src(ColumnAmount, "0.00"), "E amount-zero"},
		{"h022 range", "L36", source(values{ColumnAmount: "", ColumnAmountFrom: "0", ColumnAmountTo: "5"}), "E amount-zero"},
		{"h023 EUR", "L36c", src(ColumnAmount, "0.001"), "W amount-scale"},
		{"h023 JPY", "L36c", source(values{ColumnAmount: "10.50", ColumnCurrency: "JPY"}), "W amount-scale"},
		{"h023 KWD", "L36c", source(values{ColumnAmount: "1.0001", ColumnCurrency: "KWD"}), "W amount-scale"},
		{"h023 sequence", "L36c", source(values{ColumnAmount: "", ColumnAmountSequence: "1.00,1.001"}), "W amount-scale"},
		{"h024 QQQ", "L36c", source(values{ColumnAmount: "1.0001", ColumnCurrency: "QQQ"}), "W currency-unknown"},
		{"h024 ZZZ", "L36c", source(values{ColumnAmount: "1.00", ColumnCurrency: "ZZZ"}), "W currency-unknown"},
		{"h025 12", "L35", src(ColumnAmount, "1234567890.1"), "E too-long"},
		{"h025 11", "L35", src(ColumnAmount, "12345678.90"), "E too-long"},
		{"h026 whole", "L35", src(ColumnAmount, "9999999999"), "A"},
		{"h026 point", "L35", src(ColumnAmount, "9999999.99"), "A"},
		{"h027", "L33", source(values{ColumnAmount: "", ColumnAmountFrom: "5.00", ColumnAmountTo: "4.00"}), "E amount-order"},
		{"h028", "L33", source(values{ColumnAmount: "", ColumnAmountFrom: "5.00", ColumnAmountTo: "5.0"}), "A"},
		{"h029 from", "L34", source(values{ColumnAmount: "", ColumnAmountFrom: "5.00"}), "E amount-half-range"},
		{"h029 to", "L34", source(values{ColumnAmount: "", ColumnAmountTo: "5.00"}), "E amount-half-range"},
		{"h030 amount and sequence", "L34", src(ColumnAmountSequence, "1.00"), "E amount-modes"},
		{"h030 amount and range", "L34", source(values{ColumnAmountFrom: "1", ColumnAmountTo: "2"}), "E amount-modes"},
		{"h030 all", "L34", source(values{ColumnAmountFrom: "1", ColumnAmountTo: "2", ColumnAmountSequence: "3"}), "E amount-modes"},
		{"h030 half", "L34", source(values{ColumnAmountFrom: "1"}), "E amount-half-range, E amount-modes"},
		{"h031 middle", "L36b", sequence("1.00,,2.00"), "E sequence-element"},
		{"h031 first", "L36b", sequence(",1.00"), "E sequence-element"},
		{"h031 last", "L36b", sequence("1.00,"), "E sequence-element"},
		{"h032", "L36b", sequence("1.00, 2.00"), "E sequence-element"},
		{"h033", "L36b", sequence("1.00;2.00"), "E sequence-element"},
		{"h034 10,000", "L56d", sequence(strings.Repeat("1,", 9_999) + "1"), "A"},
		{"h034 10,001", "L56d", sequence(strings.Repeat("1,", 10_000) + "1"), "E limit-elements"},
		{"h035 and no number", "X4", sequence("1.00,1e1000000000"), "E sequence-element, E too-long"},
		{"h035", "X4", sequence("1.00,12345678.90,2.00"), "E too-long"},

		{"h044", "L32", source(values{ColumnStartDate: "01.01.9999", ColumnFinishDate: "", ColumnMaxRepeatsNumber: "", ColumnExpireYear: "9999"}), "A"},
		{"h045", "L03", source(values{ColumnStartDate: "01.01.0001", ColumnPeriod: "day"}), "W start-past"},
		{"h046", "L56c", src(ColumnStartDate, "09.01.2026"), "W start-past"},
		{"h047", "L02", src(ColumnStartDate, ""), "A"},
		{"h048", "L32a", source(values{ColumnStartDate: "01.02.2027", ColumnFinishDate: "01.02.2026", ColumnMaxRepeatsNumber: ""}), "W finish-before-start, W never-charges"},
		{"h049", "L32a", source(values{ColumnStartDate: "", ColumnFinishDate: "01.01.2026", ColumnMaxRepeatsNumber: ""}), "W never-charges"},
		{"h050", "X8", source(values{ColumnStartDate: "10.01.2026", ColumnFinishDate: "10.01.2026", ColumnMaxRepeatsNumber: ""}), "A"},
		{"h051", "L11", source(values{ColumnStartDate: "10.01.2026", ColumnFinishDate: "10.03.2026", ColumnMaxRepeatsNumber: "12"}), "W max-repeats-unreachable"},
		{"h055 2^31", "L56b", source(values{ColumnInterval: "2147483648", ColumnFinishDate: "", ColumnMaxRepeatsNumber: ""}), "A"},
		{"h055 2^63-1", "L56b", source(values{ColumnInterval: "9223372036854775807", ColumnFinishDate: "", ColumnMaxRepeatsNumber: ""}), "A"},
		{"h056", "2.1", src(ColumnInterval, "99999999999999999999"), "E integer-range"},
		{"h057", "L56d", src(ColumnInterval, digits(600_000)), "E limit-cell"},
		{"h057 shorter", "2.1", src(ColumnInterval, digits(500_000)), "E integer-range"},
		{"h058 space", "L46", src(ColumnPeriod, " month"), "E surrounding-space"},
		{"h059 period", "2.2.3", src(ColumnInterval, ""), "E schedule-pair"},
		{"h059 interval", "2.2.3", src(ColumnPeriod, ""), "E schedule-pair"},
		{"h060", "1", destination(values{ColumnPeriod: "month", ColumnInterval: "1"}), "E schedule-on-dst, E schedule-on-dst"},
		{"h061", "L09", src(ColumnMaxRepeatsNumber, "0"), "W max-zero, W never-charges"},
		{"h062", "L10", src(ColumnMaxRepeatsNumber, "-1"), "E max-negative"},
		{"h063 2^31", "L10", source(values{ColumnMaxRepeatsNumber: "2147483648", ColumnFinishDate: "", ColumnExpireYear: "9999"}), "A"},
		{"h063 2^63-1", "L10", source(values{ColumnMaxRepeatsNumber: "9223372036854775807", ColumnFinishDate: "", ColumnExpireYear: "9999"}), "A"},
		{"h065 empty", "2.1", src(ColumnCardType, ""), "E required"},
		{"h065 space", "L46", src(ColumnCardType, "SRC "), "E surrounding-space"},
		{"h067", "L39", src(ColumnExpireMonth, "1"), "W expire-month-one-digit"},
		{"h069", "L39", source(values{ColumnExpireYear: "2025", ColumnExpireMonth: "12"}), "W card-expired"},
		{"h069 year 0000", "L39", source(values{ColumnExpireYear: "0000", ColumnExpireMonth: "06"}), "W card-expired"},
		{"h069 this month", "L39", source(values{ColumnExpireYear: "2026", ColumnExpireMonth: "01", ColumnMaxRepeatsNumber: "1"}), "A"},
		{"h070", "L31", source(values{ColumnExpireYear: "2026", ColumnExpireMonth: "06"}), "W card-expires-before-charge"},
		{"h071 no day", "L38", src(ColumnBirthday, "29.02.2023"), "E date-not-a-day"},
		{"h071 future", "L38", src(ColumnBirthday, "11.01.2026"), "W birthday-future"},
		{"h071 old", "L38", src(ColumnBirthday, "01.01.0001"), "A"},

		{"h072 20 digits", "2.1", src(ColumnCardNumber, digits(20)), "E too-long"},
		{"h073 short", "L39c", src(ColumnCardNumber, "0"), "W card-number-short"},
		{"h073 11", "L39c", src(ColumnCardNumber, "00000000000"), "W card-number-short"},
		{"h073 check", "L39c", src(ColumnCardNumber, "4111111111111112"), "W card-number-check"},
		{"h076 order id", "K02", src(ColumnOrderID, "4111111111111111"), "A"},
		{"another card in the order id", "L47", src(ColumnOrderID, "5555555555554444"), "W orderid-like-card"},
		{"h076 text", "K02", src(ColumnOrderDesc, "card 4111 1111 1111 1111"), "A"},
		{"h077", "L55", source(values{ColumnNotifyURL: "https://a.example", ColumnServerCallbackURL: "https://a.example"}), "E callbacks-both"},
		{"h078 notify", "X13", src(ColumnNotifyURL, longURL(1025)), "E too-long"},
		{"h078 callback", "X13", src(ColumnServerCallbackURL, longURL(129)), "E too-long"},
		{"h079 CR LF", "L54", src(ColumnNotifyURL, "https://a.example/\r\n"), "W control-character, W url-form"},
		{"h080 us", "L50", src(ColumnCountry, "us"), "W country-unknown"},
		{"h080 USA", "2.1", src(ColumnCountry, "USA"), "E too-long"},
		{"h080 XX", "L50", src(ColumnCountry, "XX"), "W country-unknown"},
		{"h080 840", "2.1", src(ColumnCountry, "840"), "E too-long"},
		{"h082 ZZ", "L50", source(values{ColumnCountry: "US", ColumnState: "ZZ"}), "W state-unknown"},
		{"h082 FR", "L50", source(values{ColumnCountry: "FR", ColumnState: "75"}), "A"},
		{"h082 C", "2.1", src(ColumnState, "C"), "E too-short"},
		{"h082 one letter of two bytes", "2.1", source(values{ColumnCountry: "US", ColumnState: "é"}), "E too-short"},
		{"h082 two letters of two bytes", "L41", source(values{ColumnCountry: "US", ColumnState: "éé"}), "W bytes-exceed-limit, W state-unknown"},
		{"h082 where states are not listed", "L41", source(values{ColumnCountry: "FR", ColumnState: "ééé"}), "W bytes-exceed-limit"},
		{"h083 eur", "L50", src(ColumnCurrency, "eur"), "W currency-unknown"},
		{"h083 EURO", "2.1", src(ColumnCurrency, "EURO"), "E too-long"},
		{"h083 sign", "L50", src(ColumnCurrency, "€"), "W currency-unknown"},
		{"h086", "L54", src(ColumnCustomerIP, "fe80::1%eth0"), "W ip-form"},
		{"h087", "L54", src(ColumnCustomerIP, "0000:0000:0000:0000:0000:ffff:192.168.100.228"), "A"},
		{"h088 CR LF", "L54", src(ColumnEmail, "a@b.example\r\nBcc:c@d.example"), "W control-character, W email-form"},
		{"h089", "L41", src(ColumnFirstName, strings.Repeat("é", 128)), "W bytes-exceed-limit"},
		{"h090", "L41", src(ColumnFirstName, strings.Repeat("a"+strings.Repeat("\u0301", 10), 128)), "E too-long"},
		{"h091 65,000", "L40", src(ColumnOrderDesc, strings.Repeat("x", 65_000)), "A"},
		{"h091 65,001", "L40", src(ColumnOrderDesc, strings.Repeat("x", 65_001)), "W order-desc-long"},
		{"h091 66,560", "L40", src(ColumnOrderDesc, strings.Repeat("x", 66_560)), "W order-desc-long"},
		{"h091 66,561", "L40", src(ColumnOrderDesc, strings.Repeat("x", 66_561)), "E too-long"},
		{"h092 quotes", "L40", src(ColumnOrderDesc, strings.Repeat(`"`, 65_000)), "A"},
		{"h092 newlines", "L40", src(ColumnOrderDesc, strings.Repeat("\n", 65_000)), "A"},
		{"h094 order_desc", "L41b", src(ColumnOrderDesc, "a\tb\x1b[2J"), "A"},
		{"h095 text", "L46", src(ColumnCity, " Springfield"), "W surrounding-space"},
		{"h095 text after", "L46", src(ColumnCity, "Springfield "), "W surrounding-space"},
		{"h095 enum", "L46", src(ColumnPeriod, "month "), "E surrounding-space"},
		{"h095 number", "L46", src(ColumnInterval, " 1"), "E surrounding-space"},
		{"h095 date", "L46", src(ColumnStartDate, "31.01.2026 "), "E surrounding-space"},
		{"h096 no-break space", "L46", src(ColumnCity, "\u00a0Springfield"), "W surrounding-space"},
		{"h096 no-break space inside", "L41b", src(ColumnCity, "Spring\u00a0field"), "W control-character"},
		{"h096 no-break space only", "2.1", src(ColumnCity, "\u00a0"), "E required"},
		{"h096 mark", "L41b", src(ColumnCity, "Spring\ufefffield"), "W control-character"},
		{"h097", "2.1", src(ColumnCity, "   "), "E required"},
		{"h097 optional", "L46", src(ColumnPurpose, "  "), "W surrounding-space"},
		{"h097 optional date", "L46", src(ColumnFinishDate, "  "), "E surrounding-space"},
		{"h098", "L37", destination(values{ColumnCity: "Springfield"}), "W src-only-on-dst"},
	}
	type list struct {
		name, reason string
		col          Column
		want         string
		inputs       []string
	}
	for _, l := range []list{
		{"h004", "L36", ColumnAmount, "E amount-syntax", []string{"1e3", "1E3", "1e+3"}},
		{"h009", "L36", ColumnAmount, "E amount-syntax", []string{"-1", "-0"}},
		{"h010", "L36", ColumnAmount, "E amount-syntax", []string{".5", "5."}},
		{"h012", "L36", ColumnAmount, "E amount-syntax", []string{"1_000", "0x10", "0b1", "1 000", "$5", "5USD"}},
		{"h013", "L36", ColumnAmount, "E amount-syntax", []string{"1,5", "1.000,00"}},
		{"h014", "L36", ColumnAmount, "E amount-syntax", []string{"NaN", "Inf", "-Infinity"}},
		{"h017", "L36", ColumnAmount, "E amount-syntax", []string{"٣", "１２", "½", "²"}},
		{"h018", "L36", ColumnAmount, "E amount-syntax", []string{"1.2.3", "--1", "+-1", "1.-5", "e", "1e", "."}},
		{"h038", "L38", ColumnStartDate, "E date-not-a-day", []string{
			"31.02.2025", "29.02.2100", "29.02.1900", "31.04.2025", "00.01.2025", "01.13.2025", "01.00.2025"}},
		{"h039", "L38", ColumnFinishDate, "A", []string{"29.02.2028", "31.12.9999"}},
		{"h039 birthday", "L38", ColumnBirthday, "A", []string{"29.02.2024", "29.02.2000"}},
		{"h040", "X3", ColumnStartDate, "E date-syntax", []string{
			"1.2.2025", "01.01.25", "01-01-2025", "2025-01-01", "01012025", "01/02/2025"}},
		{"h041", "L38", ColumnStartDate, "E date-not-a-day", []string{"01.01.0000"}},
		{"h042", "L38", ColumnStartDate, "E date-syntax", []string{"01.01.10000", "01.01.-001"}},
		{"h043", "L38", ColumnStartDate, "E date-syntax", []string{"01.01.2026T00:00", "٠١.٠١.٢٠٢٦", "01․01․2026", "01。01。2026"}},
		{"h052", "L56b", ColumnInterval, "E interval-value", []string{"0", "-1", "-0"}},
		{"h053", "2.1", ColumnInterval, "E integer-syntax", []string{"+1", "1.0", "1e3", "0x10", "1_0", "１"}},
		{"h054", "L36", ColumnInterval, "W leading-zero", []string{"01", "007"}},
		{"h058", "2.1", ColumnPeriod, "E period-value", []string{"Day", "DAY", "days", "year", "monthly"}},
		{"h064", "2.1", ColumnMaxRepeatsNumber, "E integer-syntax", []string{"1.5", "3x", "three"}},
		{"h065", "2.1", ColumnCardType, "E card-type", []string{"src", "Src", "XYZ"}},
		{"h066", "L39", ColumnExpireMonth, "E expire-month", []string{"0", "00", "13", "1x"}},
		{"h068", "L39", ColumnExpireYear, "E expire-year", []string{"26", "20266", "０２６"}},
		{"h072", "L39c", ColumnCardNumber, "E card-number", []string{"411111111111111x", "4111-1111-1111-1", "4111 1111 1111 1"}},
		{"h072 wide", "L39c", ColumnCardNumber, "E card-number", []string{"４１１１１１１１"}},
		{"h075", "2.1", ColumnCVV2, "E cvv2-form", []string{"12", "12345", "12a"}},
		{"h079", "L54", ColumnNotifyURL, "W url-form", []string{"javascript:alert(1)", "file:///a", "//h/a", "h/a", "https:///a"}},
		{"h081", "2.1", ColumnCountry, "E state-required", []string{"US", "CA", "AU"}},
		{"h085", "L54", ColumnCustomerIP, "W ip-form", []string{"01.2.3.4", "1.2.3", "1.2.3.4:80", "[::1]", "10.0.0.0/8", "localhost"}},
		{"h088", "L54", ColumnEmail, "W email-form", []string{"Bob <a@b.c>", `"a b"@c.d`, "a@[1.2.3.4]", "a@b"}},
		{"h094", "L41b", ColumnCity, "W control-character", []string{"a\tb", "a\ab", "\x1b[2J", "a\u0085b", "a\u202eb", "a\u2028b"}},
		{"h100", "L43", ColumnCity, "A", []string{"=1+1", "+1", "-1", "@a"}},
		{"h101", "L43", ColumnOrderID, "A", []string{"::error::x", "%0A", "]]>", "<b>", "`", "a,b"}},
		{"h101 CR LF", "L41b", ColumnOrderID, "W control-character", []string{"a\r\nb"}},
	} {
		for _, in := range l.inputs {
			cases = append(cases, cellCase{l.name + " " + in, l.reason, src(l.col, in), l.want})
		}
	}
	return cases
}

func sequence(s string) values { return source(values{ColumnAmount: "", ColumnAmountSequence: s}) }

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
	j := judge(document(source(nil), source(values{ColumnOrderID: "x"}), source(nil)), options())
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
