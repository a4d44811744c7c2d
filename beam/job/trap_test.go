package job

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"github.com/chargecast/chargecast/engine"
)

// bare is an accumulator like Sum without a coder.
type bare struct{ n int }

func bareOf(n int) bare { return bare{n} }

func mergeBare(a, b bare) bare { return bare{a.n + b.n} }

func keepBare(b bare) { kept.Store(int64(b.n)) }

// kept is what arrived; -1 before.
var kept atomic.Int64

func init() {
	register.Function1x1(bareOf)
	register.Function2x1(mergeBare)
	register.Function1x0(keepBare)
}

func barePipeline() *beam.Pipeline {
	p := beam.NewPipeline()
	s := p.Root()
	sums := beam.ParDo(s, bareOf, beam.CreateList(s, []int{1, 2, 3}))
	beam.ParDo0(s, keepBare, beam.Combine(s, mergeBare, beam.Reshuffle(s, sums)))
	return p
}

// TestAccumulatorWithoutCoder: package beam adds such accumulators up to zero and reports no error,
// and CheckCoders, which every job passes, refuses them.
func TestAccumulatorWithoutCoder(t *testing.T) {
	kept.Store(-1)
	if err := beamx.Run(context.Background(), barePipeline()); err != nil || kept.Load() != 0 {
		t.Errorf("package beam does not lose the contents any more: %d, %v", kept.Load(), err)
	}
	if err := CheckCoders(barePipeline()); err == nil || !strings.Contains(err.Error(), "job.bare") {
		t.Error("an accumulator without a coder passed:", err)
	}
	q := Query{AsOf: mustDay("2026-01-10"), Until: mustDay("2026-12-31"), By: engine.ByDay, Form: FormNDJSON, Output: "none", Shards: 1}
	if err := CheckCoders(Build(q, []Shard{{File: "a.csv"}})); err != nil {
		t.Error(err)
	}
}

// TestLoses: a field that is not exported is found however deep it is.
func TestLoses(t *testing.T) {
	for _, c := range []struct {
		reason string
		value  any
		want   bool
	}{
		{"fields are exported", Count{}, false},
		{"no struct", 7, false},
		{"a field of its own", bare{}, true},
		{"behind a pointer", &bare{}, true},
		{"in a field", struct{ In bare }{}, true},
		{"in a list", struct{ In []bare }{}, true},
		{"in a map", struct{ In map[string]*bare }{}, true},
	} {
		if got := loses(reflect.TypeOf(c.value)); got != c.want {
			t.Errorf("%s: %v", c.reason, got)
		}
	}
}

// TestQueryIsSentWhole: every field of a query arrives at the workers.
func TestQueryIsSentWhole(t *testing.T) {
	pol, err := engine.ParsePolicy("month-end=skip,max-counts=repeats-after-first")
	if err != nil {
		t.Fatal(err)
	}
	q := Query{
		AsOf: mustDay("2026-01-10"), From: mustDay("2026-02-10"), Until: mustDay("2026-12-31"), Policy: pol, By: engine.ByWeekday,
		Simulate: true, Seed: 1<<64 - 1, Profiles: true, Form: FormCSV, Output: "out", Shards: 7,
	}
	v := reflect.ValueOf(q)
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			t.Errorf("the test leaves out %s", v.Type().Field(i).Name)
		}
	}
	for _, shard := range []Shard{{}, {Number: 3, File: "a b.csv", States: "ü.jsonl"}} {
		form, err := encodeShard(shard)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := decodeShard(form); err != nil || again != shard {
			t.Errorf("%+v, %v", again, err)
		}
	}
	again, err := throughBeam(&readFn{q})
	if err != nil || !reflect.DeepEqual(again, &readFn{q}) {
		t.Errorf("%+v, %v", again, err)
	}
}

// throughBeam returns a function as package beam sends it.
func throughBeam(fn *readFn) (*readFn, error) {
	form, err := json.Marshal(fn) // as package beam does
	if err != nil {
		return nil, err
	}
	again := new(readFn)
	return again, json.Unmarshal(form, again)
}
