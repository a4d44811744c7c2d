// Package report writes forecasts, simulations and totals for people: what the command prints, a
// program that embeds the library can print. Package record writes the same for machines.
//
// A [Writer] has one of five forms:
//
//   - [FormTable], text: a block of charges for each profile, or a line with a bar for each total.
//     What the document does not state is marked, ~ inferred and ? assumed.
//   - [FormCalendar], text: months as grids, shaded by what is charged on each day, and the sums of
//     the months with bars.
//   - [FormCSV]: the charges, or the totals, as comma-separated values.
//   - [FormICS]: an iCalendar file (RFC 5545) with an event of a whole day for each charge, each
//     event of a script and each stop. Their ids are hashes of client-orderid, kind and repeat
//     number, so that a program that reads the file again finds what it knows.
//   - [FormHTML]: one page with everything in it, of at most 300 kB.
//
// # Rules
//
// The same input gives the same bytes. Currencies are never added up. Text is no wider than
// Options.Width, but for a word or a number that is wider itself. Characters that a terminal obeys
// are written as escapes in every form. Nothing of the input is obeyed by a spreadsheet: a text that
// would begin a formula has an apostrophe before it in CSV; nor by a browser: the page has no markup
// but its own, and a policy that allows its own style and script alone. The writer is
// given a [record.Subject] and no more of a profile, so that no card number can reach a report.
//
// # Limits
//
// FormTable, FormCSV and FormICS stream. FormCalendar and FormHTML keep sums by day, or by month in
// long windows, for 40 currencies, and by currency alone beyond; what is not shown is counted, and
// the report says so. FormICS tells profiles with one client-orderid apart among the first 50,000;
// beyond them the ids of profiles that it has not met depend on the row.
package report
