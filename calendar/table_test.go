package calendar

import (
	"math/rand/v2"
	"testing"
	"time"
)

// because names a row of a table and says which clause, ledger entry or law it checks.
type because struct{ name, reason string }

func (b because) about() because { return b }

// each runs the rows of a table. It refuses a row without a reason and a name used twice.
func each[T interface{ about() because }](t *testing.T, table []T, check func(*testing.T, T)) {
	t.Helper()
	seen := map[string]bool{}
	for _, row := range table {
		b := row.about()
		if b.reason == "" || b.name == "" || seen[b.name] {
			t.Fatalf("row %q: no reason, no name, or the name is used twice", b.name)
		}
		seen[b.name] = true
		t.Run(b.name, func(t *testing.T) { check(t, row) })
	}
}

// source returns the same random numbers on every run; each test has a number of its own.
func source(test uint64) *rand.Rand { return rand.New(rand.NewPCG(test, 0)) }

// day returns a date of a table; the empty text is the zero Date.
func day(s string) Date {
	if s == "" {
		return Date{}
	}
	return MustParse(s)
}

func schedule(start string, unit Unit, interval int, end MonthEnd) Schedule {
	return scheduleFrom(MustParse(start), unit, interval, end)
}

func scheduleFrom(start Date, unit Unit, interval int, end MonthEnd) Schedule {
	s, err := NewSchedule(start, unit, interval, end)
	if err != nil {
		panic(err)
	}
	return s
}

// anyStart prefers days from 29 to 31 and the two ends of the calendar.
func anyStart(r *rand.Rand) Date {
	switch r.IntN(4) {
	case 0:
		return Date{firstDay + r.Int32N(800)}
	case 1:
		return Date{lastDay - r.Int32N(2000)}
	case 2:
		d, err := New(1+r.IntN(9999), 1+time.Month(r.IntN(12)), 29+r.IntN(3))
		if err == nil {
			return d
		}
	}
	return Date{firstDay + r.Int32N(lastDay)}
}
