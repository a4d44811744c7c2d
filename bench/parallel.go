package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/workload"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

// manyRows is W3 ten times.
const manyRows = 10 * payloadRows

// readyWorkers sets two workers against one, both reading W3 in memory.
func readyWorkers(rows int) func() (contest, error) {
	return func() (contest, error) {
		p := workload.Payload(workload.Plain, uint64(rows))
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

// readyWorkersLimit sets two workers on one payload against what the machine gives at most: two readers
// with a worker each, which share nothing, at the same time on half of the rows each.
func readyWorkersLimit(rows int) func() (contest, error) {
	return func() (contest, error) {
		half := workload.Payload(workload.Plain, uint64(rows/2))
		apart := side{rows, func() uint64 {
			other := make(chan uint64)
			go func() { other <- workersRead(half, rows/2, 1).run() }()
			return workersRead(half, rows/2, 1).run() + <-other
		}}
		return contest{ours: workersRead(workload.Payload(workload.Plain, uint64(rows)), rows, 2), theirs: apart}, nil
	}
}

// readyPayloadTotals sets reading W3 and adding its rows up by day against reading it, both with two
// workers.
func readyPayloadTotals(rows int) func() (contest, error) {
	return func() (contest, error) {
		p := workload.Payload(workload.Plain, uint64(rows))
		ours := side{rows, func() uint64 {
			book, read, err := payloadBook(p, 2)
			if err != nil {
				return 0
			}
			sums, cells := sumUp(book)
			return sums.answer(cells) + uint64(read)
		}}
		c := contest{ours: ours, theirs: workersRead(p, rows, 2)}
		c.differ = func() error { return samePayloadTotals(p, rows) }
		return c, nil
	}
}

// payloadBook reads a payload with so many workers, each of which adds its rows to a book of its
// own, and merges these. It returns how many rows there were.
func payloadBook(payload []byte, workers int) (*engine.Book, int, error) {
	o := readOptions()
	o.Workers = workers
	books := make([]*engine.Book, workers)
	for w := range books {
		var err error
		if books[w], err = engine.New(engine.Policy{}).NewBook(portfolioScope(5)); err != nil {
			return nil, 0, err
		}
	}
	type result struct {
		rows int
		err  error
	}
	add := func(worker int, steps iter.Seq2[*rules.Row, ledger.Findings], yield func(result) bool) {
		var r result
		for row := range steps {
			if row != nil && r.err == nil {
				r.rows++
				r.err = books[worker].Add(engine.Stored{Profile: row.Profile()})
			}
		}
		yield(r)
	}
	total, err := 0, error(nil)
	for r := range rules.Batches(rules.NewReader(bytes.NewReader(payload), o), add) {
		total += r.rows
		err = errors.Join(err, r.err)
	}
	for _, b := range books[1:] {
		if err == nil {
			err = books[0].Merge(b)
		}
	}
	return books[0], total, err
}

// samePayloadTotals compares the totals of one worker's book with those of two.
func samePayloadTotals(payload []byte, rows int) error {
	one, n, err := payloadBook(payload, 1)
	two, m, failed := payloadBook(payload, 2)
	if err = errors.Join(err, failed); err != nil {
		return err
	}
	if n != rows || m != rows || !equalTotals(one, two) {
		return fmt.Errorf("one worker and two come to other totals, or not to %d rows", rows)
	}
	return nil
}

// readyCommandWorkers sets the command with two workers against itself with one, over a file of W3 ten
// times.
func readyCommandWorkers(arguments ...string) func() (contest, error) {
	return func() (contest, error) {
		dir, err := os.MkdirTemp("", "bench")
		if err != nil {
			return contest{}, err
		}
		command, file := filepath.Join(dir, "chargecast"), filepath.Join(dir, "payload.csv")
		read := func(workers int, w io.Writer) error {
			c := exec.Command(command, append(arguments, "--as-of", portfolioFrom, "--workers", strconv.Itoa(workers), "-o", "ndjson", file)...)
			c.Stdout = w
			return c.Run()
		}
		run := func(workers int) side {
			return side{manyRows, func() uint64 {
				if read(workers, io.Discard) != nil {
					return 0
				}
				return uint64(manyRows)
			}}
		}
		differ := func() error {
			one, two := sha256.New(), sha256.New()
			if err := errors.Join(read(1, one), read(2, two)); err != nil {
				return fmt.Errorf("%s: %w", arguments[0], err)
			}
			if !bytes.Equal(one.Sum(nil), two.Sum(nil)) {
				return errors.New("one worker and two write different bytes")
			}
			return nil
		}
		c := contest{ours: run(2), theirs: run(1), differ: differ, end: func() { _ = os.RemoveAll(dir) }}
		return c, errors.Join(writePayload(file, manyRows), buildCommand(context.Background(), command))
	}
}

// writePayload writes W3 with so many rows to a file.
func writePayload(name string, rows uint64) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, newPayloadReader(workload.Plain, rows))
	return errors.Join(err, f.Close())
}
