package job

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/coder"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
)

// Package beam takes registrations of types and functions in init functions only.
func init() {
	beam.RegisterCoder(reflect.TypeFor[Sum](), EncodeSum, DecodeSum)
	beam.RegisterCoder(reflect.TypeFor[Shard](), encodeShard, decodeShard)
	register.DoFn3x1[context.Context, Shard, func(Sum), error](&readFn{})
	register.DoFn2x1[context.Context, Sum, error](&finishFn{})
	register.Combiner1[Sum](&mergeFn{})
	register.Emitter1[Sum]()
}

func encodeShard(s Shard) ([]byte, error) { return json.Marshal(s) }

func decodeShard(data []byte) (s Shard, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	return s, d.Decode(&s)
}

// Build returns the pipeline that runs a query over shards.
func Build(q Query, shards []Shard) *beam.Pipeline {
	p := beam.NewPipeline()
	s := p.Root()
	// The runner divides the shards among its workers anew after each reshuffle.
	list := beam.Reshuffle(s.Scope("Shards"), beam.CreateList(s.Scope("Shards"), shards))
	sums := beam.ParDo(s.Scope("Read"), &readFn{Query: q}, list)
	total := beam.Combine(s.Scope("Add"), &mergeFn{}, sums)
	beam.ParDo0(s.Scope("Finish"), &finishFn{Query: q}, total)
	return p
}

// A readFn reads a shard.
type readFn struct{ Query Query }

// ProcessElement emits the sum of a shard, whose own outputs it has written. After an error the
// runner calls it again.
func (f *readFn) ProcessElement(ctx context.Context, s Shard, emit func(Sum)) error {
	sum, err := Read(ctx, f.Query, s)
	if err != nil {
		return err
	}
	rowsRead.Inc(ctx, int64(sum.shards[0].Rows))
	rowsLeftOut.Inc(ctx, int64(sum.shards[0].LeftOut))
	shardsRead.Inc(ctx, 1)
	emit(sum)
	return nil
}

// The counters of a job, which its runner shows. A runner may count repeated work twice; the
// numbers of the summary are exact.
var (
	rowsRead    = beam.NewCounter("chargecast", "rows")
	rowsLeftOut = beam.NewCounter("chargecast", "rows-left-out")
	shardsRead  = beam.NewCounter("chargecast", "shards")
)

// A finishFn writes the totals of all shards.
type finishFn struct{ Query Query }

// ProcessElement writes the totals and the summary.
func (f *finishFn) ProcessElement(ctx context.Context, s Sum) error {
	return finish(ctx, f.Query, s)
}

// CheckCoders refuses a pipeline with a type of its own that has unexported fields and no
// registered coder: package beam would send its values without these fields, and totals would be
// zero.
func CheckCoders(p *beam.Pipeline) error {
	edges, nodes, err := p.Build()
	if err != nil {
		return err
	}
	var types []reflect.Type
	for _, n := range nodes {
		for _, of := range append(n.Type().Components(), n.Type()) {
			types = append(types, of.Type())
		}
	}
	for _, e := range edges {
		if e.CombineFn != nil {
			types = append(types, e.CombineFn.MergeAccumulatorsFn().Ret[0].T)
		}
	}
	for _, t := range types {
		if loses(t) && coder.LookupCustomCoder(t) == nil {
			return failed("values of "+t.String()+" would be sent without their contents: the type has no registered coder", "register one with beam.RegisterCoder")
		}
	}
	return nil
}

// loses reports whether a type has a field that package beam does not send.
func loses(t reflect.Type) bool { return losesIn(t, map[reflect.Type]bool{}) }

func losesIn(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return losesIn(t.Elem(), seen) || t.Kind() == reflect.Map && losesIn(t.Key(), seen)
	case reflect.Struct:
		for f := range t.Fields() {
			if !f.IsExported() || losesIn(f.Type, seen) {
				return true
			}
		}
	}
	return false
}
