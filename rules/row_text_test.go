package rules

import (
	"strings"
	"testing"

	"github.com/chargecast/chargecast/internal/race"
	"github.com/chargecast/chargecast/internal/workload"
	"github.com/chargecast/chargecast/ledger"
)

// TestKeptCells: what a kept row says of its columns is what encoding/csv reads there,
// whichever values many rows share and its text therefore leaves out.
func TestKeptCells(t *testing.T) {
	const long = `a "quoted" value; that is long enough to be left out`
	columns := []Column{ColumnOrderDesc, ColumnCardType, ColumnOrderID, ColumnCity, ColumnCardNumber, ColumnPurpose, ColumnAmount, ColumnAddress1, ColumnCurrency, ColumnEmail}
	changing := [][]Column{
		{ColumnOrderID}, {ColumnOrderDesc, ColumnOrderID}, {ColumnOrderID, ColumnEmail}, {ColumnOrderID, ColumnAmount, ColumnCity}, {ColumnOrderDesc, ColumnOrderID, ColumnEmail},
		{ColumnOrderDesc, ColumnOrderID, ColumnCity, ColumnPurpose, ColumnAmount, ColumnAddress1, ColumnEmail},
	}
	for n := range 60 {
		changing = append(changing, nil)
		for _, c := range columns {
			if c == ColumnOrderID || workload.Draw(uint64(n), uint64(c))%3 == 0 {
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
				ColumnOrderDesc: long, ColumnCardType: "DST", ColumnCardNumber: "4111111111111111", ColumnCity: "Springfield", ColumnPurpose: long + " twice",
				ColumnAmount: "10.00", ColumnAddress1: "", ColumnCurrency: "EUR", ColumnEmail: "john@example.com",
			}
			for _, c := range changes {
				x := workload.Draw(uint64(n), uint64(i)*31+uint64(c))
				switch {
				case c == ColumnOrderID:
					row[c] = strings.Repeat("x", int(x%40)+1)
				case c == ColumnAmount:
					row[c] = []string{"1.00", "2", "33.33"}[x%3]
				case c == ColumnEmail:
					row[c] = []string{"a@example.com", "", "john@example.com"}[x%3]
				case c != ColumnCardType && c != ColumnCardNumber && c != ColumnCurrency:
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
			if row.OrderID() != row.Cell(ColumnOrderID).Reveal() || !row.Cell(ColumnState).IsEmpty() {
				t.Fatalf("%v, row %d: %q, %q", changes, i+1, row.OrderID(), row.Cell(ColumnState).Reveal())
			}
		}
	}
}

// TestCallbackCostsNoSplit: the address that each forecast names is kept with the row, whichever column has it.
func TestCallbackCostsNoSplit(t *testing.T) {
	for _, c := range []struct {
		v    values
		want string
	}{
		{values{}, ""},
		{values{ColumnNotifyURL: "https://a.example/n"}, "https://a.example/n"},
		{values{ColumnServerCallbackURL: "https://b.example/s"}, "https://b.example/s"},
	} {
		row := judge(document(source(c.v)), options()).rows[0]
		if got := row.ShownCallback(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
		if n := testing.AllocsPerRun(10, func() { _ = row.ShownCallback() }); n > 2 && !race.Enabled {
			t.Errorf("%v allocations for %q", n, c.want)
		}
	}
	if got := (Row{}).ShownCallback(); got != "" {
		t.Errorf("the zero Row: %q", got)
	}
}
