package main

import (
	"fmt"
	"strings"
)

const byHand = "table by hand after clause 2.1 and the ledger"

// A row is the input of the op validate: one of the rows of rows.json with some cells changed.
type row struct {
	Row      string         `json:"row"`
	Set      map[string]any `json:"set,omitempty"`
	AsOf     string         `json:"as_of"`
	Currency string         `json:"currency,omitempty"`
}

// A document is the same for a whole text.
type document struct {
	Payload any    `json:"payload"`
	Input   string `json:"input,omitempty"` // csv, base64 or form where it is not recognised
	AsOf    string `json:"as_of"`
}

type problem struct {
	Severity string `json:"severity"`
	Code     string `json:"code"`
	Column   string `json:"column,omitempty"`
}

// judged are all problems, and how many rows there are and can be used. Where Place is set the columns
// are compared as well.
type judged struct {
	Problems []problem `json:"problems"`
	Rows     int       `json:"rows"`
	Valid    int       `json:"valid"`
}

const payloadDay = "2026-01-10"

// baseRows are the faultless rows that vectors change: one of each kind.
func baseRows() map[string]columns {
	return map[string]columns{
		"SRC": {"rp_card_type": "SRC", "client-orderid": "order-1", "credit-card-number": "4111111111111111", "cvv2": "123",
			"card-printed-name": "JOHN Q PUBLIC", "expire-year": "2045", "expire-month": "12", "amount": "10.00",
			"currency": "EUR", "country": "DE", "city": "Springfield", "zip-code": "12345", "address1": "1 Example Street",
			"first-name": "John", "last-name": "Public", "email": "john@example.com", "period": "month", "interval": "1",
			"start-date": "31.01.2026", "finish-date": "31.12.2040", "max-repeats-number": "12"},
		"DST": {"rp_card_type": "DST", "client-orderid": "order-1", "credit-card-number": "4111111111111111", "amount": "10.00", "currency": "EUR"},
	}
}

// problems reads "E amount-syntax, W leading-zero"; A is none. Those without a column of their own are
// in the one given.
func problems(want, column string) []problem {
	list := []problem{}
	for item := range strings.SplitSeq(want, ", ") {
		if item == "A" {
			continue
		}
		letter, rest, _ := strings.Cut(item, " ")
		code, at, ok := strings.Cut(rest, "@")
		if !ok {
			at = column
		}
		list = append(list, problem{map[string]string{"E": "error", "W": "warning"}[letter], code, at})
	}
	return list
}

// cell adds a row with some cells changed. The problems of a row are compared with their columns.
func (s *sheet) cell(id, reason, clauses, kind string, set map[string]any, column, want string) {
	s.judged(draft{id: id, op: "validate", reason: reason, clauses: clauses, input: row{Row: kind, Set: set, AsOf: payloadDay}}, problems(want, column), 1)
}

func (s *sheet) judged(d draft, list []problem, rows int) {
	valid := rows
	for _, p := range list {
		if p.Severity == "error" {
			d.invalid, valid = true, 0
		}
	}
	d.expect = judged{list, rows, valid}
	s.add(d)
}

// A field is what clause 2.1 says of a text column.
type field struct {
	name     string
	length   int
	required bool // on SRC; on DST where both says so
	both     bool // on DST as well
	base     string
}

// fields are the text columns whose values have no further syntax.
func fields() []field {
	return []field{
		{"client-orderid", 128, true, true, ""}, {"card-printed-name", 128, true, false, ""},
		{"city", 128, true, false, ""}, {"zip-code", 10, true, false, ""}, {"address1", 256, true, false, ""},
		{"first-name", 128, true, false, ""}, {"last-name", 128, true, false, ""},
		{"ssn", 32, false, false, ""}, {"phone", 128, false, false, ""}, {"purpose", 128, false, false, ""},
	}
}

// columnVectors are the length of each column, counted in characters, and whether it is required.
func columnVectors(s *sheet) {
	s.source = byHand
	set := func(name string, value any) map[string]any { return map[string]any{name: value} }
	for _, f := range fields() {
		for _, c := range []struct{ id, letter, at string }{
			{"one-byte", "x", "A"}, {"two-byte", "é", "W bytes-exceed-limit"}, {"three-byte", "語", "W bytes-exceed-limit"}, {"four-byte", "💩", "W bytes-exceed-limit"},
		} {
			s.cell(fmt.Sprintf("length-%s-%d-%s", f.name, f.length, c.id), fmt.Sprintf("%d %s characters fit in %s", f.length, c.id, f.name), "2.1 8 L41", "SRC",
				set(f.name, times(c.letter, f.length)), f.name, c.at)
			s.cell(fmt.Sprintf("length-%s-%d-%s", f.name, f.length+1, c.id), fmt.Sprintf("%d %s characters do not fit in %s", f.length+1, c.id, f.name), "2.1 8 L41", "SRC",
				set(f.name, times(c.letter, f.length+1)), f.name, "E too-long")
		}
		s.cell("one-character-"+f.name, "one character is enough for "+f.name, "2.1", "SRC", set(f.name, "x"), f.name, "A")
		s.cell("space-before-"+f.name, "a space before a text is kept and warned of", "2.1 L46", "SRC", set(f.name, " x"), f.name, "W surrounding-space")
		s.cell("space-after-"+f.name, "a space after a text is kept and warned of", "2.1 L46", "SRC", set(f.name, "x "), f.name, "W surrounding-space")
		s.cell("nul-in-"+f.name, "NUL is an error in every column", "2.1 L41b", "SRC", set(f.name, "a\x00b"), f.name, "E nul-character")
		s.cell("bell-in-"+f.name, "a control character is warned of", "2.1 L41b", "SRC", set(f.name, "a\ab"), f.name, "W control-character")
	}
	requiredVectors(s, set)
	limitVectors(s, set)
}

func requiredVectors(s *sheet, set func(string, any) map[string]any) {
	for _, name := range []string{"rp_card_type", "client-orderid", "credit-card-number", "currency"} {
		for _, kind := range []string{"SRC", "DST"} {
			if name == "rp_card_type" && kind == "DST" {
				continue // the rest of the row cannot be judged either way
			}
			s.cell("required-"+slug(name)+"-"+slug(kind), name+" is required on "+kind, "2.1 X5", kind, set(name, ""), name, "E required")
		}
	}
	for _, name := range []string{"card-printed-name", "expire-year", "expire-month", "country", "city", "zip-code", "address1", "first-name", "last-name", "email"} {
		s.cell("required-"+name+"-src", name+" is required on SRC", "2.1 X5", "SRC", set(name, ""), name, "E required")
		s.cell("spaces-only-"+name, "spaces are no value where one is required", "2.1 L46", "SRC", set(name, "  "), name, "E required")
	}
	for _, name := range []string{"cvv2", "start-date", "finish-date", "max-repeats-number"} {
		s.cell("optional-"+name+"-src", name+" is optional", "2.1", "SRC", optional(name), name, "A")
	}
	for _, c := range []struct{ name, value string }{
		{"country", "DE"}, {"city", "Springfield"}, {"zip-code", "12345"}, {"address1", "1 Example Street"}, {"first-name", "John"},
		{"last-name", "Public"}, {"email", "john@example.com"}, {"ssn", "078051120"}, {"birthday", "01.02.1980"}, {"phone", "+1 202 555 0123"},
		{"state", "CA"}, {"purpose", "rent"},
	} {
		s.cell("src-only-"+c.name+"-on-dst", c.name+" is of no use on a destination card", "2.1 L37", "DST", set(c.name, c.value), c.name, "W src-only-on-dst")
	}
	for _, c := range []struct{ name, value string }{
		{"card-printed-name", "JOHN Q PUBLIC"}, {"cvv2", "123"}, {"order_desc", "rent"}, {"customer-ip", "192.0.2.1"}, {"finish-date", "31.12.2040"},
		{"max-repeats-number", "12"}, {"start-date", "31.01.2026"}, {"notify_url", "https://shop.example/done"}, {"server_callback_url", "https://shop.example/done"},
	} {
		s.cell("both-kinds-"+slug(c.name)+"-on-dst", c.name+" is for both kinds", "2.1", "DST", set(c.name, c.value), c.name, "A")
	}
}

// optional is a column without its value, and what would be warned of with it.
func optional(name string) map[string]any {
	set := map[string]any{name: ""}
	if name == "max-repeats-number" {
		set["expire-year"] = "2045"
	}
	return set
}

// limitVectors are the lengths of columns with a syntax of their own.
func limitVectors(s *sheet, set func(string, any) map[string]any) {
	address := func(n int) string { return strings.Repeat("a", n-len("@example.com")) + "@example.com" }
	for _, c := range []struct{ id, name, value, want, clauses string }{
		{"amount-10", "amount", "1234567.89", "A", "2.1 8 L35"},
		{"amount-11", "amount", "12345678.90", "E too-long", "2.1 8 L35"},
		{"email-65", "email", address(65), "A", "2.1 8"},
		{"email-129", "email", address(129), "E too-long", "2.1 8"},
		{"card-19", "credit-card-number", "4111111111111111110", "A", "2.1 8"},
		{"card-20", "credit-card-number", strings.Repeat("7", 20), "E too-long", "2.1 8"},
		{"card-12", "credit-card-number", "411111111117", "A", "2.1 L39c"},
		{"card-11", "credit-card-number", "00000000000", "W card-number-short", "2.1 L39c"},
		{"cvv2-3", "cvv2", "000", "A", "2.1 8"}, {"cvv2-4", "cvv2", "0000", "A", "2.1 8"},
		{"cvv2-2", "cvv2", "12", "E cvv2-form", "2.1 8"}, {"cvv2-5", "cvv2", "12345", "E cvv2-form", "2.1 8"},
		{"currency-2", "currency", "EU", "W currency-unknown", "2.1 8 L50"}, {"currency-4", "currency", "EURO", "E too-long", "2.1 8"},
		{"country-1", "country", "D", "W country-unknown", "2.1 8 L50"}, {"country-3", "country", "DEU", "E too-long", "2.1 8"},
		{"state-1", "state", "C", "E too-short", "2.1 8"}, {"state-2", "state", "CA", "A", "2.1 8"}, {"state-3", "state", "NSW", "A", "2.1 8"}, {"state-4", "state", "NSWX", "E too-long", "2.1 8"},
		{"ip-45", "customer-ip", "0000:0000:0000:0000:0000:ffff:192.168.100.228", "A", "2.1 8"},
		{"ip-46", "customer-ip", strings.Repeat("1", 46), "E too-long, W ip-form", "2.1 8"},
		{"start-date-10", "start-date", "31.01.2026", "A", "2.1 X3"}, {"start-date-8", "start-date", "31012026", "E date-syntax", "2.1 X3"},
		{"notify-url-1024", "notify_url", "https://a.example/" + strings.Repeat("x", 1006), "A", "2.1 8 X13"},
		{"notify-url-1025", "notify_url", "https://a.example/" + strings.Repeat("x", 1007), "E too-long", "2.1 8 X13"},
		{"server-callback-url-128", "server_callback_url", "https://a.example/" + strings.Repeat("x", 110), "A", "2.1 8 X13"},
		{"server-callback-url-129", "server_callback_url", "https://a.example/" + strings.Repeat("x", 111), "E too-long", "2.1 8 X13"},
		{"period-longer", "period", "monthly", "E period-value", "2.1"},
		{"expire-month-12", "expire-month", "12", "A", "2.1 L39"}, {"expire-month-13", "expire-month", "13", "E expire-month", "2.1 L39"},
		{"expire-month-01", "expire-month", "01", "A", "2.1 L39"}, {"expire-month-00", "expire-month", "00", "E expire-month", "2.1 L39"},
		{"expire-year-5", "expire-year", "20266", "E expire-year", "2.1 L39"}, {"expire-year-2", "expire-year", "26", "E expire-year", "2.1 L39"},
	} {
		s.cell("limit-"+c.id, c.name+" at or past its limit", c.clauses, "SRC", set(c.name, c.value), c.name, c.want)
	}
	for _, c := range []struct {
		n    int
		want string
	}{{64_999, "A"}, {65_000, "A"}, {65_001, "W order-desc-long"}, {66_560, "W order-desc-long"}, {66_561, "E too-long"}} {
		s.cell(fmt.Sprintf("limit-order-desc-%d", c.n), "65K has three readings", "2.1 8 L40", "SRC", set("order_desc", times("x", c.n)), "order_desc", c.want)
	}
	for _, c := range []struct {
		n    int
		want string
	}{{1, "A"}, {2, "A"}, {9_999, "A"}, {10_000, "A"}, {10_001, "E limit-elements"}} {
		list := []any{times("1,", c.n-1), "1"}
		s.cell(fmt.Sprintf("limit-elements-%d", c.n), "10,000 elements of a sequence", "2.1 L56d", "SRC", map[string]any{"amount": "", "amount-sequence": list}, "amount-sequence", c.want)
	}
}
