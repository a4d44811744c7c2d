package rules

import (
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/ledger"
)

// TestMendableAsFixed: a finding about a value is mendable if and only if a Fixer changes that value.
func TestMendableAsFixed(t *testing.T) {
	for _, c := range []struct {
		column Column
		value  string
		want   bool
	}{
		{ColumnStartDate, "2026-02-01", true}, {ColumnStartDate, "03/04/2026", false}, {ColumnStartDate, "31.02.2026", false},
		{ColumnAmount, "12,50", true}, {ColumnAmount, "1,234", false}, {ColumnAmount, "1,234.50", false}, {ColumnAmount, "1e3", false},
		{ColumnAmount, "1'234.50", false}, {ColumnAmount, "12.50 EUR", false}, {ColumnAmountSequence, "€1.00", false},
		{ColumnPeriod, "Month", true}, {ColumnPeriod, "monthly", true}, {ColumnCardType, "src", true}, {ColumnCardNumber, "4.11E+15", false},
		{ColumnCardNumber, "4111 1111 1111 1111", true}, {ColumnCardNumber, "'4111111111111111", true}, {ColumnCardNumber, "4111 1111 1111 1112", false}, {ColumnCardNumber, "4111-xxxx", false},
	} {
		in := document(source(values{c.column: c.value, ColumnOrderID: "order-1"}))
		_, changes, _ := fix(t, in, Options{})
		if changed := slices.ContainsFunc(changes, func(s string) bool { return s[0] != '-' }); changed != c.want {
			t.Errorf("%v %q: fixed: %v", c.column, c.value, changes)
		}
		reader := NewReader(strings.NewReader(in), options())
		mendable, found := false, 0
		for _, problems := range reader.Rows() {
			for _, p := range problems {
				if p.Severity == ledger.SeverityError && p.Subject == c.column.String() {
					found++
					mendable = mendable || isMended(p)
				}
			}
		}
		if found == 0 || mendable != c.want {
			t.Errorf("%v %q: %d errors, mendable %v, want %v", c.column, c.value, found, mendable, c.want)
		}
	}
}

// TestMendableState: the state of a country is mended where its country says which codes there are.
func TestMendableState(t *testing.T) {
	for country, want := range map[string]bool{"US": true, "DE": false, "": false} {
		in := document(source(values{ColumnCountry: country, ColumnState: "ca"}))
		reader := NewReader(strings.NewReader(in), options())
		got, found := false, false
		for _, problems := range reader.Rows() {
			for _, p := range problems {
				if p.Subject == ColumnState.String() {
					found, got = true, got || isMended(p)
				}
			}
		}
		if got != want || want && !found {
			t.Errorf("%q: mendable %v, found %v", country, got, found)
		}
	}
}

// TestMendableHeader: a name near that of a column can be mended, another cannot.
func TestMendableHeader(t *testing.T) {
	for name, want := range map[string]bool{"Client_OrderID": true, "Order Number": true, "creditcardnumber": true, "START DATE": true, "FINISHDATE": true, "colour": false} {
		reader := NewReader(strings.NewReader("\"rp_card_type\";\""+name+"\"\n\"DST\";\"order-1\"\n"), options())
		got := false
		for _, problems := range reader.Rows() {
			for _, p := range problems {
				got = got || isMended(p)
			}
		}
		if got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestMendableIsWhatAFixerDoes: an error in a row that a Fixer refuses as a whole, or in a value whose quotes it
// refuses, was called mendable.
func TestMendableIsWhatAFixerDoes(t *testing.T) {
	for reason, c := range map[string]struct {
		row  string
		want bool
	}{
		"a word in typographic quotes": {`“DST”;"order-1";"4111111111111111";"10.00";"EUR"`, true},
		"a text in typographic quotes": {`"DST";“` + strings.Repeat("x", 200) + `”;"4111111111111111";"10.00";"EUR"`, false},
		"a row in no encoding":         {`"dst";"` + "\x81" + `";"4111111111111111";"10.00";"EUR"`, false},
		"a value too few":              {`"dst";"order-1";"4111111111111111";"10.00"`, false},
	} {
		in := shortHeader + c.row + "\n"
		_, changes, _ := fix(t, in, Options{})
		if changed := slices.ContainsFunc(changes, func(s string) bool { return s[0] != '-' && s != "quotes-missing 0" }); changed != c.want {
			t.Errorf("%s: fixed: %v", reason, changes)
		}
		reader := NewReader(strings.NewReader(in), options())
		mendable, found := false, 0
		for _, problems := range reader.Rows() {
			for _, p := range problems {
				if p.Severity == ledger.SeverityError && p.Place.Row == 1 {
					found++
					mendable = mendable || isMended(p)
				}
			}
		}
		if found == 0 || mendable != c.want {
			t.Errorf("%s: %d errors, mendable %v, want %v", reason, found, mendable, c.want)
		}
	}
}

// TestMendableSeparator: a header with bars between its names, and one that has a fault, were called mendable.
func TestMendableSeparator(t *testing.T) {
	for in, want := range map[string]bool{
		"rp_card_type,client-orderid\nDST,order-1\n":                     true,
		"rp_card_type\tclient-orderid\nDST\torder-1\n":                   true,
		"rp_card_type|client-orderid\nDST|order-1\n":                     false,
		"sep=;\n\"rp_card_type\";\"client-orderid\"\n\"DST\";\"a\"\n":    true,
		"sep=,\nrp_card_type,client-orderid\nDST,order-1\n":              true,
		"\"rp_card_type\",\"client-orderid\" x,\"amount\"\nDST,a,1.00\n": false,
	} {
		reader := NewReader(strings.NewReader(in), options())
		found := 0
		for _, problems := range reader.Rows() {
			for _, p := range problems {
				if p.Code == CSVSeparator {
					if found++; isMended(p) != want {
						t.Errorf("%q: %s: mendable %v", in, p.Message, !want)
					}
				}
			}
		}
		if found == 0 {
			t.Errorf("%q: its separator is found to be right", in)
		}
		_, changes, _ := fix(t, in, Options{})
		if fixed := slices.ContainsFunc(changes, func(s string) bool { return s == "separator 0" || s == "separator-line 0" }) && !slices.Contains(changes, "-header-unreadable 0"); fixed != want {
			t.Errorf("%q: fixed: %v", in, changes)
		}
	}
}

// TestMendableEncoding: a text of UTF-16 is mended as a whole, and a byte that is not UTF-8 once the encoding is given, but
// not in a row that has UTF-8 too.
func TestMendableEncoding(t *testing.T) {
	for name, c := range map[string]struct {
		in   string
		want ledger.Code
	}{
		"UTF-16":             {wide(mark+document(source(nil)), false), fixUTF16},
		"UTF-16, unmarked":   {wide(document(source(nil)), false), fixEncoding},
		"Latin-1":            {document(source(values{ColumnCity: "K\xf6ln"})), fixEncoding},
		"Latin-1 and UTF-8":  {document(source(values{ColumnCity: "K\xf6ln", ColumnAddress1: "Straße 1"})), ""},
		"a row without form": {document(source(nil)) + "K\xf6\"ln\n", ""},
	} {
		found := 0
		for _, p := range judge(c.in, options()).problems {
			if p.Code == InvalidUTF8 {
				if found++; p.Hint != c.want {
					t.Errorf("%s: %q", name, p.Hint)
				}
			}
		}
		if found != 1 {
			t.Errorf("%s: %d findings", name, found)
		}
	}
}

// isMended reports whether a Fixer without instructions mends what a finding is about.
func isMended(p ledger.Finding) bool { return p.Hint != "" && p.Hint != fixEncoding }

// TestOpenWords: the words that may be shown are those of the columns that have no others.
func TestOpenWords(t *testing.T) {
	for _, c := range []struct {
		column Column
		open   string
		hidden string
	}{
		{ColumnCardType, "SRC DST", "src D SRCDST"}, {ColumnCurrency, "EUR USD", "eur EU"}, {ColumnCountry, "DE US", "de D"},
		{ColumnPeriod, "day week month", "days wee m dayweek"}, {ColumnCity, "", "SRC EUR DE day"},
	} {
		for s := range strings.FieldsSeq(c.open) {
			if !isWord(c.column, s) {
				t.Errorf("%v: %q is hidden", c.column, s)
			}
		}
		for _, s := range append(strings.Fields(c.hidden), "") {
			if isWord(c.column, s) {
				t.Errorf("%v: %q is shown", c.column, s)
			}
		}
	}
}

// isWord reports whether an excerpt may show a value of a column as it is.
func isWord(c Column, s string) bool {
	is := kinds[c.Spec().kind].isWord
	return is != nil && is(s)
}
