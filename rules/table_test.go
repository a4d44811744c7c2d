package rules

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
)

func TestColumnTable(t *testing.T) { // 2.1
	n := 0
	for s := range Columns() {
		n++
		if s != s.Column.Spec() || s.Name == "" || s.Need == "" || s.Kind() == "" || s.Clause.String() == "" {
			t.Errorf("%+v is incomplete", s)
		}
		if int(s.Column) != n {
			t.Errorf("%s is out of order", s.Name)
		}
		if c, ok := ColumnOf(s.Name); !ok || c != s.Column {
			t.Errorf("%s is not found by its name", s.Name)
		}
	}
	if n != 33 {
		t.Errorf("%d columns, the document has 33", n)
	}
	if _, ok := ColumnOf("Amount"); ok {
		t.Error("names must agree exactly (L42)")
	}
	private := " credit-card-number cvv2 card-printed-name first-name last-name email ssn birthday phone " // personal data and card data
	for s := range Columns() {
		if want := strings.Contains(private, " "+s.Name+" "); (s.privacy == masked || s.privacy == edges) != want {
			t.Errorf("%s is private: %v", s.Name, (s.privacy == masked || s.privacy == edges))
		}
	}
	for i := InputAuto; i <= InputForm; i++ {
		var got Input
		if err := got.UnmarshalText([]byte(i.String())); got != i || err != nil {
			t.Errorf("%s is %v, %v", i, got, err)
		}
	}
	if err := new(Input).UnmarshalText([]byte("xml")); err == nil {
		t.Error("a form that does not exist has a name")
	}
	if (Column(0)).String() != "" || Column(200).Spec() != (Spec{}) || Column(columnCount+1).Spec() != (Spec{}) {
		t.Error("a column that does not exist has a line")
	}
}

// commandWords are what only the command may say: its own name, and flags.
var commandWords = regexp.MustCompile(`chargecast|validate|(^|\s)--[a-z]`)

func TestRuleTable(t *testing.T) { // X01, X02
	seen := map[string]bool{}
	for r := range Rules() {
		switch {
		case string(r.Code) == "" || r.Text == "" || r.Help == "" || r.Good == "" || r.Bad == "" || r.Severity == 0:
			t.Errorf("%q is incomplete", string(r.Code))
		case seen[string(r.Code)]:
			t.Errorf("%s is there twice", string(r.Code))
		case strings.ToLower(string(r.Code)) != string(r.Code) || strings.ContainsAny(string(r.Code), " _"):
			t.Errorf("%s is not kebab-case", string(r.Code))
		case r.Clause == 0 || r.Basis < r.Clause.Entry().Basis:
			t.Errorf("%s claims %s, its clause is %s", string(r.Code), r.Basis, r.Clause.Entry().Basis)
		}
		seen[string(r.Code)] = true
		for _, text := range []string{r.Text, r.Help, r.Note} { // R8
			if commandWords.MatchString(text) {
				t.Errorf("%s speaks of the command: %s", r.Code, text)
			}
		}
	}
}

// TestEveryRuleCanBreak holds each rule against inputs of the catalogue that break it
// (V09): a rule that none of them meets would never be missed.
func TestEveryRuleCanBreak(t *testing.T) {
	met := map[ledger.Code]bool{ScriptColumn: true, ScriptEmpty: true} // TestUpdate has those
	note := func(ps ledger.Findings) {
		for _, p := range ps {
			met[p.Code] = true
		}
	}
	for _, c := range hostilePayloads(t, "hostile-cells", "payload-columns", "payload-rows", "payload-csv", "payload-wire") {
		note(c.judge().problems)
	}
	rest := options()
	rest.MaxRows, rest.MaxBytes, rest.Currency = 1, 2000, "USD"
	rest.Policy, _ = engine.ParsePolicy("start-absent=reject")
	rest.Severity = map[ledger.Code]ledger.Severity{FinishUnreachable: ledger.SeverityWarning, FirstChargeToday: ledger.SeverityWarning}
	note(judge(document(source(nil), source(nil)), rest).problems)
	note(judge(document(source(values{ColumnStartDate: "10.01.2026"})), rest).problems)
	note(judge(document(source(values{ColumnStartDate: ""})), rest).problems)
	note(judge(document(source(nil), source(nil)), options()).problems)
	few := options()
	few.MaxOrderIDs = 1
	note(judge(document(source(values{ColumnOrderID: "b"}), source(values{ColumnOrderID: "a"})), few).problems)
	rest.MaxBytes, rest.MaxRows = 10, 0
	note(judge(short, rest).problems)
	rest.MaxBytes, rest.MaxRow = 0, 100
	note(judge(short+strings.Repeat("x", 200), rest).problems)
	note(judge(short, Options{}).problems)
	note(judge(short, Options{AsOf: asOf(), Input: 77}).problems)
	note(judge(short+shortHeader, options()).problems)
	note(judge(document(source(values{ColumnCity: "#REF!", ColumnZipCode: "1067", ColumnPurpose: "MÃ¼ller"})), options()).problems)
	note(judge(document(sequence("9,99,19,99"), sequence(strings.Repeat("1,", maxElements)+"1")), options()).problems)
	for r := range Rules() {
		if !met[r.Code] {
			t.Errorf("no input breaks %s", string(r.Code))
		}
	}
}

func TestSeverities(t *testing.T) { // V18, h272
	row := document(source(values{ColumnCity: " Springfield", ColumnPurpose: strings.Repeat("x", 129)}))
	if got := verdict(judge(row, options()).problems); got != "E too-long, W surrounding-space" {
		t.Fatal(got)
	}
	o := options()
	o.Strict = true
	if got := verdict(judge(row, o).problems); got != "E surrounding-space, E too-long" {
		t.Errorf("strict: %s", got)
	}
	o = options()
	o.Severity = map[ledger.Code]ledger.Severity{TooLong: ledger.SeverityWarning, SurroundingSpace: ledger.SeverityOff}
	j := judge(row, o)
	if got := verdict(j.problems); got != "W too-long" || len(j.rows) != 1 {
		t.Errorf("overridden: %s, %d rows", got, len(j.rows))
	}
	o.Severity = map[ledger.Code]ledger.Severity{CSVQuote: ledger.SeverityOff, DateSyntax: ledger.SeverityOff, AmountSyntax: ledger.SeverityWarning}
	for _, input := range []string{withCell(`"a"b"`), document(source(values{ColumnStartDate: "1.2.2026"})), document(source(values{ColumnAmount: "1e3"}))} {
		if j := judge(input, o); len(j.rows) != 0 || j.summary.Valid != 0 || j.summary.Rows != 1 {
			t.Errorf("a silenced fault makes an unreadable row usable: %+v", j.summary)
		}
	}
}

func TestFindingsAsErrors(t *testing.T) {
	j := judge(document(source(values{ColumnStartDate: "1.2.2026"})), options())
	err := j.problems.Err()
	if !errors.Is(err, DateSyntax) || errors.Is(err, AmountZero) {
		t.Error("a code is not found, or one that is not there is")
	}
	if p, ok := errors.AsType[ledger.Finding](err); !ok || columnOf(p) != ColumnStartDate {
		t.Error("the finding is not found")
	}
	if ledger.Findings(nil).Err() != nil || (ledger.Findings{{Severity: ledger.SeverityWarning}}).Err() != nil {
		t.Error("a list without errors is an error")
	}
	if strings.Contains(err.Error(), "\n") {
		t.Error("an error has more than one line")
	}
}
