package main

import (
	"strings"
	"testing"
)

// BenchmarkRows times both sides of every row but the commands, so that benchstat can compare them
// before and after a change: go test -bench 'Rows/P5'. The ratios are the program's.
func BenchmarkRows(b *testing.B) {
	for _, r := range allRows() {
		if r.ready == nil {
			continue
		}
		b.Run(r.id+"/"+strings.ReplaceAll(r.ours+"/"+r.against, " ", "_"), func(b *testing.B) {
			c := r.ready()
			if c.end != nil {
				defer c.end()
			}
			for i, s := range [...]side{c.ours, c.theirs} {
				b.Run([...]string{"ours", "theirs"}[i], func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						s.run()
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(s.units), "ns/unit")
					b.ReportMetric(0, "ns/op") // a run of many units says nothing
				})
			}
		})
	}
}
