package rules

import "testing"

func TestNearest(t *testing.T) { // V21
	var names []string
	for s := range Columns() {
		names = append(names, s.Name)
	}
	for word, want := range map[string]string{
		"finish_date":   "finish-date",
		"order-desc":    "order_desc",
		"Amount":        "amount",
		"amount ":       "amount",
		"fnish-date":    "finish-date",
		"strat-date":    "start-date",
		"amount-form":   "amount-from",
		"card":          "",
		"":              "",
		"x":             "",
		"4111111111111": "",
		"name":          "",
	} {
		i, ok := Nearest(word, names)
		if got := ""; ok {
			got = names[i]
			if got != want {
				t.Errorf("%q: %s, want %q", word, got, want)
			}
		} else if want != "" {
			t.Errorf("%q: nothing, want %s", word, want)
		}
	}
	if _, ok := Nearest("ab", []string{"aa", "bb"}); ok {
		t.Error("two are equally near and yet one is named")
	}
}

func TestOrderIDTable(t *testing.T) { // L47, L56d
	ids := orderIDs{most: 50_000}
	for row := 1; row <= 50_000; row++ {
		if earlier := ids.meet(mix(uint64(row)), row); earlier != 0 {
			t.Fatalf("row %d is taken for row %d", row, earlier)
		}
	}
	for row := 1; row <= 50_000; row++ {
		if earlier := ids.meet(mix(uint64(row)), 60_000); earlier != row {
			t.Fatalf("row %d is forgotten: %d", row, earlier)
		}
	}
	if ids.cut {
		t.Error("the check ended before its limit")
	}
	if ids.meet(mix(0), 50_001); !ids.cut || ids.n != 50_000 {
		t.Error("the check went on past its limit")
	}
	size := 0
	for _, part := range ids.parts {
		size += 8 * len(part)
	}
	if size > 24*50_000 {
		t.Errorf("%d bytes for 50,000 rows", size)
	}
	crafted := orderIDs{most: 1 << 20} // all in one part: no time may be lost in it
	for row := 1; row < 5000; row++ {
		crafted.meet(uint64(row)<<20, row)
	}
	if !crafted.cut || crafted.n > 200 {
		t.Errorf("crafted ids: cut %v, %d entries", crafted.cut, crafted.n)
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
