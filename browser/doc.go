// Package browser has no code: its tests open the HTML page of package report and the pages of the
// sandbox in a real browser. They need Chromium, and axe-core for the accessibility (npm ci in this
// directory); without Chromium they skip.
package browser
