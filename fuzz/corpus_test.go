package fuzz_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz"
	"github.com/chargecast/chargecast/fuzz/gallery"
)

// The number of cases asked for is the number run, for laws that are heavy or slow too (G09).
func TestEveryCaseIsRun(t *testing.T) {
	for _, r := range fuzz.Run(fuzz.Ours(), fuzz.Options{Laws: []string{"C0*", "O0*", "S0*", "D0*", "V0*"}, Cases: 3}).Results {
		want := 3
		if r.Law.Once {
			want = 1
		}
		if r.Cases != want {
			t.Errorf("%s: %d cases, want %d", r.Law.ID, r.Cases, want)
		}
	}
	half := fuzz.Impl{Name: "half"}
	half.Forecast = func(j fuzz.Job) (fuzz.Forecast, error) {
		if calendar.MaxDate().Sub(j.AsOf)%2 == 0 {
			return fuzz.Forecast{}, fuzz.ErrNotSupported
		}
		return fuzz.Ours().Forecast(j)
	}
	for _, workers := range []int{1, 3} {
		if r := fuzz.Run(half, fuzz.Options{Laws: []string{"T01"}, Cases: 100, Workers: workers}).Results[0]; r.Cases != 100 {
			t.Errorf("%d cases of an implementation that refuses half of them, want 100", r.Cases)
		}
	}
}

// A corpus goes on where the run before ended, keeps few cases that meet all that was met, and remembers what fails until it holds.
func TestCorpus(t *testing.T) {
	var c fuzz.Corpus
	wrong, _ := gallery.Find("interval-ignored")
	o := fuzz.Options{Laws: []string{"C16", "T01", "C24"}, Cases: 200, Corpus: &c, Seed: 4}
	first := fuzz.Run(fuzz.Ours(), o)
	met := first.Results[1].Met
	if k := c.Laws["T01"]; k.Next[4] != 200 || k.Judged != 200 || len(k.Cases) == 0 || len(k.Cases) > 100 || len(k.Failing) > 0 {
		t.Errorf("kept of T01: %+v", k)
	}
	second := fuzz.Run(fuzz.Ours(), o)
	for _, r := range second.Results {
		if k := c.Laws[r.Law.ID]; !r.Law.Once && (r.Cases != 200 || r.Again == 0 || k.Next[4] != 400 || k.Judged != 400 || int(k.Since) != r.Since) {
			t.Errorf("%s: %d cases, %d again, kept %+v", r.Law.ID, r.Cases, r.Again, k)
		}
	}
	if r := second.Results[1]; r.Met != met+r.New {
		t.Errorf("T01: %d classes met with %d new ones after %d", r.Met, r.New, met)
	}
	var saved []string
	o.Save = func() { saved = append(saved, c.Laws["C16"].Failing...) }
	failed := fuzz.Run(wrong.Impl(), o)
	if len(saved) == 0 || !strings.HasPrefix(saved[0], "cc2:C16:") {
		t.Errorf("before a failing case was made simpler %q were saved", saved)
	}
	o.Save = nil
	if k := c.Laws["C16"]; failed.OK() || len(k.Failing) != 1 || k.Failing[0] != failed.Results[0].Failures[0].Token {
		t.Errorf("kept of C16: %+v", k)
	}
	if again := fuzz.Run(wrong.Impl(), o); again.Results[0].Cases != 0 || again.Results[0].Failures[0].Token != c.Laws["C16"].Failing[0] {
		t.Errorf("what failed is not judged first: %+v", again.Results[0])
	}
	mended := fuzz.Run(fuzz.Ours(), o)
	if !mended.OK() || len(mended.Results[0].Mended) != 1 || len(c.Laws["C16"].Failing) != 0 {
		t.Errorf("mended: %+v", mended.Results[0])
	}
}

// Corpora of two machines make one that has met what either met.
func TestMergeCorpora(t *testing.T) {
	var one, two, all fuzz.Corpus
	o := fuzz.Options{Laws: []string{"T01"}, Cases: 100}
	o.Corpus, o.Seed = &one, 1
	fuzz.Run(fuzz.Ours(), o)
	o.Corpus, o.Seed = &two, 2
	fuzz.Run(fuzz.Ours(), o)
	all.Merge(&one)
	all.Merge(&two)
	all.Merge(&fuzz.Corpus{})
	k := all.Laws["T01"]
	if k.Next[1] != 100 || k.Next[2] != 100 || k.Judged != 200 || len(k.Cases) >= len(one.Laws["T01"].Cases)+len(two.Laws["T01"].Cases) {
		t.Errorf("%+v", k)
	}
	met := func(c *fuzz.Corpus) int {
		return fuzz.Run(fuzz.Ours(), fuzz.Options{Laws: []string{"T01"}, Cases: 1, Corpus: c, Seed: 3}).Results[0].Met
	}
	if a, b, both := met(&one), met(&two), met(&all); both < a || both < b {
		t.Errorf("%d and %d classes, of both %d", a, b, both)
	}
}

// A run by time gives every law about as much of it, and ends in time; one that is stopped says so.
func TestTime(t *testing.T) {
	begun := time.Now()
	r := fuzz.Run(fuzz.Ours(), fuzz.Options{Laws: []string{"T0*", "A0*", "V05"}, Time: 400 * time.Millisecond, Workers: 2})
	if took := time.Since(begun); took > 20*time.Second || !r.OK() || r.Interrupted || !strings.Contains(string(r.AppendText(nil, nil)), " an hour; ") {
		t.Errorf("%v: %s", took, r.AppendText(nil, nil))
	}
	for _, l := range r.Results {
		if l.Cases == 0 && !l.NotReached {
			t.Errorf("%s has no case", l.Law.ID)
		}
	}
	stop := make(chan struct{})
	close(stop)
	if r := fuzz.Run(fuzz.Ours(), fuzz.Options{Laws: []string{"T01"}, Time: time.Hour, Stop: stop}); !r.Interrupted || !r.Results[0].NotReached {
		t.Errorf("stopped: %+v", r)
	}
}

// A token of a run under a policy names its case under that policy.
func TestTokenUnderPolicy(t *testing.T) {
	wrong, _ := gallery.Find("max-minus-one")
	o := fuzz.Options{Laws: []string{"T01"}, Cases: 500}
	p, err := engine.ParsePolicy("month-end=clamp,finish-bound=exclusive")
	if err != nil {
		t.Fatal(err)
	}
	o.Policy = &p
	r := fuzz.Run(wrong.Impl(), o)
	if r.OK() {
		t.Fatal("T01 rejects nothing")
	}
	f := r.Results[0].Failures[0]
	again, _, err := fuzz.Replay(wrong.Impl(), f.Token, o)
	if err != nil || !strings.HasPrefix(f.Token, "cc2:T01:b64:") {
		t.Fatalf("%s: %v", f.Token, err)
	}
	if !slices.ContainsFunc(again.Failures, func(g fuzz.Failure) bool { return g.Message == f.Message && g.Token == f.Token }) {
		t.Errorf("%+v", again)
	}
}
