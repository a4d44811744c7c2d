package main

// A cells is a row with some cells and all that is reported of it: the code, and the column where it is
// not that of the table's row.
type cells struct {
	id, reason, clauses string
	kind                string // SRC where it is empty
	set                 map[string]any
	column, want        string
}

func (s *sheet) cells(prefix string, list []cells) {
	for _, c := range list {
		if c.kind == "" {
			c.kind = "SRC"
		}
		s.cell(prefix+c.id, c.reason, c.clauses, c.kind, c.set, c.column, c.want)
	}
}

type with = map[string]any

// rowVectors are columns together.
func rowVectors(s *sheet) {
	s.source = byHand
	s.cells("row-", []cells{
		{"faultless-src", "the row that other vectors change", "2.1", "SRC", nil, "", "A"},
		{"faultless-dst", "the row that other vectors change", "2.1", "DST", nil, "", "A"},
		{"no-amount", "one amount mode is required", "2.2.5 L34", "", with{"amount": ""}, "amount", "E amount-missing"},
		{"amount-and-sequence", "two amount modes", "2.2.5 L34", "", with{"amount-sequence": "1.00"}, "amount", "E amount-modes"},
		{"amount-and-range", "two amount modes", "2.2.5 L34", "", with{"amount-from": "1", "amount-to": "2"}, "amount", "E amount-modes"},
		{"range-and-sequence", "two amount modes", "2.2.5 L34", "", with{"amount": "", "amount-from": "1", "amount-to": "2", "amount-sequence": "3"}, "amount-from", "E amount-modes"},
		{"range", "a range is one amount mode", "2.2.5", "", with{"amount": "", "amount-from": "1.00", "amount-to": "2.00"}, "", "A"},
		{"range-of-one-amount", "from = to is a fixed amount", "2.2.5 L33", "", with{"amount": "", "amount-from": "5.00", "amount-to": "5.0"}, "", "A"},
		{"range-upside-down", "from is greater than to", "2.2.5 L33", "", with{"amount": "", "amount-from": "5.00", "amount-to": "4.00"}, "amount-from", "E amount-order"},
		{"range-upside-down-by-a-cent", "from is greater than to by the least amount", "2.2.5 L33", "", with{"amount": "", "amount-from": "5.00", "amount-to": "4.99"}, "amount-from", "E amount-order"},
		{"range-compared-by-value", "10 is more than 9.99, though not as text", "2.2.5 L33", "", with{"amount": "", "amount-from": "9.99", "amount-to": "10"}, "", "A"},
		{"half-range-from", "amount-from without amount-to", "2.2.5 L34", "", with{"amount": "", "amount-from": "5.00"}, "", "E amount-half-range"},
		{"half-range-to", "amount-to without amount-from", "2.2.5 L34", "", with{"amount": "", "amount-to": "5.00"}, "", "E amount-half-range"},
		{"sequence-of-one", "a sequence of one element", "2.2.5 2.2.6", "", with{"amount": "", "amount-sequence": "5.00"}, "", "A"},
		{"sequence-of-three", "three decimal amounts need more than ten characters", "2.2.6 X4", "", with{"amount": "", "amount-sequence": "10.00,20.00,30.00"}, "", "A"},
		{"period-without-interval", "half a schedule", "2.2.3", "", with{"interval": ""}, "interval", "E schedule-pair"},
		{"interval-without-period", "half a schedule", "2.2.3", "", with{"period": ""}, "period", "E schedule-pair"},
		{"no-schedule", "neither of the two", "2.2.3 1", "", with{"period": "", "interval": ""}, "", "A"},
		{"period-day", "an allowed period", "2.1 2.2.1", "", with{"period": "day"}, "", "A"},
		{"period-week", "an allowed period", "2.1 2.2.1", "", with{"period": "week"}, "", "A"},
		{"period-on-dst", "a schedule on a destination card, in both columns", "1 L37", "DST", with{"period": "month", "interval": "1"}, "", "E schedule-on-dst@period, E schedule-on-dst@interval"},
		{"only-period-on-dst", "half a schedule on a destination card", "1 L37", "DST", with{"period": "month"}, "period", "E schedule-on-dst"},
		{"only-interval-on-dst", "half a schedule on a destination card", "1 L37", "DST", with{"interval": "1"}, "interval", "E schedule-on-dst"},
		{"both-callbacks", "both callback columns filled", "2.1 L55", "", with{"notify_url": "https://a.example/x", "server_callback_url": "https://b.example/x"}, "", "E callbacks-both"},
		{"both-callbacks-equal", "both callback columns filled, though equal", "2.1 L55", "", with{"notify_url": "https://a.example/x", "server_callback_url": "https://a.example/x"}, "", "E callbacks-both"},
		{"one-callback", "one callback column", "2.1", "", with{"server_callback_url": "https://a.example/x"}, "", "A"},
		{"us-without-state", "a state is required", "2.1 L50", "", with{"country": "US"}, "state", "E state-required"},
		{"ca-without-state", "a state is required", "2.1 L50", "", with{"country": "CA"}, "state", "E state-required"},
		{"au-without-state", "a state is required", "2.1 L50", "", with{"country": "AU"}, "state", "E state-required"},
		{"us-with-state", "a state of the United States", "2.1 L50", "", with{"country": "US", "state": "CA"}, "", "A"},
		{"us-with-territory", "Puerto Rico is among the states", "2.1 L50", "", with{"country": "US", "state": "PR"}, "", "A"},
		{"us-with-army-post", "an army post office is among the states", "2.1 L50", "", with{"country": "US", "state": "AE"}, "", "A"},
		{"ca-with-state", "a province of Canada", "2.1 L50", "", with{"country": "CA", "state": "ON"}, "", "A"},
		{"au-with-state", "a state of Australia", "2.1 L50", "", with{"country": "AU", "state": "NSW"}, "", "A"},
		{"us-with-a-canadian-state", "a state of another country", "2.1 L50", "", with{"country": "US", "state": "ON"}, "state", "W state-unknown"},
		{"us-with-lower-case-state", "codes are in upper case", "2.1 L50", "", with{"country": "US", "state": "ca"}, "state", "W state-unknown"},
		{"fr-with-state", "states of other countries are not listed", "2.1 L50", "", with{"country": "FR", "state": "75"}, "", "A"},
		{"start-today", "a start on as-of", "2.2.4", "", with{"start-date": "10.01.2026"}, "", "A"},
		{"start-yesterday", "a start before as-of", "L03 L56c", "", with{"start-date": "09.01.2026"}, "start-date", "W start-past"},
		{"finish-before-start", "finish-date before start-date: no charge ever", "2.2.9 L32a", "", with{"start-date": "01.02.2027", "finish-date": "01.02.2026", "max-repeats-number": ""}, "", "W finish-before-start@finish-date, W never-charges@finish-date"},
		{"finish-past", "finish-date before as-of: no charge ever", "2.2.9 L32a", "", with{"start-date": "", "finish-date": "01.01.2026", "max-repeats-number": ""}, "finish-date", "W never-charges"},
		{"finish-is-start-is-today", "one charge, and stopped the same day", "2.2.9 X8", "", with{"start-date": "10.01.2026", "finish-date": "10.01.2026", "max-repeats-number": ""}, "", "A"},
		{"max-unreachable", "finish-date comes before the cap", "2.2.8 2.2.9 L11", "", with{"start-date": "10.01.2026", "finish-date": "10.03.2026", "max-repeats-number": "12"}, "max-repeats-number", "W max-repeats-unreachable"},
		{"max-reached-on-finish-date", "the cap is reached on finish-date", "2.2.8 2.2.9 L11", "", with{"start-date": "10.01.2026", "finish-date": "10.03.2026", "max-repeats-number": "3"}, "", "A"},
		{"max-one-too-many-for-finish-date", "the cap is missed by one", "2.2.8 2.2.9 L11", "", with{"start-date": "10.01.2026", "finish-date": "10.03.2026", "max-repeats-number": "4"}, "max-repeats-number", "W max-repeats-unreachable"},
		{"max-1", "the least cap that charges", "2.2.8", "", with{"max-repeats-number": "1"}, "", "A"},
		{"max-0", "no charge ever", "2.2.8 L09 L32a", "", with{"max-repeats-number": "0"}, "max-repeats-number", "W max-zero, W never-charges@"},
		{"card-expired", "the card expired last month", "L39", "", with{"expire-year": "2025", "expire-month": "12"}, "expire-year", "W card-expired"},
		{"card-expires-this-month", "the card is good to the end of its month", "L31 L39", "", with{"expire-year": "2026", "expire-month": "01", "max-repeats-number": "1"}, "", "A"},
		{"card-expires-before-the-second-charge", "a charge falls after the card's month", "L31", "", with{"expire-year": "2026", "expire-month": "01", "max-repeats-number": "2"}, "expire-year", "W card-expires-before-charge"},
		{"scale-eur", "three decimals in euros", "L36c", "", with{"amount": "0.001"}, "amount", "W amount-scale"},
		{"scale-jpy", "decimals in yen", "L36c", "", with{"amount": "10.50", "currency": "JPY"}, "amount", "W amount-scale"},
		{"scale-kwd", "three decimals in dinars", "L36c", "", with{"amount": "1.001", "currency": "KWD"}, "", "A"},
		{"scale-kwd-4", "four decimals in dinars", "L36c", "", with{"amount": "1.0001", "currency": "KWD"}, "amount", "W amount-scale"},
		{"scale-eur-zeros", "a third decimal that is zero", "L36c", "", with{"amount": "1.000"}, "amount", "W amount-scale"},
		{"scale-sequence", "three decimals in the second element", "L36c", "", with{"amount": "", "amount-sequence": "1.00,1.001"}, "amount-sequence", "W amount-scale"},
		{"birthday-today", "born today", "L38", "", with{"birthday": "10.01.2026"}, "", "A"},
		{"birthday-tomorrow", "born tomorrow", "L38", "", with{"birthday": "11.01.2026"}, "birthday", "W birthday-future"},
	})
	project := func(id, currency, want string) {
		s.judged(draft{id: id, op: "validate", reason: "the project's currency is " + currency, clauses: "2.1 L56", input: row{"SRC", nil, payloadDay, currency}}, problems(want, "currency"), 1)
	}
	project("row-project-currency-same", "EUR", "A")
	project("row-project-currency-other", "USD", "E project-currency")
}
