package rules

import (
	"strings"
	"testing"

	"github.com/chargecast/chargecast/ledger"
)

// TestKeptCells: what a kept row says of its columns is what encoding/csv reads there,
// whichever values many rows share and its text therefore leaves out.
func TestKeptCells(t *testing.T) {
	const long = `a "quoted" value; that is long enough to be left out`
	columns := []Column{OrderDesc, CardType, OrderID, City, CardNumber, Purpose, Amount, Address1, Currency, Email}
	changing := [][]Column{
		{OrderID}, {OrderDesc, OrderID}, {OrderID, Email}, {OrderID, Amount, City}, {OrderDesc, OrderID, Email},
		{OrderDesc, OrderID, City, Purpose, Amount, Address1, Email},
	}
	for n := range 60 {
		changing = append(changing, nil)
		for _, c := range columns {
			if c == OrderID || u(uint64(n), uint64(c))%3 == 0 {
				changing[len(changing)-1] = append(changing[len(changing)-1], c)
			}
		}
	}
	for n, changes := range changing {
		var names []string
		for _, c := range columns {
			names = append(names, c.String())
		}
		names = append(names, "unknown")
		b := AppendRecord(nil, names...)
		for i := range 300 {
			row := values{
				OrderDesc: long, CardType: "DST", CardNumber: "4111111111111111", City: "Springfield", Purpose: long + " twice",
				Amount: "10.00", Address1: "", Currency: "EUR", Email: "john@example.com",
			}
			for _, c := range changes {
				x := u(uint64(n), uint64(i)*31+uint64(c))
				switch {
				case c == OrderID:
					row[c] = strings.Repeat("x", int(x%40)+1)
				case c == Amount:
					row[c] = []string{"1.00", "2", "33.33"}[x%3]
				case c == Email:
					row[c] = []string{"a@example.com", "", "john@example.com"}[x%3]
				case c != CardType && c != CardNumber && c != Currency:
					row[c] = []string{`"`, "", "é", `x"";"`, "plain", long}[x%6]
				}
			}
			var cells []string
			for _, c := range columns {
				cells = append(cells, row[c])
			}
			b = AppendRecord(b, append(cells, strings.Repeat("?", i%3))...)
		}
		o := options()
		o.Severity = map[ledger.Code]ledger.Severity{ColumnUnknown: ledger.SeverityOff, OrderIDDuplicate: ledger.SeverityOff}
		kept := judge(string(b), o).rows
		records, err := csvReader(strings.NewReader(string(b))).ReadAll()
		if err != nil || len(kept) != 300 || len(records) != 301 {
			t.Fatalf("%v: %d rows, %d records, %v", changes, len(kept), len(records), err)
		}
		for i, row := range kept {
			for f, c := range columns {
				if got, want := row.Cell(c).Reveal(), records[i+1][f]; got != want {
					t.Fatalf("%v, row %d: %v is %q, want %q", changes, i+1, c, got, want)
				}
			}
			if row.OrderID != row.Cell(OrderID).Reveal() || !row.Cell(State).IsEmpty() {
				t.Fatalf("%v, row %d: %q, %q", changes, i+1, row.OrderID, row.Cell(State).Reveal())
			}
		}
	}
}
