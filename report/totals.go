package report

import (
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/termtext"
	"github.com/chargecast/chargecast/internal/words"
	"github.com/chargecast/chargecast/record"
)

// totalLines are the totals of a table, which are kept while they are few, so that each can have a
// bar next to it.
type totalLines struct {
	list   []record.Total
	over   bool        // there were too many
	layout totalLayout // of those that follow them
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

// writeTotals writes the totals that are kept, with bars if they are all.
func (t *table) writeTotals(all bool) {
	if t.lines.over || t.head.By == engine.ByCharge {
		return
	}
	layout := t.layout()
	if !all {
		layout.bar = 0
	}
	t.b = append(t.b, '\n')
	t.totalColumns(layout)
	for i := range t.lines.list {
		t.totalLine(&t.lines.list[i], layout)
	}
	if !all {
		t.lines = totalLines{over: true, layout: layout}
	}
}

// quantileText returns quantiles in words: "5 %: 12.00, 95 %: 18.00 (normal)".
func quantileText(t *record.Total) string {
	texts := make([]string, len(t.Quantiles))
	for i, q := range t.Quantiles {
		texts[i] = q.Percent.String() + " %: " + q.Sum.String()
	}
	text := strings.Join(texts, ", ")
	if t.Normal {
		text += " (normal)"
	}
	return text
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
		l := s.line(min(6, s.options.Width/8)).add("  " + termtext.Pad(termtext.Visible(name)+" ", 5))
		l.add(termtext.PadLeft(words.Charges(t.Charges), count))
		if l.at+2+width > l.width {
			l.below().add(t.Min.String())
		} else {
			l.add("  " + termtext.PadLeft(t.Min.String(), width))
		}
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
