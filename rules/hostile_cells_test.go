package rules

import (
	"strings"
	"testing"
)

// hostileCells are rows of the catalogue of hostile inputs that no vector has: some cells of an otherwise
// faultless row, and everything that is reported about it.
func hostileCells() (cases []payloadCase) {
	for _, c := range []struct {
		name, reason string
		row          values
		want         string
	}{
		{"h024 QQQ", "L36c", source(values{ColumnAmount: "1.0001", ColumnCurrency: "QQQ"}), "W currency-unknown"},
		{"h024 ZZZ", "L36c", source(values{ColumnAmount: "1.00", ColumnCurrency: "ZZZ"}), "W currency-unknown"},
		{"h025 12", "L35", source(values{ColumnAmount: "1234567890.1"}), "E too-long"},
		{"h026 whole", "L35", source(values{ColumnAmount: "9999999999"}), "A"},
		{"h026 point", "L35", source(values{ColumnAmount: "9999999.99"}), "A"},
		{"h030 all", "L34", source(values{ColumnAmountFrom: "1", ColumnAmountTo: "2", ColumnAmountSequence: "3"}), "E amount-modes"},
		{"h030 half", "L34", source(values{ColumnAmountFrom: "1"}), "E amount-half-range, E amount-modes"},
		{"h070", "L31", source(values{ColumnExpireYear: "2026", ColumnExpireMonth: "06"}), "W card-expires-before-charge"},
		{"h077", "L55", source(values{ColumnNotifyURL: "https://a.example", ColumnServerCallbackURL: "https://a.example"}), "E callbacks-both"},
		{"h080 USA", "2.1", source(values{ColumnCountry: "USA"}), "E too-long"},
		{"h080 840", "2.1", source(values{ColumnCountry: "840"}), "E too-long"},
		{"h082 ZZ", "L50", source(values{ColumnCountry: "US", ColumnState: "ZZ"}), "W state-unknown"},
		{"h082 where states are not listed", "L41", source(values{ColumnCountry: "FR", ColumnState: "ééé"}), "W bytes-exceed-limit"},
		{"h095 text", "L46", source(values{ColumnCity: " Springfield"}), "W surrounding-space"},
		{"h095 text after", "L46", source(values{ColumnCity: "Springfield "}), "W surrounding-space"},
		{"h097", "2.1", source(values{ColumnCity: "   "}), "E required"},
		{"h040 01012025", "X3", source(values{ColumnStartDate: "01012025"}), "E date-syntax"},
	} {
		valid := 1
		if strings.Contains(c.want, "E ") {
			valid = 0
		}
		cases = append(cases, payloadCase{c.name, c.reason, document(c.row), InputAuto, c.want, 1, valid})
	}
	return cases
}

func TestRepeatedOrderIDNamesBothRows(t *testing.T) { // h099, L47
	j := judge(document(source(nil), source(values{ColumnOrderID: "x"}), source(nil)), options())
	if got := verdict(j.problems); got != "W orderid-duplicate" {
		t.Fatal(got)
	}
	if p := j.problems[0]; p.Place.Row != 3 || !strings.HasSuffix(p.Message, " of row 1") {
		t.Errorf("row %d, %s", p.Place.Row, p.Message)
	}
}

func TestProjectCurrency(t *testing.T) { // h084, L56
	o := options()
	o.Currency = "USD"
	j := judge(document(source(nil)), o)
	if got := verdict(j.problems); got != "E project-currency" || !j.summary.CurrencyChecked {
		t.Error(got)
	}
	if judge(document(source(nil)), options()).summary.CurrencyChecked {
		t.Error("the currency was not given and yet checked")
	}
}
