package rules

import (
	"strings"
	"testing"
)

// TestFixAddedPeriod: where the file lacked the period, and its empty value was given as several of one, that number was lost:
// every 2 of 3 months became every 2 months.
func TestFixAddedPeriod(t *testing.T) {
	f := Fixer{Set: map[Column]string{ColumnPeriod: "week"}, Values: map[Column]map[string]Value{ColumnPeriod: {"": {Text: "month", Times: 3}}}}
	for in, want := range map[string]string{
		`"rp_card_type";"client-orderid";"interval"` + "\n" + `"SRC";"order-1";"2"`: `"rp_card_type";"client-orderid";"interval";"period"` + "\n" + `"SRC";"order-1";"6";"month"` + "\n",
		`"rp_card_type";"client-orderid"` + "\n" + `"SRC";"order-1"`:                `"rp_card_type";"client-orderid";"period";"interval"` + "\n" + `"SRC";"order-1";"month";"3"` + "\n",
	} {
		x := f.fix(t, in+"\n")
		if x.out != want || x.done.Refused > 0 {
			t.Errorf("%s, %s", x.out, strings.Join(x.changes, ", "))
		}
	}
}
