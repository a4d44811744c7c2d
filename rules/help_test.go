package rules

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/calendar"
)

// values are the cells of one row by column.
type values map[Column]string

// asOf is the day of every test that does not say otherwise.
func asOf() calendar.Date { return calendar.MustParse("2026-01-10") }

func options() Options { return Options{AsOf: asOf()} }

// source is a row that no rule finds a fault with.
func source(change values) values {
	v := values{
		CardType: "SRC", OrderID: "order-1", CardNumber: "4111111111111111", CVV2: "123",
		CardPrintedName: "JOHN Q PUBLIC", ExpireYear: "2045", ExpireMonth: "12", Amount: "10.00",
		Currency: "EUR", Country: "DE", City: "Springfield", ZipCode: "12345", Address1: "1 Example Street",
		FirstName: "John", LastName: "Public", Email: "john@example.com", Period: "month", Interval: "1",
		StartDate: "31.01.2026", FinishDate: "31.12.2040", MaxRepeatsNumber: "12",
	}
	maps.Copy(v, change)
	return v
}

// destination is the same for DST.
func destination(change values) values {
	v := values{
		CardType: "DST", OrderID: "order-1", CardNumber: "4111111111111111", Amount: "10.00", Currency: "EUR",
	}
	maps.Copy(v, change)
	return v
}

// document is the payload of rows under a header of all columns.
func document(rows ...values) string {
	out := AppendHeader(nil)
	for _, row := range rows {
		out = append(out, line(row)...)
	}
	return string(out)
}

// line is one row of all columns.
func line(row values) string {
	var cells []string
	for s := range Columns() {
		cells = append(cells, row[s.Column])
	}
	return string(AppendRecord(nil, cells...))
}

// judged is what a Reader told of an input.
type judged struct {
	rows     []*Row
	problems Problems
	summary  Summary
	err      error
}

func judge(input string, o Options) judged {
	r := NewReader(strings.NewReader(input), o)
	return collect(r)
}

func collect(r *Reader) judged {
	var j judged
	for row, ps := range r.Rows() {
		if row != nil {
			j.rows = append(j.rows, row)
		}
		j.problems = append(j.problems, ps...)
	}
	j.summary, j.err = r.Summary(), r.Err()
	return j
}

// verdict is the problems as "E code" and "W code", sorted, or "A" for none.
func verdict(ps Problems) string {
	var words []string
	for _, p := range ps {
		words = append(words, map[Severity]string{Error: "E ", Warning: "W "}[p.Severity]+p.Code.String())
	}
	if len(words) == 0 {
		return "A"
	}
	slices.Sort(words)
	return strings.Join(words, ", ")
}

// A reasoned is a table row that must have a name and a reason.
type reasoned interface{ id() (name, reason string) }

// each runs a table's rows as subtests; it refuses a row without a reason and a name
// used twice.
func each[R reasoned](t *testing.T, table []R, run func(*testing.T, R)) {
	t.Helper()
	seen := map[string]bool{}
	for _, row := range table {
		name, reason := row.id()
		if reason == "" {
			t.Errorf("row %q has no reason", name)
		}
		if seen[name] {
			t.Errorf("name %q is used twice", name)
		}
		seen[name] = true
		t.Run(name, func(t *testing.T) { run(t, row) })
	}
}

// Marks that a spreadsheet or word processor put around the values are what the remedy is about (h115).
func TestHelpOnOtherQuotes(t *testing.T) {
	for _, marks := range [][2]string{{"“", "”"}, {"'", "'"}, {"„", "“"}, {"«", "»"}} {
		row := destination(values{StartDate: "01.02.2026"})
		for c, v := range row {
			row[c] = marks[0] + v + marks[1]
		}
		told := 0
		for _, p := range judge(document(row), options()).problems {
			if p.Severity != Error || p.Code == MissingValue {
				continue
			}
			if told++; !strings.Contains(p.Help, "straight double quotes") {
				t.Errorf("%s of %s%s: %s", p.Code, marks[0], marks[1], p.Help)
			}
		}
		if told < 5 {
			t.Errorf("%d errors", told)
		}
	}
	for _, p := range judge(document(destination(values{Amount: "1,5'"})), options()).problems {
		if strings.Contains(p.Help, "straight") {
			t.Errorf("a single mark at the end: %s", p.Help)
		}
	}
}
