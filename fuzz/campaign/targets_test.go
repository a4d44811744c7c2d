package campaign

import (
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
)

// TestTargetWithoutEnd: an input for which a target does not come to an end fails, here and in later runs, and the
// run goes on; after three of them the other inputs of the target are left out.
func TestTargetWithoutEnd(t *testing.T) {
	store := storeIn(t, t.TempDir())
	if err := store.write(othersDir+"/FuzzX-timeout-1", []byte("stuck: of libFuzzer")); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		var mu sync.Mutex // an input without an answer leaves its goroutine behind
		tried := map[string]int{}
		body := func(data []byte) {
			mu.Lock()
			tried[string(data)]++
			mu.Unlock()
			if strings.HasPrefix(string(data), "stuck") {
				<-release
			}
		}
		x := Target{Name: "FuzzX", Body: body, Seeds: seeds("", "a", "stuck", "b")}
		for range 2 {
			c := &campaign{Options: Options{Store: store}, ctx: t.Context()}
			if err := c.tryInputs([]Target{x}); err != nil {
				t.Fatal(err)
			}
			row := c.report.Targets[0]
			if len(row.Failures) != 2 || row.Incomplete != "" {
				t.Errorf("%+v", row)
			}
			for _, f := range row.Failures {
				if f.Message != "no answer within 25 seconds" {
					t.Errorf("%+v", f)
				}
			}
		}
		many := Target{Name: "FuzzY", Body: body, Seeds: seeds("", "stuck 1", "stuck 2", "stuck 3", "stuck 4")}
		c := &campaign{ctx: t.Context()}
		if err := c.tryInputs([]Target{many}); err != nil {
			t.Fatal(err)
		}
		mu.Lock()
		defer mu.Unlock()
		if row := c.report.Targets[0]; tried["stuck 4"] != 0 || row.Incomplete != "inputs were left out after 3 without an answer" || tried["a"] != 2 {
			t.Errorf("%+v, tried %v", row, tried)
		}
	})
}

// TestTry: what becomes of one input.
func TestTry(t *testing.T) {
	for _, c := range []struct {
		body         func([]byte)
		want, reason string
	}{
		{func([]byte) {}, "", "it holds"},
		{func(data []byte) { panic(string(data) + "\n") }, "in", "a panic with a text"},
		{func([]byte) { panic("") }, "panic", "a panic without one"},
		{func([]byte) { runtime.Goexit() }, "the target ended its goroutine", "neither panic nor return"},
	} {
		if got := (Target{Body: c.body}).try([]byte("in")); got != c.want {
			t.Errorf("%s: %q, want %q", c.reason, got, c.want)
		}
	}
}
