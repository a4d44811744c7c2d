// Package calendar provides civil dates, windows of days, and schedules that repeat every so many
// days, weeks or months.
//
// A [Date] is a day of the proleptic Gregorian calendar from 0001-01-01 to 9999-12-31, without a
// time of day or a time zone. Its zero value is "no date". The package never reads a clock; [Of]
// converts a time.Time.
//
// A [Schedule] is a start date, a [Unit], an interval and a [MonthEnd]. Each date is counted from
// the start, never from the date before it, so a schedule of the 31st returns to the 31st after
// February. The dates are numbered from 0 without gaps. [Schedule.At] converts a number into a date
// and [Schedule.Index] a date into a number, without allocation and, but for the one case below, in
// constant time.
//
// # Rules
//
//   - day: the start, then every interval days (2.2.1, 2.2.2)
//   - week: the start, then every 7·interval days
//   - month: the same day of the month, counted from the start, every interval months; in a month
//     without that day the month end decides (ledger L01), and the default is the last day
//   - under [MonthEndSkip] a month without the day uses up no number
//   - a [Window] is half-open; [Through] makes one from an inclusive last day
//
// # Limits
//
// No day lies after 9999-12-31. A schedule ends there (ledger L32). A [Date] moved before the
// calendar becomes the zero Date, and one moved past it a Date that is not a day and sorts after every
// day, so that a window from it is empty. Nothing wraps, whatever the interval and the number. A
// window that includes 9999-12-31 has an open end, since no later day can bound it.
//
// Under [MonthEndSkip] with a start on day 29, 30 or 31 the months that have the day are counted one
// by one: [NewSchedule], [Schedule.At], [Schedule.Index] and [Schedule.Count] take time linear in the
// months between the start and the date, up to 12 of them for days 30 and 31 and up to the 4,800 of
// a cycle of 400 years for day 29.
//
// # Storage
//
// A date is stored as text, as are units and month ends, and a window as a struct of two dates. What
// is read back is equal by ==. A schedule has no stored form: keep the four arguments of
// [NewSchedule].
//
// # Errors
//
// Constructors, parsers and decoders return an [*Error], which unwraps to a [Fault] for errors.Is
// and never contains what was refused. Other methods do not fail. Nothing panics except
// [MustParse].
//
// # Compatibility
//
// The dates of a schedule and all text forms stay as they are. The wording of errors may change.
package calendar
