package record_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/internal/race"
	"github.com/chargecast/chargecast/record"
)

// allocated returns how many bytes f allocates, whether they are kept or not.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestOneLineCostsLittle: a line of 9 MB that is refused cost 811 MiB as a state and 982 MiB as a script.
func TestOneLineCostsLittle(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	const size, limit = 9_000_000, 64 << 20
	empty := strings.Repeat("{},", size/3) + "{}"
	for name, line := range map[string]string{
		"unknown member": `{"log":{"entries":[` + empty + `]}}`,
		"wrong kind":     `{"profile":[` + empty + `]}`,
		"wrong items":    `{"profile":"a","paid":[` + empty + `],"set":[` + empty + `]}`,
		"wrong spans":    `{"profile":"a","missed":[` + empty + `]}`,
		"columns":        `{"date":"2026-01-12","do":"update","set":{` + strings.Repeat(`"a":"",`, size/7) + `"b":""}}`,
		"output":         `{"type":"header","schema":"chargecast.forecast/1","as_of":"2026-01-01","policy":{},"later":[` + empty + `]}`,
	} {
		for reader, read := range map[string]func(){
			"state": func() {
				for range record.ReadStates(strings.NewReader(line)) {
				}
			},
			"script": func() {
				for range record.ReadScript(strings.NewReader(line)) {
				}
			},
			"output": func() {
				for range record.Read(strings.NewReader(line)) {
				}
			},
		} {
			if got := allocated(read); got > limit {
				t.Errorf("%s as a %s: %d MiB allocated", name, reader, got>>20)
			}
		}
	}
}
