package calendar_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/chargecast/chargecast/calendar"
)

// On which days does a monthly charge of the 31st fall due?
func Example() {
	start := calendar.MustParse("2026-01-31")
	monthly, err := calendar.NewSchedule(start, calendar.UnitMonth, 1, calendar.MonthEndClamp)
	if err != nil {
		fmt.Println(err)
		return
	}
	for k, d := range monthly.From(0) {
		if k == 4 {
			break
		}
		fmt.Println(k, d, d.Weekday())
	}
	// Output:
	// 0 2026-01-31 Saturday
	// 1 2026-02-28 Saturday
	// 2 2026-03-31 Tuesday
	// 3 2026-04-30 Thursday
}

// Which dates do the four month ends give in a short month?
func ExampleMonthEnd() {
	start := calendar.MustParse("2026-01-31")
	for end := calendar.MonthEndClamp; end <= calendar.MonthEndOverflow; end++ {
		monthly, err := calendar.NewSchedule(start, calendar.UnitMonth, 1, end)
		if err != nil {
			fmt.Println(err)
			return
		}
		second, _ := monthly.At(1)
		third, _ := monthly.At(2)
		fmt.Println(end, second, third)
	}
	// Output:
	// clamp 2026-02-28 2026-03-31
	// skip 2026-03-31 2026-05-31
	// next-first 2026-03-01 2026-03-31
	// overflow 2026-03-03 2026-03-31
}

// mustSchedule keeps the examples short.
func mustSchedule(start string, unit calendar.Unit, interval int, end calendar.MonthEnd) calendar.Schedule {
	s, err := calendar.NewSchedule(calendar.MustParse(start), unit, interval, end)
	if err != nil {
		panic(err)
	}
	return s
}

// Which date has the number 11,000? It takes no longer than the first one.
func ExampleSchedule_At() {
	monthly := mustSchedule("2024-02-29", calendar.UnitMonth, 1, calendar.MonthEndClamp)
	fmt.Println(monthly.At(11_000))
	_, ok := monthly.At(100_000)
	fmt.Println(ok)
	// Output:
	// 2940-10-29 true
	// false
}

// Is a day a due day, and which date comes next?
func ExampleSchedule_Index() {
	weekly := mustSchedule("2026-01-05", calendar.UnitWeek, 2, calendar.MonthEndClamp)
	k, due := weekly.Index(calendar.MustParse("2026-02-01"))
	next, _ := weekly.At(k)
	fmt.Println(k, due, next)
	fmt.Println(weekly.Index(next))
	// Output:
	// 2 false 2026-02-02
	// 2 true
}

// How many dates fall in a year?
func ExampleSchedule_Count() {
	every10Days := mustSchedule("2026-01-05", calendar.UnitDay, 10, calendar.MonthEndClamp)
	year := calendar.Through(calendar.MustParse("2027-01-01"), calendar.MustParse("2027-12-31"))
	fmt.Println(every10Days.Count(year))
	// Output: 36
}

// How many dates does a schedule have before the calendar ends?
func ExampleSchedule_Len() {
	leapDays := mustSchedule("2096-02-29", calendar.UnitMonth, 12, calendar.MonthEndSkip)
	last, _ := leapDays.At(leapDays.Len() - 1)
	fmt.Println(leapDays.Len(), last)
	// Output: 1916 9996-02-29
}

// Which dates of a schedule lie in a window?
func ExampleSchedule_From() {
	monthly := mustSchedule("2026-01-31", calendar.UnitMonth, 1, calendar.MonthEndClamp)
	spring := calendar.Through(calendar.MustParse("2027-03-01"), calendar.MustParse("2027-05-31"))
	first, _ := monthly.Index(spring.First())
	for k, d := range monthly.From(first) {
		if !spring.Contains(d) {
			break
		}
		fmt.Println(k, d)
	}
	// Output:
	// 14 2027-03-31
	// 15 2027-04-30
	// 16 2027-05-31
}

// How is a date read, and why is one refused?
func ExampleParse() {
	for _, s := range []string{"2026-01-31", "2026-1-31", "2026-02-30"} {
		d, err := calendar.Parse(s)
		switch {
		case errors.Is(err, calendar.ErrSyntax):
			fmt.Println("not a date")
		case errors.Is(err, calendar.ErrNotADay):
			fmt.Println("no such day")
		default:
			fmt.Println(d)
		}
	}
	// Output:
	// 2026-01-31
	// not a date
	// no such day
}

// What is wrong, and where?
func ExampleError() {
	_, err := calendar.Parse("2026-13-01")
	if e, ok := errors.AsType[*calendar.Error](err); ok {
		fmt.Println(e.Part, e.Offset, e.Fault == calendar.ErrNotADay)
	}
	// Output: month 5 true
}

// Which day is it there? The location of the time decides.
func ExampleOf() {
	instant := time.Date(2026, time.January, 31, 23, 30, 0, 0, time.UTC)
	fmt.Println(calendar.Of(instant))
	fmt.Println(calendar.Of(instant.In(time.FixedZone("UTC+1", 60*60))))
	// Output:
	// 2026-01-31
	// 2026-02-01
}

// How far apart are two dates, and which is the earlier one?
func ExampleDate_Sub() {
	start, finish := calendar.MustParse("2024-02-28"), calendar.MustParse("2024-03-01")
	fmt.Println(finish.Sub(start), start.AddDays(2) == finish, start.Before(finish))
	// Output: 2 true true
}

// What lies past the last day of the calendar? No day, and no window begins there.
func ExampleDate_AddDays() {
	d := calendar.MaxDate().AddDays(1)
	fmt.Println(d.IsDay(), d.IsZero(), d.After(calendar.MaxDate()))
	fmt.Println(calendar.Window{From: d}.IsEmpty())
	// Output:
	// false false true
	// true
}

// How does an inclusive last day become a window?
func ExampleThrough() {
	january := calendar.Through(calendar.MustParse("2026-01-01"), calendar.MustParse("2026-01-31"))
	fmt.Println(january.Last(), january.To)
	open := calendar.Through(calendar.MustParse("2026-01-01"), calendar.MaxDate())
	fmt.Println(open.Last(), open.To.IsZero(), open.Contains(calendar.MaxDate()))
	// Output:
	// 2026-01-31 2026-02-01
	// 9999-12-31 true true
}
