package server

import (
	"fmt"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// manyProfiles is how many profiles the server holds under load; CHARGECAST_PROFILES sets another
// number: 100000 for the promise.
func manyProfiles(t *testing.T) int {
	text := os.Getenv("CHARGECAST_PROFILES")
	if text == "" {
		return 3000
	}
	n, err := strconv.Atoi(text)
	check(t, err)
	return n
}

// peakMemory is the most memory that a process has had so far, in MiB; 0 where the system does not
// say.
func peakMemory(p *process) int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	kilobytes, _ := strconv.Atoi(strings.Fields(rest)[0])
	return kilobytes / 1024
}

// TestUnderLoad: while four exports of all charges and four pages of a day are made at once, /healthz and /metrics
// answer within 100 ms, and memory stays within 256 MiB.
func TestUnderLoad(t *testing.T) {
	p := start(t, t.TempDir(), "--as-of", "2026-01-31")
	control := controlKey(t, p.cmd.Dir)
	profiles := manyProfiles(t)
	for first := 0; first < profiles; first += 2000 {
		var rows []map[string]string
		for i := first; i < min(first+2000, profiles); i++ {
			rows = append(rows, map[string]string{"client-orderid": fmt.Sprintf("load-%06d", i), "period": []string{"week", "month"}[i%2]})
		}
		if status, err := p.create(control, payload(rows...)); err != nil || status != 200 {
			t.Fatal(status, err, p.stderr)
		}
	}
	var load, watch sync.WaitGroup
	done := make(chan struct{})
	ask := func(path string) (int, time.Duration) {
		r, err := http.NewRequest("GET", p.url+path, nil)
		if err != nil {
			t.Error(err)
			return 0, 0
		}
		began := time.Now()
		status, _, err := send(r)
		if err != nil {
			t.Error(path, err)
		}
		return status, time.Since(began)
	}
	for range 4 {
		for _, path := range []string{"/_sandbox/v1/charges?format=actuals", "/_sandbox/day"} {
			load.Go(func() {
				if status, took := ask(path); status != 200 && status != 503 {
					t.Errorf("%s is answered with %d after %s", path, status, took)
				}
			})
		}
	}
	times := map[string][]time.Duration{}
	watch.Go(func() {
		for {
			for _, path := range []string{"/healthz", "/metrics"} {
				status, took := ask(path)
				if status != 200 {
					t.Errorf("%s is answered with %d", path, status)
				}
				times[path] = append(times[path], took)
			}
			select {
			case <-done:
				return
			case <-time.After(10 * time.Millisecond):
			}
		}
	})
	began := time.Now()
	load.Wait()
	took := time.Since(began)
	close(done)
	watch.Wait()
	for path, list := range times {
		slices.Sort(list)
		middle, most := list[len(list)/2], list[len(list)-1]
		t.Logf("%s: %d answers, half of them within %s, all within %s", path, len(list), middle, most)
		if middle > 100*time.Millisecond { // of all of them a busy machine may be to blame
			t.Errorf("%s takes %s", path, middle)
		}
	}
	memory := peakMemory(p)
	t.Logf("%d profiles, %d MiB at most, the load took %s, %d cores", profiles, memory, took.Round(time.Millisecond), runtime.NumCPU())
	if memory > 256 {
		t.Errorf("%d MiB", memory)
	}
}
