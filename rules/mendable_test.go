package rules

import (
	"bytes"
	"fmt"
	"iter"
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

// TestUnquotedBetweenBars: the remedy for values without quotes is to write them, and between vertical bars, which a
// Fixer does not read, semicolons first, whoever reads.
func TestUnquotedBetweenBars(t *testing.T) {
	for _, sep := range []string{";", "|"} {
		for _, workers := range []int{1, 3} {
			text := strings.ReplaceAll(strings.ReplaceAll(shortHeader+strings.Repeat(shortRow, 3000), `"`, ""), ";", sep)
			report, err := Validate(strings.NewReader(text), Options{Workers: workers})
			at := slices.IndexFunc(report.Findings, func(p ledger.Finding) bool { return p.Code == CSVUnquoted })
			if err != nil || at < 0 || strings.Contains(report.Findings[at].Help, "semicolons") != (sep == "|") {
				t.Errorf("%s, %d workers: %v, %v", sep, workers, err, report.Findings)
			}
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
		reader := NewReader(strings.NewReader(in), Options{})
		found := 0
		for _, problems := range reader.Rows() {
			for _, p := range problems {
				if p.Code == CSVSeparator {
					if found++; reader.Mendable(p) != want {
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

// TestMendableInBatches: what was found in a batch is known to be mendable or not while its results are taken, by one
// worker and by several.
func TestMendableInBatches(t *testing.T) {
	var in strings.Builder
	in.WriteString(document())
	var want strings.Builder
	for i := range 600 {
		row := strings.Replace(line(source(nil)), "order-1", fmt.Sprintf("o-%06d", i), 1)
		switch i % 100 {
		case 17:
			row = strings.Replace(row, "10.00", "12,50", 1)
			fmt.Fprintln(&want, i+1, true)
		case 71:
			row = strings.Replace(row, "10.00", "1,234", 1)
			fmt.Fprintln(&want, i+1, false)
		}
		in.WriteString(row)
	}
	for _, workers := range []int{1, 4} {
		r := NewReader(strings.NewReader(in.String()), Options{}.InChunks(workers, 1<<10))
		var got strings.Builder
		for p := range Batches(r, func(_ int, steps iter.Seq2[*Row, ledger.Findings], yield func(ledger.Finding) bool) {
			if (r.parallel != nil) != (workers > 1) {
				t.Errorf("%d workers: divided: %v", workers, r.parallel != nil)
			}
			for _, problems := range steps {
				for _, p := range problems {
					yield(p)
				}
			}
		}) {
			fmt.Fprintln(&got, p.Place.Row, r.Mendable(p))
		}
		if got.String() != want.String() {
			t.Errorf("%d workers:\n%s\nwant\n%s", workers, got.String(), want.String())
		}
	}
}

// TestMendableEncoding: a text of UTF-16 is mended as a whole; a byte that is no UTF-8 in a row is not.
func TestMendableEncoding(t *testing.T) {
	whole := ledger.Finding{Code: InvalidUTF8}
	for _, c := range []struct {
		name, in string
		want     bool
	}{
		{"UTF-16", wide(mark+document(source(nil)), false), true}, {"UTF-8", document(source(nil)), false},
	} {
		reader := NewReader(strings.NewReader(c.in), Options{})
		for range reader.Rows() {
		}
		if got := reader.Mendable(whole); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
		of := whole
		if of.Subject = ColumnCity.String(); reader.Mendable(of) {
			t.Errorf("%s: a finding about a value is one about the whole text", c.name)
		}
	}
}

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
			if !isOpenWord(c.column, s) {
				t.Errorf("%v: %q is hidden", c.column, s)
			}
		}
		for _, s := range append(strings.Fields(c.hidden), "") {
			if isOpenWord(c.column, s) {
				t.Errorf("%v: %q is shown", c.column, s)
			}
		}
	}
}

// TestLineEndAt: a CR alone ends no line, at the end of a text neither.
func TestLineEndAt(t *testing.T) {
	for text, want := range map[string]int{"\n": 1, "\nx": 1, "\r\n": 2, "\r\nx": 2, "\r": 0, "\rx": 0, "\r\r\n": 0, "x": 0, "x\n": 0} {
		if got := lineEndAt(text, 0); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// TestExcerptsInBatches: what is shown of a finding of a batch is what one Reader shows of it, be it about a row or about the header.
func TestExcerptsInBatches(t *testing.T) {
	in := []byte(mark + document())
	for i := range 300 {
		row := strings.Replace(line(source(nil)), "order-1", fmt.Sprintf("o-%06d", i), 1)
		if i%50 == 17 {
			row = strings.Replace(row, "10.00", "12,50", 1)
		}
		in = append(in, row...)
	}
	shown := func(r *Reader, p ledger.Finding) string { return fmt.Sprintln(fmt.Sprint(p), fmt.Sprint(r.Excerpt(p))) }
	var want strings.Builder
	one := NewReader(bytes.NewReader(in), Options{})
	for _, problems := range one.Rows() {
		for _, p := range problems {
			want.WriteString(shown(one, p))
		}
	}
	if !strings.Contains(want.String(), string(ByteOrderMark)) || !strings.Contains(want.String(), string(AmountSyntax)) {
		t.Fatalf("not both kinds of findings:\n%s", want.String())
	}
	many := NewReader(bytes.NewReader(in), Options{}.InChunks(3, 1<<10))
	var got strings.Builder
	for p := range Batches(many, func(_ int, steps iter.Seq2[*Row, ledger.Findings], yield func(ledger.Finding) bool) {
		if many.parallel == nil {
			t.Error("there are no workers")
		}
		for _, problems := range steps {
			for _, p := range problems {
				yield(p)
			}
		}
	}) {
		got.WriteString(shown(many, p))
	}
	if got.String() != want.String() {
		t.Errorf("with workers\n%s\nwant\n%s", got.String(), want.String())
	}
}
