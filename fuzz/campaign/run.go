package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/chargecast/chargecast/fuzz"
	"github.com/chargecast/chargecast/internal/oracle"
)

// Options say what to run of the native targets, and of the grid of law C30, which is called C30.
type Options struct {
	Targets []string // names, patterns, or how names begin; none means all
	Time    time.Duration
	Inputs  uint64 // for each target, and starts of the grid; in place of Time
	Store   *Store // nil keeps nothing
	Workers int    // the cores when zero
	Clone   string // a directory in a clone of this module, for the engine of the Go command; empty for none
}

// A Report is the outcome of a run.
type Report struct {
	Interrupted bool   `json:"interrupted,omitempty"`
	NoEngine    string `json:"no_engine,omitempty"` // why the Go engine did not run; empty where it did
	Grid        *Grid  `json:"grid,omitempty"`      // nil where it was not asked for
	Targets     []Row  `json:"targets"`
}

// A Grid is how much of the grid was judged, in series of dates, and what fails.
type Grid struct {
	Series   uint64   `json:"series"` // in this run
	All      uint64   `json:"all"`    // in all runs
	Whole    uint64   `json:"whole"`  // that there are
	Failures []string `json:"failures"`
}

// A Row is what became of a target.
type Row struct {
	Name       string    `json:"name"`
	Inputs     uint64    `json:"inputs"`               // that the engine tried
	New        int       `json:"new"`                  // of them, those that reached new code
	Corpus     int       `json:"corpus"`               // inputs that the store has
	Ran        bool      `json:"ran"`                  // it had a turn with the engine
	Incomplete string    `json:"incomplete,omitempty"` // why something was left out; empty if nothing was
	Failures   []Failure `json:"failures"`
	Mended     int       `json:"mended,omitempty"` // inputs that failed in an earlier run and hold now
}

// A Failure is an input that a target does not survive.
type Failure struct {
	Input   []byte `json:"input"`
	Message string `json:"message"`
	File    string `json:"file,omitempty"` // where it is kept, below the store; empty without one
}

// OK reports whether nothing failed.
func (r Report) OK() bool {
	return (r.Grid == nil || len(r.Grid.Failures) == 0) && !slices.ContainsFunc(r.Targets, func(t Row) bool { return len(t.Failures) > 0 })
}

// Known reports whether a pattern names a target, or the grid.
func Known(pattern string) bool {
	return matches(pattern, gridName) || slices.ContainsFunc(Targets(), func(t Target) bool { return matches(pattern, t.Name) })
}

const gridName = "C30"

// matches reports whether a name is that of a pattern or begins with it.
func matches(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return err == nil && ok || pattern != "" && strings.HasPrefix(name, pattern)
}

func (o Options) wants(name string) bool {
	return len(o.Targets) == 0 || slices.ContainsFunc(o.Targets, func(p string) bool { return matches(p, name) })
}

// A campaign is a run of targets.
type campaign struct {
	Options
	ctx    context.Context
	begun  time.Time
	report Report
}

// Run gives the grid and each target its turn. Once ctx is done it ends after what is being judged, and reports what was done
// until then. What was learned is saved after each turn. The error is that of the store; the report is complete nevertheless.
func Run(ctx context.Context, o Options) (Report, error) {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	c := &campaign{Options: o, ctx: ctx, begun: time.Now(), report: Report{Targets: []Row{}}}
	if o.wants(gridName) {
		c.judgeGrid(fuzz.Ours())
	}
	_ = c.save() // the last time tells
	targets := slices.DeleteFunc(Targets(), func(t Target) bool { return !o.wants(t.Name) })
	err := c.tryInputs(targets)
	if err == nil && len(targets) > 0 {
		engine, why := findEngine(o.Clone)
		if c.report.NoEngine = why; why == "" && ctx.Err() == nil {
			err = c.runTargets(engine, targets)
		}
	}
	c.report.Interrupted = ctx.Err() != nil
	return c.report, cmp.Or(err, c.save())
}

// save saves how much of the grid was judged, and whose turn was last.
func (c *campaign) save() error {
	if c.Store == nil {
		return nil
	}
	return c.Store.Save()
}

// stripe is how many starts a worker takes at once, mostFailures how many of the grid are shown.
const (
	stripe       = 64
	mostFailures = 5
)

// judgeGrid judges the next starts of the grid, side by side: as many as there are inputs, or for a tenth of the time.
func (c *campaign) judgeGrid(impl fuzz.Impl) {
	var first uint64
	if c.Store != nil {
		first = c.Store.grid
	}
	next, end := first, uint64(gridStarts)
	if c.Inputs > 0 {
		end = min(end, first+c.Inputs)
	}
	var (
		lock sync.Mutex
		wait sync.WaitGroup
		bad  = map[uint64]string{}
	)
	take := func() (from, to uint64) {
		lock.Lock()
		defer lock.Unlock()
		if c.ctx.Err() == nil && len(bad) < mostFailures && (c.Inputs > 0 || time.Since(c.begun) < c.Time/10) {
			from, next = next, min(next+stripe, end)
			return from, next
		}
		return 0, 0
	}
	for range c.Workers {
		wait.Go(func() {
			for from, to := take(); from < to; from, to = take() {
				for n := from; n < to; n++ {
					if message := within("the implementation", func() string { return judgeStart(impl, n) }); message != "" {
						lock.Lock()
						bad[n] = dayOf(oracle.At(gridStart(n))).String() + ": " + message
						lock.Unlock()
					}
				}
			}
		})
	}
	wait.Wait()
	all := next
	c.report.Grid = &Grid{Series: (next - first) * gridSeries, Whole: gridStarts * gridSeries, Failures: []string{}}
	for i, n := range slices.Sorted(maps.Keys(bad)) {
		if i == 0 {
			all = n // it is judged again
		}
		if i < mostFailures {
			c.report.Grid.Failures = append(c.report.Grid.Failures, bad[n])
		}
	}
	c.report.Grid.All = all * gridSeries
	if c.Store != nil {
		c.Store.grid = all
	}
}

// mostLost is how many inputs of a target may have no answer before its other inputs are left out: each still uses a processor.
const mostLost = 3

// tryInputs runs each target in this process on the inputs that failed before, on those of the store and on its seeds.
func (c *campaign) tryInputs(targets []Target) error {
	for _, t := range targets {
		row := Row{Name: t.Name, Failures: []Failure{}}
		if err := c.Store.carry(t.Name); err != nil {
			return err
		}
		failing, err := c.Store.failing(t.Name)
		if err != nil {
			return err
		}
		inputs, err := c.Store.inputs(t.Name)
		if err != nil {
			return err
		}
		row.Corpus = len(inputs)
		for _, s := range t.Seeds {
			inputs = append(inputs, []byte(s.Data))
		}
		if err := c.tryAll(t, &row, failing, inputs); err != nil {
			return err
		}
		c.report.Targets = append(c.report.Targets, row)
	}
	return nil
}

// tryAll runs a target on inputs that failed before and on others.
func (c *campaign) tryAll(t Target, row *Row, failing map[string][]byte, inputs [][]byte) error {
	lost, tried := 0, map[string]bool{}
	try := func(data []byte) (message string) {
		tried[string(data)] = true
		if message = t.try(data); message == noAnswer {
			if lost++; lost == mostLost {
				row.Incomplete = "inputs were left out after " + strconv.Itoa(lost) + " without an answer"
			}
		}
		return message
	}
	for _, name := range slices.Sorted(maps.Keys(failing)) {
		if c.ctx.Err() != nil || lost == mostLost {
			return nil
		}
		message := try(failing[name])
		if message != "" {
			row.Failures = append(row.Failures, Failure{failing[name], message, name})
			continue
		}
		row.Mended++
		if err := os.Remove(c.Store.path(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return because(ErrKeep, err)
		}
	}
	for _, data := range inputs {
		if c.ctx.Err() != nil || lost == mostLost {
			return nil
		}
		if tried[string(data)] {
			continue
		}
		if message := try(data); message != "" {
			if err := c.fails(row, data, message); err != nil {
				return err
			}
		}
	}
	return nil
}

// fails keeps an input that fails.
func (c *campaign) fails(row *Row, data []byte, message string) error {
	f := Failure{Input: data, Message: message}
	if slices.ContainsFunc(row.Failures, func(o Failure) bool { return string(o.Input) == string(data) }) {
		return nil
	}
	defer func() { row.Failures = append(row.Failures, f) }()
	if c.Store == nil {
		return nil
	}
	f.File = failingDir + "/" + row.Name + "/" + checkSum(data)
	return c.Store.write(f.File, goInput(data))
}

// slice is the least time that the engine gets for a target: it needs the first second to begin.
const slice = 10 * time.Second

// runTargets gives each target its turn with the Go engine, beginning after the one that had the
// last turn of the run before. In a short run not all have a turn.
func (c *campaign) runTargets(e goEngine, targets []Target) error {
	building, stop := c.ctx, context.CancelFunc(func() {})
	if c.Inputs == 0 {
		building, stop = context.WithDeadline(c.ctx, c.begun.Add(c.Time))
	}
	compiling := time.Now()
	why := e.build(building)
	stop()
	if why != "" {
		c.report.NoEngine = why
		return nil
	}
	defer e.clear()
	if c.turn(len(targets)) == "" {
		c.report.NoEngine = "compiling the targets took " + seconds(compiling) + ", and less than the " + (slice / 2).String() + " that a turn needs was left" + moreTime
		return nil
	}
	first := 0
	for i, t := range targets {
		if c.Store != nil && t.Name == c.Store.after {
			first = i + 1
		}
	}
	for i := range targets {
		at := (first + i) % len(targets)
		length := c.turn(len(targets) - i)
		if c.ctx.Err() != nil || length == "" {
			return nil
		}
		if err := c.runTarget(e, targets[at], &c.report.Targets[at], length); err != nil {
			return err
		}
		if c.Store != nil && c.ctx.Err() == nil { // else the next run begins with it
			c.Store.after = targets[at].Name
		}
		_ = c.save()
	}
	return nil
}

// turn is how long the next of so many targets runs, as the engine reads it; empty when the time is
// over.
func (c *campaign) turn(targets int) string {
	if c.Inputs > 0 {
		return strconv.FormatUint(c.Inputs, 10) + "x"
	}
	left := c.Time - time.Since(c.begun)
	if left < slice/2 {
		return ""
	}
	return min(max(left/time.Duration(targets), slice), left).Round(time.Second).String()
}

// runTarget gives a target its turn.
func (c *campaign) runTarget(e goEngine, t Target, row *Row, length string) error {
	cache := e.scratch
	if c.Store != nil {
		cache = c.Store.path(nativeDir)
	}
	got := e.run(c.ctx, t.Name, length, cache, c.Workers)
	row.Ran, row.Inputs, row.New = got.inputs > 0 || got.failed != nil, got.inputs, got.interesting
	row.Incomplete = cmp.Or(row.Incomplete, got.why)
	for _, data := range got.failed {
		if err := c.fails(row, data, cmp.Or(t.try(data), "it failed in the goEngine, and holds in this process")); err != nil {
			return err
		}
	}
	if err := c.Store.carry(t.Name); err != nil || c.Store == nil {
		return err
	}
	inputs, err := c.Store.inputs(t.Name)
	row.New, row.Corpus = max(len(inputs)-row.Corpus, 0), len(inputs)
	return err
}

const (
	// caseTimeout is how long a start of the grid and an input of a target may take; libfuzzer/run.sh gives inputs as long.
	caseTimeout = 25 * time.Second
	noAnswer    = "no answer within 25 seconds"
)

// try runs a target on one input and returns what it panics with, or noAnswer; empty if the input
// holds.
func (t Target) try(data []byte) string {
	return within("the target", func() string {
		t.Body(data)
		return ""
	})
}

// within returns what a function returns or panics with; noAnswer after caseTimeout. A function
// that does not end cannot be stopped: it is left running.
func within(who string, f func() string) string {
	ended := make(chan string, 1)
	go func() {
		message := who + " ended its goroutine"
		defer func() {
			if p := recover(); p != nil {
				message = cmp.Or(strings.TrimRight(fmt.Sprint(p), "\n"), "panic")
			}
			ended <- message
		}()
		message = f()
	}()
	timer := time.NewTimer(caseTimeout)
	defer timer.Stop()
	select {
	case message := <-ended:
		return message
	case <-timer.C:
		return noAnswer
	}
}
