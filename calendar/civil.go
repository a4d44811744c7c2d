package calendar

// Months are numbered without gaps from March of the year 0. In a year that begins in March the
// leap day comes last, so the lengths of the months before it follow a straight line, and each
// conversion takes a few multiplications and shifts. The method is that of Neri and Schneider
// ("Euclidean affine functions and their application to calendar algorithms", 2022).

const (
	maxYear = 9999

	// epochShift added to a day number (1 is 0001-01-01) gives the days since 1 March of the year
	// 0.
	epochShift = 305

	february = 11 // month index modulo 12
)

// lastMonth is the index of December 9999.
const lastMonth = 12*maxYear + 12 - 3

// monthIndex returns the index of a month, from 1 to 12, of a year from 1 to 9999.
func monthIndex(year, month int) int { return 12*year + month - 3 }

// dayNumber returns the number of the first day of a month.
func dayNumber(index int) int32 { return firstOf(uint32(index)/12, uint32(index)%12) }

// lengthOf returns the number of days of a month.
func lengthOf(index int) int { return int(lengthIn(uint32(index)/12, uint32(index)%12)) }

// firstOf is dayNumber for month m, counted from 0, of the year y that begins in March.
func firstOf(y, m uint32) int32 {
	c := y / 100
	return int32(1461*y/4-c+c/4+(979*m+18)/32) - epochShift
}

// lengthIn is lengthOf for month m of the year y that begins in March.
func lengthIn(y, m uint32) int32 {
	if m == february {
		return 28 + leapDay(y+1)
	}
	// From March on, the lengths repeat: 31 30 31 30 31.
	return 31 - int32(m%5&1)
}

// leapDay returns 1 for a leap year and 0 for any other year.
func leapDay(year uint32) int32 {
	// A multiple of 4 is a multiple of 100 when 25 divides it, and of 400 when 16 divides it too.
	if year%4 == 0 && (year%25 != 0 || year%16 == 0) {
		return 1
	}
	return 0
}

// monthAndDay returns the index of d's month and d's day of the month. d must be a day.
func (d Date) monthAndDay() (index, day int) {
	y, m, dd := marchYear(d.n)
	return int(12*y + m), int(dd)
}

// civil returns the year, the month and the day of the month, both from 1. d must be a day.
func (d Date) civil() (year, month, day int) {
	y, m, dd := marchYear(d.n)
	if m >= 10 {
		return int(y) + 1, int(m) - 9, int(dd)
	}
	return int(y), int(m) + 3, int(dd)
}

// marchYear splits a day number into a year that begins in March, the month of that year, from 0,
// and the day of the month, from 1.
func marchYear(n int32) (year, month, day uint32) {
	quarters := 4*uint32(n+epochShift) + 3
	century := quarters / 146_097
	quarters = quarters%146_097 | 3
	p := 2_939_745 * uint64(quarters)
	dayOfYear := uint32(p) / 2_939_745 / 4
	line := 2141*dayOfYear + 1305
	return 100*century + uint32(p>>32), line >> 16, line&0xffff/2141 + 1
}
