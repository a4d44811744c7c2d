package report

import (
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/termtext"
	"github.com/chargecast/chargecast/internal/words"
	"github.com/chargecast/chargecast/record"
)

// totals are those of a table. They are kept while they are few, so that their columns fit them and
// each can have a bar next to it.
type totals struct {
	list   []record.Total
	over   bool  // there were too many
	widths []int // of the columns; 0 for one without a value
	bar    int   // how wide the bars are; 0 for none
	most   map[string]amount.Sum
	file   string // of the last total
}

const (
	maxTotalLines = 4000 // about as many lines as anyone reads
	mostValue     = 40   // columns of a client-orderid; a longer one has its own line
)

// The columns of totals: these, and one for each quantile. Those behind the amount are left out
// where none of the totals has a value in them.
const (
	columnValue = iota
	columnCurrency
	columnCharges
	columnAmount
	columnMean
	columnExpired
	columnDeclined
	totalColumns
)

// totalNames are the names of the columns.
func (t *table) totalNames() []string {
	names := []string{t.head.By.Member(), "currency", "charges", "amount", "mean", "card expired", "declined"}
	for _, q := range t.options.Quantiles {
		names = append(names, q.String()+" %")
	}
	return names
}

// totalCells are the values of a total in these columns.
func (t *table) totalCells(x *record.Total) []string {
	cells := make([]string, totalColumns+len(t.options.Quantiles))
	sums := inCurrency(x.Tally, x.Currency)
	cells[columnValue], cells[columnCurrency] = termtext.Visible(x.Value), termtext.Visible(x.Currency)
	if day, err := calendar.Parse(x.Value); err == nil && x.By == engine.ByDay {
		cells[columnValue] = string(words.AppendDay(nil, day))
	}
	cells[columnCharges], cells[columnAmount] = strconv.FormatUint(x.Charges, 10), words.Range(sums.Total)
	if !words.IsFixed(x.Total) {
		cells[columnMean] = string(sums.AppendMean(nil))
	}
	cells[columnExpired], cells[columnDeclined] = sumAndCount(sums.CardExpired), sumAndCount(sums.Declined)
	for i, percent := range t.options.Quantiles {
		for _, q := range x.Quantiles {
			if q.Percent == percent {
				cells[totalColumns+i] = q.Sum.String()
			}
		}
	}
	return cells
}

// sumAndCount returns a sum with its number of charges: "3: 857.30"; empty for no charge.
func sumAndCount(t amount.Total) string {
	if t.Charges == 0 {
		return ""
	}
	return strconv.FormatUint(t.Charges, 10) + ": " + words.Range(t)
}

// writeTotals writes the totals that are kept.
func (t *table) writeTotals() {
	if t.head.By == engine.ByCharge {
		return
	}
	t.fitTotals()
	t.add("\n").faint(t.totalRow(t.totalNames())).newline()
	for i := range t.totals.list {
		t.totalLine(&t.totals.list[i])
	}
}

// fitTotals chooses the columns of the totals that are kept, and the room for bars.
func (t *table) fitTotals() {
	l := &t.totals
	l.most = map[string]amount.Sum{}
	names := t.totalNames()
	l.widths = make([]int, len(names))
	for i := range l.list {
		x := &l.list[i]
		for i, cell := range t.totalCells(x) {
			if n := termtext.Cells(cell); n > 0 && (i != columnValue || n <= mostValue) {
				l.widths[i] = max(l.widths[i], n)
			}
		}
		if l.most[x.Currency].Compare(x.Max) < 0 {
			l.most[x.Currency] = x.Max
		}
	}
	used := len("  ? ")
	for i, name := range names {
		if l.widths[i] > 0 || i <= columnAmount {
			l.widths[i] = max(l.widths[i], len(name))
			used += l.widths[i] + 2
		}
	}
	if room := t.options.Width - used; room >= leastBar && len(l.list) > 1 && !l.over {
		l.bar = min(room, mostBar)
	}
}

// totalRow puts texts into the columns.
func (t *table) totalRow(texts []string) string {
	var b strings.Builder
	for i, text := range texts {
		switch width := t.totals.widths[i]; {
		case i == columnValue:
			b.WriteString(termtext.Pad(text, width))
		case i == columnCurrency:
			b.WriteString("  " + termtext.Pad(text, width))
		case width > 0:
			b.WriteString("  " + termtext.PadLeft(text, width))
		case text != "" && t.totals.over: // the totals that were kept had none
			b.WriteString("  " + t.totalNames()[i] + " " + text)
		}
	}
	return b.String()
}

// totalLine writes a total, with a bar that compares it with the others of its currency.
func (t *table) totalLine(x *record.Total) {
	l := &t.totals
	if x.File != l.file {
		l.file = x.File
		t.add(termtext.Visible(x.File)).newline()
	}
	cells := t.totalCells(x)
	if termtext.Cells(cells[columnValue]) > l.widths[columnValue] {
		t.add(cells[columnValue]).newline()
		cells[columnValue] = ""
	}
	t.add(t.totalRow(cells) + " ")
	t.mark(x.Because)
	if l.bar > 0 {
		t.add("  ").bar(x.Total, l.most[x.Currency], l.bar)
	}
	if x.Normal {
		t.add("  (normal)")
	}
	t.cite(x.Because)
}

// grandTotal writes the sum of everything shown, by currency.
func (t *table) grandTotal() {
	if len(t.sums.accounts) == 0 {
		t.add("No charge in this window.\n")
		return
	}
	t.bold("Total").newline()
	accounts := t.sums.sorted()
	count, width := 0, 0
	for _, a := range accounts {
		total := inCurrency(a.total(), a.currency)
		count = max(count, len(words.Charges(total.Charges)))
		width = max(width, len(total.Min.String()))
	}
	for _, a := range accounts {
		total := inCurrency(a.total(), a.currency)
		line := "  " + termtext.Pad(termtext.Visible(a.currency)+" ", 5) + termtext.PadLeft(words.Charges(total.Charges), count) +
			"  " + termtext.PadLeft(total.Min.String(), width)
		if !words.IsFixed(total.Total) {
			line += " to " + total.Max.String() + words.Mean(total.Total)
		}
		t.add(line + words.DeclinedAndExpired(&total)).newline()
	}
	if t.sums.left > 0 {
		t.add("  and " + words.Charges(t.sums.left) + " in other currencies than these " + strconv.Itoa(maxCurrencies) + ", not added up\n")
	}
}
