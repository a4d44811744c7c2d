package report

import (
	"strconv"

	"github.com/chargecast/chargecast/internal/words"
)

// mostMonths is how many rows the table of months has.
const mostMonths = 200

func (p *page) addMonths(v *view) {
	accounts := p.book.sorted()
	v.MonthsName = "Month"
	months, rows, length := make([][]cell, len(accounts)), 0, 0
	for i, a := range accounts {
		months[i] = p.book.byMonth(a)
		rows += charged(months[i])
		length = max(length, len(months[i]))
	}
	name := func(i int) string { return p.book.monthStart(i).String()[:len("2026-01")] }
	if rows > mostMonths {
		v.MonthsName, length = "Year", 0
		for i := range months {
			months[i] = p.years(months[i])
			length = max(length, len(months[i]))
		}
		year, _, _ := p.book.first.Date()
		name = func(i int) string { return strconv.Itoa(year + i) }
	}
	running, shown, left := make([]cell, len(accounts)), 0, 0
	most := make([]cell, len(accounts))
	for i := range months {
		most[i].Max = mostOf(months[i])
	}
	for t := range length {
		group := monthGroup{Name: name(t)}
		for i, a := range accounts {
			if t >= len(months[i]) || months[i][t].IsZero() {
				continue
			}
			c := &months[i][t]
			running[i].merge(*c)
			if shown == mostMonths {
				left++
				continue
			}
			shown++
			group.Rows = append(group.Rows, monthRow{
				Currency: code(a.currency), Charges: count64(c.Charges), Sum: money(c.Sums), Running: money(running[i].Sums),
				Basis: c.basis.String(), Bar: barOf(c, most[i].Max),
			})
		}
		if len(group.Rows) > 0 {
			v.Months = append(v.Months, group)
		}
	}
	if left > 0 {
		v.MonthsLeft = "The page shows " + strconv.Itoa(mostMonths) + " rows; " + count(left) + " more have charges."
	}
	for _, a := range accounts {
		if !a.beyond.IsZero() {
			v.MonthsLeft += " Outside the months shown: " + words.Charges(a.beyond.Charges) + ", " + money(a.beyond.Sums) + " " + code(a.currency) + "."
		}
	}
}

// charged returns how many cells have charges.
func charged(list []cell) int {
	n := 0
	for i := range list {
		if !list[i].IsZero() {
			n++
		}
	}
	return n
}

// years adds months up by year.
func (p *page) years(months []cell) []cell {
	var years []cell
	_, first, _ := p.book.first.Date()
	for i, c := range months {
		grown(&years, (int(first)-1+i)/12).merge(c)
	}
	return years
}
