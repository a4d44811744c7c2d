// Package calendar decides on which days a recurring charge falls due: civil dates, half-open windows and schedules that
// repeat every so many days, weeks or months.
//
// A [Date] is a day of the proleptic Gregorian calendar from 0001-01-01 to 9999-12-31 and nothing else: no time of day,
// no zone, no clock. Its zero value is "no date". [Of] is the only door from package time.
//
// A [Schedule] is a start date, a [Unit], an interval and a [MonthEnd]. Date number k is always counted from the start,
// never from date k-1, so a profile of the 31st returns to the 31st after February. The dates are numbered from 0
// without gaps. A schedule answers in constant time, without allocation, both ways: [Schedule.At] from number to date,
// [Schedule.Index] from date to number.
//
// # Rules
//
//   - day: the start, then every interval days (2.2.1, 2.2.2)
//   - week: the start, then every 7·interval days
//   - month: the same day of the month, counted from the start, every interval months; where a month lacks the day,
//     the month end decides (ledger L01), and the default is the last day of that month
//   - under [MonthEndSkip] a month that lacks the day uses up no number
//   - windows are half-open; an inclusive end is turned round once, by [Through]
//
// # Limits
//
// Nothing lies after 9999-12-31: a series ends there (ledger L32), a [Date] moved past either end is the zero Date, and no
// arithmetic wraps, whatever the interval and the number. A window that includes the last day has the open end, since
// no day lies after it to name.
//
// # Errors
//
// Errors appear where a value is made: [New], the parsers and [NewSchedule]. Methods do not fail and do not panic; only
// [MustParse] does. No error repeats the text or the number that it refuses.
//
// # Compatibility
//
// The dates of a schedule are a promise. The text forms are 2026-01-31 and, in the document's columns, 31.01.2026. What
// an error says may be reworded: match it with errors.Is and errors.As.
package calendar
