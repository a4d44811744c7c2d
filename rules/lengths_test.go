package rules

import (
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// TestCardNumberLengths: 12 to 19 digits are a card number, and their check digit counts (L39c).
func TestCardNumberLengths(t *testing.T) {
	for _, c := range []struct {
		reason, number, want string
	}{
		{"too few digits", "00000000000", "W card-number-short"},
		{"as few as may be", "000000000000", "A"},
		{"as few as may be, check digit wrong", "000000000001", "W card-number-check"},
		{"as many as may be", "4111111111111111110", "A"},
		{"as many as may be, check digit wrong", "4111111111111111111", "W card-number-check"},
		{"too many digits", "00000000000000000000", "E too-long"},
		{"too many digits, whatever the check digit", "00000000000000000001", "E too-long"},
	} {
		if got := verdict(judge(document(destination(values{ColumnCardNumber: c.number})), options()).problems); got != c.want {
			t.Errorf("%s: %s, want %s", c.reason, got, c.want)
		}
	}
	for text, want := range map[string]int{"9": 9, "0": 0, "89": 89, "90": 90, "/": -1, ":": -1, "": -1, "9999": -1} {
		if n, ok := numberOf(text, 1, 3); ok != (want >= 0) || ok && n != want {
			t.Errorf("%q: %d, %v", text, n, ok)
		}
	}
}

// TestCardHelp: digits with an exponent behind them are what a spreadsheet makes of a card number.
func TestCardHelp(t *testing.T) {
	for text, want := range map[string]bool{
		"4.11111E+15": true, "4.11111e+15": true, "4E15": true, "4E-3": true, "4E0": true, "4E9": true,
		"411111111111EUR": false, "41111111E": false, "E15": false, "x E5": false, "": false, "4111": false,
	} {
		if got := isQuantity(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestLikeCard: what an id must be to look like a card number: 13 to 19 digits, the first 3 to 6, the
// check digit right.
func TestLikeCard(t *testing.T) {
	for text, want := range map[string]bool{
		"4000000000000": false, "4000000000006": true, "400000000006": false, "4000000000000000006": true, "40000000000000000006": false,
		"3000000000004": false, "3000000000004x": false, "2000000000008": false, "6000000000007": false, "7000000000005": false, "": false,
	} {
		sum := 0 // of the digits, every second one from the right doubled
		for i := range len(text) {
			d := int(text[len(text)-1-i] - '0')
			if i%2 == 1 {
				d *= 2
			}
			sum += d/10 + d%10
		}
		if right := len(text) >= 13 && len(text) <= 19 && text[0] >= '3' && text[0] <= '6' && !strings.Contains(text, "x") && sum%10 == 0; right != want {
			want = right
		}
		if got := likeCard(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestNumbersAtTheirLimit: the largest number, one above it, and numbers of more digits (L36).
func TestNumbersAtTheirLimit(t *testing.T) {
	const never = "W max-repeats-unreachable" // within the calendar
	for text, want := range map[string]string{
		"1": "A", "10": "A", "9223372036854775807": never, "9223372036854775799": never, "1111111111111111111": never,
		"9223372036854775808": "E integer-range", "9999999999999999999": "E integer-range", "10000000000000000000": "E integer-range",
		"007": "W leading-zero", "010": "W leading-zero",
	} {
		j := judge(document(source(values{ColumnMaxRepeatsNumber: text})), options())
		if got := verdict(j.problems); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	for text, want := range map[string]uint64{"7": 7, "12": 12, "120": 120, "9223372036854775807": 1<<63 - 1} {
		if n, ok := naturalOf(text); n != want || !ok {
			t.Errorf("%s: %d, %v", text, n, ok)
		}
	}
}

// TestCounts: one of a kind is not called more of them.
func TestCounts(t *testing.T) {
	header := string(AppendHeader(nil))
	row := line(source(nil))
	for _, c := range []struct {
		reason, input string
		code          ledger.Code
		want          string
	}{
		{"one blank line", header + "\n" + row, BlankLine, ruleOf(BlankLine).Text},
		{"two blank lines", header + "\n\n" + row, BlankLine, "2 blank lines are between rows"},
		{"one zero in a sequence", document(source(values{ColumnAmount: "", ColumnAmountSequence: "1.00,0.00"})), AmountZero, "element 2"},
		{"one decimal too many", document(source(values{ColumnAmount: "1.5", ColumnCurrency: "JPY"})), AmountScale, "the amount has 1 decimal, the currency 0"},
		{"two decimals too many", document(source(values{ColumnAmount: "1.50", ColumnCurrency: "JPY"})), AmountScale, "the amount has 2 decimals, the currency 0"},
		{"one parameter beside payload", string(formOf([]byte(short))) + "&x=1", ParameterExtra, ruleOf(ParameterExtra).Text},
		{"two parameters beside payload", string(formOf([]byte(short))) + "&x=1&y=2", ParameterExtra, "2 parameters are beside payload; the first is here"},
	} {
		ps := judge(c.input, options()).problems
		i := slices.IndexFunc(ps, func(p ledger.Finding) bool { return p.Code == c.code })
		if i < 0 || !strings.Contains(ps[i].Message, c.want) || strings.Contains(ps[i].Message, "more element") {
			t.Errorf("%s: %v", c.reason, ps.Unwrap())
		}
	}
	j := judge(header+"\n"+row+line(source(values{ColumnOrderID: "b", ColumnAmount: "01.00"})), options())
	if j.summary.Warnings != 2 || j.summary.Errors != 0 {
		t.Errorf("%+v, %v", j.summary, j.problems)
	}
}

// TestCellsOfARow: Cells yields the value of every column, and stops when it is told to.
func TestCellsOfARow(t *testing.T) {
	row := source(nil)
	for s := range Columns() {
		if row[s.Column] == "" && s.Column != ColumnAmountFrom && s.Column != ColumnAmountTo && s.Column != ColumnAmountSequence {
			row[s.Column] = map[Column]string{ColumnState: "BE", ColumnBirthday: "01.02.1980", ColumnCustomerIP: "192.0.2.1",
				ColumnNotifyURL: "https://m.example/", ColumnServerCallbackURL: ""}[s.Column]
		}
	}
	j := judge(document(row), options())
	if len(j.rows) != 1 {
		t.Fatal(j.problems)
	}
	next := Column(1)
	for c, cell := range j.rows[0].Cells() {
		if c != next || cell.Reveal() != row[c] || j.rows[0].Cell(c).Reveal() != row[c] {
			t.Errorf("%v has %q, want %v with %q", c, cell.Reveal(), next, row[next])
		}
		next++
	}
	if next != columnCount+1 {
		t.Errorf("%d columns", next-1)
	}
	for c := range j.rows[0].Cells() {
		if c != ColumnCardType {
			t.Errorf("it goes on with %v", c)
		}
		break
	}
	if c := j.rows[0].Cell(columnCount + 1); !c.IsEmpty() {
		t.Error("a column that does not exist has a value")
	}
}

// TestShownIDs: an id is masked where it has the digits of the row's card number, however they are
// divided, if these are as many as a card number has.
func TestShownIDs(t *testing.T) {
	for _, c := range []struct{ reason, id, card, want string }{
		{"another id", "order-1", "4111111111111111", "order-1"},
		{"the number", "4111111111111111", "4111111111111111", "411111******1111"},
		{"the number with dashes", "5-0-9-0-9-0-9-0-9-0-9-0", "509090909090", "*-*-*-*-*-*-*-*-9-0-9-0"},
		{"a number of fewer digits is not hidden", "order-50909090909", "50909090909", "order-50909090909"},
		{"no card number", "order-1", "", "order-1"},
	} {
		if got := shownID(c.id, c.card); got != c.want {
			t.Errorf("%s: %s, want %s", c.reason, got, c.want)
		}
	}
	if got := digitsIn("a0/9:5-"); got != "095" {
		t.Error(got)
	}
}

// TestStartToday: the first charge is on the day of the check only where it is.
func TestStartToday(t *testing.T) {
	o := options()
	o.Severity = map[ledger.Code]ledger.Severity{FirstChargeToday: ledger.SeverityWarning}
	for start, want := range map[string]string{"10.01.2026": "W first-charge-today", "11.01.2026": "A", "": "W first-charge-today"} {
		if got := verdict(judge(document(source(values{ColumnStartDate: start})), o).problems); got != want {
			t.Errorf("start-date %q: %s, want %s", start, got, want)
		}
	}
	past := document(source(values{ColumnStartDate: "09.01.2026"}))
	for policy, clause := range map[engine.StartPast]ledger.Clause{engine.StartPastReject: clause.L03} {
		o := options()
		o.Policy.StartPast = policy
		ps := judge(past, o).problems
		if len(ps) != 1 || ps[0].Code != StartPast || ps[0].Severity != ledger.SeverityError || ps[0].Clause != clause {
			t.Errorf("%v: %v", policy, ps)
		}
	}
	for month, want := range map[string]string{"01": "A", "12": "W card-expired"} { // of 2026, and of 2025
		year := map[string]string{"01": "2026", "12": "2025"}[month]
		row := source(values{ColumnExpireMonth: month, ColumnExpireYear: year, ColumnMaxRepeatsNumber: "1", ColumnStartDate: "31.01.2026"})
		if got := verdict(judge(document(row), options()).problems); got != want {
			t.Errorf("a card valid through %s/%s: %s, want %s", month, year, got, want)
		}
	}
}

// TestExcerptOfEach: the value of a finding is shown with two neighbours on each side, and marks where
// there are more.
func TestExcerptOfEach(t *testing.T) {
	const header = `"rp_card_type";"client-orderid";"credit-card-number";"amount";"currency";"purpose";"city"` + "\n"
	cells := []string{`"DST"`, `"o-1"`, `"4000000000000002"`, `"1.00"`, `"EUR"`, `"p"`, `"d"`}
	shown := []string{`"DST"`, `"a-9"`, `"9999999999999999"`, `"9.99"`, `"EUR"`, `"a"`, `"a"`}
	for f := range cells {
		row := slices.Clone(cells)
		row[f] = strings.TrimSuffix(row[f], `"`) + "\x01\"" // a control character at its end
		here := strings.TrimSuffix(shown[f], `"`) + "·\""
		if f == 0 || f == 4 { // a word is shown only where it is right
			here = map[int]string{0: `"AAA·"`, 4: `"AAA·"`}[f]
		}
		want := strings.Join(append(append(slices.Clone(shown[max(0, f-2):f]), here), shown[f+1:min(len(shown), f+3)]...), ";")
		if f > 2 {
			want = "…;" + want
		}
		if f < 4 {
			want += ";…"
		}
		r := NewReader(strings.NewReader(header+strings.Join(row, ";")+"\n"), options())
		found := false
		for _, ps := range r.Rows() {
			for _, p := range ps {
				text, caret, ok := r.Excerpt(p)
				if p.Code != ControlCharacter {
					continue
				}
				found = true
				if !ok || text != want || []rune(text)[caret] != '·' {
					t.Errorf("value %d: %s with the caret at %d, want %s", f+1, text, caret, want)
				}
			}
		}
		if !found {
			t.Errorf("value %d: no finding", f+1)
		}
	}
}
