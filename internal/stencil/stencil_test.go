package stencil_test

import (
	"math/rand/v2"
	"reflect"
	"strconv"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/internal/race"
	"github.com/chargecast/chargecast/internal/stencil"
	"github.com/chargecast/chargecast/ledger"
)

// Goal: a line is what its parts come to. Method: the parts joined, for numbers of each length and
// for days that share a place in Dates.

// numbers are where the number of digits changes.
func numbers() (list []uint64) {
	for n := uint64(1); ; n *= 10 {
		list = append(list, n-1, n, n+1)
		if n == 1e19 {
			return append(list, 1<<63-1, 1<<63, 1<<64-2, 1<<64-1)
		}
	}
}

// days are days that are a multiple of 2048 apart, both ends of the calendar, and no day.
func days() []calendar.Date {
	list := []calendar.Date{{}, calendar.MinDate(), calendar.MaxDate()}
	for n := range 6 {
		d := calendar.MustParse("2026-01-31").AddDays(2048 * n)
		list = append(list, d, d.AddDays(1))
	}
	return list
}

func TestLineIsItsPartsJoined(t *testing.T) {
	r := rand.New(rand.NewPCG(405, 0))
	repeats, dates := numbers(), days()
	heads, middles, tails := []string{"", "1", "order-1,1,", `{"repeat":`}, []string{"", ",", `,"date":"`}, []string{"", "\n", `","amount":"10.00"}`}
	for _, kept := range []*stencil.Dates{nil, new(stencil.Dates)} {
		l := stencil.Line{Dates: kept}
		var got []byte
		var want string
		for range 3000 {
			var c engine.Charge
			head, middle, tail := heads[r.IntN(len(heads))], middles[r.IntN(len(middles))], tails[r.IntN(len(tails))]
			l.Clear()
			for range 1 + r.IntN(5) {
				c.Repeat, c.Date = repeats[r.IntN(len(repeats))], dates[r.IntN(len(dates))]
				if r.IntN(2) == 0 {
					c.Repeat = r.Uint64() >> r.IntN(64)
				}
				c.Slot = c.Date
				if !l.Fits(&c) {
					l.Set(&c, []byte(head), middle, []byte(tail))
				}
				got = l.Append(got, &c)
				want += head + strconv.FormatUint(c.Repeat, 10) + middle + c.Date.String() + tail
			}
			if string(got) != want {
				t.Fatalf("%q, want %q", got, want)
			}
			if len(want) > 4000 {
				got, want = got[:0], ""
			}
		}
	}
}

// TestFitsAsksForEveryField: two charges share a line only if all but repeat and day is the same,
// also in fields that a charge may gain.
func TestFitsAsksForEveryField(t *testing.T) {
	day := calendar.MustParse("2026-01-31")
	is := engine.Charge{Repeat: 3, Slot: day, Date: day, Min: amount.MustParse("1.50"), Max: amount.MustParse("2.50")}
	l := stencil.Line{Explained: true}
	if l.Fits(&is) {
		t.Error("the zero Line fits a charge")
	}
	l.Set(&is, nil, "", nil)
	later := is
	later.Repeat, later.Slot, later.Date = 4, day.AddDays(1), day.AddDays(1)
	if !l.Fits(&is) || !l.Fits(&later) {
		t.Error("it does not fit another repeat and day")
	}
	longer := later
	if longer.Repeat = 10; l.Fits(&longer) {
		t.Error("it fits a number with more digits")
	}
	change := map[string]any{
		"Min": amount.MustParse("1.5"), "Max": amount.MustParse("2.5"), "Manual": true, "Nth": uint64(1), "Outcome": engine.OutcomeDeclined,
		"CardExpired": true, "Because": ledger.On(clause.L31),
	}
	for i := range reflect.TypeFor[engine.Charge]().NumField() {
		name, other := reflect.TypeFor[engine.Charge]().Field(i).Name, later
		if !reflect.TypeFor[engine.Charge]().Field(i).IsExported() { // how it would be drawn, which no line shows
			continue
		}
		if name == "Repeat" || name == "Slot" || name == "Date" || name == "Nth" { // no line shows Nth
			continue
		}
		value, known := change[name]
		if !known {
			t.Errorf("no other value of %s", name)
			continue
		}
		reflect.ValueOf(&other).Elem().Field(i).Set(reflect.ValueOf(value))
		if l.Fits(&other) {
			t.Errorf("it fits a charge with another %s", name)
		}
	}
	l.Explained = false
	otherwise := is
	if otherwise.Because = ledger.On(clause.L31); !l.Fits(&otherwise) {
		t.Error("a line without reasons does not fit a charge with other reasons")
	}
	caughtUp := is
	if caughtUp.Date = day.AddDays(2); l.Fits(&caughtUp) {
		t.Error("it fits a charge after its due day")
	}
	l.Set(&caughtUp, nil, "", nil)
	if l.Fits(&caughtUp) || l.Fits(&is) {
		t.Error("the line of a charge after its due day fits another one")
	}
	l.Set(&is, nil, "", nil)
	if l.Clear(); l.Fits(&is) {
		t.Error("a cleared line fits a charge")
	}
}

func TestLineAllocatesNothing(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	day := calendar.MustParse("2026-01-31")
	c := engine.Charge{Slot: day, Date: day}
	l := stencil.Line{Dates: new(stencil.Dates)}
	var b []byte
	write := func() {
		if !l.Fits(&c) {
			l.Set(&c, nil, ",", nil)
		}
		b = l.Append(b[:0], &c)
		c.Repeat, c.Slot, c.Date, c.Manual = c.Repeat*7%1e9+1, c.Slot.AddDays(31), c.Date.AddDays(31), c.Repeat%5 == 0
	}
	for range 10_000 {
		write()
	}
	if n := testing.AllocsPerRun(10_000, write); n > 0 {
		t.Errorf("%v allocations for a line", n)
	}
}
