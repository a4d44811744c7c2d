package fuzz_test

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

var (
	judged = flag.Bool("statements", false, "judge the work; for a test binary that counts statements, as .ci/run builds it")
	asked  = flag.String("question", "", "ask this question once, in a program that counts statements")
	size   = flag.Int("size", 0, "the size of the question")
)

// The work for a question does not depend on how far away its days are, and grows with
// its input at most (C28, T17, V16, A20). The compiler counts the statements that are
// executed: the same on every machine, however busy. A walk to a distant day and a look back
// at every line are noticed.
func TestWork(t *testing.T) {
	if !*judged {
		t.Skip("the statements are counted by bash .ci/run")
	}
	p := counting(t)
	for _, q := range questions() {
		t.Run(q.name, func(t *testing.T) {
			small, large := p.statements(t, q.name, q.small), p.statements(t, q.name, q.large)
			t.Logf("%d statements at size %d, %d at size %d", small, q.small, large, q.large)
			if small == 0 || !q.allows(small, large) {
				t.Errorf("%d statements at size %d, %d at size %d: want at most %v times as many", small, q.small, large, q.large, q.times)
			}
		})
	}
	for _, q := range wrongs() {
		t.Run("wrong: "+q.name, func(t *testing.T) {
			small, large := p.statements(t, q.name, q.small), p.statements(t, q.name, q.large)
			if q.allows(small, large) {
				t.Errorf("%d statements at size %d and %d at size %d are allowed", small, q.small, large, q.large)
			}
			if again := p.statements(t, q.name, q.small); again != small {
				t.Errorf("%d statements, then %d", small, again)
			}
		})
	}
}

// wrongs are ways of working that must be noticed.
func wrongs() []question {
	return []question{
		{"a walk", near, far, constant, walkTo},
		{"a look back", 500, 1000, double, lookBack},
	}
}

// allows reports whether the work at the large size is within the bound. What a payload
// costs once, such as its header, is in both.
func (q question) allows(small, large int) bool {
	const once = 200
	return float64(large) <= q.times*float64(small)+once
}

// TestQuestion asks one question, in the program that counts.
func TestQuestion(t *testing.T) {
	if *asked == "" {
		t.Skip("no question is chosen")
	}
	for _, q := range append(questions(), wrongs()...) {
		if q.name == *asked {
			if *size > 0 {
				q.ask(t, *size)
			}
			return
		}
	}
	t.Fatalf("no such question: %q", *asked)
}

// A program is this test binary, which counts statements.
type program struct {
	path   string
	counts string // the file that it writes
	start  int    // statements executed before any question
}

func counting(t *testing.T) program {
	t.Helper()
	if testing.CoverMode() != "count" {
		t.Fatal("this test binary does not count statements: it needs -covermode=count and -coverpkg with the packages to count")
	}
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := program{path: path, counts: filepath.Join(t.TempDir(), "counts")}
	p.start = p.run(t, questions()[0].name, 0)
	return p
}

// statements returns how many statements a question takes.
func (p program) statements(t *testing.T, name string, n int) int {
	t.Helper()
	return p.run(t, name, n) - p.start
}

// run asks a question in a process of its own and sums up what it executed.
func (p program) run(t *testing.T, name string, n int) int {
	t.Helper()
	ask := exec.Command(p.path, "-test.run=^TestQuestion$", "-test.coverprofile="+p.counts, "-question="+name, "-size="+strconv.Itoa(n))
	if text, err := ask.CombinedOutput(); err != nil {
		t.Fatalf("%q at size %d: %v\n%s", name, n, err, text)
	}
	text, err := os.ReadFile(p.counts)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0
	for line := range strings.Lines(string(text)) {
		if strings.HasSuffix(line, " 0\n") || strings.HasPrefix(line, "mode:") {
			continue
		}
		block := strings.Fields(line) // its place, statements, times
		if len(block) != 3 {
			t.Fatalf("the counts have the line %q", line)
		}
		statements, err1 := strconv.Atoi(block[1])
		times, err2 := strconv.Atoi(block[2])
		if err := errors.Join(err1, err2); err != nil {
			t.Fatalf("the counts have the line %q: %v", line, err)
		}
		sum += statements * times
	}
	return sum
}
