package main

import (
	"encoding/base64"
	"net/url"
	"strings"
)

// The short payload: the columns that are always required, amount, and a row of a destination card.
const (
	shortHeader = `"rp_card_type";"client-orderid";"credit-card-number";"amount";"currency"` + "\n"
	shortRow    = `"DST";"order-1";"4111111111111111";"10.00";"EUR"` + "\n"
	otherRow    = `"DST";"order-2";"4111111111111111";"10.00";"EUR"` + "\n"
	short       = shortHeader + shortRow
	mark        = "\ufeff"
)

// A whole is a text and all that is reported of it, without columns.
type whole struct {
	id, reason, clauses string
	payload             any
	want                string
	rows, valid         int
	input               string
}

func (s *sheet) wholes(prefix string, list []whole) {
	for _, c := range list {
		d := draft{id: prefix + c.id, op: "validate", reason: c.reason, clauses: c.clauses, input: document{c.payload, c.input, payloadDay}}
		problems := problems(c.want, "")
		for _, p := range problems {
			d.invalid = d.invalid || p.Severity == "error"
		}
		d.expect = judged{problems, c.rows, c.valid}
		s.add(d)
	}
}

func withCell(cell string) string {
	return shortHeader + `"DST";` + cell + `;"4111111111111111";"10.00";"EUR"` + "\n"
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

const catalogue = "catalogue of hostile inputs, a table by hand"

// csvVectors are faults of the text as a whole.
func csvVectors(s *sheet) {
	s.source = catalogue
	bare := strings.ReplaceAll(short, `"`, "")
	rename := func(from, to string) string { return strings.Replace(short, from, to, 1) }
	wide := strings.NewReplacer("amount", "amount\";\"order_desc", "10.00", "10.00\";\"").Replace(short)
	s.wholes("csv-", []whole{
		{"short", "the short payload", "4.1", short, "A", 1, 1, ""},
		{"two-rows", "two rows", "4.1 L48", short + otherRow, "A", 2, 2, ""},
		{"order-id-twice", "client-orderid twice", "L47", short + shortRow, "W orderid-duplicate", 2, 2, ""},
		{"byte-order-mark", "a byte-order mark", "L44", mark + short, "W byte-order-mark", 1, 1, ""},
		{"byte-order-mark-unquoted", "a byte-order mark before unquoted values", "L43 L44", mark + bare, "W byte-order-mark, W csv-unquoted", 1, 1, ""},
		{"two-byte-order-marks", "the second mark is part of the first name", "L42 L44", mark + mark + short, "E column-unknown, W byte-order-mark", 1, 0, ""},
		{"mark-in-a-cell", "a mark inside a cell", "L41b", withCell(`"a` + mark + `b"`), "W control-character", 1, 1, ""},
		{"crlf", "CRLF ends a row", "L43", strings.ReplaceAll(short, "\n", "\r\n"), "A", 1, 1, ""},
		{"mixed-line-ends", "LF and CRLF in one text", "L43", shortHeader + strings.TrimSuffix(shortRow, "\n") + "\r\n" + otherRow, "A", 2, 2, ""},
		{"cr-only", "CR alone ends no row", "L43", strings.ReplaceAll(short, "\n", "\r"), "E csv-line-end, E csv-line-end", 1, 0, ""},
		{"crlf-in-quotes", "a line end in quotes is kept", "L41b L43", withCell("\"a\r\nb\""), "W control-character", 1, 1, ""},
		{"bare-quote", "a quote inside an unquoted value", "L43", withCell(`a"b`) + otherRow, "E csv-quote", 2, 1, ""},
		{"text-after-quote", "text after the closing quote", "L43", withCell(`"a"b`) + otherRow, "E csv-quote", 2, 1, ""},
		{"space-after-quote", "a space after the closing quote", "L43", withCell(`"a" `) + otherRow, "E csv-quote", 2, 1, ""},
		{"space-before-quote", "a space before the opening quote", "L43", withCell(` "a"`) + otherRow, "E csv-quote", 2, 1, ""},
		{"open-quote", "a quote that is never closed", "L43", short + `"DST";"a` + "\nmore\nmore\n", "E csv-unterminated-quote", 2, 1, ""},
		{"open-quote-of-2-mib", "a quote that is never closed is read to the limit of a cell", "L56d", []any{short + `"DST";"`, times("x;y\n", 1<<19)}, "E limit-cell", 2, 1, ""},
		{"backslash-quote", "a backslash escapes nothing", "L43", withCell(`"a\"b"`) + otherRow, "E csv-quote", 2, 1, ""},
		{"doubled-quote", "a doubled quote is one", "L43", withCell(`"a""b"`), "A", 1, 1, ""},
		{"only-a-quote", "a value of one quote", "L43", withCell(`""""`), "A", 1, 1, ""},
		{"unquoted", "values without quotes", "L43", shortHeader + strings.ReplaceAll(shortRow+otherRow, `"`, ""), "W csv-unquoted", 2, 2, ""},
		{"single-quotes", "single quotes are part of the value", "L42 L43", "'a';'b'\n'1';'2'\n",
			"E amount-missing, E column-missing, E column-missing, E column-missing, E column-missing, E column-unknown, E column-unknown, W csv-unquoted", 1, 0, ""},
		{"curly-quotes", "typographic quotes are part of the value", "L42 L43", strings.ReplaceAll(short, `"currency"`, "“currency”"), "E column-missing, E column-unknown, W csv-unquoted", 1, 0, ""},
		{"bytes-ff-fe", "bytes that UTF-8 never has", "L44", text(withCell("\"\xff\xfe\"")), "E invalid-utf8", 1, 0, ""},
		{"overlong", "an overlong form", "L44", text(withCell("\"\xc0\xaf\"")), "E invalid-utf8", 1, 0, ""},
		{"surrogate", "half a surrogate pair", "L44", text(withCell("\"\xed\xa0\x80\"")), "E invalid-utf8", 1, 0, ""},
		{"cut-character", "a character cut in two", "L44", text(withCell("\"a\xc3\"")), "E invalid-utf8", 1, 0, ""},
		{"latin-1", "Latin-1 text; the next row is read", "L44", text(withCell("\"caf\xe9\"") + otherRow), "E invalid-utf8", 2, 1, ""},
		{"utf-16", "UTF-16 with its mark", "L44", text("\xff\xfe" + widened(short, 1)), "E invalid-utf8", 0, 0, ""},
		{"utf-16-without-mark", "UTF-16 without a mark", "L44", widened(short, 1), "E invalid-utf8", 0, 0, ""},
		{"utf-32-without-mark", "UTF-32 without a mark", "L44", widened(short, 3), "E invalid-utf8", 0, 0, ""},
		{"short-row", "a row with too few values; the next row is read", "L43", shortHeader + `"DST";"a"` + "\n" + otherRow, "E csv-width", 2, 1, ""},
		{"long-row", "a row with too many values; the next row is read", "L43", shortHeader + `"DST";"a";"b";"c";"d";"e"` + "\n" + otherRow, "E csv-width", 2, 1, ""},
		{"blank-line-between", "a blank line between rows", "L43", short + "\n" + otherRow, "W blank-line", 2, 2, ""},
		{"blank-line-crlf-between", "a blank line that ends in CRLF", "L43", short + "\r\n\r\n" + otherRow, "W blank-line", 2, 2, ""},
		{"blank-lines-at-the-end", "blank lines at the end", "L43", short + "\n\n", "A", 1, 1, ""},
		{"line-of-a-space", "a line with one space", "L43", short + " \n" + otherRow, "E csv-width", 3, 2, ""},
		{"commas", "comma as separator", "L43", strings.ReplaceAll(short, ";", ","), "E csv-separator", 1, 0, ""},
		{"tabs", "tab as separator", "L43", strings.ReplaceAll(short, ";", "\t"), "E csv-separator", 1, 0, ""},
		{"unquoted-commas", "comma as separator between unquoted values", "L43", strings.ReplaceAll(bare, ";", ","), "E csv-separator, W csv-unquoted", 1, 0, ""},
		{"separator-at-the-end", "a separator at the end of each line", "L42", strings.ReplaceAll(short, "\n", ";\n"), "E column-unknown", 1, 0, ""},
		{"sep-line", "a line that names the separator", "L43", "sep=;\n" + short, "E csv-separator", 1, 0, ""},
		{"comment", "a comment line", "L43", short + "# note\n" + otherRow, "E csv-width", 3, 2, ""},
		{"column-twice", "a column twice, and so another is missing", "L42", rename(`"currency"`, `"amount"`), "E column-duplicate, E column-missing", 1, 0, ""},
		{"finish-date-with-underscore", "a mistyped finish-date would charge for ever", "L42", strings.Replace(wide, "order_desc", "finish_date", 1), "E column-unknown", 1, 0, ""},
		{"order-desc-with-hyphen", "a mistyped column", "L42", strings.Replace(wide, "order_desc", "order-desc", 1), "E column-unknown", 1, 0, ""},
		{"amount-in-upper-case", "names have one case", "L42", rename(`"amount"`, `"Amount"`), "E amount-missing, E column-unknown", 1, 0, ""},
		{"amount-with-space", "a space after a name", "L42", rename(`"amount"`, `"amount "`), "E amount-missing, E column-unknown", 1, 0, ""},
		{"columns-in-another-order", "columns in any order", "L42", "\"currency\";\"amount\";\"credit-card-number\";\"client-orderid\";\"rp_card_type\"\n\"EUR\";\"10.00\";\"4111111111111111\";\"order-1\";\"DST\"\n", "A", 1, 1, ""},
		{"required-column-missing", "reported once, not per row", "L42", "\"rp_card_type\";\"client-orderid\";\"amount\";\"currency\"\n\"DST\";\"order-1\";\"10.00\";\"EUR\"\n\"DST\";\"order-2\";\"10.00\";\"EUR\"\n", "E column-missing", 2, 0, ""},
		{"empty", "an empty text", "L45", "", "E no-header", 0, 0, ""},
		{"only-a-mark", "only a byte-order mark", "L45", mark, "E no-header, W byte-order-mark", 0, 0, ""},
		{"only-a-line-end", "only a line end", "L45", "\n", "E no-header", 0, 0, ""},
		{"header-only", "a header without rows", "L45", shortHeader, "E no-rows", 0, 0, ""},
		{"no-header", "rows without a header", "L42", shortRow + otherRow, "E no-header", 0, 0, ""},
		{"no-line-end", "no line end at the end", "L43", strings.TrimSuffix(short, "\n"), "A", 1, 1, ""},
		{"ctrl-z", "the end mark of DOS", "L43", short + "\x1a", "E csv-width", 2, 1, ""},
		{"cell-at-the-limit", "a cell of 512 KiB is read, and is too long for its column", "L56d", []any{shortHeader + `"DST";"`, times("x", 1<<19), `";"4111111111111111";"10.00";"EUR"` + "\n" + otherRow}, "E too-long", 2, 1, ""},
		{"cell-over-the-limit", "a cell of 512 KiB and a byte", "L56d", []any{shortHeader + `"DST";"`, times("x", 1<<19+1), `";"4111111111111111";"10.00";"EUR"` + "\n" + otherRow}, "E limit-cell", 2, 1, ""},
		{"header-of-a-million-columns", "a header of a million columns", "L56d", []any{times(";", 1_000_000), "\n"}, "E limit-columns", 0, 0, ""},
		{"row-of-a-million-columns", "a row of a million columns; the next row is read", "L56d", []any{short, times(";", 1_000_000), "\n" + otherRow}, "E limit-columns", 3, 2, ""},
		{"zip", "a zip archive", "4.1", text("PK\x03\x04" + strings.Repeat("7", 100)), "E not-a-payload", 0, 0, ""},
		{"gzip", "compressed data", "4.1", text("\x1f\x8b\x08" + strings.Repeat("7", 100)), "E not-a-payload", 0, 0, ""},
		{"pdf", "a PDF file", "4.1", "%PDF-1.7\n", "E not-a-payload", 0, 0, ""},
		{"png", "a picture", "4.1", text("\x89PNG\r\n\x1a\n"), "E not-a-payload", 0, 0, ""},
		{"html", "a page", "4.1", "<!DOCTYPE html>\n", "E not-a-payload", 0, 0, ""},
		{"key", "a key; nothing of it may be shown", "4.1", "-----BEGIN RSA PRIVATE KEY-----\n" + strings.Repeat("7", 64), "E not-a-payload", 0, 0, ""},
		{"two-mib-of-nul", "zeros", "L41b", times("\x00", 1<<21), "E nul-character", 0, 0, ""},
	})
}

// wireVectors are base64 and form bodies.
func wireVectors(s *sheet) {
	s.source = catalogue
	b64 := base64.StdEncoding.EncodeToString([]byte(short))
	form := "payload=" + url.QueryEscape(b64)
	wrapped := b64[:76] + "\n" + b64[76:]
	greek := base64.StdEncoding.EncodeToString([]byte(withCell(`"` + strings.Repeat("\u03ff\u03fe", 9) + `"`)))
	twice := base64.StdEncoding.EncodeToString([]byte(b64))
	inner := func(csv string) string { return "payload=" + escapeAll(base64.StdEncoding.EncodeToString([]byte(csv))) }
	s.wholes("wire-", []whole{
		{"base64", "base64 of a CSV", "4.1", b64, "A", 1, 1, ""},
		{"form", "a form body", "4.1", form, "A", 1, 1, ""},
		{"everything-escaped", "every byte of the value escaped", "5.5", "payload=" + escapeAll(b64), "A", 1, 1, ""},
		{"wrapped-lf", "base64 wrapped by LF", "L49", wrapped, "E base64-wrapped", 0, 0, ""},
		{"wrapped-crlf", "base64 wrapped by CRLF", "L49", strings.ReplaceAll(wrapped, "\n", "\r\n"), "E base64-wrapped", 0, 0, ""},
		{"line-end-of-a-file", "one line end at the end of a file", "L49", b64 + "\n", "A", 1, 1, ""},
		{"line-end-crlf-of-a-file", "one CRLF at the end of a file", "L49", b64 + "\r\n", "A", 1, 1, ""},
		{"two-line-ends", "two line ends", "L49", b64 + "\n\n", "E base64-wrapped", 0, 0, ""},
		{"form-with-line-end", "one line end after a form", "L49", form + "\n", "A", 1, 1, ""},
		{"form-line-end-escaped", "an escaped line end is part of the value", "L49", form + "%0A", "E base64-wrapped", 0, 0, ""},
		{"form-line-end-inside", "a line end in the middle", "L49", form[:48] + "\n" + form[48:], "E base64-wrapped", 0, 0, ""},
		{"space", "a space, where + was not escaped", "L49", b64[:40] + " " + b64[41:], "E base64-space", 0, 0, ""},
		{"tab", "a tab", "L49", b64[:40] + "\t" + b64[41:], "E base64-syntax", 0, 0, ""},
		{"nul", "a NUL", "L49", b64[:40] + "\x00" + b64[41:], "E base64-syntax", 0, 0, ""},
		{"url-safe", "the URL alphabet", "L49", strings.NewReplacer("+", "-", "/", "_").Replace(greek), "E base64-url-safe", 0, 0, ""},
		{"unpadded", "no padding", "L49", strings.TrimRight(b64, "="), "E base64-unpadded", 0, 0, ""},
		{"too-much-padding", "three padding characters", "L49", b64 + "==", "E base64-syntax", 0, 0, ""},
		{"only-padding", "nothing but padding", "L49", "====", "E base64-syntax", 0, 0, "base64"},
		{"stray-bits-4", "two bits that no byte uses", "L49", "YWJ=", "E base64-stray-bits", 0, 0, "base64"},
		{"stray-bits-2", "four bits that no byte uses", "L49", "YR==", "E base64-stray-bits", 0, 0, "base64"},
		{"two-texts", "two base64 texts joined", "L49", "YWI=YWI=", "E base64-syntax", 0, 0, "base64"},
		{"two-payloads", "two payloads joined", "L49", b64 + b64, "E base64-syntax", 0, 0, ""},
		{"data-url", "the prefix of a data URL", "L49", "data:text/csv;base64," + b64, "E base64-syntax", 0, 0, ""},
		{"escape-left-in", "an escape left in", "L49", strings.ReplaceAll(b64, "=", "%3D"), "E base64-syntax", 0, 0, ""},
		{"base64-twice", "base64 of base64", "L49", twice, "E base64-double", 0, 0, ""},
		{"base64-twice-form", "base64 of base64 in a form", "L49", "payload=" + escapeAll(twice), "E base64-double", 0, 0, ""},
		{"payload-empty", "an empty payload", "L45", "payload=", "E payload-empty", 0, 0, ""},
		{"payload-without-equals", "a name without =", "L45", "payload", "E payload-empty", 0, 0, ""},
		{"csv-as-base64", "a CSV where base64 is insisted on", "L49", short, "E base64-syntax", 0, 0, "base64"},
		{"plus-as-space", "a raw + is a space", "L68", "payload=" + b64[:40] + "+" + b64[41:], "E base64-space, W form-plus", 0, 0, ""},
		{"escape-zz", "a broken escape", "L68", "payload=%zz", "E form-escape", 0, 0, ""},
		{"escape-percent-at-the-end", "a percent sign at the end", "L68", "payload=YWJj%", "E form-escape", 0, 0, ""},
		{"escape-cut", "half an escape at the end", "L68", "payload=YWJj%2", "E form-escape", 0, 0, ""},
		{"escape-u", "an escape of JavaScript", "L68", "payload=%u0041", "E form-escape", 0, 0, ""},
		{"escape-in-another", "a broken escape in another parameter", "L68", "a=%zz&" + form, "E form-escape, W parameter-extra", 0, 0, ""},
		{"payload-twice", "two payloads", "L60", form + "&" + form, "E payload-duplicate", 1, 1, ""},
		{"semicolon", "a semicolon separates nothing", "L68", "a=1;" + form, "E form-semicolon, W parameter-extra", 0, 0, ""},
		{"parameters-10000", "more parameters than the limit", "L56d", []any{times("oauth_a=1&", 10_000), form}, "E limit-parameters", 0, 0, "form"},
		{"payload-in-upper-case", "names have one case", "4.1", "PAYLOAD=" + b64, "E payload-missing, W parameter-extra", 0, 0, ""},
		{"payload-with-brackets", "another name", "4.1", "payload[]=" + escapeAll(b64), "E payload-missing, W parameter-extra", 0, 0, ""},
		{"payload-name-escaped", "an escaped name is the same name", "4.1", "p%61yload=" + escapeAll(b64), "A", 1, 1, ""},
		{"nul-inside", "NUL in the payload's CSV", "L41b", inner(withCell("\"\x00\"")), "E nul-character", 1, 0, ""},
		{"overlong-inside", "an overlong form in the payload's CSV", "L44", inner(withCell("\"\xc0\xaf\"")), "E invalid-utf8", 1, 0, ""},
		{"escaped-twice", "the form was escaped twice", "L49", "payload=" + strings.ReplaceAll(url.QueryEscape(b64), "%", "%25"), "E base64-syntax", 0, 0, ""},
		{"another-before", "another parameter before", "L61", "debug=1&" + form, "W parameter-extra", 1, 1, ""},
		{"others-after", "other parameters after: reported once", "L61", form + "&debug=1&trace=2", "W parameter-extra", 1, 1, ""},
		{"oauth-parameters", "OAuth parameters may be in the body", "X12", "oauth_nonce=1&" + form + "&oauth_version=1.0", "A", 1, 1, ""},
		{"signature-in-the-body", "the signature goes only in the header", "5.1", form + "&oauth_signature=x", "E signature-in-body", 1, 1, ""},
		{"no-name", "a pair without a name", "L68", "=v&" + form, "E form-name", 0, 0, "form"},
		{"empty-pairs", "empty pairs are skipped", "L68", "&&" + form + "&&", "A", 1, 1, "form"},
		{"question-mark", "a question mark is part of the name", "L68", "?a=1&" + form, "W parameter-extra", 1, 1, "form"},
	})
}

func escapeAll(s string) string {
	const digits = "0123456789abcdef"
	var b strings.Builder
	for i := range len(s) {
		b.Write([]byte{'%', digits[s[i]>>4], digits[s[i]&15]})
	}
	return b.String()
}
