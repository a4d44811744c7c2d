package ordered_test

import (
	"fmt"
	"iter"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chargecast/chargecast/internal/ordered"
)

func upTo(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

// thrice gives 3v, 3v+1 and 3v+2, later values sooner.
func thrice(_ int, v int, give func(int) bool) {
	time.Sleep(time.Duration(5-v%5) * 10 * time.Microsecond)
	for i := range 3 {
		if !give(3*v + i) {
			return
		}
	}
}

// TestOrder: the results are those of one worker, for any number.
func TestOrder(t *testing.T) {
	for _, n := range []int{0, 1, 3, 4, 1000} {
		for workers := range 6 {
			got := slices.Collect(ordered.Map(upTo(n), workers, thrice))
			if want := slices.Collect(upTo(3 * n)); !slices.Equal(got, want) {
				t.Errorf("%d values, %d workers: %v", n, workers, got)
			}
		}
	}
}

// TestEarlyEnd: a caller who stops leaves no goroutine behind, and no more than what is under way was begun.
func TestEarlyEnd(t *testing.T) {
	before := runtime.NumGoroutine()
	for workers := range 5 {
		var begun atomic.Int32
		got := 0
		for range ordered.Map(upTo(1<<30), workers, func(_, v int, give func(int) bool) {
			begun.Add(1)
			for give(v) {
			}
		}) {
			if got++; got == 10 {
				break
			}
		}
		if n := int(begun.Load()); n > workers+ordered.Ahead || n == 0 {
			t.Errorf("%d workers: %d values were begun", workers, n)
		}
	}
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines, before %d", n, before)
	}
}

// TestPanic: a panic of work comes after the results before it, and goes to the caller.
func TestPanic(t *testing.T) {
	for workers := 1; workers < 4; workers++ {
		var got []int
		fault := func() (fault any) {
			defer func() { fault = recover() }()
			for v := range ordered.Map(upTo(100), workers, func(_, v int, give func(int) bool) {
				if give(v); v == 7 {
					panic(fmt.Sprint("at ", v))
				}
			}) {
				got = append(got, v)
			}
			return nil
		}()
		if fault != "at 7" || !slices.Equal(got, slices.Collect(upTo(8))) {
			t.Errorf("%d workers: %v after %v", workers, fault, got)
		}
	}
}

// TestWorkers: no two calls with one number run at the same time.
func TestWorkers(t *testing.T) {
	const workers = 3
	var busy [workers]atomic.Bool
	for range ordered.Map(upTo(500), workers, func(worker, v int, give func(int) bool) {
		if busy[worker].Swap(true) {
			t.Error("two calls at a time")
		}
		give(v)
		busy[worker].Store(false)
	}) {
	}
}
