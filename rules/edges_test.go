package rules

import (
	"bytes"
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/form"
	"github.com/chargecast/chargecast/ledger"
)

// TestPlainBytes: every byte at every place of a value is plain exactly when it is printable
// ASCII, in isPlain and in the reading of quoted values.
func TestPlainBytes(t *testing.T) {
	for b := range 256 {
		want := ' ' <= b && b <= '~'
		for at := range 24 {
			value := []byte(strings.Repeat("x", 24))
			value[at] = byte(b)
			if got := isPlain(value); got != want {
				t.Fatalf("byte %#x at %d: isPlain gives %v", b, at, got)
			}
			if b == '"' {
				continue // ends the value
			}
			text := `"` + string(value) + `";"behind"` + "\n" + `"the next";"row"` + "\n"
			s := newScanner(strings.NewReader(text), defaultMaxRow)
			if !s.scan() || len(s.cells) != 2 || s.plain != want {
				t.Fatalf("byte %#x at %d of a quoted value: plain is %v, %d values", b, at, s.plain, len(s.cells))
			}
		}
	}
}

// TestPatternFromALaterColumn: what rows have in common may begin behind the first value.
func TestPatternFromALaterColumn(t *testing.T) {
	names := []Column{ColumnOrderID, ColumnCardType, ColumnCardNumber, ColumnAmount, ColumnCurrency, ColumnFinishDate}
	var b []byte
	var cells []string
	for _, c := range names {
		cells = append(cells, c.String())
	}
	b = AppendRecord(b, cells...)
	for i := range 50 {
		finish := "01.02.2030"
		if i%7 == 6 {
			finish = "31.02.2030"
		}
		b = AppendRecord(b, "order-"+strconv.Itoa(i), "DST", "4111111111111111", "10.00", "EUR", finish)
	}
	j := judge(string(b), options())
	if len(j.rows) != 43 || len(j.problems) != 7 {
		t.Fatalf("%d rows, %s", len(j.rows), verdict(j.problems))
	}
	for _, p := range j.problems {
		if p.Code != DateNotADay || p.Place.Row%7 != 0 || p.Place.Col != strings.Index(strings.Split(string(b), "\n")[p.Place.Row], "31.02")+len(`"`)-1 {
			t.Error(p, p.Place.Row)
		}
	}
	for _, row := range j.rows {
		if row.OrderID() != "order-"+strconv.Itoa(row.Number-1) || row.Kind != engine.KindDestination || row.Amounts.IsZero() {
			t.Errorf("%v: %s", row, row.OrderID())
		}
	}
}

// TestWrappedInWholeGroups: a line end is a fault although what follows it is whole groups of
// characters without padding (L49).
func TestWrappedInWholeGroups(t *testing.T) {
	csv := short
	for len(csv)%6 != 0 {
		csv += "\n"
	}
	text := base64.StdEncoding.EncodeToString([]byte(csv))
	for at := 4; at < len(text); at++ {
		j := judge(text[:at]+"\n"+text[at:], options())
		if got := verdict(j.problems); got != "E base64-wrapped" || j.problems[0].Place.Offset != int64(at) {
			t.Fatalf("line end at %d: %s", at, got)
		}
	}
}

// TestBase64Help: the remedy for what is no base64 names what it looks like.
func TestBase64Help(t *testing.T) {
	for _, c := range []struct{ reason, text, help string }{
		{"a quote is of a CSV", `QUJD"QUJD`, "encode it, or read it as CSV"},
		{"a semicolon is of a CSV", `QUJD;QUJD`, "encode it, or read it as CSV"},
		{"an escape", "QUJD%2BQUJD", "percent-encode the base64 text once"},
		{"a data URL", "data:text/csv;base64,QUJD", "remove what is before"},
	} {
		o := options()
		o.Input = InputBase64
		j := judge(c.text, o)
		if len(j.problems) != 1 || j.problems[0].Code != Base64Syntax || !strings.Contains(j.problems[0].Help, c.help) {
			t.Errorf("%s: %v", c.reason, j.problems.Unwrap())
		}
	}
}

// TestFormOfPaddedNames: names that look like base64 make a form no base64 (h149).
func TestFormOfPaddedNames(t *testing.T) {
	if got := judge("YWI=&x1=", options()).summary.Input; got != InputForm {
		t.Error(got)
	}
}

// TestPlusCount: bare plus signs in a form are counted, two of them already.
func TestPlusCount(t *testing.T) {
	form := string(formOf([]byte(short)))
	for plus, want := range map[string]string{"+": ruleOf(FormPlus).Text, "++": "2 bare + in the form body mean spaces; the first is here"} {
		j := judge(form+"&oauth_x="+plus, options())
		if len(j.problems) != 1 || j.problems[0].Message != want {
			t.Errorf("%q: %v", plus, j.problems.Unwrap())
		}
	}
}

// TestRowHelp: the remedy for a line that is not a row says what the line is.
func TestRowHelp(t *testing.T) {
	for _, c := range []struct{ reason, line, help string }{
		{"spaces only", "  \t ", "it has only spaces"},
		{"a comment", "# note", "no comments"},
		{"the end mark of a disk operating system", "\x1a", "Ctrl-Z"},
		{"commas", `"DST","order-1"`, "separate values by ;"},
	} {
		j := judge(short+c.line+"\n", options())
		if !slices.ContainsFunc(j.problems, func(p ledger.Finding) bool { return p.Place.Row == 2 && strings.Contains(p.Help, c.help) }) {
			t.Errorf("%s: %v", c.reason, j.problems.Unwrap())
		}
	}
}

// TestSilencedFaults: a finding that is off is completed like any other: several bad elements
// of a sequence, each code off.
func TestSilencedFaults(t *testing.T) {
	o := options()
	o.Severity = map[ledger.Code]ledger.Severity{}
	for r := range Rules() {
		o.Severity[r.Code] = ledger.SeverityOff
	}
	row := document(source(values{ColumnAmount: "", ColumnAmountSequence: "01.00,01.00,0,0,x,x,12345678901,12345678901,1.001,1.001"}))
	for _, input := range []string{row, strings.ReplaceAll(row, "\n", "\r"), "payload=%zz", "x=+&y=+&payload=QUJD", "QUJD=QUJD"} {
		j := judge(input, o)
		j.problems = slices.DeleteFunc(j.problems, func(f ledger.Finding) bool { return Unreadable(f.Code) || f.Code == NoHeader })
		if len(j.problems) != 0 || len(j.rows) != 0 {
			t.Errorf("%.20q: %d rows, %s", input, len(j.rows), verdict(j.problems))
		}
	}
	for _, p := range judge(row, options()).problems { // and told, they say how many there are
		if columnOf(p) == ColumnAmountSequence && p.Code != AmountScale && p.Code != AmountMissing && !strings.HasSuffix(p.Message, "(and 1 more element)") {
			t.Error(p)
		}
	}
}

// TestUnquotedInEveryRow: values without quotes are counted in rows that are like others too.
func TestUnquotedInEveryRow(t *testing.T) {
	b := AppendHeader(nil)
	for i := range 40 {
		row := line(source(values{ColumnOrderID: "order-" + strconv.Itoa(i), ColumnCity: "City " + strconv.Itoa(i/4), ColumnPurpose: strings.Repeat("x", i%3)}))
		b = append(b, strings.Replace(row, `"DE"`, "DE", 1)...)
	}
	j := judge(string(b), options())
	if len(j.problems) != 1 || j.problems[0].Message != "40 values are not quoted; the first is here" {
		t.Error(j.problems.Unwrap())
	}
}

// TestPlacesOfTheWhole: the place of what is about the input as a whole.
func TestPlacesOfTheWhole(t *testing.T) {
	for _, c := range []struct {
		reason, input string
		limit         int64
		code          ledger.Code
		place         string
	}{
		{"nothing", "", 0, NoHeader, place(1, 1, 0)},
		{"blank lines", "\n\n", 0, NoHeader, place(3, 1, 2)},
		{"a line for a spreadsheet alone", "sep=;", 0, NoHeader, place(1, 6, 5)},
		{"a line end in a form", "oauth_a=1\nb&payload=%zz", 0, FormEscape, place(2, 11, 20)},
		{"the first byte is a line end", "&\n=1&payload=%zz", 0, FormEscape, place(2, 12, 13)},
		{"the limit in an escape", "oauth_a=1\n&payload=%51%52", 23, LimitBytes, place(2, 14, 23)},
		{"the limit behind a line end", "oauth_a=%51\n&payload=", 12, LimitBytes, place(2, 1, 12)},
	} {
		o := options()
		o.MaxBytes = c.limit
		if c.code != NoHeader {
			o.Input = InputForm
		}
		j := judge(c.input, o)
		i := slices.IndexFunc(j.problems, func(p ledger.Finding) bool { return p.Code == c.code })
		if i < 0 {
			t.Errorf("%s: %v", c.reason, j.problems.Unwrap())
		} else if p := j.problems[i]; place(p.Place.Line, p.Place.Col, int(p.Place.Offset)) != c.place {
			t.Errorf("%s: %s, want %s", c.reason, place(p.Place.Line, p.Place.Col, int(p.Place.Offset)), c.place)
		}
	}
}

// TestLimitOfCSVTellsItsLine: lines are counted far behind the first buffer where there is a limit.
func TestLimitOfCSVTellsItsLine(t *testing.T) {
	text := w3(100, nil)
	lines := bytes.SplitAfter(text, []byte("\n"))
	limit := len(text) - len(lines[100]) + 7 // in the last row
	o := w3Options()
	o.MaxBytes = int64(limit)
	j := judge(string(text), o)
	if got := verdict(j.problems); got != "E limit-bytes" || len(j.rows) != 99 {
		t.Fatalf("%s, %d rows", got, len(j.rows))
	}
	if p := j.problems[0].Place; place(p.Line, p.Col, int(p.Offset)) != place(101, 8, limit) {
		t.Error(p)
	}
}

// TestIntakePlace: a place in the window counts the line ends before it.
func TestIntakePlace(t *testing.T) {
	const text = "ab\ncd\n\ne"
	in := newInput(strings.NewReader(text), 1<<10)
	for i := range len(text) {
		in.peek(len(text))
		p := in.place(i)
		line, col := 1+strings.Count(text[:i], "\n"), i-strings.LastIndex(text[:i], "\n")
		if p.line != line || p.column+1 != col || p.offset != int64(i) {
			t.Errorf("byte %d: %+v, want %d:%d", i, p, line, col)
		}
	}
}

// TestHalfRangeNamesWhatStands: half a range is reported of the half that is there (L34).
func TestHalfRangeNamesWhatStands(t *testing.T) {
	for _, col := range []Column{ColumnAmountFrom, ColumnAmountTo} {
		j := judge(document(source(values{ColumnAmount: "", col: "10.00"})), options())
		if len(j.problems) != 1 || j.problems[0].Code != AmountHalfRange || columnOf(j.problems[0]) != col {
			t.Errorf("%s: %v", col, j.problems.Unwrap())
		}
	}
}

// TestURLSafeIsRecognised: base64 with a dash or an underline is base64 (L49).
func TestURLSafeIsRecognised(t *testing.T) {
	for old, url := range map[string]string{">>>>>": "-", "?????": "_"} {
		text := base64.URLEncoding.EncodeToString([]byte(withCell(`"` + old + `"`)))
		if !strings.Contains(text, url) {
			t.Fatal("the sample must have " + url)
		}
		if j := judge(text, options()); verdict(j.problems) != "E base64-url-safe" {
			t.Errorf("%s: %s", url, verdict(j.problems))
		}
	}
}

// TestWideTextWithoutMark: UTF-16 and UTF-32 of either order are named (L44).
func TestWideTextWithoutMark(t *testing.T) {
	for _, c := range []struct{ before, after int }{{0, 1}, {1, 0}, {0, 3}, {3, 0}} {
		var b []byte
		for i := range len(short) {
			b = append(b, make([]byte, c.before)...)
			b = append(append(b, short[i]), make([]byte, c.after)...)
		}
		j := judge(string(b), options())
		if len(j.problems) != 1 || j.problems[0].Code != InvalidUTF8 || !strings.Contains(j.problems[0].Message, "UTF-16") {
			t.Errorf("%d zeros before, %d after: %v", c.before, c.after, j.problems.Unwrap())
		}
	}
}

// TestEscapeDigits: of an escape both characters are hexadecimal digits, and what stands beside
// the digits and letters is none (L68).
func TestEscapeDigits(t *testing.T) {
	for c := range 256 {
		want := strings.IndexByte("0123456789abcdefABCDEF", byte(c)) >= 0
		for _, escape := range []string{"%" + string([]byte{byte(c)}) + "1", "%4" + string([]byte{byte(c)})} {
			o := options()
			o.Input = InputForm
			j := judge("oauth_a="+escape+"&"+string(formOf([]byte(short))), o)
			if got := !j.problems.Has(FormEscape); got != want {
				t.Errorf("%q: an escape is %v", escape, got)
			}
		}
	}
}

// TestLimitBetweenParameters: the limit is reported where nothing but separators stood before it, and
// behind a whole payload.
func TestLimitBetweenParameters(t *testing.T) {
	form := string(formOf([]byte(short)))
	for _, c := range []struct {
		reason, before, behind string
		rows                   int
	}{
		{"at the first byte behind a separator", "oauth_a=1&", form, 0},
		{"behind two separators", "oauth_a=1&&", form, 0},
		{"behind the payload", form, "&oauth_a=1", 1},
		{"behind the payload and a separator", form + "&", "oauth_a=1", 1},
		{"in a name behind the payload", form + "&oau", "th_a=1", 1},
		{"behind the last parameter", form + "&oauth_a=1", "&", 1},
	} {
		o := options()
		o.Input, o.MaxBytes = InputForm, int64(len(c.before))
		j := judge(c.before+c.behind, o)
		if got := verdict(j.problems); got != "E limit-bytes" || j.problems[0].Place.Offset != o.MaxBytes {
			t.Errorf("%s: %s", c.reason, got)
		}
		if len(j.rows) > c.rows {
			t.Errorf("%s: %d rows", c.reason, len(j.rows))
		}
	}
}

// TestHeaderPlaces: a wrong separator is pointed to, and an unknown column counted from 1.
func TestHeaderPlaces(t *testing.T) {
	for sep := range strings.SplitSeq(", \t |", " ") {
		j := judge(strings.ReplaceAll(short, ";", sep), options())
		if len(j.problems) != 1 || j.problems[0].Code != CSVSeparator || j.problems[0].Place.Col != len(`"rp_card_type"`)+1 {
			t.Errorf("%q: %v", sep, j.problems.Unwrap())
		}
	}
	j := judge(strings.Replace(short, "\n", `;"nothing like it"`+"\n", 1), options())
	width := strings.Count(strings.SplitN(short, "\n", 2)[0], ";") + 2
	if !slices.ContainsFunc(j.problems, func(p ledger.Finding) bool {
		return p.Code == ColumnUnknown && strings.HasPrefix(p.Message, "column "+strconv.Itoa(width)+" of the header is not one")
	}) {
		t.Error(j.problems.Unwrap())
	}
}

// TestHeaderText: what is wrong with the header as a text is reported of the header (L41b, L44).
func TestHeaderText(t *testing.T) {
	for text, want := range map[string]ledger.Code{"\xff": InvalidUTF8, "\x00": NULCharacter} {
		header, row, _ := strings.Cut(short, "\n")
		j := judge(header+`;"p`+text+`rpose"`+"\n"+strings.TrimSuffix(row, "\n")+`;""`+"\n", options())
		i := slices.IndexFunc(j.problems, func(p ledger.Finding) bool { return p.Code == want })
		if i < 0 || j.problems[i].Place.Line != 1 || j.problems[i].Place.Col != len(header)+len(`;"p`)+1 || len(j.rows) != 0 {
			t.Errorf("%q: %v", text, j.problems.Unwrap())
		}
	}
}

// TestLimitsSayHowMany: a limit is reported with its number, and no other fault of a form is (L56d).
func TestLimitsSayHowMany(t *testing.T) {
	if j := judge(strings.Repeat("x=1&", form.MaxParameters-1)+string(formOf([]byte(short))), options()); j.problems.Has(LimitParameters) || len(j.rows) != 1 {
		t.Errorf("at the limit: %s", verdict(j.problems))
	}
	for input, number := range map[string]bool{strings.Repeat("oauth_a=1&", form.MaxParameters+1): true, "payload=%zz": false, "a;b": false} {
		o := options()
		o.Input = InputForm
		for _, p := range judge(input, o).problems {
			if got := strings.Contains(p.Message, "(limit: 10000 parameters)"); got != (number && p.Code == LimitParameters) {
				t.Errorf("%.12q: %v", input, p)
			}
		}
	}
}
