// Package browser has no code: its tests read what people and their programs read with software that is
// not ours. They open the HTML page of package report and the pages of the sandbox in a real browser, which
// needs Chromium, and axe-core for the accessibility (npm ci in this directory); without them they skip.
// The iCalendar form and the records, by the schemas in docs/schemas, are read by libraries.
package browser
