package laws

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

// payloadRuleLaws are the laws of the tables of columns and rules. They have no random input: everything is tried.
func payloadRuleLaws() []Law {
	return []Law{
		once("V08", everyLength),
		ownOnce("V09", "2.1", "every rule has an input that breaks it and one that does not", everyRule),
	}
}

// plainRow is a row without fault that the tables are made from.
func plainRow(kind string) gen.Cells {
	var c gen.Cells
	for column, value := range map[rules.Column]string{
		rules.ColumnCardType: kind, rules.ColumnOrderID: "order-1", rules.ColumnCardNumber: gen.TestCard, rules.ColumnAmount: "10.00", rules.ColumnCurrency: "EUR",
	} {
		c[column] = value
	}
	if kind == gen.OnDST {
		return c
	}
	for column, value := range map[rules.Column]string{
		rules.ColumnCardPrintedName: "JANE DOE", rules.ColumnExpireYear: "2030", rules.ColumnExpireMonth: "12", rules.ColumnCountry: "DE", rules.ColumnCity: "Berlin",
		rules.ColumnZipCode: "10115", rules.ColumnAddress1: "Street 1", rules.ColumnFirstName: "Jane", rules.ColumnLastName: "Doe", rules.ColumnEmail: "jane@example.com",
	} {
		c[column] = value
	}
	return c
}

// plainCase is a payload of one row, all columns in order.
func plainCase(rows ...gen.Cells) gen.PayloadCase {
	var c gen.PayloadCase
	for column := rules.ColumnCardType; column <= rules.ColumnServerCallbackURL; column++ {
		c.Columns = append(c.Columns, column)
	}
	for _, row := range rows {
		c.Rows = append(c.Rows, gen.PayloadLine{Clean: row})
	}
	return c
}

// A columnLimit is the limit of a column as clause 2.1 and the ledger have it, written
// down once more: a value of just that length, and one that is one character longer.
type columnLimit struct {
	column        rules.Column
	most          int           // characters; 0 where the kind of value sets the bounds
	fits, exceeds string        // where it does
	others        []gen.SetCell // what else the row needs
}

func columnLimits() []columnLimit {
	text := func(c rules.Column, most int, others ...gen.SetCell) columnLimit {
		return columnLimit{column: c, most: most, others: others}
	}
	words := func(c rules.Column, fits, exceeds string, others ...gen.SetCell) columnLimit {
		return columnLimit{column: c, fits: fits, exceeds: exceeds, others: others}
	}
	monthly := gen.TimesSet("month", "1", "", "", "")
	return []columnLimit{
		words(rules.ColumnCardType, "SRC", "SRCX"), text(rules.ColumnOrderID, 128), text(rules.ColumnCardNumber, 19), words(rules.ColumnCVV2, "1234", "12345"),
		text(rules.ColumnCardPrintedName, 128), words(rules.ColumnExpireYear, "2030", "20300"), words(rules.ColumnExpireMonth, "12", "012"),
		text(rules.ColumnAmount, 10), text(rules.ColumnAmountFrom, 10, gen.Set(rules.ColumnAmount, ""), gen.Set(rules.ColumnAmountTo, "9999999999")),
		text(rules.ColumnAmountTo, 10, gen.Set(rules.ColumnAmount, ""), gen.Set(rules.ColumnAmountFrom, "1")),
		words(rules.ColumnAmountSequence, "1,9999999.99,1", "1,99999999.99,1", gen.Set(rules.ColumnAmount, "")),
		text(rules.ColumnCurrency, 3), text(rules.ColumnCountry, 2), text(rules.ColumnCity, 128), text(rules.ColumnZipCode, 10), text(rules.ColumnAddress1, 256),
		text(rules.ColumnFirstName, 128), text(rules.ColumnLastName, 128), text(rules.ColumnEmail, 128),
		words(rules.ColumnPeriod, "month", "months", gen.Set(rules.ColumnInterval, "1")),
		words(rules.ColumnInterval, "9223372036854775807", "9223372036854775808", monthly...),
		text(rules.ColumnOrderDesc, 66_560), text(rules.ColumnCustomerIP, 45), text(rules.ColumnSSN, 32),
		words(rules.ColumnBirthday, "01.02.1980", "01.02.19800"), text(rules.ColumnPhone, 128), text(rules.ColumnState, 3),
		words(rules.ColumnStartDate, "01.02.2027", "01.02.20270"), words(rules.ColumnFinishDate, "01.02.2027", "01.02.20270"),
		words(rules.ColumnMaxRepeatsNumber, "9223372036854775807", "9223372036854775808"), text(rules.ColumnPurpose, 128),
		text(rules.ColumnNotifyURL, 1024), text(rules.ColumnServerCallbackURL, 128),
	}
}

// everyLength puts values of each length into rows, the rows of a column into one
// payload.
func everyLength(t *T) {
	limits := columnLimits()
	if len(limits) != len(gen.DocumentNames())-1 {
		t.Errorf("limits of %d columns", len(limits))
	}
	for _, l := range limits {
		var rows []gen.Cells
		values := l.values()
		for i, v := range values {
			row := plainRow(gen.OnSRC)
			row[rules.ColumnOrderID] = fmt.Sprintf("order-%d", i)
			for _, s := range append(slices.Clone(l.others), gen.Set(l.column, v.text)) {
				row[s.Column] = s.Value
			}
			rows = append(rows, row)
		}
		_, j := t.readCase(plainCase(rows...))
		for i, v := range values {
			found := j.about(i + 1)
			if long := has(found, rules.TooLong, l.column); long != v.long && l.most > 0 {
				t.Errorf("%s of %d characters, %d bytes: too long is %v\n%s", gen.DocumentNames()[l.column], len([]rune(v.text)), len(v.text), long, found)
			}
			if (j.row(i+1) == nil) != v.refused {
				t.Errorf("%s of %d characters, %d bytes: refused is %v\n%s", gen.DocumentNames()[l.column], len([]rune(v.text)), len(v.text), !v.refused, found)
			}
		}
	}
}

type limitValue struct {
	text          string
	long, refused bool
}

// values are those of the column's limit: at it, one above, and for text the same with
// characters of 2 to 4 bytes.
func (l columnLimit) values() []limitValue {
	if l.most == 0 {
		return []limitValue{{l.fits, false, false}, {l.exceeds, true, true}}
	}
	var list []limitValue
	for _, letter := range [...]string{"7", "é", "日", "\U0001f4a9"} {
		for _, n := range [...]int{l.most, l.most + 1} {
			refused := n > l.most || letter != "7" && l.digitsOnly()
			list = append(list, limitValue{strings.Repeat(letter, n), n > l.most, refused})
		}
	}
	return list
}

// digitsOnly reports whether no other characters may stand in the column: a value of those
// is refused whatever its length.
func (l columnLimit) digitsOnly() bool {
	switch l.column {
	case rules.ColumnCardNumber, rules.ColumnAmount, rules.ColumnAmountFrom, rules.ColumnAmountTo:
		return true
	}
	return false
}

// A RuleVector is a pair of payloads for a rule: one that breaks it and one that does
// not, which differ in little else (V09).
type RuleVector struct {
	Code      ledger.Code
	Column    rules.Column // where it is reported; zero for no column
	Good, Bad string
	Options   rules.Options
}

// RuleVectors are vectors for every rule of payloads. Those of single rows are the table
// of faults.
func RuleVectors() []RuleVector {
	list := fileVectors()
	for i := range gen.CellFaults() {
		f := &gen.CellFaults()[i]
		kind := f.Kind
		if kind == "" {
			kind = gen.OnSRC
		}
		c := plainCase(plainRow(kind))
		if f.Project {
			c.Project = "EUR"
		}
		v := RuleVector{Code: f.Code, Column: f.Column, Good: string(c.Write().Text), Options: c.Options()}
		c.Rows[0].Faults = []int{i}
		v.Bad = string(c.Write().Text)
		list = append(list, v)
	}
	return list
}

// fileVectors are those that are about more than one row, or need other options.
func fileVectors() []RuleVector {
	return slices.Concat(textVectors(), wireVectors(), optionVectors())
}

// The parts of a payload of DST rows with few columns.
const (
	briefHeader  = `"rp_card_type";"client-orderid";"credit-card-number";"amount";"currency"` + "\n"
	briefRow     = `"DST";"order-1";"4111111111111111";"10.00";"EUR"` + "\n"
	otherRow     = `"DST";"order-2";"4111111111111111";"10.00";"EUR"` + "\n"
	briefPayload = briefHeader + briefRow
)

// textVectors are those of the CSV as a text.
func textVectors() []RuleVector {
	var list []RuleVector
	add := func(code ledger.Code, column rules.Column, bad ...string) {
		for _, text := range bad {
			list = append(list, RuleVector{code, column, briefPayload + otherRow, text, rules.Options{AsOf: gen.JudgedOn(), Input: rules.InputCSV}})
		}
	}
	header := func(from, to string) string { return strings.Replace(briefPayload, from, to, 1) }
	add(rules.ByteOrderMark, 0, "\xef\xbb\xbf"+briefPayload)
	add(rules.InvalidUTF8, 0, "\xff\xfer\x00p\x00", "r\x00p\x00_\x00")
	add(rules.NoHeader, 0, "", "\n", briefRow+otherRow)
	add(rules.NoRows, 0, briefHeader)
	add(rules.ColumnUnknown, 0, header(`"amount"`, `"Amount"`), header(`"amount"`, `"amount "`), header(`"currency"`, `"finish_date"`), strings.ReplaceAll(briefPayload, "\n", ";\n"))
	add(rules.ColumnDuplicate, rules.ColumnAmount, header(`"currency"`, `"amount"`))
	add(rules.ColumnMissing, rules.ColumnOrderID, `"rp_card_type";"credit-card-number";"amount";"currency"`+"\n"+`"DST";"4111111111111111";"10.00";"EUR"`+"\n")
	add(rules.ColumnMissing, rules.ColumnCity, strings.Replace(briefPayload, "DST", "SRC", 1))
	add(rules.RowRepeatsHeader, 0, briefPayload+briefHeader, briefPayload+"\xef\xbb\xbf"+briefHeader)
	add(rules.CSVSeparator, 0, strings.ReplaceAll(briefPayload, ";", ","), strings.ReplaceAll(briefPayload, ";", "\t"), "sep=;\n"+briefPayload)
	for _, cell := range [...]string{`a"b`, `"a"b`, `"a" `, ` "a"`, `"a\"b"`} {
		add(rules.CSVQuote, 0, briefHeader+`"DST";`+cell+`;"4111111111111111";"10.00";"EUR"`+"\n"+otherRow)
	}
	add(rules.CSVUnterminatedQuote, 0, briefPayload+`"DST";"a`+"\nmore\n")
	add(rules.CSVLineEnd, 0, strings.ReplaceAll(briefPayload, "\n", "\r"), briefPayload+strings.TrimSuffix(otherRow, "\n")+"\r"+otherRow)
	add(rules.CSVWidth, 0, briefPayload+`"DST";"a"`+"\n", briefPayload+`"DST";"a";"b";"c";"d";"e"`+"\n", briefPayload+" \n"+otherRow, briefPayload+"\x1a")
	add(rules.CSVUnquoted, 0, strings.ReplaceAll(briefPayload, `"`, ""))
	add(rules.BlankLine, 0, briefPayload+"\n"+otherRow, briefPayload+"\r\n\r\n"+otherRow)
	add(rules.OrderIDDuplicate, rules.ColumnOrderID, briefPayload+otherRow+briefRow)
	add(rules.NotAPayload, 0, "PK\x03\x04", "\x1f\x8b\x08", "%PDF-1.7\n", "<html>", "-----BEGIN PRIVATE KEY-----\n")
	add(rules.NULCharacter, 0, strings.Repeat("\x00", 64))
	return list
}

// wireVectors are those of base64 and form bodies.
func wireVectors() []RuleVector {
	var list []RuleVector
	add := func(in rules.Input, code ledger.Code, good string, bad ...string) {
		for _, text := range bad {
			list = append(list, RuleVector{code, 0, good, text, rules.Options{AsOf: gen.JudgedOn(), Input: in}})
		}
	}
	// Cells of ÿ and ? bring + and / into the base64.
	csv := strings.Replace(briefPayload, "order-1", "\u03ff\u03fe\u03ff\u03fe\u03ff\u03fe", 1)
	for len(csv)%3 != 2 {
		csv = strings.Replace(csv, "\u03ff", "x\u03ff", 1)
	}
	coded := base64.StdEncoding.EncodeToString([]byte(csv))
	form := "payload=" + url.QueryEscape(coded)
	body := func(code ledger.Code, bad ...string) { add(rules.InputForm, code, form, bad...) }
	text := func(code ledger.Code, bad ...string) { add(rules.InputBase64, code, coded, bad...) }
	body(rules.PayloadMissing, "a=1", "PAYLOAD="+url.QueryEscape(coded))
	body(rules.PayloadEmpty, "payload=", "payload")
	body(rules.PayloadDuplicate, form+"&"+form)
	body(rules.ParameterExtra, "debug=1&"+form, form+"&debug=1")
	body(rules.SignatureInBody, form+"&oauth_signature=x")
	body(rules.FormEscape, "payload=%zz", form+"&a=%2", form+"%")
	body(rules.FormSemicolon, "a=1;b=2&"+form, form+";")
	body(rules.FormName, "=v&"+form, form+"&=")
	body(rules.FormPlus, "oauth_nonce=a+b&"+form)
	body(rules.LimitParameters, strings.Repeat("oauth_a=1&", 10_001)+form)
	body(rules.Base64Space, "payload="+coded[:40]+"+"+coded[41:])
	text(rules.Base64Wrapped, coded[:76]+"\n"+coded[76:], coded[:76]+"\r\n"+coded[76:], coded+"\n\n")
	text(rules.Base64Space, coded[:40]+" "+coded[41:])
	text(rules.Base64URLSafe, strings.NewReplacer("+", "-", "/", "_").Replace(coded))
	text(rules.Base64Unpadded, strings.TrimRight(coded, "="))
	text(rules.Base64StrayBits, "YWJ=", "YR==")
	text(rules.Base64Double, base64.StdEncoding.EncodeToString([]byte(coded)))
	text(rules.Base64Syntax, coded[:40]+"*"+coded[41:], coded+"=", "data:text/csv;base64,"+coded, csv)
	// The form has to be recognised first.
	add(rules.InputAuto, rules.Base64Syntax, coded, "YWI=YWI=", "YQ==YQ==\n", coded+coded, "data:text/csv;base64,"+coded)
	add(rules.InputAuto, rules.Base64Wrapped, coded, coded[:76]+"\n"+coded[76:])
	add(rules.InputAuto, rules.Base64Double, coded, base64.StdEncoding.EncodeToString([]byte(coded)))
	add(rules.InputAuto, rules.PayloadEmpty, form, "payload", "payload=\n", "payload=&oauth_nonce=1")
	add(rules.InputAuto, rules.PayloadMissing, form, "debug=1", "payload[]="+coded)
	add(rules.InputAuto, rules.FormEscape, form, "payload=%zz")
	return list
}

// optionVectors are those of rules that speak under other options only.
func optionVectors() []RuleVector {
	var list []RuleVector
	add := func(code ledger.Code, column rules.Column, good, bad string, set func(*rules.Options)) {
		o := rules.Options{AsOf: gen.JudgedOn(), Input: rules.InputCSV}
		if set != nil {
			set(&o)
		}
		list = append(list, RuleVector{code, column, good, bad, o})
	}
	row := func(set ...gen.SetCell) string {
		cells := plainRow(gen.OnSRC)
		for _, s := range set {
			cells[s.Column] = s.Value
		}
		return string(plainCase(cells).Write().Text)
	}
	size := len(briefRow) - 1
	long := strings.Replace(briefPayload, "order-1", "order-12", 1)
	add(rules.LimitBytes, 0, briefPayload, long, func(o *rules.Options) { o.MaxBytes = int64(len(briefPayload)) })
	add(rules.LimitRows, 0, briefPayload, briefPayload+otherRow, func(o *rules.Options) { o.MaxRows = 1 })
	add(rules.LimitRow, 0, briefPayload, briefPayload+strings.Repeat("x", len(briefHeader))+"\n", func(o *rules.Options) { o.MaxRow = max(size, len(briefHeader)-1) })
	add(rules.LimitColumns, 0, briefPayload, briefPayload+strings.Repeat(";", mostValues)+"\n", nil)
	add(rules.LimitElements, rules.ColumnAmountSequence, row(gen.Set(rules.ColumnAmount, ""), gen.Set(rules.ColumnAmountSequence, strings.Repeat("1,", mostElements-1)+"1")),
		row(gen.Set(rules.ColumnAmount, ""), gen.Set(rules.ColumnAmountSequence, strings.Repeat("1,", mostElements)+"1")), nil)
	add(rules.LimitOrderIDs, rules.ColumnOrderID, briefPayload, briefPayload+strings.Replace(otherRow, "order-2", "order-0", 1), func(o *rules.Options) { o.MaxOrderIDs = 1 })
	on := func(code ledger.Code) func(*rules.Options) {
		return func(o *rules.Options) { o.Severity = map[ledger.Code]ledger.Severity{code: ledger.SeverityWarning} }
	}
	add(rules.FinishUnreachable, rules.ColumnFinishDate, row(gen.TimesSet("month", "1", "31.01.2026", "30.06.2026", "12")...),
		row(gen.TimesSet("month", "1", "31.01.2026", "30.06.2028", "12")...), on(rules.FinishUnreachable))
	add(rules.FirstChargeToday, rules.ColumnStartDate, row(gen.TimesSet("month", "1", "11.01.2026", "", "")...),
		row(gen.TimesSet("month", "1", "10.01.2026", "", "")...), on(rules.FirstChargeToday))
	reject := func(o *rules.Options) { o.Policy = engine.Policy{}.WithReading(clause.L02, 1) }
	add(rules.StartAbsent, rules.ColumnStartDate, row(gen.TimesSet("month", "1", "10.01.2026", "", "")...), row(gen.TimesSet("month", "1", "", "", "")...), reject)
	return list
}

// everyRule tries the vectors of single rows together, in one payload.
func everyRule(t *T) {
	for _, project := range [...]string{"", "EUR"} {
		everyRowRule(t, project)
	}
	good := map[string]findings{} // most vectors share what does not break them
	for _, v := range fileVectors() {
		bad := t.read(strings.NewReader(v.Bad), v.Options).findings()
		if !has(bad, v.Code, v.Column) {
			t.Errorf("%v %v is not reported for %q, only\n%s", v.Code, v.Column, v.Bad[:min(len(v.Bad), 1000)], bad)
		}
		plain := fmt.Sprintf("%s %+v", v.Good, v.Options)
		found, known := good[plain]
		if !known {
			found = t.read(strings.NewReader(v.Good), v.Options).findings()
			good[plain] = found
		}
		if has(found, v.Code, v.Column) {
			t.Errorf("%v %v is reported for %q", v.Code, v.Column, v.Good[:min(len(v.Good), 1000)])
		}
	}
}

func everyRowRule(t *T, project string) {
	c := plainCase(plainRow(gen.OnSRC), plainRow(gen.OnDST))
	for i := range gen.CellFaults() {
		if f := &gen.CellFaults()[i]; f.Project == (project != "") {
			row := plainRow(cmp.Or(f.Kind, gen.OnSRC))
			c.Rows = append(c.Rows, gen.PayloadLine{Clean: row, Faults: []int{i}})
		}
	}
	for i := range c.Rows {
		c.Rows[i].Clean[rules.ColumnOrderID] = "order-" + strconv.Itoa(i)
	}
	c.Project = project
	_, j := t.readCase(c)
	for i, row := range c.Rows {
		found := j.about(i + 1)
		if len(row.Faults) == 0 {
			if len(found) > 0 {
				t.Errorf("a row without fault is reported as\n%s", found)
			}
			continue
		}
		if f := &gen.CellFaults()[row.Faults[0]]; !has(found, f.Code, f.Column) {
			t.Errorf("%s is not reported, only\n%s", f.Name, found)
		}
	}
}

// The limits that are constants of the readings (L56d).
const (
	mostValues   = 128
	mostElements = 10_000
)
