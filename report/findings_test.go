package report_test

import (
	"bytes"
	"encoding/xml"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/internal/termtext"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/report"
)

// finding is one of a row, with a code that is as wide as they get.
func finding(row int, code ledger.Code) ledger.Finding {
	return ledger.Finding{
		Code: code, Severity: ledger.SeverityError, Kind: ledger.SubjectColumn, Subject: "server_callback_url",
		Place: ledger.Place{Row: row, Line: row + 1, Col: 1, Profile: "order-" + strconv.Itoa(row)}, Message: "the amount is zero", Help: "give one",
	}
}

// Findings of two rows, for people.
func ExampleFindings() {
	p := report.NewFindings(os.Stdout, report.FindingsOptions{})
	p.Open("payload.csv")
	p.Add(ledger.Finding{
		Code: "amount-zero", Severity: ledger.SeverityError, Kind: ledger.SubjectColumn, Subject: "amount",
		Place: ledger.Place{Row: 1, Line: 2, Col: 30}, Message: "the amount is zero", Help: "give a positive amount",
	}, func() report.Shape { return report.Shape{Text: `…;"9";"EUR"`, Caret: 2, Given: true} })
	p.End(report.Result{Summary: record.Summary{Rows: 2, Valid: 1, Errors: 1}})
	p.Close()
	// Output:
	// payload.csv:2:30: error: amount-zero: amount: the amount is zero
	//   2 | …;"9";"EUR"
	//     |   ^
	//   help: give a positive amount
	// 2 rows, 1 usable; 1 error, 0 warnings
}

// TestFindingsTable: many findings have a table in front, which fits the terminal and loses no word
// there; the rows of three findings are named, where they were the first to the last; of many with
// one code the first are shown.
func TestFindingsTable(t *testing.T) {
	table := func(columns int) (table, rest string) {
		var out bytes.Buffer
		p := report.NewFindings(&out, report.FindingsOptions{Columns: columns})
		p.Open("a.csv")
		for _, row := range []int{1, 4, 8} {
			p.Add(finding(row, "start-date-before-as-of-date"), nil)
		}
		for row := range 30 {
			if shown := p.Add(finding(row+1, "amount-zero"), nil); shown != (row < 20) {
				t.Errorf("finding %d is shown: %v", row+1, shown)
			}
		}
		p.Add(ledger.Finding{Code: "csv-separator", Severity: ledger.SeverityWarning}, nil)
		p.Flush()
		table, rest, _ = strings.Cut(out.String(), "\n\n")
		return table, rest
	}
	whole, rest := table(0)
	if !strings.Contains(whole, "  1, 4, 8\n") || !strings.Contains(whole, "  1 to 30\n") || !strings.HasSuffix(rest, "a.csv: amount-zero: 10 more like these\n") {
		t.Errorf("the table is\n%s\nand the rest\n%s", whole, rest)
	}
	for _, columns := range []int{60, 72, 80, 100} {
		folded, _ := table(columns)
		if strings.Join(strings.Fields(folded), " ") != strings.Join(strings.Fields(whole), " ") {
			t.Errorf("at %d columns the table has other words:\n%s", columns, folded)
		}
		for line := range strings.Lines(folded) {
			if n := termtext.Cells(strings.TrimSuffix(line, "\n")); n > columns {
				t.Errorf("at %d columns a line has %d: %s", columns, n, line)
			}
		}
	}
}

// TestFindingsCannotEscape: what a file and a row are called ends no command of GitHub and no
// element of XML.
func TestFindingsCannotEscape(t *testing.T) {
	for _, form := range []string{report.FindingsGitHub, report.FindingsJUnit, report.FindingsText} {
		var out bytes.Buffer
		p := report.NewFindings(&out, report.FindingsOptions{
			Form: form, Several: true, Tool: "chargecast validate", Rule: func(ledger.Code) string { return "<rule>" }, Header: func() record.Header { return record.Header{} },
		})
		p.Open("a%b,c:d\\u000a::error::<x>&.csv")
		f := finding(1, "amount-zero")
		f.Message, f.Place.Profile = "one\n::error::two\x1b[2J</failure>", "\n::warning::<b>"
		p.Add(f, nil)
		p.End(report.Result{Summary: record.Summary{Rows: 1, Errors: 1}})
		p.Close()
		text := out.String()
		switch form {
		case report.FindingsGitHub:
			if strings.Count(text, "\n::") > 0 || !strings.HasPrefix(text, "::error file=a%25b%2Cc%3Ad") {
				t.Errorf("annotations:\n%s", text)
			}
		case report.FindingsJUnit:
			if err := xml.Unmarshal(out.Bytes(), new(struct{})); err != nil || strings.Contains(text, "<b>") {
				t.Errorf("%v in\n%s", err, text)
			}
		default:
			if strings.Contains(text, "\x1b") || strings.Contains(text, "\n::") {
				t.Errorf("text:\n%q", text)
			}
		}
	}
}
