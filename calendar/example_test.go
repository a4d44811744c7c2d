package calendar_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/chargecast/chargecast/calendar"
)

// On which days is a monthly charge of the 31st made?
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

// What do the four month ends make of a short month?
func ExampleMonthEnd() {
	start := calendar.MustParse("2026-01-31")
	for _, end := range []calendar.MonthEnd{calendar.MonthEndClamp, calendar.MonthEndSkip, calendar.MonthEndNextFirst, calendar.MonthEndOverflow} {
		monthly, _ := calendar.NewSchedule(start, calendar.UnitMonth, 1, end)
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

// Which date has the number 11,000? It costs no more than the first.
func ExampleSchedule_At() {
	monthly, _ := calendar.NewSchedule(calendar.MustParse("2024-02-29"), calendar.UnitMonth, 1, calendar.MonthEndClamp)
	fmt.Println(monthly.At(11_000))
	fmt.Println(monthly.At(100_000))
	// Output:
	// 2940-10-29 true
	//  false
}

// Is a day a due day, and which date comes next?
func ExampleSchedule_Index() {
	weekly, _ := calendar.NewSchedule(calendar.MustParse("2026-01-05"), calendar.UnitWeek, 2, calendar.MonthEndClamp)
	k, on := weekly.Index(calendar.MustParse("2026-02-01"))
	next, _ := weekly.At(k)
	fmt.Println(k, on, next)
	fmt.Println(weekly.Index(next))
	// Output:
	// 2 false 2026-02-02
	// 2 true
}

// How many dates fall in a year?
func ExampleSchedule_Count() {
	every10Days, _ := calendar.NewSchedule(calendar.MustParse("2026-01-05"), calendar.UnitDay, 10, calendar.MonthEndClamp)
	year := calendar.Through(calendar.MustParse("2027-01-01"), calendar.MustParse("2027-12-31"))
	fmt.Println(every10Days.Count(year))
	// Output: 36
}

// How many dates does a schedule have before the calendar ends?
func ExampleSchedule_Len() {
	leapDays, _ := calendar.NewSchedule(calendar.MustParse("2096-02-29"), calendar.UnitMonth, 12, calendar.MonthEndSkip)
	last, _ := leapDays.At(leapDays.Len() - 1)
	fmt.Println(leapDays.Len(), last)
	// Output: 1916 9996-02-29
}

// What were the last dates before a day, the newest first?
func ExampleSchedule_Backward() {
	monthly, _ := calendar.NewSchedule(calendar.MustParse("2026-01-31"), calendar.UnitMonth, 1, calendar.MonthEndClamp)
	k, _ := monthly.Index(calendar.MustParse("2026-04-15"))
	for k, d := range monthly.Backward(k - 1) {
		fmt.Println(k, d)
	}
	// Output:
	// 2 2026-03-31
	// 1 2026-02-28
	// 0 2026-01-31
}

// Why is a date refused?
func ExampleParseDotted() {
	for _, s := range []string{"31.01.2026", "1.2.2026", "31.02.2026"} {
		d, err := calendar.ParseDotted(s)
		fmt.Println(d, errors.Is(err, calendar.ErrSyntax), errors.Is(err, calendar.ErrNotADay))
		if err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// 2026-01-31 false false
	//  true false
	// calendar: not the form of a date at byte 1: send DD.MM.YYYY in ASCII digits
	//  false true
	// calendar: no such day: day at byte 0: send a day of the years 0001 to 9999 as DD.MM.YYYY
}

// Which day is it there? The clock's own location decides.
func ExampleOf() {
	instant := time.Date(2026, time.January, 31, 23, 30, 0, 0, time.UTC)
	fmt.Println(calendar.Of(instant))
	fmt.Println(calendar.Of(instant.In(time.FixedZone("UTC+1", 60*60))))
	// Output:
	// 2026-01-31
	// 2026-02-01
}

// How far apart are two dates?
func ExampleDate_Sub() {
	start, finish := calendar.MustParse("2024-02-28"), calendar.MustParse("2024-03-01")
	fmt.Println(finish.Sub(start), start.AddDays(2) == finish)
	// Output: 2 true
}

// How does an inclusive finish date become a window?
func ExampleThrough() {
	january := calendar.Through(calendar.MustParse("2026-01-01"), calendar.MustParse("2026-01-31"))
	fmt.Println(january.To, january.Last())
	forever := calendar.Through(calendar.MustParse("2026-01-01"), calendar.Last())
	fmt.Println(forever.To.IsZero(), forever.Contains(calendar.Last()))
	// Output:
	// 2026-02-01 2026-01-31
	// true true
}
