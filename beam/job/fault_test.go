package job_test

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chargecast/chargecast/beam/job"
	"github.com/chargecast/chargecast/engine"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
)

// TestFaultsOfAJob: a query that cannot be computed is refused before a job starts, with the status
// that the plain command has for it.
func TestFaultsOfAJob(t *testing.T) {
	b := randomBook(t, rand.New(rand.NewPCG(1, 1)), 10, 3)
	for _, c := range []struct {
		reason string
		status job.Status
		change func(*job.Job)
	}{
		{"no as-of day", 2, func(j *job.Job) { j.AsOf = day("2026-01-10"); j.AsOf = j.From }},
		{"no last day", 2, func(j *job.Job) { j.Until = j.From }},
		{"the window ends before it begins", 2, func(j *job.Job) { j.Until = day("2026-01-09") }},
		{"the window begins before the as-of day", 2, func(j *job.Job) { j.From = day("2026-01-09") }},
		{"the window begins after its end", 2, func(j *job.Job) { j.From = day("2027-01-09") }},
		{"no directory for the results", 2, func(j *job.Job) { j.Output = "" }},
		{"an unknown form", 2, func(j *job.Job) { j.Form = "xml" }},
		{"no files", 2, func(j *job.Job) { j.Inputs = nil }},
		{"a file is named twice", 2, func(j *job.Job) { j.Inputs = append(j.Inputs, b.files[0]) }},
		{"a pattern names no file", 3, func(j *job.Job) { j.Inputs = append(j.Inputs, filepath.Join(b.dir, "*.xml")) }},
		{"a shard is missing", 3, func(j *job.Job) { j.Expect = 4 }},
		{"states are missing", 3, func(j *job.Job) { j.States = []string{b.files[0]} }},
		{"states without a shard", 2, func(j *job.Job) {
			other := filepath.Join(b.dir, "more")
			_ = os.Mkdir(other, 0o700)
			for _, file := range append(b.files, "shard-999.jsonl") {
				name, _, _ := strings.Cut(filepath.Base(file), ".")
				_ = os.WriteFile(filepath.Join(other, name+".jsonl"), nil, 0o600)
			}
			j.Inputs, j.States = b.files, []string{filepath.Join(other, "*")}
		}},
		{"the directory has the results of another job", 2, func(j *job.Job) {
			_ = os.MkdirAll(j.Output, 0o700)
			_ = os.WriteFile(filepath.Join(j.Output, "summary.json"), nil, 0o600)
		}},
	} {
		j := query(t, filepath.Join(b.dir, "*.csv*"))
		c.change(&j)
		_, err := job.Run(t.Context(), j)
		if f, ok := errors.AsType[*job.Fault](err); !ok || f.Status != c.status {
			t.Errorf("%s: %v", c.reason, err)
		}
	}
}

// TestBrokenShards: a book with a shard that was not read as a whole has no totals, and its exit
// status is that of the plain command.
func TestBrokenShards(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for _, c := range []struct {
		reason string
		text   func(good string) string
	}{
		{"nothing like a payload", func(string) string { return "\x00\x01\x02" }},
		{"an empty file", func(string) string { return "" }},
		{"a header without rows", func(good string) string { return header() }},
		{"another separator", func(good string) string { return strings.ReplaceAll(good, ";", ",") }},
	} {
		b := randomBook(t, r, 10, 3)
		save(t, filepath.Join(b.dir, "shard-001.csv"), c.text(header()+strings.Join(b.rows[1], "")))
		j := query(t, filepath.Join(b.dir, "*"))
		s := run(t, j)
		files, _ := filepath.Glob(filepath.Join(b.dir, "*"))
		code, _, _ := plain(t, append(flags(&j.Query), files...)...)
		if int(s.Status) != code || code == 0 || s.Text == "" || s.Totals != "" {
			t.Errorf("%s: exit status %d, want %d: %+v", c.reason, s.Status, code, s)
		}
		if _, err := os.Stat(filepath.Join(j.Output, "totals.ndjson")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: there are totals", c.reason)
		}
	}
}

// TestShardsWithTheSameContents: a file that was copied is not counted twice by mistake.
func TestShardsWithTheSameContents(t *testing.T) {
	b := randomBook(t, rand.New(rand.NewPCG(3, 3)), 30, 2)
	save(t, filepath.Join(b.dir, "copy.csv"), load(t, b.files[0]))
	j := query(t, filepath.Join(b.dir, "*"))
	if s := run(t, j); s.Status != job.StatusUsage || s.Totals != "" || !strings.Contains(s.Text, b.files[0]) {
		t.Errorf("%+v", s)
	}
}

// TestShardThatIsGone: a file that disappears once a job has listed it fails the job.
func TestShardThatIsGone(t *testing.T) {
	b := randomBook(t, rand.New(rand.NewPCG(4, 4)), 30, 2)
	j := query(t)
	j.Shards = 3
	p := job.Build(j.Query, []job.Shard{{Number: 0, File: b.files[0]}, {Number: 1, File: b.files[1]}, {Number: 2, File: filepath.Join(b.dir, "gone.csv")}})
	if err := beamx.Run(t.Context(), p); err == nil {
		t.Error("the job did not fail")
	}
	nothing(t, j.Output)
}

// TestPipelineWithoutAShard: a pipeline that was given fewer shards than the book has fails.
func TestPipelineWithoutAShard(t *testing.T) {
	b := randomBook(t, rand.New(rand.NewPCG(5, 5)), 30, 3)
	for _, shards := range [][]job.Shard{
		{{Number: 0, File: b.files[0]}, {Number: 2, File: b.files[2]}},
		{{Number: 0, File: b.files[0]}, {Number: 1, File: b.files[1]}},
		{{Number: 0, File: b.files[0]}, {Number: 1, File: b.files[1]}, {Number: 1, File: b.files[1]}, {Number: 2, File: b.files[2]}},
	} {
		j := query(t)
		j.Shards = 3
		if err := beamx.Run(t.Context(), job.Build(j.Query, shards)); err == nil {
			t.Errorf("%d shards: the job did not fail", len(shards))
		}
		nothing(t, j.Output)
	}
}

// nothing checks that a directory has neither totals nor a summary.
func nothing(t *testing.T, dir string) {
	t.Helper()
	for _, name := range []string{"summary.json", "totals.ndjson"} {
		if _, err := os.Stat(filepath.Join(dir, name)); !errors.Is(err, fs.ErrNotExist) {
			t.Error(name, err)
		}
	}
}

// TestRepeatedBundle: a runner may stop the reading of a shard and repeat it, or run it twice at
// once. The files and the sum are those of one reading, and nothing else is left.
func TestRepeatedBundle(t *testing.T) {
	b := randomBook(t, rand.New(rand.NewPCG(6, 6)), 5000, 1)
	for _, by := range []engine.By{engine.ByDay, engine.ByCharge, engine.ByProfile} {
		j := query(t)
		j.By, j.Shards = by, 1
		shard := job.Shard{File: b.files[0]}
		read := func(ctx context.Context) (string, error) {
			sum, err := job.Read(ctx, j.Query, shard)
			if err != nil {
				return "", err
			}
			form, err := job.EncodeSum(sum)
			return string(form), err
		}
		stopped, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := read(stopped); !errors.Is(err, context.Canceled) {
			t.Fatal("a bundle that was stopped:", err)
		}
		if left := contents(t, j.Output); left != "" {
			t.Error("left by a bundle that was stopped:", left)
		}
		first, err := read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		files := contents(t, j.Output)
		again := make(chan string)
		for range 4 {
			go func() {
				sum, _ := read(t.Context())
				again <- sum
			}()
		}
		for range 4 {
			if sum := <-again; sum != first {
				t.Error("another sum")
			}
		}
		same(t, "files", contents(t, j.Output), files)
	}
}

// contents are the files of a directory, with their texts.
func contents(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	names, _ := os.ReadDir(dir)
	for _, name := range names {
		all.WriteString(name.Name() + "\n" + load(t, filepath.Join(dir, name.Name())))
	}
	return all.String()
}

// TestKilledJob: a job whose process is killed at any moment leaves no totals, and run again it has
// the bytes of one that was not.
func TestKilledJob(t *testing.T) {
	b := randomBook(t, rand.New(rand.NewPCG(7, 7)), 30_000, 12)
	j := query(t, filepath.Join(b.dir, "*"))
	_, want, _ := plain(t, append(flags(&j.Query), b.files...)...)
	args := []string{"--input", filepath.Join(b.dir, "*"), "--as-of", "2026-01-10", "--until", "2026-12-31", "--by", "day", "--output", j.Output}
	killed := 0
	for written := 0; written < 8 || killed == 0; written++ {
		c := command(args...)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- c.Wait() }()
		await(j.Output, written%8, done)
		_ = c.Process.Kill()
		<-done
		summary, totals := filepath.Join(j.Output, "summary.json"), filepath.Join(j.Output, "totals.ndjson")
		if os.Remove(summary) == nil { // on a busy machine it has ended before it is killed
			_ = os.Remove(totals)
			continue
		}
		killed++
		if _, err := os.Stat(totals); err == nil && len(found(j.Output)) < len(b.files) {
			t.Error("there are totals of a part of the shards")
		}
	}
	c := command(args...)
	if err := c.Run(); c.ProcessState.ExitCode() != int(job.StatusFindings) {
		t.Fatal(err)
	}
	same(t, "totals", load(t, filepath.Join(j.Output, "totals.ndjson")), want)
}

// await waits until more than so many shards have been read, or the job has ended.
func await(dir string, shards int, done chan error) {
	for len(found(dir)) <= shards {
		select {
		case err := <-done:
			done <- err
			return
		case <-time.After(time.Millisecond):
		}
	}
}

// found are the files with findings, one of each shard that has been read.
func found(dir string) []string {
	names, _ := filepath.Glob(filepath.Join(dir, "findings-*"))
	return names
}
