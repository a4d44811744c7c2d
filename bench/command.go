package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/chargecast/chargecast/internal/workload"
)

// buildCommand builds the command of the library that this module is built against.
func buildCommand(ctx context.Context, output string) error {
	list, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/chargecast/chargecast").Output()
	if err != nil {
		return fmt.Errorf("go list, to be run inside bench: %w", err)
	}
	build := exec.CommandContext(ctx, "go", "build", "-C", strings.TrimSpace(string(list)), "-o", output, "./cmd/chargecast")
	if text, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w: %.200s", err, text)
	}
	return nil
}

// commands sets two runs of the command against each other, over the files that write makes in a
// directory.
func commands(rows int, write func(dir string) error, ours, theirs []string) contest {
	dir := must(os.MkdirTemp("", "bench"))
	end := func() { _ = os.RemoveAll(dir) }
	command := filepath.Join(dir, "chargecast")
	if err := errors.Join(write(dir), buildCommand(context.Background(), command)); err != nil {
		end()
		must(0, err)
	}
	run := func(arguments []string) side {
		return side{rows, func() uint64 {
			c := exec.Command(command, arguments...)
			c.Dir, c.Stdout = dir, io.Discard
			must(0, c.Run())
			return uint64(rows)
		}}
	}
	return contest{ours: run(ours), theirs: run(theirs), end: end}
}

// manyRows is the workload ten times.
const manyRows = 10 * payloadRows

// commandRows is P14 with the whole command. It builds it and writes 375 MB, so it runs only when
// it is named.
func commandRows() []row {
	return []row{
		{id: "P14", ours: "totals by day of 1,000,000 rows", against: "validate of the same file", goal: within(1.5), possible: "–", ready: readyCommandTotals},
	}
}

// readyCommandTotals sets the totals by day of a payload, by the whole command, against its
// validation.
func readyCommandTotals() contest {
	write := func(dir string) error {
		return writeTo(filepath.Join(dir, "payload.csv"), func(w *bufio.Writer) {
			text := workload.Varied.AppendHeader(nil)
			for i := range uint64(manyRows) {
				_, _ = w.Write(text)
				text = workload.Varied.AppendRow(text[:0], i)
			}
			_, _ = w.Write(text)
		})
	}
	return commands(manyRows, write, []string{"forecast", "--until", portfolioLast, "--by", "day", "-o", "ndjson", "--as-of", portfolioFrom, "payload.csv"},
		[]string{"validate", "--as-of", portfolioFrom, "payload.csv"})
}
