package reconcile_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/internal/exportform"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/reconcile"
)

// texts reads a file and returns its lines and findings as short texts.
func texts(file string, o reconcile.ReadOptions) (list []string) {
	for a, err := range reconcile.Actuals(strings.NewReader(file), o) {
		if f, ok := err.(ledger.Finding); ok {
			list = append(list, fmt.Sprint(f.Code, " ", f.Subject, " @", f.Place.Line))
			continue
		}
		sign := ""
		if a.Negative {
			sign = "-"
		}
		list = append(list, fmt.Sprint(a.Profile, " ", a.Date, " ", sign, a.Amount, " ", a.Currency, a.Outcome, a.Created, a.ID, " @", a.Line))
	}
	return list
}

// TestReader: the forms of a file of actual charges, and what is wrong with one, with its place.
func TestReader(t *testing.T) {
	bank := reconcile.ReadOptions{
		Names: map[string]string{"Order No": "profile", "Value; date": "date", "id": "amount"},
		Forms: reconcile.Forms{Decimal: exportform.Comma, Dates: exportform.DayFirst, Century: 20},
	}
	for _, test := range []struct {
		name, file string
		o          reconcile.ReadOptions
		want       []string
	}{
		{"semicolons", "profile;date;amount\na;2026-01-31;10.00\n", reconcile.ReadOptions{}, []string{"a 2026-01-31 10.00  @2"}},
		{"commas, a mark, CRLF, no last line end", "\ufeffid,Amount, DATE ,profile\r\nx,1,31.01.2026,a\r\n\r\ny,2,1.2.2026,b", reconcile.ReadOptions{},
			[]string{"a 2026-01-31 1 x @2", "b 2026-02-01 2 y @4"}},
		{"tabs and quotes", "profile\tdate\tamount\toutcome\n\"a\"\"b\"\t\"2026-01-31\"\t\"\"\tNone\n", reconcile.ReadOptions{}, []string{`a"b 2026-01-31 0 none @2`}},
		{"lines in quotes", "x;profile;date;amount\n\"one\ntwo;\n\";a;2026-01-31;1\n;b;2026-01-31;2", reconcile.ReadOptions{}, []string{"a 2026-01-31 1  @2", "b 2026-01-31 2  @5"}},
		{"a header in quotes", "\"Booked\non\";profile;\"date\";amount\n;a;2026-01-31;1\n", reconcile.ReadOptions{}, []string{"a 2026-01-31 1  @3"}},
		{"a name with a line end", "\"Order\r\nNo\",\"Value; date\",id\na,2026-01-31,1\n", reconcile.ReadOptions{Names: map[string]string{"Order\nNo": "profile", "Value; date": "date", "id": "amount"}}, []string{"a 2026-01-31 1  @3"}},
		{"inches", "5\" disk;profile;date;amount\n5\";a;2026-01-31;1\n", reconcile.ReadOptions{}, []string{"a 2026-01-31 1  @2"}},
		{"JSON", "\n{\"profile\":\"a\",\"date\":\"2026-01-31\",\"amount\":\"10.00\",\"currency\":null,\"more\":[1],\"created\":\"2026-01-01\"}\n{\"profile\":\"b\",\"date\":\"2026-01-31\",\"amount\":2.5}\n",
			reconcile.ReadOptions{}, nil},
		{"JSON at once", "{\"profile\":\"a\",\"date\":\"2026-01-31\",\"amount\":\"10.00\",\"currency\":null,\"more\":[1],\"created\":\"2026-01-01\"}\n{\"profile\":\"b\",\"date\":\"2026-01-31\",\"amount\":2.5}\n{\"profile\":1}\n{]\n{\"profile\":[]}",
			reconcile.ReadOptions{}, []string{"a 2026-01-31 10.00 2026-01-01 @1", "b 2026-01-31 2.5  @2", "actual-date date @3", "json-syntax  @4", "json-type profile @5"}},
		{"as a bank has it", "id;\"Value; date\";Order No;amount;currency\n1.234,50;31.1.26;a;7;eur\n-12,50 €;31/12/2026;a;;EUR\n5,00-;1.2.26;a;;\n\u22125,00;1.2.26;a;;\n12,50 $;1.2.26;a;;EUR", bank,
			[]string{"a 2026-01-31 1234.50 EUR @2", "a 2026-12-31 -12.50 EUR @3", "a 2026-02-01 -5.00  @4", "a 2026-02-01 -5.00  @5", "actual-amount amount @6"}},
		{"undecided", "profile,date,amount\na,03/04/2026,1\na,1.2.26,1\na,2026-01-31,\"1,234\"\na,2026-01-31,1e3\na,2026-01-31,\na,31.02.2026,1\n,2026-01-31,1\na,2026-01-31\na,2026-01-31,\"1\"2\n", reconcile.ReadOptions{},
			[]string{"actual-date date @2", "actual-date date @3", "actual-amount amount @4", "actual-amount amount @5", "actual-amount amount @6", "actual-date date @7", "actual-profile profile @8", "actual-line  @9", "actual-line  @10"}},
		{"a decimal comma that is a separator", "profile,date,amount\na,2026-01-31,10,50\na,2026-01-31,10.50,, \na,2026-01-31,\"10,50\"\n", reconcile.ReadOptions{Forms: reconcile.Forms{Decimal: exportform.Comma}},
			[]string{"actual-line  @2", "a 2026-01-31 10.50  @3", "a 2026-01-31 10.50  @4"}},
		{"outcomes", "profile,date,amount,outcome\na,2026-01-31,1,ok\na,2026-01-31,1,none\na,2026-01-31,1,Declined\n", reconcile.ReadOptions{},
			[]string{"actual-outcome outcome @2", "actual-none amount @3", "a 2026-01-31 1 declined @4"}},
		{"not UTF-8", "profile;date;amount;text\na;2026-01-31;1;\xfc\n\xfc;2026-01-31;1;\n", reconcile.ReadOptions{}, []string{"a 2026-01-31 1  @2", "actual-encoding profile @3"}},
		{"empty", "", reconcile.ReadOptions{}, []string{"actual-empty  @1"}},
		{"blank", "\n \r\n", reconcile.ReadOptions{}, []string{"actual-empty  @2"}},
		{"a header alone", "profile;date;amount", reconcile.ReadOptions{}, nil},
		{"no header", "a;2026-01-31;10.00\n", reconcile.ReadOptions{}, []string{"actual-header profile @1"}},
		{"twice", "profile;date;amount;Date\n", reconcile.ReadOptions{}, []string{"actual-header date @1"}},
		{"a long line", "profile;date;amount\n" + strings.Repeat("x", 2<<20) + "\na;2026-01-31;1\n", reconcile.ReadOptions{}, []string{"actual-limit  @2", "a 2026-01-31 1  @3"}},
		{"a long header", "profile;date;amount;" + strings.Repeat("x", 2<<20) + "\na;2026-01-31;1\n", reconcile.ReadOptions{}, []string{"actual-header  @1"}},
		{"an open quote in the header", "profile;date;\"amount\na;2026-01-31;1\n", reconcile.ReadOptions{}, []string{"actual-header profile @1"}},
		{"an open quote", "profile;date;amount\n\"a;2026-01-31;1\nb;2026-01-31;1\n", reconcile.ReadOptions{}, []string{"actual-line  @2", "b 2026-01-31 1 @3"}},
	} {
		if test.name == "JSON" { // a blank line first
			test.want = []string{"a 2026-01-31 10.00 2026-01-01 @2", "b 2026-01-31 2.5  @3"}
		}
		got := texts(test.file, test.o)
		for i := range got {
			got[i] = strings.Join(strings.Fields(got[i]), " ")
		}
		for i := range test.want {
			test.want[i] = strings.Join(strings.Fields(test.want[i]), " ")
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s:\n got %q\nwant %q", test.name, got, test.want)
		}
	}
}

// TestHeaderInWords: a header that is not understood says which name is missing, and that the
// encoding may be why.
func TestHeaderInWords(t *testing.T) {
	o := reconcile.ReadOptions{Names: map[string]string{"Umsatz (€)": "amount"}}
	for _, test := range []struct{ header, message, help string }{
		{"profile;date;Umsatz", `the first line has no column "Umsatz (€)" for amount`, "--columns"},
		{"profile;date;Umsatz (\x80)", `the first line is not UTF-8, and has no column "Umsatz (€)" for amount`, "--encoding"},
		{"date;Umsatz (€)", "the first line has no column profile", "--columns"},
		{"profile;date;Umsatz (€);Umsatz (€)", `the first line has the column "Umsatz (€)" for amount twice`, "--columns"},
	} {
		var a reconcile.Actual
		f, ok := reconcile.NewReader(strings.NewReader(test.header+"\n"), o).Read(&a).(ledger.Finding)
		if !ok || f.Code != reconcile.ActualHeader || f.Message != test.message || !strings.Contains(f.Help, test.help) || f.Place.Line != 1 {
			t.Errorf("%q: %+v", test.header, f)
		}
	}
}

// TestSpreadsheetIsNamed: a spreadsheet was taken for UTF-16, with the advice to name that encoding, where package rules
// names it. With lines to skip, only a file with NUL is one: a preamble may look like anything.
func TestSpreadsheetIsNamed(t *testing.T) {
	const spreadsheet = "PK\x03\x04\x14\x00\x00\x00\x08\x00\nxl/\x00workbook.xml"
	for _, c := range []struct {
		file string
		skip int
		help string
	}{
		{spreadsheet, 0, "a spreadsheet file"},
		{spreadsheet, 1, "a spreadsheet file"},
		{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00\x00", 0, "a spreadsheet file"},
		{"%PDF-1.7\n", 0, "a PDF"},
		{"<a bank's preamble>\nprofile;date;amount\n", 1, ""},
		{"p\x00r\x00o\x00", 0, "--encoding utf-16le"},
	} {
		var a reconcile.Actual
		err := reconcile.NewReader(strings.NewReader(c.file), reconcile.ReadOptions{Skip: c.skip}).Read(&a)
		f, ok := errors.AsType[ledger.Finding](err)
		if ok != (c.help != "") || !strings.Contains(f.Help, c.help) {
			t.Errorf("%q: %v", c.file, err)
		}
	}
}

// TestUnknownOutcomeIsNamed: the word of an unknown outcome was in no finding, so that nobody could say what it means. It is the
// hint, unless it may be something else.
func TestUnknownOutcomeIsNamed(t *testing.T) {
	for word, want := range map[string]ledger.Code{
		"Gebucht": "gebucht", "zurück gebucht": "zurück gebucht", "ok1": "", "4111111111111111": "", "a@b": "", "einundzwanzigbuchstaben": "",
	} {
		var a reconcile.Actual
		err := reconcile.NewReader(strings.NewReader("profile;date;amount;outcome\na;2026-01-31;1;"+word+"\n"), reconcile.ReadOptions{}).Read(&a)
		if f, _ := errors.AsType[ledger.Finding](err); f.Code != reconcile.ActualOutcome || f.Hint != want {
			t.Errorf("%s: %v, hint %q", word, err, f.Hint)
		}
	}
}
