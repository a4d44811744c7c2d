package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// suiteLimit is how many seconds of processor time a cold go test ./... may take: two minutes of
// two cores.
const suiteLimit = 240

// suiteRows are P23: they build all tests of the library with an empty cache and run them. They take
// minutes, so they run only when they are named.
func suiteRows() []row {
	return []row{{id: "P23", ours: "go test ./... with an empty cache", against: "processor time", goal: goal{kind: upTo, value: suiteLimit, unit: "s"}, possible: "–",
		rated: func() (result, error) {
			ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
			defer cancel()
			costs, err := suiteCosts(ctx)
			if err != nil {
				return result{}, err
			}
			return result{ratio: costs.sum().total().Seconds(), details: costs.lines()}, nil
		}}}
}

// A suiteCost is the processor time of a package's tests.
type suiteCost struct {
	name         string
	compile, run time.Duration
}

func (c suiteCost) total() time.Duration { return c.compile + c.run }

type suiteTable []suiteCost

// otherPackages is the name of the row for what belongs to no package of the library.
const otherPackages = "standard library, dependencies, go"

func (t suiteTable) sum() suiteCost {
	sum := suiteCost{name: "sum"}
	for _, c := range t {
		sum.compile += c.compile
		sum.run += c.run
	}
	return sum
}

// lines shows the table by falling cost, the sum last.
func (t suiteTable) lines() []string {
	sorted := slices.SortedFunc(slices.Values(t), func(a, b suiteCost) int {
		return cmp.Or(cmp.Compare(b.total(), a.total()), strings.Compare(a.name, b.name))
	})
	lines := []string{fmt.Sprintf("%-*s %8s %8s %8s", len(otherPackages), "seconds of processor time", "compile", "run", "both")}
	for _, c := range append(sorted, t.sum()) {
		lines = append(lines, fmt.Sprintf("%-*s %8.1f %8.1f %8.1f", len(otherPackages), c.name, c.compile.Seconds(), c.run.Seconds(), c.total().Seconds()))
	}
	return lines
}

// suiteCosts builds the test program of every package with an empty cache, without vet, and runs it.
func suiteCosts(ctx context.Context) (suiteTable, error) {
	root, err := moduleRoot(ctx)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	s := suite{root: root, dir: dir, environment: append(os.Environ(), "GOCACHE="+filepath.Join(dir, "cache"))}
	if err := s.list(ctx); err != nil {
		return nil, err
	}
	compile, err := s.compile(ctx)
	if err != nil {
		return nil, err
	}
	table := suiteTable{{name: otherPackages, compile: compile[""]}}
	for _, p := range s.packages {
		run, err := s.run(ctx, p)
		if err != nil {
			return nil, err
		}
		table = append(table, suiteCost{p.short(s.module), compile[p.path], run})
	}
	return table, nil
}

// A suite is the tests of a module, with a directory for what is built.
type suite struct {
	root, module string
	dir          string
	environment  []string
	packages     []suitePackage
}

type suitePackage struct {
	path, dir string
	tested    bool
	group     string // the directory of its program: go test -c takes no two packages of one name at once
}

// short is the path below the module.
func (p suitePackage) short(module string) string {
	if p.path == module {
		return "."
	}
	return strings.TrimPrefix(p.path, module+"/")
}

func (s *suite) command(ctx context.Context, dir, name string, arguments ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, name, arguments...)
	c.Dir, c.Env = dir, s.environment
	return c
}

// list finds the packages of the module.
func (s *suite) list(ctx context.Context) error {
	const format = "{{.Module.Path}}\t{{.ImportPath}}\t{{.Dir}}\t{{len .TestGoFiles}}{{len .XTestGoFiles}}"
	text, err := s.command(ctx, s.root, "go", "list", "-f", format, "./...").Output()
	if err != nil {
		return fmt.Errorf("go list: %w", err)
	}
	seen := make(map[string]int)
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		name := path.Base(cells[1])
		s.module = cells[0]
		s.packages = append(s.packages, suitePackage{
			path: cells[1], dir: cells[2], tested: cells[3] != "00",
			group: filepath.Join(s.dir, strconv.Itoa(seen[name])),
		})
		seen[name]++
	}
	return nil
}

// compile builds the test programs and returns the processor time by package. Under the empty path is
// what is left: the standard library, other modules and the go command itself.
func (s *suite) compile(ctx context.Context) (map[string]time.Duration, error) {
	groups := make(map[string][]string)
	for _, p := range s.packages {
		if p.tested {
			groups[p.group] = append(groups[p.group], p.path)
		}
	}
	costs := make(map[string]time.Duration)
	for _, group := range slices.Sorted(maps.Keys(groups)) {
		graph := group + ".json"
		arguments := append([]string{"test", "-c", "-vet=off", "-debug-actiongraph", graph, "-o", group + string(filepath.Separator)}, groups[group]...)
		build := s.command(ctx, s.root, "go", arguments...)
		if text, err := build.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("go test -c: %w: %.200s", err, text)
		}
		text, err := os.ReadFile(graph)
		if err != nil {
			return nil, err
		}
		if err := attribute(costs, s.module, text, processorTime(build.ProcessState)); err != nil {
			return nil, err
		}
	}
	return costs, nil
}

// attribute adds what the go command wrote about its steps to the costs of the module's packages, and
// what is left of its processor time to the empty path.
func attribute(costs map[string]time.Duration, module string, graph []byte, all time.Duration) error {
	var steps []struct {
		Package         string
		CmdUser, CmdSys time.Duration
	}
	if err := json.Unmarshal(graph, &steps); err != nil {
		return fmt.Errorf("-debug-actiongraph: %w", err)
	}
	for _, step := range steps {
		owner := stepOwner(step.Package)
		if owner != module && !strings.HasPrefix(owner, module+"/") {
			continue
		}
		costs[owner] += step.CmdUser + step.CmdSys
		all -= step.CmdUser + step.CmdSys
	}
	costs[""] += all
	return nil
}

// stepOwner is the package whose tests need a step: a package that is compiled once more for the tests
// of another, "a [b.test]", counts there.
func stepOwner(name string) string {
	if _, program, found := strings.Cut(name, " ["); found {
		name = strings.TrimSuffix(program, "]")
	}
	return strings.TrimSuffix(strings.TrimSuffix(name, ".test"), "_test")
}

// run runs the tests of a package and returns the processor time, that of the processes that they
// start included.
func (s *suite) run(ctx context.Context, p suitePackage) (time.Duration, error) {
	if !p.tested {
		return 0, nil
	}
	test := s.command(ctx, p.dir, filepath.Join(p.group, path.Base(p.path)+".test"), "-test.paniconexit0", "-test.timeout=10m")
	if text, err := test.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("tests of %s: %w: %.200s", p.short(s.module), err, text)
	}
	return processorTime(test.ProcessState), nil
}

func processorTime(state *os.ProcessState) time.Duration {
	return state.UserTime() + state.SystemTime()
}
