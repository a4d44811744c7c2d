package main

import (
	"bufio"
	"io"
	"path/filepath"

	"github.com/chargecast/chargecast/internal/workload"
)

// manyRows is the workload ten times.
const manyRows = 10 * payloadRows

// commandRows is P14 with the whole command. It builds it and writes 375 MB, so it runs only when it is named.
func commandRows() []row {
	return []row{
		{id: "P14", ours: "totals by day of 1,000,000 rows", against: "validate of the same file", goal: within(1.5), possible: "–", ready: readyCommandTotals},
	}
}

// readyCommandTotals sets the totals by day of a payload, by the whole command, against its validation.
func readyCommandTotals() contest {
	write := func(dir string) error {
		return writeTo(filepath.Join(dir, "payload.csv"), func(w *bufio.Writer) { _, _ = io.Copy(w, newPayloadReader(workload.Varied, manyRows)) })
	}
	return commands(manyRows, write, []string{"forecast", "--until", portfolioLast, "--by", "day", "-o", "ndjson", "--as-of", portfolioFrom, "payload.csv"},
		[]string{"validate", "--as-of", portfolioFrom, "payload.csv"})
}
