package rules

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"
	"unicode/utf16"

	"github.com/chargecast/chargecast/ledger"
)

// A fixed is what came of a text: the changes as "code row column", with - before refused ones.
type fixed struct {
	out     string
	changes []string
	done    Fixed
	err     error
}

func (f Fixer) once(in string) (x fixed) {
	var b bytes.Buffer
	f.Report = func(c Change) {
		s := fmt.Sprintf("%s %d %s", c.Code, c.Row, c.Column)
		if c.Refused {
			s = "-" + s
		}
		x.changes = append(x.changes, strings.TrimSpace(s))
	}
	x.done, x.err = f.Fix(&b, strings.NewReader(in))
	x.out = b.String()
	return x
}

// refusals are the refused changes, their rows counted without those that were dropped.
func (x fixed) refusals() (list []string) {
	dropped := 0
	for _, s := range x.changes {
		var row int
		code, rest, _ := strings.Cut(s, " ")
		_, _ = fmt.Sscan(rest, &row)
		switch {
		case code == string(fixEmpty) && row > 0:
			dropped++
		case code[0] == '-' && row > 0:
			_, column, _ := strings.Cut(rest, " ")
			list = append(list, fmt.Sprint(code, " ", row-dropped, " ", column))
		case code[0] == '-':
			list = append(list, s)
		}
	}
	return list
}

// twice is the law of every Fixer: run again over its own output with the same fields but Decode, it changes nothing
// and refuses the same.
func (f Fixer) twice(in string) (x fixed, broken string) {
	x = f.once(in)
	refused := 0
	for _, c := range x.changes {
		refused += strings.Count(c[:1], "-")
	}
	switch {
	case x.err != nil:
		return x, x.err.Error()
	case x.done.Refused != refused || x.done.Changes != len(x.changes)-refused:
		return x, fmt.Sprintf("%+v counted for %v", x.done, x.changes)
	case x.done.Findings.Err() != nil:
		if x.out != "" || len(x.changes) > 0 {
			return x, "with an error something was written"
		}
		return x, ""
	case slices.Contains(x.changes, "-encoding 0"):
		if len(x.changes) > 1 {
			return x, "in an unknown encoding something was changed"
		}
		return x, ""
	}
	if refused == 0 {
		if faults := formFaults(x.out); len(faults) > 0 {
			return x, fmt.Sprintf("%q\nfixed without a refusal: %q has %v", in, x.out, faults)
		}
	}
	f.Decode, f.Options.Input = nil, InputCSV
	again := f.once(x.out)
	if again.out != x.out || len(again.changes) != again.done.Refused || !slices.Equal(x.refusals(), again.refusals()) {
		return x, fmt.Sprintf("%q\nfixed:       %q, %v\nfixed twice: %q, %v %v", in, x.out, x.changes, again.out, again.changes, again.done.Findings)
	}
	return x, ""
}

// formFaults are the codes of the errors in the form of a payload that a Fixer has to mend or refuse.
func formFaults(text string) (list []ledger.Code) {
	report, err := Validate(strings.NewReader(text), Options{Input: InputCSV, AsOf: asOf()})
	if err != nil {
		return []ledger.Code{ledger.Code(err.Error())}
	}
	for _, f := range report.Findings {
		switch f.Code {
		case AmountSyntax, SequenceElement, SurroundingSpace, DateSyntax, DateNotADay, IntegerSyntax, IntegerRange, IntervalValue, MaxNegative, PeriodValue, CardTypeValue,
			ExpireYearForm, ExpireMonthForm, ColumnUnknown, CSVSeparator, CSVQuote, CSVUnterminatedQuote, CSVLineEnd, CSVWidth:
			if f.Severity == ledger.SeverityError {
				list = append(list, f.Code)
			}
		}
	}
	return list
}

// fix mends a text and holds it to the law.
func (f Fixer) fix(t *testing.T, in string) fixed {
	t.Helper()
	x, broken := f.twice(in)
	if broken != "" {
		t.Error(broken)
	}
	return x
}

func fix(t *testing.T, in string, o Options) (out string, changes []string, done Fixed) {
	t.Helper()
	x := Fixer{Options: o}.fix(t, in)
	return x.out, x.changes, x.done
}

// wide is a text in UTF-16.
func wide(s string, big bool) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		if big {
			b = append(b, byte(u>>8), byte(u))
		} else {
			b = append(b, byte(u), byte(u>>8))
		}
	}
	return string(b)
}

// latin1 is a decoder of Latin-1.
func latin1(r io.Reader) io.Reader {
	text, err := io.ReadAll(r)
	var b strings.Builder
	for _, c := range text {
		b.WriteRune(rune(c))
	}
	if err != nil {
		return io.MultiReader(strings.NewReader(b.String()), iotest.ErrReader(err))
	}
	return strings.NewReader(b.String())
}

// littleEndian is a decoder of UTF-16 without a mark, for ASCII alone.
func littleEndian(r io.Reader) io.Reader {
	text, _ := io.ReadAll(r)
	var b strings.Builder
	for pair := range slices.Chunk(text, 2) {
		b.WriteByte(pair[0])
	}
	return strings.NewReader(b.String())
}

func TestFixWholeText(t *testing.T) {
	accents := strings.Replace(short, "order-1", "é€-“x”", 1)
	curly := strings.NewReplacer(`"D`, "“D", `"r`, "“r", `"c`, "“c", `"a`, "“a", `"o`, "“o", `"4`, "“4", `"1`, "“1", `"E`, "“E", `"`, "”").Replace(short)
	said := Fixer{Rename: map[string]Column{"Kundennr": ColumnOrderID}, DropUnknown: true, DropEmpty: true}
	for _, c := range []struct {
		name, in, want, changes string
		f                       Fixer
	}{
		{"clean", short + otherRow, "", "", Fixer{}},
		{"clean, CRLF, blank lines, no last line end", strings.ReplaceAll(short, "\n", "\r\n") + "\r\n" + strings.TrimSpace(otherRow), "", "", Fixer{}},
		{"clean, empty values without quotes", strings.ReplaceAll(short, `"order-1"`, ""), "", "", Fixer{}},
		{"mark", mark + short, short, "encoding-mark 0", Fixer{}},
		{"two marks", mark + mark + short, short, "encoding-mark 0", Fixer{}},
		{"comma", strings.ReplaceAll(short, ";", ","), short, "separator 0", Fixer{}},
		{"tab", strings.ReplaceAll(short, ";", "\t"), short, "separator 0", Fixer{}},
		{"comma, no quotes", strings.NewReplacer(`"`, "", ";", ",").Replace(short), short, "separator 0, quotes-missing 0", Fixer{}},
		{"no quotes", strings.ReplaceAll(short, `"`, ""), short, "quotes-missing 0", Fixer{}},
		{"a line for a spreadsheet", "sep=,\n" + strings.ReplaceAll(short, ";", ","), short, "separator-line 0, separator 0", Fixer{}},
		{"UTF-8 stays", accents, accents, "", Fixer{}},
		{"UTF-16 LE with mark", wide("\ufeff"+accents, false), accents, "encoding-utf16 0", Fixer{}},
		{"UTF-16 BE with mark", wide("\ufeff"+accents, true), accents, "encoding-utf16 0", Fixer{}},
		{"astral in UTF-16", wide("\ufeff"+strings.Replace(short, "order-1", "\U0001f4a9", 1), true), strings.Replace(short, "order-1", "\U0001f4a9", 1), "encoding-utf16 0", Fixer{}},
		{"another encoding, said", strings.Replace(short, "order-1", "\xe9", 1), strings.Replace(short, "order-1", "é", 1), "encoding 0", Fixer{Decode: latin1}},
		{"another encoding, said, and nothing in it", short, short, "", Fixer{Decode: latin1}},
		{"an encoding of other bytes for ASCII, said", wide(short, false), short, "encoding 0", Fixer{Decode: littleEndian}},
		{"typographic quotes", curly, short, "quotes-typographic 0", Fixer{}},
		{"typographic quotes around values alone", shortHeader + "“DST”;“a b”;“4111111111111111”;“12,50”;“eur”\n",
			shortHeader + `"DST";"a b";"4111111111111111";"12.50";"EUR"` + "\n", "quotes-typographic 0, decimal-comma 1 amount, case 1 currency", Fixer{}},
		{"typographic quotes in a text", shortHeader + "\"DST\";“a b”;\"4111111111111111\";\"12.50\";\"EUR\"\n",
			shortHeader + `"DST";"“a b”";"4111111111111111";"12.50";"EUR"` + "\n", "quotes-missing 0", Fixer{}},
		{"base64", base64.StdEncoding.EncodeToString([]byte(strings.ReplaceAll(short, "SRC", "src"))), short, "", Fixer{}},
		{"a form body", string(formOf([]byte(strings.ReplaceAll(short, "DST", "dst")))), short, "case 1 rp_card_type", Fixer{}},
		{"base64 of UTF-16", base64.StdEncoding.EncodeToString([]byte(wide("\ufeff"+short, false))), short, "encoding-utf16 0", Fixer{}},
		{"names", strings.NewReplacer("rp_card_type", "RP Card Type", "client-orderid", "client_order_id", "credit-card-number", "Credit Card  NUMBER", "currency", " Currency ").Replace(short),
			short, "header-name 0 rp_card_type, header-name 0 client-orderid, header-name 0 credit-card-number, header-name 0 currency", Fixer{}},
		{"aliases", strings.NewReplacer("client-orderid", "Order Number", "credit-card-number", "PAN").Replace(short), short, "header-alias 0 client-orderid, header-alias 0 credit-card-number", Fixer{}},
		{"a name that was said", strings.Replace(short, "client-orderid", " Kundennr", 1), short, "header-rename 0 client-orderid", said},
		{"a name that was said and is not there", short, short, "", said},
		{"columns that are none", "\"rp_card_type\";\"color\";\"amount\";\"\"\n\"dst\";\"red\";\"1\";\"\"\n", "\"rp_card_type\";\"amount\"\n\"DST\";\"1\"\n",
			"value-extra 0, header-unknown 0, case 1 rp_card_type", said},
		{"rows without a value", short + ";;;;\n\n\"\";\" \";;;\n;\n" + otherRow, short + otherRow, "row-empty 2, row-empty 0, row-empty 3, row-empty 4", said},
		{"a column's own name before one that was said", "\"client-orderid\";\"Kundennr\"\n\"a\";\"b\"\n", "", "-column-ambiguous 0 client-orderid", said},
		{"one that was said before an alias", "\"Kundennr\";\"Order ID\"\n\"a\";\"b\"\n", "\"client-orderid\"\n\"a\"\n",
			"header-rename 0 client-orderid, header-unknown 0", said},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.want == "" {
				c.want = c.in
			}
			if x := c.f.fix(t, c.in); x.out != c.want || strings.Join(x.changes, ", ") != c.changes || x.done.Findings.Err() != nil {
				t.Errorf("%q\nwant %q\n%v, %+v", x.out, c.want, x.changes, x.done)
			}
		})
	}
}

func TestFixValues(t *testing.T) {
	none, comma, point := Forms{}, Forms{Decimal: DecimalComma}, Forms{Decimal: DecimalPoint}
	dmy, mdy := Forms{Dates: DayFirst}, Forms{Dates: MonthFirst}
	short := Forms{Dates: DayFirst, Century: 20}
	for _, c := range []struct {
		column        Column
		forms         Forms
		in, out, code string
	}{
		{ColumnCardType, none, "dst", "DST", "case"}, {ColumnCardType, none, " DST", "DST", "spaces"}, {ColumnCardType, none, "xyz", "", "-word-unknown"},
		{ColumnPeriod, none, "Month", "month", "case"}, {ColumnPeriod, none, "monthly", "month", "period-word"},
		{ColumnCurrency, none, "eur", "EUR", "case"}, {ColumnCurrency, none, "qqq", "qqq", ""}, {ColumnCurrency, none, " eur ", "EUR", "spaces, case"},
		{ColumnCountry, none, "de", "DE", "case"}, {ColumnState, none, "nsw", "nsw", ""},
		{ColumnStartDate, none, "2026-02-01", "01.02.2026", "date-iso"}, {ColumnStartDate, none, "2026/2/1", "01.02.2026", "date-iso"},
		{ColumnStartDate, none, "1.2.2026", "01.02.2026", "date-one-digit"}, {ColumnStartDate, none, "01.2.2026", "01.02.2026", "date-one-digit"},
		{ColumnStartDate, none, "31/12/2026", "31.12.2026", "date-separator"}, {ColumnStartDate, none, "12/31/2026", "31.12.2026", "date-month-first"},
		{ColumnStartDate, none, "31-12-2026", "31.12.2026", "date-separator"}, {ColumnStartDate, none, "4/4/2026", "04.04.2026", "date-separator"},
		{ColumnStartDate, none, "03/04/2026", "", "-date-order"}, {ColumnStartDate, none, "3-4-2026", "", "-date-order"},
		{ColumnStartDate, dmy, "03/04/2026", "03.04.2026", "date-order"}, {ColumnStartDate, mdy, "03/04/2026", "04.03.2026", "date-order"},
		{ColumnStartDate, mdy, "31/12/2026", "", "-date-order"}, {ColumnStartDate, mdy, "1.2.2026", "", "-date-order"}, {ColumnStartDate, mdy, "01.02.2026", "01.02.2026", ""},
		{ColumnStartDate, mdy, "2026-02-01", "01.02.2026", "date-iso"}, {ColumnStartDate, none, "01.02.26", "", "-date-century"}, {ColumnStartDate, dmy, "01.02.26", "", "-date-century"},
		{ColumnStartDate, short, "1.2.26", "01.02.2026", "date-century"}, {ColumnStartDate, Forms{Century: 20}, "1.2.26", "", "-date-order"},
		{ColumnStartDate, Forms{Century: 20}, "31.12.99", "31.12.2099", "date-century"}, {ColumnStartDate, Forms{Dates: YearFirst, Century: 20}, "26-2-1", "01.02.2026", "date-century"},
		{ColumnStartDate, Forms{Dates: YearFirst, Century: 20}, "26-02-01", "01.02.2026", "date-century"},
		{ColumnStartDate, none, "31/02/2026", "", "-date-form"}, {ColumnStartDate, none, "01022026", "", "-date-form"},
		{ColumnStartDate, none, "2026-02-30", "", "-date-form"}, {ColumnStartDate, none, "2026-02-01T00:00:00Z", "", "-date-form"}, {ColumnStartDate, none, "30.2.2026", "", "-date-form"},
		{ColumnStartDate, none, "31.02.2026", "", "-date-form"}, {ColumnStartDate, none, "05.13.2026", "", "-date-form"},
		{ColumnBirthday, none, " 1980-02-29 ", "29.02.1980", "spaces, date-iso"},
		{ColumnExpireMonth, none, "6", "06", "expiry-padded"}, {ColumnExpireMonth, none, "0", "", "-number-form"}, {ColumnExpireYear, none, "26", "2026", "expiry-padded"},
		{ColumnExpireYear, Forms{Century: 21}, "26", "2126", "expiry-padded"}, {ColumnExpireYear, none, "126", "", "-number-form"},
		{ColumnAmount, none, "12,50", "12.50", "decimal-comma"}, {ColumnAmount, none, "12,5", "12.5", "decimal-comma"}, {ColumnAmount, none, "0,123", "0.123", "decimal-comma"},
		{ColumnAmount, none, "1234,567", "1234.567", "decimal-comma"}, {ColumnAmount, none, "1,2345", "1.2345", "decimal-comma"},
		{ColumnAmount, none, "1,234", "", "-decimal-comma"}, {ColumnAmount, none, "123,456", "", "-decimal-comma"}, {ColumnAmount, none, "1.234", "", "-decimal-comma"},
		{ColumnAmount, none, "1.234,56", "", "-decimal-comma"}, {ColumnAmount, none, "1,234.56", "", "-decimal-comma"}, {ColumnAmount, none, "1'234.50", "", "-decimal-comma"},
		{ColumnAmount, none, "12,50 €", "", "-decimal-comma"}, {ColumnAmount, comma, "1.234,50 €", "1234.50", "currency-sign, thousands-mark, decimal-comma"},
		{ColumnAmount, comma, "EUR 12", "12", "currency-sign"}, {ColumnAmount, comma, "12 eur", "12", "currency-sign"}, {ColumnAmount, comma, "12,50 $", "", "-currency-sign"},
		{ColumnAmount, comma, "1.234", "1234", "thousands-mark"}, {ColumnAmount, comma, "1,234", "", "-decimal-comma"}, {ColumnAmount, comma, "0,234", "0.234", "decimal-comma"},
		{ColumnAmount, comma, "12.50", "12.50", ""}, {ColumnAmount, comma, "1.234.567,891", "1234567.891", "thousands-mark, decimal-comma"}, {ColumnAmount, comma, "1 234,5", "1234.5", "thousands-mark, decimal-comma"},
		{ColumnAmount, comma, "1.23,50", "", "-amount-form"}, {ColumnAmount, comma, "1,234 €", "", "-decimal-comma"},
		{ColumnAmount, point, "1,234", "1234", "thousands-mark"}, {ColumnAmount, point, "1,234.50", "1234.50", "thousands-mark"}, {ColumnAmount, point, "€1'234.50", "1234.50", "currency-sign, thousands-mark"},
		{ColumnAmount, point, "1.234", "1.234", ""}, {ColumnAmount, point, "12,50", "", "-decimal-comma"}, {ColumnAmount, point, "0,123", "", "-decimal-comma"},
		{ColumnAmount, none, ",50", "", "-amount-form"}, {ColumnAmount, none, "12,", "", "-amount-form"}, {ColumnAmount, none, "1e3", "", "-amount-form"}, {ColumnAmount, comma, "-12,50", "", "-amount-form"},
		{ColumnAmount, none, " 10.00", "10.00", "spaces"}, {ColumnAmount, comma, " 1,234", "", "-decimal-comma"},
		{ColumnAmountSequence, none, "1.00,2.00", "1.00,2.00", ""}, {ColumnAmountSequence, none, "1.00, 2.00 ,3", "1.00,2.00,3", "spaces"}, {ColumnAmountSequence, none, " 5 ", "5", "spaces"},
		{ColumnAmountSequence, none, "1,50,2,50", "", "-sequence-comma"}, {ColumnAmountSequence, none, "10,20", "", "-sequence-comma"}, {ColumnAmountSequence, point, "10,20", "", "-sequence-comma"},
		{ColumnAmountSequence, comma, "10,20", "", "-sequence-comma"}, {ColumnAmountSequence, comma, "10.50,20.50", "10.50,20.50", ""}, {ColumnAmountSequence, comma, "1.234,50", "", "-sequence-comma"},
		{ColumnAmountSequence, none, "1.50;2.50", "", "-amount-form"}, {ColumnAmountSequence, comma, "1.234", "1234", "thousands-mark"},
		{ColumnCardNumber, none, "4.11111E+15", "", "-card-scientific"}, {ColumnCardNumber, none, " 4111111111111111", "4111111111111111", "spaces"},
		{ColumnCardNumber, none, "4111 1111 1111 1111", "4111111111111111", "card-groups"}, {ColumnCardNumber, none, "'4111111111111111", "4111111111111111", "apostrophe"},
		{ColumnCity, none, " Berlin\u00a0", "Berlin", "spaces"}, {ColumnCity, none, "“x”", "“x”", ""}, {ColumnCity, none, "'24", "24", "apostrophe"},
		{ColumnMaxRepeatsNumber, none, "12 ", "12", "spaces"},
	} {
		row := values{c.column: c.in, ColumnOrderID: "order-1"}
		x := Fixer{Forms: c.forms}.fix(t, document(source(row)))
		var want []string
		for code := range strings.SplitSeq(c.code, ", ") {
			if code != "" {
				want = append(want, code+" 1 "+c.column.String())
			}
		}
		if c.out != "" { // not refused
			row[c.column] = c.out
		}
		if x.out != document(source(row)) || !slices.Equal(x.changes, want) {
			t.Errorf("%v %q, %+v: %v, %+v\n%s", c.column, c.in, c.forms, x.changes, x.done, x.out)
		}
	}
	if out, changes, _ := fix(t, document(source(values{ColumnCountry: "us", ColumnState: "ca"})), Options{}); out != document(source(values{ColumnCountry: "US", ColumnState: "CA"})) {
		t.Error(changes)
	}
}

// TestFixRefusals: what would need a guess stays as it was, with its place, and the rest is mended.
func TestFixRefusals(t *testing.T) {
	good := strings.ReplaceAll(otherRow, "DST", "dst")
	commas := strings.ReplaceAll(strings.ReplaceAll(shortHeader, `"`, ""), ";", ",")
	drop := Fixer{DropUnknown: true}
	for _, c := range []struct {
		name, in, want, changes string
		f                       Fixer
	}{
		{"two amounts", strings.Replace(shortHeader, "currency", "sum", 1) + shortRow, "", "-header-unknown 0", Fixer{}},
		{"two aliases", strings.NewReplacer("amount", "sum", "currency", "price").Replace(shortHeader) + strings.Replace(good, "EUR", "5", 1),
			strings.NewReplacer("amount", "sum", "currency", "price").Replace(shortHeader) + strings.Replace(otherRow, "EUR", "5", 1), "-column-ambiguous 0 amount, -column-ambiguous 0 amount, case 1 rp_card_type", Fixer{}},
		{"the same name twice", strings.Replace(shortHeader, "currency", "amount", 1) + shortRow, "", "-column-ambiguous 0 amount, -column-ambiguous 0 amount", drop},
		{"unknown column", strings.Replace(shortHeader, "currency", "color", 1) + shortRow, "", "-header-unknown 0", Fixer{}},
		{"no header", shortRow + otherRow, "", "-header-unreadable 0", Fixer{}},
		{"no header, another encoding", "\"\xe9\"\n", "\"é\"\n", "encoding 0, -header-unreadable 0", Fixer{Decode: latin1}},
		{"nothing", "", "", "-header-unreadable 0", Fixer{}},
		{"stray quote", short + `"DST";"a"b;"4111111111111111";"10.00";"EUR"` + "\n" + good, short + `"DST";"a"b;"4111111111111111";"10.00";"EUR"` + "\n" + otherRow,
			"-row-unreadable 2, case 3 rp_card_type", Fixer{}},
		{"stray quote and a line end, between commas", commas + "DST,\"a\nb\"c,4111111111111111,1,EUR\n", strings.ReplaceAll(shortHeader, ";", ",") + "DST,\"a\nb\"c,4111111111111111,1,EUR\n",
			"-separator 0, quotes-missing 0, -row-unreadable 1", Fixer{}},
		{"short row", short + `"dst";"a"` + "\n" + good, short + `"dst";"a"` + "\n" + otherRow, "-row-unreadable 2, case 3 rp_card_type", Fixer{}},
		{"a row without a value", short + ";;\" \";;\n", "", "-row-empty 2", Fixer{}},
		{"a decimal comma between commas", commas + "DST,a,4111111111111111,12,50,EUR\nDST,b,4111111111111111,12.50,EUR\n",
			shortHeader + `DST,a,4111111111111111,12,50,EUR` + "\n" + `"DST";"b";"4111111111111111";"12.50";"EUR"` + "\n", "separator 0, quotes-missing 0, -row-unreadable 1", Fixer{}},
		{"a row as long as the header that is written", "\"rp_card_type\";\"x\";\"amount\"\n\"dst\";\"1\"\n", "",
			"-header-unknown 0, -row-unreadable 1", drop},
		{"the same, of one value", "\"amount\";\"x\"\n\"1\"\n", "", "-header-unknown 0, -row-unreadable 1", drop},
		{"not UTF-8", strings.Replace(short, "order-1", "\x81", 1) + good, "", "-encoding 0", Fixer{}},
		{"UTF-16 that ends in the middle of a character", wide("\ufeff"+short, false) + "x", "", "-encoding 0", Fixer{}},
		{"half a character of UTF-16", wide("\ufeff"+short, false) + "\x00\xdcx\x00", "", "-encoding 0", Fixer{}},
		{"UTF-16 without a mark", wide(short, true), "", "-encoding 0", Fixer{}},
		{"UTF-32", "\xff\xfe\x00\x00a\x00\x00\x00", "", "-encoding 0", Fixer{}},
		{"a mark before UTF-16 without one", "\ufeffa\x00b\x00", "", "-encoding 0", Fixer{}},
		{"a mark before UTF-32 without one", "\ufeff\x00\x00\x00\x7f", "", "-encoding 0", Fixer{}},
		{"UTF-8, said to be in another encoding", strings.Replace(short, "order-1", "é", 1), "", "-encoding 0", Fixer{Decode: latin1}},
		{"a mark, said to be in another encoding", mark + short, "", "-encoding 0", Fixer{Decode: latin1}},
		{"characters that the encoding does not have", strings.Replace(short, "order-1", "\xe9\x81", 1), "", "-encoding 0", Fixer{Decode: latin1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.want == "" {
				c.want = c.in
			}
			if x := c.f.fix(t, c.in); x.out != c.want || strings.Join(x.changes, ", ") != c.changes {
				t.Errorf("%q\nwant %q\n%v, %+v", x.out, c.want, x.changes, x.done)
			}
		})
	}
}

// TestFixGuessesNoEncoding: a file in Windows-1251 was taken for one in Windows-1252, so that the name ИВАН became ÈÂÀÍ
// without a word.
func TestFixGuessesNoEncoding(t *testing.T) {
	in := "first-name,currency\n\xc8\xc2\xc0\xcd,eur\n"
	if x := (Fixer{}).fix(t, in); x.out != in || x.done.Refused != 1 || x.done.Changes != 0 {
		t.Errorf("%q, %v", x.out, x.changes)
	}
}

// TestFixCurlyHeaderInOtherEncoding: a header in typographic quotes with commas was refused in another encoding than
// UTF-8, in which it was mended.
func TestFixCurlyHeaderInOtherEncoding(t *testing.T) {
	in := "«rp_card_type»,«amount»\n«dst»,«1»\n"
	var narrow []byte
	for _, r := range in {
		narrow = append(narrow, byte(r))
	}
	want := "\"rp_card_type\";\"amount\"\n\"DST\";\"1\"\n"
	wide, other := Fixer{}.fix(t, in), Fixer{Decode: latin1}.fix(t, string(narrow))
	if wide.out != want || other.out != want || wide.done.Refused+other.done.Refused > 0 {
		t.Errorf("%q, %v\n%q, %v", wide.out, wide.changes, other.out, other.changes)
	}
}

// TestFixRefusesAgain: a second run accepted what the first one had refused: 1.234 beside 12,50 with a decimal comma, where
// the comma was a point by then; a row in another encoding than those before it; and a text in typographic quotes with
// a semicolon.
func TestFixRefusesAgain(t *testing.T) {
	for in, f := range map[string]Fixer{
		short + strings.Replace(otherRow, "10.00", "1,234", 1) + strings.Replace(otherRow, "10.00", "12,50", 1): {Forms: Forms{Decimal: DecimalComma}},
		strings.Replace(short, "order-1", "\xe9", 1) + strings.Replace(otherRow, "order-2", "é", 1):             {},
		"city,amount\n“a;b”,\"1,234\"\n": {},
		"city,amount\n\"x\",“1;5”\n":     {},
	} {
		if x := f.fix(t, in); x.done.Refused == 0 {
			t.Errorf("%q: nothing is refused, %q", in, x.out)
		}
	}
}

func TestFixUnreadable(t *testing.T) {
	for in, want := range map[string]ledger.Code{"PK\x03\x04": NotAPayload, "payload=%zz": FormEscape} {
		if out, _, done := fix(t, in, Options{}); out != "" || !done.Findings.Has(want) || done.Findings.Err() == nil {
			t.Errorf("%q: %q, %v", in, out, done.Findings)
		}
	}
	if out, _, done := fix(t, short+otherRow, Options{MaxRows: 1}); out != "" || !done.Findings.Has(LimitRows) {
		t.Errorf("%q, %v", out, done.Findings)
	}
	for n := range len(short) {
		w := &limitedWriter{left: n}
		if _, err := (Fixer{}).Fix(w, strings.NewReader(short)); !errors.Is(err, errFull) {
			t.Fatalf("room for %d bytes: %v", n, err)
		}
	}
}

var errFull = errors.New("full")

type limitedWriter struct{ left int }

func (w *limitedWriter) Write(p []byte) (int, error) {
	if len(p) > w.left {
		return 0, errFull
	}
	w.left -= len(p)
	return len(p), nil
}

// A breaking source reads a text up to a place, then fails, each time that it is read after so many.
type breaking struct {
	text string
	io.Reader
	left int
	err  error
}

func (b *breaking) Seek(int64, int) (int64, error) {
	b.Reader = strings.NewReader(b.text)
	if b.left--; b.left < 0 {
		b.Reader = io.MultiReader(b.Reader, iotest.ErrReader(b.err))
	} else {
		b.Reader = strings.NewReader(b.text)
	}
	return 0, nil
}

// TestFixReportsAFailingSource: wherever the source fails, in the payload, in front of it or behind it, the first or the
// second time that it is read, the error is that of the source.
func TestFixReportsAFailingSource(t *testing.T) {
	broken := errors.New("broken")
	text := short + otherRow
	for _, in := range []string{
		text, base64.StdEncoding.EncodeToString([]byte(text)), "oauth_a=1&" + string(formOf([]byte(text))) + "&oauth_b=2&c=", wide("\ufeff"+text, true),
	} {
		for n := range len(in) + 1 {
			if _, err := (Fixer{}).Fix(io.Discard, &breaking{text: in[:n], err: broken}); !errors.Is(err, broken) {
				t.Fatalf("%.30q: behind %d of %d bytes: %v", in, n, len(in), err)
			}
		}
	}
	if _, err := (Fixer{}).Fix(io.Discard, &breaking{text: text, err: broken, left: 1}); !errors.Is(err, broken) {
		t.Fatalf("when it is read again: %v", err)
	}
}

// A changing source has another text each time that it is read.
type changing []string

func (c *changing) Read(p []byte) (int, error) {
	n := copy(p, (*c)[0])
	if (*c)[0] = (*c)[0][n:]; n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

func (c *changing) Seek(int64, int) (int64, error) {
	*c = (*c)[1:]
	return 0, nil
}

// TestFixOfAChangingText: a file that is written to between the two readings is an error and nothing worse.
func TestFixOfAChangingText(t *testing.T) {
	for _, second := range []string{"", "\n", shortRow, "\"amount\"\n1\n", strings.Replace(shortHeader, "\n", ";\"city\"\n", 1), "\"amount\"x"} {
		if _, err := (Fixer{}).Fix(io.Discard, &changing{"", short, second}); !errors.Is(err, errChanged) && second != shortRow {
			t.Errorf("%q: %v", second, err)
		}
	}
}

// A slow source gives one byte at a time.
type slow struct{ *strings.Reader }

func (s slow) Read(p []byte) (int, error) { return s.Reader.Read(p[:min(1, len(p))]) }

// TestFixInPieces: how the bytes come changes nothing.
func TestFixInPieces(t *testing.T) {
	long := strings.Repeat("x", 40_000)
	for _, text := range []string{
		wide("\ufeff"+strings.Replace(short, "order-1", "\U0001f4a9", 1), true), strings.ReplaceAll(short, ";", ","), strings.Replace(short, "order-1", "é€\U0001f4a9", 1),
		strings.ReplaceAll(short, `"`, ""), short + "\"a\"b\n\"c\n" + otherRow, mark + "sep=;\n" + short, short + long + "\r\n" + otherRow,
	} {
		whole, changes, _ := fix(t, text, Options{})
		var b bytes.Buffer
		n := 0
		if _, err := (Fixer{Report: func(Change) { n++ }}).Fix(&b, slow{strings.NewReader(text)}); err != nil || b.String() != whole || n != len(changes) {
			t.Errorf("%q: %q in pieces, %d changes, %v", whole, b.String(), n, err)
		}
	}
	for n := 32<<10 - 4; n < 32<<10+4; n++ { // a line end that is in two pieces
		text := "\"city\"\r\n\"" + long[:n] + "\"\r\n"
		if out, changes, _ := fix(t, text, Options{}); out != text || len(changes) > 0 {
			t.Errorf("%d bytes: %v", n, changes)
		}
	}
}

// TestFixLongRows: a row beyond the limit is written as it is or as one value, and memory stays bounded.
func TestFixLongRows(t *testing.T) {
	o := Options{MaxRow: 1000}
	for _, long := range []string{strings.Repeat("x", 100_000), `"` + strings.Repeat("x;\n", 50_000) + `"`, `"` + strings.Repeat(`"";`, 50_000) + `"`} {
		for _, sep := range []string{";", ","} {
			header := strings.ReplaceAll(shortHeader, ";", sep)
			x := Fixer{Options: o}.fix(t, header+long+"\n"+strings.ReplaceAll(strings.ReplaceAll(otherRow, "DST", "dst"), ";", sep))
			if !strings.HasSuffix(x.out, otherRow) || !slices.Contains(x.changes, "-row-unreadable 1") || sep == ";" && !strings.Contains(x.out, long) {
				t.Errorf("%.10q: %d bytes of %d, %v", long, len(x.out), len(long), x.changes)
			}
		}
	}
	x := Fixer{Options: Options{MaxRow: 200}}.fix(t, "city;amount\n"+strings.Repeat("x", 197)+";2\n") // which quotes make longer
	if !slices.Equal(x.changes, []string{"quotes-missing 0", "-row-unreadable 1"}) {
		t.Error(x.changes)
	}
}

func TestRepairs(t *testing.T) {
	for r := range Repairs() {
		if r.Text == "" || r.Help == "" || r.Good == "" || r.Bad == "" || r.Clause == 0 {
			t.Errorf("%+v", r)
		}
	}
	for alias, c := range Aliases() {
		if got, rank, _ := new(fixing).meaning(strings.ToUpper(alias)); !slices.Contains(got, c) || rank != rankAlias {
			t.Errorf("%s means %v, rank %d", alias, got, rank)
		}
	}
	for want, c := range map[string]Change{
		`{"type":"change","code":"date-iso","row":3,"column":"start-date","refused":false}`:    {Code: fixISO, Row: 3, Column: ColumnStartDate},
		`{"type":"change","code":"encoding","row":0,"refused":true}`:                           {Code: fixEncoding, Line: 1, Col: 1, Refused: true},
		`{"type":"change","code":"row-unreadable","row":3,"refused":true}`:                     {Code: refuseRow, Row: 3, Line: 4, Col: 1, Refused: true},
		`{"type":"change","code":"header-unknown","row":0,"line":1,"col":9,"refused":true}`:    {Code: fixUnknown, Line: 1, Col: 9, Field: 2, Refused: true},
		`{"type":"change","code":"column-ambiguous","row":0,"column":"amount","refused":true}`: {Code: refuseTwice, Column: ColumnAmount, Line: 1, Col: 9, Field: 2, Refused: true},
	} {
		if text, err := c.MarshalJSON(); string(text) != want || err != nil {
			t.Errorf("%s, want %s", text, want)
		}
	}
}

// TestFixPlaces: a change is where its value begins, behind line ends inside the row too; lines and columns count from
// 1, in a text that has none too.
func TestFixPlaces(t *testing.T) {
	const header = "\"city\";\"purpose\";\"amount-sequence\"\n"
	for _, c := range []struct {
		reason, in string
		code       ledger.Code
		line, col  int
	}{
		{"nothing", "", refuseHeader, 1, 1},
		{"a value too many", "\"city\";\"amount\"\nBonn;1.00\nBonn;1.00;2\n", refuseRow, 3, 1},
		{"a stray quote", "\"city\";\"amount\"\nBonn;1.00\nBonn;\"1\"x\n", refuseRow, 3, 1},
		{"a sequence that may have decimal commas", header + "Bonn;x;\"1,50,2,50\"\n", refuseSequence, 2, 8},
		{"the same behind a value of two lines", header + "\"Bonn\";\"x\ny\";\"1,50,2,50\"\n", refuseSequence, 3, 4},
		{"the same behind one of three lines", header + "\"Bonn\";\"x\n\ny\";\"1,50,2,50\"\n", refuseSequence, 4, 4},
	} {
		var refused []Change
		fixer := Fixer{Report: func(c Change) {
			if c.Refused {
				refused = append(refused, c)
			}
		}}
		if _, err := fixer.Fix(io.Discard, strings.NewReader(c.in)); err != nil {
			t.Fatal(err)
		}
		if len(refused) != 1 || refused[0].Code != c.code || refused[0].Line != c.line || refused[0].Col != c.col {
			t.Errorf("%s: %+v", c.reason, refused)
		}
	}
}

// TestReportOfBrokenSourceIsNotOK: whatever the source fails with, and wherever.
func TestReportOfBrokenSourceIsNotOK(t *testing.T) {
	text := short + otherRow
	for _, broken := range []error{errors.New("broken"), io.ErrUnexpectedEOF, fmt.Errorf("cut: %w", io.EOF), fmt.Errorf("cut: %w", io.ErrUnexpectedEOF)} {
		for n := range len(text) + 1 {
			report, err := Validate(io.MultiReader(strings.NewReader(text[:n]), iotest.ErrReader(broken)), Options{Input: InputCSV, AsOf: asOf()})
			if !errors.Is(err, broken) || report.OK() {
				t.Fatalf("%v after %d bytes: %v, OK %v", broken, n, err, report.OK())
			}
		}
	}
}

// TestFixCaseIsOfASCII: a letter that is not of ASCII is not another case of one that is.
func TestFixCaseIsOfASCII(t *testing.T) {
	for column, value := range map[Column]string{ColumnCountry: "ıt", ColumnCardType: "ſrc", ColumnPeriod: "wee\u212a", ColumnCurrency: "uſd"} {
		in := document(source(values{column: value}))
		if out, changes, _ := fix(t, in, Options{}); out != in || len(changes) != 1 || changes[0][0] != '-' {
			t.Errorf("%v %q: %v", column, value, changes)
		}
	}
}

// TestFixSequenceOfGroupedAmounts: an element with a point between thousands and one without a point
// may be one amount, wherever they are.
func TestFixSequenceOfGroupedAmounts(t *testing.T) {
	for _, value := range []string{"1.000,50", "1.000,50,2.000,75", "1.000, 50, 2.000, 75", "10.00,1.000,50"} {
		in := document(source(values{ColumnAmountSequence: value}))
		if out, changes, _ := fix(t, in, Options{}); out != in || len(changes) != 1 || changes[0] != "-sequence-comma 1 amount-sequence" {
			t.Errorf("%q: %v", value, changes)
		}
	}
}

// A shortWriter takes a number of bytes and then no more, and has no error to say so.
type shortWriter struct{ room int }

func (w *shortWriter) Write(p []byte) (int, error) {
	n := min(len(p), w.room)
	w.room -= n
	return n, nil
}

// TestShortWriteIsAnError: Fix and Encode reported a payload as written of which the writer had taken a part.
func TestShortWriteIsAnError(t *testing.T) {
	text, form := short+otherRow, strings.Builder{}
	if err := Encode(&form, strings.NewReader(text), InputForm); err != nil {
		t.Fatal(err)
	}
	for room := range len(text) {
		if _, err := (Fixer{}).Fix(&shortWriter{room}, strings.NewReader(text)); !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("Fix, %d bytes: %v", room, err)
		}
	}
	for room := range form.Len() {
		if err := Encode(&shortWriter{room}, strings.NewReader(text), InputForm); !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("Encode, %d bytes: %v", room, err)
		}
	}
}

// choose gives a Fixer values for others, by bits.
func (f *Fixer) choose(bits int) {
	if bits&1 > 0 {
		f.Set = map[Column]string{ColumnCardType: "SRC", ColumnInterval: "1", ColumnCurrency: "EUR"}
	}
	if bits&2 > 0 {
		f.Values = map[Column]map[string]Value{
			ColumnCountry: {"Deutschland": {Text: "DE"}, "": {Text: "AT"}},
			ColumnPeriod:  {"Jahr": {Text: "month", Times: 12}, "quarterly": {Text: "month", Times: 3}},
			ColumnCity:    {"é": {Text: "e"}, "x": {}},
			ColumnAmount:  {"12.50": {Text: "13.00"}},
		}
	}
	if bits&4 > 0 {
		f.Values = map[Column]map[string]Value{ColumnCardType: {"dst": {Text: "SRC"}}, ColumnMaxRepeatsNumber: {"NULL": {}}}
	}
}

// oddValues are values that exports, and those who read them, are at odds about.
var oddValues = []string{
	"", "", " ", "12,50", "1,234", "1.234", "1.234,50", "1,234.50 €", "€ 5", "12 USD", "10,20", "1.00,2.00", "1.000,50", "0,123", "1'234", "2026-02-01", "1.2.26", "03/04/2026", "31/12/2026",
	"12/31/26", "12/31/2026", "01.02.2026", "1.2.2026", "eur", " EUR", "usd", "us", "ca", "Month", "6", "26", "src", "'4111111111111111", "4111 1111 1111 1111", "4.1E15", "“x”", "a;b", "a,b", "x\ny", "x\"y", "é", "’", "\u00a0", "\ufeff", "=",
	"monatlich", "Jahr", "quarterly", "12.0", "2099.0", "3,000", "=\"5\"", "'=1", "''2", "49.9900", "49.990", "1.000", "2026-02-01 00:00:00", "1.2.26 0:00", "12/31/2026 12:00:00 AM", "€", "Deutschland", "9,99,19,99", "10.500,9.99",
	"NULL", "4111.1111.1111.1111", "4111 1111 1111 1112", "\u200b7\u200b", "1\t0", "1 234", "01 23", "rp_card_type", "Order ID", "31.02.2026", "-5", "0", "Dst", "x",
}

// TestFixCost: a header or a row of separators alone costs a Fixer at most ten times what it costs a Reader, and little
// memory: a header of 512 KiB took 43 seconds, and a row of 1 MiB 140 MB.
func TestFixCost(t *testing.T) {
	for name, text := range map[string]string{
		"a header": "rp_card_type;client-orderid" + strings.Repeat(";a", 256<<10) + "\n" + shortRow,
		"a name":   strings.Repeat("a", 512<<10) + ";rp_card_type\n" + shortRow,
		"a quote":  shortHeader + strings.Repeat(";", 1<<20-10) + "\"\n" + shortRow,
		"rows":     shortHeader + strings.Repeat(strings.Repeat(";", 1<<20)+"\n", 3),
	} {
		cost := func(work func()) (fastest time.Duration) {
			for range 5 {
				begun := time.Now()
				work()
				if d := time.Since(begun); fastest == 0 || d < fastest {
					fastest = d
				}
			}
			return fastest
		}
		validate := cost(func() { _, _ = Validate(strings.NewReader(text), Options{Input: InputCSV, AsOf: asOf()}) })
		fix := cost(func() { _, _ = Fixer{Options: Options{Input: InputCSV}}.Fix(io.Discard, strings.NewReader(text)) })
		if fix > 10*validate+5*time.Second { // a machine under load is not quadratic
			t.Errorf("%s: %v, and %v to validate", name, fix, validate)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _ = Fixer{Options: Options{Input: InputCSV}}.Fix(io.Discard, strings.NewReader(text))
		if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 32<<20 {
			t.Errorf("%s: %d bytes allocated", name, after.TotalAlloc-before.TotalAlloc)
		}
	}
}

// TestFixedIsOfRightForm: a value of any column that is not refused has no error of form, whatever it was.
func TestFixedIsOfRightForm(t *testing.T) {
	odd := append(slices.Clone(oddValues), "2026", "13", "00", "007", "-0", "1e3", "99999999999999999999", "1,5", "5.", ".5", "1.2.3", "٣", "１２", "\u00a0", "=\"\"", "=\"12,50\"", "12.50\n", "4,11E+15",
		"month.", "dayly", "SRC;", "01.01.0000", "29.02.2026", "1.1.2026 00:00", "2026-02-30", "12:00", "0.00", "1,,2", "1.00,", ",1.00", "1.00,2,00", "100,200", "\u202e12")
	for s := range Columns() {
		for _, value := range odd {
			for i, forms := range append([]Forms{{}}, choices[:]...) {
				if i > 0 && kinds[s.kind].loose {
					break
				}
				row := values{ColumnOrderID: "order-1"}
				row[s.Column] = value
				f := Fixer{Forms: forms}
				if x := f.fix(t, document(source(row))); x.done.Refused == 0 && len(formFaults(x.out)) > 0 {
					t.Errorf("%v %q, %+v: %v", s.Column, value, forms, formFaults(x.out))
				}
			}
		}
	}
}

// damaged is a text made of pieces that exports, and fixers that read them, are at odds about.
func damaged(chance *rand.Rand) (Fixer, string) {
	pick := func(list ...string) string { return list[chance.IntN(len(list))] }
	sep := pick(";", ",", "\t")
	quote := func(s string) string {
		switch chance.IntN(12) {
		case 0:
			return "“" + s + "”"
		case 1, 2, 3:
			return s
		case 4:
			return "\"" + s
		case 5:
			return "=\"" + s + "\""
		case 6:
			return " \"" + s + "\" "
		}
		return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	value := func() string {
		return pick(oddValues...)
	}
	names := []string{"rp_card_type", "Order ID", "PAN", "amount", "Amount", "amount-sequence", "currency", "Currency_Code", "country", "state", "start-date", "finish date", "birthday", "expire-year",
		"expire-month", "city", "period", "interval", "Kundennr", "color", "", "Betrag", "amout", "Land", "Intervall", "Preis", "Start", "max-repeats-number"}
	var b strings.Builder
	for range chance.IntN(3) {
		b.WriteString(pick("\ufeff", "\n", "sep="+sep+"\n", "\r\n"))
	}
	width := 1 + chance.IntN(6)
	for row := range 1 + chance.IntN(5) {
		cells := width
		if row > 0 && chance.IntN(6) == 0 {
			cells = 1 + chance.IntN(7)
		}
		for i := range cells {
			if i > 0 {
				b.WriteString(sep)
			}
			if row == 0 {
				b.WriteString(quote(names[chance.IntN(len(names))]))
			} else {
				b.WriteString(quote(value()))
			}
		}
		b.WriteString(pick("\n", "\n", "\n", "\r\n", "\n\n", "\r", ""))
	}
	f := Fixer{DropUnknown: chance.IntN(2) == 0, DropEmpty: chance.IntN(2) == 0, Options: Options{Input: InputCSV}}
	f.Forms.Dates, f.Forms.Decimal = [...]Forms{{}, {Dates: DayFirst}, {Dates: MonthFirst}, {Dates: YearFirst}}[chance.IntN(4)].Dates, [...]Forms{{}, {Decimal: DecimalComma}, {Decimal: DecimalPoint}}[chance.IntN(3)].Decimal
	if chance.IntN(2) == 0 {
		f.Forms.Century = 20
	}
	if chance.IntN(2) == 0 {
		f.Rename = map[string]Column{"Kundennr": ColumnOrderID, "Betrag": ColumnAmount, "x": 0}
	}
	f.choose(chance.IntN(8))
	return f, b.String()
}

// TestFixLeavesRefusedRows: a row that is refused as a whole is written byte for byte, whatever is changed around it.
func TestFixLeavesRefusedRows(t *testing.T) {
	for _, sep := range []string{";", ",", "\t"} {
		for name, f := range map[string]Fixer{
			"nothing": {}, "all": {DropUnknown: true, DropEmpty: true, Set: map[Column]string{ColumnCardType: "SRC", ColumnCity: "Bonn"}},
		} {
			bad := []string{`a|b`, `1.00|EUR|"x|`, `1.00|EUR|x|y|z|q`, `"1.00"x|EUR|red`, `“1.00”|E"UR`, `Betrag|Währung|Farbe`, `"1,00|EUR|red|"|"x|y`}
			var text strings.Builder
			text.WriteString(strings.ReplaceAll("Betrag|Währung|Farbe\n", "|", sep))
			for _, row := range bad {
				text.WriteString(strings.ReplaceAll("“1,00”|eur|red\n"+row+"\n2.00|eur|blue\n", "|", sep))
			}
			x := f.fix(t, text.String())
			for _, row := range bad {
				if row = strings.ReplaceAll(row, "|", sep); !strings.Contains("\n"+x.out, "\n"+row+"\n") {
					t.Errorf("%s, separator %q: %q is gone from %q, %v", name, sep, row, x.out, x.changes)
				}
			}
		}
	}
}

// TestFixTwiceIsOnce holds the Fixer to its law over texts that are damaged by chance.
func TestFixTwiceIsOnce(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 2))
	seen := map[string]int{}
	for range 4_000 {
		f, in := damaged(chance)
		x, broken := f.twice(in)
		if broken != "" {
			t.Fatalf("%+v\n%s", f, broken)
		}
		for _, c := range x.changes {
			code, _, _ := strings.Cut(strings.TrimPrefix(c, "-"), " ")
			seen[code]++
		}
	}
	for r := range Repairs() {
		if seen[string(r.Code)] == 0 && r.Code != fixEncoding && r.Code != fixUTF16 {
			t.Errorf("%s was never met", r.Code)
		}
	}
}

// FuzzFix holds the Fixer to its law over any text, with what may be said chosen by bits.
func FuzzFix(f *testing.F) {
	f.Add(strings.ReplaceAll(short, ";", ","), uint16(0))
	f.Add("Betrag;Kundennr;x\n“1.234,50 €”;1.2.26;\n;;\n", uint16(0x1ff))
	f.Fuzz(func(t *testing.T, in string, bits uint16) {
		x := Fixer{DropUnknown: bits&1 > 0, DropEmpty: bits&2 > 0, Options: Options{Input: InputCSV}}
		x.Forms.Dates = [...]Forms{{}, {Dates: DayFirst}, {Dates: MonthFirst}, {Dates: YearFirst}}[bits>>2&3].Dates
		x.Forms.Decimal = [...]Forms{{}, {Decimal: DecimalComma}, {Decimal: DecimalPoint}, {}}[bits>>4&3].Decimal
		if bits&64 > 0 {
			x.Forms.Century = 20
		}
		if bits&128 > 0 {
			x.Rename = map[string]Column{"Kundennr": ColumnOrderID, "Betrag": ColumnAmount}
		}
		if bits&256 > 0 {
			x.Decode = latin1
		}
		x.choose(int(bits >> 9))
		if _, broken := x.twice(in); broken != "" {
			t.Error(broken)
		}
	})
}
