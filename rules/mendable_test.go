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
		{ColumnAmount, "12,50", true}, {ColumnAmount, "1,234", false}, {ColumnAmount, "1,234.50", true}, {ColumnAmount, "1e3", false},
		{ColumnAmount, "1'234.50", true}, {ColumnAmount, "12.50 EUR", false}, {ColumnAmountSequence, "€1.00", false},
		{ColumnPeriod, "Month", true}, {ColumnPeriod, "monthly", false}, {ColumnCardType, "src", true}, {ColumnCardNumber, "4.11E+15", false},
	} {
		in := document(source(values{c.column: c.value, ColumnOrderID: "order-1"}))
		_, changes, _ := fix(t, in, Options{})
		if changed := slices.ContainsFunc(changes, func(s string) bool { return s[0] != '-' }); changed != c.want {
			t.Errorf("%v %q: fixed: %v", c.column, c.value, changes)
		}
		reader := NewReader(strings.NewReader(in), Options{})
		mendable, found := false, 0
		for _, problems := range reader.Rows() {
			for _, p := range problems {
				if p.Severity == ledger.SeverityError && p.Subject == c.column.String() {
					found++
					mendable = mendable || reader.Mendable(p)
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
		reader := NewReader(strings.NewReader(in), Options{})
		got, found := false, false
		for _, problems := range reader.Rows() {
			for _, p := range problems {
				if p.Subject == ColumnState.String() {
					found, got = true, got || reader.Mendable(p)
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
		reader := NewReader(strings.NewReader("\"rp_card_type\";\""+name+"\"\n\"DST\";\"order-1\"\n"), Options{})
		got := false
		for _, problems := range reader.Rows() {
			for _, p := range problems {
				got = got || reader.Mendable(p)
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
		"a word in typographic quotes":         {`“DST”;"order-1";"4111111111111111";"10.00";"EUR"`, true},
		"a text in typographic quotes":         {`"DST";“` + strings.Repeat("x", 200) + `”;"4111111111111111";"10.00";"EUR"`, false},
		"a row in no encoding":                 {`"dst";"` + "\x81" + `";"4111111111111111";"10.00";"EUR"`, false},
		"quotes that may hold values together": {`“dst;x”;"4111111111111111";"10.00";"eur"`, false},
		"a value too few":                      {`"dst";"order-1";"4111111111111111";"10.00"`, false},
	} {
		in := shortHeader + c.row + "\n"
		_, changes, _ := fix(t, in, Options{})
		if changed := slices.ContainsFunc(changes, func(s string) bool { return s[0] != '-' && !strings.Contains(s, " 0") }); changed != c.want {
			t.Errorf("%s: fixed: %v", reason, changes)
		}
		reader := NewReader(strings.NewReader(in), Options{})
		mendable, found := false, 0
		for _, problems := range reader.Rows() {
			for _, p := range problems {
				if p.Severity == ledger.SeverityError && p.Place.Row == 1 {
					found++
					mendable = mendable || reader.Mendable(p)
				}
			}
		}
		if found == 0 || mendable != c.want {
			t.Errorf("%s: %d errors, mendable %v, want %v", reason, found, mendable, c.want)
		}
	}
}
