package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/rules"
)

// A soldRow is what a row of an export says, by column, as a payload has it.
type soldRow map[string]string

// An exporter writes rows as a careless person's spreadsheet does.
type exporter struct {
	*rand.Rand
	german bool
	dates  string // one way for the file, as a spreadsheet has it
	signs  bool   // amounts have the currency beside them
	quoted bool   // values are in quotes
	ending string
}

func (e *exporter) pick(list ...string) string { return list[e.IntN(len(list))] }

// sold draws a row.
func (e *exporter) sold(i int) soldRow {
	start := calendar.MustParse("2026-02-01").AddDays(e.IntN(700))
	finish := ""
	if e.IntN(2) == 0 {
		finish = dotted(start.AddDays(400 + e.IntN(900)))
	}
	country, currency, state := e.pick("DE", "AT", "CH"), "EUR", ""
	if !e.german {
		country, currency = e.pick("US", "GB", "DE"), "USD"
		if country == "US" {
			state = e.pick("CA", "NY", "MA")
		}
	}
	unit, interval := e.pick("month", "month", "week", "day"), strconv.Itoa(1+e.IntN(6))
	years := ""
	if e.IntN(6) == 0 {
		years, unit, interval = strconv.Itoa(1+e.IntN(2)), "month", ""
		interval = map[string]string{"1": "12", "2": "24"}[years]
	}
	return soldRow{
		"years": years, "rp_card_type": "SRC", "client-orderid": fmt.Sprintf("K-%d-%c", 1000+i, 'a'+e.IntN(26)), "credit-card-number": "4111111111111111",
		"card-printed-name": e.pick("Jörg Müller", "Anna Größe", "Max Weiß"), "expire-year": strconv.Itoa(2032 + e.IntN(6)), "expire-month": fmt.Sprintf("%02d", 1+e.IntN(12)),
		"amount": fmt.Sprintf("%d.%02d", e.IntN(3000)+1, e.IntN(100)), "currency": currency, "country": country, "city": e.pick("Köln", "Füssen", "Bonn"),
		"zip-code": e.pick("01067", "50667", "1010"), "address1": e.pick("Domstraße 1", "Ring 2; Hof", "Seeweg 3"), "first-name": e.pick("Jörg", "Anna"), "last-name": e.pick("Müller", "Größe"),
		"email": e.pick("joerg@example.com", "a@example.org"), "period": unit, "interval": interval, "state": state, "start-date": dotted(start), "finish-date": finish,
	}
}

func dotted(d calendar.Date) string { s := d.String(); return s[8:] + "." + s[5:7] + "." + s[:4] }

// careless is a value as the export has it.
func (e *exporter) careless(column, s string) string {
	if s == "" {
		return e.pick("", "", " ")
	}
	switch column {
	case "credit-card-number":
		s = e.pick(s, "4111 1111 1111 1111", "4111-1111-1111-1111", "'"+s, `="`+s+`"`)
	case "expire-year":
		s = e.pick(s, s[2:], s+".0")
	case "expire-month":
		s = e.pick(s, strings.TrimPrefix(s, "0"))
	case "amount":
		whole, part, _ := strings.Cut(s, ".")
		point, comma := ".", ","
		if e.german {
			point, comma = comma, point
		}
		if len(whole) > 3 && e.IntN(2) == 0 {
			whole = whole[:len(whole)-3] + comma + whole[len(whole)-3:]
		}
		s = whole + point + part
		switch {
		case e.signs && e.german:
			s += e.pick(" €", "€", " EUR")
		case e.signs:
			s = e.pick("$", "USD ") + s
		}
	case "currency":
		if s == "EUR" {
			s = e.pick("EUR", "eur", "€")
		} else {
			s = e.pick("USD", "usd")
		}
	case "country":
		if names := map[string]string{"DE": "Deutschland", "AT": "Österreich", "CH": "Schweiz", "US": "United States", "GB": "United Kingdom"}; e.IntN(2) == 0 {
			s = names[s]
		} else {
			s = strings.ToLower(s)
		}
	case "state":
		s = e.pick(s, map[string]string{"CA": "California", "NY": "New York", "MA": "Massachusetts"}[s], strings.ToLower(s))
	case "period":
		words := map[string][]string{"day": {"Tag", "täglich"}, "week": {"Woche", "wöchentlich"}, "month": {"Monat", "monatlich"}}
		if !e.german {
			words = map[string][]string{"day": {"Daily", "days"}, "week": {"Weekly", "week"}, "month": {"Monthly", "Month"}}
		}
		s = e.pick(words[s]...)
	case "zip-code":
		s = e.pick(s, `="`+s+`"`, "'"+s)
	case "start-date", "finish-date":
		day, month, year := strings.TrimPrefix(s[:2], "0"), strings.TrimPrefix(s[3:5], "0"), s[6:]
		switch e.dates {
		case "iso":
			s = year + "-" + s[3:5] + "-" + s[:2] + e.pick("", " 00:00:00", "T00:00:00")
		case "short":
			s = day + "." + month + "." + year[2:]
		case "us":
			s = month + "/" + day + "/" + year
		default:
			s = day + "." + month + "." + year
		}
	}
	return e.pick(s, s, s, " "+s, s+"\u00a0")
}

// headers are names of the columns in exports, German and English.
var headers = map[string][2][]string{
	"client-orderid":     {{"Kundennr", "Kundennummer", "Kunden-Nr.", "Bestellnummer"}, {"Order ID", "Customer ID", "Order Number"}},
	"credit-card-number": {{"Kartennummer", "Kreditkartennummer"}, {"Card Number", "PAN"}}, "card-printed-name": {{"Karteninhaber"}, {"Cardholder Name", "Name on Card"}},
	"expire-year": {{"Ablaufjahr", "expire year"}, {"Exp Year", "Expiry Year"}}, "expire-month": {{"Ablaufmonat"}, {"Exp Month"}}, "amount": {{"Betrag", "Preis"}, {"Price", "AMOUNT"}},
	"currency": {{"Währung", "WAEHRUNG"}, {"Currency", "Currency Code"}}, "country": {{"Land"}, {"Country"}}, "city": {{"Ort", "Stadt"}, {"City", "Town"}},
	"zip-code": {{"PLZ", "Postleitzahl"}, {"ZIP", "Zip Code"}}, "address1": {{"Straße", "Adresse"}, {"Address 1", "Street"}}, "first-name": {{"Vorname"}, {"First Name"}},
	"last-name": {{"Nachname"}, {"Last_Name", "Surname"}}, "email": {{"E-Mail", "Mailadresse"}, {"Email", "E-Mail"}}, "period": {{"Periode", "Turnus"}, {"Frequency", "Period"}},
	"interval": {{"Intervall", "Alle"}, {"Interval", "Every"}}, "state": {{"Bundesland"}, {"State", "Province"}}, "start-date": {{"Startdatum", "Beginn"}, {"Start", "Start Date"}},
	"finish-date": {{"Enddatum", "Ende"}, {"End Date", "Finish Date"}},
}

// export writes rows as a file.
func (e *exporter) export(rows []soldRow) []byte {
	sep, language := ";", 0
	if !e.german {
		sep, language = ",", 1
	}
	var columns []string
	for s := range rules.Columns() {
		if _, ok := headers[s.Name]; ok && (s.Name != "state" || !e.german) {
			columns = append(columns, s.Name)
		}
	}
	e.Shuffle(len(columns), func(i, k int) { columns[i], columns[k] = columns[k], columns[i] })
	var lines []string
	line := func(value func(column string) string, note string) {
		var cells []string
		for _, c := range columns {
			cells = append(cells, e.cell(value(c), sep))
		}
		cells = append(cells, e.cell(note, sep))
		lines = append(lines, strings.Join(cells, sep))
	}
	line(func(c string) string { return e.pick(headers[c][language]...) }, e.pick("Notiz", "Remarks"))
	for _, row := range rows {
		value := func(c string) string {
			switch {
			case row["years"] != "" && c == "interval":
				return row["years"]
			case row["years"] != "" && c == "period":
				return map[bool]string{true: "Jahr", false: "Yearly"}[e.german]
			}
			return e.careless(c, row[c])
		}
		line(value, e.pick("", "ok", "siehe 12", "café"))
		if e.IntN(3) == 0 {
			lines = append(lines, strings.Repeat(sep, len(columns)))
		}
	}
	text := strings.Join(lines, e.ending) + e.ending
	if !e.german {
		return []byte("\ufeff" + text)
	}
	narrow, err := charmap.Windows1252.NewEncoder().String(text)
	if err != nil {
		panic(err)
	}
	return []byte(narrow)
}

func (e *exporter) cell(s, sep string) string {
	if strings.HasPrefix(s, `="`) && e.IntN(2) == 0 {
		return s
	}
	if e.quoted || strings.ContainsAny(s, sep+"\"\n") {
		return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return s
}

// decide fills in the draft of a map as a person who knows the file would.
func (e *exporter) decide(t *testing.T, draft string) string {
	words := map[string]string{
		"Deutschland": "DE", "Österreich": "AT", "Schweiz": "CH", "United States": "US", "United Kingdom": "GB",
		"California": "CA", "New York": "NY", "Massachusetts": "MA",
	}
	var b strings.Builder
	for line := range strings.Lines(draft) {
		line = strings.TrimSuffix(line, "\n")
		question, open := strings.CutSuffix(line, " = ?")
		switch {
		case !open || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "value "):
			_, word, _ := strings.Cut(question, " : ")
			if words[word] == "" {
				t.Errorf("the draft asks for %q", line)
			}
			line = question + " = " + words[word]
		case slices.Contains([]string{"column Notiz", "column Remarks"}, question):
			line = question + " = -"
		case question == "dates" && e.german:
			line = "dates = dmy"
		case question == "dates":
			line = "dates = mdy"
		case question == "decimal" && e.german:
			line = "decimal = comma"
		case question == "decimal":
			line = "decimal = point"
		default:
			t.Errorf("the draft asks for %q", line)
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

// TestExportsBecomePayloads: whatever careless export of a German or an English spreadsheet, one draft, filled in as a
// person would, and one run make a payload of it that validate accepts, with the values that were meant; a second run over
// it changes nothing.
func TestExportsBecomePayloads(t *testing.T) {
	dir := t.TempDir()
	command := func(args ...string) (stdout, stderr string, code int) {
		var out, messages bytes.Buffer
		code = run(args, strings.NewReader(""), &out, &messages)
		return out.String(), messages.String(), code
	}
	for seed := range uint64(60) {
		e := &exporter{Rand: rand.New(rand.NewPCG(seed, 1)), german: seed%2 == 0}
		e.dates = e.pick("iso", "short", "plain")
		if !e.german {
			e.dates = e.pick("iso", "us")
		}
		e.signs, e.quoted, e.ending = e.IntN(2) == 0, e.IntN(2) == 0, e.pick("\r\n", "\n", "\r")
		var rows []soldRow
		for i := range 5 + e.IntN(30) {
			rows = append(rows, e.sold(i))
		}
		file, draft, payload := filepath.Join(dir, "export.csv"), filepath.Join(dir, "draft.map"), filepath.Join(dir, "mended.csv")
		write := func(path, text string) {
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		write(file, string(e.export(rows)))
		if _, messages, code := command("payload", "fix", "--draft", draft, file); code != 1 {
			t.Fatalf("seed %d: exit %d\n%s", seed, code, messages)
		}
		asked, err := os.ReadFile(draft)
		if err != nil {
			t.Fatal(err)
		}
		decided := e.decide(t, string(asked))
		write(draft, decided)
		mended, messages, code := command("payload", "fix", "--map", draft, file)
		if code != 0 {
			t.Fatalf("seed %d: exit %d\n%s\n%s", seed, code, decided, messages)
		}
		write(payload, mended)
		if report, _, code := command("validate", "--as-of", "2026-01-10", payload); code != 0 {
			t.Fatalf("seed %d: validate exit %d\n%s\n%s", seed, code, report, mended)
		}
		write(draft, strings.Replace(decided, "encoding = ", "# encoding = ", 1))
		if again, messages, code := command("payload", "fix", "--map", draft, payload); code != 0 || again != mended {
			t.Fatalf("seed %d: a second run: exit %d\n%s", seed, code, messages)
		}
		checkSold(t, seed, mended, rows)
	}
}

// checkSold compares a payload with what was meant.
func checkSold(t *testing.T, seed uint64, mended string, rows []soldRow) {
	t.Helper()
	r := csv.NewReader(strings.NewReader(mended))
	r.Comma = ';'
	records, err := r.ReadAll()
	if err != nil || len(records) != 1+len(rows) {
		t.Fatalf("seed %d: %d records for %d rows, %v", seed, len(records), len(rows), err)
	}
	for i, row := range rows {
		for k, column := range records[0] {
			if got := records[i+1][k]; got != row[column] {
				t.Errorf("seed %d, row %d, %s: %q, not %q", seed, i+1, column, got, row[column])
			}
		}
	}
}

// TestAliasesAreDocumented: the page lists each alias beside its column.
func TestAliasesAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/repair.md")
	if err != nil {
		t.Fatal(err)
	}
	names := map[string][]string{}
	for alias, column := range rules.Aliases() {
		names[column.String()] = append(names[column.String()], alias)
	}
	for column, list := range names {
		if line := "\n| " + column + " | " + strings.Join(list, ", ") + " |\n"; !strings.Contains(string(page), line) {
			t.Errorf("docs/repair.md lacks the line %s", line)
		}
	}
}
