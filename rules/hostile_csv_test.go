package rules

import (
	"strings"
	"testing"

	"github.com/chargecast/chargecast/ledger"
)

// A fileCase is a row of the catalogue of hostile inputs that concerns the text as a
// whole: everything that is reported, and how many rows can be used.
type fileCase struct {
	name   string
	reason string
	input  string
	want   string
	rows   int // data rows met
	valid  int // rows that can be used
}

func (c fileCase) id() (string, string) { return c.name, c.reason }

// short is a payload of the always required columns, amount and a schedule-less DST row.
const (
	shortHeader = `"rp_card_type";"client-orderid";"credit-card-number";"amount";"currency"` + "\n"
	shortRow    = `"DST";"order-1";"4111111111111111";"10.00";"EUR"` + "\n"
	otherRow    = `"DST";"order-2";"4111111111111111";"10.00";"EUR"` + "\n"
	short       = shortHeader + shortRow
)

func withCell(cell string) string {
	return shortHeader + `"DST";` + cell + `;"4111111111111111";"10.00";"EUR"` + "\n"
}

func headerOf(names ...string) string {
	return `"` + strings.Join(names, `";"`) + `"` + "\n"
}

func hostileFiles() []fileCase {
	crlf := strings.ReplaceAll(short, "\n", "\r\n")
	bare := strings.ReplaceAll(short, `"`, "")
	rename := func(from, to string) string { return strings.Replace(short, from, to, 1) }
	wide := strings.NewReplacer("amount", "amount\";\"order_desc", "10.00", "10.00\";\"").Replace(short)
	return []fileCase{
		{"h102", "L44", mark + short, "W byte-order-mark", 1, 1},
		{"h103", "L44", mark + bare, "W byte-order-mark, W csv-unquoted", 1, 1},
		{"h104 two", "L44", mark + mark + short, "E column-unknown, W byte-order-mark", 1, 0},
		{"h104 middle", "L41b", withCell(`"a` + mark + `b"`), "W control-character", 1, 1},
		{"h105 CRLF", "L43", crlf, "A", 1, 1},
		{"h105 mixed", "L43", shortHeader + strings.TrimSuffix(shortRow, "\n") + "\r\n" + otherRow, "A", 2, 2},
		{"h106", "L43", strings.ReplaceAll(short, "\n", "\r"), "E csv-line-end, E csv-line-end", 1, 0},
		{"h107", "L43", withCell("\"a\r\nb\""), "W control-character", 1, 1},
		{"h108", "L43", withCell(`a"b`) + otherRow, "E csv-quote", 2, 1},
		{"h109 after", "L43", withCell(`"a"b`) + otherRow, "E csv-quote", 2, 1},
		{"h109 space after", "L43", withCell(`"a" `) + otherRow, "E csv-quote", 2, 1},
		{"h109 space before", "L43", withCell(` "a"`) + otherRow, "E csv-quote", 2, 1},
		{"h110", "L43", short + `"DST";"a` + "\n" + strings.Repeat("more\n", 3), "E csv-unterminated-quote", 2, 1},
		{"h111", "L56d", short + `"DST";"` + strings.Repeat("x;y\n", 1<<19), "E limit-cell", 2, 1},
		{"h112", "L43", withCell(`"a\"b"`) + otherRow, "E csv-quote", 2, 1},
		{"h113 inside", "L43", withCell(`"a""b"`), "A", 1, 1},
		{"h113 only", "L43", withCell(`""""`), "A", 1, 1},
		{"h114", "L43", shortHeader + strings.ReplaceAll(shortRow+otherRow, `"`, ""), "W csv-unquoted", 2, 2},
		{"h115 single", "L43", "'a';'b'\n'1';'2'\n", "E amount-missing, E column-missing, E column-missing, E column-missing, E column-missing, E column-unknown, E column-unknown, W csv-unquoted", 1, 0},
		{"h115 curly", "L43", strings.ReplaceAll(short, `"currency"`, "“currency”"), "E column-missing, E column-unknown, W csv-unquoted", 1, 0},
		{"h116 FF FE", "L44", withCell("\"\xff\xfe\""), "E invalid-utf8", 1, 0},
		{"h116 overlong", "L44", withCell("\"\xc0\xaf\""), "E invalid-utf8", 1, 0},
		{"h116 surrogate", "L44", withCell("\"\xed\xa0\x80\""), "E invalid-utf8", 1, 0},
		{"h116 cut", "L44", withCell("\"a\xc3\""), "E invalid-utf8", 1, 0},
		{"h117", "L44", withCell("\"caf\xe9\"") + otherRow, "E invalid-utf8", 2, 1},
		{"h118 UTF-16 LE", "L44", "\xff\xfe" + widened(short, 1), "E invalid-utf8", 0, 0},
		{"h118 UTF-16 without mark", "L44", widened(short, 1), "E invalid-utf8", 0, 0},
		{"h118 UTF-32 without mark", "L44", widened(short, 3), "E invalid-utf8", 0, 0},
		{"h119 short", "L43", shortHeader + `"DST";"a"` + "\n" + otherRow, "E csv-width", 2, 1},
		{"h119 long", "L43", shortHeader + `"DST";"a";"b";"c";"d";"e"` + "\n" + otherRow, "E csv-width", 2, 1},
		{"h120 between", "L43", short + "\n" + otherRow, "W blank-line", 2, 2},
		{"h120 CRLF between", "L43", short + "\r\n\r\n" + otherRow, "W blank-line", 2, 2},
		{"h120 end", "L43", short + "\n\n", "A", 1, 1},
		{"h121", "L43", short + " \n" + otherRow, "E csv-width", 3, 2},
		{"h122 comma", "L43", strings.ReplaceAll(short, ";", ","), "E csv-separator", 1, 0},
		{"h122 tab", "L43", strings.ReplaceAll(short, ";", "\t"), "E csv-separator", 1, 0},
		{"h122 bare comma", "L43", strings.ReplaceAll(bare, ";", ","), "E csv-separator, W csv-unquoted", 1, 0},
		{"h123", "L42", strings.ReplaceAll(short, "\n", ";\n"), "E column-unknown", 1, 0},
		{"h124", "L43", "sep=;\n" + short, "E csv-separator", 1, 0},
		{"h125", "L43", short + "# note\n" + otherRow, "E csv-width", 3, 2},
		{"h126", "L42", rename(`"currency"`, `"amount"`), "E column-duplicate, E column-missing", 1, 0},
		{"h127 finish_date", "L42", strings.Replace(wide, "order_desc", "finish_date", 1), "E column-unknown", 1, 0},
		{"h127 order-desc", "L42", strings.Replace(wide, "order_desc", "order-desc", 1), "E column-unknown", 1, 0},
		{"h127 Amount", "L42", rename(`"amount"`, `"Amount"`), "E amount-missing, E column-unknown", 1, 0},
		{"h127 space", "L42", rename(`"amount"`, `"amount "`), "E amount-missing, E column-unknown", 1, 0},
		{"h128", "L42", headerOf("currency", "amount", "credit-card-number", "client-orderid", "rp_card_type") +
			headerOf("EUR", "10.00", "4111111111111111", "order-1", "DST"), "A", 1, 1},
		{"h129 optional", "L42", short, "A", 1, 1},
		{"h129 required", "L42", headerOf("rp_card_type", "client-orderid", "amount", "currency") +
			headerOf("DST", "order-1", "10.00", "EUR") + headerOf("DST", "order-2", "10.00", "EUR"), "E column-missing", 2, 0},
		{"h130 empty", "L45", "", "E no-header", 0, 0},
		{"h130 mark", "L45", mark, "E no-header, W byte-order-mark", 0, 0},
		{"h130 line end", "L45", "\n", "E no-header", 0, 0},
		{"h131", "L45", shortHeader, "E no-rows", 0, 0},
		{"h132", "L45", shortRow + otherRow, "E no-header", 0, 0},
		{"h133", "L43", strings.TrimSuffix(short, "\n"), "A", 1, 1},
		{"h134", "L43", short + "\x1a", "E csv-width", 2, 1},
		{"h135", "L56d", withCell(`"`+strings.Repeat("x", defaultMaxCell+1)+`"`) + otherRow, "E limit-cell", 2, 1},
		{"h135 at the limit", "L56d", withCell(`"`+strings.Repeat("x", defaultMaxCell)+`"`) + otherRow, "E too-long", 2, 1},
		{"h136 header", "L56d", strings.Repeat(";", 1_000_000) + "\n", "E limit-columns", 0, 0},
		{"h136 row", "L56d", short + strings.Repeat(";", 1_000_000) + "\n" + otherRow, "E limit-columns", 3, 2},
		{"h140 zip", "L43", "PK\x03\x04" + digits(100), "E not-a-payload", 0, 0},
		{"h140 gzip", "L43", "\x1f\x8b\x08" + digits(100), "E not-a-payload", 0, 0},
		{"h140 PDF", "L43", "%PDF-1.7\n", "E not-a-payload", 0, 0},
		{"h140 PNG", "L43", "\x89PNG\r\n\x1a\n", "E not-a-payload", 0, 0},
		{"h140 HTML", "L43", "<!DOCTYPE html>\n", "E not-a-payload", 0, 0},
		{"h141", "L43", "-----BEGIN RSA PRIVATE KEY-----\n" + digits(64), "E not-a-payload", 0, 0},
		{"h286 zero", "L41b", strings.Repeat("\x00", 1<<21), "E nul-character", 0, 0},
	}
}

// widened puts n NUL bytes behind every byte: UTF-16 or UTF-32 with the small end first.
func widened(s string, n int) string {
	var b strings.Builder
	for i := range len(s) {
		b.WriteByte(s[i])
		b.WriteString(strings.Repeat("\x00", n))
	}
	return b.String()
}

func TestHostileFiles(t *testing.T) {
	each(t, hostileFiles(), func(t *testing.T, c fileCase) {
		j := judge(c.input, options())
		if got := verdict(j.problems); got != c.want {
			t.Errorf("got  %s\nwant %s\n%v", got, c.want, j.problems.Unwrap())
		}
		if j.summary.Rows != c.rows || j.summary.Valid != c.valid || len(j.rows) != c.valid {
			t.Errorf("%d rows, %d valid, want %d and %d", j.summary.Rows, j.summary.Valid, c.rows, c.valid)
		}
	})
}

func TestManyShortRows(t *testing.T) { // h137: linear, and nothing is held
	j := judge(shortHeader+strings.Repeat("x\n", 20_000), options())
	if j.summary.Errors != 20_000 || j.summary.Rows != 20_000 {
		t.Errorf("%+v", j.summary)
	}
}

func TestLimitsOnRowsAndBytes(t *testing.T) { // h138
	rows := options()
	rows.MaxRows = 1
	if j := judge(short+otherRow, rows); verdict(j.problems) != "E limit-rows" || len(j.rows) != 1 {
		t.Errorf("%s, %d rows", verdict(j.problems), len(j.rows))
	}
	if j := judge(short, rows); verdict(j.problems) != "A" {
		t.Errorf("at the limit: %s", verdict(j.problems))
	}
	length := options()
	length.MaxBytes = int64(len(short))
	if j := judge(short, length); verdict(j.problems) != "A" {
		t.Errorf("at the limit: %s", verdict(j.problems))
	}
	if j := judge(short+otherRow, length); verdict(j.problems) != "E limit-bytes" || len(j.rows) != 1 {
		t.Errorf("%s, %d rows: the rows before the limit are judged", verdict(j.problems), len(j.rows))
	}
	length.MaxBytes--
	if j := judge(short, length); verdict(j.problems) != "E limit-bytes, E no-rows" && verdict(j.problems) != "E limit-bytes" {
		t.Errorf("a row that the limit cuts off: %s, %d rows", verdict(j.problems), len(j.rows))
	}
}

func TestOtherLimits(t *testing.T) { // L56d: n passes, n+1 does not
	for _, c := range []struct {
		name string
		set  func(*Options, int)
		n    int
		text func(n int) string
		code ledger.Code
	}{
		{"row", func(o *Options, n int) { o.MaxRow = n }, 200, func(n int) string {
			return shortHeader + strings.Repeat("x", n) + "\n"
		}, LimitRow},
		{"row of quoted values", func(o *Options, n int) { o.MaxRow = n }, 200, func(n int) string {
			return shortHeader + `"` + strings.Repeat("x", n-2) + "\"\n"
		}, LimitRow},
		{"cell", func(o *Options, n int) { o.MaxCell = n }, 100, func(n int) string {
			return withCell(`"` + strings.Repeat("x", n) + `"`)
		}, LimitCell},
		{"bare cell", func(o *Options, n int) { o.MaxCell = n }, 100, func(n int) string {
			return withCell(strings.Repeat("x", n))
		}, LimitCell},
		{"columns", func(o *Options, n int) { o.MaxColumns = n }, 7, func(n int) string {
			return shortHeader + strings.Repeat(";", n-1) + "\n"
		}, LimitColumns},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := options()
			c.set(&o, c.n)
			if j := judge(c.text(c.n), o); j.problems.Has(c.code) {
				t.Errorf("at the limit: %s", verdict(j.problems))
			}
			j := judge(c.text(c.n+1)+otherRow, o)
			if !j.problems.Has(c.code) || len(j.rows) != 1 {
				t.Errorf("above the limit: %s, %d rows", verdict(j.problems), len(j.rows))
			}
		})
	}
}
