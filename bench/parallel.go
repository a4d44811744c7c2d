package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/chargecast/chargecast/rules"
)

// manyRows is W3 ten times.
const manyRows = 10 * payloadRows

// readyWorkers sets two workers against one, both reading W3 in memory.
func readyWorkers(rows int) func() (contest, error) {
	return func() (contest, error) {
		p := payload(payloadPlain, uint64(rows))
		return contest{ours: workersRead(p, rows, 2), theirs: workersRead(p, rows, 1)}, nil
	}
}

// workersRead reads a payload with so many workers.
func workersRead(payload []byte, rows, workers int) side {
	return side{rows, func() uint64 {
		o := readOptions()
		o.Workers = workers
		read, ids := 0, 0
		for row := range rules.NewReader(bytes.NewReader(payload), o).Rows() {
			if row != nil {
				read++
				ids += len(row.OrderID)
			}
		}
		return readAnswer(read, ids)
	}}
}

// readyCommandWorkers sets the command with two workers against itself with one: validate of a file of
// W3 ten times.
func readyCommandWorkers() (contest, error) {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return contest{}, err
	}
	command, file := filepath.Join(dir, "chargecast"), filepath.Join(dir, "payload.csv")
	validate := func(workers int, w io.Writer) error {
		c := exec.Command(command, "validate", "--as-of", portfolioFrom, "--workers", strconv.Itoa(workers), "-o", "ndjson", file)
		c.Stdout = w
		return c.Run()
	}
	run := func(workers int) side {
		return side{manyRows, func() uint64 {
			if validate(workers, io.Discard) != nil {
				return 0
			}
			return uint64(manyRows)
		}}
	}
	differ := func() error {
		var one, two bytes.Buffer
		if err := errors.Join(validate(1, &one), validate(2, &two)); err != nil {
			return fmt.Errorf("validate: %w", err)
		}
		if !bytes.Equal(one.Bytes(), two.Bytes()) {
			return errors.New("one worker and two write different bytes")
		}
		return nil
	}
	c := contest{ours: run(2), theirs: run(1), differ: differ, end: func() { _ = os.RemoveAll(dir) }}
	return c, errors.Join(writePayload(file, manyRows), buildCommand(context.Background(), command))
}

// writePayload writes W3 with so many rows to a file.
func writePayload(name string, rows uint64) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, newPayloadReader(payloadPlain, rows))
	return errors.Join(err, f.Close())
}
