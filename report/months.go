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

// months writes a calendar for a terminal: months as grids, whose days are shaded by what is
// charged on them, and then the sums of the months with bars.
type months struct {
	*sheet
	book     book
	currency string
	profiles int
}

const (
	gridMonths = 36              // months with a grid
	gridDays   = 31 * gridMonths // at most in them
	cellWidth  = 3               // a day: two digits and a shade
	gridWidth  = 7 * cellWidth
	gridGap    = 3
)

// shades are the levels of a heat map where there are no colours.
var shades = [heatLevels + 1]string{" ", "░", "▒", "▓", "█"}

// heatColours are the levels of a heat map among the 256 colours of a terminal, dark letters on
// light ground or the other way round.
var heatColours = [heatLevels + 1]string{"", "\x1b[48;5;195;38;5;16m", "\x1b[48;5;117;38;5;16m", "\x1b[48;5;39;38;5;16m", "\x1b[48;5;25;38;5;231m"}

func newMonths(s *sheet) *months {
	s.heading()
	return &months{sheet: s, book: book{first: s.first(), days: gridDays}}
}

func (m *months) start(p *Profile) {
	m.profiles++
	m.currency = p.Currency
}

func (m *months) charge(c *engine.Charge)      { m.book.add(m.currency, c) }
func (m *months) event(*engine.Effect)         {}
func (m *months) end(*engine.End)              {}
func (m *months) compare([]engine.Sensitivity) {}

func (m *months) total(t *record.Total) {
	if d, err := calendar.Parse(t.Value); err == nil {
		m.book.merge(t.Currency, d, &t.Tally, t.Because)
	}
}

func (m *months) finish() {
	totals := m.book.totals()
	m.b = append(m.b, '\n')
	if len(totals.of) > 0 {
		m.grids()
		m.sums()
	}
	totals.write(m.sheet, &totalLines{})
}

// grids writes the months, as many next to each other as fit.
func (m *months) grids() {
	last := m.book.last
	if m.head.Until.After(last) {
		last = m.head.Until
	}
	n := min(m.book.month(last)+1, gridMonths)
	accounts := m.book.sorted()
	h := newHeat(accounts, min(last.Sub(m.book.first)+1, gridDays), (*account).day)
	across := 1
	for _, k := range [...]int{2, 3, 4, 6, 12} {
		if k*(gridWidth+gridGap)-gridGap <= m.options.Width {
			across = k
		}
	}
	for from := 0; from < n; from += across {
		m.gridRow(h, from, min(from+across, n))
	}
	m.shadeLegend(h)
	if rest := m.book.month(last) + 1 - n; rest > 0 {
		m.b = termtext.AppendHanging(m.b, 0, m.options.Width, "The grids show the first "+strconv.Itoa(n)+" months; the sums below have all of them.")
	}
	if len(m.book.others.of) > 0 {
		m.b = termtext.AppendHanging(m.b, 0, m.options.Width, "The grids and the months show the first "+strconv.Itoa(maxAccounts)+" currencies; the total has the others.")
	}
	m.b = append(m.b, '\n')
}

// gridRow writes the months from one to another next to each other.
func (m *months) gridRow(h *heat, from, to int) {
	names, days := m.line(0), m.line(0)
	for i := from; i < to; i++ {
		y, month, _ := m.book.monthStart(i).Date()
		names.bold(termtext.Pad(month.String()+" "+strconv.Itoa(y), gridWidth)).add(strings.Repeat(" ", gridGap))
	}
	names.end(m.sheet)
	days.b = m.b
	for range to - from {
		days.faint(termtext.Pad("Mo Tu We Th Fr Sa Su", gridWidth)).add(strings.Repeat(" ", gridGap))
	}
	days.end(m.sheet)
	for week := range 6 {
		l, any := m.line(0), false
		for i := from; i < to; i++ {
			any = m.gridWeek(l, h, m.book.monthStart(i), week) || any
			l.add(strings.Repeat(" ", gridGap))
		}
		if any {
			l.end(m.sheet)
		}
	}
	m.b = append(m.b, '\n')
}

// gridWeek appends one week of a month, and reports whether there is any day of the window in it.
func (m *months) gridWeek(l *line, h *heat, start calendar.Date, week int) bool {
	y, month, _ := start.Date()
	before := (int(start.Weekday()) + 6) % 7 // days of the first week that are in the month before
	any := false
	for column := range 7 {
		day := 7*week + column - before + 1
		if day < 1 || day > calendar.DaysIn(y, month) {
			l.add(strings.Repeat(" ", cellWidth))
			continue
		}
		i := start.AddDays(day - 1).Sub(m.book.first)
		if i < 0 || i >= len(h.counts) {
			l.add(strings.Repeat(" ", cellWidth))
			continue
		}
		any = true
		m.shade(l, termtext.PadLeft(strconv.Itoa(day), 2), h.level(i))
	}
	return any
}

// shade appends a text of two cells in the shade of a level.
func (m *months) shade(l *line, s string, level int) {
	switch {
	case !m.options.Color:
		l.add(s + shades[level])
	case level == 0:
		l.faint(s).add(" ")
	default:
		l.with(l.With(l.b, heatColours[level], s), s).add(" ")
	}
}

// shadeLegend says what the shades stand for.
func (m *months) shadeLegend(h *heat) {
	l := m.line(0)
	for level := 1; level <= heatLevels; level++ {
		m.shade(l, "  ", level)
	}
	l.words(" ", "up to 25, 50, 75 and 100 % of the most on one day: "+h.top()).end(m.sheet)
}

// sums writes a line for each month and currency, with a bar.
func (m *months) sums() {
	accounts := m.book.sorted()
	sums, most := make([][]cell, len(accounts)), make([]amount.Sum, len(accounts))
	widest, rows := 0, 0
	for i, a := range accounts {
		sums[i] = m.book.byMonth(a)
		most[i] = mostOf(sums[i])
		rows = max(rows, len(sums[i]))
		for _, t := range sums[i] {
			widest = max(widest, len(words.Range(t.Sums)))
		}
	}
	m.line(0).bold("By month").end(m.sheet)
	for month := range rows {
		name := m.book.monthStart(month).String()[:len("2026-01")]
		for i, a := range accounts {
			if month >= len(sums[i]) || sums[i][month].IsZero() {
				continue
			}
			m.sumLine(name, a.currency, &sums[i][month].Tally, most[i], widest)
			name = ""
		}
	}
	for _, a := range accounts {
		if !a.beyond.IsZero() {
			m.sumLine("later", a.currency, &a.beyond.Tally, a.beyond.Max, widest)
		}
	}
	m.b = append(m.b, '\n')
}

func mostOf(list []cell) amount.Sum {
	var most amount.Sum
	for _, t := range list {
		if most.Compare(t.Max) < 0 {
			most = t.Max
		}
	}
	return most
}

// sumLine writes the sum of a month, on two lines where one is too narrow.
func (m *months) sumLine(name, currency string, t *record.Tally, most amount.Sum, widest int) {
	const before = 26 // columns before the amount
	l := m.line(6).add("  " + termtext.Pad(name, 9) + termtext.Pad(termtext.Visible(currency)+" ", 5))
	if before+widest <= m.options.Width {
		l.add(termtext.PadLeft(strconv.FormatUint(t.Charges, 10), 8) + "  ")
		l.add(termtext.PadLeft(words.Range(t.Sums), widest) + "  ")
	} else {
		l.words(" ", words.Charges(t.Charges)).below()
		l.words("", words.Range(t.Sums)).add("  ")
	}
	if room := min(mostBar, m.options.Width-l.at); room >= leastBar {
		l.bar(t.Sums, most, room)
	}
	if more := words.Besides(t); more != "" {
		l.remark(more[2:])
	}
	l.end(m.sheet)
}
