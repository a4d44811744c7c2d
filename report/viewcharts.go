package report

import (
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/words"
)

// lastDay is the last day that drawings show.
func (p *page) lastDay() calendar.Date {
	last := p.book.last
	if p.head.Until.After(last) {
		last = p.head.Until
	}
	if last.Before(p.book.first) {
		return p.book.first
	}
	return last
}

// byDays reports whether the window is short enough to show its days.
func (p *page) byDays() bool { return p.lastDay().Sub(p.book.first) < pageDays }

// times is how many days or months drawings show.
func (p *page) times() int {
	if p.byDays() {
		return p.lastDay().Sub(p.book.first) + 1
	}
	return min(p.book.month(p.lastDay())+1, maxMonths)
}

// timeOf returns the sums of a day, or a month, of an account.
func (p *page) timesOf(a *account) []cell {
	list := a.days
	if !p.byDays() {
		list = p.book.byMonth(a)
	}
	times := make([]cell, p.times())
	copy(times, list)
	return times
}

// nameOf names day or month i.
func (p *page) nameOf(i int) string {
	if p.byDays() {
		return string(words.AppendDay(nil, p.book.first.AddDays(i)))
	}
	return p.book.monthStart(i).String()[:len("2026-01")]
}

// The limits of the heat map.
const (
	mostInTitle = 3      // currencies that a square names
	titleBytes  = 50_000 // what is said of all squares; the others name their time only
)

func (p *page) addHeat(v *view) {
	accounts := p.book.sorted()
	if len(accounts) == 0 {
		return
	}
	times := make([][]cell, len(accounts))
	for i, a := range accounts {
		times[i] = p.timesOf(a)
	}
	index := func(a *account, i int) cell {
		for n := range accounts {
			if accounts[n] == a {
				return times[n][i]
			}
		}
		return cell{}
	}
	h := newHeat(accounts, p.times(), index)
	v.HeatTop = h.top()
	each, in, draw := "day", "on ", heatOfDays
	if !p.byDays() {
		each, in, draw = "month", "in ", heatOfMonths
	}
	quiet, most := 0, 0
	for i := range h.counts {
		switch {
		case h.counts[i] == 0:
			quiet++
		case h.currency == "" && h.counts[i] > h.counts[most], h.currency != "" && h.money[i].Compare(h.money[most]) > 0:
			most = i
		}
	}
	room := titleBytes
	title := func(i int) string {
		if room < 0 {
			return p.nameOf(i)
		}
		var s strings.Builder
		s.WriteString(p.nameOf(i) + ": " + words.Charges(h.counts[i]))
		named := 0
		for n, a := range accounts {
			if c := &times[n][i]; c.Charges > 0 && named < mostInTitle {
				s.WriteString(", " + words.Range(c.Sums) + " " + code(a.currency))
				named++
			}
		}
		room -= len(s.String())
		return s.String()
	}
	if h.peak > 0 {
		v.HeatText = "The most is charged " + in + p.nameOf(most) + ": " + h.top() + ". "
	}
	if quiet == 0 {
		v.HeatText += "There are charges " + in + "each of " + count(len(h.counts)) + " " + each + "s."
	} else {
		v.HeatText += count(quiet) + " of " + count(len(h.counts)) + " " + each + "s have no charge."
	}
	v.Heat = draw(p.book.first, h, "What is charged on each "+each+", darker for more. "+v.HeatText, title)
}

// mostCurves is how many currencies have a curve.
const mostCurves = 6

func (p *page) addCurves(v *view) {
	accounts := p.book.sorted()
	for i, a := range accounts {
		total := cell{Tally: a.total()}
		if total.Charges == 0 {
			continue
		}
		if len(v.Curves) == mostCurves {
			v.CurvesLeft = "The first " + strconv.Itoa(mostCurves) + " currencies are drawn; the table of months has the others."
			return
		}
		times := p.timesOf(a)
		c := curveView{Currency: code(a.currency), Total: money(total.Sums)}
		c.Text = "From nothing before " + p.book.first.String() + " to " + c.Total + " " + c.Currency + " on " + p.lastDay().String() + "."
		c.Drawing = curve("curve"+strconv.Itoa(i), "Running total in "+c.Currency, c.Text, len(times), func(i int) cell { return times[i] }, total)
		v.Curves = append(v.Curves, c)
	}
}
