package campaign

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
)

// TestTargetWithoutEnd: an input for which a target does not come to an end is a finding, here and in later campaigns,
// and the campaign goes on.
func TestTargetWithoutEnd(t *testing.T) {
	dir := t.TempDir()
	suspects := filepath.Join(dir, filepath.FromSlash(othersDir))
	if err := os.MkdirAll(suspects, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(suspects, "FuzzX-timeout-1"), []byte("stuck: of libFuzzer"), 0o600); err != nil {
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
		x := target{name: "FuzzX", body: body, seeds: []string{"a", "stuck", "b"}}
		for range 2 {
			c := campaignIn(t, dir)
			if err := c.tryInputs(t.Context(), []target{x}); err != nil {
				t.Fatal(err)
			}
			if len(c.corpus.known) != 2 || c.report.Targets[0].Incomplete != "" {
				t.Errorf("%+v %+v", c.corpus.known, c.report.Targets)
			}
			for _, f := range c.corpus.known {
				if f.Message != "no answer within 25 seconds" || !f.Fails() {
					t.Errorf("%+v", f)
				}
			}
			c.corpus.close()
		}
		mu.Lock()
		if tried["a"] != 2 || tried["b"] != 2 || tried["stuck"] != 1 {
			t.Errorf("tried %v", tried)
		}
		mu.Unlock()
		many := target{name: "FuzzY", body: body, seeds: []string{"stuck 1", "stuck 2", "stuck 3", "stuck 4"}}
		c := campaignIn(t, dir)
		defer c.corpus.close()
		if err := c.tryInputs(t.Context(), []target{many}); err != nil {
			t.Fatal(err)
		}
		mu.Lock()
		defer mu.Unlock()
		if row := c.report.Targets[0]; tried["stuck 4"] != 0 || row.Incomplete != "inputs were left out after 3 inputs without an answer" {
			t.Errorf("%+v, tried %v", row, tried)
		}
	})
}

func campaignIn(t *testing.T, dir string) *campaign {
	t.Helper()
	of, s, err := openCorpus(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &campaign{corpus: of, state: s}
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
		if got := (target{body: c.body}).try([]byte("in")); got != c.want {
			t.Errorf("%s: %q, want %q", c.reason, got, c.want)
		}
	}
}
