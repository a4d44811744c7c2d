package campaign

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// A campaign is the state of a running campaign.
type campaign struct {
	Options
	corpus  *corpus
	state   *state
	met     classes
	lost    atomic.Int64 // cases and starts without an answer: each still uses a processor
	report  Report
	keepErr error // the first error of writing the corpus
}

// Run runs a campaign. Once ctx is done it ends after the cases that are being judged, and reports
// what was done until then. The error is [ErrUnknown] or [ErrCorpus] with a zero Report, or
// [ErrKeep], with a zero Report if the corpus could not be created.
func Run(ctx context.Context, o Options) (Report, error) {
	o, err := o.check()
	if err != nil {
		return Report{}, err
	}
	c := &campaign{Options: o}
	if c.corpus, c.state, err = openCorpus(o.Dir, o.Seed); err != nil {
		return Report{}, err
	}
	defer c.corpus.close()
	begun := time.Now()
	laws, targets := o.laws(), o.targets()
	c.judgeKnown(ctx, begun)
	if err := c.tryInputs(ctx, targets); err != nil {
		return Report{}, err
	}
	engine, why := findEngine(o.Clone)
	if len(targets) > 0 {
		c.report.NoEngine = why
	}
	c.runLaws(ctx, laws, begun, c.lawTime(len(targets) > 0 && why == ""))
	if why == "" && len(targets) > 0 && ctx.Err() == nil {
		c.runTargets(ctx, engine, targets, begun)
	}
	if o.Cases == 0 {
		c.report.Elapsed = time.Since(begun)
	}
	c.finish(ctx.Err() != nil)
	return c.report, c.keepErr
}

// lawTime is how long laws get: half where native targets take turns after them; 0 for no limit.
func (c *campaign) lawTime(targets bool) time.Duration {
	if targets && c.Cases == 0 {
		return c.Time / 2
	}
	return c.Time
}

// judgeKnown judges the findings of earlier campaigns again. Of those without an answer it judges
// only a few, to leave the time to the laws.
func (c *campaign) judgeKnown(ctx context.Context, begun time.Time) {
	stuck := 0
	for _, id := range slices.Sorted(maps.Keys(c.corpus.known)) {
		f := c.corpus.known[id]
		if ctx.Err() != nil || c.Time > 0 && time.Since(begun) >= c.Time {
			return
		}
		if strings.Contains(f.Message, withoutEnd) {
			if stuck++; stuck > mostLost {
				continue
			}
		}
		was := f.Verdict
		switch {
		case f.Target != "":
			if i := slices.IndexFunc(targetsOf(nil), func(t target) bool { return t.name == f.Target }); i >= 0 {
				f.Verdict = verdict(targetsOf(nil)[i].try(f.Input))
			}
		case f.Token != "" && f.judgeable():
			again, _ := replay(*c.Impl, f.Token, 0)
			f.Verdict = verdict(again.Message)
		case f.Grid > 0:
			f.Verdict = verdict(tryStart(*c.Impl, f.Grid-1))
		}
		c.corpus.known[f.ID] = f
		if f.Verdict != was {
			c.keeping(c.corpus.keep(f))
		}
	}
}

// verdict is the verdict on a finding whose case reports a message; empty for a case that holds.
func verdict(message string) string {
	if message == "" {
		return "holds"
	}
	return "fails"
}

// found keeps a finding, once.
func (c *campaign) found(f Finding) {
	f = f.named()
	was, known := c.corpus.known[f.ID]
	if known && was.Fails() {
		return
	}
	f.New = !known
	c.corpus.known[f.ID] = f
	c.keeping(c.corpus.keep(f))
}

// keeping stores the first error of writing the corpus. The campaign goes on.
func (c *campaign) keeping(err error) {
	if c.keepErr == nil {
		c.keepErr = err
	}
}

// finish completes the report and writes it to the corpus.
func (c *campaign) finish(interrupted bool) {
	r := &c.report
	c.state.Campaigns++
	r.Seed, r.Campaigns, r.Interrupted = c.state.Seed, c.state.Campaigns, interrupted
	unmet := c.met.unmet()
	c.state.Unmet = slices.DeleteFunc(c.state.Unmet, func(p string) bool { return !slices.Contains(unmet, p) })
	r.Pairs = pairsOf(c.state.Unmet)
	r.Unmet = unmetOf(c.state.Unmet, r.Pairs)
	for _, f := range c.corpus.known {
		r.Findings = append(r.Findings, f)
	}
	slices.SortFunc(r.Findings, func(a, b Finding) int { return strings.Compare(a.ID, b.ID) })
	slices.SortFunc(r.Laws, func(a, b Law) int { return strings.Compare(a.ID, b.ID) })
	for i := range r.Laws {
		l := &r.Laws[i]
		l.All = c.state.Laws[l.ID].Cases
		l.Findings = c.count(func(f Finding) bool { return f.Law == l.ID })
	}
	for i := range r.Targets {
		t := &r.Targets[i]
		t.All = c.state.Targets[t.Name].Inputs
		t.Findings = c.count(func(f Finding) bool { return f.Target == t.Name })
	}
	c.keeping(c.corpus.keepState(c.state))
	c.keeping(c.corpus.write("report.txt", r.AppendText(nil)))
	c.keeping(c.corpus.write("report.json", r.AppendJSON(nil)))
	c.keeping(c.corpus.write("report.html", r.AppendHTML(nil)))
}

// count counts findings that fail.
func (c *campaign) count(is func(Finding) bool) (n int) {
	for _, f := range c.corpus.known {
		if f.Fails() && is(f) {
			n++
		}
	}
	return n
}
