package work

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

const module = "github.com/chargecast/chargecast/"

// counted are the packages whose statements count.
var counted = []string{"amount", "calendar", "engine", "rules", "signature", "fuzz/oracle"}

var (
	asked = flag.String("question", "", "ask this question once, in a program that counts statements")
	size  = flag.Int("size", 0, "the size of the question")
)

// The work for a question does not depend on how far away its days are, and grows with
// its input at most (C28, T17, V16, A20). The compiler counts the statements that are
// executed: the same on every machine, however busy. A walk to a distant day and a look back
// at every line are noticed.
func TestWork(t *testing.T) {
	p := instrumented(t)
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

// A program is this package, built so that it counts statements.
type program struct {
	path   string
	counts string // the file that it writes
	start  int    // statements executed before any question
}

// instrumented builds the program.
func instrumented(t *testing.T) program {
	t.Helper()
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("the go command is not found, which builds the program that counts: ", err)
	}
	dir := t.TempDir()
	p := program{path: filepath.Join(dir, "counting.test"), counts: filepath.Join(dir, "counts")}
	packages := module + strings.Join(counted, ","+module)
	args := []string{"test", "-c", "-cover", "-covermode=count", "-coverpkg=" + packages, "-ldflags=-s", "-o", p.path}
	for _, name := range counted {
		args = append(args, "-gcflags="+module+name+"=-N -l") // the fewest seconds of the compiler: it counts the same
	}
	if text, err := exec.Command(tool, append(args, ".")...).CombinedOutput(); err != nil {
		t.Fatalf("the program that counts is not built: %v\n%s", err, text)
	}
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
