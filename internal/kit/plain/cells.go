package plain

import (
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/rules"
)

// FaultlessRow is a row without fault of a kind of profile, with a fixed amount and no schedule.
func FaultlessRow(kind string) gen.Cells {
	var c gen.Cells
	for column, value := range map[rules.Column]string{
		rules.ColumnCardType: kind, rules.ColumnOrderID: "order-1", rules.ColumnCardNumber: gen.TestCard, rules.ColumnAmount: "10.00", rules.ColumnCurrency: "EUR",
	} {
		c[column] = value
	}
	if kind == gen.OnDST {
		return c
	}
	for column, value := range map[rules.Column]string{
		rules.ColumnCardPrintedName: "JANE DOE", rules.ColumnExpireYear: "2030", rules.ColumnExpireMonth: "12", rules.ColumnCountry: "DE", rules.ColumnCity: "Berlin",
		rules.ColumnZipCode: "10115", rules.ColumnAddress1: "Street 1", rules.ColumnFirstName: "Jane", rules.ColumnLastName: "Doe", rules.ColumnEmail: "jane@example.com",
	} {
		c[column] = value
	}
	return c
}

// ProfileCells are the values of a row that the charges of a profile depend on, and those that name
// it.
func ProfileCells(p engine.Profile) (cells gen.Cells) {
	cells[rules.ColumnCardType], cells[rules.ColumnOrderID], cells[rules.ColumnCurrency] = p.Kind.String(), p.ID, p.Currency
	if p.Unit != 0 {
		cells[rules.ColumnPeriod], cells[rules.ColumnInterval] = p.Unit.String(), strconv.Itoa(p.Interval)
	}
	cells[rules.ColumnStartDate], cells[rules.ColumnFinishDate] = gen.Dotted(p.Start), gen.Dotted(p.Finish)
	if n, set := p.MaxRepeats.Value(); set {
		cells[rules.ColumnMaxRepeatsNumber] = strconv.FormatUint(n, 10)
	}
	switch p.Amounts.Kind() {
	case amount.KindFixed:
		cells[rules.ColumnAmount] = p.Amounts.String()
	case amount.KindRange:
		low, high := p.Amounts.Bounds(0)
		cells[rules.ColumnAmountFrom], cells[rules.ColumnAmountTo] = low.String(), high.String()
	case amount.KindSequence:
		cells[rules.ColumnAmountSequence] = p.Amounts.String()
	}
	return cells
}

// ByColumn are the values that are not empty, by the names of their columns.
func ByColumn(cells gen.Cells) map[string]string {
	values := map[string]string{}
	for i, value := range cells {
		if value != "" {
			values[gen.DocumentNames()[i]] = value
		}
	}
	return values
}

// ProfileByColumn are the ProfileCells that are not empty, by the names of their columns.
func ProfileByColumn(p engine.Profile) map[string]string { return ByColumn(ProfileCells(p)) }

// longestNames are the names of all columns, the longest first.
var longestNames = slices.SortedStableFunc(slices.Values(gen.DocumentNames()[1:]), func(a, b string) int { return len(b) - len(a) })

// ColumnsNamed are the names of columns in a text, the longest first.
func ColumnsNamed(text string) []string {
	var found []string
	for _, name := range longestNames {
		if strings.Contains(text, name) {
			found = append(found, name)
			text = strings.ReplaceAll(text, name, "")
		}
	}
	return found
}
