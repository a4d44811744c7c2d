package main

import (
	"strconv"
	"strings"
)

// hostileVectors are values that parsers take for something else: a cell of a faultless row each.
func hostileVectors(s *sheet) {
	s.source = catalogue
	for _, g := range hostileGroups() {
		for _, in := range g.inputs {
			id := g.id + "-" + slug(in.name)
			s.cell(id, g.reason, g.clauses, "SRC", g.set(in.value), g.column, g.want)
		}
	}
	long := func(s string, n int) any { return times(s, n) }
	s.cells("hostile-", []cells{
		{"amount-exponent-of-gigabytes", "ten characters that mean a thousand million digits", "L36", "", with{"amount": "1e1000000000"}, "amount", "E amount-syntax, E too-long"},
		{"amount-exponent-past-32-bits", "an exponent past 32 bits", "L36", "", with{"amount": "1e2147483648"}, "amount", "E amount-syntax, E too-long"},
		{"amount-leading-zeros", "leading zeros", "L36", "", with{"amount": "00012.50"}, "amount", "W leading-zero"},
		{"amount-space-before", "a space before an amount", "L46", "", with{"amount": " 1"}, "amount", "E surrounding-space"},
		{"amount-space-after", "a space after an amount", "L46", "", with{"amount": "1 "}, "amount", "E surrounding-space"},
		{"amount-line-feed", "an invisible line feed", "L36 L41b", "", with{"amount": "1\n"}, "amount", "E amount-syntax, W control-character"},
		{"amount-nul", "an invisible NUL", "L41b", "", with{"amount": "1\x00"}, "amount", "E amount-syntax, E nul-character"},
		{"amount-zero-width-space", "an invisible space", "L36 L41b", "", with{"amount": "1\u200b"}, "amount", "E amount-syntax, W control-character"},
		{"amount-of-500000-digits", "found without converting", "L35", "", with{"amount": long("7", 500_000)}, "amount", "E too-long"},
		{"amount-of-100000-decimals", "found without converting", "L35", "", with{"amount": []any{"0.", long("7", 100_000)}}, "amount", "E too-long"},
		{"range-from-zero", "a range from zero", "L36", "", with{"amount": "", "amount-from": "0", "amount-to": "5"}, "amount-from", "E amount-zero"},
		{"sequence-empty-element-in-the-middle", "dropping it would shift every later charge", "L36b", "", with{"amount": "", "amount-sequence": "1.00,,2.00"}, "amount-sequence", "E sequence-element"},
		{"sequence-empty-element-first", "dropping it would shift every later charge", "L36b", "", with{"amount": "", "amount-sequence": ",1.00"}, "amount-sequence", "E sequence-element"},
		{"sequence-empty-element-last", "dropping it would shift every later charge", "L36b", "", with{"amount": "", "amount-sequence": "1.00,"}, "amount-sequence", "E sequence-element"},
		{"sequence-space", "a space after a comma", "L36b", "", with{"amount": "", "amount-sequence": "1.00, 2.00"}, "amount-sequence", "E sequence-element"},
		{"sequence-semicolon", "the separator of the CSV in the list", "L36b", "", with{"amount": "", "amount-sequence": "1.00;2.00"}, "amount-sequence", "E sequence-element"},
		{"sequence-long-element", "the length holds per element", "X4", "", with{"amount": "", "amount-sequence": "1.00,12345678.90,2.00"}, "amount-sequence", "E too-long"},
		{"sequence-element-with-exponent", "no number and too long", "X4 L36b", "", with{"amount": "", "amount-sequence": "1.00,1e1000000000"}, "amount-sequence", "E sequence-element, E too-long"},
		{"sequence-zero", "a zero among the elements", "L36", "", with{"amount": "", "amount-sequence": "1.00,0.00"}, "amount-sequence", "E amount-zero"},
		{"start-in-the-year-9999", "the series ends with the calendar", "L32", "", with{"start-date": "01.01.9999", "finish-date": "", "max-repeats-number": "", "expire-year": "9999"}, "", "A"},
		{"start-in-the-year-1", "stepping from the start would cost 740,000 steps", "L03", "", with{"start-date": "01.01.0001", "period": "day"}, "start-date", "W start-past"},
		{"interval-2-31", "one charge, then the calendar ends", "L56b L32", "", with{"interval": "2147483648", "finish-date": "", "max-repeats-number": ""}, "", "A"},
		{"interval-2-63", "one charge, then the calendar ends", "L56b L32", "", with{"interval": "9223372036854775807", "finish-date": "", "max-repeats-number": ""}, "", "A"},
		{"interval-past-64-bits", "past 64 bits", "2.1", "", with{"interval": "99999999999999999999"}, "interval", "E integer-range"},
		{"interval-of-600000-digits", "a cell over its limit", "L56d", "", with{"interval": long("7", 600_000)}, "", "E limit-cell@"},
		{"interval-of-500000-digits", "found without converting", "2.1", "", with{"interval": long("7", 500_000)}, "interval", "E integer-range"},
		{"max-negative", "a cap that equality never meets", "L10", "", with{"max-repeats-number": "-1"}, "max-repeats-number", "E max-negative"},
		{"max-2-31", "a cap past 31 bits", "L10", "", with{"max-repeats-number": "2147483648", "finish-date": "", "expire-year": "9999"}, "", "A"},
		{"max-2-63", "the greatest cap", "L10", "", with{"max-repeats-number": "9223372036854775807", "finish-date": "", "expire-year": "9999"}, "", "A"},
		{"card-type-space", "a space after the kind", "L46", "", with{"rp_card_type": "SRC "}, "rp_card_type", "E surrounding-space"},
		{"card-expired-in-the-year-0", "a year that no calendar has", "L39", "", with{"expire-year": "0000", "expire-month": "06"}, "expire-year", "W card-expired"},
		{"birthday-in-the-year-1", "old, and a day", "L38", "", with{"birthday": "01.01.0001"}, "", "A"},
		{"card-number-of-one-digit", "one digit", "L39c", "", with{"credit-card-number": "0"}, "credit-card-number", "W card-number-short"},
		{"card-number-check-digit", "a wrong check digit", "L39c", "", with{"credit-card-number": "4111111111111112"}, "credit-card-number", "W card-number-check"},
		{"card-number-as-order-id", "the row's own card number as order id is masked", "L47", "", with{"client-orderid": "4111111111111111"}, "", "A"},
		{"another-card-as-order-id", "an order id that looks like a card", "L47", "", with{"client-orderid": "5555555555554444"}, "client-orderid", "W orderid-like-card"},
		{"card-in-a-text", "a card number in a text is masked, not judged", "L47", "", with{"order_desc": "card 4111 1111 1111 1111"}, "", "A"},
		{"url-with-crlf", "a line end in an address", "L54", "", with{"notify_url": "https://a.example/\r\n"}, "notify_url", "W control-character, W url-form"},
		{"email-with-crlf", "a second header line", "L54", "", with{"email": "a@b.example\r\nBcc:c@d.example"}, "email", "W control-character, W email-form"},
		{"ip-with-zone", "an address with a zone", "L54", "", with{"customer-ip": "fe80::1%eth0"}, "customer-ip", "W ip-form"},
		{"state-of-one-two-byte-letter", "one letter of two bytes is one character", "2.1 L41", "", with{"country": "US", "state": "é"}, "state", "E too-short"},
		{"state-of-two-two-byte-letters", "two characters of two bytes", "2.1 L41", "", with{"country": "US", "state": "éé"}, "state", "W bytes-exceed-limit, W state-unknown"},
		{"name-with-combining-marks", "characters are runes", "L41", "", with{"first-name": long("a"+strings.Repeat("\u0301", 10), 128)}, "first-name", "E too-long"},
		{"text-of-65000-quotes", "doubled in the CSV", "L40", "", with{"order_desc": long(`"`, 65_000)}, "", "A"},
		{"text-of-65000-newlines", "line ends in a text", "L40", "", with{"order_desc": long("\n", 65_000)}, "", "A"},
		{"text-with-escape-sequence", "a terminal would obey it", "L41b", "", with{"order_desc": "a\tb\x1b[2J"}, "", "A"},
		{"enum-space-after", "a space after an enum", "L46", "", with{"period": "month "}, "period", "E surrounding-space"},
		{"enum-space-before", "a space before an enum", "L46", "", with{"period": " month"}, "period", "E surrounding-space"},
		{"number-space-before", "a space before a number", "L46", "", with{"interval": " 1"}, "interval", "E surrounding-space"},
		{"date-space-after", "a space after a date", "L46", "", with{"start-date": "31.01.2026 "}, "start-date", "E surrounding-space"},
		{"no-break-space-before", "looks like a space", "L46", "", with{"city": "\u00a0Springfield"}, "city", "W surrounding-space"},
		{"no-break-space-inside", "looks like a space", "L41b", "", with{"city": "Spring\u00a0field"}, "city", "W control-character"},
		{"no-break-space-only", "looks empty, is not a value", "2.1", "", with{"city": "\u00a0"}, "city", "E required"},
		{"byte-order-mark-inside", "invisible", "L41b", "", with{"city": "Spring\ufefffield"}, "city", "W control-character"},
		{"spaces-only-optional", "spaces in an optional text", "L46", "", with{"purpose": "  "}, "purpose", "W surrounding-space"},
		{"spaces-only-optional-date", "spaces in an optional date", "L46", "", with{"finish-date": "  "}, "finish-date", "E surrounding-space"},
		{"order-id-with-crlf", "a line end in an order id", "L41b", "", with{"client-orderid": "a\r\nb"}, "client-orderid", "W control-character"},
	})
}

// A hostileGroup is inputs of one column that come to one thing.
type hostileGroup struct {
	id, reason, clauses, column, want string
	inputs                            []named
}

type named struct{ name, value string }

func (g hostileGroup) set(value string) map[string]any {
	set := map[string]any{g.column: value}
	if g.column == "amount-sequence" {
		set["amount"] = ""
	}
	return set
}

// values are inputs named after themselves, or after their place where that leaves nothing.
func values(list ...string) []named {
	var out []named
	seen := map[string]bool{}
	for i, v := range list {
		name := slug(v)
		if name == "" || seen[name] {
			name += "-" + strconv.Itoa(i+1)
		}
		seen[name] = true
		out = append(out, named{name, v})
	}
	return out
}

func hostileGroups() []hostileGroup {
	return []hostileGroup{
		{"amount-exponent", "an exponent", "L36", "amount", "E amount-syntax", values("1e10000", "1e-10000", "1e3", "1E3", "1e+3", "1e9", "1e", "e")},
		{"amount-sign", "a sign", "L36", "amount", "E amount-syntax", values("+1", "-1", "-0", "−5", "--1", "+-1", "1.-5")},
		{"amount-half", "half a number", "L36", "amount", "E amount-syntax", values(".5", "5.", ".", "1.2.3")},
		{"amount-decoration", "marks that a program of tables adds", "L36", "amount", "E amount-syntax", values("1_000", "0x10", "0b1", "1 000", "$5", "5USD", "1'000")},
		{"amount-comma", "a decimal comma, a thousands mark", "L36", "amount", "E amount-syntax", values("1,5", "1.000,00", "1,000.00")},
		{"amount-word", "a word", "L36", "amount", "E amount-syntax", values("NaN", "Inf", "-Infinity", "ten", "null")},
		{"amount-other-digits", "digits of another alphabet", "L36", "amount", "E amount-syntax", values("٣", "１２", "½", "²", "੩")},
		{"amount-zero", "an amount of zero", "L36", "amount", "E amount-zero", values("0", "0.00", "0.0")},
		{"amount-currency", "no digits known: not checked, said so", "L36c", "currency", "W currency-unknown", values("QQQ", "ZZZ", "eur", "€")},
		{"date-not-a-day", "no such day", "L38", "start-date", "E date-not-a-day", values("31.02.2025", "29.02.2100", "29.02.1900", "29.02.2027", "31.04.2025", "31.06.2025", "31.09.2025", "31.11.2025", "00.01.2025", "32.01.2025", "01.13.2025", "01.00.2025", "01.01.0000")},
		{"finish-date", "a day, and a late one", "L38", "finish-date", "A", values("29.02.2028", "31.12.9999", "28.02.2100", "29.02.2400")},
		{"birthday", "a day", "L38", "birthday", "A", values("29.02.2024", "29.02.2000", "31.12.1999")},
		{"birthday-not-a-day", "no such day", "L38", "birthday", "E date-not-a-day", values("29.02.2023", "31.02.2000", "29.02.1900")},
		{"date-form", "another form of a date", "X3 L38", "start-date", "E date-syntax", values("1.2.2025", "01.01.25", "01-01-2025", "2025-01-01", "01/02/2025", "01.01.10000", "01.01.-001", "01.01.2026T00:00", "٠١.٠١.٢٠٢٦", "01․01․2026", "01。01。2026", "1 January 2026", "today")},
		{"interval-value", "no interval", "L56b", "interval", "E interval-value", values("0", "-1", "-0", "-9223372036854775808")},
		{"interval-syntax", "not a whole number", "2.1", "interval", "E integer-syntax", values("+1", "1.0", "1e3", "0x10", "1_0", "１", "one", "1,000")},
		{"interval-leading-zero", "a leading zero", "L36", "interval", "W leading-zero", values("01", "007")},
		{"period-value", "another word", "2.1", "period", "E period-value", values("Day", "DAY", "days", "year", "Month", "quarter", "m", "30")},
		{"max-syntax", "not a whole number", "2.1", "max-repeats-number", "E integer-syntax", values("1.5", "3x", "three", "1e1")},
		{"card-type", "another word", "2.1", "rp_card_type", "E card-type", values("src", "Src", "dst", "XYZ", "S")},
		{"expire-month", "no month", "L39", "expire-month", "E expire-month", values("0", "1x", "012", "99", "-1")},
		{"expire-month-one-digit", "one digit", "L39", "expire-month", "W expire-month-one-digit", values("1", "9")},
		{"expire-year", "no year of four digits", "L39", "expire-year", "E expire-year", values("０２６", "202", "2O45", "-2045")},
		{"card-number", "not only digits", "L39c", "credit-card-number", "E card-number", values("411111111111111x", "4111-1111-1111-1", "4111 1111 1111 1", "４１１１１１１１")},
		{"cvv2", "not three or four digits", "2.1", "cvv2", "E cvv2-form", values("12a", "1 3", "１２３", "-12")},
		{"url", "not an absolute http or https URL", "L54", "notify_url", "W url-form", values("javascript:alert(1)", "file:///a", "//h/a", "h/a", "https:///a", "ftp://h/a")},
		{"ip", "not an address", "L54", "customer-ip", "W ip-form", values("01.2.3.4", "1.2.3", "1.2.3.4:80", "[::1]", "10.0.0.0/8", "localhost", "1.2.3.256", "::1::")},
		{"ip-good", "an address", "L54", "customer-ip", "A", values("192.0.2.1", "::1", "2001:db8::1", "::ffff:192.0.2.1")},
		{"email", "not a plain address", "L54", "email", "W email-form", values("Bob <a@b.c>", `"a b"@c.d`, "a@[1.2.3.4]", "a@b", "a", "@b.c", "a@", "a@@b.c")},
		{"country", "no such country", "L50", "country", "W country-unknown", values("us", "XX", "De", "  x")[:3]},
		{"text-control", "a character that a terminal obeys or hides", "L41b", "city", "W control-character", []named{{"tab", "a\tb"}, {"escape", "\x1b[2J"}, {"next-line", "a\u0085b"}, {"right-to-left", "a\u202eb"}, {"line-separator", "a\u2028b"}, {"delete", "a\x7fb"}, {"line-feed", "a\nb"}}},
		{"text-formula", "a formula in a program of tables, kept byte for byte", "L43", "city", "A", values("=1+1", "+1", "-1", "@a", "=cmd|'/c calc'!A0")},
		{"order-id-markup", "text that another output form would read", "L43", "client-orderid", "A", values("::error::x", "%0A", "]]>", "<b>", "`", "a,b", "--", "${x}", "../../etc/passwd", "'; DROP TABLE x; --")},
		{"quotes", "quotes inside a value", "L43", "city", "A", values(`a"b`, `"`, `""`, `"a"`, `a;b`, `";"`)},
	}
}
