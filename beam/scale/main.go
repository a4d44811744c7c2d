//go:build unix

// Command scale measures how the time of totals by day grows with a book: one process with one
// worker and with several, and a pipeline on Beam's local runner. It checks that all of them have the same bytes, and prints a table for docs/scale.md. It
// is for Unix systems.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"time"
)

// A way is one way to compute the totals.
type way struct {
	name string
	run  func(b *bench) error // writes the totals to b.out
}

var ways = []way{
	{"one worker", func(b *bench) error { return b.plain("1") }},
	{"all cores", func(b *bench) error { return b.plain(strconv.Itoa(runtime.NumCPU())) }},
	{"beam, local", (*bench).beam},
}

// A bench is a book, and the resources that one way takes for it.
type bench struct {
	work  string // directory of the programs
	files []string
	out   string
	cpu   time.Duration
	peak  int64 // the largest resident size of a process, in bytes
}

var window = []string{"--as-of", "2026-01-01", "--until", "2030-12-31", "--by", "day"}

func main() {
	least := flag.Int("least", 10_000, "rows of the smallest book, in ten files or more")
	most := flag.Int("most", 1_000_000, "rows of the largest book; between them each is ten times the one before")
	rounds := flag.Int("rounds", 3, "rounds, of which the least time counts")
	work := flag.String("work", "", "directory for programs and books (default a temporary one)")
	flag.Parse()
	if err := measure(*least, *most, *rounds, *work); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func measure(least, most, rounds int, work string) error {
	if work == "" {
		dir, err := os.MkdirTemp("", "scale")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		work = dir
	}
	for name, from := range map[string]string{"chargecast": "..", "beam": "."} {
		build := exec.Command("go", "build", "-o", filepath.Join(work, name), map[string]string{"..": "./cmd/chargecast", ".": "."}[from])
		build.Dir = from
		if out, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("run it in the directory beam: %s", out)
		}
	}
	fmt.Println("| rows | way | seconds | CPU seconds | MiB |")
	fmt.Println("|--:|--|--:|--:|--:|")
	for rows := max(10, least); rows <= most; rows *= 10 {
		if err := measureBook(work, rows, rounds); err != nil {
			return err
		}
	}
	return nil
}

// measureBook measures all ways over a book of shards with at most 100,000 rows.
func measureBook(work string, rows, rounds int) error {
	dir := filepath.Join(work, fmt.Sprint("book-", rows))
	defer os.RemoveAll(dir)
	if err := writeBook(dir, rows, max(10, rows/100_000)); err != nil {
		return err
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.csv"))
	slices.Sort(files)
	var want []byte
	least := make([]time.Duration, len(ways))
	spent := make([]bench, len(ways))
	for round := range rounds {
		for i, w := range ways {
			b := bench{work: work, files: files, out: filepath.Join(dir, "out")}
			_ = os.RemoveAll(b.out)
			begin := time.Now()
			if err := w.run(&b); err != nil {
				return fmt.Errorf("%s: %w", w.name, err)
			}
			took := time.Since(begin)
			got, err := os.ReadFile(filepath.Join(b.out, "totals.ndjson"))
			switch {
			case err != nil:
				return err
			case want == nil:
				want = got
			case !bytes.Equal(got, want):
				return fmt.Errorf("%s: other totals", w.name)
			}
			if round == 0 || took < least[i] {
				least[i] = took
			}
			if round == 0 || b.cpu < spent[i].cpu {
				spent[i] = b
			}
		}
	}
	for i, w := range ways {
		fmt.Printf("| %d | %s | %.2f | %.2f | %d |\n", rows, w.name, least[i].Seconds(), spent[i].cpu.Seconds(), spent[i].peak>>20)
	}
	return nil
}

// spend runs a command and adds up its processor time and memory.
func (b *bench) spend(c *exec.Cmd) error {
	c.Stderr = os.Stderr
	if err := c.Start(); err != nil {
		return err
	}
	return b.wait(c)
}

func (b *bench) wait(c *exec.Cmd) error {
	err := c.Wait()
	b.cpu += c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	if usage, ok := c.ProcessState.SysUsage().(*syscall.Rusage); ok {
		b.peak = max(b.peak, int64(usage.Maxrss)<<10)
	}
	return err
}

func (b *bench) chargecast(out string, args ...string) (*exec.Cmd, error) {
	f, err := os.Create(filepath.Join(b.out, out))
	c := exec.Command(filepath.Join(b.work, "chargecast"), args...)
	c.Stdout, c.Stderr = f, os.Stderr
	return c, err
}

// plain is one process over all files.
func (b *bench) plain(workers string) error {
	if err := os.MkdirAll(b.out, 0o755); err != nil {
		return err
	}
	c, err := b.chargecast("totals.ndjson", slices.Concat([]string{"forecast", "-o", "ndjson", "--workers", workers}, window, b.files)...)
	if err != nil {
		return err
	}
	return b.spend(c)
}

// beam is a job on the local runner.
func (b *bench) beam() error {
	return b.spend(exec.Command(filepath.Join(b.work, "beam"), slices.Concat([]string{
		"--input", filepath.Join(filepath.Dir(b.files[0]), "*.csv"), "--shards", strconv.Itoa(len(b.files)), "--output", b.out,
	}, window)...))
}
