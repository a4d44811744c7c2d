// Package report writes forecasts, comparisons and findings for people: what the command prints, a
// program that embeds the library can print. Package record writes the same for machines.
//
//   - [Writer] writes a forecast or a simulation: as a table ([FormTable]), as comma-separated values
//     ([FormCSV]), as an iCalendar file ([FormICS]) or as one page of HTML ([FormHTML]).
//   - [DiffWriter] writes what differs between two forecasts, and [ReconcileWriter] what differs
//     between a forecast and the charges that took place, both as text.
//   - [Findings] writes the problems of a payload: as text, as records, as annotations of GitHub or as
//     a test report.
//   - [Sentences] and [Headline] say why a profile is charged on a day, or is not.
//
// In a table what the document does not state is marked, = observed, ~ inferred and ? assumed.
//
// # Rules
//
// The same input gives the same bytes. Currencies are never added up. Control characters are written
// as escapes. CSV cells cannot become formulas, and pages contain no markup from the input; the policy
// of a page allows its own style and script alone. A report is given a [record.Subject] and no more of
// a profile, so that no card number can get into it.
//
// # Limits
//
// FormTable, FormCSV and FormICS stream. FormHTML keeps sums and what it shows: each list has a
// limit, and the page says how many it leaves out and which command lists all.
package report
