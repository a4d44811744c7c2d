package campaign

import (
	"cmp"
	"context"
	"strconv"
	"time"
)

// tryInputs runs each target on the inputs of the corpus, on those that failed in other engines and
// on its seeds, in this process.
func (c *campaign) tryInputs(ctx context.Context, targets []target) error {
	for _, t := range targets {
		c.keeping(c.corpus.carry(t.name))
		inputs, err := c.corpus.inputs(t.name)
		if err != nil {
			return err
		}
		row := Target{Name: t.name, Corpus: len(inputs)}
		suspects, err := c.corpus.suspects(t.name)
		if err != nil {
			return err
		}
		inputs = append(inputs, suspects...)
		for _, s := range t.seeds {
			inputs = append(inputs, []byte(s))
		}
		row.Incomplete = c.tryAll(ctx, t, inputs)
		c.report.Targets = append(c.report.Targets, row)
	}
	return nil
}

// mostLost is how many inputs of a target may have no answer before its other inputs are left out,
// and how many cases of laws before the other laws are: each still uses a processor.
const mostLost = 3

// tryAll runs a target on inputs. It says why it left some out.
func (c *campaign) tryAll(ctx context.Context, t target, inputs [][]byte) (why string) {
	lost := 0
	for _, data := range inputs {
		if ctx.Err() != nil {
			return ""
		}
		f := Finding{Target: t.name, Input: data}
		if was, known := c.corpus.known[f.named().ID]; known && was.Fails() {
			continue // it was just judged
		}
		if f.Message = t.try(data); f.Message == "" {
			continue
		}
		c.found(f)
		if f.Message != noAnswer {
			continue
		}
		if lost++; lost == mostLost {
			return "inputs were left out after " + counted(lost, "input") + " without an answer"
		}
	}
	return ""
}

// slice is the least time that the engine gets for a target: it needs the first second to begin.
const slice = 10 * time.Second

// runTargets gives each target its turn with the Go engine, beginning after the one that had the
// last turn of the campaign before. In a short campaign not all have a turn.
func (c *campaign) runTargets(ctx context.Context, e engine, targets []target, begun time.Time) {
	building, stop := ctx, context.CancelFunc(func() {})
	if c.Cases == 0 {
		building, stop = context.WithDeadline(ctx, begun.Add(c.Time))
	}
	compiling := time.Now()
	why := e.build(building)
	stop()
	if why != "" {
		c.report.NoEngine = why
		return
	}
	defer e.clear()
	if c.turn(len(targets), begun) == "" {
		c.report.NoEngine = "compiling the targets took " + seconds(compiling) + ", and less than the " + (slice / 2).String() + " that a turn needs was left" + moreTime
		return
	}
	first := 0
	for i, t := range targets {
		if t.name == c.state.After {
			first = i + 1
		}
	}
	for i := range targets {
		at := (first + i) % len(targets)
		length := c.turn(len(targets)-i, begun)
		if ctx.Err() != nil || length == "" {
			return
		}
		c.runTarget(ctx, e, targets[at], &c.report.Targets[at], length)
		if ctx.Err() == nil { // else the next campaign begins with it
			c.state.After = targets[at].name
		}
	}
}

// turn is how long the next of so many targets runs, as the engine reads it; empty when the time is
// over.
func (c *campaign) turn(targets int, begun time.Time) string {
	if c.Cases > 0 {
		return strconv.FormatUint(c.Cases, 10) + "x"
	}
	left := c.Time - time.Since(begun)
	if left < slice/2 {
		return ""
	}
	return min(max(left/time.Duration(targets), slice), left).Round(time.Second).String()
}

// runTarget gives a target its turn.
func (c *campaign) runTarget(ctx context.Context, e engine, t target, row *Target, length string) {
	cache := c.corpus.path(nativeDir)
	if c.corpus.dir == "" {
		cache = e.scratch
	}
	got := e.run(ctx, t.name, length, cache, c.Workers)
	row.Ran, row.Inputs, row.New = got.inputs > 0 || got.failed != nil, got.inputs, got.interesting
	row.Incomplete = cmp.Or(row.Incomplete, got.why)
	if c.Cases == 0 {
		row.Elapsed = got.took
	}
	for _, data := range got.failed {
		message := t.try(data)
		if message == "" {
			message = "it failed in the engine, and holds in this process"
		}
		c.found(Finding{Target: t.name, Message: message, Input: data})
	}
	c.keeping(c.corpus.carry(t.name))
	if inputs, err := c.corpus.inputs(t.name); err == nil && c.corpus.dir != "" {
		row.New, row.Corpus = max(len(inputs)-row.Corpus, 0), len(inputs)
	}
	was := c.state.Targets[t.name]
	c.state.Targets[t.name] = targetState{Inputs: was.Inputs + got.inputs}
}
