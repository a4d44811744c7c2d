package rules

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/internal/workload"
)

func TestOrderIDTable(t *testing.T) { // L47, L56d
	const n = 50_000
	for _, r := range []struct {
		reason string
		id     func(row int) string
	}{
		{"rising", func(row int) string { return strconv.Itoa(100_000 + row) }},
		{"falling", func(row int) string { return strconv.Itoa(200_000 - row) }},
		{"in no order", func(row int) string { return strconv.FormatUint(workload.Mix(uint64(row)), 36) }},
		{"rising by length", strconv.Itoa},
	} {
		ids := orderIDs{most: n}
		for row := 1; row <= n; row++ {
			if earlier, _ := ids.meet(r.id(row), 3*row); earlier != 0 {
				t.Fatalf("%s: row %d is taken for row %d", r.reason, row, earlier)
			}
		}
		for row := 1; row <= n; row++ {
			if earlier, _ := ids.meet(r.id(row), 4*n); earlier != 3*row {
				t.Fatalf("%s: row %d is forgotten: %d", r.reason, row, earlier)
			}
		}
		if ids.partial || ids.n != n {
			t.Errorf("%s: the check ended before its limit", r.reason)
		}
		if ids.meet("", 4*n); !ids.partial || ids.n != n {
			t.Errorf("%s: the check went on past its limit", r.reason)
		}
	}
}

// TestFewOrderIDs: ids in any order are compared with all before them, through the change from a list to
// a table (L47).
func TestFewOrderIDs(t *testing.T) {
	for seed := range uint64(200) {
		ids, first := orderIDs{most: 64 + int(seed%2)*100}, map[string]int{}
		for row := 1; row <= 120; row++ {
			id := strconv.FormatUint(workload.Mix(seed<<32|uint64(row))%(40+2*seed), 10)
			if row <= int(seed%70) {
				id = "0" + strconv.Itoa(1000+row) // rising for a while
			}
			if len(first) == ids.most {
				break
			}
			if earlier, _ := ids.meet(id, row); earlier != first[id] {
				t.Fatalf("seed %d: row %d is taken for row %d, want %d", seed, row, earlier, first[id])
			}
			if first[id] == 0 {
				first[id] = row
			}
		}
		if ids.partial || ids.n != len(first) {
			t.Errorf("seed %d: %d of %d ids, cut %v", seed, ids.n, len(first), ids.partial)
		}
	}
}

// TestRisingOrderIDs: the check of ids that rise needs no memory of them, so it goes on
// past the limit, until one does not rise.
func TestRisingOrderIDs(t *testing.T) {
	ids := orderIDs{most: 10}
	meet := func(id, row, want int) {
		t.Helper()
		if earlier, _ := ids.meet(strconv.Itoa(id), row); earlier != want {
			t.Errorf("row %d is taken for row %d, want %d", row, earlier, want)
		}
	}
	for row := 1; row <= 100; row++ {
		meet(row, row, 0)
	}
	if ids.partial || ids.n != 100 {
		t.Errorf("%d compared, cut %v", ids.n, ids.partial)
	}
	meet(7, 101, 7)
	meet(70, 102, 0) // not remembered
	if !ids.partial || ids.n != 10 {
		t.Errorf("after one that does not rise: %d, cut %v", ids.n, ids.partial)
	}
}

func TestOrderIDsBeyondTheLimit(t *testing.T) {
	o := options()
	o.MaxOrderIDs = 1
	j := judge(short+otherRow+otherRow, o)
	if !j.summary.OrderIDsCut || j.summary.OrderIDs != 1 || j.problems.Has(OrderIDDuplicate) {
		t.Errorf("%+v %v", j.summary, j.problems)
	}
	o.MaxOrderIDs = -1
	if j := judge(short+shortRow, o); j.problems.Has(OrderIDDuplicate) || !j.summary.OrderIDsCut {
		t.Errorf("%+v %v", j.summary, j.problems)
	}
}

// TestMeantValues: a value that is almost a word of a closed list is reported which, one that may
// be several is not.
func TestMeantValues(t *testing.T) {
	const us, state = "US", "CA"
	for _, c := range []struct {
		column      Column
		value, want string
	}{
		{ColumnCardType, "src", "SRC"},
		{ColumnCardType, "SCR", "SRC"},
		{ColumnCardType, "DTS", "DST"},
		{ColumnCardType, "SXT", ""},
		{ColumnPeriod, "mnth", "month"},
		{ColumnPeriod, "Monthly", "month"},
		{ColumnPeriod, "WEEKS", "week"},
		{ColumnPeriod, "year", ""},
		{ColumnCurrency, "usd", "USD"},
		{ColumnCurrency, "Eur", "EUR"},
		{ColumnCurrency, "EUE", ""},
		{ColumnCountry, "de", "DE"},
		{ColumnCountry, "UK", ""},
		{ColumnCountry, "xx", ""},
		{ColumnState, "ca", "CA"},
		{ColumnState, "XQ", ""},
	} {
		row := source(values{ColumnCountry: us, ColumnState: state})
		row[c.column] = c.value
		j := judge(document(row), options())
		if len(j.problems) == 0 {
			t.Fatalf("%v %s: nothing is reported", c.column, c.value)
		}
		p := j.problems[0]
		hinted := strings.HasPrefix(p.Help, "did you mean ")
		if columnOf(p) != c.column || hinted != (c.want != "") || hinted && !strings.HasPrefix(p.Help, "did you mean "+c.want+"?") {
			t.Errorf("%v %s: %v: %s; want %q", c.column, c.value, p, p.Help, c.want)
		}
		if p.Help == "" || slices.Contains(strings.Fields(p.Message+" "+p.Help), c.value) {
			t.Errorf("%v %s is reported: %s; %s", c.column, c.value, p.Message, p.Help)
		}
	}
	o := options()
	o.States = map[string][]string{"FR": {"ZZ9"}}
	for value, want := range map[string]string{"zz9": "did you mean ZZ9? write it exactly so", "QQQ": "use a code of the list that was supplied"} {
		j := judge(document(source(values{ColumnCountry: "FR", ColumnState: value})), o)
		if len(j.problems) != 1 || j.problems[0].Help != want {
			t.Errorf("%s: %v", value, j.problems)
		}
	}
}
