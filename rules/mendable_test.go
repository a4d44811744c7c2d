package rules

import (
	"fmt"
	"iter"
	"reflect"
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
		{ColumnCardNumber, "4111 1111 1111 1111", true}, {ColumnCardNumber, "4111 1111 1111 1112", false}, {ColumnCardNumber, "4111-xxxx", false},
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

// TestMendableEncoding: UTF-16 and Windows-1252 are mended, UTF-32 and bytes of no encoding are not. A Fixer
// that refuses a text was advised for it.
func TestMendableEncoding(t *testing.T) {
	wide32 := func(s string) string {
		var b []byte
		for _, r := range s {
			b = append(b, byte(r), 0, 0, 0)
		}
		return string(b)
	}
	named := func(id string) string { return strings.Replace(short, "order-1", id, 1) }
	for reason, c := range map[string]struct {
		in   string
		want bool
	}{
		"UTF-16 with its mark":            {wide("\ufeff"+short, false), true},
		"UTF-16, the high byte first":     {wide(short, true), true},
		"UTF-32 with its mark":            {wide32("\ufeff" + short), false},
		"UTF-32":                          {wide32(short), false},
		"Windows-1252":                    {named("K\xf6ln"), true},
		"Windows-1252 in the header":      {strings.Replace(short, "client-orderid", "client-orderid\xa0", 1), true},
		"a byte of neither":               {named("\x81"), false},
		"Windows-1252 in a row too short": {shortHeader + "\"DST\";\"K\xf6ln\"\n", true},
	} {
		for _, workers := range []int{1, 3} {
			reader := NewReader(strings.NewReader(c.in), Options{Workers: workers})
			got, found := false, 0
			for _, problems := range reader.Rows() {
				for _, p := range problems {
					if p.Code == InvalidUTF8 {
						found++
						got = got || reader.Mendable(p)
					}
				}
			}
			if found == 0 || got != c.want {
				t.Errorf("%s, %d workers: %d errors, mendable %v", reason, workers, found, got)
			}
		}
	}
}

// TestMendableBrokenEncoding: a text of UTF-16 that a Fixer ends with an error, a row in another encoding than the rows
// before it, and a row with a character of UTF-8 that was cut, were called mendable. A remedy says what to do
// instead where that depends on no other row, whoever reads.
func TestMendableBrokenEncoding(t *testing.T) {
	utf8Row, narrowRow, mixedRow := strings.Replace(shortRow, "order-1", "Köln", 1), strings.Replace(shortRow, "order-1", "K\xf6ln", 1), strings.Replace(shortRow, "order-1", "Köln \xc3", 1)
	many := strings.Repeat(shortRow, 2000)
	form := func(s string) string { return string(formOf([]byte(s))) }
	for reason, c := range map[string]struct {
		in   string
		want bool
	}{
		"UTF-16 with an odd byte":                 {wide("\ufeff"+short, false) + "x", false},
		"UTF-16 that ends in half a character":    {wide("\ufeff"+short, true) + "\xd8\x3d", false},
		"half a character far behind":             {wide("\ufeff"+short+many, false) + "\x3d\xd8" + wide(shortRow, false), false},
		"the same in a form":                      {form(wide("\ufeff"+short+many, false) + "x"), false},
		"UTF-16 in a form":                        {form(wide("\ufeff"+short+many, false)), true},
		"base64 that ends in the middle":          {form(wide("\ufeff"+short+many, false)) + "*", false},
		"UTF-32 that is cut":                      {"\xff\xfe\x00\x00\"\x00\x00", false},
		"UTF-8 that is cut":                       {shortHeader + mixedRow, false},
		"Windows-1252 behind UTF-8":               {shortHeader + utf8Row + narrowRow, false},
		"Windows-1252 far behind UTF-8":           {shortHeader + utf8Row + many + narrowRow, false},
		"Windows-1252 before UTF-8":               {shortHeader + narrowRow + utf8Row, true},
		"both before it, Windows-1252 first":      {shortHeader + narrowRow + many + utf8Row + narrowRow, true},
		"a row of two values with UTF-8 in one":   {shortHeader + strings.Replace(narrowRow, "EUR", "EÜR", 1), false},
		"Windows-1252 behind a header of UTF-8":   {strings.Replace(shortHeader, "\n", ";\"größe\"\n", 1) + strings.Replace(narrowRow, "\n", ";\"\"\n", 1), false},
		"a column that is spelt in Windows-1252":  {strings.Replace(shortHeader, "\n", ";\"gr\xf6\xdfe\"\n", 1), true},
		"a row in two encodings and no other one": {shortHeader + strings.Replace(utf8Row, "EUR", "\x81", 1), false},
	} {
		var before string
		for _, workers := range []int{1, 3} {
			reader := NewReader(strings.NewReader(c.in), Options{Workers: workers})
			var got []bool
			var found strings.Builder
			for _, problems := range reader.Rows() {
				for _, p := range problems {
					fmt.Fprintf(&found, "%+v\n", p)
					if p.Code == InvalidUTF8 {
						got = append(got, reader.Mendable(p))
						usual := c.want || strings.HasPrefix(reason, "Windows-1252 ") // what is found in a row depends on no other row
						if told := p.Help == ruleOf(InvalidUTF8).Help; told != usual && got[len(got)-1] == c.want {
							t.Errorf("%s: help: %s", reason, p.Help)
						}
					}
				}
			}
			if len(got) == 0 || slices.Contains(got, !c.want) {
				t.Errorf("%s, %d workers: mendable %v", reason, workers, got)
			}
			if before != "" && found.String() != before {
				t.Errorf("%s: found by several workers:\n%s\nand by one:\n%s", reason, found.String(), before)
			}
			before = found.String()
		}
		var out strings.Builder
		fixed := false
		done, err := Fixer{Report: func(c Change) { fixed = fixed || !c.Refused && (c.Code == fixCP1252 || c.Code == fixUTF16) }}.Fix(&out, strings.NewReader(c.in))
		if fixed = fixed && done.Findings.Err() == nil; err != nil || fixed != c.want {
			t.Errorf("%s: fixed %v, %+v, %v", reason, fixed, done, err)
		}
	}
}

// TestRowInAnotherEncodingHasTheFindingsItHasAlone: the remedy for a row in Windows-1252 named the rows before it,
// so that the findings of a row depended on others.
func TestRowInAnotherEncodingHasTheFindingsItHasAlone(t *testing.T) {
	narrow := strings.Replace(shortRow, "order-1", "K\xf6ln", 1)
	found := func(rows string) (list ledger.Findings) {
		for _, problems := range NewReader(strings.NewReader(shortHeader+rows), Options{}).Rows() {
			for _, p := range problems {
				p.Place = ledger.Place{}
				list = append(list, p)
			}
		}
		return list
	}
	alone, behind := found(narrow), found(strings.Replace(shortRow, "order-1", "Köln", 1)+narrow)
	if len(alone) == 0 || !reflect.DeepEqual(alone, behind) {
		t.Errorf("alone: %+v\nbehind a row in UTF-8: %+v", alone, behind)
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
	in.WriteString(shortHeader)
	var want strings.Builder
	for i := range 3000 {
		row := strings.Replace(shortRow, "order-1", fmt.Sprintf("o-%06d", i), 1)
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

// TestRowThatIsNotUTF8IsJudgedAlone: what is found in a row does not depend on the encoding of the rows
// before it (L48); whether a Fixer mends it does.
func TestRowThatIsNotUTF8IsJudgedAlone(t *testing.T) {
	for name, city := range map[string]string{
		"Windows-1252":            "K\xf6ln",
		"no known encoding":       "\x81",
		"two encodings":           "K\xf6ln, Z\u00fcrich",
		"a surrogate":             "\xed\xa0\x80",
		"a character that is cut": "K\xc3",
	} {
		found := func(before string) (help string, mendable bool) {
			text := string(w3(2, func(row uint64, v values) {
				if v[ColumnCity] = before; row > 0 {
					v[ColumnCity] = city
				}
			}))
			r := NewReader(strings.NewReader(text), w3Options())
			for _, ps := range r.Rows() {
				for _, p := range ps {
					if p.Code == InvalidUTF8 && p.Place.Row == 2 {
						help, mendable = p.Help, r.Mendable(p)
					}
				}
			}
			return help, mendable
		}
		alone, mendable := found("Bonn")
		help, mixed := found("Z\u00fcrich")
		if alone == "" || help != alone {
			t.Errorf("%s: %q after a row in UTF-8, %q otherwise", name, help, alone)
		}
		if name == "Windows-1252" && (!mendable || mixed) {
			t.Errorf("%s: mendable %v, after a row in UTF-8 %v", name, mendable, mixed)
		}
	}
}
