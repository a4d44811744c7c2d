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

// totals are those of a table. They are kept while they are few, so that their columns fit them and
// each can have a bar next to it.
type totals struct {
	list    []record.Total
	over    bool    // there were too many
	columns columns // value, currency, charges and amount; nil for lines of their own
	bar     int     // the column where the bars begin; 0 for none
	most    map[string]amount.Sum
	file    string // of the last total
}

// maxTotalLines is about as many lines as anyone reads.
const maxTotalLines = 4000

// writeTotals writes the totals that are kept.
func (t *table) writeTotals() {
	if t.head.By == engine.ByCharge {
		return
	}
	t.fitTotals()
	t.b = append(t.b, '\n')
	if c := t.totals.columns; c != nil { // else each value says what it is
		t.line(0).faint(c.row(t.head.By.Member(), "currency", "charges", "amount")).newline()
	}
	for i := range t.totals.list {
		t.totalLine(&t.totals.list[i])
	}
}

// totalTexts are what is in the columns of a total.
func totalTexts(x *record.Total) []string {
	return []string{termtext.Visible(x.Value), termtext.Visible(x.Currency), strconv.FormatUint(x.Charges, 10), words.Range(x.Total)}
}

// fitTotals chooses the columns of the totals that are kept: wide ones, or those as narrow as what
// is in them, or none.
func (t *table) fitTotals() {
	l := &t.totals
	value := len("2026-01-31 Sat")
	if t.head.By == engine.ByProfile {
		value = 24
	}
	wide := columns{{0, value, false}, {2, 10, false}, {0, 10, true}, {2, 16, true}}
	narrow := columns{{0, len(t.head.By.Member()), false}, {1, len("currency"), false}, {1, len("charges"), true}, {1, len("amount"), true}}
	mean := 0
	l.most = map[string]amount.Sum{}
	for i := range l.list {
		x := &l.list[i]
		for i, text := range totalTexts(x) {
			narrow[i].width = max(narrow[i].width, termtext.Cells(text))
		}
		if t.options.Width > 120 {
			wide[0].width = max(wide[0].width, min(termtext.Cells(termtext.Visible(x.Value)), 60))
		}
		wide[3].width = max(wide[3].width, len(words.Range(x.Total)))
		mean = max(mean, len(words.Mean(x.Total)))
		if l.most[x.Currency].Compare(x.Max) < 0 {
			l.most[x.Currency] = x.Max
		}
	}
	const mark = 2
	switch {
	case wide.width()+mark <= t.options.Width:
		l.columns = wide
		if l.bar = wide.width() + mark + mean + 1; l.over || len(l.list) < 2 || l.bar+leastBar > t.options.Width {
			l.bar = 0
		}
	case len(l.list) > 0 && narrow.width()+mark <= t.options.Width:
		l.columns = narrow
	}
}

// totalLine writes a total, with a bar that compares it with the others of its currency.
func (t *table) totalLine(x *record.Total) {
	l := &t.totals
	if x.File != l.file {
		l.file = x.File
		t.line(2).add(termtext.Visible(x.File)).newline()
	}
	t.totalColumns(x)
	t.words("", words.Mean(x.Total)).add(" ")
	t.mark(x.Because)
	if l.bar > 0 {
		t.add(termtext.Pad("", l.bar-t.at)).bar(x.Total, l.most[x.Currency], min(mostBar, t.options.Width-l.bar))
	}
	if len(x.Quantiles) > 0 {
		t.below().words("", quantileText(x)) // where they can be compared with those above and below
	}
	t.besides(&x.Tally)
	t.cite(x.Because)
}

// totalColumns begins the line of a total, up to the amount.
func (t *table) totalColumns(x *record.Total) {
	c, texts := t.totals.columns, totalTexts(x)
	t.line(4)
	if c == nil {
		t.add(texts[0] + "  " + texts[1]).below()
		t.add(words.Charges(x.Charges)).remark(texts[3])
		return
	}
	if day, err := calendar.Parse(x.Value); err == nil && x.By == engine.ByDay && c[1].gap == 2 {
		texts[0] = string(words.AppendDay(nil, day))
	}
	if termtext.Cells(texts[0]) > c[0].width {
		t.add(texts[0]).newline()
		t.line(4)
		texts[0] = ""
	}
	t.add(c.row(texts...))
}

// besides remarks what was declined, and what falls after the card's expiry.
func (s *sheet) besides(t *amount.Tally) {
	if more := words.Besides(t); more != "" {
		s.remark(more[len("; "):])
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

// grandTotal writes what everything shown comes to, by currency.
func (s *sheet) grandTotal(b *book, l *totals) {
	if len(b.accounts) == 0 {
		s.b = append(s.b, "No charge in this window.\n"...)
		return
	}
	s.line(0).bold("Total").newline()
	accounts := byCurrency(b.accounts)
	count, width := 0, 0
	for _, a := range accounts {
		total := a.total()
		count = max(count, len(words.Charges(total.Charges)))
		width = max(width, len(total.Min.String()))
	}
	for _, a := range accounts {
		total := a.total()
		s.line(min(6, s.options.Width/8))
		s.add(columns{{2, 5, false}, {0, count, true}}.row(termtext.Visible(a.currency)+" ", words.Charges(total.Charges)))
		if s.at+2+width > s.options.Width {
			s.below().add(total.Min.String())
		} else {
			s.add("  " + termtext.PadLeft(total.Min.String(), width))
		}
		if !words.IsFixed(total.Total) {
			s.words(" ", "to "+total.Max.String()+words.Mean(total.Total))
		}
		s.words("", words.Besides(&total))
		if spark := l.sparkline(a.currency, s.options.Width-s.at-2); spark != "" {
			s.add("  ").colour(barColour, spark)
		}
		s.newline()
	}
	if b.more {
		s.b = append(s.b, "  and more than "+strconv.Itoa(maxCurrencies)+" currencies, the rest not added up\n"...)
	}
}

// ticks are the heights of a sparkline; nothing is a space.
var ticks = [...]rune{' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'}

const mostTicks = 60

// sparkline draws how the totals of a currency follow each other, in so many cells at most. Times
// without a total are empty. It is empty for fewer than two times, and for totals by profile.
func (l *totals) sparkline(currency string, room int) string {
	first, last := 0, -1
	for i := range l.list {
		if n, ok := stepOf(&l.list[i]); ok {
			if last < first {
				first, last = n, n
			}
			first, last = min(first, n), max(last, n)
		}
	}
	times, room := last-first+1, min(room, mostTicks)
	if l.over || times < 2 || room < leastBar {
		return ""
	}
	each := (times + room - 1) / room
	sums := make([]amount.Sum, (times+each-1)/each)
	for i := range l.list {
		if n, ok := stepOf(&l.list[i]); ok && l.list[i].Currency == currency {
			sums[(n-first)/each].AddSum(l.list[i].Max)
		}
	}
	most := slices.MaxFunc(sums, amount.Sum.Compare)
	line := make([]rune, len(sums))
	for i, s := range sums {
		line[i] = ticks[share(s, most, len(ticks)-1)]
	}
	return string(line)
}

var weekdays = []string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}

// stepOf numbers the times of totals, so that the next time has the next number.
func stepOf(t *record.Total) (int, bool) {
	switch t.By {
	case engine.ByDay:
		d, err := calendar.Parse(t.Value)
		return d.Sub(calendar.MinDate()), err == nil
	case engine.ByWeekday:
		n := slices.Index(weekdays, t.Value)
		return n, n >= 0
	}
	year, part, _ := strings.Cut(t.Value, "-") // "2026-01", "2026-W05" or "2026-Q1"
	firstWeek, err := calendar.Parse(year + "-01-04")
	n, wrong := strconv.Atoi(strings.TrimLeft(part, "WQ"))
	if err != nil || wrong != nil || n < 1 {
		return 0, false
	}
	y, _, _ := firstWeek.Date()
	switch t.By {
	case engine.ByWeek:
		return firstWeek.Sub(calendar.MinDate())/7 + n, n <= 53 // the calendar begins on a Monday
	case engine.ByMonth:
		return 12*y + n, n <= 12
	case engine.ByQuarter:
		return 4*y + n, n <= 4
	}
	return 0, false
}
