package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/chargecast/chargecast/internal/workload"
	"github.com/chargecast/chargecast/signature"
)

// memoryLimit is how much the command may have resident, in MiB, for any number of rows
// and charges.
const memoryLimit = 64

// memoryRows build the command, feed it generated rows of W3 through a pipe and read its
// peak resident size from the process state. They take minutes, so they run only when they
// are named.
func memoryRows() []row {
	var rows []row
	for _, n := range []uint64{100_000, 1_000_000, 10_000_000} {
		rows = append(rows, row{id: "memory", ours: "forecast -o ndjson of " + strconv.FormatUint(n, 10) + " rows from a pipe",
			against: "peak resident size", goal: goal{kind: upTo, value: memoryLimit, unit: "MiB"}, possible: "–",
			count: func() (float64, error) {
				return peak(n, "forecast", "--as-of", portfolioFrom, "--until", portfolioLast, "-o", "ndjson", "-")
			}})
	}
	rows = append(rows, row{id: "memory", ours: "validate of 1000000 rows from a pipe",
		against: "peak resident size", goal: goal{kind: upTo, value: memoryLimit, unit: "MiB"}, possible: "–",
		count: func() (float64, error) { return peak(manyRows, "validate", "--as-of", portfolioFrom, "-") }})
	for _, body := range []struct {
		name   string
		params func() []signature.Param
	}{{"one parameter", oneParameter}, {"9,000 parameters", manyParameters}} {
		rows = append(rows, row{id: "memory", ours: "check of a wrong signature, 1 MB in " + body.name,
			against: "peak resident size", goal: goal{kind: upTo, value: memoryLimit, unit: "MiB"}, possible: "–",
			count: func() (float64, error) { return peakOfCheck(body.params()) }})
	}
	return rows
}

// peak is the largest resident size of the command for n rows, in MiB.
func peak(n uint64, arguments ...string) (float64, error) {
	return peakOf(newPayloadReader(workload.Plain, n), nil, 0, arguments...)
}

// peakOfCheck is that of check for a request that nothing explains.
func peakOfCheck(params []signature.Param) (float64, error) {
	r, err := wronglySigned(params)
	if err != nil {
		return 0, err
	}
	host, target, _ := strings.Cut(strings.TrimPrefix(r.URL(), "https://"), "/")
	request := "POST /" + target + " HTTP/1.1\r\nHost: " + host + "\r\nContent-Type: " + r.ContentType() + "\r\nAuthorization: " + r.Authorization() + "\r\n\r\n" + string(r.Body())
	const found = 1 // the exit code
	return peakOf(strings.NewReader(request), []string{"BENCH_SECRET=" + signingSecret}, found, "check", "--only", "signature", "--secret-env", "BENCH_SECRET", "-")
}

func peakOf(stdin io.Reader, environment []string, code int, arguments ...string) (float64, error) {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	command := filepath.Join(dir, "chargecast")
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Minute)
	defer cancel()
	if err := buildCommand(ctx, command); err != nil {
		return 0, err
	}
	run := exec.CommandContext(ctx, command, arguments...)
	run.Stdin, run.Env = stdin, append(os.Environ(), environment...)
	var messages strings.Builder
	run.Stderr = &messages
	if err := run.Run(); run.ProcessState == nil || run.ProcessState.ExitCode() != code {
		return 0, fmt.Errorf("%s: %v: %.200s", arguments[0], err, messages.String())
	}
	bytes, ok := residentPeak(run.ProcessState)
	if !ok {
		return 0, errors.New("this system does not tell the resident size of a process")
	}
	return float64(bytes) / (1 << 20), nil
}

// moduleRoot is the directory of the library that this module is built against.
func moduleRoot(ctx context.Context) (string, error) {
	list, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/chargecast/chargecast").Output()
	if err != nil {
		return "", fmt.Errorf("go list, to be run inside bench: %w", err)
	}
	return strings.TrimSpace(string(list)), nil
}

// buildCommand builds the command of the library.
func buildCommand(ctx context.Context, output string) error {
	root, err := moduleRoot(ctx)
	if err != nil {
		return err
	}
	build := exec.CommandContext(ctx, "go", "build", "-C", root, "-o", output, "./cmd/chargecast")
	if text, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w: %.200s", err, text)
	}
	return nil
}
