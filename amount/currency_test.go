package amount

import (
	"maps"
	"os"
	"strconv"
	"strings"
	"testing"
)

// dated returns the list in testdata: the decimals of every code, or -1 where it has none.
func dated(t *testing.T) map[string]int {
	t.Helper()
	text, err := os.ReadFile("testdata/iso4217-" + CurrenciesPublished + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	list := map[string]int{}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0] == "#" {
			continue
		}
		digits := -1
		if fields[0] != "N.A." {
			if digits, err = strconv.Atoi(fields[0]); err != nil {
				t.Fatal(err)
			}
		}
		for _, code := range fields[1:] {
			if _, twice := list[code]; twice {
				t.Fatalf("%s is in the list twice", code)
			}
			list[code] = digits
		}
	}
	return list
}

// Goal: the table equals the dated list for every text of three capital letters (A19).
// Method: all 17,576, and the counts that the list has.
func TestMinorUnitsEqualTheDatedList(t *testing.T) {
	list := dated(t)
	counts := map[int]int{}
	for _, digits := range list {
		counts[digits]++
	}
	if want := map[int]int{0: 17, 2: 139, 3: 7, 4: 2, -1: 13}; !maps.Equal(counts, want) {
		t.Errorf("the list has %v codes by decimals, want %v", counts, want)
	}
	for a := byte('A'); a <= 'Z'; a++ {
		for b := byte('A'); b <= 'Z'; b++ {
			for c := byte('A'); c <= 'Z'; c++ {
				code := string([]byte{a, b, c})
				want, listed := list[code]
				digits, ok := MinorUnits(code)
				if ok != (listed && want >= 0) || digits != max(want, 0) || ListedCurrency(code) != listed {
					t.Errorf("%s: %d, %t, listed %t; the list says %d, %t", code, digits, ok, ListedCurrency(code), want, listed)
				}
			}
		}
	}
}

func TestMinorUnitsOfOtherTexts(t *testing.T) {
	type row struct {
		because
		code string
	}
	table := []row{
		{because{"none", "A19"}, ""},
		{because{"lower case", "h083"}, "eur"},
		{because{"mixed case", "h083"}, "EUr"},
		{because{"too long", "h083"}, "EURO"},
		{because{"too short", "A19"}, "EU"},
		{because{"sign", "h083: three bytes"}, "€"},
		{because{"below A", "A19: outside the table"}, "@ED"},
		{because{"above Z", "A19: outside the table"}, "[ED"},
		{because{"the bytes of an entry", "A19: no digit passes for a letter"}, "ED2"},
		{because{"unknown", "h024"}, "QQQ"},
		{because{"unknown, last", "h024"}, "ZZZ"},
		{because{"lev, withdrawn", "A19: the list of 2026"}, "BGN"},
		{because{"Antillean guilder, withdrawn", "A19: the list of 2026"}, "ANG"},
		{because{"kuna, withdrawn", "A19: the list of 2026"}, "HRK"},
	}
	each(t, table, func(t *testing.T, r row) {
		if digits, ok := MinorUnits(r.code); digits != 0 || ok || ListedCurrency(r.code) {
			t.Errorf("got %d, %t", digits, ok)
		}
	})
}

// The table has the form that minorUnits relies on.
func TestCurrencyTable(t *testing.T) {
	for i, list := range currencies {
		if len(list)%entrySize != 0 {
			t.Fatalf("line %d is %d bytes long", i, len(list))
		}
		for ; list != ""; list = list[entrySize:] {
			e := list[:entrySize]
			if e[0] != byte('A'+i) || e[codeSize] != noMinorUnit && (e[codeSize] < '0' || e[codeSize] > '4') || e[4] != ' ' {
				t.Errorf("entry %q in line %d", e, i)
			}
		}
	}
}
