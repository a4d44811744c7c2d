package rules

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/ledger"
)

// TestSharedIDsFindRepetitionsInEarlierPayloads reads payloads as one portfolio: an id is a
// repetition wherever it was before, and the finding names the row within its file.
func TestSharedIDsFindRepetitionsInEarlierPayloads(t *testing.T) {
	rowOf := func(id string) string { return strings.Replace(shortRow, "order-1", id, 1) }
	payloads := []struct{ file, text string }{
		{"a.csv", shortHeader + rowOf("x") + rowOf("y") + rowOf("") + rowOf("last")},
		{"empty.csv", shortHeader},
		{"", shortHeader + rowOf("z") + rowOf("y") + rowOf("z") + rowOf("end")},
		{"d.csv", shortHeader + rowOf("new") + rowOf("z") + rowOf("x") + rowOf("last") + rowOf("end")},
	}
	{
		o := options()
		o.IDs = new(OrderIDs)
		var got []string
		for _, p := range payloads {
			o.File = p.file
			j := judge(p.text, o)
			for _, f := range j.problems {
				if f.Place.File != p.file {
					t.Errorf("%s: a finding is in the file %q", p.file, f.Place.File)
				}
				if f.Code == OrderIDDuplicate {
					got = append(got, fmt.Sprintf("%s %d %s", f.Place.File, f.Place.Row, f.Message))
				}
			}
			if want := strings.Count(p.text, "\n") - 1; j.summary.Rows != want {
				t.Errorf("%s: %d rows, want %d", p.file, j.summary.Rows, want)
			}
		}
		want := []string{
			" 2 client-orderid is also that of row 2 of a.csv",
			" 3 client-orderid is also that of row 1",
			"d.csv 2 client-orderid is also that of row 1",
			"d.csv 3 client-orderid is also that of row 1 of a.csv",
			"d.csv 4 client-orderid is also that of row 4 of a.csv",
			"d.csv 5 client-orderid is also that of row 4",
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// TestSharedIDsKeepTheLimitOfAll: the limit on remembered ids is one for all payloads.
func TestSharedIDsKeepTheLimitOfAll(t *testing.T) {
	o := options()
	o.MaxOrderIDs, o.IDs = 2, new(OrderIDs)
	judge(short+otherRow, o)
	if j := judge(short+otherRow, o); !j.problems.Has(OrderIDDuplicate) || j.summary.OrderIDs != 2 {
		t.Errorf("%+v %v", j.summary, j.problems)
	}
	o.Severity = map[ledger.Code]ledger.Severity{OrderIDDuplicate: ledger.SeverityOff}
	if j := judge(short, o); j.problems.Has(OrderIDDuplicate) {
		t.Errorf("the options are not those of the first: %v", j.problems)
	}
}
