package rules

import (
	"strings"
	"testing"

	"github.com/chargecast/chargecast/ledger"
)

// short is a payload of the always required columns, amount and a schedule-less DST row.
const (
	shortHeader = `"rp_card_type";"client-orderid";"credit-card-number";"amount";"currency"` + "\n"
	shortRow    = `"DST";"order-1";"4111111111111111";"10.00";"EUR"` + "\n"
	otherRow    = `"DST";"order-2";"4111111111111111";"10.00";"EUR"` + "\n"
	short       = shortHeader + shortRow
)

func withCell(cell string) string {
	return shortHeader + `"DST";` + cell + `;"4111111111111111";"10.00";"EUR"` + "\n"
}

func TestManyShortRows(t *testing.T) { // h137: linear, and nothing is held
	j := judge(shortHeader+strings.Repeat("x\n", 20_000), options())
	if j.summary.Errors != 20_000 || j.summary.Rows != 20_000 {
		t.Errorf("%+v", j.summary)
	}
}

func TestLimitsOnRowsAndBytes(t *testing.T) { // h138
	rows := options()
	rows.MaxRows = 1
	if j := judge(short+otherRow, rows); verdict(j.problems) != "E limit-rows" || len(j.rows) != 1 {
		t.Errorf("%s, %d rows", verdict(j.problems), len(j.rows))
	}
	if j := judge(short, rows); verdict(j.problems) != "A" {
		t.Errorf("at the limit: %s", verdict(j.problems))
	}
	length := options()
	length.MaxBytes = int64(len(short))
	if j := judge(short, length); verdict(j.problems) != "A" {
		t.Errorf("at the limit: %s", verdict(j.problems))
	}
	if j := judge(short+otherRow, length); verdict(j.problems) != "E limit-bytes" || len(j.rows) != 1 {
		t.Errorf("%s, %d rows: the rows before the limit are judged", verdict(j.problems), len(j.rows))
	}
	length.MaxBytes--
	if j := judge(short, length); verdict(j.problems) != "E limit-bytes, E no-rows" && verdict(j.problems) != "E limit-bytes" {
		t.Errorf("a row that the limit cuts off: %s, %d rows", verdict(j.problems), len(j.rows))
	}
}

func TestOtherLimits(t *testing.T) { // L56d: n passes, n+1 does not
	for _, c := range []struct {
		name string
		set  func(*Options, int)
		n    int
		text func(n int) string
		code ledger.Code
	}{
		{"row", func(o *Options, n int) { o.MaxRow = n }, 200, func(n int) string {
			return shortHeader + strings.Repeat("x", n) + "\n"
		}, LimitRow},
		{"row of quoted values", func(o *Options, n int) { o.MaxRow = n }, 200, func(n int) string {
			return shortHeader + `"` + strings.Repeat("x", n-2) + "\"\n"
		}, LimitRow},
		{"cell", func(o *Options, n int) { o.MaxCell = n }, 100, func(n int) string {
			return withCell(`"` + strings.Repeat("x", n) + `"`)
		}, LimitCell},
		{"bare cell", func(o *Options, n int) { o.MaxCell = n }, 100, func(n int) string {
			return withCell(strings.Repeat("x", n))
		}, LimitCell},
		{"columns", func(o *Options, n int) { o.MaxColumns = n }, 7, func(n int) string {
			return shortHeader + strings.Repeat(";", n-1) + "\n"
		}, LimitColumns},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := options()
			c.set(&o, c.n)
			if j := judge(c.text(c.n), o); j.problems.Has(c.code) {
				t.Errorf("at the limit: %s", verdict(j.problems))
			}
			j := judge(c.text(c.n+1)+otherRow, o)
			if !j.problems.Has(c.code) || len(j.rows) != 1 {
				t.Errorf("above the limit: %s, %d rows", verdict(j.problems), len(j.rows))
			}
		})
	}
}
