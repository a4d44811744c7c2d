package main

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// TestAttribute reads what the go command writes about its steps: a package that is compiled once more
// for the tests of another is a cost of those.
func TestAttribute(t *testing.T) {
	const steps = `[
		{"Mode": "build", "Package": "example.com/m/a", "CmdUser": 3, "CmdSys": 1},
		{"Mode": "build", "Package": "example.com/m/a [example.com/m/b.test]", "CmdUser": 10},
		{"Mode": "build", "Package": "example.com/m/b_test [example.com/m/b.test]", "CmdUser": 20},
		{"Mode": "build", "Package": "example.com/m/b_test", "CmdUser": 40},
		{"Mode": "link", "Package": "example.com/m/b.test", "CmdUser": 80},
		{"Mode": "link", "Package": "example.com/m.test", "CmdUser": 5},
		{"Mode": "build", "Package": "example.com/more", "CmdUser": 100},
		{"Mode": "build", "Package": "fmt", "CmdUser": 200},
		{"Mode": "nop", "Package": "example.com/m/a"}]`
	costs := make(map[string]time.Duration)
	if err := attribute(costs, "example.com/m", []byte(steps), 1000); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]time.Duration{"example.com/m/a": 4, "example.com/m/b": 150, "example.com/m": 5, "": 1000 - 4 - 150 - 5} {
		if costs[name] != want {
			t.Errorf("%q: %d, want %d", name, costs[name], want)
		}
	}
	if len(costs) != 4 {
		t.Errorf("costs of %d packages", len(costs))
	}
	if attribute(costs, "example.com/m", []byte("not JSON"), 0) == nil {
		t.Error("steps that are not JSON are read")
	}
}

// TestSuiteTable: the packages come by falling cost below the table, and the sum last.
func TestSuiteTable(t *testing.T) {
	costs := suiteTable{{"cheap", time.Second, 0}, {"dear", time.Second, 9 * time.Second}, {"middle", 5 * time.Second, time.Second / 2}}
	if sum := costs.sum(); sum.compile != 7*time.Second || sum.run != 9500*time.Millisecond {
		t.Errorf("sum %v", sum)
	}
	r := suiteRows()[0]
	r.rated = func() (result, error) {
		return result{ratio: costs.sum().total().Seconds(), details: costs.lines()}, nil
	}
	var stdout, stderr bytes.Buffer
	if o := printTable(&stdout, &stderr, []row{r}, minRounds); o.failed || o.missed {
		t.Errorf("outcome %+v, %s", o, stderr.String())
	}
	last := -1
	for _, want := range []string{"16.5", "≤ 240 s", "met", "both\n", "dear", "10.0\n", "middle", "cheap", "sum", "7.0      9.5     16.5\n"} {
		at := strings.Index(stdout.String(), want)
		if at <= last {
			t.Errorf("%q is missing or out of order:\n%s", want, stdout.String())
		}
		last = at
	}
}
