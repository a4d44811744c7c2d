package calendar

import "math/bits"

// gaps counts the slots of a monthly grid whose month has the start's day, without visiting them.
// It is needed for days 29, 30 and 31 under MonthEndSkip. The zero value means that every month has
// the day.
//
// Whether a month has day 30 or 31 depends on its name only, so the pattern repeats within 12 slots
// and fits in a bit set. Day 29 is missing only in Februaries, which are a constant number of slots
// apart; of those, the multiples of 4, less those of 100, plus those of 400 are leap years, and
// each of the three is again an arithmetic progression, counted by one division.
type gaps struct {
	period uint16 // slots after which the pattern repeats: at most 12, for day 29 at most 4800
	dates  uint16 // how many of them have the day: 1 or more, for the first one has it
	set    uint16 // days 30 and 31: bit j is set when slot j of a period has the day

	februaries progression    // day 29: the slots that are Februaries; empty for days 30 and 31
	leap       [3]progression // day 29: the Februaries, counted from 0, of multiples of 4, 100 and 400
}

// progression is the numbers first, first+step, first+2·step and so on, or no number when step is
// 0.
type progression struct{ first, step uint16 }

// below returns the number of members below n.
func (p progression) below(n int) int {
	if p.step == 0 || n <= int(p.first) {
		return 0
	}
	return (n-int(p.first)-1)/int(p.step) + 1
}

// newGaps returns the gaps of the grid that begins in a month that has the day, which is 29, 30 or
// 31.
func newGaps(month, step, day int) gaps {
	if day == 29 {
		return newLeapGaps(month, step)
	}
	g := gaps{period: uint16(12 / gcd(12, step))}
	for slot := range int(g.period) {
		if day <= lengthOf(month+slot*step) {
			g.set |= 1 << slot
		}
	}
	g.dates = uint16(bits.OnesCount16(g.set))
	return g.orNone()
}

// newLeapGaps is newGaps for day 29.
func newLeapGaps(month, step int) gaps {
	cycle := 12 / gcd(12, step)
	first := 0
	for (month+first*step)%12 != february {
		if first++; first == cycle {
			return gaps{}
		}
	}
	g := gaps{period: uint16(4800 / gcd(4800, step)), februaries: progression{uint16(first), uint16(cycle)}}
	years := leapYears{first: (month+first*step)/12 + 1, step: cycle * step / 12}
	g.leap[0] = years.multiples(progression{0, 1}, 4)
	g.leap[1] = years.multiples(g.leap[0], 100)
	g.leap[2] = years.multiples(g.leap[1], 400)
	g.dates = uint16(g.datesBefore(int(g.period)))
	return g.orNone()
}

// orNone returns the zero value, which is quicker to use, for gaps that leave no slot out.
func (g gaps) orNone() gaps {
	if g.dates == g.period {
		return gaps{}
	}
	return g
}

// leapYears are the years of successive Februaries of a grid.
type leapYears struct{ first, step int }

// multiples returns the Februaries of p whose year is a multiple of n. The multiples of 100 are
// searched for among those of 4, and those of 400 among those of 100, so at most 25 members of p
// are tried.
func (y leapYears) multiples(p progression, n int) progression {
	if p.step == 0 {
		return p
	}
	period := n / gcd(n, int(p.step)*y.step)
	for k := range period {
		if at := int(p.first) + k*int(p.step); (y.first+at*y.step)%n == 0 {
			return progression{uint16(at), uint16(period * int(p.step))}
		}
	}
	return progression{}
}

// datesBefore returns the number of dates among the first slots.
func (g *gaps) datesBefore(slots int) int {
	if g.februaries.step == 0 {
		whole, rest := slots/int(g.period), slots%int(g.period)
		return whole*int(g.dates) + bits.OnesCount16(g.set&(1<<rest-1))
	}
	februaries := g.februaries.below(slots)
	leap := g.leap[0].below(februaries) - g.leap[1].below(februaries) + g.leap[2].below(februaries)
	return slots - februaries + leap
}

// slotOf returns the slot of date k: whole periods by division, then a binary search of at most 13
// steps within the 4,800 slots of a period.
func (g *gaps) slotOf(k int) int {
	whole, rest := k/int(g.dates), k%int(g.dates)
	// Before it lie the slots of the earlier dates and at most all gaps of the period.
	low, high := rest, rest+int(g.period-g.dates)
	for low < high {
		middle := (low + high) / 2
		if g.datesBefore(middle+1) > rest {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return whole*int(g.period) + low
}

// gcd returns the greatest common divisor of two positive numbers.
func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
