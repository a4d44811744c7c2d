package job

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"runtime"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3" // beside local files and those of gs://
)

// A Job is a query and the files that it reads.
type Job struct {
	Query
	Inputs []string // patterns of the files of the book
	States []string // patterns of the files with their states
	Expect int      // how many files there must be; 0 for any number

	LogLevel string // of package beam: debug, info, warn or error
}

// Run lists the files, runs the pipeline on the runner that the flags of package beam name, waits
// for its end and returns the summary. The error is a [Fault], and the summary is then the zero
// one; with --async both are zero.
func Run(ctx context.Context, j Job) (Summary, error) {
	if err := j.check(); err != nil {
		return Summary{}, err
	}
	shards, err := shardsOf(ctx, j.Inputs, j.States, j.Expect)
	if err != nil {
		return Summary{}, err
	}
	j.Shards = len(shards)
	if err := unused(ctx, &j.Query); err != nil {
		return Summary{}, err
	}
	p := Build(j.Query, shards)
	if err := CheckCoders(p); err != nil {
		return Summary{}, err
	}
	if err := beamx.Run(ctx, p); err != nil {
		return Summary{}, failed("the job failed: "+err.Error(), "run it again; the runner's log has more")
	}
	if *jobopts.Async {
		return Summary{}, nil
	}
	return summaryOf(ctx, &j.Query)
}

// unused refuses an output directory that has a summary, which could be mistaken for that of this
// job.
func unused(ctx context.Context, q *Query) error {
	file, err := open(ctx, q.path(summaryName))
	if err != nil {
		return nil // no summary, or writing one fails later
	}
	_ = file.Close()
	return usage("--output: the directory has the results of another job", "give another directory, or remove "+q.path(summaryName))
}

// summaryOf reads the summary of a job that has ended. A job without one has no results, whatever
// its runner reports.
func summaryOf(ctx context.Context, q *Query) (Summary, error) {
	text, err := readAll(ctx, q.path(summaryName))
	var s Summary
	if err != nil || json.Unmarshal(text, &s) != nil || s.Schema != summarySchema || s.Shards != q.Shards {
		return Summary{}, failed("the job ended without results: "+q.path(summaryName)+" is missing or damaged", "run the job again; the runner's log has more")
	}
	return s, nil
}

// Main runs the command with its arguments and returns the exit status. Its messages go to stderr.
func Main(ctx context.Context, args []string, stderr io.Writer) int {
	j, err := parse(args)
	if err != nil {
		return int(end(stderr, err))
	}
	log.LogLevel = j.LogLevel
	if self, err := os.Executable(); err == nil && *jobopts.WorkerBinary == "" && runtime.GOOS == "linux" {
		*jobopts.WorkerBinary = self // package beam would build one from the source, which is not there outside a clone
	}
	beam.Init() // a worker never returns from it
	s, err := Run(ctx, j)
	if err != nil {
		return int(end(stderr, err))
	}
	if *jobopts.Async {
		say(stderr, "chargecast: the job was submitted; it writes "+j.path(summaryName)+" when it ends")
		return int(StatusOK)
	}
	for _, line := range s.lines() {
		say(stderr, line)
	}
	return int(s.Status)
}

// end prints the error that ended the command, and returns its exit status.
func end(stderr io.Writer, err error) Status {
	f, ok := errors.AsType[*Fault](err)
	if !ok {
		f = &Fault{Status: StatusFailed, Text: err.Error()}
	}
	if f.Text != "" {
		say(stderr, "chargecast: "+f.Text)
	}
	if f.Help != "" {
		say(stderr, "  "+f.Help)
	}
	return f.Status
}

func say(w io.Writer, line string) { _, _ = io.WriteString(w, line+"\n") }
