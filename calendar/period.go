package calendar

// ISOWeek returns the year and the number, from 1 to 53, of d's week in ISO 8601. Weeks begin on
// Monday, and the first week of a year is the one with its first Thursday, so the year may be the
// one before or after d's. Both are 0 for the zero Date.
func (d Date) ISOWeek() (year, week int) {
	if d.n == 0 {
		return 0, 0
	}
	// A week belongs to the year of its Thursday. The calendar begins on a Monday and ends on a
	// Friday, so it has the Thursday of each of its weeks.
	thursday := Date{d.n + 3 - (d.n-firstDay)%7}
	year, _, _ = thursday.civil()
	newYear, _ := fromParts(year, 1, 1)
	return year, int(thursday.n-newYear.n)/7 + 1
}

// Quarter returns the quarter of d's year, 1 to 4, or 0 for the zero Date.
func (d Date) Quarter() int {
	_, month, _ := d.Date()
	return (int(month) + 2) / 3
}
