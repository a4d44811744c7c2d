package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

//go:embed testdata/switch/switch.go
var switchText string

// build compiles the tests of the package with some of its files replaced, by name, or added.
func (s *source) build(to string, files map[string]string) error {
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	for name, text := range files {
		changed := to + "." + name
		if err := os.WriteFile(changed, []byte(text), 0o600); err != nil {
			return err
		}
		overlay.Replace[filepath.Join(s.dir, name)] = changed
	}
	list, err := json.Marshal(overlay)
	if err != nil {
		return err
	}
	if err := os.WriteFile(to+".json", list, 0o600); err != nil {
		return err
	}
	command := exec.Command("go", "test", "-vet=off", "-overlay", to+".json", "-c", "-o", to, ".")
	command.Dir = s.dir
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// schema is the files that have all mutants, each behind its number, and what chooses one.
func (s *source) schema() map[string]string {
	files := map[string]string{"zz_switch.go": strings.Replace(switchText, "\npackage mutants", "\npackage "+s.pkg.Name(), 1)}
	for _, file := range s.files {
		files[s.set.Position(file.Package).Filename] = s.rewrite(file)
	}
	return files
}

// buildOne compiles one mutant alone.
func (s *source) buildOne(to string, m *mutant) error {
	for _, file := range s.files {
		if name := s.set.Position(file.Package).Filename; name == m.File {
			text := s.text[file]
			return s.build(to, map[string]string{name: text[:m.offset] + " " + m.To + " " + text[m.offset+len(m.From):]})
		}
	}
	return fmt.Errorf("%s is not a file of the package", m.File)
}

// memory is how much a test may have; a mutant may append for ever.
const memory = 4 << 20 // KiB

// run runs tests of a binary, and returns the verdict on the mutant whose number is in effect, the
// test that failed, and the processor time that all took.
func (s *source) run(binary string, tests []string, limit time.Duration, env ...string) (verdict, by string, spent time.Duration) {
	script := fmt.Sprintf(`ulimit -t %d; ulimit -v %d 2>/dev/null; exec "$@"`, int(limit.Seconds())+1, memory)
	command := exec.Command("sh", "-c", script, "sh", binary, "-test.run=^("+strings.Join(tests, "|")+")$", "-test.failfast",
		"-test.timeout="+(10*limit+time.Minute).String())
	command.Dir = s.dir
	command.Env = append(append(os.Environ(), "GOMAXPROCS=1"), env...)
	var out bytes.Buffer
	command.Stdout, command.Stderr = &out, &out
	err := command.Run()
	spent = command.ProcessState.UserTime() + command.ProcessState.SystemTime()
	if exit, failed := errors.AsType[*exec.ExitError](err); failed {
		if exit.ExitCode() < 0 {
			return timedOut, "", spent
		}
		if fail := failure.FindSubmatch(out.Bytes()); fail != nil {
			by = string(fail[1])
		}
		return killed, by, spent
	}
	return lived, "", spent
}

var failure = regexp.MustCompile(`--- FAIL: (\S+)`)

// A test is one of the package, what it costs, and the mutants that it reaches.
type test struct {
	name    string
	spent   time.Duration
	reached map[int]bool
}

// tests are those of the package that are not left out, with what they reach and cost without any change.
func (s *source) tests(binary string, o options) ([]*test, error) {
	skip, err := regexp.Compile(o.skip)
	if err != nil {
		return nil, err
	}
	command := exec.Command(binary, "-test.list=.")
	command.Dir = s.dir
	out, err := command.Output()
	if err != nil {
		return nil, err
	}
	var list []*test
	for name := range strings.FieldsSeq(string(out)) {
		if !strings.HasPrefix(name, "Benchmark") && (o.skip == "" || !skip.MatchString(name)) {
			list = append(list, &test{name: name, reached: map[int]bool{}})
		}
	}
	failed := make([]error, len(list))
	parallel(o.jobs, len(list), func(i int) { failed[i] = s.trace(binary, list[i]) })
	return list, errors.Join(failed...)
}

// trace runs a test twice, for its time and for the mutants that it reaches.
func (s *source) trace(binary string, t *test) error {
	names := []string{t.name}
	verdict, _, spent := s.run(binary, names, time.Hour)
	if verdict != lived {
		return fmt.Errorf("%s fails without a mutant", t.name)
	}
	t.spent = spent
	trace := binary + "." + t.name
	defer os.Remove(trace)
	s.run(binary, names, time.Hour, "MUTANT_TRACE="+trace)
	text, err := os.ReadFile(trace)
	for line := range strings.FieldsSeq(string(text)) {
		n, _ := strconv.Atoi(line)
		t.reached[n] = true
	}
	return err
}
