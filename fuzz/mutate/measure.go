package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

type options struct {
	out              string
	files, skip      string // patterns
	jobs             int
	slow             float64
	extra            time.Duration // processor time that tests may take beside three times what they take as a rule
	again, constants bool
}

// measure judges the mutants of a package that have no verdict yet, and writes a summary of all.
func measure(pattern string, o options, summary io.Writer) error {
	if _, err := exec.LookPath("sh"); err != nil {
		return fmt.Errorf("tests run under the limits of sh: %w", err)
	}
	s, err := load(pattern)
	if err != nil {
		return err
	}
	files := s.schema()
	if err := s.only(o.files); err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	binary := filepath.Join(temp, "all.test")
	out, err := s.resume(o)
	if err != nil {
		return err
	}
	defer out.Close()
	if err := s.build(binary, files); err != nil {
		return err
	}
	list, err := s.tests(binary, o)
	if err != nil {
		return err
	}
	var write sync.Mutex
	var failed error
	parallel(o.jobs, len(s.mutants), func(i int) {
		m := s.mutants[i]
		if !due(m, o) {
			return
		}
		if m.alone {
			s.judgeAlone(filepath.Join(temp, strconv.Itoa(i)), m, list, o)
		} else {
			s.judge(binary, m, reaching(list, m), o)
		}
		write.Lock()
		defer write.Unlock()
		lines := json.NewEncoder(out)
		lines.SetEscapeHTML(false)
		failed = errors.Join(failed, lines.Encode(m))
	})
	return errors.Join(failed, s.summarize(summary))
}

// only leaves out the mutants of files whose names do not match the pattern.
func (s *source) only(pattern string) error {
	files, err := regexp.Compile(pattern)
	if err != nil {
		return err
	}
	s.mutants = slices.DeleteFunc(s.mutants, func(m *mutant) bool { return !files.MatchString(m.File) })
	return nil
}

// due reports whether a mutant is to be judged in this run.
func due(m *mutant, o options) bool {
	switch m.Verdict {
	case open:
		return true
	case undecided:
		return o.slow == 0 && o.skip == "" && (!m.alone || o.constants)
	case constant:
		return o.constants
	}
	return false
}

// reaching are the tests that reach what the mutant changes, cheap ones first.
func reaching(list []*test, m *mutant) []*test {
	var those []*test
	for _, t := range list {
		if t.reached[m.call] {
			those = append(those, t)
		}
	}
	slices.SortFunc(those, func(a, b *test) int { return cmp.Compare(a.spent, b.spent) })
	return those
}

// judge runs the tests, in groups that cost more and more, until one refuses the mutant.
func (s *source) judge(binary string, m *mutant, tests []*test, o options) {
	m.Verdict = notReached
	var names []string
	var cost time.Duration
	upTo := time.Second / 4
	for i, t := range tests {
		if o.slow > 0 && t.spent.Seconds() >= o.slow {
			m.Verdict = undecided
			return
		}
		names, cost = append(names, t.name), cost+t.spent
		if i+1 < len(tests) && cost < upTo && (o.slow == 0 || tests[i+1].spent.Seconds() < o.slow) {
			continue
		}
		// Loops without an end are stopped after a multiple of the usual time.
		m.Verdict, m.By, _ = s.run(binary, names, o.extra+3*cost, "MUTANT="+strconv.Itoa(m.id))
		if m.Verdict != lived {
			return
		}
		names, cost, upTo = nil, 0, 2*upTo
	}
	if o.skip != "" { // which mutants those tests reach is not known
		m.Verdict = undecided
	}
}

// judgeAlone builds a mutant alone and runs all tests, since which of them reach it is not known.
func (s *source) judgeAlone(binary string, m *mutant, tests []*test, o options) {
	if s.buildOne(binary, m) != nil {
		m.Verdict = notCompiled
		return
	}
	s.judge(binary, m, tests, o)
}

// resume opens the file of verdicts, having taken over those that it has of the same sources.
func (s *source) resume(o options) (*os.File, error) {
	known := map[string]mutant{}
	text, err := os.ReadFile(o.out)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	if whole := bytes.LastIndexByte(text, '\n') + 1; whole < len(text) { // a run was killed while it wrote
		text = text[:whole]
		if err := os.Truncate(o.out, int64(whole)); err != nil {
			return nil, err
		}
	}
	begin := fmt.Sprintf("{\"sources\":%q}\n", s.sum)
	if len(text) > 0 && !strings.HasPrefix(string(text), begin) {
		return nil, fmt.Errorf("%s has verdicts of other sources: choose another file with -out", o.out)
	}
	for line := range strings.Lines(strings.TrimPrefix(string(text), begin)) {
		var m mutant
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			return nil, fmt.Errorf("%s: %w", o.out, err)
		}
		known[m.key()] = m
	}
	for _, m := range s.mutants {
		if old, ok := known[m.key()]; ok && !(o.again && slices.Contains([]string{lived, notReached, undecided}, old.Verdict)) {
			m.Verdict, m.By = old.Verdict, old.By
		}
	}
	file, err := os.OpenFile(o.out, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err == nil && len(text) == 0 {
		_, err = file.WriteString(begin)
	}
	return file, err
}

// summarize lists the mutants that live, and counts as gremlins does.
func (s *source) summarize(out io.Writer) error {
	count := map[string]int{}
	for _, m := range s.mutants {
		count[m.Verdict] += len(m.Names)
		if m.Verdict == lived || m.Verdict == notReached {
			fmt.Fprintln(out, m, "in", m.Func)
		}
	}
	for _, verdict := range slices.Sorted(maps.Keys(count)) {
		fmt.Fprintln(out, verdict, count[verdict])
	}
	refused := count[killed] + count[timedOut]
	run := refused + count[lived] + count[notReached]
	_, err := fmt.Fprintf(out, "score %d of %d, %.1f %%\n", refused, run, 100*float64(refused)/float64(max(run, 1)))
	return err
}

// parallel calls do for 0 to n-1, so many at a time.
func parallel(jobs, n int, do func(i int)) {
	var all sync.WaitGroup
	work := make(chan int)
	for range max(jobs, 1) {
		all.Go(func() {
			for i := range work {
				do(i)
			}
		})
	}
	for i := range n {
		work <- i
	}
	close(work)
	all.Wait()
}
