package rules

import (
	"encoding/base64"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/ledger"
)

// TestFixFindsWhatIsBehindThePayload: of the form in which a payload arrived Fix says what Decode says, behind its end too.
func TestFixFindsWhatIsBehindThePayload(t *testing.T) {
	body := string(formOf([]byte(short)))
	for _, in := range []string{body, body + "&payload=x", body + "&a=b+c", body + "&a;b=%zz", "a=b&" + body + "&payload2=", body + "\n", body[:len(body)-2]} {
		done, err := Fixer{}.Fix(io.Discard, strings.NewReader(in))
		want, other := Decode(io.Discard, strings.NewReader(in), options())
		if err != nil || other != nil || !slices.Equal(codes(done.Findings), codes(want)) {
			t.Errorf("%q: %v, %v; decoded: %v, %v", in, done.Findings.Unwrap(), err, want.Unwrap(), other)
		}
	}
}

func codes(fs ledger.Findings) (list []ledger.Code) {
	for _, f := range fs {
		list = append(list, f.Code)
	}
	return list
}

// TestRefusedNames: a name that is refused is told by its number, and with the column that it perhaps means where the
// header lacks that.
func TestRefusedNames(t *testing.T) {
	for _, c := range []struct {
		header string
		field  int
		column Column
		near   Column
	}{
		{`"ammountt";"currency"`, 1, 0, ColumnAmount},
		{`"currency";"ammountt"`, 2, 0, ColumnAmount},
		{`"amount";"ammountt"`, 2, 0, 0},
		{`"amount";"colour"`, 2, 0, 0},
		{`"sum";"price"`, 1, ColumnAmount, 0},
	} {
		var refused []Change
		f := Fixer{Report: func(ch Change) {
			if ch.Refused {
				refused = append(refused, ch)
			}
		}}
		if _, err := f.Fix(io.Discard, strings.NewReader(c.header+"\n")); err != nil || len(refused) == 0 {
			t.Errorf("%s: %v, %v", c.header, refused, err)
			continue
		}
		if got := refused[0]; got.Field != c.field || got.Column != c.column || got.Near != c.near {
			t.Errorf("%s: %+v", c.header, got)
		}
	}
}

// TestTextOfAnUnreadableRecord: in a row or a header that cannot be cut into values, each fault of the text is reported at
// its first byte, be it the first of the record.
func TestTextOfAnUnreadableRecord(t *testing.T) {
	for _, head := range []string{"", shortHeader} {
		for text, want := range map[string]map[ledger.Code]int{
			"\xff\"x\n": {InvalidUTF8: 0}, "a\xffb\"x\n": {InvalidUTF8: 1}, "\x00\"x\n": {NULCharacter: 0}, "ab\x00\"\n": {NULCharacter: 2}, "\x00\xff\"\n": {NULCharacter: 0, InvalidUTF8: 1},
			"ab\"\n": {},
		} {
			o := options()
			o.Input = InputCSV
			got := map[ledger.Code]int{}
			for _, p := range judge(head+text, o).problems {
				if p.Code == InvalidUTF8 || p.Code == NULCharacter {
					got[p.Code] = int(p.Place.Offset) - len(head)
				}
			}
			if len(got) != len(want) {
				t.Errorf("%q: %v, want %v", head+text, got, want)
			}
			for code, at := range want {
				if place, ok := got[code]; !ok || place != at {
					t.Errorf("%q: %s at %d, want %d", head+text, code, place, at)
				}
			}
		}
	}
}

// TestCurrencyBeyondASCII: its letters are counted, not its bytes.
func TestCurrencyBeyondASCII(t *testing.T) {
	for currency, want := range map[string]string{"\u00c4\u00d6\u00dc": "W currency-unknown", "\u00c4\u00d6\u00dc\u00c4": "E too-long", "EUR": "A", "EUX": "W currency-unknown"} {
		if got := verdict(judge(document(destination(values{ColumnCurrency: currency})), options()).problems); got != want {
			t.Errorf("%s: %s, want %s", currency, got, want)
		}
	}
}

// TestNamesInAnyCase: a Fixer knows each column by its name, and by the others that it has, in any case and with any of
// the usual marks between words.
func TestNamesInAnyCase(t *testing.T) {
	known := func(name string, want Column, code ledger.Code) {
		t.Helper()
		for _, written := range []string{strings.ToUpper(name), strings.ReplaceAll(strings.ToUpper(name), "-", " "), strings.ReplaceAll(name, "-", "_ "), " " + strings.ToTitle(name)} {
			if _, exact := ColumnOf(written); exact {
				continue
			}
			if cols, got, _ := new(fixing).meaning(written); !slices.Contains(cols, want) || rankCodes[got] != code {
				t.Errorf("%q is %v by %d, want %v by %s", written, cols, got, want, code)
			}
		}
	}
	var last Column
	for s := range Columns() {
		known(s.Name, s.Column, fixName)
		last = s.Column
	}
	aliased := false
	for alias, c := range Aliases() {
		known(alias, c, fixAlias)
		aliased = aliased || c == last
	}
	if !aliased {
		t.Errorf("%v has no other name", last)
	}
}

// TestExcerptIsCut: forty characters of a value are shown, and a mark in place of more.
func TestExcerptIsCut(t *testing.T) {
	for n, want := range map[int]string{39: strings.Repeat("a", 38) + "·", 40: strings.Repeat("a", 39) + "·", 41: strings.Repeat("a", 40) + "…"} {
		r := NewReader(strings.NewReader(document(source(values{ColumnPurpose: strings.Repeat("\u00e4", n-1) + "\x01"}))), options())
		found := 0
		for _, ps := range r.Rows() {
			for _, p := range ps {
				if columnOf(p) == ColumnPurpose {
					found++
					if text, _, ok := r.Excerpt(p); !ok || !strings.Contains(text, `;"`+want+`"`) {
						t.Errorf("%d characters: %s", n, text)
					}
				}
			}
		}
		if found == 0 {
			t.Errorf("%d characters: nothing is found", n)
		}
	}
}

// TestLinesForASpreadsheet: the line is one with quotes and without, in any case, and nothing longer.
func TestLinesForASpreadsheet(t *testing.T) {
	for line, want := range map[string]bool{
		"sep=;": true, `"sep=;"`: true, "SEP=,": true, "sep=": true, `"Sep=` + "\t" + `"`: true, `"sep=;";`: false, "sep": false, "": false, "separate": false,
	} {
		if isSeparatorLine([]byte(line)) != want {
			t.Errorf("%q is a line for a spreadsheet: %t", line, !want)
		}
	}
}

// TestFormsAtTheirShortest: what the first bytes of an input look like, at the fewest bytes that tell.
func TestFormsAtTheirShortest(t *testing.T) {
	other := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("any text ", 9))[:48])
	for _, c := range []struct {
		input string
		code  ledger.Code
		says  string
		form  Input
	}{
		{other, NoHeader, "not column names", InputBase64},
		{other[:60], NoHeader, "", InputCSV},
		{"a\x00b\x00", InvalidUTF8, "UTF-16", InputCSV},
		{"\x00a\x00", NULCharacter, "", InputCSV},
		{"=x&" + string(formOf([]byte(short))), "", "", InputForm},
		{",rp_card_type,client-orderid\n", CSVSeparator, "by commas", InputCSV},
	} {
		j := judge(c.input, options())
		found := c.code == ""
		for _, p := range j.problems {
			found = found || p.Code == c.code && strings.Contains(p.Message+": "+p.Help, c.says)
		}
		if !found || j.summary.Input != c.form {
			t.Errorf("%q: %v, %v", c.input, j.summary.Input, j.problems.Unwrap())
		}
	}
}

// TestBarePlusSigns: plus signs that mean spaces are counted in the whole body, and the place is that of the first. One
// in the payload ends the reading, and the rest is not counted.
func TestBarePlusSigns(t *testing.T) {
	text := base64.StdEncoding.EncodeToString([]byte(strings.Replace(short, "order-1", strings.Repeat(">", 12), 1)))
	if strings.Count(text, "+") < 2 {
		t.Fatalf("no two plus signs in %s", text)
	}
	inside := "payload=" + strings.NewReplacer("/", "%2F", "=", "%3D").Replace(text)
	escaped := strings.ReplaceAll(inside, "+", "%2B")
	for body, want := range map[string]int{
		escaped: 0, "a=b+c&" + escaped: 1, escaped + "&a=+": 1, "a=+b&" + escaped + "&c=d+e+": 3, inside: 1, "a=+&" + inside: 1, inside + "&a=+": 1,
	} {
		said := ""
		for _, p := range judge(body, options()).problems {
			if p.Code != FormPlus {
				continue
			}
			if at := strings.Index(body, "+"); int(p.Place.Offset) != at {
				t.Errorf("%s: at byte %d, want %d", body, p.Place.Offset, at)
			}
			said = p.Message
		}
		if (said == "") != (want == 0) || (want > 1) != strings.HasPrefix(said, fmt.Sprintf("%d bare + ", want)) {
			t.Errorf("%s: %q, want %d", body, said, want)
		}
	}
}

// TestCountriesOfAnyTwoBytes: a code is one of two capital letters, whatever two bytes are asked for.
func TestCountriesOfAnyTwoBytes(t *testing.T) {
	known := 0
	for a := range 256 {
		for b := range 256 {
			code := string([]byte{byte(a), byte(b)})
			if !isCountry(code) {
				continue
			}
			if known++; strings.Trim(code, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
				t.Errorf("%q is a country", code)
			}
		}
	}
	if known != 249 || isCountry("") || isCountry("D") || isCountry("DEU") || !isCountry("DE") || !isCountry("ZW") || !isCountry("AD") {
		t.Errorf("%d countries", known) // as many as ISO 3166-1 has
	}
}

// TestElementWithMostDecimals: of the elements with more decimals than the currency the first with the most is named,
// whatever faults others have.
func TestElementWithMostDecimals(t *testing.T) {
	for sequence, want := range map[string]string{
		"1.00,2.00": "", "1.00,2.001": "element 2: the amount has 3", "1.001,2.001": "element 1: the amount has 3", "1.001,2.0001,3.0001": "element 2: the amount has 4",
		"0.00,2.001": "element 2: the amount has 3", "01.001,2.001": "element 1: the amount has 3", "1e3,2.001": "element 2: the amount has 3", "1.00,,2.001": "element 3: the amount has 3",
	} {
		said := ""
		for _, p := range judge(document(source(values{ColumnAmount: "", ColumnAmountSequence: sequence})), options()).problems {
			if p.Code == AmountScale {
				said = p.Error()
			}
		}
		if (said == "") != (want == "") || !strings.Contains(said, want) {
			t.Errorf("%s: %q, want %q", sequence, said, want)
		}
	}
}

// TestRowsWithoutAColumn: a row of SRC is right only if the header has all columns that SRC requires, or their lack is
// made less than an error.
func TestRowsWithoutAColumn(t *testing.T) {
	text := strings.Replace(document(source(nil)), `"city"`, `"x"`, 1)
	for severity, want := range map[ledger.Severity]int{ledger.SeverityError: 0, ledger.SeverityWarning: 1, ledger.SeverityOff: 1} {
		o := options()
		o.Severity = map[ledger.Code]ledger.Severity{ColumnMissing: severity, ColumnUnknown: ledger.SeverityWarning, MissingValue: ledger.SeverityWarning}
		if j := judge(text, o); len(j.rows) != want || j.summary.Valid != want {
			t.Errorf("%v: %d rows: %v", severity, len(j.rows), j.problems.Unwrap())
		}
	}
}

// TestMostColumns: a header and a row may have as many values as the limit says, and no more.
func TestMostColumns(t *testing.T) {
	for row, want := range map[string][]ledger.Code{strings.Repeat(";", maxCells-1) + "\n": {CSVWidth}, strings.Repeat(";", maxCells) + "\n": {LimitColumns}} {
		j := judge(shortHeader+row+otherRow, options())
		if got := codes(j.problems); !slices.Equal(got, want) || len(j.rows) != 1 {
			t.Errorf("%d values: %v, want %v; %d rows", len(row), got, want, len(j.rows))
		}
		if got := codes(judge(strings.TrimSuffix(shortHeader, "\n")+row, options()).problems); !slices.Contains(got, LimitColumns) {
			t.Errorf("a header: %v", got)
		}
	}
}

// TestHelpOfOtherBodies: only a body with the names of a response is taken for one.
func TestHelpOfOtherBodies(t *testing.T) {
	for body, want := range map[string]bool{"type=async-response&serial-number=1": true, "debug=1&x=2": false, "types=1": false} {
		o := options()
		o.Input = InputForm
		said := false
		for _, p := range judge(body, o).problems {
			said = said || strings.Contains(p.Help, "response of the gateway")
		}
		if said != want {
			t.Errorf("%s: %t", body, said)
		}
	}
}

// TestProfileOfAFinding: a finding names the row by its client-orderid, up to the longest that one may be.
func TestProfileOfAFinding(t *testing.T) {
	longest := columns[ColumnOrderID].Max
	for n, want := range map[int]bool{1: true, longest - 1: true, longest: true, longest + 1: false} {
		id := strings.Repeat("\u00e4", n)
		found := false
		for _, p := range judge(document(destination(values{ColumnOrderID: id, ColumnAmount: "1e3"})), options()).problems {
			if p.Code == AmountSyntax {
				found = true
				if (p.Place.Profile == id) != want || !want && p.Place.Profile != "" {
					t.Errorf("%d characters: %q", n, p.Place.Profile)
				}
			}
		}
		if !found {
			t.Errorf("%d characters: nothing is found", n)
		}
	}
}

// TestProfileIsTheShownID: beside a whole card number a finding names the row as ShownID does (L47).
func TestProfileIsTheShownID(t *testing.T) {
	for _, card := range []string{"501800000009", "4222222222222", "4111111111111111"} {
		for _, id := range []string{"o-1", "5555555555554444", card, "no " + card, card[:6] + "-" + card[6:]} {
			j := judge(document(destination(values{ColumnCardNumber: card, ColumnOrderID: id, ColumnCurrency: "EUX"})), options())
			if len(j.rows) != 1 || len(j.problems) == 0 {
				t.Errorf("%s, %s: %v", card, id, j.problems.Unwrap())
				continue
			}
			for _, p := range j.problems {
				if p.Place.Row == 1 && p.Place.Profile != j.rows[0].ShownID {
					t.Errorf("%s, %s: %s, shown as %s", card, id, p.Place.Profile, j.rows[0].ShownID)
				}
			}
		}
	}
}
