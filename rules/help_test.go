package rules

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/ledger"
)

// values are the cells of one row by column.
type values map[Column]string

// asOf is the day of every test that does not say otherwise.
func asOf() calendar.Date { return calendar.MustParse("2026-01-10") }

func options() Options { return Options{AsOf: asOf()} }

// source is a row that no rule finds a fault with.
func source(change values) values {
	v := values{
		ColumnCardType: "SRC", ColumnOrderID: "order-1", ColumnCardNumber: "4111111111111111", ColumnCVV2: "123",
		ColumnCardPrintedName: "JOHN Q PUBLIC", ColumnExpireYear: "2045", ColumnExpireMonth: "12", ColumnAmount: "10.00",
		ColumnCurrency: "EUR", ColumnCountry: "DE", ColumnCity: "Springfield", ColumnZipCode: "12345", ColumnAddress1: "1 Example Street",
		ColumnFirstName: "John", ColumnLastName: "Public", ColumnEmail: "john@example.com", ColumnPeriod: "month", ColumnInterval: "1",
		ColumnStartDate: "31.01.2026", ColumnFinishDate: "31.12.2040", ColumnMaxRepeatsNumber: "12",
	}
	maps.Copy(v, change)
	return v
}

// destination is the same for DST.
func destination(change values) values {
	v := values{
		ColumnCardType: "DST", ColumnOrderID: "order-1", ColumnCardNumber: "4111111111111111", ColumnAmount: "10.00", ColumnCurrency: "EUR",
	}
	maps.Copy(v, change)
	return v
}

// document is the payload of rows under a header of all columns.
func document(rows ...values) string {
	out := AppendHeader(nil)
	for _, row := range rows {
		out = append(out, line(row)...)
	}
	return string(out)
}

// line is one row of all columns.
func line(row values) string {
	var cells []string
	for s := range Columns() {
		cells = append(cells, row[s.Column])
	}
	return string(AppendRecord(nil, cells...))
}

// judged is what a Reader told of an input.
type judged struct {
	rows     []*Row
	problems ledger.Findings
	summary  Summary
	err      error
}

func judge(input string, o Options) judged {
	r := NewReader(strings.NewReader(input), o)
	return collect(r)
}

func collect(r *Reader) judged {
	var j judged
	for row, ps := range r.Rows() {
		if row != nil {
			j.rows = append(j.rows, row)
		}
		j.problems = append(j.problems, ps...)
	}
	j.summary, j.err = r.Summary(), r.Err()
	return j
}

// formOf is the form body of a CSV text.
func formOf(csv []byte) []byte {
	return escape([]byte("payload="), base64.StdEncoding.AppendEncode(nil, csv))
}

// columnOf is the column that a finding is about; zero for none.
func columnOf(p ledger.Finding) Column {
	c, _ := ColumnOf(p.Subject)
	return c
}

// isUnreadable reports whether one of the findings is an error that makes the input no payload.
func isUnreadable(fs ledger.Findings) bool {
	return slices.ContainsFunc(fs, func(p ledger.Finding) bool { return p.Severity == ledger.SeverityError && Unreadable(p.Code) })
}

// verdict is the problems as "E code" and "W code", sorted, or "A" for none.
func verdict(ps ledger.Findings) string {
	var words []string
	for _, p := range ps {
		words = append(words, map[ledger.Severity]string{ledger.SeverityError: "E ", ledger.SeverityWarning: "W "}[p.Severity]+string(p.Code))
	}
	if len(words) == 0 {
		return "A"
	}
	slices.Sort(words)
	return strings.Join(words, ", ")
}

// A reasoned is a table row that must have a name and a reason.
type reasoned interface{ id() (name, reason string) }

// each runs a table's rows as subtests; it refuses a row without a reason and a name
// used twice.
func each[R reasoned](t *testing.T, table []R, run func(*testing.T, R)) {
	t.Helper()
	seen := map[string]bool{}
	for _, row := range table {
		name, reason := row.id()
		if reason == "" {
			t.Errorf("row %q has no reason", name)
		}
		if seen[name] {
			t.Errorf("name %q is used twice", name)
		}
		seen[name] = true
		t.Run(name, func(t *testing.T) { run(t, row) })
	}
}

// Marks that a spreadsheet or word processor put around the values are what the remedy is about (h115).
func TestHelpOnOtherQuotes(t *testing.T) {
	for _, marks := range [][2]string{{"“", "”"}, {"'", "'"}, {"„", "“"}, {"«", "»"}} {
		row := destination(values{ColumnStartDate: "01.02.2026"})
		for c, v := range row {
			row[c] = marks[0] + v + marks[1]
		}
		told := 0
		for _, p := range judge(document(row), options()).problems {
			if p.Severity != ledger.SeverityError || p.Code == MissingValue {
				continue
			}
			if told++; !strings.Contains(p.Help, "straight double quotes") {
				t.Errorf("%s of %s%s: %s", p.Code, marks[0], marks[1], p.Help)
			}
		}
		if told < 5 {
			t.Errorf("%d errors", told)
		}
	}
	for _, value := range []string{"1,5'", "'", "“"} {
		for _, p := range judge(document(destination(values{ColumnAmount: value})), options()).problems {
			if strings.Contains(p.Help, "straight") {
				t.Errorf("a single mark in %s: %s", value, p.Help)
			}
		}
	}
}

// A remedy that is followed to the letter must not lead to another fault, or to a value that
// means something else.
func TestHelpOfUsualExports(t *testing.T) {
	header := string(AppendHeader(nil))
	row := line(source(nil))
	in := func(c Column, v string) string { return document(source(values{c: v})) }
	for _, c := range []struct {
		name, input string
		code        ledger.Code
		want        string // of the message or the remedy
	}{
		{"a country by its name", in(ColumnCountry, "Germany"), TooLong, "two letters of the code"},
		{"a currency by its name", in(ColumnCurrency, "US Dollar"), TooLong, "three letters of the code"},
		{"a state by its name", in(ColumnState, "California"), TooLong, "code of ISO 3166-2"},
		{"a card number as a quantity", in(ColumnCardNumber, "4.11111E+15"), CardNumberForm, "as text"},
		{"the same with a comma", in(ColumnCardNumber, "4,11111E+15"), CardNumberForm, "as text"},
		{"a card number that ends with a letter", in(ColumnCardNumber, "41111111111E"), CardNumberForm, "digits only"},
		{"a card number before a currency", in(ColumnCardNumber, "411111111111EUR"), CardNumberForm, "digits only"},
		{"a card number behind a letter", in(ColumnCardNumber, "E5"), CardNumberForm, "digits only"},
		{"a card number with a letter", in(ColumnCardNumber, "41111111E1x"), CardNumberForm, "digits only"},
		{"the month before the day", in(ColumnStartDate, "12.31.2026"), DateNotADay, "the day comes before the month"},
		{"a month that is none, and no day", in(ColumnStartDate, "31.13.2026"), DateNotADay, "check day and month"},
		{"a number with decimals", in(ColumnMaxRepeatsNumber, "12.0"), IntegerSyntax, "no decimals"},
		{"a number with a letter", in(ColumnMaxRepeatsNumber, "12x"), IntegerSyntax, "digits only"},
		{"decimal commas in a sequence", in(ColumnAmountSequence, "1,00,2,00"), AmountZero, "decimal marks"},
		{"one more element", in(ColumnAmountSequence, "1,0,0"), AmountZero, "(and 1 more element)"},
		{"two more elements", in(ColumnAmountSequence, "1,0,0,0"), AmountZero, "(and 2 more elements)"},
		{"an empty row", header + strings.Repeat(";", 32) + "\n", MissingValue, "remove the row"},
		{"a row that lacks one value", document(source(values{ColumnCity: ""})), MissingValue, "fill it in"},
		{"tabs", strings.ReplaceAll(header+row, ";", "\t"), CSVSeparator, "by tabs, not"},
		{"commas", strings.ReplaceAll(header+row, ";", ","), CSVSeparator, "by commas, not"},
		{"bars without quotes", "rp_card_type|client-orderid\nSRC|x\n", CSVSeparator, "by vertical bars, not"},
		{"tabs and other quotes", "“RP Card Type”\tclient_orderid\tamount\nSRC\tx\t1\n", CSVSeparator, "by tabs, not"},
		{"a known name later on", "Order,Sum,currency\nx,1,EUR\n", CSVSeparator, "by commas, not"},
		{"a name almost that of another one", strings.Replace(header, `"order_desc"`, `"E-Mail"`, 1) + row, ColumnUnknown, "the header has it already"},
		{"names in quotes twice", strings.ReplaceAll(header, `"`, `"""`) + row, ColumnUnknown, "one pair of double quotes"},
		{"values in quotes twice", header + strings.ReplaceAll(row, `"`, `"""`), CardTypeValue, "one pair of double quotes"},
		{"one quote in a value", in(ColumnAmount, `"5`), AmountSyntax, "decimal point"},
		{"a date without its century", in(ColumnStartDate, "01.02.26"), DateSyntax, "four for the year"},
		{"a date of three points", in(ColumnStartDate, "1.2.20.6"), DateSyntax, ruleOf(DateSyntax).Help},
		{"a date of ISO", in(ColumnStartDate, "2026-02-01"), DateSyntax, "not the ISO form"},
		{"a date with dashes", in(ColumnStartDate, "01-02-2026"), DateSyntax, "by points"},
		{"a date of ISO but for one dash", in(ColumnStartDate, "2026-02/01"), DateSyntax, "by points"},
		{"a date of ISO but for the other", in(ColumnStartDate, "2026/02-01"), DateSyntax, "by points"},
		{"a date without points", in(ColumnStartDate, "01022026"), DateSyntax, "counts the digits"},
		{"eight letters", in(ColumnStartDate, "tomorrow"), DateSyntax, ruleOf(DateSyntax).Help},
		{"a date of full length with points", in(ColumnStartDate, "1.02.20266"), DateSyntax, ruleOf(DateSyntax).Help},
		{"a name twice", strings.Replace(header, `"currency"`, `"amount"`, 1) + row, ColumnDuplicate, "column 12 of the header has the name"},
		{"a column behind the last", strings.Replace(header, "\n", ";\"colour\"\n", 1) + row, ColumnUnknown, "column 34 of the header is not one"},
		{"no name", strings.Replace(header, `"currency"`, `""`, 1) + row, ColumnUnknown, "column 12 of the header has no name"},
		{"a name left out", strings.Replace(header, `"currency"`, `"x"`, 1) + row, ColumnMissing, "add the column"},
		{"one value without quotes", strings.Replace(header+row, `"SRC"`, "SRC", 1), CSVUnquoted, "a value is not quoted"},
		{"two values without quotes", strings.Replace(header+row, `"SRC";"order-1"`, "SRC;order-1", 1), CSVUnquoted, "2 values are not quoted"},
		{"one value", header + "\"Total\"\n", CSVWidth, "has 1 value, the header 33"},
		{"too many values", header + strings.TrimSuffix(row, "\n") + ";x\n", CSVWidth, "remove what is too much"},
		{"too few values", header + "\"a\";\"b\"\n", CSVWidth, "leave it empty"},
		{"two blank lines", header + "\n\n" + row, BlankLine, "remove them"},
		{"an inch in a bare value", header + "SRC;12\" disc\n", CSVQuote, "the whole value in double quotes"},
		{"an inch in a quoted value", header + "\"SRC\";\"12\" disc\"\n", CSVQuote, "twice"},
		{"no UTF-8 in a row that cannot be read", header + "a\xe9\"x\n", InvalidUTF8, "mend the row"},
		{"no UTF-8 in a row that is too short", header + "\"a\xe9\"\n", InvalidUTF8, ruleOf(InvalidUTF8).Help},
		{"a quote behind a backslash", header + "\"SRC\";\"12\\\" disc\"\n", CSVQuote, "a backslash does not escape it"},
		{"a space behind a quote", header + "\"SRC\" ;\"order-1\"\n", CSVQuote, "remove the space between the quote and the separator"},
		{"a comment", header + "# rows of May\n" + row, CSVWidth, "no comments in the payload"},
		{"a row with commas and no quotes", header + "SRC,order-1\n" + row, CSVWidth, "separate values by ;"},
		{"a row with tabs and no quotes", header + "SRC\torder-1\n" + row, CSVWidth, "separate values by ;"},
		{"a quote alone", in(ColumnAmount, `"`), AmountSyntax, "decimal point"},
		{"no card type", strings.Replace(header, `"rp_card_type"`, `"x"`, 1) + row, ColumnMissing, "DST in one for the receiver's card"},
		{"no currency", strings.Replace(header, `"currency"`, `"x"`, 1) + row, ColumnMissing, ruleOf(ColumnMissing).Help},
		{"a space before a quote", header + "\"SRC\"; \"order-1\"\n", CSVQuote, "remove the space between the separator and the quote"},
		{"a space before the first", header + " \"SRC\"\n", CSVQuote, "remove the space between the separator and the quote"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, p := range judge(c.input, options()).problems {
				if p.Code == c.code && strings.Contains(p.Message+": "+p.Help, c.want) {
					return
				}
			}
			t.Errorf("no %s with %q: %v", c.code, c.want, judge(c.input, options()).problems.Unwrap())
		})
	}
	o := options()
	o.MaxRows = 1
	ps := judge(header+row+row, o).problems
	if m := ps[len(ps)-1].Message; !strings.HasSuffix(m, " (limit: 1 row)") || strings.HasPrefix(m, " ") {
		t.Error(ps)
	}
}

// What surrounds a body on its way from a log, a shell or an editor is what the remedy is about.
func TestHelpOfWrappedBodies(t *testing.T) {
	csv := string(AppendHeader(nil)) + line(source(nil))
	text := base64.StdEncoding.EncodeToString([]byte(csv))
	for _, c := range []struct {
		name, input string
		code        ledger.Code
		want        string
	}{
		{"a mark before base64", mark + text, Base64Syntax, "byte-order mark"},
		{"a mark before a form body", mark + "payload=" + text, PayloadMissing, "byte-order mark"},
		{"a question mark", "?payload=" + text, PayloadMissing, "almost named"},
		{"a response", "type=validation-error&error-code=8", PayloadMissing, "response of the gateway"},
		{"another name", "data=" + text, PayloadMissing, "no parameter named payload"},
		{"a space before base64", " " + text, Base64Space, "before the base64 text"},
		{"a space inside", text[:40] + " " + text[41:], Base64Space, "%2B"},
		{"a cut end", text[:len(text)/4*4-7], Base64Syntax, "the end is missing"},
		{"a cut end of two characters", text[:len(text)/4*4-6], Base64Unpadded, "cut off"},
		{"base64 in quotes", `"` + text + `"`, Base64Syntax, "remove the quotes"},
		{"a form body in quotes", "'payload=" + text + "'", PayloadMissing, "nothing beside it"},
		{"a list of JSON", `[{"rp_card_type":"SRC"}]`, NotAPayload, "JSON"},
		{"a form body encoded again", "payload=" + base64.StdEncoding.EncodeToString([]byte("payload="+text[:len(text)/3*3])), NoHeader, "encoded again"},
		{"base64 of UTF-16", utf16Base64(csv), InvalidUTF8, "UTF-16"},
		{"base64 of a form body", base64.StdEncoding.EncodeToString([]byte("payload=" + text)), NoHeader, "encode the CSV alone"},
		{"base64 of JSON", base64.StdEncoding.EncodeToString([]byte(`{"rp_card_type":"SRC","client-orderid":"order-1","amount":"1.00"}`)), NotAPayload, "what was encoded is not CSV: it looks like JSON"},
		{"base64 of a text", base64.StdEncoding.EncodeToString([]byte(strings.Repeat("any text ", 9))), NoHeader, "not column names"},
		{"an Authorization header", `OAuth oauth_consumer_key="k",oauth_nonce="n"`, NotAPayload, "Authorization header"},
		{"a whole request", "POST /x HTTP/1.1\r\nHost: h\r\n\r\npayload=" + text, NotAPayload, "its body alone"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ps := judge(c.input, options()).problems
			for _, p := range ps {
				if p.Code == c.code && strings.Contains(p.Message+": "+p.Help, c.want) {
					return
				}
			}
			t.Errorf("no %s with %q: %v", c.code, c.want, ps.Unwrap())
		})
	}
}

// TestNothingIsSaidOfUnknownDays: where a column on which the days rest cannot be read, it is what is reported, and no forecast is made.
func TestNothingIsSaidOfUnknownDays(t *testing.T) {
	for _, c := range []Column{ColumnPeriod, ColumnInterval, ColumnStartDate, ColumnFinishDate, ColumnMaxRepeatsNumber} {
		v := values{ColumnFinishDate: "", ColumnMaxRepeatsNumber: "", ColumnExpireYear: "2026", ColumnExpireMonth: "03"}
		v[c] = "x"
		for _, p := range judge(document(source(v)), options()).problems {
			if p.Subject != c.String() {
				t.Errorf("%v: %v", c, p)
			}
		}
	}
}

// TestColumnAsText: the text of a column is its name, and no column has the empty one.
func TestColumnAsText(t *testing.T) {
	for s := range Columns() {
		text, err := s.Column.MarshalText()
		var back Column
		if err != nil || string(text) != s.Name || back.UnmarshalText(text) != nil || back != s.Column {
			t.Errorf("%v: %q, %v, read back as %v", s.Column, text, err, back)
		}
	}
	c := ColumnCity
	if c.UnmarshalText([]byte("town")) == nil || c != ColumnCity {
		t.Errorf("an unknown name is read as %v", c)
	}
	if err := c.UnmarshalText(nil); err != nil || c != 0 {
		t.Errorf("no name is read as %v, %v", c, err)
	}
}

// TestHelpOfAForeignTextInside: what base64 or a form body holds is named as what it is, where the form of the input is given.
func TestHelpOfAForeignTextInside(t *testing.T) {
	inside := base64.StdEncoding.EncodeToString([]byte("%PDF-1.7\n" + strings.Repeat("0 0 obj\n", 200)))
	for input, form := range map[string]Input{inside: InputBase64, "payload=" + inside: InputForm} {
		o := options()
		o.Input = form
		ps := judge(input, o).problems
		if len(ps) != 1 || ps[0].Code != NotAPayload || ps[0].Help != "what was encoded is not CSV: it looks like a PDF" {
			t.Errorf("%v: %v", form, ps.Unwrap())
		}
	}
}

// A parameter that is almost named payload is pointed at; where none is, the end of the body is.
func TestPlaceOfTheMissingPayload(t *testing.T) {
	text := base64.StdEncoding.EncodeToString([]byte(string(AppendHeader(nil)) + line(source(nil))))
	for _, c := range []struct {
		name, input string
		offset, col int
	}{
		{"in upper case", "PAYLOAD=" + text, 0, 1},
		{"with brackets", "payload[]=" + text, 0, 1},
		{"a question mark", "?payload=" + text, 0, 1},
		{"behind another parameter", "debug=1&Payload=" + text + "&payload2=x", 8, 9},
		{"a mark behind a name that is less near", "payload2=x&" + mark + "payload=" + text, 11, 12},
		{"no such name", "debug=1", 7, 8},
	} {
		o := options()
		o.Input = InputForm
		ps := judge(c.input, o).problems
		i := slices.IndexFunc(ps, func(p ledger.Finding) bool { return p.Code == PayloadMissing })
		if i < 0 || ps[i].Place.Line != 1 || ps[i].Place.Col != c.col || int(ps[i].Place.Offset) != c.offset {
			t.Errorf("%s: %v", c.name, ps.Unwrap())
		}
	}
}

// Spaces between amounts are where commas belong: without them the amounts would run together.
func TestHelpOfSpacesInASequence(t *testing.T) {
	for _, c := range []struct{ name, value, want string }{
		{"between amounts", "9.99 9.99", "put a comma between the elements"},
		{"several, between amounts", "1.00,2.00   3.00 4.00", "put a comma between the elements"},
		{"between amounts with decimal commas", "1,00 2,00 3,00", "put a comma between the elements, and a point before the decimals"},
		{"after a comma", "1.00, 2.00", "remove the spaces"},
		{"before a comma", "1.00 ,2.00", "remove the spaces"},
		{"beside what is no amount", "1.00,EUR 2.00", "put a comma between the elements"},
	} {
		_, found := ParseUpdate(maps.All(map[string]string{"amount-sequence": c.value}), UpdateOptions{})
		i := slices.IndexFunc(found, func(f ledger.Finding) bool { return f.Code == SequenceElement })
		if i < 0 || !strings.HasPrefix(found[i].Help, c.want) {
			t.Errorf("%s: %v", c.name, found)
		}
	}
}

// The caret counts characters, so each that an excerpt shows takes one column: none is left to
// be written as an escape, none is wide.
func TestExcerptShowsOneColumnACharacter(t *testing.T) {
	name := "J\u00a0O\u200dE\u00ad \U0001F468\u3000Ａ\u2028１٣\ue000é"
	r := NewReader(strings.NewReader(document(source(values{ColumnCity: name, ColumnZipCode: "12345678901"}))), options())
	told := false
	for _, ps := range r.Rows() {
		for _, p := range ps {
			if p.Code != TooLong {
				continue
			}
			told = true
			text, caret, ok := r.Excerpt(p)
			if !ok || string([]rune(text)[caret:caret+len(`"99999999999"`)]) != `"99999999999"` {
				t.Errorf("%q, caret %d", text, caret)
			}
			for _, c := range text {
				if c != ' ' && !unicode.IsPrint(c) || c >= firstWide {
					t.Errorf("%q in %q", c, text)
				}
			}
			if !strings.Contains(text, "A␣A·A· ") {
				t.Errorf("%q", text)
			}
		}
	}
	if !told {
		t.Error("no zip-code")
	}
}

// utf16Base64 is base64 of an ASCII text in UTF-16, as a program of Windows writes it.
func utf16Base64(s string) string {
	b := []byte{0xFF, 0xFE}
	for _, c := range []byte(s) {
		b = append(b, c, 0)
	}
	return base64.StdEncoding.EncodeToString(b)
}

// severalRows is a payload in which most rows are like each other and some have faults that can be
// mistaken for the end of a row, or that depend on other rows.
func severalRows(chance *rand.Rand, rows int) []byte {
	odd := []string{
		"\n", "\r\n", "\n\n\n", "x\n", "\"a\"b;\n", "a\"b;\"c\n", "\"open\nline\n", "\"\"\n", ";\n", "\x00\xff\n", "one\rtwo\n",
		strings.Repeat(";", 200) + "\n", strings.Repeat("long", 400) + "\n", "\"" + strings.Repeat("long\n", 300) + "\";\n", "\"\n\"\n",
	}
	end := []string{"\n", "\r\n"}[chance.IntN(2)]
	text := bytes.ReplaceAll(AppendHeader(nil), []byte("\n"), []byte(end))
	rise, often := chance.IntN(2) == 0, chance.IntN(12)
	for i := range rows {
		v := w3Row(uint64(i))
		if !rise {
			v[ColumnOrderID] = fmt.Sprint("o", chance.IntN(20*rows))
		}
		if chance.IntN(12) < often {
			switch chance.IntN(8) {
			case 0:
				v[ColumnInterval], v[ColumnStartDate], v[ColumnCurrency] = "0", "1.2.2026", ""
			case 1:
				v[ColumnOrderDesc] = "two\nlines; \"\"\n\"\";"
			case 2:
				v[ColumnOrderDesc] = "\n" + strings.TrimSuffix(line(w3Row(uint64(i))), "\n") + "\n"
			case 3:
				v[ColumnOrderID] = fmt.Sprintf("order-%09d", chance.IntN(i+1))
			case 4:
				v[ColumnCardType], v[ColumnStartDate] = "DST", ""
			default:
				text = append(text, odd[chance.IntN(len(odd))]...)
			}
		}
		row := line(v)
		if chance.IntN(12) < often/3 {
			row = strings.ReplaceAll(row, `"USD"`, "USD")
		}
		text = append(text, strings.Replace(row, "\n", end, strings.Count(row, "\n"))...)
	}
	return text
}

// decodeBytes is Decode of a payload in memory; nil with an error.
func decodeBytes(payload []byte, o Options) ([]byte, ledger.Findings) {
	var text bytes.Buffer
	found, err := Decode(&text, bytes.NewReader(payload), o)
	if err != nil || found.Err() != nil {
		return nil, found
	}
	return text.Bytes(), found
}

// csvOf is a row as it is written, with all columns.
func csvOf(row *Row) []byte {
	var cells []string
	for _, c := range row.Cells() {
		cells = append(cells, c.Reveal())
	}
	return AppendRecord(nil, cells...)
}
