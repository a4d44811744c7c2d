package report

import (
	"strconv"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/termtext"
	"github.com/chargecast/chargecast/internal/words"
	"github.com/chargecast/chargecast/record"
)

// A totalLayout is how wide the columns of totals are.
type totalLayout struct {
	value, currency, count, amount int // with the space before each but the first

	stacked bool // two lines each: these columns do not fit
	bar     int  // where the bars begin; 0 for none
	most    map[string]amount.Sum
}

const (
	leastBar = 8
	mostBar  = 60
)

// wideLayout is how columns are where there is room for them.
func (t *table) wideLayout() totalLayout {
	value := 14 // a day with its weekday
	if t.head.By == engine.ByProfile {
		value = 24
	}
	return totalLayout{value: value, currency: 12, count: 10, amount: 18}
}

// width is that of a line up to the mark.
func (l *totalLayout) width() int { return l.value + l.currency + l.count + l.amount + 2 }

// layout fits the columns to the totals that are kept.
func (t *table) layout() totalLayout {
	l := t.wideLayout()
	l.most = map[string]amount.Sum{}
	widest := 0
	for i := range t.lines.list {
		x := &t.lines.list[i]
		if l.most[x.Currency].Compare(x.Max) < 0 {
			l.most[x.Currency] = x.Max
		}
		if cells := termtext.Cells(termtext.Visible(x.Value)); t.options.Width > 120 {
			l.value = max(l.value, min(cells, 60))
		}
		l.amount = max(l.amount, len(words.Range(x.Sums))+2)
		widest = max(widest, len(words.Mean(x.Sums)))
	}
	if l.width() > t.options.Width {
		return t.tightLayout()
	}
	l.bar = l.width() + widest + 1
	if len(t.lines.list) < 2 || l.bar+leastBar > t.options.Width {
		l.bar = 0
	}
	return l
}

// tightLayout has columns as narrow as what is in them, or none.
func (t *table) tightLayout() totalLayout {
	l := totalLayout{value: len(t.head.By.Member()), currency: len(" currency"), count: len(" charges"), amount: len(" amount")}
	for i := range t.lines.list {
		x := &t.lines.list[i]
		l.value = max(l.value, termtext.Cells(termtext.Visible(x.Value)))
		l.currency = max(l.currency, 1+termtext.Cells(termtext.Visible(x.Currency)))
		l.count = max(l.count, 1+len(strconv.FormatUint(x.Charges, 10)))
		l.amount = max(l.amount, 1+len(words.Range(x.Sums)))
	}
	l.stacked = len(t.lines.list) == 0 || l.width() > t.options.Width
	return l
}

// totalColumns names the columns.
func (t *table) totalColumns(layout totalLayout) {
	if layout.stacked {
		return // each value says what it is
	}
	gap := layout.gap()
	t.line(0).faint(termtext.Pad(t.head.By.Member(), layout.value) + termtext.Pad(gap+"currency", layout.currency) +
		termtext.PadLeft("charges", layout.count) + termtext.PadLeft("amount", layout.amount)).end(t.sheet)
}

// gap is between columns.
func (l *totalLayout) gap() string {
	if l.most == nil {
		return " "
	}
	return "  "
}

// totalLine writes a total, with a bar that compares it with the others of its currency.
func (t *table) totalLine(x *record.Total, layout totalLayout) {
	if x.File != t.file {
		t.file = x.File
		t.line(2).add(termtext.Visible(x.File)).end(t.sheet)
	}
	l := t.totalCells(x, layout).words("", words.Mean(x.Sums))
	t.mark(l.add(" "), x.Because)
	if layout.bar > 0 {
		l.add(termtext.Pad("", layout.bar-l.at))
		l.bar(x.Sums, layout.most[x.Currency], min(mostBar, t.options.Width-layout.bar))
	}
	if len(x.Quantiles) > 0 {
		l.below() // on a line of their own, where they can be compared with those above and below
		l.words("", quantileText(x))
	}
	if more := words.Besides(&x.Tally); more != "" {
		l.remark(more[2:])
	}
	t.cite(l, x.Because).end(t.sheet)
}

// totalCells begins the line of a total, up to the amount.
func (t *table) totalCells(x *record.Total, layout totalLayout) *line {
	value, currency := termtext.Visible(x.Value), termtext.Visible(x.Currency)
	l := t.line(4)
	if layout.stacked {
		l.add(value + "  " + currency).below()
		return l.add(words.Charges(x.Charges)).remark(words.Range(x.Sums))
	}
	if day, err := calendar.Parse(x.Value); err == nil && x.By == engine.ByDay && layout.most != nil {
		value = string(words.AppendDay(nil, day))
	}
	if termtext.Cells(value) > layout.value {
		l.add(value).below()
		value, l.b, l.at = "", l.b[:len(l.b)-l.hang], 0
	}
	l.add(termtext.Pad(value, layout.value) + termtext.Pad(layout.gap()+currency, layout.currency))
	l.add(termtext.PadLeft(strconv.FormatUint(x.Charges, 10), layout.count))
	return l.add(layout.gap() + termtext.PadLeft(words.Range(x.Sums), layout.amount-len(layout.gap())))
}
