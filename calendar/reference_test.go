package calendar

// The reference walks day by day: it turns the pages of a calendar, counts them since the start and
// decides for each day whether it is a date of the schedule. It never computes "date k", and it
// shares no arithmetic with the package.

// page is a day as year, month and day, with its number for comparison.
type page struct {
	year, month, day int
	length           int // of the month
	number           int32
}

// pageOf returns the page of d, found by turning years from 0001-01-01 on, then months and days.
func pageOf(d Date) page {
	p := page{year: 1, month: 1, day: 1, number: 1}
	for p.number+int32(yearLength(p.year)) <= d.n {
		p.number += int32(yearLength(p.year))
		p.year++
	}
	for p.number+int32(monthLength(p.year, p.month)) <= d.n {
		p.number += int32(monthLength(p.year, p.month))
		p.month++
	}
	p.length = monthLength(p.year, p.month)
	p.day += int(d.n - p.number)
	p.number = d.n
	return p
}

func isLeap(year int) bool { return year%400 == 0 || year%4 == 0 && year%100 != 0 }

func yearLength(year int) int {
	if isLeap(year) {
		return 366
	}
	return 365
}

func monthLength(year, month int) int {
	if month == 2 && isLeap(year) {
		return 29
	}
	return [...]int{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}[month-1]
}

// turn moves to the next day and reports whether a new month has begun.
func (p *page) turn() (newMonth bool) {
	p.number++
	p.day++
	if p.day <= p.length {
		return false
	}
	p.day = 1
	if p.month++; p.month > 12 {
		p.month = 1
		p.year++
	}
	p.length = monthLength(p.year, p.month)
	return true
}

// referenceWalk returns the dates of a schedule up to a last day by visiting each day.
func referenceWalk(start Date, unit Unit, interval int, end MonthEnd, last Date) []Date {
	if unit == UnitMonth {
		return walkMonthly(start, interval, end, last)
	}
	every := interval
	if unit == UnitWeek {
		every = 7 * interval
	}
	dates := []Date{start}
	since := 0
	for p := pageOf(start); p.number < last.n; {
		p.turn()
		if since++; since == every {
			dates = append(dates, Date{p.number})
			since = 0
		}
	}
	return dates
}

func walkMonthly(start Date, interval int, end MonthEnd, last Date) []Date {
	p := pageOf(start)
	anchor := p.day
	dates := []Date{start}
	monthsSince, onGrid := 0, true
	missing := 0 // by how many days the month before, if it is on the grid, was too short
	for p.number < last.n {
		length := p.length
		if p.turn() {
			missing = 0
			if onGrid && anchor > length {
				missing = anchor - length
			}
			monthsSince++
			if onGrid = monthsSince == interval; onGrid {
				monthsSince = 0
			}
		}
		today := onGrid && p.day == anchor
		switch end {
		case MonthEndClamp:
			today = today || onGrid && anchor > p.day && p.day == p.length
		case MonthEndNextFirst:
			today = today || missing > 0 && p.day == 1
		case MonthEndOverflow:
			today = today || missing > 0 && p.day == missing
		}
		if today {
			dates = append(dates, Date{p.number})
		}
	}
	return dates
}
