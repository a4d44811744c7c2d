package main

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// totals adds charges up by day, week and so on, and by currency. Memory grows with the days, or
// weeks and so on, that have a charge, not with the profiles.
type totals struct {
	by   engine.By
	span span
	cell map[totalKey]*totalCell
}

type totalKey struct {
	begin    calendar.Date // the first day of the span
	currency string
}

type totalCell struct {
	amounts record.Tally
	because ledger.Because
}

// A span is what one total is for: a day, a week and so on.
type span struct {
	begin func(calendar.Date) calendar.Date // the day that stands for the span of a day
	name  func(calendar.Date) string        // of the span with that day
}

// spans are the ways to add charges up that are neither by charge nor by profile.
var spans = map[engine.By]span{
	engine.ByDay:     {func(d calendar.Date) calendar.Date { return d }, calendar.Date.String},
	engine.ByWeek:    {monday, weekName},
	engine.ByMonth:   {func(d calendar.Date) calendar.Date { return firstOfMonth(d, 1) }, monthName},
	engine.ByQuarter: {func(d calendar.Date) calendar.Date { return firstOfMonth(d, 3) }, quarterName},
	engine.ByWeekday: {func(d calendar.Date) calendar.Date { return calendar.First().AddDays(daysAfterMonday(d)) }, weekdayName},
}

// daysAfterMonday counts from the Monday of a day's week. The calendar begins on a Monday.
func daysAfterMonday(d calendar.Date) int { return (int(d.Weekday()) - int(time.Monday) + 7) % 7 }

func monday(d calendar.Date) calendar.Date { return d.AddDays(-daysAfterMonday(d)) }

// firstOfMonth returns the first day of the month of d, or of the so many months that it is one of.
func firstOfMonth(d calendar.Date, months int) calendar.Date {
	year, month, _ := d.Date()
	first, _ := calendar.New(year, month-time.Month((int(month)-1)%months), 1)
	return first
}

// weekName names a week of ISO 8601 by its Monday: it is in the year of its Thursday.
func weekName(monday calendar.Date) string {
	thursday := monday.AddDays(3)
	year, _, _ := thursday.Date()
	newYear, _ := calendar.New(year, time.January, 1)
	number := strconv.Itoa(thursday.Sub(newYear)/7 + 1)
	return thursday.String()[:len("2026-")] + "W" + strings.Repeat("0", 2-len(number)) + number
}

func monthName(first calendar.Date) string { return first.String()[:len("2026-01")] }

func quarterName(first calendar.Date) string {
	_, month, _ := first.Date()
	return first.String()[:len("2026-")] + "Q" + strconv.Itoa((int(month)+2)/3)
}

func weekdayName(d calendar.Date) string { return strings.ToLower(d.Weekday().String()) }

// newTotals returns empty totals; nil for ByCharge and ByProfile, which have none of this kind.
func newTotals(by engine.By) *totals {
	span, ok := spans[by]
	if !ok {
		return nil
	}
	return &totals{by, span, map[totalKey]*totalCell{}}
}

// add counts a charge.
func (t *totals) add(currency string, c *engine.Charge) {
	key := totalKey{t.span.begin(c.Date), currency}
	cell := t.cell[key]
	if cell == nil {
		cell = new(totalCell)
		t.cell[key] = cell
	}
	cell.amounts.Add(c)
	cell.because = cell.because.And(c.Because)
}

// because returns what a total rests on; nothing if no reasons were collected.
func (t *totals) because(period calendar.Date, currency string) ledger.Because {
	if t == nil {
		return ledger.Because{}
	}
	cell := t.cell[totalKey{t.span.begin(period), currency}]
	if cell == nil {
		return ledger.Because{}
	}
	return cell.because
}

// writeTo gives the totals in order of their spans, then currency.
func (t *totals) writeTo(s sink) {
	keys := make([]totalKey, 0, len(t.cell))
	for key := range t.cell {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b totalKey) int {
		return cmp.Or(a.begin.Compare(b.begin), cmp.Compare(a.currency, b.currency))
	})
	for _, key := range keys {
		cell := t.cell[key]
		s.total(&record.Total{By: t.by, Value: t.span.name(key.begin), Currency: key.currency, Tally: cell.amounts, Because: cell.because})
	}
}
