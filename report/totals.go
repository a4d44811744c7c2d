package report

import (
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/termtext"
	"github.com/chargecast/chargecast/internal/words"
	"github.com/chargecast/chargecast/record"
)

// totalLines are the totals of a table, which are kept while they are few, so that each can have a bar
// next to it.
type totalLines struct {
	list []record.Total
	over bool // there were too many
}

// maxTotalLines is about as many lines as anyone reads.
const maxTotalLines = 4000

// add keeps a total, and reports whether it did.
func (l *totalLines) add(t *record.Total) bool {
	if l.over || len(l.list) == maxTotalLines {
		return false
	}
	l.list = append(l.list, *t)
	return true
}

// A totalLayout is how wide the columns of totals are.
type totalLayout struct {
	value, amount int
	bar           int // where the bars begin; 0 for none
	most          map[string]amount.Sum
}

const (
	currencyWidth = 10
	countWidth    = 10
	leastBar      = 8
	mostBar       = 60
)

// writeTotals writes the totals that are kept, with bars if they are all.
func (t *table) writeTotals(all bool) {
	if t.lines.over || t.head.By == engine.ByCharge {
		return
	}
	layout := t.layout()
	if !all {
		layout.bar = 0
	}
	l := t.line(0)
	l.b = append(l.b, '\n')
	l.faint(termtext.Pad(t.head.By.Member(), layout.value) + termtext.Pad("  currency", currencyWidth+2) +
		termtext.PadLeft("charges", countWidth) + termtext.PadLeft("amount", layout.amount)).end(t.sheet)
	for i := range t.lines.list {
		t.totalLine(&t.lines.list[i], layout)
	}
	if !all {
		t.lines = totalLines{over: true}
	}
}

// valueWidth is the room for a day, a month or a client-orderid.
func (t *table) valueWidth() int {
	if t.head.By == engine.ByProfile {
		return 24
	}
	return 14
}

// layout fits the columns to the totals that are kept.
func (t *table) layout() totalLayout {
	l := totalLayout{value: t.valueWidth(), amount: 18, most: map[string]amount.Sum{}}
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
	l.bar = l.value + 2 + currencyWidth + countWidth + l.amount + widest + 3 // and a mark
	if len(t.lines.list) < 2 || l.bar+leastBar > t.options.Width {
		l.bar = 0
	}
	return l
}

// totalLine writes a total, with a bar that compares it with the others of its currency.
func (t *table) totalLine(x *record.Total, layout totalLayout) {
	value := termtext.Visible(x.Value)
	if day, err := calendar.Parse(x.Value); err == nil && x.By == engine.ByDay {
		value = string(words.AppendDay(nil, day))
	}
	l := t.line(4)
	if termtext.Cells(value) > layout.value {
		l.add(value).below()
		value, l.b, l.at = "", l.b[:len(l.b)-l.hang], 0
	}
	l.add(termtext.Pad(value, layout.value) + "  " + termtext.Pad(termtext.Visible(x.Currency), currencyWidth))
	l.add(termtext.PadLeft(strconv.FormatUint(x.Charges, 10), countWidth))
	l.add("  "+termtext.PadLeft(words.Range(x.Sums), layout.amount-2)).words("", words.Mean(x.Sums))
	t.mark(l.add(" "), x.Because)
	if layout.bar > 0 {
		l.add(termtext.Pad("", layout.bar-l.at))
		l.bar(x.Sums, layout.most[x.Currency], min(mostBar, t.options.Width-layout.bar))
	}
	if x.File != "" {
		l.remark("in " + termtext.Visible(x.File))
	}
	if len(x.Quantiles) > 0 {
		l.below() // on a line of their own, where they can be compared with those above and below
		l.words("", quantileText(x.Quantiles))
	}
	if more := words.Besides(&x.Tally); more != "" {
		l.remark(more[2:])
	}
	t.cite(l, x.Because).end(t.sheet)
}

// quantileText returns quantiles in words: "5 %: 12.00, 95 %: 18.00".
func quantileText(list []record.Quantile) string {
	texts := make([]string, len(list))
	for i, q := range list {
		texts[i] = q.Percent.String() + " %: " + q.Sum.String()
	}
	return strings.Join(texts, ", ")
}

// grandTotals are what everything shown comes to, by currency.
type grandTotals struct {
	of   map[string]*record.Tally
	last string // the currency that was asked for last
	at   *record.Tally
	more bool // there are currencies beyond the limit
}

// maxCurrencies is more than the world has: a column of junk must not fill the memory.
const maxCurrencies = 1000

// tally returns that of a currency; nil beyond the limit.
func (g *grandTotals) tally(currency string) *record.Tally {
	if g.at != nil && g.last == currency {
		return g.at
	}
	t := g.of[currency]
	if t == nil {
		if len(g.of) == maxCurrencies {
			g.more = true
			return nil
		}
		if g.of == nil {
			g.of = map[string]*record.Tally{}
		}
		t = new(record.Tally)
		g.of[strings.Clone(currency)] = t
	}
	g.last, g.at = currency, t
	return t
}

func (g *grandTotals) add(currency string, c *engine.Charge) {
	if t := g.tally(currency); t != nil {
		t.Add(c)
	}
}

func (g *grandTotals) merge(currency string, sums record.Tally) {
	if sums.IsZero() {
		return
	}
	if t := g.tally(currency); t != nil {
		t.Merge(sums)
	}
}

// currencies returns the codes in order.
func (g *grandTotals) currencies() []string {
	names := make([]string, 0, len(g.of))
	for name := range g.of {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (g *grandTotals) write(s *sheet, lines *totalLines) {
	if len(g.of) == 0 {
		s.b = append(s.b, "No charge in this window.\n"...)
		return
	}
	s.line(0).bold("Total").end(s)
	count, width := 0, 0
	for _, t := range g.of {
		count = max(count, len(words.Charges(t.Charges)))
		width = max(width, len(t.Min.String()))
	}
	for _, name := range g.currencies() {
		t := g.of[name]
		l := s.line(6).add("  " + termtext.Pad(termtext.Visible(name)+" ", 5))
		l.add(termtext.PadLeft(words.Charges(t.Charges), count) + "  " + termtext.PadLeft(t.Min.String(), width))
		if !words.IsFixed(t.Sums) {
			l.words(" ", "to "+t.Max.String()+words.Mean(t.Sums))
		}
		l.words("", words.Besides(t))
		if spark := lines.sparkline(name, s.options.Width-l.at-2); spark != "" {
			l.add("  ").with(l.With(l.b, barColour, spark), spark)
		}
		l.end(s)
	}
	if g.more {
		s.b = append(s.b, "  and more than "+strconv.Itoa(maxCurrencies)+" currencies, the rest not added up\n"...)
	}
}
