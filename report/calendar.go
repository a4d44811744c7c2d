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

// months writes a calendar for a terminal: months as grids, whose days are shaded by what is
// charged on them, and then the sums of the months with bars.
type months struct {
	*sheet
	book     book
	currency string
}

const (
	gridMonths = 36              // months with a grid
	gridDays   = 31 * gridMonths // at most in them
	gridGap    = 3
)

// cellWidth is that of a day: two digits and its shade, which is a sign behind them where there are no colours. The space
// behind the sign shows which day it belongs to.
func (m *months) cellWidth() int {
	if m.options.Color || m.options.Width < 7*4 {
		return 3
	}
	return 4
}

func (m *months) gridWidth() int { return 7 * m.cellWidth() }

// shades are the levels of a heat map where there are no colours.
var shades = [heatLevels + 1]string{" ", "░", "▒", "▓", "█"}

// heatColours are the levels of a heat map among the 256 colours of a terminal, dark letters on
// light ground or the other way round.
var heatColours = [heatLevels + 1]string{"", "\x1b[48;5;195;38;5;16m", "\x1b[48;5;117;38;5;16m", "\x1b[48;5;39;38;5;16m", "\x1b[48;5;25;38;5;231m"}

func newCalendar(s *sheet) *months {
	s.heading()
	return &months{sheet: s, book: book{first: s.first(), days: gridDays}}
}

func (m *months) start(p *Profile)        { m.currency = p.Currency }
func (m *months) charge(c *engine.Charge) { m.book.add(m.currency, c, m.basis(c.Because)) }
func (m *months) event(*engine.Effect)    {}
func (m *months) end(*engine.End)         {}

func (m *months) total(t *record.Total) {
	if d, err := calendar.Parse(t.Value); err == nil {
		m.book.merge(t.Currency, d, t, m.basis(t.Because))
	}
}

func (m *months) finish() {
	m.b = append(m.b, '\n')
	if len(m.book.accounts) > 0 {
		m.grids()
		m.sums()
	}
	m.grandTotal(&m.book, &totals{})
}

// grids writes the months, as many next to each other as fit.
func (m *months) grids() {
	last := later(later(m.book.first, m.book.last), m.head.Until)
	months := timesThrough(engine.ByMonth, m.book.first, last, gridMonths)
	h := newHeat(m.book.dated(), engine.ByDay, timesThrough(engine.ByDay, m.book.first, last, gridDays))
	across := 1
	for _, k := range [...]int{2, 3, 4, 6, 12} {
		if k*(m.gridWidth()+gridGap)-gridGap <= m.options.Width {
			across = k
		}
	}
	for row := range slices.Chunk(months, across) {
		m.gridRow(h, row)
	}
	m.line(0)
	for level := 1; level <= heatLevels; level++ {
		m.shade("  ", level)
	}
	m.words(" ", "up to 25, 50, 75 and 100 % of the most on one day: "+h.top()).newline()
	if monthsBetween(m.book.first, last) >= gridMonths {
		m.paragraph("", "The grids show the first "+strconv.Itoa(gridMonths)+" months; the sums below have all of them.")
	}
	if len(m.book.accounts) > maxAccounts {
		m.paragraph("", "The grids and the months show the first "+strconv.Itoa(maxAccounts)+" currencies; the total has the others.")
	}
	m.b = append(m.b, '\n')
}

// gridRow writes months next to each other.
func (m *months) gridRow(h *heat, months []calendar.Date) {
	gap := strings.Repeat(" ", gridGap)
	m.line(0)
	for _, start := range months {
		year, month, _ := start.Date()
		m.bold(termtext.Pad(month.String()+" "+strconv.Itoa(year), m.gridWidth())).add(gap)
	}
	m.newline()
	m.line(0)
	for range months {
		days := strings.Join([]string{"Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"}, strings.Repeat(" ", m.cellWidth()-2))
		m.faint(termtext.Pad(days, m.gridWidth())).add(gap)
	}
	m.newline()
	for week := range 6 {
		begin, any := len(m.b), false
		m.line(0)
		for _, start := range months {
			any = m.gridWeek(h, start, week) || any
			m.add(gap)
		}
		if m.newline(); !any {
			m.b = m.b[:begin]
		}
	}
	m.b = append(m.b, '\n')
}

// gridWeek appends one week of a month, and reports whether there is any day of the window in it.
func (m *months) gridWeek(h *heat, start calendar.Date, week int) bool {
	y, month, _ := start.Date()
	before := (int(start.Weekday()) + 6) % 7 // days of the first week that are in the month before
	any := false
	for column := range 7 {
		day := 7*week + column - before + 1
		i := start.AddDays(day - 1).Sub(m.book.first)
		if day < 1 || day > calendar.DaysIn(y, month) || i < 0 || i >= len(h.counts) {
			m.add(strings.Repeat(" ", m.cellWidth()))
			continue
		}
		any = true
		m.shade(termtext.PadLeft(strconv.Itoa(day), 2), h.level(i))
	}
	return any
}

// shade appends a text of two cells in the shade of a level.
func (m *months) shade(text string, level int) {
	switch {
	case !m.options.Color:
		m.add(text + shades[level] + strings.Repeat(" ", m.cellWidth()-3))
	case level == 0:
		m.faint(text).add(" ")
	default:
		m.colour(heatColours[level], text).add(" ")
	}
}

// sums writes a line for each month and currency, with a bar.
func (m *months) sums() {
	periods, widest, month := m.book.periods(false), 0, ""
	for _, p := range periods {
		widest = max(widest, len(words.Range(p.Total)))
	}
	m.line(0).bold("By month").newline()
	for _, p := range periods {
		name := p.name
		if name == month {
			name = ""
		}
		month = p.name
		m.sumLine(name, p.currency, &p.Tally, p.largest, widest)
	}
	for _, a := range m.book.dated() {
		if !a.beyond.IsZero() {
			m.sumLine("later", a.currency, &a.beyond.Tally, a.beyond.Max, widest)
		}
	}
	m.b = append(m.b, '\n')
}

// sumLine writes the sum of a month, on two lines where one is too narrow.
func (m *months) sumLine(name, currency string, t *amount.Tally, largest amount.Sum, widest int) {
	wide := columns{{2, 9, false}, {0, 5, false}, {0, 8, true}, {2, widest, true}}
	texts := []string{name, termtext.Visible(currency) + " ", strconv.FormatUint(t.Charges, 10), words.Range(t.Total)}
	m.line(6)
	if wide.width() <= m.options.Width {
		m.add(wide.row(texts...) + "  ")
	} else {
		m.add(wide[:2].row(texts[0], texts[1])).words(" ", words.Charges(t.Charges)).below()
		m.words("", texts[3]).add("  ")
	}
	if room := min(mostBar, m.options.Width-m.at); room >= leastBar {
		m.bar(t.Total, largest, room)
	}
	m.besides(t)
	m.newline()
}
