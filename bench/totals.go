package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/chargecast/chargecast/internal/workload"
)

// manyRows is the workload ten times.
const manyRows = 10 * payloadRows

// readyCommandTotals sets the totals by day of a payload, by the whole command, against its validation.
func readyCommandTotals() (contest, error) {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return contest{}, err
	}
	command, file := filepath.Join(dir, "chargecast"), filepath.Join(dir, "payload.csv")
	run := func(arguments ...string) side {
		return side{manyRows, func() uint64 {
			c := exec.Command(command, append(arguments, "--as-of", portfolioFrom, file)...)
			c.Stdout = io.Discard
			if c.Run() != nil {
				return 0
			}
			return manyRows
		}}
	}
	c := contest{
		ours: run("forecast", "--until", portfolioLast, "--by", "day", "-o", "ndjson"), theirs: run("validate"),
		end: func() { _ = os.RemoveAll(dir) },
	}
	return c, errors.Join(writePayload(file, manyRows), buildCommand(context.Background(), command))
}

// writePayload writes a merchant's file with so many rows.
func writePayload(name string, rows uint64) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, newPayloadReader(workload.Varied, rows))
	return errors.Join(err, f.Close())
}
