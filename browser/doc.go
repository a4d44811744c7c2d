// Package browser has no code: its tests open the HTML page of package report in a real browser. They
// need Chromium, and axe-core for the accessibility (npm ci in this directory); without them they skip.
package browser
