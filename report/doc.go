// Package report writes forecasts, simulations and totals for people: as a table, as a calendar of
// months, as comma-separated values, as an iCalendar file and as an HTML page.
package report
